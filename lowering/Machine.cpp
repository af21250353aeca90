// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/Machine.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace mlir::xla {

/// Calls `found` with each of the instructions, until it fails.
static LogicalResult forEach(StringRef instructions, function_ref<LogicalResult(StringRef)> found) {
  for (StringRef rest = instructions; !rest.empty();) {
    auto [name, others] = rest.split(',');
    if (failed(found(name)))
      return failure();
    rest = others;
  }
  return success();
}

static bool *flagOf(Machine &machine, StringRef instruction) {
  return instruction == "pmaddwd"     ? &machine.hasPmaddwd
         : instruction == "vpdpbusd"  ? &machine.hasVpdpbusd
         : instruction == "vdpbf16ps" ? &machine.hasVdpbf16ps
         : instruction == "mulps"     ? &machine.hasMulps
         : instruction == "tdpbssd"   ? &machine.hasTdpbssd
         : instruction == "tdpbf16ps" ? &machine.hasTdpbf16ps
         : instruction == "tdpfp16ps" ? &machine.hasTdpfp16ps
                                      : nullptr;
}

Machine Machine::withVectors(unsigned bits, StringRef instructions) {
  Machine machine;
  (void)forEach(instructions, [&](StringRef name) {
    if (bool *flag = flagOf(machine, name))
      *flag = true;
    return success();
  });
  // What comes of tile registers are vectors of 512 bits.
  if (bits != 512)
    machine.hasTdpbssd = machine.hasTdpbf16ps = machine.hasTdpfp16ps = false;
  machine.vectorBits = bits;
  machine.vectorRegisters = bits == 512 ? 32 : 16;
  return machine;
}

LogicalResult Machine::checkVectors(unsigned bits, MLIRContext *context, StringRef instructions) {
  if (bits != 128 && bits != 256 && bits != 512)
    return emitError(UnknownLoc::get(context)) << "vectors have 128, 256 or 512 bits, not " << bits;
  return forEach(instructions, [&](StringRef name) -> LogicalResult {
    Machine machine;
    if (flagOf(machine, name))
      return success();
    return emitError(UnknownLoc::get(context))
           << "the instructions that products know are mulps, pmaddwd, vpdpbusd, vdpbf16ps, tdpbssd, tdpbf16ps and "
              "tdpfp16ps, not '"
           << name << "'";
  });
}

/// Of a cache of so many ways.
static int64_t rowsIn(int64_t bytes, int64_t ways, int64_t pitch) { return bytes / std::gcd(bytes / ways, pitch); }

int64_t Machine::rowsInL1(int64_t pitch) const { return rowsIn(l1Bytes, l1Ways, pitch); }

double Machine::costOfLoad(int64_t pitch, int64_t steps) const {
  constexpr int64_t fewRows = 32;
  int64_t rows = rowsInL1(pitch);
  return pitch != 0 && rows <= fewRows && rows < steps ? 10 * kCostOfLoad : kCostOfLoad;
}

double Machine::timeOfTiles(int64_t rows, int64_t rowsOfTile, int64_t vectors, double costOfLoad) {
  double loads = static_cast<double>(rowsOfTile + vectors) / static_cast<double>(rowsOfTile * vectors);
  return static_cast<double>(llvm::alignTo(rows, rowsOfTile)) * (1 + costOfLoad * loads);
}

int64_t Machine::rowsOfTile(int64_t rows, int64_t most, int64_t vectors, double costOfLoad) {
  // As many products as are under way at a time.
  const int64_t fewest = std::max<int64_t>(4, llvm::divideCeil(12, vectors));
  constexpr double notable = 0.985;
  int64_t best = most;
  for (int64_t fewer = most - 1; fewer >= fewest; --fewer)
    if (timeOfTiles(rows, fewer, vectors, costOfLoad) < notable * timeOfTiles(rows, best, vectors, costOfLoad))
      best = fewer;
  return best;
}

int64_t Machine::rowsInL2(int64_t pitch) const { return rowsIn(l2Sets * l2Ways * cacheLine, l2Ways, pitch); }

} // namespace mlir::xla
