// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-share-kernels`: layers of a network have kernels in common, which are planned, emitted and compiled once. So
// have the phases of a transposed convolution and the steps of a loop that is written out, but for offsets and numbers.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/nest/Contraction.h"
#include "mlir_xla/lowering/nest/Cost.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::xla {
#define GEN_PASS_DEF_SHAREKERNELS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

namespace {

/// Equal for equal kernels, whatever their offsets are. Attributes of ops are left out: most are properties, which take
/// long to look at.
llvm::hash_code fingerprint(func::FuncOp kernel) {
  llvm::hash_code hash = llvm::hash_combine(Type(kernel.getFunctionType()));
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<arith::ConstantOp>(op))
      return;
    hash = llvm::hash_combine(hash, op->getName(), op->getNumOperands());
    for (Type type : op->getResultTypes())
      hash = llvm::hash_combine(hash, type);
  });
  return hash;
}

/// Equal for equal kernels; differs, as a rule, for those that differ in constants or offsets.
llvm::hash_code fingerprintOfAll(func::FuncOp kernel, llvm::hash_code hash) {
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      hash = llvm::hash_combine(hash, Attribute(constant.getValue()));
    else if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op))
      hash = llvm::hash_combine(hash, llvm::hash_combine_range(slice.getStaticOffsets()));
  });
  return hash;
}

/// True if the two differ in their names and locations only.
bool areEqual(func::FuncOp first, func::FuncOp second) {
  auto nameless = [](func::FuncOp function) {
    func::FuncOp::Properties properties = function.getProperties();
    properties.sym_name = nullptr;
    return properties;
  };
  return first->getDiscardableAttrDictionary() == second->getDiscardableAttrDictionary() &&
         nameless(first) == nameless(second) &&
         OperationEquivalence::isRegionEquivalentTo(&first.getBody(), &second.getBody(),
                                                    OperationEquivalence::IgnoreLocations);
}

/// Does `user` multiply elements, or add something to them? More is known of the results of other operations if one
/// operand is a constant, and of what is rounded to bf16.
bool addsOrMultiplies(Operation *user) {
  auto isBrain = [](Type type) { return getElementTypeOrSelf(type).isBF16(); };
  auto generic = dyn_cast<linalg::GenericOp>(user->getParentOp());
  return generic && isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(user) &&
         llvm::none_of(generic->getOperandTypes(), isBrain);
}

/// The number, if `constant` is one that elements are multiplied by or that is added to them, or a tensor of it.
FloatAttr termOrFactor(arith::ConstantOp constant) {
  Attribute value = constant.getValue();
  if (auto elements = dyn_cast<SplatElementsAttr>(value))
    value = elements.getSplatValue<Attribute>();
  auto number = dyn_cast<FloatAttr>(value);
  bool isOperand = number && llvm::all_of(constant->getUses(), [](OpOperand &use) {
                     auto generic = dyn_cast<linalg::GenericOp>(use.getOwner());
                     if (!generic)
                       return addsOrMultiplies(use.getOwner());
                     return generic.isDpsInput(&use) &&
                            llvm::all_of(generic.getMatchingBlockArgument(&use).getUsers(), addsOrMultiplies);
                   });
  return isOperand ? number : FloatAttr();
}

void replaceNumber(arith::ConstantOp constant, Value number) {
  OpBuilder b(constant);
  if (auto tensor = dyn_cast<RankedTensorType>(constant.getType())) {
    Value empty = tensor::EmptyOp::create(b, constant.getLoc(), tensor.getShape(), tensor.getElementType());
    number = linalg::FillOp::create(b, constant.getLoc(), number, empty).getResult(0);
  }
  constant.replaceAllUsesWith(number);
  constant.erase();
}

/// Offers each constant offset of a slice, each constant that is added to an index or subtracted from it, and each
/// term or factor of elements, in the order of the kernel; takes the value that `replace` has for it, if any.
void replaceConstants(func::FuncOp kernel, function_ref<Value(TypedAttr)> replace) {
  kernel.walk([&](Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      FloatAttr number = termOrFactor(constant);
      if (Value value = number ? replace(number) : Value())
        replaceNumber(constant, value);
      return;
    }
    if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op)) {
      SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
      bool changed = false;
      for (OpFoldResult &offset : offsets)
        if (auto constant = dyn_cast<Attribute>(offset))
          if (Value value =
                  replace(IntegerAttr::get(IndexType::get(op->getContext()), cast<IntegerAttr>(constant).getInt()))) {
            offset = value;
            changed = true;
          }
      if (!changed)
        return;
      OpBuilder b(op);
      Operation *moved;
      if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
        moved = tensor::InsertSliceOp::create(b, op->getLoc(), insert.getSource(), insert.getDest(), offsets,
                                              slice.getMixedSizes(), slice.getMixedStrides());
      else
        moved = tensor::ExtractSliceOp::create(b, op->getLoc(), cast<RankedTensorType>(op->getResult(0).getType()),
                                               cast<tensor::ExtractSliceOp>(op).getSource(), offsets,
                                               slice.getMixedSizes(), slice.getMixedStrides());
      op->replaceAllUsesWith(moved);
      op->erase();
    } else if (isa<arith::AddIOp, arith::SubIOp>(op) && op->getResult(0).getType().isIndex()) {
      for (OpOperand &operand : op->getOpOperands())
        if (auto constant = operand.get().getDefiningOp<arith::ConstantIndexOp>())
          if (Value value = replace(cast<TypedAttr>(constant.getValueAttr()))) {
            operand.set(value);
            if (constant->use_empty())
              constant->erase();
          }
    }
  });
}

