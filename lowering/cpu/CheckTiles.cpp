// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a plan of tiles may say of a nest.

#include "mlir_xla/lowering/cpu/Elements.h"
#include "mlir_xla/lowering/cpu/TileFactors.h"
#include "mlir_xla/lowering/cpu/TilePlan.h"

using namespace mlir;
using namespace mlir::xla;

static bool hasInstruction(const Machine &machine, ProductInstruction instruction) {
  switch (instruction) {
  case ProductInstruction::Fma:
    return true;
  case ProductInstruction::Pmaddwd:
    return machine.hasPmaddwd;
  case ProductInstruction::Vpdpbusd:
    return machine.hasVpdpbusd;
  case ProductInstruction::Vdpbf16ps:
    return machine.hasVdpbf16ps;
  case ProductInstruction::Tdpbssd:
    return machine.hasTdpbssd;
  case ProductInstruction::Tdpbf16ps:
    return machine.hasTdpbf16ps;
  case ProductInstruction::Tdpfp16ps:
    return machine.hasTdpfp16ps;
  }
  llvm_unreachable("all instructions are above");
}

/// Whether the processor has an instruction that multiplies so many elements of the factors `a` of rows and `b` of
/// columns, and tiles can read or pack these for it.
static LogicalResult checkInstruction(const LoopNest &nest, TilesAttr plan, ExprNode *a, ExprNode *b,
                                      const Machine &machine, function_ref<InFlightDiagnostic()> emitError) {
  ProductInstruction instruction = plan.getInstruction();
  Type sum = nest.reductions[0].inits[0]->type;
  StringRef name = stringifyProductInstruction(instruction);
  int64_t k = plan.getKDim();
  if (!hasInstruction(machine, instruction))
    return emitError() << "the processor has no " << name;
  bool isPairs = instruction == ProductInstruction::Pmaddwd, isHalf = instruction == ProductInstruction::Tdpfp16ps,
       isBrain = instruction == ProductInstruction::Vdpbf16ps || instruction == ProductInstruction::Tdpbf16ps;
  int64_t bits = plan.getLanes() * 32;
  if (bits != 128 && bits != 256 && bits != 512)
    return emitError() << name << " has 4, 8 or 16 lanes, not " << plan.getLanes();
  if (bits > machine.vectorBits || (!isPairs && bits == 128))
    return emitError() << "the processor has no " << name << " of " << plan.getLanes() << " lanes";
  bool areFloats = isBrain || isHalf;
  if (areFloats ? !sum.isF32() : !sum.isInteger(32))
    return emitError() << name << " sums " << (areFloats ? "f32" : "integers of 32 bits") << ", not " << sum;
  for (auto [factor, dim] : {std::pair(a, plan.getMDim()), std::pair(b, plan.getNDim())}) {
    ExprNode *narrow = Product::narrowOf(factor);
    bool fits = narrow && (isBrain  ? narrow->type.isBF16()
                           : isHalf ? narrow->type.isF16()
                                    : narrow->type.isInteger(8) ||
                                          (isPairs && narrow->type.isInteger(16) && Product::isSigned(factor)));
    int64_t group = TilesAttr::groupOf(instruction);
    if (!fits || !mayPackGroups(narrow, dim, k, group, factor == a))
      return emitError() << name << " multiplies "
                         << (isBrain   ? "bf16"
                             : isHalf  ? "f16"
                             : isPairs ? "integers of at most 16 bits"
                                       : "integers of 8 bits")
                         << " that are neighbours in memory along d" << dim << " or d" << k;
    int64_t ofRegister = rowsOfRegister(plan.getRows(), plan.getVectors());
    // Pixels are the same distance apart from each start of a register.
    bool areParts = narrow->address.nonlinear.empty() || plan.getRows() % ofRegister == 0;
    if (factor == a && !plan.getPackA() && (!areParts || !mayReadRows(nest, narrow, dim, k, group, ofRegister)))
      return emitError() << name << " reads rows that are not packed along d" << k << ", in whole steps of "
                         << group * TilesAttr::kTileRows;
  }
  return success();
}

LogicalResult mlir::xla::checkTiles(const LoopNest &nest, TilesAttr plan, const Machine &machine,
                                    function_ref<InFlightDiagnostic()> emitError) {
  if (failed(checkSizes(nest, plan.getSizes(), emitError)))
    return failure();
  std::optional<Product> product = matchProduct(nest);
  if (!product)
    return emitError() << "tiles are for the sum of products that is all a kernel computes, but for what it does with "
                          "the sums";
  int64_t m = plan.getMDim(), n = plan.getNDim(), k = plan.getKDim();
  for (auto [name, dim] : {std::pair('m', m), std::pair('n', n)})
    if (!nest.isParallelLoop(dim))
      return emitError() << name << " is d" << dim << ", which is no parallel dimension of several iterations";
  if (!nest.isReductionLoop(k))
    return emitError() << "k is d" << k << ", which is no reduced dimension of several iterations";
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim)
    if (nest.isReductionLoop(dim) && static_cast<int64_t>(dim) != k)
      return emitError() << "it does not walk d" << dim << ", a reduced dimension of several iterations";
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim) {
    bool isWork = llvm::is_contained(plan.getWork(), static_cast<int64_t>(dim));
    if (isWork && !nest.isParallelLoop(dim))
      return emitError() << "d" << dim << " is no parallel dimension of several iterations";
    if (!isWork && nest.isParallelLoop(dim) && dim != m && dim != n)
      return emitError() << "it does not walk d" << dim << ", a parallel dimension of several iterations";
  }
  ExprNode *a = product->left, *b = product->right;
  if (!a->deps.test(m))
    std::swap(a, b);
  if (!a->deps.test(m) || a->deps.test(n) || !b->deps.test(n) || b->deps.test(m) || !a->deps.test(k) ||
      !b->deps.test(k))
    return emitError() << "one factor must depend on d" << m << " and d" << k << " and not on d" << n
                       << ", the other on d" << n << " and d" << k << " and not on d" << m;
  Type sum = nest.reductions[0].inits[0]->type;
  if (isa<ComplexType>(sum))
    return emitError() << "complex numbers have no lanes";
  if (memoryType(sum) != sum)
    return emitError() << "elements of type " << sum << " are no lanes in memory, where packed ones would be";
  int64_t rows = plan.getRows();
  if (nest.sizes[m] < rows)
    return emitError() << "d" << m << " has " << nest.sizes[m] << " iterations, fewer than the " << rows
                       << " rows in registers";
  if (nest.sizes[m] % rows != 0 && !nest.mayRepeat())
    return emitError() << "the kernel works in place, so no row may be computed twice, and d" << m << " has "
                       << nest.sizes[m] << " iterations, which are no whole steps of " << rows;
  return plan.getInstruction() == ProductInstruction::Fma ? success()
                                                          : checkInstruction(nest, plan, a, b, machine, emitError);
}
