// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/Machine.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

#include <numeric>

namespace mlir::xla {

Machine Machine::withVectors(unsigned bits) {
  Machine machine;
  machine.vectorBits = bits;
  machine.vectorRegisters = bits == 512 ? 32 : 16;
  return machine;
}

LogicalResult Machine::checkVectors(unsigned bits, MLIRContext *context) {
  if (bits == 128 || bits == 256 || bits == 512)
    return success();
  return emitError(UnknownLoc::get(context)) << "vectors have 128, 256 or 512 bits, not " << bits;
}

int64_t Machine::rowsInL1(int64_t pitch) const { return l1Bytes / std::gcd(l1Bytes / l1Ways, pitch); }

} // namespace mlir::xla
