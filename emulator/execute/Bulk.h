// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between global and shared memory that a thread starts and the asynchronous proxy makes.

#ifndef CUDA_EMU_EXECUTE_BULK_H
#define CUDA_EMU_EXECUTE_BULK_H

#include "TensorMap.h"

#include <vector>

namespace cuda_emu {

/// In compiled code; the number of dimensions stands above.
enum BulkFlags : unsigned {
  BulkLoad = 1,
  BulkTensor = 2,
  BulkMulticast = 4,
  BulkFromShared = 8,
  BulkPixels = 16,
  BulkRankShift = 8
};

struct BulkCopy {
  bool isLoad = false, isTensor = false, isFromShared = false, isRead = false, isWaited = false;
  unsigned thread = 0; // who started it
  unsigned line = 0;
  unsigned rank = 0;   // the block whose shared memory it is
  uint32_t shared = 0; // offset there
  uint64_t global = 0; // of the host, if the source is shared memory
  uint32_t bytes = 0;
  TensorMap map;
  TensorPlace place = {};
  uint64_t barrier = 0;                 // of a load
  uint32_t readTime = 0, writeTime = 0; // of a store: of the agents in whose names it is made
  std::vector<char> data;               // of a store that has read
};

/// Stores that a thread has started, in order.
struct BulkStores {
  std::vector<BulkCopy> copies;
  std::vector<size_t> groups; // where each ends
  unsigned reader = 0, writer = 0;
};

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_BULK_H
