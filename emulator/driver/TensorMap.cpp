// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor maps. What the driver's documentation forbids is refused.

#include "../execute/TensorMap.h"
#include "State.h"

#include <cstring>

using namespace cuda_emu;

namespace {

/// Of CUtensorMapDataType, the first 13; the packed types that follow are for newer GPUs.
constexpr uint8_t elementBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
constexpr unsigned firstFloat = 6;
constexpr unsigned interleaveNone = 0, swizzle128 = 3;

bool isHopper() {
  const char *text = getenv("CUDA_EMU_SM");
  return !text || atoi(text) >= 90;
}

} // namespace

CUDA_EMU_API CUresult cuTensorMapEncodeTiled(void *map, unsigned type, unsigned rank, void *address,
                                             const uint64_t *sizes, const uint64_t *strides, const unsigned *box,
                                             const unsigned *steps, unsigned interleave, unsigned swizzle,
                                             unsigned promotion, unsigned fill) {
  Lock lock(stateMutex());
  if (!isHopper())
    return CUDA_ERROR_NOT_SUPPORTED;
  if (!map || reinterpret_cast<uintptr_t>(map) % 64 || !rank || rank > 5 || !sizes || !box || !steps ||
      (rank > 1 && !strides))
    return CUDA_ERROR_INVALID_VALUE;
  if (interleave > 2 || swizzle > 6 || promotion > 3 || fill > 1 || type > 15)
    return CUDA_ERROR_INVALID_VALUE;
  // Interleaved layouts, packed types and the newer swizzles.
  if (interleave != interleaveNone || type >= sizeof elementBytes || swizzle > swizzle128)
    return CUDA_ERROR_NOT_SUPPORTED;
  TensorMap result = {};
  result.magic = TensorMap::magicNumber;
  result.rank = rank;
  result.elementBytes = elementBytes[type];
  result.swizzle = swizzle;
  result.fillBits = fill;
  result.address = reinterpret_cast<uint64_t>(address);
  if (!address || result.address % 16 || (fill && type < firstFloat))
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned d = 0; d < rank; ++d) {
    if (!sizes[d] || sizes[d] > uint64_t(1) << 32 || !box[d] || box[d] > 256 || !steps[d] || steps[d] > 8)
      return CUDA_ERROR_INVALID_VALUE;
    if (d && (strides[d - 1] % 16 || strides[d - 1] >= uint64_t(1) << 40))
      return CUDA_ERROR_INVALID_VALUE;
    result.sizes[d] = sizes[d];
    result.box[d] = box[d];
    result.steps[d] = d ? steps[d] : 1;
    if (d)
      result.strides[d - 1] = strides[d - 1];
  }
  if (result.rowBytes() % 16 || (swizzle && result.rowBytes() > 16u << swizzle))
    return CUDA_ERROR_INVALID_VALUE;
  memset(map, 0, 128);
  memcpy(map, &result, sizeof result);
  return CUDA_SUCCESS;
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
