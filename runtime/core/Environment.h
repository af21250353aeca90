// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that the environment gives.

#ifndef MLIR_XLA_RUNTIME_CORE_ENVIRONMENT_H
#define MLIR_XLA_RUNTIME_CORE_ENVIRONMENT_H

#include <cstddef>
#include <cstdint>

namespace xla_rt {

enum class Setting { None, Given, Wrong };

/// What the variable says: an integer in [least, most], hexadecimal if it begins with 0x. None if it is not set, or
/// empty. If it is anything else, `message` says so.
Setting readEnvironment(const char *name, uint64_t least, uint64_t most, uint64_t &value, char *message, size_t room);

} // namespace xla_rt

#endif // MLIR_XLA_RUNTIME_CORE_ENVIRONMENT_H
