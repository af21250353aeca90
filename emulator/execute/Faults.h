// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that the host's memory protection catches while a kernel runs become errors of the launch.

#ifndef CUDA_EMU_EXECUTE_FAULTS_H
#define CUDA_EMU_EXECUTE_FAULTS_H

#include "Worker.h"

#include <csignal>

namespace cuda_emu {

/// The calling thread runs blocks of `worker` while it lives. Faults elsewhere go to whoever handled them before.
class CatchFaults {
public:
  explicit CatchFaults(Worker &worker);
  CatchFaults(const CatchFaults &) = delete;
  ~CatchFaults();

private:
  stack_t before = {};
};

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_FAULTS_H