/// A copy of a kernel that has none of these constants, but takes them all from its caller.
struct WithoutConstants {
  explicit WithoutConstants(func::FuncOp kernel) : kernel(kernel), copy(kernel.clone()) {
    replaceConstants(*copy, [&](TypedAttr constant) {
      constants.push_back(constant);
      return take(*copy, constant.getType());
    });
  }

  static Value take(func::FuncOp kernel, Type type) {
    unsigned last = kernel.getNumArguments();
    (void)kernel.insertArgument(last, type, {}, kernel.getLoc());
    return kernel.getArgument(last);
  }

  func::FuncOp kernel;
  OwningOpRef<func::FuncOp> copy;
  SmallVector<TypedAttr> constants;
};

/// Does it take long to compile: for a sum of products, a function, or many operations?
bool isLong(func::FuncOp kernel) {
  constexpr int64_t manyOperations = 48;
  int64_t operations = 0;
  return kernel
      .walk([&](Operation *op) {
        auto generic = dyn_cast<linalg::GenericOp>(op);
        bool isLong = (generic && isSumOfProducts(generic)) || isLongCode(op) || ++operations >= manyOperations;
        return isLong ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

struct ShareKernelsPass : mlir::xla::impl::ShareKernelsBase<ShareKernelsPass> {
  using ShareKernelsBase::ShareKernelsBase;

  void runOnOperation() override {
    calls.clear();
    ModuleOp module = getOperation();
    llvm::MapVector<size_t, SmallVector<func::FuncOp, 1>> kept; // alike but for constants and offsets
    DenseMap<size_t, SmallVector<func::FuncOp, 1>> candidates;
    DenseMap<StringAttr, FlatSymbolRefAttr> replacements;
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (!function->hasAttr(XlaRtDialect::kKernel) || function.isExternal())
        continue;
      llvm::hash_code hash = fingerprint(function);
      SmallVector<func::FuncOp, 1> &alike = candidates[fingerprintOfAll(function, hash)];
      auto *equal = llvm::find_if(alike, [&](func::FuncOp other) { return areEqual(other, function); });
      if (equal == alike.end()) {
        alike.push_back(function);
        kept[hash].push_back(function);
        continue;
      }
      replacements[function.getSymNameAttr()] = FlatSymbolRefAttr::get(equal->getSymNameAttr());
      function.erase();
    }
    module.walk([&](func::CallOp call) {
      if (FlatSymbolRefAttr other = replacements.lookup(call.getCalleeAttr().getAttr()))
        call.setCalleeAttr(other);
      calls.push_back(call);
    });
    if (constants)
      for (auto &[hash, alike] : kept)
        shareButForConstants(alike);
  }

private:
  void shareButForConstants(ArrayRef<func::FuncOp> kernels) {
    if (kernels.size() < 2 || !isLong(kernels[0]))
      return;
    SmallVector<SmallVector<WithoutConstants>> groups;
    DenseMap<size_t, SmallVector<size_t, 1>> known; // of these, by the constants that are left
    for (func::FuncOp kernel : kernels) {
      WithoutConstants member(kernel);
      SmallVector<size_t, 1> &alike = known[fingerprintOfAll(*member.copy, {})];
      auto *equal = llvm::find_if(alike, [&](size_t group) { return areEqual(*groups[group][0].copy, *member.copy); });
      if (equal == alike.end()) {
        alike.push_back(groups.size());
        equal = &alike.back();
        groups.emplace_back();
      }
      groups[*equal].push_back(std::move(member));
    }
    for (ArrayRef<WithoutConstants> group : groups)
      if (group.size() > 1)
        shareGroup(group);
  }

  /// The first kernel takes those in which the others differ; those that always agree are one argument.
  void shareGroup(ArrayRef<WithoutConstants> group) {
    func::FuncOp kernel = group[0].kernel;
    llvm::MapVector<SmallVector<Attribute>, Value> taken;
    unsigned position = 0;
    replaceConstants(kernel, [&](TypedAttr constant) -> Value {
      SmallVector<Attribute> values = llvm::map_to_vector(
          group, [&](const WithoutConstants &member) { return Attribute(member.constants[position]); });
      ++position;
      if (llvm::all_equal(values))
        return {};
      Value &argument = taken[values];
      if (!argument)
        argument = WithoutConstants::take(kernel, constant.getType());
      return argument;
    });
    DenseMap<StringAttr, unsigned> members;
    for (auto [number, member] : llvm::enumerate(group))
      members[func::FuncOp(member.kernel).getSymNameAttr()] = number;
    for (func::CallOp call : calls) {
      auto member = members.find(call.getCalleeAttr().getAttr());
      if (member == members.end())
        continue;
      OpBuilder b(call);
      for (auto &[values, argument] : taken) {
        auto constant = cast<TypedAttr>(values[member->second]);
        call->insertOperands(call.getNumOperands(), Value(arith::ConstantOp::create(b, call.getLoc(), constant)));
      }
      call.setCallee(kernel.getSymName());
    }
    for (const WithoutConstants &member : group.drop_front())
      func::FuncOp(member.kernel).erase();
  }

  SmallVector<func::CallOp> calls; // of kernels, and what else the module calls
};

} // namespace
