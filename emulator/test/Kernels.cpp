// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda-emu-kernels <library> <kernels.ptx>: runs the kernels of kernels.cu and compares with the same on the host.

#include "Test.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace {

#define EXPECT(condition, ...)                                                                                         \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      ++failures;                                                                                                      \
      printf("%s:%d: ", __FILE__, __LINE__);                                                                           \
      printf(__VA_ARGS__);                                                                                             \
      printf("\n");                                                                                                    \
    }                                                                                                                  \
  } while (0)

/// Both may be no numbers.
template <typename T> bool same(T x, T y) { return x == y || (x != x && y != y); }

std::vector<float> floats(size_t count, unsigned seed) {
  std::vector<float> result(count);
  for (float &x : result) {
    seed = seed * 1664525 + 1013904223;
    x = int(seed >> 8) % 2001 / 500.0f - 2;
  }
  return result;
}

void testElementwise(Driver &d) {
  const int n = 1000;
  auto a = floats(n, 1), b = floats(n, 2);
  a[3] = NAN;
  Device da = d.upload(a), db = d.upload(b), out = d.upload(std::vector<float>(n));
  d.launch("vadd", {4, 1, 256, 1, 0}, out, da, db, n);
  auto sum = d.download<float>(out, n);
  for (int i = 0; i < n; ++i)
    EXPECT(same(sum[i], a[i] + b[i]), "vadd %d: %g", i, sum[i]);
  uint32_t bits;
  memcpy(&bits, &sum[3], 4);
  EXPECT(bits == 0x7fffffff, "a NaN of f32 is %08x", bits);
  d.launch("saxpy4", {3, 1, 32, 1, 0}, out, db, 0.3f, n);
  sum = d.download<float>(out, n);
  for (int i = 0; i < n; ++i) {
    float product = b[i] * 0.3f;
    EXPECT(sum[i] == product + 1.0f || sum[i] == fmaf(b[i], 0.3f, 1.0f), "saxpy4 %d: %g", i, sum[i]);
  }
}

void testTranspose(Driver &d) {
  const int rows = 70, columns = 45;
  auto in = floats(rows * columns, 3);
  Device din = d.upload(in), out = d.upload(std::vector<float>(rows * columns));
  d.launch("transpose", {2, 3, 32, 8, 0}, out, din, rows, columns);
  auto result = d.download<float>(out, rows * columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      EXPECT(result[j * rows + i] == in[i * columns + j], "transpose %d %d", i, j);
}

void testReductions(Driver &d) {
  const int rows = 5, columns = 1000;
  auto in = floats(rows * columns, 4);
  Device din = d.upload(in), out = d.upload(std::vector<float>(rows));
  d.launch("rowsum", {rows, 1, 256, 1, 32}, out, din, columns);
  auto result = d.download<float>(out, rows);
  for (int i = 0; i < rows; ++i) {
    double sum = std::accumulate(in.begin() + i * columns, in.begin() + (i + 1) * columns, 0.0);
    EXPECT(std::fabs(result[i] - sum) <= 1e-3, "rowsum %d: %g, not %g", i, result[i], sum);
  }
  const int blocks = 5, threads = 64;
  Device parts = d.upload(std::vector<float>(blocks * threads)), totals = d.upload(std::vector<float>(threads));
  for (int turn = 0; turn < 2; ++turn) {
    d.launch("lastBlock", {blocks, 1, threads, 1, 0}, totals, parts, din, blocks * threads);
    auto total = d.download<float>(totals, threads);
    for (int t = 0; t < threads; ++t) {
      float sum = 0;
      for (int i = 0; i < blocks; ++i)
        sum += in[i * threads + threads - 1 - t];
      EXPECT(total[t] == sum, "lastBlock %d: %g, not %g", t, total[t], sum);
    }
  }
  std::vector<int> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), -300);
  Device dn = d.upload(numbers), ds = d.upload(numbers);
  d.launch("scan", {1, 1, 1024, 1, 0}, ds, dn, 1000);
  auto scanned = d.download<int>(ds, 1000);
  int sum = 0;
  for (int i = 0; i < 1000; ++i)
    EXPECT(scanned[i] == (sum += numbers[i]), "scan %d: %d", i, scanned[i]);
}

