// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-emit-kernels`: gives every outlined kernel (linalg-stage ops on tensors) an implementation on bare pointers in
// scf, arith, vector and llvm memory ops, and leaves the tensor-typed function as a declaration with its cost and
// aliasing facts (docs/design/lowering.md).

#include "mlir_xla/lowering/cpu/NestEmitter.h"
#include "mlir_xla/lowering/cpu/Passes.h"
#include "mlir_xla/lowering/nest/KernelNests.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::xla {
#define GEN_PASS_DEF_EMITKERNELS
#include "mlir_xla/lowering/cpu/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// Items of parallel work from which on cutting further gains nothing.
static constexpr int64_t kEnoughWork = 256;

/// True if in every row the nest's iterations of `load` stay within that row of the tensor that it reads, where rows of
/// the kernel lie like those of `store`.
static bool staysInRow(const Address &load, const Address &store, const LoopNest &nest, size_t rows) {
  if (!load.symbols.empty() || !load.nonlinear.empty())
    return false;
  // Rows are the leading dimensions: the innermost has the least stride.
  int64_t rowSize = std::numeric_limits<int64_t>::max(), low = load.constant, high = load.constant;
  for (auto [dim, stride] : llvm::enumerate(load.dims)) {
    if (dim >= rows) {
      (stride < 0 ? low : high) += stride * (nest.sizes[dim] - 1);
      continue;
    }
    if (stride != store.dims[dim])
      return false;
    if (nest.sizes[dim] > 1)
      rowSize = std::min(rowSize, stride);
  }
  return low >= 0 && high < rowSize;
}

/// Where every result lives: in the memory of the argument that it updates, or in that of one that each iteration reads
/// only where it then writes, or that earlier nests of the same row have finished with.
static SmallVector<ResultMemory> placeResults(const KernelNests &kernel, ArrayRef<NestPlan> plans, func::FuncOp func) {
  SmallVector<ResultMemory> memory(func.getNumResults());
  llvm::SmallBitVector taken(func.getNumArguments());
  for (auto [result, tied] : llvm::enumerate(kernel.tied))
    if (tied >= 0) {
      memory[result] = {ResultMemory::Updates, static_cast<unsigned>(tied)};
      taken.set(tied);
    }
  for (unsigned result = 0; result < func.getNumResults(); ++result) {
    const Store *store = nullptr;
    size_t storeNest = 0;
    for (auto [n, nest] : llvm::enumerate(kernel.nests)) {
      for (const Store &candidate : llvm::concat<const Store>(nest.stores, nest.epilogue))
        if (candidate.buffer.slot == kernel.resultSlots[result])
          store = &candidate, storeNest = n;
      for (const Reduction &reduction : nest.reductions)
        for (const std::optional<Store> &candidate : reduction.stores)
          if (candidate && candidate->buffer.slot == kernel.resultSlots[result])
            store = &*candidate, storeNest = n;
    }
    // A streaming reduction writes its result long before its epilogue reads what it needs, and overlapping steps read
    // it again after they have written it.
    if (!store || kernel.tied[result] >= 0 || plans[storeNest].streaming || plans[storeNest].uOverlaps)
      continue;
    // Stores in every step of a reduction come before its epilogue reads anything.
    const LoopNest &home = kernel.nests[storeNest];
    bool inReduction = !home.reductions.empty() && !home.stores.empty() && !home.isScan();
    for (unsigned arg = 0; arg < func.getNumArguments() && memory[result].kind == ResultMemory::New; ++arg) {
      if (taken.test(arg) || func.getArgumentTypes()[arg] != func.getResultTypes()[result])
        continue;
      bool safe = true;
      for (auto [n, nest] : llvm::enumerate(kernel.nests))
        for (ExprNode *load : nest.loads) {
          if (static_cast<int>(load->buffer.slot) != kernel.argumentSlots[arg])
            continue;
          bool sameElement = n == storeNest && load->address == store->address && !inReduction;
          bool earlier = n < storeNest && staysInRow(load->address, store->address, nest, kernel.rows.size());
          safe &= sameElement || earlier;
        }
      if (safe) {
        memory[result] = {ResultMemory::MayReuse, arg};
        taken.set(arg);
      }
    }
  }
  return memory;
}

