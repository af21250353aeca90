// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers, shape rules and interfaces of the control family, apart from `xla.while`.

#include "mlir_xla/dialect/Assembly.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/Regions.h"
#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::xla;

//===- Branches ---------------------------------------------------------------------------------------------------===//

/// The common result types of `branches`, which are called `names` (or `branch <i>`) in messages.
static LogicalResult inferBranches(std::optional<Location> loc, StringRef opName, ArrayRef<Region *> branches,
                                   ArrayRef<StringRef> names, SmallVectorImpl<Type> &types) {
  auto nameOf = [&](size_t i) { return names.empty() ? "branch " + std::to_string(i) : names[i].str(); };
  if (branches.empty())
    return ConstraintError(loc, opName, "Conditional-C4") << "has no branch";
  for (auto [i, branch] : llvm::enumerate(branches)) {
    ReturnOp ret = getReturn(*branch);
    if (!ret)
      return ConstraintError(loc, opName, "Conditional-C3") << nameOf(i) << " does not end in xla.return";
    if (branch->getNumArguments() != 0)
      return ConstraintError(loc, opName, "Conditional-C2")
             << nameOf(i) << " has " << branch->getNumArguments() << " block arguments; branches take none";
    TypeRange returned = ret.getOperandTypes();
    if (i == 0)
      types.append(returned.begin(), returned.end());
    else if (!areCompatibleTypes(types, returned))
      return ConstraintError(loc, opName, "Conditional-C3") << nameOf(i) << " returns (" << returned << ") but "
                                                            << nameOf(0) << " returns (" << TypeRange(types) << ")";
  }
  return success();
}

LogicalResult IfOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                     SmallVectorImpl<Type> &types) {
  Type pred = adaptor.getPred().getType();
  if (!isScalar(pred, IntegerType::get(pred.getContext(), 1)))
    return ConstraintError(loc, getOperationName(), "Conditional-C1") << "pred is not tensor<i1> but " << pred;
  return inferBranches(loc, getOperationName(), {&adaptor.getTrueBranch(), &adaptor.getFalseBranch()},
                       {"true_branch", "false_branch"}, types);
}

LogicalResult IfOp::verify() { return verifyInferredTypes(*this, "Conditional-C3"); }

LogicalResult CaseOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  Type index = adaptor.getIndex().getType();
  if (!isScalar(index, IntegerType::get(index.getContext(), 32)))
    return ConstraintError(loc, getOperationName(), "Conditional-C1") << "index is not tensor<i32> but " << index;
  SmallVector<Region *> branches(adaptor.getRegions().begin(), adaptor.getRegions().end());
  return inferBranches(loc, getOperationName(), branches, {}, types);
}

LogicalResult CaseOp::verify() { return verifyInferredTypes(*this, "Conditional-C3"); }

static void getBranchSuccessors(Operation *op, RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  if (!point.isParent()) {
    successors.emplace_back(op, op->getResults());
    return;
  }
  for (Region &region : op->getRegions())
    successors.emplace_back(&region);
}

static void getBranchEntries(Operation *op, ArrayRef<Attribute> operands,
                             SmallVectorImpl<RegionSuccessor> &successors) {
  std::optional<unsigned> taken = getTakenBranch(op, operands[0]);
  for (Region &region : op->getRegions())
    if (!taken || *taken == region.getRegionNumber())
      successors.emplace_back(&region);
}

static void getBranchBounds(Operation *op, ArrayRef<Attribute> operands, SmallVectorImpl<InvocationBounds> &bounds) {
  std::optional<unsigned> taken = getTakenBranch(op, operands[0]);
  for (Region &region : op->getRegions()) {
    bool runs = taken && *taken == region.getRegionNumber();
    bounds.emplace_back(runs ? 1 : 0, !taken || runs ? 1 : 0);
  }
}

void IfOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  getBranchSuccessors(*this, point, successors);
}
void IfOp::getEntrySuccessorRegions(ArrayRef<Attribute> operands, SmallVectorImpl<RegionSuccessor> &successors) {
  getBranchEntries(*this, operands, successors);
}
void IfOp::getRegionInvocationBounds(ArrayRef<Attribute> operands, SmallVectorImpl<InvocationBounds> &bounds) {
  getBranchBounds(*this, operands, bounds);
}
bool IfOp::areTypesCompatible(Type lhs, Type rhs) { return areCompatibleTypes(lhs, rhs); }

void CaseOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  getBranchSuccessors(*this, point, successors);
}
void CaseOp::getEntrySuccessorRegions(ArrayRef<Attribute> operands, SmallVectorImpl<RegionSuccessor> &successors) {
  getBranchEntries(*this, operands, successors);
}
void CaseOp::getRegionInvocationBounds(ArrayRef<Attribute> operands, SmallVectorImpl<InvocationBounds> &bounds) {
  getBranchBounds(*this, operands, bounds);
}
bool CaseOp::areTypesCompatible(Type lhs, Type rhs) { return areCompatibleTypes(lhs, rhs); }

//===- Tuples -----------------------------------------------------------------------------------------------------===//

LogicalResult TupleOp::inferReturnTypes(MLIRContext *context, std::optional<Location>, Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  types.push_back(TupleType::get(context, adaptor.getVal().getTypes()));
  return success();
}

LogicalResult TupleOp::verify() { return verifyInferredTypes(*this, "Tuple-C1"); }

LogicalResult GetTupleElementOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                                  SmallVectorImpl<Type> &types) {
  auto tuple = dyn_cast<TupleType>(adaptor.getOperand().getType());
  if (!tuple)
    return ConstraintError(loc, getOperationName(), "GetTupleElement-C1")
           << "operand is not a tuple but " << adaptor.getOperand().getType();
  int64_t index = adaptor.getIndexAttr().getInt();
  if (index < 0 || index >= static_cast<int64_t>(tuple.size()))
    return ConstraintError(loc, getOperationName(), "GetTupleElement-C3")
           << "index " << index << " is outside of a tuple of " << counted(tuple.size(), "element");
  types.push_back(tuple.getType(index));
  return success();
}

LogicalResult GetTupleElementOp::verify() { return verifyInferredTypes(*this, "GetTupleElement-C4"); }

//===- Order ------------------------------------------------------------------------------------------------------===//

LogicalResult OptimizationBarrierOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                                      SmallVectorImpl<Type> &types) {
  llvm::append_range(types, adaptor.getOperands().getTypes());
  return success();
}

LogicalResult OptimizationBarrierOp::verify() { return verifyInferredTypes(*this, "OptimizationBarrier-C1"); }

/// A barrier "allocates" its results: so it is neither merged with another barrier nor hoisted, but goes away when
/// nothing uses it.
void OptimizationBarrierOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpResult result : getOperation()->getResults())
    effects.emplace_back(MemoryEffects::Allocate::get(), result);
}

LogicalResult AfterAllOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc, Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  for (auto [i, type] : llvm::enumerate(adaptor.getInputs().getTypes()))
    if (!isa<TokenType>(type))
      return ConstraintError(loc, getOperationName(), "AfterAll-C1")
             << "operand " << i << " is not a token but " << type;
  types.push_back(TokenType::get(context));
  return success();
}

LogicalResult AfterAllOp::verify() { return verifyInferredTypes(*this, "AfterAll-C2"); }

LogicalResult CreateTokenOp::inferReturnTypes(MLIRContext *context, std::optional<Location>, Adaptor,
                                              SmallVectorImpl<Type> &types) {
  types.push_back(TokenType::get(context));
  return success();
}

LogicalResult CreateTokenOp::verify() { return verifyInferredTypes(*this, "AfterAll-C2"); }

//===- Calls ------------------------------------------------------------------------------------------------------===//

void CustomCallOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (!getHasSideEffect())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

