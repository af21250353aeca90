// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda-emu-wgmma <library> <wgmma.ptx>: products of warpgroups against products on the host. All numbers are small
// integers, so that sums are exact in any order.

#include "Test.h"

#include <functional>

namespace {

struct alignas(64) TensorMap {
  uint64_t opaque[16];
};

/// A type of elements: its bytes, and its bits for a small integer.
struct Element {
  unsigned bytes;
  std::function<uint32_t(int)> encode;
};
uint32_t bitsOf(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return bits;
}
uint32_t half(int x) {
  _Float16 value = x;
  uint16_t bits;
  memcpy(&bits, &value, 2);
  return bits;
}
uint32_t bfloat(int x) { return bitsOf(x) >> 16; }
/// A float of 8 bits with so many for the mantissa.
uint32_t small(int x, unsigned mantissa, int bias) {
  if (!x)
    return 0;
  uint32_t bits = bitsOf(x);
  int exponent = int(bits >> 23 & 0xff) - 127 + bias;
  return bits >> 31 << 7 | uint32_t(exponent) << mantissa | (bits >> (23 - mantissa) & ((1u << mantissa) - 1));
}
const Element bf16 = {2, bfloat}, f16 = {2, half};
const Element tf32 = {4, [](int x) { return bitsOf(x) | 0x1fff; }}; // with bits that do not count
const Element s8 = {1, [](int x) { return uint32_t(x) & 0xff; }};
const Element e4m3 = {1, [](int x) { return small(x, 3, 7); }}, e5m2 = {1, [](int x) { return small(x, 2, 15); }};

/// How a matrix lies in shared memory, and what describes that.
struct Place {
  unsigned swizzle; // 0, or 32, 64, 128 bytes as 1, 2, 3
  bool isTransposed;
  uint32_t leading, stride; // bytes

  uint64_t descriptor() const {
    return uint64_t(swizzle ? 4 - swizzle : 0) << 62 | uint64_t(stride >> 4) << 32 | uint64_t(leading >> 4) << 16;
  }
  /// As PTX's manual says: units are 16 bytes wide; `row` is of m or n.
  uint32_t address(unsigned row, unsigned k, unsigned bytes) const {
    unsigned perUnit = 16 / bytes, units = 1u << swizzle, at;
    if (!isTransposed) {
      unsigned unit = k / perUnit;
      at = row / 8 * stride + row % 8 * units * 16 + (swizzle ? unit * 16 : unit * leading) + k % perUnit * bytes;
    } else {
      unsigned unit = row / perUnit;
      at = (swizzle ? unit / units * leading + k / 8 * stride + k % 8 * units * 16 + unit % units * 16
                    : unit * stride + k / 8 * leading + k % 8 * 16) +
           row % perUnit * bytes;
    }
    unsigned line = at / 128, chunk = at / 16 % 8;
    if (swizzle == 1)
      chunk ^= line & 1;
    else if (swizzle == 2)
      chunk ^= line & 3;
    else if (swizzle == 3)
      chunk ^= line & 7;
    return line * 128 + chunk * 16 + at % 16;
  }
};

/// The smallest distances between the parts of a matrix, and 16 or 1024 bytes more.
Place place(unsigned swizzle, bool isTransposed, unsigned rows, unsigned k, unsigned bytes, bool spread) {
  Place result = {swizzle, isTransposed, 16, 16};
  unsigned span = 16u << swizzle, more = spread ? (swizzle ? 1024 : 128) : 0;
  if (!isTransposed) {
    result.stride = 8 * span + more;
    if (!swizzle)
      result.leading = rows / 8 * result.stride + more;
  } else if (swizzle) {
    result.stride = 8 * span + more;
    result.leading = k / 8 * result.stride + more;
  } else {
    result.leading = 128 + more;
    result.stride = k / 8 * result.leading + more;
  }
  return result;
}

struct Matrix {
  std::vector<int> values; // rows x k
  std::vector<uint8_t> image;
};

Matrix make(const Element &element, unsigned rows, unsigned k, const Place &place, int factor, int modulus,
            int offset) {
  Matrix result;
  result.image.assign(1024, 0xff);
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned j = 0; j < k; ++j) {
      int value = int(row * 3 + j * factor) % modulus - offset;
      result.values.push_back(value);
      uint32_t bits = element.encode(value), at = place.address(row, j, element.bytes);
      if (result.image.size() < at + element.bytes)
        result.image.resize((at + element.bytes + 1023) / 1024 * 1024, 0xff);
      memcpy(&result.image[at], &bits, element.bytes);
    }
  // Bytes between the parts are never read; checked mode would say so, had they not been written.
  return result;
}

