// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts to compile in, and what is kept in a context for the next compilation.

#ifndef MLIR_XLA_COMPILER_CONTEXTS_H
#define MLIR_XLA_COMPILER_CONTEXTS_H

#include "mlir_xla/compiler/Backend.h"

#include "mlir/IR/DialectInterface.h"

namespace mlir::xla {

/// The pass managers of one context, built when first used. Their pattern sets are expensive to build, so they live as
/// long as the context, in an interface of its dialect.
class StagePasses : public DialectInterface::Base<StagePasses> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StagePasses)
  explicit StagePasses(Dialect *dialect) : Base(dialect) {}

  static StagePasses &of(MLIRContext *context);

  /// The passes that lead to `stage`, verified one by one if `verifyEach`.
  PassManager &get(const Stage &stage, const LoweringOptions &options, bool verifyEach);

private:
  /// Of all backends: stages that they share have the same passes.
  struct Manager {
    decltype(Stage::addPasses) addPasses;
    LoweringOptions options;
    bool verifyEach;
    std::unique_ptr<PassManager> manager;
  };
  std::vector<Manager> managers;
};

/// Lends a context to one compilation.
class ContextLease {
public:
  ContextLease();
  ContextLease(const ContextLease &) = delete;
  ~ContextLease();
  MLIRContext *context();
  /// Counts bytes of a module that is read into the context: what a context makes unique, it never frees, so it is
  /// given up after some.
  void addBytes(size_t bytes);

private:
  struct Pool;
  struct Kept;
  std::unique_ptr<Kept> kept;
};

} // namespace mlir::xla

#endif // MLIR_XLA_COMPILER_CONTEXTS_H
