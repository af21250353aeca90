// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda-emu-tensor <library> <tensor.ptx>: matrix instructions against products on the host. All numbers are small
// integers, so that sums are exact in any order.

#include "Test.h"

namespace {

uint16_t half(int x) {
  _Float16 value = x;
  uint16_t bits;
  memcpy(&bits, &value, 2);
  return bits;
}
uint16_t bfloat(int x) {
  float value = x;
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return bits >> 16;
}
uint32_t single(int x) {
  float value = x;
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return bits | 0x1fff; // bits that tf32 does not have
}

/// Bytes are as far from zero as they can be with the signs that they may have, so that each sign counts.
enum Numbers { Small, Signed, Unsigned };
int number(Numbers numbers, int i) { return numbers == Small ? i % 13 - 6 : i % 256 - (numbers == Signed ? 128 : 0); }

template <typename C, typename A, typename B, typename ToA, typename ToB, typename... More>
void test(Driver &d, const char *kernel, int threads, int m, int n, int k, ToA toA, ToB toB, Numbers numbersA,
          Numbers numbersB, More... more) {
  std::vector<A> a(m * k);
  std::vector<B> b(k * n);
  std::vector<C> c(m * n);
  std::vector<int> x(m * k), y(k * n);
  for (int i = 0; i < m * k; ++i)
    a[i] = toA(x[i] = number(numbersA, i * 7));
  for (int i = 0; i < k * n; ++i)
    b[i] = toB(y[i] = number(numbersB, i * 5));
  bool adds = sizeof...(More) == 0; // the single instructions add to c
  for (int i = 0; i < m * n; ++i)
    c[i] = adds ? i % 9 : -1;
  Device da = d.upload(a), db = d.upload(b), dc = d.upload(c);
  d.launch(kernel, {1, 1, unsigned(threads), 1, 0}, dc, da, db, more...);
  auto result = d.download<C>(dc, m * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      long sum = adds ? (i * n + j) % 9 : 0;
      for (int l = 0; l < k; ++l)
        sum += x[i * k + l] * y[l * n + j];
      if (result[i * n + j] == C(sum))
        continue;
      ++failures;
      printf("%s %d %d: %g, not %ld\n", kernel, i, j, double(result[i * n + j]), sum);
    }
}

void testCopies(Driver &d, int count) {
  constexpr int threads = 32, parts = 3, numbers = parts * threads * 4;
  std::vector<uint32_t> a(numbers);
  for (int i = 0; i < numbers; ++i)
    a[i] = i + 1;
  Device da = d.upload(a), dc = d.upload(std::vector<uint32_t>(numbers, 7));
  d.launch("copies", {1, 1, threads, 1, 0}, dc, da, count);
  auto result = d.download<uint32_t>(dc, numbers);
  for (int i = 0; i < numbers; ++i) {
    int place = i / 4 / threads == 1 ? i % 4 / 2 * 2 : i % 4; // pairs are there or not
    uint32_t expected = place < count ? a[i] : 0;
    if (result[i] == expected)
      continue;
    ++failures;
    printf("copies %d: %u at %d, not %u\n", count, result[i], i, expected);
  }
}

} // namespace

static void testAll(Driver &d) {
  auto same = [](int x) { return x; };
  test<float, uint16_t, uint16_t>(d, "mmaF16", 32, 16, 8, 16, half, half, Small, Small);
  test<float, uint16_t, uint16_t>(d, "mmaBF16", 32, 16, 8, 16, bfloat, bfloat, Small, Small);
  test<float, uint32_t, uint32_t>(d, "mmaTF32", 32, 16, 8, 8, single, single, Small, Small);
  test<double, double, double>(d, "mmaF64", 32, 8, 8, 4, same, same, Small, Small);
  for (Numbers a : {Signed, Unsigned})
    for (Numbers b : {Signed, Unsigned}) {
      std::string name = std::string("mma") + (a == Signed ? "S8" : "U8") + (b == Signed ? "S8" : "U8");
      test<int, uint8_t, uint8_t>(d, name.c_str(), 32, 16, 8, 32, same, same, a, b);
    }
  for (int k : {16, 32, 80})
    test<float, uint16_t, uint16_t>(d, "pipeline", 128, 64, 16, k, bfloat, bfloat, Small, Small, k);
  for (int count = 0; count <= 4; ++count)
    testCopies(d, count);
}

int main(int argc, char **argv) { return runTests(argc, argv, testAll); }
