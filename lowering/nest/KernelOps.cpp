// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What KernelExprs can read as expressions, and how ops read each other's results.

#include "mlir_xla/lowering/nest/KernelOps.h"

#include "mlir_xla/lowering/xla_rt/XlaRtFunctions.h"

#include "mlir_xla/lowering/nest/Contraction.h"
#include "mlir_xla/lowering/nest/Cost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::xla;

static bool isScalar(Type type) { return type.isIntOrIndexOrFloat() || isa<ComplexType>(type); }

/// A scalar, or a tensor of scalars whose sizes are known.
static bool isKernelType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.hasStaticShape() && isScalar(tensor.getElementType()) : isScalar(type);
}

bool mlir::xla::isFree(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return !isa<ShapedType>(constant.getType()) || isa<SplatElementsAttr>(constant.getValue());
  if (isa<tensor::ExtractOp, complex::ConstantOp, linalg::FillOp, tensor::EmptyOp, tensor::ExtractSliceOp,
          tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return true;
  return isa<arith::ArithDialect>(op->getDialect()) &&
         llvm::all_of(op->getResultTypes(), [](Type type) { return type.isIntOrIndexOrFloat(); });
}

bool mlir::xla::isComputing(Operation *op) {
  return isa<linalg::LinalgOp, tensor::InsertSliceOp, rt::ScanOp>(op) && !isa<linalg::FillOp>(op);
}

bool mlir::xla::isViewOfMemory(Value value, llvm::function_ref<bool(Operation *)> computes) {
  if (!value.getDefiningOp<tensor::CollapseShapeOp>() && !value.getDefiningOp<tensor::ExpandShapeOp>())
    return false;
  Value source = value.getDefiningOp()->getOperand(0);
  Operation *op = source.getDefiningOp();
  return !op || isViewOfMemory(source, computes) || (!computes(op) && !isFree(op));
}

SmallVector<Value> mlir::xla::valuesRead(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  if (op->getNumRegions())
    getUsedValuesDefinedAbove(op->getRegions(), values);
  return values.takeVector();
}

/// True if a body may hold `op`, whose own regions are looked at by themselves.
static bool isScalarOp(Operation *op) {
  if (!llvm::all_of(op->getResultTypes(), isScalar))
    return false;
  if (isa<arith::ArithDialect, math::MathDialect, complex::ComplexDialect>(op->getDialect()))
    return op->getNumRegions() == 0;
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return branch.getNumResults() && branch.getThenRegion().hasOneBlock() && branch.getElseRegion().hasOneBlock();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    auto isConstant = [](Value value) { return getConstantIntValue(value).has_value(); };
    return loop.getNumResults() && loop.getInductionVar().use_empty() && isConstant(loop.getLowerBound()) &&
           isConstant(loop.getUpperBound()) && isConstant(loop.getStep());
  }
  return isa<tensor::ExtractOp, linalg::IndexOp, linalg::YieldOp, scf::YieldOp, rt::YieldOp, rt::ZetaOp,
             rt::PolygammaOp, rt::LgammaLeftOp, rt::DigammaLeftOp>(op);
}

/// Why the loops of `op` are not those of a nest; empty if they are.
static StringRef whyNotNest(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() == 0)
    return "it does not yield tensors";
  if (llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.getNumSymbols() != 0; }))
    return "an indexing map has symbols";
  AffineMap first = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    if (!map.isProjectedPermutation() || map.getNumResults() != op.getNumParallelLoops())
      return "a result map is not a permutation of the parallel loops";
    for (AffineExpr expr : map.getResults())
      if (kinds[cast<AffineDimExpr>(expr).getPosition()] != utils::IteratorType::parallel)
        return "a result map is not a permutation of the parallel loops";
    if (op.getNumReductionLoops() && map != first)
      return "the results of a reduction have different maps";
  }
  return {};
}

