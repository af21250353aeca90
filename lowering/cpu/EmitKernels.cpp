// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-emit-kernels`: gives every outlined kernel (linalg-stage ops on tensors) an implementation on bare pointers in
// scf, arith, vector and llvm memory ops, and leaves the tensor-typed function as a declaration with its cost and
// aliasing facts (docs/design/lowering.md).

#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/lowering/Pointers.h"
#include "mlir_xla/lowering/Unsupported.h"
#include "mlir_xla/lowering/cpu/NestEmitter.h"
#include "mlir_xla/lowering/cpu/Passes.h"
#include "mlir_xla/lowering/cpu/PlanKernels.h"
#include "mlir_xla/lowering/cpu/WholeKernels.h"
#include "mlir_xla/lowering/nest/Cost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <numeric>

namespace mlir::xla {
#define GEN_PASS_DEF_EMITKERNELS
#include "mlir_xla/lowering/cpu/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

namespace {
/// How a nest is walked: in loops, or in tiles, of which `loops` then is one.
struct AnyPlan {
  NestPlan loops;
  std::optional<TilePlan> tiles;
};
} // namespace

/// Does a function have more lanes than a register? By the width of a vector, functions know which instructions there
/// are.
static bool hasWideFunctions(LoopNest &nest, const NestPlan &plan, const Machine &machine) {
  return plan.v >= 0 && llvm::any_of(nest.nodes(), [&](ExprNode *node) {
           return node->kind == ExprNode::Apply && isa<FloatType>(node->type) && node->deps.test(plan.v) &&
                  isLongCode(node->op) && plan.lanes * node->type.getIntOrFloatBitWidth() > machine.vectorBits;
         });
}

/// The plans of the kernel's nests: those that it has, or the planner's.
static FailureOr<std::vector<AnyPlan>> plansOf(func::FuncOp kernel, KernelNests &nests, const Machine &machine,
                                               bool onDevice, KernelCalls &calls) {
  auto given = kernel->getAttrOfType<ArrayAttr>(XlaRtDialect::kPlans);
  if (given && given.size() != nests.nests.size())
    return unsupported(kernel.emitError("kernel @") << kernel.getName() << " has " << counted(given.size(), "plan")
                                                    << " for " << counted(nests.nests.size(), "loop nest"));
  SmallVector<Attribute> attrs = given ? llvm::to_vector(given.getValue()) : planKernel(kernel, nests, machine, calls);
  std::vector<AnyPlan> plans;
  for (auto [i, nest] : llvm::enumerate(nests.nests)) {
    Attribute attr = attrs[i];
    // Whoever wrote the plan is at fault; the planner, if nobody did.
    auto report = [&, i = i] {
      InFlightDiagnostic error = kernel.emitError("kernel @")
                                 << kernel.getName() << " cannot follow plan " << i << ", " << attr << ": ";
      return given ? unsupported(std::move(error)) : std::move(error);
    };
    AnyPlan &plan = plans.emplace_back();
    if (auto tiles = dyn_cast<TilesAttr>(attr)) {
      if (failed(checkTiles(nest, tiles, machine, report)))
        return failure();
      plan.tiles = TilePlan::fromAttr(tiles, nest);
      plan.loops = plan.tiles->tilePlan(nest);
      continue;
    }
    if (isa<UpdatesAttr>(attr))
      return report() << "it is for a scatter";
    if (isa<BlocksAttr, StreamAttr>(attr))
      return report() << "blocks of threads are emitted before, and by a GPU only";
    if (failed(checkPlan(nest, cast<NestAttr>(attr), report)))
      return failure();
    if (auto loops = cast<NestAttr>(attr);
        loops.getPairs() && !loops.getTileRegisters() && !machine.hasPairs(loops.getLanes()))
      return report() << "the processor has no vdpbf16ps of " << loops.getLanes() << " lanes";
    if (cast<NestAttr>(attr).getTileRegisters() && !machine.hasTdpbf16ps)
      return report() << "the processor has no tdpbf16ps";
    plan.loops = NestPlan::fromAttr(cast<NestAttr>(attr), nest);
    if (plan.loops.lookup > (onDevice ? 0 : machine.permutedElements()))
      return report() << "the processor has no permutation of " << plan.loops.lookup << " elements";
    if (!onDevice && hasWideFunctions(nest, plan.loops, machine))
      return report() << "the processor's vectors have " << machine.vectorBits << " bits, and those of a function more";
    if (plan.loops.threads > 1 && llvm::any_of(nests.tied, [](int32_t argument) { return argument >= 0; }))
      return report() << "a result is in the memory of an argument, which some threads might write before others read";
    if (!onDevice && (plan.loops.threads > 1 || plan.loops.aligned || plan.loops.apart))
      return report() << "only a GPU has teams of threads, iterations that are apart, and buffers that are aligned";
    if (plan.loops.threads != plans.front().loops.threads)
      return report() << "the nest before it has " << counted(plans.front().loops.threads, "thread")
                      << ", and nests of one kernel "
                      << "have as many";
  }
  return plans;
}

namespace {
/// The function that does items of a kernel's work, and what its arguments are.
struct Implementation {
  func::FuncOp function;
  SmallVector<Value> slots; // the pointers that Buffer::slot names: arguments, results, and values in scratch memory
  unsigned firstResult = 0; // of the slots
  SmallVector<std::pair<Value, Value>> scalars; // arguments of the kernel that are numbers, and these
  Value scratch, begin, end;
};

/// The items of a kernel's work: iterations of dimensions, the number of each of which is that of the nests, and blocks
/// along v and u of the only nest.
struct Work {
  SmallVector<int64_t> dims, sizes;
  WorkBlocks vBlocks, uBlocks;

