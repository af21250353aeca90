// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/Machine.h"

#include <numeric>

namespace mlir::xla {

Machine Machine::withVectors(unsigned bits) {
  Machine machine;
  machine.vectorBits = bits;
  machine.vectorRegisters = bits == 512 ? 32 : 16;
  return machine;
}

int64_t Machine::rowsInL1(int64_t pitch) const { return l1Bytes / std::gcd(l1Bytes / l1Ways, pitch); }

} // namespace mlir::xla
