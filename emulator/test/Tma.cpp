// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda-emu-tma <library> <tma.ptx>: bulk copies, and what the driver says of tensor maps.

#include "Test.h"

#include <array>

namespace {

struct alignas(64) TensorMap {
  uint64_t opaque[16];
};

enum Type { U8 = 0, U16 = 1, U32 = 2, F16 = 6, F32 = 7, BF16 = 9 };

struct Tiling {
  unsigned type, elementBytes;
  std::vector<uint64_t> sizes;
  std::vector<uint64_t> strides; // bytes, of dimensions 1, 2, ...
  std::vector<unsigned> box, steps;
  unsigned swizzle = 0, fill = 0;

  int encode(Driver &d, TensorMap &map, Device memory) const {
    return d.call("cuTensorMapEncodeTiled", (void *)&map, type, unsigned(sizes.size()), (void *)memory, sizes.data(),
                  strides.data(), box.data(), steps.data(), 0u, swizzle, 0u, fill);
  }
};

/// The box as the reference would have it: dimension 0 is the fastest.
std::vector<uint8_t> reference(const Tiling &tiling, const std::vector<uint8_t> &memory, const int *at) {
  std::vector<uint8_t> result;
  size_t rank = tiling.sizes.size();
  std::vector<unsigned> place(rank);
  while (true) {
    bool isInside = true;
    uint64_t offset = 0;
    for (size_t d = 0; d < rank; ++d) {
      int64_t index = int64_t(at[d]) + place[d];
      isInside &= index >= 0 && index < int64_t(tiling.sizes[d]);
      offset += index * (d ? tiling.strides[d - 1] : tiling.elementBytes);
    }
    for (unsigned byte = 0; byte < tiling.elementBytes; ++byte)
      result.push_back(isInside                          ? memory[offset + byte]
                       : !tiling.fill                    ? 0
                       : byte + 1 == tiling.elementBytes ? 0x7f
                                                         : 0xff);
    size_t d = 0;
    while (d < rank && (place[d] += d ? tiling.steps[d] : 1) >= tiling.box[d])
      place[d++] = 0;
    if (d == rank)
      return result;
  }
}

void testFetch(Driver &d, const Tiling &tiling, std::initializer_list<std::array<int, 5>> places) {
  size_t rank = tiling.sizes.size();
  if (!isWanted(("fetch" + std::to_string(rank)).c_str()))
    return;
  size_t bytes = rank == 1 ? tiling.sizes[0] * tiling.elementBytes : tiling.strides.back() * tiling.sizes.back();
  std::vector<uint8_t> memory(bytes);
  for (size_t i = 0; i < bytes; ++i)
    memory[i] = i * 37 % 251;
  Device data = d.upload(memory), out = d.upload(std::vector<uint32_t>(2048));
  TensorMap map;
  d.check(tiling.encode(d, map, data), "cuTensorMapEncodeTiled");
  for (const auto &at : places) {
    std::vector<uint8_t> expected = reference(tiling, memory, at.data());
    std::string kernel = "fetch" + std::to_string(rank);
    d.launch(kernel.c_str(), {1, 1, 64, 1, 0}, out, map, at[0], at[1], at[2], at[3], at[4], int(expected.size()),
             int(tiling.swizzle));
    if (d.download<uint8_t>(out, expected.size()) != expected) {
      ++failures;
      printf("%s of elements of %u bytes, swizzle %u, at %d %d\n", kernel.c_str(), tiling.elementBytes, tiling.swizzle,
             at[0], at[1]);
    }
  }
}

struct Pixels {
  std::vector<uint64_t> sizes; // channels, width, [height,] images, of elements of 2 bytes without gaps
  std::vector<int> lower, upper;
  unsigned channels, count;
  std::vector<unsigned> steps;