  int64_t items() const {
    return std::accumulate(sizes.begin(), sizes.end(), vBlocks.count * uBlocks.count, std::multiplies<int64_t>());
  }
};
} // namespace

/// `kernel.impl(arguments.., results.., scratch, begin, end)`, before the kernel; leaves `b` in it, before its return.
static Implementation createImplementation(ImplicitLocOpBuilder &b, func::FuncOp kernel, const KernelNests &nests,
                                           int64_t scratchBytes) {
  Type pointerType = LLVM::LLVMPointerType::get(kernel.getContext());
  SmallVector<Type> inputs;
  for (Type type : kernel.getArgumentTypes())
    inputs.push_back(isa<RankedTensorType>(type) ? pointerType : type);
  inputs.append(kernel.getNumResults(), pointerType);
  if (scratchBytes)
    inputs.push_back(pointerType);
  inputs.append({b.getIndexType(), b.getIndexType()});
  Implementation impl;
  impl.function = func::FuncOp::create(b, (kernel.getName() + ".impl").str(), b.getFunctionType(inputs, {}));
  impl.function.setPrivate();
  Block *entry = impl.function.addEntryBlock();
  b.setInsertionPointToEnd(entry);

  for (auto [arg, value] : llvm::zip(kernel.getArguments(), entry->getArguments())) {
    if (isa<RankedTensorType>(arg.getType()))
      impl.slots.push_back(value);
    else if (arg.getType().isIndex())
      impl.scalars.emplace_back(arg, arith::IndexCastOp::create(b, b.getI64Type(), value));
    else
      impl.scalars.emplace_back(arg, value);
  }
  unsigned next = kernel.getNumArguments();
  impl.firstResult = impl.slots.size();
  for (unsigned i = 0; i < kernel.getNumResults(); ++i)
    impl.slots.push_back(entry->getArgument(next++));
  if (scratchBytes) {
    impl.scratch = entry->getArgument(next++);
    for (int64_t offset : nests.scratchOffsets)
      impl.slots.push_back(elementPointer(b, b.getLoc(), impl.scratch, b.getI8Type(), offset));
  }
  impl.begin = arith::IndexCastOp::create(b, b.getI64Type(), entry->getArgument(next));
  impl.end = arith::IndexCastOp::create(b, b.getI64Type(), entry->getArgument(next + 1));
  func::ReturnOp::create(b);
  return impl;
}

/// Rows, or blocks of them, that all nests have; or what the plan of the only nest says.
static Work workOf(const KernelNests &nests, ArrayRef<AnyPlan> plans) {
  Work work;
  work.sizes = nests.rows;
  if (nests.block)
    work.sizes.back() = llvm::divideCeil(work.sizes.back(), nests.block);
  for (size_t row = 0; row < nests.rows.size(); ++row)
    work.dims.push_back(row);
  for (auto [nest, anyPlan] : llvm::zip_equal(nests.nests, plans)) {
    if (!nest.isAlone)
      continue;
    const NestPlan &plan = anyPlan.loops;
    work.dims = plan.work;
    bool hasSquaresAlongColumn = plan.apart && plan.walksSquares() && plan.u == plan.squareColumn;
    if (plan.apart && !hasSquaresAlongColumn)
      work.dims.insert(llvm::lower_bound(work.dims, plan.u), plan.u);
    for (int64_t dim : work.dims)
      work.sizes.push_back(plan.apart && dim == plan.u ? plan.uDistance : nest.sizes[dim]);
    int64_t &vBlocks = work.vBlocks.count, &uBlocks = work.uBlocks.count;
    vBlocks = plan.vBlocks(nest);
    uBlocks = plan.uBlocks(nest);
    if (plan.walksSquares()) {
      vBlocks = hasSquaresAlongColumn ? plan.uDistance / NestPlan::kSquare
                                      : llvm::divideCeil(nest.sizes[plan.squareColumn], NestPlan::kSquare);
      uBlocks = llvm::divideCeil(nest.sizes[plan.squareRow], NestPlan::kSquare);
    }
    if (plan.scanTile)
      vBlocks = plan.scanTiles(nest);
    if (plan.columns >= 0)
      vBlocks = llvm::divideCeil(nest.sizes[plan.columns], NestPlan::kColumns);
    if (anyPlan.tiles) {
      vBlocks = anyPlan.tiles->nBlocks;
      uBlocks = anyPlan.tiles->mBlocks;
    }
  }
  return work;
}

/// One nest after the other for each item of `work`. `tiles`: the plan of the only nest, if that is not in `plans`.
static void emitNests(NestEmitter &emitter, const Implementation &impl, KernelNests &nests, ArrayRef<NestPlan> plans,
                      const TilePlan *tiles, Work work) {
  if (work.dims.empty() && work.vBlocks.count > 1 && plans[0].inMemory)
    emitter.takeWork(impl.begin, impl.end, work.vBlocks);
  else
    emitter.openWork(impl.begin, impl.end, work.dims, work.sizes, work.vBlocks, work.uBlocks);
  if (nests.block)
    emitter.beginBlock(nests.rows, nests.block);
  auto isByRows = [&](size_t number) { return nests.block && nests.nests[number].rows.test(nests.rows.size()); };
  auto meetBefore = [&](size_t begin, size_t end, bool isNextRow) {
    if (plans[begin].threads > 1)
      emitter.meetBefore(ArrayRef(nests.nests).slice(begin, end - begin), plans.slice(begin, end - begin), isNextRow);
  };
  size_t first = 0; // of the nests that are done for one row of a block after the other
  for (size_t number = 0, count = nests.nests.size(); number < count; ++number) {
    bool isFirst = isByRows(number) && (number == 0 || !isByRows(number - 1));
    if (isFirst)
      first = number;
    size_t end = number + 1;
    while (isFirst && end < count && isByRows(end))
      ++end;
    meetBefore(number, end, /*isNextRow=*/false);
    if (nests.block)
      emitter.walkBlock(nests.rows.size(), nests.block, isByRows(number));
    if (tiles)
      emitter.emitTiles(nests.nests[number], *tiles, impl.scratch, impl.begin, work.vBlocks, work.uBlocks);
    else
      emitter.emit(nests.nests[number], plans[number], work.vBlocks, work.uBlocks);
    if (isByRows(number) && (number + 1 == count || !isByRows(number + 1))) {
      meetBefore(first, number + 1, /*isNextRow=*/true);
      emitter.walkBlock(nests.rows.size(), nests.block, /*byRows=*/false);
    }
  }
  emitter.closeWork();
}

static LogicalResult emitKernel(func::FuncOp kernel, const Machine &machine, bool reuse, bool onDevice,
                                KernelCalls &calls) {
  if (DestinationStyleOpInterface op = wholeKernelIn(kernel))
    return implementWholeKernel(kernel, op, machine, onDevice);
  FailureOr<KernelNests> nests = nestsOf(kernel, onDevice);
  if (failed(nests))
    return failure();
  FailureOr<std::vector<AnyPlan>> plans = plansOf(kernel, *nests, machine, onDevice, calls);
  if (failed(plans))
    return failure();
  // Tiles are the only nest of their kernel, which has no rows then, and no memory for them.
  const TilePlan *tiles = plans->size() == 1 && (*plans)[0].tiles ? &*(*plans)[0].tiles : nullptr;
  int64_t scratchBytes = tiles ? tiles->scratchBytes : nests->scratchBytes;
  OpBuilder outer(kernel);
  ImplicitLocOpBuilder b(kernel.getLoc(), outer);
  Implementation impl = createImplementation(b, kernel, *nests, scratchBytes);

  NestEmitter emitter(b, &impl.function.front(), *nests->exprs, impl.slots, impl.scalars, onDevice);
  if (!onDevice && machine.hasPairs(machine.lanes(32)) && machine.vectorBits == 512)
    emitter.roundByInstructions();
  Work work = workOf(*nests, *plans);
  const int64_t items = work.items();
  int64_t cost = 0;
  std::vector<NestPlan> walks;
  for (auto [nest, plan] : llvm::zip_equal(nests->nests, *plans)) {
    cost += plan.tiles ? estimateCost(nest, *plan.tiles) : estimateCost(nest, plan.loops);
    walks.push_back(plan.loops);
  }
  // Threads of a team are at different places of an item: none may write where another still reads.
  int64_t team = walks.empty() ? 1 : walks.front().threads;
  reuse &= team == 1;
  if (!walks.empty() && walks.front().scanTile) {
    impl.function->setAttr(XlaRtDialect::kNumbersBlocks, b.getUnitAttr());
    impl.begin = emitter.numberBlock(nests->nests.front(), items, team);
    impl.end = arith::AddIOp::create(b, impl.begin, arith::ConstantOp::create(b, b.getI64IntegerAttr(1)));
  }
  auto emit = [&] { emitNests(emitter, impl, *nests, walks, tiles, work); };
  if (llvm::any_of(walks, [](const NestPlan &plan) { return plan.pastCaches; })) {
    emitter.openAligned(ArrayRef(impl.slots).slice(impl.firstResult, kernel.getNumResults()));
    emit();
    emitter.openUnaligned();
    emit();
    emitter.closeAligned();
  } else {
    emit();
  }
  emitter.dropUncalledFunctions();

  SmallVector<ResultMemory> results = placeResults(*nests, walks, kernel);
  for (ResultMemory &memory : results)
    if (!reuse && memory.kind == ResultMemory::MayReuse)
      memory = {};
  kernel->removeAttr(XlaRtDialect::kPlans);
  kernel->setAttr(XlaRtDialect::kImplementation,
                  ImplementationAttr::get(kernel.getContext(), FlatSymbolRefAttr::get(impl.function), items, cost,
                                          scratchBytes, /*ordered=*/false, results, team));
  nests->exprs.reset();
  kernel.eraseBody();
  return success();
}

namespace {
struct EmitKernelsPass : public mlir::xla::impl::EmitKernelsBase<EmitKernelsPass> {
  using Base::Base;
  LogicalResult initialize(MLIRContext *context) override {
    return Machine::checkVectors(vectorBits, context, instructions);
  }
  void runOnOperation() override {
    Machine machine = Machine::withVectors(vectorBits, instructions);
    KernelCalls calls(getOperation());
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (kernelOf(kernel) && !kernel.isExternal() && failed(emitKernel(kernel, machine, reuse, device, calls)))
        return signalPassFailure();
  }
};
} // namespace
