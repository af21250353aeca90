// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Profile mode: how well the lanes of a warp share an access to memory. What a GPU does in one request is the n-th
// execution of an instruction by the lanes of a warp since the block last met at a barrier.

#ifndef CUDA_EMU_EXECUTE_PROFILE_H
#define CUDA_EMU_EXECUTE_PROFILE_H

#include "Checker.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace cuda_emu {

class Profiler {
public:
  explicit Profiler(const Kernel &kernel) : kernel(kernel) {}
  void note(const Thread &thread, const Access &access);
  /// All that was noted: at barriers that the whole block waits for, and at its end.
  void count();

private:
  struct Request {
    bool isShared = false, isWrite = false;
    unsigned bytes = 0;
    /// By thread: they do not come in order, and a GPU takes the lanes of a warp in parts.
    std::vector<std::pair<unsigned, uint64_t>> lanes;
  };
  const Kernel &kernel;
  /// How often a thread has executed a line since then.
  std::unordered_map<uint64_t, uint32_t> counts;
  /// By warp, line, execution.
  std::map<std::pair<uint64_t, uint32_t>, Request> requests;
};

/// All that was measured since the process began, a line for each instruction:
///   transpose, PTX line 12 (a.mlir:3:4): shared read, 8 requests, 8 wavefronts, 8 at least
/// A wavefront is a pass through the 32 banks of shared memory, a sector 32 bytes of global memory.
std::string profileText();

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_PROFILE_H
