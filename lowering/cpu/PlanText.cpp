// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decisions about a loop nest as text, for tests and for whoever asks why a kernel looks as it does.

#include "mlir_xla/lowering/nest/LoopNest.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::xla;

/// The plan of `x y` for 96x64 and 64x192  ->  "96x192x64: lanes d1 16x4, jam d0 6, reduce d2, cut d1 64"
std::string mlir::xla::describePlan(const LoopNest &nest, const NestPlan &plan) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(nest.sizes, os, "x");
  os << ":";
  auto item = [&, separator = " "]() mutable -> llvm::raw_ostream & {
    os << separator;
    separator = ", ";
    return os;
  };
  if (plan.v >= 0)
    item() << "lanes d" << plan.v << " " << plan.lanes << "x" << plan.vUnroll;
  else
    item() << "scalar";
  if (nest.isScan())
    item() << "scan d" << nest.ordered.find_first() << (nest.backwards ? " backwards" : "");
  else if (plan.vReduced)
    item() << "partial results in lanes";
  if (plan.u >= 0)
    item() << "jam d" << plan.u << " " << plan.uUnroll;
  for (unsigned dim : plan.outer)
    item() << "loop d" << dim;
  for (unsigned dim : plan.reductionLoops)
    item() << "reduce d" << dim;
  if (plan.vBlock)
    item() << "cut d" << plan.v << " " << plan.vBlock;
  if (plan.uBlock)
    item() << "cut d" << plan.u << " " << plan.uBlock;
  if (plan.vMasked)
    item() << "last lanes masked";
  if (plan.uOverlaps)
    item() << "last jam overlaps";
  if (plan.streaming)
    item() << "in memory";
  if (!plan.transposed.empty())
    item() << "transposed by " << plan.chunk;
  return text;
}
