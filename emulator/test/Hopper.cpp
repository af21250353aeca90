// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda-emu-hopper <library> <hopper.ptx>: barriers in memory.

#include "Test.h"

namespace {

template <typename T> void expectEqual(const char *name, const std::vector<T> &found, const std::vector<T> &expected) {
  for (size_t i = 0; i < expected.size(); ++i)
    if (!(found[i] == expected[i])) {
      ++failures;
      printf("%s %zu: %g, not %g\n", name, i, double(found[i]), double(expected[i]));
    }
}

} // namespace

static void testAll(Driver &d) {
  const int rounds = 7;
  std::vector<uint32_t> in(64 * rounds), sums(64), shown(64 * rounds);
  for (int i = 0; i < 64 * rounds; ++i) {
    in[i] = i * 13 % 31;
    sums[i % 64] += in[i] * (i / 64 + 1);
    shown[i] = 63 - i % 64 + i / 64;
  }
  Device data = d.upload(in), out = d.upload(shown);
  d.launch("pipeline", {1, 1, 96, 1, 0}, out, data, rounds);
  expectEqual("pipeline", d.download<uint32_t>(out, 64), sums);
  d.launch("named", {1, 1, 128, 1, 0}, out, rounds);
  expectEqual("named", d.download<uint32_t>(out, 64 * rounds), shown);
  std::vector<uint32_t> squares;
  for (int i = 63; i >= 0; --i)
    squares.push_back(i * i);
  squares.push_back(17);
  d.launch("states", {1, 1, 64, 1, 0}, out);
  expectEqual("states", d.download<uint32_t>(out, 65), squares);
  d.launch("elected", {1, 1, 128, 1, 0}, out);
  expectEqual("elected", d.download<uint32_t>(out, 4), {5, 6, 7, 8});
}

int main(int argc, char **argv) { return runTests(argc, argv, testAll); }
