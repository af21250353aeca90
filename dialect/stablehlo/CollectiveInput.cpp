// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/dialect/stablehlo/CollectiveInput.h"
#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::xla;

static constexpr StringLiteral kUnsupported = "is not supported: a program runs on one device here";

/// `all_reduce` of `stablehlo.all_reduce`; empty if the name is of another dialect.
static StringRef mnemonicOf(StringRef name) {
  auto [dialect, mnemonic] = name.split('.');
  return dialect == "stablehlo" || dialect == "mhlo" ? mnemonic : StringRef();
}

static bool asksForNumber(StringRef mnemonic) { return mnemonic == "partition_id" || mnemonic == "replica_id"; }

bool mlir::xla::isCollectiveOp(StringRef name) {
  StringRef mnemonic = mnemonicOf(name);
  return asksForNumber(mnemonic) || llvm::is_contained({"all_gather", "all_reduce", "all_to_all",
                                                        "collective_broadcast", "collective_permute", "reduce_scatter"},
                                                       mnemonic);
}

ParseResult mlir::xla::parseCollectiveOp(OpAsmParser &parser, OperationState &state) {
  StringRef name = state.name.getStringRef();
  if (!asksForNumber(mnemonicOf(name)))
    return parser.emitError(parser.getNameLoc()) << "has only the generic form, \"" << name << "\"(...)";
  return failure(parser.parseOptionalAttrDict(state.attributes) || parser.parseColonTypeList(state.types));
}