template <typename C>
void testProduct(Driver &d, const char *kernel, unsigned n, const Element &a, const Element &b, unsigned swizzleA,
                 unsigned swizzleB, bool transposesA, bool transposesB, int sign, bool spread,
                 std::function<C(int)> encode) {
  if (!isWanted(kernel))
    return;
  unsigned k = 32 / a.bytes;
  Place placeA = place(swizzleA, transposesA, 64, k, a.bytes, spread);
  Place placeB = place(swizzleB, transposesB, n, k, b.bytes, spread);
  bool isUnsigned = !strcmp(kernel, "s8");
  Matrix x = make(a, 64, k, placeA, 7, 11, 5), y = make(b, n, k, placeB, 5, 7, isUnsigned ? 0 : 3);
  std::vector<C> c(64 * n);
  for (unsigned i = 0; i < 64 * n; ++i)
    c[i] = encode(i % 9);
  Device da = d.upload(x.image), db = d.upload(y.image), dc = d.upload(c);
  void *function;
  d.check(d.call("cuModuleGetFunction", &function, d.module, kernel), kernel);
  unsigned shared = x.image.size() + y.image.size();
  d.check(d.call("cuFuncSetAttribute", function, 8, int(shared)), "cuFuncSetAttribute");
  d.launch(kernel, {1, 1, 128, 1, shared}, dc, da, int(x.image.size()), db, int(y.image.size()), placeA.descriptor(),
           placeB.descriptor());
  auto result = d.download<C>(dc, 64 * n);
  for (unsigned i = 0; i < 64; ++i)
    for (unsigned j = 0; j < n; ++j) {
      int sum = int(i * n + j) % 9;
      for (unsigned l = 0; l < k; ++l)
        sum += sign * x.values[i * k + l] * y.values[j * k + l];
      if (result[i * n + j] == encode(sum))
        continue;
      ++failures;
      printf("%s, swizzles %u and %u, %u %u: %g, not %d\n", kernel, swizzleA, swizzleB, i, j, double(result[i * n + j]),
             sum);
      return;
    }
}

void testRegisters(Driver &d) {
  std::vector<uint16_t> a(64 * 32);
  for (int i = 0; i < 64 * 32; ++i)
    a[i] = bfloat(i % 13 - 6);
  // Two matrices of 64 x 16: rows of 32 bytes, swizzled so.
  Place places = place(1, false, 64, 16, 2, false);
  Matrix y0 = make(bf16, 64, 16, places, 5, 7, 3), y1 = make(bf16, 64, 16, places, 3, 5, 2);
  std::vector<uint8_t> image(y0.image);
  image.insert(image.end(), y1.image.begin(), y1.image.end());
  Device da = d.upload(a), db = d.upload(image), dc = d.upload(std::vector<float>(2 * 64 * 64));
  d.launch("registers", {1, 1, 128, 1, 4096}, dc, da, db, places.descriptor());
  auto result = d.download<float>(dc, 2 * 64 * 64);
  for (int n = 0; n < 2; ++n)
    for (int i = 0; i < 64; ++i)
      for (int j = 0; j < 64; ++j) {
        int sum = 0;
        for (int k = 0; k < 16; ++k)
          sum += ((i * 32 + n * 16 + k) % 13 - 6) * (n ? y1 : y0).values[j * 16 + k];
        if (result[(n * 64 + i) * 64 + j] != sum) {
          ++failures;
          printf("registers %d %d %d: %g, not %d\n", n, i, j, result[(n * 64 + i) * 64 + j], sum);
          return;
        }
      }
}