/// Why `op` by itself has no expression; empty if it has.
static StringRef whyNotAlone(Operation *op) {
  if (!llvm::all_of(op->getResultTypes(), isKernelType) || !llvm::all_of(op->getOperandTypes(), isKernelType))
    return "a type has no static shape or scalar elements";
  auto isStatic = [](ArrayRef<int64_t> sizes) { return !ShapedType::isDynamicShape(sizes); };
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op); slice && !isStatic(slice.getStaticStrides()))
    return "a stride is not a constant";
  if (auto update = dyn_cast<tensor::InsertSliceOp>(op); update && !isStatic(update.getStaticStrides()))
    return "a stride is not a constant";
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return whyNotNest(linalgOp);
  if (!isFree(op) && !isComputing(op))
    return "the operation has no elementwise meaning";
  return {};
}

static void refuse(KernelOp &info, StringRef why, Operation *about) {
  if (!why.empty() && info.refusal.empty()) {
    info.refusal = why;
    info.refused = about;
  }
}

bool KernelOp::isExpensive() {
  if (!expensive)
    expensive = op->walk([&](Operation *inner) {
                    return inner != op && xla::isExpensive(inner) ? WalkResult::interrupt() : WalkResult::advance();
                  }).wasInterrupted();
  return *expensive;
}

/// Looks whether the body is scalar code. Returns what it captures.
static llvm::SetVector<Value> readBody(KernelOp &info) {
  llvm::SetVector<Value> captures;
  info.op->walk([&](Operation *inner) {
    if (inner == info.op)
      return;
    if (!isScalarOp(inner))
      refuse(info, "the operation is not a scalar computation", inner);
    if (isa<scf::ForOp>(inner->getParentOp()) && isa<scf::IfOp, tensor::ExtractOp, linalg::IndexOp>(inner))
      refuse(info, "a loop in a body is arithmetic", inner);
    info.hasLoop |= isa<scf::ForOp>(inner);
    for (Value operand : inner->getOperands())
      if (!info.op->isAncestor(operand.getParentBlock()->getParentOp())) {
        captures.insert(operand);
        if (!isKernelType(operand.getType()))
          refuse(info, "a type has no static shape or scalar elements", inner);
      }
  });
  return captures;
}

/// The loops in the order that a nest has them.
static void readLoops(KernelOp &info) {
  if (!info.refusal.empty() || !info.op->getNumResults())
    return;
  if (auto type = dyn_cast<RankedTensorType>(info.op->getResult(0).getType()))
    info.sizes.assign(type.getShape().begin(), type.getShape().end());
  info.numParallel = info.sizes.size();
  info.isScan = isa<rt::ScanOp>(info.op);
  if (!info.linalgOp)
    return;
  linalg::LinalgOp op = info.linalgOp;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  while (info.leadingLoops < map.getNumResults() && map.getDimPosition(info.leadingLoops) == info.leadingLoops)
    ++info.leadingLoops;
  info.bodySize = op.getBlock()->getOperations().size() - 1;
  info.isReduction = op.getNumReductionLoops() > 0;
  if (!info.isReduction)
    return;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction)
      info.sizes.push_back(ranges[loop]);
}

/// How the indices at which `op` reads `read.value` compare with its loops and with the indices of its own result.
static void compareIndices(KernelOp::Read &read, linalg::LinalgOp op) {
  AffineMap own = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  read.leading = own.getNumResults();
  read.isWhole = true;
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.get() != read.value)
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    unsigned same = 0;
    while (same < std::min(map.getNumResults(), own.getNumResults()) && map.getResult(same) == own.getResult(same))
      ++same;
    read.leading = std::min(read.leading, same);
    read.isWhole &= same == map.getNumResults() && same == own.getNumResults();
    read.isPrefix |= op.isDpsInput(&operand) && llvm::all_of(llvm::enumerate(map.getResults()), [](auto entry) {
                       auto dim = dyn_cast<AffineDimExpr>(entry.value());
                       return dim ? dim.getPosition() == entry.index() : isa<AffineConstantExpr>(entry.value());
                     });
  }
}