/// The attribute of the op, which holds what it was given: in its properties or beside them.
static Attribute attributeOf(Operation *op, StringRef name) {
  if (auto properties = dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
    if (Attribute attribute = properties.get(name))
      return attribute;
  return op->getAttr(name);
}

/// How many devices the module is for, as far as it says so.
static int64_t devicesOf(Operation *op, StringRef name) {
  while (op->getParentOp())
    op = op->getParentOp();
  auto number = op->getAttrOfType<IntegerAttr>(name);
  return number ? number.getInt() : 1;
}

static LogicalResult unsupported(Operation *op, const Twine &what) {
  return op->emitError() << "'" << op->getName().getStringRef() << "' " << what << " " << kUnsupported;
}

/// Whether each group that talks is a single device.
static LogicalResult verifyGroups(Operation *op) {
  auto groups = dyn_cast_or_null<DenseIntElementsAttr>(attributeOf(op, "replica_groups"));
  if (!groups || groups.getType().getRank() != 2)
    return op->emitError() << "'" << op->getName().getStringRef()
                           << "' needs replica_groups, a constant of two dimensions";
  int64_t size = groups.getType().getDimSize(1);
  // No groups: all devices are one.
  if (groups.empty())
    size = devicesOf(op, "mhlo.num_partitions") * devicesOf(op, "mhlo.num_replicas");
  if (size != 1)
    return unsupported(op, "among " + Twine(size) + " devices");
  // No device is in two groups.
  DenseSet<int64_t> seen;
  for (const APInt &device : groups.getValues<APInt>())
    if (device.isNegative() || !seen.insert(device.getSExtValue()).second)
      return op->emitError() << "'" << op->getName().getStringRef() << "' has replica_groups with device "
                             << device.getSExtValue() << (device.isNegative() ? ", which is none" : " twice");
  return success();
}

/// What one device sends itself, at most once.
static LogicalResult verifyPairs(Operation *op) {
  auto pairs = dyn_cast_or_null<DenseIntElementsAttr>(attributeOf(op, "source_target_pairs"));
  if (!pairs || pairs.getType().getRank() != 2 || pairs.getType().getDimSize(1) != 2)
    return op->emitError() << "'" << op->getName().getStringRef()
                           << "' needs source_target_pairs, a constant of N by 2";
  if (!llvm::all_of(pairs.getValues<APInt>(), [](const APInt &device) { return device.isZero(); }))
    return unsupported(op, "among several devices");
  if (pairs.getType().getDimSize(0) > 1)
    return op->emitError() << "'" << op->getName().getStringRef() << "' has the same source in two pairs";
  return success();
}

LogicalResult mlir::xla::verifyCollectiveOp(Operation *op) {
  StringRef mnemonic = mnemonicOf(op->getName().getStringRef());
  if (asksForNumber(mnemonic)) {
    auto type = op->getNumResults() == 1 ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : RankedTensorType();
    if (op->getNumOperands() != 0 || !type || type.getRank() != 0 || !type.getElementType().isUnsignedInteger(32))
      return op->emitError() << "'" << op->getName().getStringRef() << "' takes nothing and gives tensor<ui32>";
    int64_t devices = devicesOf(op, mnemonic == "partition_id" ? "mhlo.num_partitions" : "mhlo.num_replicas");
    return devices == 1 ? success() : unsupported(op, "of " + Twine(devices) + " devices");
  }
  if (op->getNumOperands() == 0 || op->getNumSuccessors() != 0)
    return op->emitError() << "'" << op->getName().getStringRef() << "' takes at least one operand";
  if (failed(mnemonic == "collective_permute" ? verifyPairs(op) : verifyGroups(op)))
    return failure();
  bool reduces = mnemonic == "all_reduce" || mnemonic == "reduce_scatter";
  if (reduces && (op->getNumRegions() != 1 || op->getRegion(0).empty()))
    return op->emitError() << "'" << op->getName().getStringRef() << "' needs a computation";
  auto parts = dyn_cast_or_null<IntegerAttr>(attributeOf(op, "split_count"));
  if (mnemonic == "all_to_all" && (!parts || parts.getInt() != 1))
    return op->emitError() << "'" << op->getName().getStringRef()
                           << "' needs a split_count of 1, the number of devices in a group";
  if (op->getOperandTypes() == op->getResultTypes() &&
      llvm::all_of(op->getOperandTypes(), [](Type type) { return isa<RankedTensorType>(type); }))
    return success();
  return op->emitError() << "'" << op->getName().getStringRef() << "' from (" << op->getOperandTypes() << ") to ("
                         << op->getResultTypes() << ") " << kUnsupported;
}

/// Zeros of the type of `value`, in front of `op`; null if its shape is not static, or its elements have no zero.
static Value zerosLike(Operation *op, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  auto element = dyn_cast<FloatType>(type.getElementType());
  if (!type.hasStaticShape() || (element && !APFloat::semanticsHasZero(element.getFloatSemantics())))
    return {};
  OpBuilder b(op);
  auto scalar = RankedTensorType::get({}, type.getElementType());
  Attribute zero;
  if (auto complex = dyn_cast<ComplexType>(type.getElementType())) {
    Attribute part = b.getZeroAttr(complex.getElementType());
    zero = DenseElementsAttr::get(scalar,
                                  std::complex(cast<FloatAttr>(part).getValue(), cast<FloatAttr>(part).getValue()));
  } else if (auto integer = dyn_cast<IntegerType>(type.getElementType())) {
    zero = DenseElementsAttr::get(scalar, APInt(integer.getWidth(), 0));
  } else {
    zero = DenseElementsAttr::get(scalar, b.getZeroAttr(type.getElementType()));
  }
  Value splat = ConstantOp::create(b, op->getLoc(), cast<ElementsAttr>(zero));
  return type.getRank() == 0
             ? splat
             : BroadcastInDimOp::create(b, op->getLoc(), type, splat, b.getDenseI64ArrayAttr({})).getResult();
}

LogicalResult mlir::xla::expandCollectiveOp(Operation *op) {
  if (failed(verifyCollectiveOp(op)))
    return failure();
  SmallVector<Value> results(op->getOperands());
  auto pairs = dyn_cast_or_null<DenseIntElementsAttr>(attributeOf(op, "source_target_pairs"));
  bool nobodySends = mnemonicOf(op->getName().getStringRef()) == "collective_permute" && pairs.empty();
  if (nobodySends || results.empty()) {
    results.clear();
    for (Value result : op->getResults())
      if (!results.emplace_back(zerosLike(op, result)))
        return op->emitError() << "'" << op->getName().getStringRef()
                               << "' needs a static shape, of elements that have a zero";
  }
  op->replaceAllUsesWith(results);
  op->erase();
  return success();
}