  int encode(Driver &d, TensorMap &map, Device memory) const {
    std::vector<uint64_t> strides = {sizes[0] * 2};
    for (size_t i = 1; i + 1 < sizes.size(); ++i)
      strides.push_back(strides.back() * sizes[i]);
    return d.call("cuTensorMapEncodeIm2col", (void *)&map, unsigned(BF16), unsigned(sizes.size()), (void *)memory,
                  sizes.data(), strides.data(), lower.data(), upper.data(), channels, count, steps.data(), 0u, 3u, 0u,
                  0u);
  }
};

/// Output pixels in the order of a convolution, each as the loops of one would number them.
std::vector<uint16_t> reference(const Pixels &pixels, const std::vector<uint16_t> &memory, const std::array<int, 6> &at) {
  size_t rank = pixels.sizes.size(), spatial = rank - 2;
  std::vector<int64_t> results(spatial);
  int64_t perImage = 1, first = 0;
  for (size_t d = 0; d < spatial; ++d)
    results[d] = (int64_t(pixels.sizes[d + 1]) + pixels.upper[d] - pixels.lower[d] - 1) / pixels.steps[d + 1] + 1;
  for (size_t d = spatial; d-- > 0;)
    first = first * results[d] + (at[d + 1] - pixels.lower[d]) / int(pixels.steps[d + 1]);
  for (int64_t each : results)
    perImage *= each;
  first += at[rank - 1] * perImage;
  std::vector<uint16_t> found;
  for (unsigned n = 0; n < pixels.count; ++n) {
    int64_t rest = first + n, stride = pixels.sizes[0], offset = 0;
    bool isInside = true;
    for (size_t d = 0; d < spatial; ++d) {
      int64_t place = rest % results[d] * pixels.steps[d + 1] + pixels.lower[d] + at[rank + d];
      rest /= results[d];
      isInside &= place >= 0 && place < int64_t(pixels.sizes[d + 1]);
      offset += place * stride;
      stride *= pixels.sizes[d + 1];
    }
    isInside &= rest < int64_t(pixels.sizes[rank - 1]);
    offset += rest * stride;
    for (unsigned c = 0; c < pixels.channels; ++c)
      found.push_back(isInside && at[0] + c < pixels.sizes[0] ? memory[offset + at[0] + c] : 0);
  }
  return found;
}

void testPixels(Driver &d, const Pixels &pixels, std::initializer_list<std::array<int, 6>> places) {
  const char *kernel = pixels.sizes.size() == 4 ? "pixels" : "pixelsOfRows";
  if (!isWanted(kernel))
    return;
  size_t count = 1;
  for (uint64_t size : pixels.sizes)
    count *= size;
  std::vector<uint16_t> memory(count);
  for (size_t i = 0; i < count; ++i)
    memory[i] = i * 37 % 65521 + 1;
  Device data = d.upload(memory), out = d.upload(std::vector<uint32_t>(2048));
  TensorMap map;
  d.check(pixels.encode(d, map, data), "cuTensorMapEncodeIm2col");
  for (const auto &at : places) {
    std::vector<uint16_t> expected = reference(pixels, memory, at);
    d.launch(kernel, {1, 1, 64, 1, 0}, out, map, at[0], at[1], at[2], at[3], at[4], at[5], int(expected.size() * 2), 3);
    if (d.download<uint16_t>(out, expected.size()) != expected) {
      ++failures;
      printf("%s of %u channels at %d %d %d %d, offsets %d %d\n", kernel, pixels.channels, at[0], at[1], at[2], at[3],
             at[4], at[5]);
    }
  }
}

void testRefusedPixels(Driver &d) {
  Device memory = d.upload(std::vector<uint32_t>(4096));
  TensorMap map;
  Pixels good = {{64, 5, 4, 2}, {0, 0}, {-2, -2}, 64, 32, {1, 1, 1, 1}};
  auto expect = [&](int result, const char *what, auto change) {
    Pixels pixels = good;
    change(pixels);
    int found = pixels.encode(d, map, memory);
    if (found != result) {
      ++failures;
      printf("pixels, %s: %d, not %d\n", what, found, result);
    }
  };
  expect(0, "a good map", [](Pixels &) {});
  expect(1, "two dimensions", [](Pixels &p) { p.sizes.resize(2); });
  expect(1, "an empty box", [](Pixels &p) { p.upper[0] = -5; });
  expect(1, "a corner that is too far away", [](Pixels &p) { p.lower[1] = -129; });
  expect(1, "no pixels", [](Pixels &p) { p.count = 0; });
  expect(1, "too many pixels", [](Pixels &p) { p.count = 1025; });
  expect(1, "too many channels", [](Pixels &p) { p.channels = 257; });
  expect(1, "rows larger than the swizzle", [](Pixels &p) { p.channels = 128; });
  expect(1, "a step that is too large", [](Pixels &p) { p.steps[1] = 9; });
}

void testTriple(Driver &d) {
  const int rows = 37, columns = 150, pitch = 160, count = 5; // neither is a multiple of the box
  std::vector<uint16_t> in(rows * pitch), out(rows * pitch, 7);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = i * 31;
  Device source = d.upload(in), target = d.upload(out);
  Tiling tiling = {U16, 2, {columns, rows}, {pitch * 2}, {64, 8}, {1, 1}, 3};
  TensorMap from, to;
  d.check(tiling.encode(d, from, source), "cuTensorMapEncodeTiled");
  d.check(tiling.encode(d, to, target), "cuTensorMapEncodeTiled");
  d.launch("triple", {3, 1, 64, 1, 0}, from, to, count);
  auto result = d.download<uint16_t>(target, out.size());
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < pitch; ++j) {
      uint16_t expected = j < columns ? in[i * pitch + j] * 3 : 7;
      if (result[i * pitch + j] != expected) {
        ++failures;
        printf("triple %d %d: %u, not %u\n", i, j, result[i * pitch + j], expected);
        return;
      }
    }
}

