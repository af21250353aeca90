// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor maps. What the driver's documentation forbids is refused.

#include "../execute/TensorMap.h"
#include "../execute/Environment.h"
#include "State.h"

#include <cstring>

using namespace cuda_emu;

namespace {

/// Of CUtensorMapDataType, the first 13; the packed types that follow are for newer GPUs.
constexpr uint8_t elementBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
constexpr unsigned firstFloat = 6;
constexpr unsigned interleaveNone = 0, swizzle128 = 3;

bool isHopper() { return environmentNumber("CUDA_EMU_SM", 90) >= 90; }

/// What tensor maps of both kinds have in common.
struct Description {
  void *map;
  unsigned type, rank;
  void *address;
  const uint64_t *sizes, *strides;
  const unsigned *steps;
  unsigned interleave, swizzle, promotion, fill;
};

CUresult describe(const Description &from, unsigned fewestDimensions, TensorMap &result) {
  if (!isHopper())
    return CUDA_ERROR_NOT_SUPPORTED;
  if (!from.map || reinterpret_cast<uintptr_t>(from.map) % 64 || from.rank < fewestDimensions || from.rank > 5 ||
      !from.sizes || !from.steps || (from.rank > 1 && !from.strides))
    return CUDA_ERROR_INVALID_VALUE;
  if (from.interleave > 2 || from.swizzle > 6 || from.promotion > 3 || from.fill > 1 || from.type > 15)
    return CUDA_ERROR_INVALID_VALUE;
  // Interleaved layouts, packed types and the newer swizzles.
  if (from.interleave != interleaveNone || from.type >= sizeof elementBytes || from.swizzle > swizzle128)
    return CUDA_ERROR_NOT_SUPPORTED;
  result = {};
  result.magic = TensorMap::magicNumber;
  result.rank = from.rank;
  result.elementBytes = elementBytes[from.type];
  result.swizzle = from.swizzle;
  result.fillBits = from.fill;
  result.address = reinterpret_cast<uint64_t>(from.address);
  if (!from.address || result.address % 16 || (from.fill && from.type < firstFloat))
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned d = 0; d < from.rank; ++d) {
    if (!from.sizes[d] || from.sizes[d] > uint64_t(1) << 32 || !from.steps[d] || from.steps[d] > 8)
      return CUDA_ERROR_INVALID_VALUE;
    if (d && (from.strides[d - 1] % 16 || from.strides[d - 1] >= uint64_t(1) << 40))
      return CUDA_ERROR_INVALID_VALUE;
    result.sizes[d] = from.sizes[d];
    result.steps[d] = d ? from.steps[d] : 1;
    if (d)
      result.strides[d - 1] = from.strides[d - 1];
  }
  return CUDA_SUCCESS;
}

CUresult encode(void *map, const TensorMap &from) {
  if (from.rowBytes() % 16 || (from.swizzle && from.rowBytes() > 16u << from.swizzle))
    return CUDA_ERROR_INVALID_VALUE;
  memset(map, 0, 128);
  memcpy(map, &from, sizeof from);
  return CUDA_SUCCESS;
}

} // namespace

CUDA_EMU_API CUresult cuTensorMapEncodeTiled(void *map, unsigned type, unsigned rank, void *address,
                                             const uint64_t *sizes, const uint64_t *strides, const unsigned *box,
                                             const unsigned *steps, unsigned interleave, unsigned swizzle,
                                             unsigned promotion, unsigned fill) {
  Lock lock(stateMutex());
  TensorMap result;
  Description from = {map, type, rank, address, sizes, strides, steps, interleave, swizzle, promotion, fill};
  if (CUresult problem = describe(from, 1, result); problem != CUDA_SUCCESS)
    return problem;
  for (unsigned d = 0; d < rank; ++d) {
    if (!box || !box[d] || box[d] > 256)
      return CUDA_ERROR_INVALID_VALUE;
    result.box[d] = box[d];
  }
  return encode(map, result);
}

/// Of `pixels` at a time, each of which has so many channels. The box in which they lie is that of the tensor, but for
/// its corners.
CUDA_EMU_API CUresult cuTensorMapEncodeIm2col(void *map, unsigned type, unsigned rank, void *address,
                                              const uint64_t *sizes, const uint64_t *strides, const int *lower,
                                              const int *upper, unsigned channels, unsigned pixels,
                                              const unsigned *steps, unsigned interleave, unsigned swizzle,
                                              unsigned promotion, unsigned fill) {
  Lock lock(stateMutex());
  TensorMap result;
  Description from = {map, type, rank, address, sizes, strides, steps, interleave, swizzle, promotion, fill};
  if (CUresult problem = describe(from, 3, result); problem != CUDA_SUCCESS)
    return problem;
  if (!lower || !upper || !channels || channels > 256 || !pixels || pixels > 1024)
    return CUDA_ERROR_INVALID_VALUE;
  // 16, 8 or 5 bits for each.
  int limit = rank == 3 ? 1 << 15 : rank == 4 ? 1 << 7 : 1 << 4;
  for (unsigned d = 0; d + 2 < rank; ++d) {
    if (lower[d] < -limit || lower[d] >= limit || upper[d] < -limit || upper[d] >= limit ||
        int64_t(sizes[d + 1]) + upper[d] <= lower[d])
      return CUDA_ERROR_INVALID_VALUE;
    result.lower[d] = lower[d];
    result.upper[d] = upper[d];
  }
  result.box[0] = channels;
  result.pixels = pixels;
  return encode(map, result);
}

CUDA_EMU_API CUresult cuTensorMapReplaceAddress(void *map, void *address) {
  Lock lock(stateMutex());
  TensorMap result;
  if (!map || !address || reinterpret_cast<uint64_t>(address) % 16)
    return CUDA_ERROR_INVALID_VALUE;
  memcpy(&result, map, sizeof result);
  if (result.magic != TensorMap::magicNumber)
    return CUDA_ERROR_INVALID_VALUE;
  result.address = reinterpret_cast<uint64_t>(address);
  memcpy(map, &result, sizeof result);
  return CUDA_SUCCESS;
}
