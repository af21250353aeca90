// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What checked mode has looked at, appended to the file that CUDA_EMU_JOURNAL names: a line for each kernel that ran
// to its end, and for whatever makes the context fail. Processes share the file, so tests that start others are in it.
//
//   kernel 1f2e3d4c5b6a7988 k3 shared          of the module whose PTX has that hash; threads wait for each other
//   kernel 1f2e3d4c5b6a7988 k4 alone
//   finding kernel 'k3', PTX line 12, ...

#ifndef CUDA_EMU_DRIVER_JOURNAL_H
#define CUDA_EMU_DRIVER_JOURNAL_H

#include "../execute/Machine.h"

namespace cuda_emu {

void noteKernel(uint64_t module, const Kernel &kernel);
void noteFinding(const std::string &text);

} // namespace cuda_emu

#endif // CUDA_EMU_DRIVER_JOURNAL_H