bool mlir::xla::readsByOwnIndices(const KernelOp &op, Value value) {
  linalg::LinalgOp reader = op.linalgOp;
  if (!reader)
    return false;
  AffineMap own = reader.getMatchingIndexingMap(reader.getDpsInitOperand(0));
  for (OpOperand &operand : reader->getOpOperands())
    if (operand.get() == value && (!reader.isDpsInput(&operand) || reader.getMatchingIndexingMap(&operand) != own))
      return false;
  // Other uses are in the body.
  return llvm::all_of(value.getUses(),
                      [&](OpOperand &use) { return use.getOwner() == reader || !reader->isAncestor(use.getOwner()); });
}

void KernelOps::readThrough(KernelOp &reader, Value value, Operation *user, bool isDirect,
                            llvm::SmallPtrSetImpl<Operation *> &seen) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return;
  if (isComputing(op)) {
    if (op->getBlock() != &block)
      return;
    KernelOp::Read read{&get(op), value, user, isDirect};
    if (isDirect && reader.linalgOp && reader.refusal.empty())
      compareIndices(read, reader.linalgOp);
    // The loops of an update are those of what it writes.
    if (auto update = dyn_cast<tensor::InsertSliceOp>(reader.op);
        update && isDirect && value == update.getSource() && value != update.getDest()) {
      read.leading = update.getSourceType().getRank();
      read.isWhole = true;
    }
    reader.reads.push_back(read);
    return;
  }
  if (!isFree(op) || !seen.insert(op).second)
    return;
  refuse(reader, whyNotAlone(op), op);
  for (Value operand : op->getOperands())
    readThrough(reader, operand, op, /*isDirect=*/false, seen);
}

KernelOp &KernelOps::get(Operation *op) {
  auto [it, inserted] = known.try_emplace(op);
  if (!inserted)
    return *it->second;
  KernelOp &info = storage.emplace_back();
  it->second = &info;
  info.op = op;
  info.linalgOp = isComputing(op) ? dyn_cast<linalg::LinalgOp>(op) : linalg::LinalgOp();
  refuse(info, whyNotAlone(op), op);
  llvm::SetVector<Value> captures = readBody(info);
  readLoops(info);
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  values.insert(captures.begin(), captures.end());
  info.values = values.takeVector();
  auto isRead = [&](OpOperand &operand) {
    return !info.linalgOp || info.linalgOp.isDpsInput(&operand) || info.linalgOp.payloadUsesValueFromOperand(&operand);
  };
  llvm::SmallPtrSet<Operation *, 8> seen;
  for (Value value : info.values) {
    bool isCaptured = captures.contains(value);
    // The destination of an elementwise op is not read.
    if (isCaptured || llvm::any_of(op->getOpOperands(),
                                   [&](OpOperand &operand) { return operand.get() == value && isRead(operand); }))
      readThrough(info, value, op, /*isDirect=*/!isCaptured && isComputing(op), seen);
  }
  return info;
}

void KernelOps::findUsers(Value value, KernelOp::Users &found) {
  for (Operation *user : value.getUsers()) {
    while (user && user->getBlock() != &block)
      user = user->getParentOp();
    if (user && isComputing(user))
      found.readers.push_back(&get(user));
    else if (user && isFree(user) && !isa<tensor::EmptyOp>(user))
      llvm::for_each(user->getResults(), [&](Value result) { findUsers(result, found); });
    else
      found.byOthers = true;
  }
}

ArrayRef<KernelOp::Users> KernelOps::usersOf(KernelOp &op) {
  if (op.users.empty()) {
    op.users.resize(op.op->getNumResults());
    for (auto [result, users] : llvm::zip_equal(op.op->getResults(), op.users))
      findUsers(result, users);
  }
  return op.users;
}

KernelKind KernelOps::kindOf(KernelOp &reduction) {
  if (!reduction.kind)
    reduction.kind = matchContraction(reduction.op)                          ? KernelKind::Contraction
                     : linalg::isaConvolutionOpInterface(reduction.linalgOp) ? KernelKind::Convolution
                                                                             : KernelKind::Reduction;
  return *reduction.kind;
}