void testMatmul(Driver &d) {
  const int n = 50;
  auto a = floats(n * n, 5), b = floats(n * n, 6);
  Device da = d.upload(a), db = d.upload(b), dc = d.upload(std::vector<float>(n * n));
  d.launch("matmul", {4, 4, 16, 16, 0}, dc, da, db, n);
  auto c = d.download<float>(dc, n * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum = fmaf(a[i * n + k], b[k * n + j], sum);
      EXPECT(c[i * n + j] == sum, "matmul %d %d: %g, not %g", i, j, c[i * n + j], sum);
    }
}

void testShared(Driver &d) {
  std::vector<unsigned char> bytes(5000);
  std::vector<uint32_t> bins(256), counted(256);
  for (size_t i = 0; i < bytes.size(); ++i)
    ++bins[bytes[i] = i * i / 7];
  Device din = d.upload(bytes), out = d.upload(counted);
  d.launch("histogram", {7, 1, 128, 1, 0}, out, din, int(bytes.size()));
  EXPECT(d.download<uint32_t>(out, 256) == bins, "histogram");
  std::vector<int> numbers(512);
  for (int i = 0; i < 512; ++i)
    numbers[i] = i * 7919 % 512 - 200;
  Device data = d.upload(numbers);
  d.launch("bitonic", {1, 1, 512, 1, 0}, data);
  std::sort(numbers.begin(), numbers.end());
  EXPECT(d.download<int>(data, 512) == numbers, "bitonic");
}

void testAtomics(Driver &d) {
  const int n = 1000;
  Device sum = d.upload(std::vector<float>(1)), wide = d.upload(std::vector<double>(1));
  Device least = d.upload(std::vector<int>(1)), both = d.upload(std::vector<uint64_t>(2));
  d.launch("floatAtomics", {8, 1, 128, 1, 0}, sum, wide, least, both, n);
  EXPECT(d.download<float>(sum, 1)[0] == 499500, "atom.add.f32");
  EXPECT(d.download<double>(wide, 1)[0] == 499500, "atom.add.f64");
  EXPECT(d.download<int>(least, 1)[0] == 100 - 999, "atom.min");
  auto words = d.download<uint64_t>(both, 2);
  EXPECT(words[0] == ~0ull, "atom.or");
  EXPECT(words[1] == 3000, "atom.cas: %d", int(words[1]));
}

void testMixture(Driver &d) {
  struct Big {
    float values[5];
    double scale;
  } big = {{1, 2, 3, 4, 5}, 2};
  auto x = floats(256, 8);
  const int n = 6;
  Device dx = d.upload(x), out = d.upload(std::vector<float>(256));
  d.launch("mixture", {2, 1, 128, 1, 512}, out, dx, n, big);
  auto result = d.download<float>(out, 256);
  const int table[] = {1, 2, 3, 4};
  const float constants[] = {1, 2, 4};
  for (int i = 0; i < 256; ++i) {
    const float *mine = &x[i / 128 * 128];
    float v = mine[0];
    for (int k = 0; k < n; ++k)
      v += mine[k];
    v = v + float(i & 1 ? table[0] : table[1]);
    v = v + constants[i % 3];
    v = v + big.values[i % 5];
    switch (i % 7) {
    case 0:
      v += 1;
      break;
    case 1:
      v *= 3;
      break;
    case 2:
      v = -v;
      break;
    case 3:
      v = v * v;
      break;
    case 4:
      v = v / 3;
      break;
    case 5:
      v += float((n & 7) * i);
      break;
    default:
      v = 7;
    }
    v += float(((int)std::fabs(v) & 7) * i + (i & 1 ? i * i : 2 * i));
    EXPECT(same(result[i], v * 2), "mixture %d: %g, not %g", i, result[i], v * 2);
  }
}

