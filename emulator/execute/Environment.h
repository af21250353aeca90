// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables CUDA_EMU_* of the environment. Values that they do not take are errors of whoever reads them: of the
// driver's start, of the load of a module, of a launch.

#ifndef CUDA_EMU_EXECUTE_ENVIRONMENT_H
#define CUDA_EMU_EXECUTE_ENVIRONMENT_H

#include <cstdint>
#include <string>

namespace cuda_emu {

/// The first variable that has a value it does not take, with that value and what it takes; empty if all are right. One
/// that is empty is as one that is not set.
std::string environmentProblem();

/// Those that are 0 or 1.
bool environmentFlag(const char *name, bool otherwise = false);
/// An integer, hexadecimal if it begins with 0x; `otherwise` if there is none, or not one that the variable takes.
uint64_t environmentNumber(const char *name, uint64_t otherwise);
/// One of the variable's words.
bool environmentSays(const char *name, const char *word);

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_ENVIRONMENT_H
