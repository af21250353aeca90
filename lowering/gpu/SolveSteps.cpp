// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cholesky factors and triangular systems on a GPU: a step for each tile on the diagonal; and LU factors of one tile.
// The functions and their parameters: runtime/cuda/device/Factor.cpp, Solve.cpp and Lu.cpp.

#include "mlir_xla/lowering/gpu/LibrarySteps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xla;

/// Constants of runtime/cuda/device/Tiles.h.
static constexpr int64_t kTile = 32, kTileTeam = 256, kSmallTeam = 64;
/// Up to this size a matrix, or a right-hand side, is one thread's if there are so many that blocks for all of them,
/// which would be idle for the most part, had to come one after the other. Of fewer, each is a block's: that takes a
/// few barriers, where a thread takes n^2 steps, or n^3 / 6 for a factor, that wait for memory.
static constexpr int64_t kTiny = 8, kManySystems = 2048, kManyMatrices = 8192;
/// What a column with a pivot takes, in those that a column without one takes: all elements of it are looked at, and
/// then there is a quotient, which rows are multiplied by.
static constexpr int64_t kPhasesOfPivot = 4;

namespace {

/// What the steps of a call have in common.
class SolveSteps {
public:
  explicit SolveSteps(rt::LibraryCallOp op) {
    StringRef function = op.getFunction();
    function.consume_front("xla_rt_lapack_");
    prefix = function.take_front().str();
    isComplex = prefix == "c" || prefix == "z";
    size = (isComplex ? 2 : 1) * (prefix == "s" || prefix == "c" ? 4 : 8);
  }

  void add(StringRef step, ArrayRef<int64_t> parameters, int64_t work, int64_t team, StepCost cost) {
    steps.add("xla_rt_gpu_" + step + "_" + prefix, parameters, work, team, cost, /*isGeneral=*/true);
  }

  /// What blocks need that read, write and multiply so many tiles, if those that work longest find so many rows or
  /// columns one after the other.
  StepCost tiles(int64_t read, int64_t written, int64_t multiplied, int64_t serial) const {
    int64_t elements = kTile * kTile;
    return {read * elements * size,
            written * elements * size,
            /*asked=*/8 * size,
            multiplied * elements * kTile * (isComplex ? 4 : 1),
            serial,
            /*waits=*/1};
  }

  LibrarySteps steps;
  int64_t size; // bytes of an element
  bool isComplex;

private:
  std::string prefix;
};

} // namespace

/// Parameters: `potrf` in runtime/library/lapack/Triangular.cpp.
std::optional<LibraryFacts> mlir::xla::getFactorSteps(rt::LibraryCallOp op) {
  ArrayRef<int64_t> p = op.getParameters();
  int64_t n = p[0], matrices = p[1], lower = p[2] & 1, zeros = p[4] & 1, info = p[4] >> 1 & 1;
  SolveSteps s(op);
  int64_t elements = matrices * n * n, bytes = elements * s.size, tiles = llvm::divideCeil(n, kTile);
  bool isTiny = n <= kTiny && (matrices > kManyMatrices || n == 0);
  if (!isTiny && tiles == 1) {
    StepCost cost = s.tiles(0, 0, matrices, n);
    cost.read = cost.written = bytes;
    cost.products = cost.products * n / kTile;
    s.add("factor_small", {n, lower, 0, -1, -1, zeros, info}, matrices, kSmallTeam, cost);
    return s.steps.take();
  }
  int64_t failures = s.steps.allocate(matrices * sizeof(int32_t)), diagonals = -1;
  auto add = [&](StringRef step, int64_t first, int64_t work, int64_t team, StepCost cost) {
    s.add(step, {n, lower, first, failures, diagonals, zeros, info}, work, team, cost);
  };
  if (isTiny) {
    // Each element is the sum of products that it waits for, behind loads from the cache.
    add("factor_tiny", 0, matrices, 1, {bytes, bytes, s.size, elements * n / 6, n * n * n / 6 + n * n, 1});
  } else {
    diagonals = s.steps.allocate(matrices * tiles * kTile * kTile * s.size);
    for (int64_t done = 0; done < tiles; ++done) {
      int64_t column = tiles - done, others = done > 0 ? column * (column - 1) / 2 : 0;
      int64_t work = column + (done > 0 ? column / 2 * column : 0);
      add("factor_step", done * kTile, matrices * work, kTileTeam,
          s.tiles(matrices * (4 * column + 3 * others), matrices * (column + others), matrices * (3 * column + others),
                  std::min(kTile, n - done * kTile)));
    }
  }
  add("factor_finish", 0, elements, 1, {bytes / 2, bytes, s.size, 0, 0, 1});
  return s.steps.take();
}