static LogicalResult emitKernel(func::FuncOp kernel, const TargetShape &target, bool leavePlans) {
  FailureOr<KernelNests> nests = buildKernelNests(kernel);
  if (failed(nests))
    return failure();

  OpBuilder outer(kernel);
  Type pointerType = LLVM::LLVMPointerType::get(kernel.getContext());
  Type index = outer.getIndexType();
  SmallVector<Type> inputs;
  for (Type type : kernel.getArgumentTypes())
    inputs.push_back(isa<RankedTensorType>(type) ? pointerType : type);
  inputs.append(kernel.getNumResults(), pointerType);
  if (nests->scratchBytes)
    inputs.push_back(pointerType);
  inputs.append({index, index});
  std::string name = (kernel.getName() + ".impl").str();
  auto impl = func::FuncOp::create(outer, kernel.getLoc(), name, outer.getFunctionType(inputs, {}));
  impl.setPrivate();
  Block *entry = impl.addEntryBlock();
  ImplicitLocOpBuilder b(kernel.getLoc(), outer);
  b.setInsertionPointToEnd(entry);

  SmallVector<Value> slots;
  SmallVector<std::pair<Value, Value>> scalars;
  for (auto [arg, value] : llvm::zip(kernel.getArguments(), entry->getArguments())) {
    if (isa<RankedTensorType>(arg.getType()))
      slots.push_back(value);
    else if (arg.getType().isIndex())
      scalars.emplace_back(arg, arith::IndexCastOp::create(b, b.getI64Type(), value));
    else
      scalars.emplace_back(arg, value);
  }
  unsigned next = kernel.getNumArguments();
  for (unsigned i = 0; i < kernel.getNumResults(); ++i)
    slots.push_back(entry->getArgument(next++));
  if (nests->scratchBytes) {
    Value scratch = entry->getArgument(next++);
    for (int64_t offset : nests->scratchOffsets) {
      // Constant indices have 32 bits.
      LLVM::GEPArg place = static_cast<int32_t>(offset);
      if (!llvm::isInt<32>(offset))
        place = arith::ConstantOp::create(b, b.getI64IntegerAttr(offset)).getResult();
      slots.push_back(LLVM::GEPOp::create(b, pointerType, b.getI8Type(), scratch, place));
    }
  }
  Value begin = arith::IndexCastOp::create(b, b.getI64Type(), entry->getArgument(next));
  Value end = arith::IndexCastOp::create(b, b.getI64Type(), entry->getArgument(next + 1));
  func::ReturnOp::create(b);

  NestEmitter emitter(b, entry, *nests->exprs, slots, scalars);
  int64_t work = 1, cost = 0;
  bool single = nests->rows.empty() && nests->nests.size() == 1;
  SmallVector<NestPlan> plans;
  for (LoopNest &nest : nests->nests) {
    collapseDims(nest);
    nest.inPlace = llvm::any_of(nests->tied, [](int32_t argument) { return argument >= 0; });
    plans.push_back(planNest(nest, target));
    cost += estimateCost(nest, plans.back(), /*includeRows=*/true);
  }
  WorkBlocks vBlocks, uBlocks;
  SmallVector<unsigned> dims;
  SmallVector<int64_t> sizes;
  if (single) {
    const LoopNest &nest = nests->nests[0];
    const NestPlan &plan = plans[0];
    auto blocks = [](int64_t size, int64_t block) { return block ? (size + block - 1) / block : 1; };
    // Outer dimensions become parallel work until there is enough of it; the others stay loops.
    int64_t items = 1;
    for (unsigned dim : plan.outer) {
      if (items >= kEnoughWork)
        break;
      dims.push_back(dim);
      sizes.push_back(nest.sizes[dim]);
      items *= nest.sizes[dim];
    }
    if (plan.v >= 0)
      vBlocks.count = blocks(nest.sizes[plan.v], plan.vBlock);
    if (plan.u >= 0)
      uBlocks.count = blocks(nest.sizes[plan.u], plan.uBlock);
  } else {
    for (unsigned row = 0; row < nests->rows.size(); ++row) {
      dims.push_back(row);
      sizes.push_back(nests->rows[row]);
    }
  }
  for (int64_t size : sizes)
    work *= size;
  work *= vBlocks.count * uBlocks.count;
  emitter.openWork(begin, end, dims, sizes, vBlocks, uBlocks);
  for (auto [nest, plan] : llvm::zip_equal(nests->nests, plans))
    if (failed(emitter.emit(nest, plan, vBlocks, uBlocks)))
      return failure();
  emitter.closeWork();

  kernel->setAttr(XlaRtDialect::kImplementation,
                  ImplementationAttr::get(kernel.getContext(), FlatSymbolRefAttr::get(impl), work, cost,
                                          nests->scratchBytes, /*ordered=*/false, placeResults(*nests, plans, kernel)));
  if (leavePlans) {
    SmallVector<std::string> texts;
    for (auto [nest, plan] : llvm::zip_equal(nests->nests, plans))
      texts.push_back(describePlan(nest, plan));
    kernel->setAttr("xla.plans", b.getStrArrayAttr(llvm::to_vector_of<StringRef>(texts)));
  }
  nests->exprs.reset();
  kernel.eraseBody();
  return success();
}

namespace {
struct EmitKernelsPass : public mlir::xla::impl::EmitKernelsBase<EmitKernelsPass> {
  using Base::Base;
  void runOnOperation() override {
    TargetShape target;
    target.vectorBits = vectorBits;
    target.threads = threads;
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (kernelOf(kernel) && !kernel.isExternal() && failed(emitKernel(kernel, target, plans)))
        return signalPassFailure();
  }
};
} // namespace
