// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program on a device, and one execution of it.

#ifndef MLIR_XLA_RUNTIME_CUDA_PROGRAM_H
#define MLIR_XLA_RUNTIME_CUDA_PROGRAM_H

#include "mlir_xla/runtime/cuda/Decisions.h"
#include "mlir_xla/runtime/cuda/Device.h"
#include "mlir_xla/runtime/cuda/Graphs.h"

#include <deque>

struct xla_rt_cuda_program {
  xla_rt_cuda_program(xla_rt_cuda_device &device, const xla_rt_cuda_code &code);
  bool load(const xla_rt_cuda_code &code); // in the device's context
  void unload();

  xla_rt_cuda_device &device;
  const xla_rt_program entry;
  const int64_t arenaBytes;
  std::deque<xla_rt::cuda::Kernel> kernels; // which do not move
  std::vector<char *> constants;
  char *constantMemory = nullptr;
  xla_rt::cuda::CUmodule module = nullptr;
  xla_rt::cuda::Graphs graphs;
};

namespace xla_rt::cuda {

using Program = xla_rt_cuda_program;

/// One execution, on the thread that runs it. What its host code takes belongs to the execution, because that code may
/// be left by a jump; functions that compiled code calls hold nothing themselves when they poll or fail.
class Run {
public:
  Run(Program &program, InContext &context, CUstream stream, Graph *capture = nullptr);
  ~Run();
  Run(const Run &) = delete;

  /// Calls the host code. Returns 1 if it was stopped; `isFinished` tells whether it came to its end.
  int call(const Buffers &buffers, xla_rt_interrupt_fn isInterrupted, void *userData);
  /// That of the calling thread; null outside of executions.
  static Run *current();

  CUevent takenEvent();
  Staging::Slot *takenSlot();
  /// Memory of the host for the rest of the execution; null with an error.
  void *takenMemory(int64_t bytes);
  void giveMemory(); // all of it
  /// A number on the device that is zero, and belongs to what is captured; null with an error.
  void *takenCounter();
  /// Waits for a value of at most 16 bytes of the device. False with an error.
  bool read(void *to, const void *from, int64_t bytes);

  Program &program;
  Device &device;
  InContext &context;
  CUstream stream;      // the device's, or one that is captured
  Graph *const capture; // what is captured
  int64_t numEnqueued = 0;
  bool hasWaited = false; // the host did something between what it enqueued
  bool isFinished = false;
  Decisions decisions{*this};

private:
  Run *const outer;
  CUevent event = nullptr;
  Staging::Slot *slot = nullptr;
  std::vector<void *> memory;
};

} // namespace xla_rt::cuda

#endif // MLIR_XLA_RUNTIME_CUDA_PROGRAM_H
