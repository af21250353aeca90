// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processor that code is generated for.

#ifndef MLIR_XLA_LOWERING_NATIVE_TARGETSPEC_H
#define MLIR_XLA_LOWERING_NATIVE_TARGETSPEC_H

#include "mlir/Support/LLVM.h"

#include <string>

namespace mlir::xla {

struct TargetSpec {
  std::string triple, cpu, features; // as LLVM spells them; features are those that differ from the cpu's
  bool avx2 = false, avx512 = false, fma = false, f16c = false, vnni = false, bf16 = false, fp16 = false, x86 = false;
  bool bf16Products = false;                              // of bf16, at least as fast as those of f32
  bool amxInt8 = false, amxBf16 = false, amxFp16 = false; // tile registers, beside avx512

  /// The width of a vector register in bits: 512, 256 or 128.
  int vectorBits() const { return avx512 ? 512 : avx2 ? 256 : 128; }
  /// Those of the instructions that products are made of, as Machine reads them.
  std::string productInstructions() const {
    return !x86 ? ""
                : std::string("pmaddwd") + (vnni ? ",vpdpbusd" : "") + (bf16Products ? ",vdpbf16ps" : "") +
                      (amxInt8 ? ",tdpbssd" : "") + (amxBf16 ? ",tdpbf16ps" : "") + (amxFp16 ? ",tdpfp16ps" : "") +
                      (fma ? "" : ",mulps");
  }
  bool operator==(const TargetSpec &other) const {
    return triple == other.triple && cpu == other.cpu && features == other.features;
  }

  /// `cpu` empty or "native" is the host with all it offers, "generic" the least common one; `features` such as
  /// "-avx512f" are applied on top. A name that LLVM does not know gives a failure with a message in `error`, and so
  /// does a processor without what all code of the architecture relies on.
  static FailureOr<TargetSpec> resolve(StringRef cpu, StringRef features, std::string &error);
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NATIVE_TARGETSPEC_H
