// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda-emu-cluster <library> <cluster.ptx>: kernels of blocks in clusters, and what the driver says of their sizes.

#include "Test.h"

namespace {

struct alignas(64) TensorMap {
  uint64_t opaque[16];
};

struct Attribute {
  int id;
  char padding[4];
  unsigned value[16];
};
struct Configuration {
  unsigned grid[3], block[3], shared;
  void *stream;
  Attribute *attributes;
  unsigned count;
};

template <typename... A>
int launch(Driver &d, const char *kernel, unsigned gridX, unsigned gridY, unsigned threads, unsigned clusterX,
           unsigned clusterY, A... arguments) {
  void *function;
  d.check(d.call("cuModuleGetFunction", &function, d.module, kernel), kernel);
  Attribute cluster = {4, {}, {clusterX, clusterY, 1}};
  Configuration configuration = {{gridX, gridY, 1}, {threads, 1, 1}, 0, nullptr, &cluster, 1};
  void *pointers[] = {&arguments..., nullptr};
  return d.call("cuLaunchKernelEx", &configuration, function, (void **)pointers, (void **)nullptr);
}

void expectEqual(const char *name, const std::vector<uint32_t> &found, const std::vector<uint32_t> &expected) {
  for (size_t i = 0; i < expected.size(); ++i)
    if (found[i] != expected[i]) {
      ++failures;
      printf("%s %zu: %u, not %u\n", name, i, found[i], expected[i]);
      return;
    }
}

} // namespace

static void testAll(Driver &d) {
  Device out = d.upload(std::vector<uint32_t>(1024));
  auto expect = [&](int result, const char *what, int found) {
    if (result != found) {
      ++failures;
      printf("%s: %d, not %d\n", what, found, result);
    }
  };
  std::vector<uint32_t> places, exchanged, fetched, in(128);
  for (uint32_t y = 0; y < 4; ++y)
    for (uint32_t x = 0; x < 6; ++x)
      for (uint32_t value : {x / 3, y / 2, x % 3, y % 2, 3u, 6u, 2u, y % 2 * 3 + x % 3})
        places.push_back(value);
  expect(0, "places", launch(d, "places", 6, 4, 1, 3, 2, out));
  expectEqual("places", d.download<uint32_t>(out, places.size()), places);
  for (uint32_t block = 0; block < 8; ++block)
    for (uint32_t t = 0; t < 64; ++t)
      exchanged.push_back((block / 4 * 4 + (block + 1) % 4) * 100 + 63 - t);
  expect(0, "exchange", launch(d, "exchange", 8, 1, 64, 4, 1, out));
  expectEqual("exchange", d.download<uint32_t>(out, exchanged.size()), exchanged);
  for (uint32_t i = 0; i < 128; ++i)
    in[i] = i * i;
  for (uint32_t i = 0; i < 128; ++i)
    fetched.push_back(in[8 + i % 64] + i / 64);
  Device data = d.upload(in);
  for (unsigned rank = 1; rank <= 3; ++rank) { // of which all but the first size are 1
    TensorMap map;
    uint64_t sizes[] = {128, 1, 1}, strides[] = {512, 512};
    unsigned box[] = {64, 1, 1}, steps[] = {1, 1, 1};
    d.check(d.call("cuTensorMapEncodeTiled", (void *)&map, 2u, rank, (void *)data, (const uint64_t *)sizes,
                   (const uint64_t *)strides, (const unsigned *)box, (const unsigned *)steps, 0u, 0u, 0u, 0u),
            "cuTensorMapEncodeTiled");
    std::string name = "multicast" + std::to_string(rank);
    expect(0, name.c_str(), launch(d, name.c_str(), 2, 1, 64, 2, 1, out, map));
    expectEqual(name.c_str(), d.download<uint32_t>(out, 128), fetched);
    d.check(d.call("cuMemsetD32_v2", out, 0u, size_t(128)), "cuMemsetD32");
  }
  for (uint32_t i = 0; i < 128; ++i)
    fetched[i] = (i < 64 ? 100 : 0) + i % 64;
  expect(0, "send", launch(d, "send", 2, 1, 64, 2, 1, out));
  expectEqual("send", d.download<uint32_t>(out, 128), fetched);
  expect(912, "a cluster of 12 blocks", launch(d, "places", 12, 1, 1, 12, 1, out));
  expect(1, "a grid that is no multiple of the cluster", launch(d, "places", 9, 1, 1, 2, 1, out));
}

int main(int argc, char **argv) { return runTests(argc, argv, testAll); }