void testIntegers(Driver &d) {
  std::vector<int64_t> a, b;
  uint64_t seed = 12345;
  for (int i = 0; i < 128; ++i) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    a.push_back(int64_t(seed) >> (i % 48));
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    b.push_back(int64_t(seed) >> (i * 7 % 60));
  }
  Device da = d.upload(a), db = d.upload(b), out = d.upload(std::vector<int64_t>(128 * 16));
  d.launch("integers", {4, 1, 32, 1, 0}, out, da, db);
  auto r = d.download<int64_t>(out, 128 * 16);
  for (int i = 0; i < 128; ++i) {
    int64_t x = a[i], y = b[i];
    int p = int(x), q = int(y);
    uint32_t up = p, uq = q;
    auto reverse = [](uint32_t v) {
      uint32_t result = 0;
      for (int bit = 0; bit < 32; ++bit)
        result |= (v >> bit & 1) << (31 - bit);
      return result;
    };
    int64_t expected[16] = {y ? x / y : 0,
                            y ? x % y : 0,
                            q && q != -1 ? p / q : 0,
                            uq ? up % uq : 0,
                            int64_t(p) * q >> 32,
                            int64_t(uint64_t((unsigned __int128)uint64_t(x) * uint64_t(y) >> 64)),
                            x >> (y & 63),
                            up << (uq & 31),
                            __builtin_popcountll(x) + __builtin_clz(up | 1) + __builtin_ctz(uq | 8),
                            short(x) * (signed char)(y),
                            p < q     ? -1
                            : up < uq ? 1
                                      : 0,
                            reverse(up) ^ __builtin_bswap32(uq),
                            0,
                            uint32_t(up) + (unsigned char)(q),
                            (x ^ y) & ~(x | 3),
                            std::min(x, y)};
    float half = float(x) * 0.5f;
    expected[12] = int64_t(half);
    for (int k = 0; k < 16; ++k)
      EXPECT(r[16 * i + k] == expected[k], "integers %d.%d (%lld, %lld): %lld, not %lld", i, k, (long long)x,
             (long long)y, (long long)r[16 * i + k], (long long)expected[k]);
  }
}

void testHalves(Driver &d) {
  std::vector<_Float16> a, b;
  for (int i = 0; i < 64; ++i) {
    a.push_back(_Float16(float(i * i - 100) * 0.37f));
    b.push_back(_Float16(float(30 - i) * 1.91f));
  }
  Device da = d.upload(a), db = d.upload(b), out = d.upload(std::vector<_Float16>(256));
  d.launch("halves", {2, 1, 32, 1, 0}, out, da, db);
  auto r = d.download<_Float16>(out, 256);
  for (int i = 0; i < 64; ++i) {
    float x = a[i], y = b[i];
    EXPECT(same(float(r[4 * i]), float(_Float16(x + y))), "f16 add %d", i);
    EXPECT(same(float(r[4 * i + 1]), float(_Float16(x * y))), "f16 mul %d", i);
    EXPECT(same(float(r[4 * i + 2]), float(_Float16(x / y))), "f16 div %d", i);
    EXPECT(same(float(r[4 * i + 3]), x < y ? x : -y), "f16 select %d", i);
  }
}

void testWarps(Driver &d) {
  Device out = d.upload(std::vector<uint32_t>(64 * 9));
  d.launch("warps", {1, 1, 64, 1, 0}, out);
  auto r = d.download<uint32_t>(out, 64 * 9);
  for (uint32_t t = 0; t < 64; ++t) {
    uint32_t base = t / 32 * 32, lane = t % 32, same = 0, half = 0, most = 0;
    for (uint32_t l = 0; l < 32; ++l) {
      same |= uint32_t((base + l) % 3 == t % 3) << l;
      half += l < 16 ? base + l : 0;
      most = std::max(most, (base + l) ^ 5);
    }
    uint32_t expected[9] = {
        0xaaaaaaaa,           1, uint32_t(t >= 32), base * 32 + 496, most, same, lane >= 3 ? t - 3 : t, base + 9,
        lane < 16 ? half : 16};
    for (int k = 0; k < 9; ++k)
      EXPECT(r[9 * t + k] == expected[k], "warps %u.%d: %u, not %u", t, k, r[9 * t + k], expected[k]);
  }
}