void testGemm(Driver &d, int m, int n, int k) {
  int pitch = (k + 7) / 8 * 8, pitchC = (n + 3) / 4 * 4;
  std::vector<uint16_t> a(m * pitch), b(n * pitch);
  for (int i = 0; i < m * pitch; ++i)
    a[i] = bfloat(i % 11 - 5);
  for (int i = 0; i < n * pitch; ++i)
    b[i] = bfloat(i % 7 - 3);
  Device da = d.upload(a), db = d.upload(b), dc = d.upload(std::vector<float>(m * pitchC));
  TensorMap maps[3];
  auto encode = [&](TensorMap &map, unsigned type, Device memory, int columns, int rows, int bytes, unsigned inner) {
    uint64_t sizes[] = {uint64_t(columns), uint64_t(rows)}, strides[] = {uint64_t(bytes)};
    unsigned box[] = {inner, 64}, steps[] = {1, 1};
    d.check(d.call("cuTensorMapEncodeTiled", (void *)&map, type, 2u, (void *)memory, (const uint64_t *)sizes,
                   (const uint64_t *)strides, (const unsigned *)box, (const unsigned *)steps, 0u, 3u, 0u, 0u),
            "cuTensorMapEncodeTiled");
  };
  encode(maps[0], 9, da, k, m, pitch * 2, 64);
  encode(maps[1], 9, db, k, n, pitch * 2, 64);
  encode(maps[2], 7, dc, n, m, pitchC * 4, 32);
  void *function;
  d.check(d.call("cuModuleGetFunction", &function, d.module, "gemm"), "gemm");
  unsigned shared = 3 * 16384 + 16384;
  d.check(d.call("cuFuncSetAttribute", function, 8, int(shared)), "cuFuncSetAttribute");
  d.launch("gemm", {unsigned(n + 63) / 64, unsigned(m + 63) / 64, 160, 1, shared}, maps[0], maps[1], maps[2], k);
  auto c = d.download<float>(dc, m * pitchC);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      int sum = 0;
      for (int l = 0; l < k; ++l)
        sum += ((i * pitch + l) % 11 - 5) * ((j * pitch + l) % 7 - 3);
      if (c[i * pitchC + j] != sum) {
        ++failures;
        printf("gemm %d %d %d, %d %d: %g, not %d\n", m, n, k, i, j, c[i * pitchC + j], sum);
        return;
      }
    }
}

} // namespace

static void testAll(Driver &d) {
  std::function<float(int)> single = [](int x) { return float(x); };
  std::function<uint16_t(int)> toHalf = half;
  std::function<uint32_t(int)> integer = [](int x) { return uint32_t(x); };
  for (unsigned swizzle = 0; swizzle < 4; ++swizzle) {
    unsigned other = 3 - swizzle;
    bool spread = swizzle % 2;
    testProduct(d, "bf16", 64, bf16, bf16, swizzle, other, false, false, 1, spread, single);
    testProduct(d, "bf16A", 64, bf16, bf16, swizzle, other, true, false, -1, spread, single);
    testProduct(d, "bf16B", 128, bf16, bf16, swizzle, other, false, true, 1, spread, single);
    testProduct(d, "bf16Wide", 256, bf16, bf16, swizzle, other, false, false, 1, spread, single);
    testProduct(d, "f16Half", 16, f16, f16, swizzle, other, false, false, 1, spread, toHalf);
    testProduct(d, "tf32", 16, tf32, tf32, swizzle, other, false, false, 1, spread, single);
    testProduct(d, "s8", 32, s8, s8, swizzle, other, false, false, 1, spread, integer);
    testProduct(d, "e4m3", 8, e4m3, e5m2, swizzle, other, false, false, 1, spread, single);
  }
  // b has 8 rows: one unit.
  testProduct(d, "f16AB", 8, f16, f16, 3, 0, true, true, -1, false, single);
  if (isWanted("registers"))
    testRegisters(d);
  if (isWanted("gemm")) {
    testGemm(d, 64, 64, 64);
    testGemm(d, 70, 130, 328);
  }
}

int main(int argc, char **argv) { return runTests(argc, argv, testAll); }