void testBytes(Driver &d) {
  std::vector<uint32_t> in(128), sums(128), reversed(128);
  for (uint32_t i = 0; i < 128; ++i)
    sums[i] = (in[i] = i * i) + i;
  for (uint32_t i = 0; i < 128; ++i)
    reversed[i] = sums[127 - i];
  Device source = d.upload(in), out = d.upload(in), again = d.upload(in);
  d.launch("bytes", {1, 1, 128, 1, 0}, out, source, again);
  if (d.download<uint32_t>(out, 128) != sums || d.download<uint32_t>(again, 128) != reversed) {
    ++failures;
    printf("bytes\n");
  }
}

/// What the driver's documentation forbids, one thing at a time.
void testRefusals(Driver &d) {
  Device memory = d.upload(std::vector<uint32_t>(1024));
  Tiling good = {F16, 2, {64, 8}, {128}, {64, 8}, {1, 1}, 3};
  TensorMap map;
  auto expect = [&](int result, const char *what, Tiling tiling, Device at, TensorMap *to) {
    int found = tiling.encode(d, *to, at);
    if (found != result) {
      ++failures;
      printf("%s: %d, not %d\n", what, found, result);
    }
  };
  auto with = [&](auto change) {
    Tiling tiling = good;
    change(tiling);
    return tiling;
  };
  expect(0, "a good map", good, memory, &map);
  expect(1, "a misaligned address", good, memory + 8, &map);
  expect(1, "a misaligned map", good, memory, reinterpret_cast<TensorMap *>(reinterpret_cast<char *>(&map) + 8));
  expect(1, "no dimensions", with([](Tiling &t) { t.sizes.clear(); }), memory, &map);
  expect(1, "six dimensions", with([](Tiling &t) { t.sizes.resize(6, 1); }), memory, &map);
  expect(1, "an empty dimension", with([](Tiling &t) { t.sizes[1] = 0; }), memory, &map);
  expect(1, "a stride that is no multiple of 16", with([](Tiling &t) { t.strides[0] = 136; }), memory, &map);
  expect(1, "a stride that is too large", with([](Tiling &t) { t.strides[0] = uint64_t(1) << 40; }), memory, &map);
  expect(1, "a box that is too large", with([](Tiling &t) { t.box[1] = 257; }), memory, &map);
  expect(1, "an empty box", with([](Tiling &t) { t.box[1] = 0; }), memory, &map);
  expect(1, "rows of no multiple of 16 bytes", with([](Tiling &t) { t.box[0] = 12; }), memory, &map);
  expect(1, "rows larger than the swizzle", with([](Tiling &t) { t.box[0] = 128; }), memory, &map);
  expect(1, "rows larger than the small swizzle", with([](Tiling &t) { t.swizzle = 1; }), memory, &map);
  expect(1, "a step that is too large", with([](Tiling &t) { t.steps[1] = 9; }), memory, &map);
  expect(1, "NaN in integers", with([](Tiling &t) { t.type = U16, t.fill = 1; }), memory, &map);
  expect(1, "an unknown swizzle", with([](Tiling &t) { t.swizzle = 7; }), memory, &map);
  expect(801, "a swizzle of newer GPUs", with([](Tiling &t) { t.swizzle = 4; }), memory, &map);
}

} // namespace