/// Streams, events and graphs.
void testGraphs(Driver &d) {
  const int n = 64;
  auto a = floats(n, 9), b = floats(n, 10);
  Device da = d.upload(a), db = d.upload(b), out = d.upload(std::vector<float>(n));
  void *stream, *other, *event, *graph, *exec, *function;
  d.check(d.call("cuStreamCreate", &stream, 1u), "cuStreamCreate");
  d.check(d.call("cuStreamCreate", &other, 1u), "cuStreamCreate");
  d.check(d.call("cuEventCreate", &event, 0u), "cuEventCreate");
  d.check(d.call("cuModuleGetFunction", &function, d.module, "vadd"), "cuModuleGetFunction");
  d.check(d.call("cuStreamBeginCapture_v2", stream, 0), "cuStreamBeginCapture");
  d.check(d.call("cuMemsetD32Async", out, 0u, size_t(n), stream), "cuMemsetD32Async");
  d.check(d.call("cuEventRecord", event, stream), "cuEventRecord");
  d.check(d.call("cuStreamWaitEvent", other, event, 0u), "cuStreamWaitEvent");
  void *arguments[] = {&out, &da, &db, const_cast<int *>(&n)};
  d.check(d.call("cuLaunchKernel", function, 1u, 1u, 1u, 64u, 1u, 1u, 0u, other, (void **)arguments, (void **)nullptr),
          "cuLaunchKernel");
  int result = d.call("cuStreamSynchronize", stream);
  EXPECT(result == 900, "synchronizing a stream that captures: %d", result);
  d.check(d.call("cuStreamEndCapture", stream, &graph), "cuStreamEndCapture");
  EXPECT(d.download<float>(out, n)[1] == 0, "a capture runs nothing");
  d.check(d.call("cuGraphInstantiateWithFlags", &exec, graph, 0ull), "cuGraphInstantiate");
  d.check(d.call("cuGraphLaunch", exec, stream), "cuGraphLaunch");
  d.check(d.call("cuStreamSynchronize", stream), "cuStreamSynchronize");
  EXPECT(d.download<float>(out, n)[1] == a[1] + b[1], "a graph");
}

/// One stream writes, another copies what was written: with an event between them, and without it.
void testOrder(Driver &d) {
  const int n = 64;
  auto a = floats(n, 11), b = floats(n, 12);
  std::vector<float> zeros(n);
  Device da = d.upload(a), db = d.upload(b);
  void *first, *second, *event, *function;
  d.check(d.call("cuStreamCreate", &first, 1u), "cuStreamCreate");
  d.check(d.call("cuStreamCreate", &second, 1u), "cuStreamCreate");
  d.check(d.call("cuEventCreate", &event, 0u), "cuEventCreate");
  d.check(d.call("cuModuleGetFunction", &function, d.module, "vadd"), "cuModuleGetFunction");
  int count = n;
  for (bool waits : {true, false}) {
    Device sum = d.upload(zeros), copy = d.upload(zeros);
    void *parameters[] = {&sum, &da, &db, &count};
    d.check(
        d.call("cuLaunchKernel", function, 1u, 1u, 1u, 64u, 1u, 1u, 0u, first, (void **)parameters, (void **)nullptr),
        "cuLaunchKernel");
    d.check(d.call("cuEventRecord", event, first), "cuEventRecord");
    if (waits)
      d.check(d.call("cuStreamWaitEvent", second, event, 0u), "cuStreamWaitEvent");
    d.check(d.call("cuMemcpyDtoDAsync_v2", copy, sum, sizeof(float) * n, second), "cuMemcpyDtoDAsync");
    d.check(d.call("cuStreamSynchronize", second), "cuStreamSynchronize");
    const char *streams = getenv("CUDA_EMU_STREAMS");
    bool isSeen = d.download<float>(copy, n)[1] == a[1] + b[1];
    if (waits || !streams || strcmp(streams, "random"))
      EXPECT(isSeen == (waits || !streams), "streams %s a wait: %d", waits ? "with" : "without", isSeen);
    d.check(d.call("cuEventSynchronize", event), "cuEventSynchronize");
    EXPECT(d.download<float>(sum, n)[1] == a[1] + b[1], "an event that was waited for");
  }
  d.check(d.call("cuStreamDestroy_v2", first), "cuStreamDestroy");
  d.check(d.call("cuStreamDestroy_v2", second), "cuStreamDestroy");
}

