// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory of the blocks that run together. Each block has 4 GiB of addresses for it, so that no offset of 32 bits
// reaches anything else; what is not there faults.

#ifndef CUDA_EMU_EXECUTE_SHAREDMEMORY_H
#define CUDA_EMU_EXECUTE_SHAREDMEMORY_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cuda_emu {

class SharedMemory {
public:
  SharedMemory() = default;
  SharedMemory(const SharedMemory &) = delete;
  ~SharedMemory();
  /// `bytes` for each of `blocks`; those of a cluster see each other's. False if the host has no memory for it.
  bool prepare(unsigned blocks, size_t bytes);
  /// Where offset 0 of a block is.
  char *window(unsigned rank) const { return windows[rank].begin; }
  /// The offset of an address of the host in the window of a block, or false.
  bool find(uint64_t address, uint64_t &offset) const;

private:
  struct Window {
    char *begin = nullptr;
    int file = -1;      // of a block in a cluster
    size_t mapped = 0;  // bytes, at offset 0
    size_t aliases = 0; // blocks whose memory is mapped behind
    size_t aliasBytes = 0;
  };
  std::vector<Window> windows;
};

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_SHAREDMEMORY_H