/// Parameters: `getrf` and `lu` in runtime/library/lapack/Factorizations.cpp. Of larger matrices, finding pivots would
/// be a launch for each column; the host does those.
std::optional<LibraryFacts> mlir::xla::getLuSteps(rt::LibraryCallOp op) {
  int64_t m = op.getParameters()[0], n = op.getParameters()[1], rank = std::min(m, n), matrices = op.getWork();
  if (std::max(m, n) > kTile)
    return std::nullopt;
  bool isLapack = op.getFunction().ends_with("getrf");
  SolveSteps s(op);
  StepCost cost = s.tiles(0, 0, /*multiplied=*/0, rank * kPhasesOfPivot);
  cost.read = cost.written = matrices * m * n * s.size;
  cost.products = matrices * m * n * rank * (s.isComplex ? 4 : 1);
  s.add("lu_small", {m, n, isLapack ? 1 : 0, !isLapack}, matrices, kSmallTeam, cost);
  return s.steps.take();
}

/// Parameters: `solve` in runtime/library/lapack/Triangular.cpp.
std::optional<LibraryFacts> mlir::xla::getSolveSteps(rt::LibraryCallOp op) {
  ArrayRef<int64_t> p = op.getParameters();
  int64_t n = p[0], count = p[1], parts = p[6], systems = op.getWork() / parts;
  bool left = p[2], unit = p[5], swap = (p[4] == 'N') != left;
  // x op(a) = b is op(a)^T x^T = b^T.
  int64_t row = swap ? 1 : n, column = swap ? n : 1, bRow = left ? count : 1, bColumn = left ? 1 : n;
  bool lower = (p[3] != 0) != swap;
  SolveSteps s(op);
  int64_t inverses = -1;
  auto add = [&](StringRef step, int64_t first, int64_t work, int64_t team, StepCost cost) {
    s.add(step, {n, count, row, column, bRow, bColumn, lower, unit, p[4] == 'C', first, inverses}, work, team, cost);
  };
  int64_t right = llvm::divideCeil(count, kTile), bytes = systems * n * count * s.size;
  if (n <= kTiny && (systems * right > kManySystems || n == 0)) {
    add("solve_tiny", 0, systems * count, 1,
        {bytes + systems * n * n * s.size / 2, bytes, s.size, systems * count * n * n / 2, n * n, 1});
  } else if (n <= kTile) {
    StepCost cost = s.tiles(0, 0, systems * right, n);
    cost.read = bytes + systems * right * n * n * s.size / 2;
    cost.written = bytes;
    cost.products = cost.products * n / kTile;
    cost.waits = 2;
    add("solve_small", 0, systems * right, kSmallTeam, cost);
  } else {
    int64_t diagonal = systems * llvm::divideCeil(n, kTile);
    inverses = s.steps.allocate(diagonal * kTile * kTile * s.size);
    add("solve_invert", 0, diagonal, kTileTeam, s.tiles(diagonal, diagonal, diagonal, kTile));
    for (int64_t first = 0; first < n; first += kTile) {
      int64_t down = first > 0 ? llvm::divideCeil(n - first, kTile) : 1, tiles = systems * right * down;
      StepCost cost = s.tiles(3 * tiles + systems * right, tiles, tiles + systems * right, /*serial=*/4);
      cost.waits = 3;
      add("solve_step", first, tiles, kTileTeam, cost);
    }
  }
  return s.steps.take();
}
