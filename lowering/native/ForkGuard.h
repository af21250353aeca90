// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a fork of the process does to the compiler.

#ifndef MLIR_XLA_LOWERING_NATIVE_FORKGUARD_H
#define MLIR_XLA_LOWERING_NATIVE_FORKGUARD_H

namespace mlir::xla {

/// Put one on the stack where locks of the compiler or of the linker may be held. If a process is forked meanwhile,
/// they stay locked in the child, where nobody is left to open them.
class ForkGuard {
public:
  ForkGuard();
  ForkGuard(const ForkGuard &) = delete;
  ~ForkGuard();

  /// True in a process that was forked while another thread was guarded: it must not compile or link.
  static bool hasLostLocks();
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NATIVE_FORKGUARD_H
