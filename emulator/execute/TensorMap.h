// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the driver puts into the 128 bytes of a tensor map, and which bytes of memory a copy of a box concerns.

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

  unsigned rowBytes() const { return box[0] * elementBytes; }
  /// How many positions of a dimension are copied.
  unsigned count(unsigned d) const { return d ? (box[d] + steps[d] - 1) / steps[d] : box[0]; }
  unsigned boxBytes() const {
    unsigned bytes = rowBytes();
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

/// A row of a box: `bytes` in shared memory at `shared`, not swizzled; of these [begin, end) are those at `global`, the
/// rest is outside of the tensor.
struct BoxRow {
  uint32_t shared, bytes, begin, end;
  uint64_t global;
};

template <typename Body> void forEachRow(const TensorMap &map, const int32_t at[5], uint32_t shared, Body body) {
  unsigned position[5] = {};
  BoxRow row = {shared, map.rowBytes(), 0, 0, 0};
  while (true) {
    int64_t size = map.sizes[0], first = std::clamp<int64_t>(-int64_t(at[0]), 0, map.box[0]);
    int64_t last = std::clamp<int64_t>(size - at[0], first, map.box[0]);
    bool isInside = true;
    uint64_t address = map.address;
    for (unsigned d = 1; d < map.rank; ++d) {
      int64_t place = int64_t(at[d]) + int64_t(position[d]) * map.steps[d];
      isInside &= place >= 0 && place < int64_t(map.sizes[d]);
      address += uint64_t(place) * map.strides[d - 1];
    }
    row.begin = isInside ? first * map.elementBytes : 0;
    row.end = isInside ? last * map.elementBytes : 0;
    row.global = address + uint64_t(at[0] + first) * map.elementBytes;
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