static void testAll(Driver &d) {
  testFetch(d, {F32, 4, {100}, {}, {64}, {1}}, {{0}, {60}, {-8}, {200}});
  for (unsigned swizzle = 0; swizzle < 4; ++swizzle) {
    unsigned inner = swizzle ? 8u << swizzle : 64;
    testFetch(d, {BF16, 2, {75, 20}, {160}, {inner, 16}, {1, 1}, swizzle},
              {{0, 0}, {16, 8}, {-3, -5}, {70, 15}, {75, 0}});
  }
  testFetch(d, {F16, 2, {75, 20}, {160}, {64, 16}, {1, 1}, 3, 1}, {{16, 8}, {-3, -5}});
  testFetch(d, {U8, 1, {40, 9, 5}, {48, 480}, {32, 3, 4}, {1, 1, 1}, 1}, {{0, 0, 0}, {10, 7, 2}, {-1, -1, -1}});
  testFetch(d, {F32, 4, {8, 5, 4, 3}, {32, 160, 640}, {8, 5, 3, 2}, {1, 2, 1, 1}}, {{0, 0, 0, 0}, {4, 1, 2, 2}});
  testFetch(d, {F32, 4, {8, 5, 4, 3, 2}, {32, 160, 640, 1920}, {4, 2, 4, 2, 2}, {1, 1, 3, 1, 1}},
            {{0, 0, 0, 0, 0}, {4, 4, 1, 2, 1}});
  if (isWanted("triple"))
    testTriple(d);
  if (isWanted("bytes"))
    testBytes(d);
  testRefusals(d);
  // As a convolution reads them: without and with padding, in steps, over the end of rows, images and channels.
  testPixels(d, {{64, 7, 6, 3}, {0, 0}, {-2, -2}, 64, 30, {1, 1, 1, 1}},
             {{0, 0, 0, 0, 0, 0}, {0, 3, 2, 1, 2, 1}, {0, 4, 3, 2, 0, 2}});
  testPixels(d, {{72, 7, 6, 3}, {-1, -1}, {-1, -1}, 32, 24, {1, 1, 1, 1}},
             {{0, -1, -1, 0, 0, 0}, {64, 5, 0, 1, 2, 2}, {32, 0, 4, 2, 1, 1}});
  testPixels(d, {{64, 9, 8, 2}, {0, 0}, {-2, -1}, 64, 16, {1, 2, 3, 1}}, {{0, 0, 0, 0, 0, 0}, {0, 4, 3, 1, 2, 1}});
  testPixels(d, {{64, 20, 4}, {0}, {-4}, 64, 40, {1, 1, 1}}, {{0, 0, 0, 0, 0, 0}, {0, 13, 2, 4, 0, 0}});
  testRefusedPixels(d);
}

int main(int argc, char **argv) { return runTests(argc, argv, testAll); }