/// Checks that `layouts` holds one minor-to-major order per type.
static LogicalResult verifyLayouts(CustomCallOp op, StringRef kind, TypeRange types, ArrayAttr layouts) {
  if (layouts.size() != types.size())
    return ConstraintError(op.getLoc(), op.getOperationName(), "CustomCall-C4")
           << counted(layouts.size(), (kind + " layout").str()) << " for " << counted(types.size(), kind);
  for (auto [i, type, attr] : llvm::enumerate(types, layouts)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    int64_t rank = tensor ? tensor.getRank() : 0;
    auto dims = cast<DenseIntElementsAttr>(attr);
    SmallVector<int64_t> order;
    if (dims.getNumElements() == rank)
      order = llvm::map_to_vector(dims.getValues<APInt>(), [](const APInt &dim) { return dim.getSExtValue(); });
    llvm::sort(order);
    if (dims.getNumElements() != rank || !llvm::equal(order, llvm::seq<int64_t>(0, rank)))
      return ConstraintError(op.getLoc(), op.getOperationName(), "CustomCall-C4")
             << "layout " << attr << " of " << kind << ' ' << i << " is no order of the dimensions of " << type;
  }
  return success();
}

/// The type found at `path` inside nested tuples; null if there is none.
static Type typeAt(Type type, ArrayRef<int64_t> path) {
  for (int64_t index : path) {
    auto tuple = dyn_cast_or_null<TupleType>(type);
    if (!tuple || index < 0 || index >= static_cast<int64_t>(tuple.size()))
      return {};
    type = tuple.getType(index);
  }
  return type;
}

LogicalResult CustomCallOp::verify() {
  if (getCallTargetName().empty())
    return ConstraintError(getLoc(), getOperationName(), "CustomCall-C1") << "call_target_name is empty";
  if (getOperandLayouts().has_value() != getResultLayouts().has_value())
    return ConstraintError(getLoc(), getOperationName(), "CustomCall-C4")
           << "has only one of operand_layouts and result_layouts";
  TypeRange outputs = getResultTypes();
  if (getOperandLayouts()) {
    // The layouts of a single tuple result are those of its elements.
    TypeRange results = outputs;
    if (auto tuple = outputs.size() == 1 ? dyn_cast<TupleType>(outputs[0]) : TupleType())
      results = tuple.getTypes();
    if (failed(verifyLayouts(*this, "operand", getInputs().getTypes(), *getOperandLayouts())) ||
        failed(verifyLayouts(*this, "result", results, *getResultLayouts())))
      return failure();
  }
  for (auto alias : getOutputOperandAliases().getAsRange<OutputOperandAliasAttr>()) {
    // A path into the outputs starts with the number of the result when there are several.
    Type output = outputs.size() == 1 ? outputs[0] : TupleType::get(getContext(), outputs);
    output = typeAt(output, alias.getOutputTupleIndices());
    int64_t index = alias.getOperandIndex();
    Type operand =
        index >= 0 && index < static_cast<int64_t>(getInputs().size()) ? getInputs()[index].getType() : Type();
    operand = typeAt(operand, alias.getOperandTupleIndices());
    if (!output || !operand)
      return ConstraintError(getLoc(), getOperationName(), "CustomCall-C5")
             << alias << " names no " << (output ? "operand" : "output") << " of the call";
    if (!areCompatibleTypes(output, operand))
      return ConstraintError(getLoc(), getOperationName(), "CustomCall-C5")
             << alias << " names an output of type " << output << " and an operand of type " << operand;
  }
  return success();
}

LogicalResult CompositeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getDecompositionAttr());
  if (!function)
    return ConstraintError(getLoc(), getOperationName(), "Composite-C1")
           << "decomposition " << getDecompositionAttr() << " is not a function";
  auto type = FunctionType::get(getContext(), getOperandTypes(), getResultTypes());
  if (!areCompatibleTypes(function.getArgumentTypes(), getOperandTypes()) ||
      !areCompatibleTypes(function.getResultTypes(), getResultTypes()))
    return ConstraintError(getLoc(), getOperationName(), "Composite-C1")
           << "decomposition " << getDecompositionAttr() << " has type " << function.getFunctionType() << ", not "
           << type;
  return success();
}

/// Functions of xla ops may be inlined anywhere, into the regions of reductions and loops too.
namespace {
struct XlaInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Operation *, bool) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/control/ControlOps.cpp.inc"

void XlaDialect::registerControlOps() {
  addInterfaces<XlaInlinerInterface>();
  addOperations<
#define GET_OP_LIST
#include "mlir_xla/dialect/ops/control/ControlOps.cpp.inc"
      >();
}