/// What nobody has written.
void testFresh(Driver &d) {
  Device memory;
  d.check(d.call("cuMemAlloc_v2", &memory, size_t(64)), "cuMemAlloc");
  EXPECT(d.download<uint32_t>(memory, 16) == std::vector<uint32_t>(16, 0xcdcdcdcd), "fresh memory");
  d.check(d.call("cuMemFree_v2", memory), "cuMemFree");
}

/// What the driver refuses.
void testRefusals(Driver &d) {
  Device out = d.upload(std::vector<float>(4));
  EXPECT(d.tryLaunch("count", {1, 1, 1025, 1, 0}, out, 1) == 1, "1025 threads");
  EXPECT(d.tryLaunch("count", {0, 1, 32, 1, 0}, out, 1) == 1, "no blocks");
  EXPECT(d.tryLaunch("rowsum", {1, 1, 32, 1, 49153}, out, out, 4) == 1, "49153 bytes of shared memory");
  float host[8];
  EXPECT(d.call("cuMemcpyDtoH_v2", (void *)host, out, size_t(20)) == 1, "a copy out of bounds");
  EXPECT(d.call("cuMemFree_v2", out + 4) == 1, "a pointer that was not allocated");
  void *function;
  EXPECT(d.call("cuModuleGetFunction", &function, d.module, "nothing") == 500, "an unknown function");
  void *address;
  int status;
  EXPECT(d.call("cuGetProcAddress_v2", "cuMemAlloc", &address, 12000, uint64_t(0), &status) == 0 &&
             address == dlsym(d.library, "cuMemAlloc_v2"),
         "cuGetProcAddress");
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  Driver driver(argv[1]);
  std::string log = driver.load(readFile(argv[2]));
  if (!log.empty()) {
    printf("%s\n", log.c_str());
    return 1;
  }
  if (argc > 3) { // for measurements: blocks of 256 threads, iterations of each
    unsigned blocks = atoi(argv[3]);
    Device out = driver.upload(std::vector<float>(size_t(blocks) * 256));
    for (int round = 0; round < 3; ++round) {
      auto start = std::chrono::steady_clock::now();
      driver.launch("count", {blocks, 1, 256, 1, 0}, out, atoi(argv[4]));
      std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
      printf("%.3f s for %u threads\n", time.count(), blocks * 256);
    }
    auto a = floats(256 * 256, 5);
    Device da = driver.upload(a), dc = driver.upload(a);
    for (int round = 0; round < 3; ++round) {
      auto start = std::chrono::steady_clock::now();
      driver.launch("matmul", {16, 16, 16, 16, 0}, dc, da, da, 256);
      std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
      printf("%.3f s for matmul 256\n", time.count());
    }
    return 0;
  }
  testElementwise(driver);
  testTranspose(driver);
  testReductions(driver);
  testMatmul(driver);
  testShared(driver);
  testAtomics(driver);
  testMixture(driver);
  testIntegers(driver);
  testHalves(driver);
  testWarps(driver);
  testGraphs(driver);
  testOrder(driver);
  testFresh(driver);
  testRefusals(driver);
  printf("%d failures\n", failures);
  return failures != 0;
}
