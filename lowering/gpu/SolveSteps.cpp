// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cholesky factors and triangular systems on a GPU: two or three steps for each block on the diagonal. The functions
// and their parameters: runtime/cuda/device/Solve.cpp.

#include "mlir_xla/lowering/gpu/LibrarySteps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xla;

/// Constants of runtime/cuda/device/Solve.cpp.
static constexpr int64_t kBlock = 16, kTile = 4;
/// Up to this size a thread does all of a matrix, or of a right-hand side.
static constexpr int64_t kSmall = 32;

static std::string nameOf(StringRef step, rt::LibraryCallOp op) {
  StringRef function = op.getFunction();
  function.consume_front("xla_rt_lapack_");
  return ("xla_rt_gpu_" + step + "_" + function.take_front()).str();
}

/// Parameters: `potrf` in runtime/library/lapack/Triangular.cpp.
std::optional<LibraryFacts> mlir::xla::getFactorSteps(rt::LibraryCallOp op) {
  ArrayRef<int64_t> p = op.getParameters();
  int64_t n = p[0], matrices = p[1], lower = p[2] & 1, zeros = p[4] & 1, info = p[4] >> 1 & 1;
  LibrarySteps steps;
  int64_t failures = steps.allocate(matrices * sizeof(int32_t)), block = n <= kSmall ? n : kBlock;
  for (int64_t first = 0; first < n; first += block) {
    int64_t size = std::min(block, n - first), rest = n - first - size;
    auto add = [&](StringRef step, int64_t work) {
      steps.add(nameOf(step, op), {n, lower, first, size, failures, zeros, info}, work);
    };
    add("factor_diagonal", matrices);
    if (rest > 0) {
      int64_t tiles = llvm::divideCeil(rest, kTile);
      add("factor_panel", matrices * rest);
      add("factor_update", matrices * tiles * tiles);
    }
  }
  steps.add(nameOf("factor_finish", op), {n, lower, 0, 0, failures, zeros, info}, matrices * n * n);
  return steps.take();
}

/// Parameters: `solve` in runtime/library/lapack/Triangular.cpp.
std::optional<LibraryFacts> mlir::xla::getSolveSteps(rt::LibraryCallOp op) {
  ArrayRef<int64_t> p = op.getParameters();
  int64_t n = p[0], count = p[1], parts = p[6], systems = op.getWork() / parts;
  bool left = p[2], unit = p[5], swap = (p[4] == 'N') != left;
  // x op(a) = b is op(a)^T x^T = b^T.
  int64_t row = swap ? 1 : n, column = swap ? n : 1, bRow = left ? count : 1, bColumn = left ? 1 : n;
  bool lower = (p[3] != 0) != swap;
  int64_t block = n <= kSmall ? n : kBlock;
  LibrarySteps steps;
  for (int64_t done = 0; done < n; done += block) {
    int64_t size = std::min(block, n - done), rest = n - done - size, first = lower ? done : rest;
    auto add = [&](StringRef step, int64_t work) {
      steps.add(nameOf(step, op), {n, count, row, column, bRow, bColumn, lower, unit, p[4] == 'C', first, size}, work);
    };
    add("solve_diagonal", systems * count);
    if (rest > 0)
      add("solve_update", systems * count * llvm::divideCeil(rest, kTile));
  }
  return steps.take();
}
