// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the driver puts into the 128 bytes of a tensor map, and which bytes of memory a copy of a box, or of pixels under
// a window (im2col), concerns.

#ifndef CUDA_EMU_EXECUTE_TENSORMAP_H
#define CUDA_EMU_EXECUTE_TENSORMAP_H

#include <algorithm>
#include <cstdint>

namespace cuda_emu {

struct TensorMap {
  static constexpr uint32_t magicNumber = 0x50414d54;
  uint32_t magic;
  uint8_t rank, elementBytes;
  uint8_t swizzle;  // 16 << swizzle bytes; 0: none
  uint8_t fillBits; // what is outside is NaN: of this type, see Bulk.cpp; 0: zero
  uint64_t address;
  uint64_t sizes[5];
  uint64_t strides[4]; // in bytes, of dimension 1 and those that follow
  uint16_t box[5];
  uint8_t steps[5];
  // Of pixels: how many a copy has, whose channels are the box's first dimension, and the corners of the box in which
  // they lie, in the dimensions between the first and the last. 0 pixels: a map of tiles.
  uint16_t pixels;
  int16_t lower[3], upper[3];

  unsigned rowBytes() const { return box[0] * elementBytes; }
  /// How many positions of a dimension are copied.
  unsigned count(unsigned d) const { return d ? (box[d] + steps[d] - 1) / steps[d] : box[0]; }
  unsigned boxBytes() const {
    unsigned bytes = rowBytes();
    if (pixels)
      return pixels * bytes;
    for (unsigned d = 1; d < rank; ++d)
      bytes *= count(d);
    return bytes;
  }
};
static_assert(sizeof(TensorMap) <= 128, "a tensor map has 128 bytes");

/// Chunks of 16 bytes change places within 32, 64 or 128 bytes, by the place of these within 256, 512 or 1024.
inline uint32_t swizzled(uint32_t address, unsigned swizzle) {
  return address ^ (address >> 3 & ((16u << swizzle) - 16));
}

/// Where a copy begins; of pixels, also how far its window is from there in the dimensions between.
struct TensorPlace {
  int32_t at[5];
  uint16_t offsets[3];
};

/// A row of a box: `bytes` in shared memory at `shared`, not swizzled; of these [begin, end) are those at `global`, the
/// rest is outside of the tensor.
struct BoxRow {
  uint32_t shared, bytes, begin, end;
  uint64_t global;
};

/// Sets what of the row that begins at `place` is inside.
inline void placeRow(const TensorMap &map, const int64_t place[5], BoxRow &row) {
  int64_t size = map.sizes[0], first = std::clamp<int64_t>(-place[0], 0, map.box[0]);
  int64_t last = std::clamp<int64_t>(size - place[0], first, map.box[0]);
  bool isInside = true;
  row.global = map.address + uint64_t(place[0] + first) * map.elementBytes;
  for (unsigned d = 1; d < map.rank; ++d) {
    isInside &= place[d] >= 0 && place[d] < int64_t(map.sizes[d]);
    row.global += uint64_t(place[d]) * map.strides[d - 1];
  }
  row.begin = isInside ? first * map.elementBytes : 0;
  row.end = isInside ? last * map.elementBytes : 0;
}

/// Pixels follow each other within the box, in steps; the offsets of the window come on top.
template <typename Body>
void forEachPixel(const TensorMap &map, const TensorPlace &from, uint32_t shared, Body body) {
  int64_t base[5] = {from.at[0], from.at[1], from.at[2], from.at[3], from.at[4]};
  BoxRow row = {shared, map.rowBytes(), 0, 0, 0};
  unsigned last = map.rank - 1;
  for (unsigned pixel = 0; pixel < map.pixels; ++pixel, row.shared += row.bytes) {
    int64_t place[5] = {base[0], base[1], base[2], base[3], base[4]};
    for (unsigned d = 1; d < last; ++d)
      place[d] += from.offsets[d - 1];
    placeRow(map, place, row);
    body(row);
    unsigned d = 1;
    for (; d < last; ++d) {
      base[d] += map.steps[d];
      if (base[d] < int64_t(map.sizes[d]) + map.upper[d - 1])
        break;
      base[d] = map.lower[d - 1];
    }
    if (d == last)
      ++base[last];
  }
}

template <typename Body> void forEachRow(const TensorMap &map, const TensorPlace &from, uint32_t shared, Body body) {
  if (map.pixels)
    return forEachPixel(map, from, shared, body);
  unsigned position[5] = {};
  BoxRow row = {shared, map.rowBytes(), 0, 0, 0};
  while (true) {
    int64_t place[5] = {from.at[0]};
    for (unsigned d = 1; d < map.rank; ++d)
      place[d] = int64_t(from.at[d]) + int64_t(position[d]) * map.steps[d];
    placeRow(map, place, row);
    body(row);
    row.shared += row.bytes;
    unsigned d = 1;
    while (d < map.rank && ++position[d] == map.count(d))
      position[d++] = 0;
    if (d >= map.rank)
      return;
  }
}

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_TENSORMAP_H
