// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise code around a transform as functions of one element. Such a function is the only nest of a kernel of its
// own whose indices follow from the number of the element, and in which the element is no memory of a tensor.

#include "mlir_xla/lowering/gpu/TransformEnds.h"

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/NestEmitter.h"
#include "mlir_xla/lowering/nest/Cost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::xla;

/// Instructions of an element, about; they are there for each element that a thread has at a time.
static constexpr unsigned kMostInstructions = 128;
/// Elements between those of neighbouring threads, at most, of arrays that are larger than a few lines of the cache.
static constexpr int64_t kNear = 2, kSmallBytes = 4 << 10;

//===- What is around a transform ---------------------------------------------------------------------------------===//

/// Calls `visit` with all ops that compute `value` of arguments and of `end`.
static void walkSlice(Value value, Value end, function_ref<void(Operation *)> visitOp,
                      function_ref<void(BlockArgument)> visitArgument) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] == end)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(values[i])) {
      visitArgument(argument);
      continue;
    }
    Operation *op = values[i].getDefiningOp();
    visitOp(op);
    values.insert_range(op->getOperands());
    op->walk([&](Operation *inner) { // what a body reads itself
      for (Value operand : inner->getOperands())
        if (operand.getParentRegion()->isProperAncestor(inner->getParentRegion()) &&
            !op->isAncestor(operand.getParentRegion()->getParentOp()))
          values.insert(operand);
    });
  }
}

/// What the kernel returns.
static Value returnedBy(rt::LibraryCallOp op) { return op->getBlock()->getTerminator()->getOperand(0); }

TransformEnds TransformEnds::of(rt::LibraryCallOp op) {
  TransformEnds ends;
  // Only in a kernel of its own has a transform something around it that is a part of it.
  auto kernel = dyn_cast<func::FuncOp>(op->getParentOp());
  if (op.getInputs().size() != 1 || !kernel || !kernelOf(kernel))
    return ends;
  Value operand = op.getInputs()[0], transformed = op.getResult(0), result = returnedBy(op);
  ends.loads = !isa<BlockArgument>(operand);
  ends.stores = result != transformed;
  auto elements = [](Value value) { return cast<RankedTensorType>(value.getType()).getNumElements(); };
  auto describe = [&](Value value, Value end, int64_t &read, int64_t &operations) {
    walkSlice(
        value, end,
        [&](Operation *inner) {
          if (isa<linalg::LinalgOp>(inner))
            operations += elements(inner->getResult(0)) * operationsOf(inner);
        },
        [&](BlockArgument argument) {
          auto type = cast<RankedTensorType>(argument.getType());
          read += std::min(bufferBytes(type), elements(value) * elementStorageBytes(type.getElementType()));
        });
  };
  if (ends.loads)
    describe(operand, Value(), ends.read, ends.loading);
  if (ends.stores) {
    describe(result, transformed, ends.readBehind, ends.storing);
    ends.written = bufferBytes(cast<ShapedType>(result.getType()));
  }
  return ends;
}

//===- Functions of one element -----------------------------------------------------------------------------------===//

namespace {

/// How the indices of a nest follow from the number of an element: along these dimensions, outermost first, elements
/// are so far from each other.
struct ElementOrder {
  int64_t first = 0;
  SmallVector<unsigned> dims;
  SmallVector<int64_t> strides;
  bool isWhole = false; // each of so many elements has its place in the nest

  static std::optional<ElementOrder> of(const Address &address, const LoopNest &nest, int64_t elements);
};

} // namespace

/// Nothing if two iterations could have the same element.
std::optional<ElementOrder> ElementOrder::of(const Address &address, const LoopNest &nest, int64_t elements) {
  if (!address.symbols.empty() || !address.nonlinear.empty())
    return std::nullopt;
  ElementOrder order;
  order.first = address.constant;
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim)
    if (nest.sizes[dim] > 1)
      order.dims.push_back(dim);
  llvm::stable_sort(order.dims, [&](unsigned a, unsigned b) { return address.dims[a] > address.dims[b]; });
  int64_t last = 0, dense = 1; // of the elements within an iteration, and how many they are without gaps
  order.isWhole = order.first == 0;
  for (unsigned dim : llvm::reverse(order.dims)) {
    int64_t stride = address.dims[dim];
    if (stride <= last)
      return std::nullopt;
    order.isWhole &= stride == dense;
    dense *= nest.sizes[dim];
    last += stride * (nest.sizes[dim] - 1);
    order.strides.push_back(stride);
  }
  std::reverse(order.strides.begin(), order.strides.end());
  if (order.first < 0 || order.first + last >= elements)
    return std::nullopt;
  order.isWhole &= dense == elements;
  return order;
}

/// The only nest of a kernel, of elementwise code with one result; null if there is something else in it.
static LoopNest *onlyNest(KernelNests &nests) {
  if (nests.nests.size() != 1 || !nests.rows.empty())
    return nullptr;
  LoopNest &nest = nests.nests.front();
  bool isTied = llvm::any_of(nests.tied, [](int32_t argument) { return argument >= 0; });
  return nest.stores.size() == 1 && nest.reductions.empty() && nest.epilogue.empty() && !isTied ? &nest : nullptr;
}

static int64_t elementsOf(Value tensor) { return cast<RankedTensorType>(tensor.getType()).getNumElements(); }

/// Whether neighbouring threads read neighbours of all but small arrays, and an element is little code. `order` is that
/// of elements, `own` the slot that has none in memory.
static bool isCheap(func::FuncOp kernel, const LoopNest &nest, const ElementOrder &order, unsigned own) {
  SmallVector<ExprNode *> nodes = nest.nodes();
  if (instructionsOf(nodes) > kMostInstructions)
    return false;
  return llvm::all_of(nodes, [&](ExprNode *node) {
    if (node->kind == ExprNode::Apply && node->op->getNumRegions())
      return false;
    if (node->kind != ExprNode::Load || node->buffer.slot == own)
      return true;
    if (!node->address.symbols.empty() || !node->address.nonlinear.empty())
      return false;
    int64_t stride = order.dims.empty() ? 0 : node->address.dims[order.dims.back()];
    // All arguments are tensors, so a slot is one of them.
    return std::abs(stride) <= kNear ||
           bufferBytes(cast<ShapedType>(kernel.getArgumentTypes()[node->buffer.slot])) <= kSmallBytes;
  });
}

static bool hasTensorsOnly(func::FuncOp kernel) {
  return kernel.getNumResults() == 1 &&
         llvm::all_of(kernel.getArgumentTypes(), [](Type type) { return isa<RankedTensorType>(type); });
}

/// The number of the element that an iteration of the nest writes.
static std::optional<ElementOrder> orderOfResult(func::FuncOp kernel, const LoopNest &nest) {
  return ElementOrder::of(nest.stores[0].address, nest,
                          cast<RankedTensorType>(kernel.getResultTypes()[0]).getNumElements());
}

/// The loads of a slot, if they are of the same element, which is there in each iteration.
static SmallVector<ExprNode *> loadsOf(unsigned slot, const LoopNest &nest) {
  SmallVector<ExprNode *> loads;
  for (ExprNode *node : nest.nodes())
    if (node->kind == ExprNode::Load && node->buffer.slot == slot)
      loads.push_back(node);
  if (!llvm::all_of(loads, [&](ExprNode *load) { return load->address == loads[0]->address; }))
    loads.clear();
  return loads;
}

bool mlir::xla::isElementFunction(func::FuncOp kernel) {
  if (!hasTensorsOnly(kernel))
    return false;
  FailureOr<KernelNests> nests = nestsOf(kernel, /*onDevice=*/true);
  LoopNest *nest = succeeded(nests) ? onlyNest(*nests) : nullptr;
  std::optional<ElementOrder> order = nest ? orderOfResult(kernel, *nest) : std::nullopt;
  return order && order->isWhole && isCheap(kernel, *nest, *order, /*own=*/~0u);
}

bool mlir::xla::isFunctionOfElement(func::FuncOp kernel, unsigned argument) {
  if (!hasTensorsOnly(kernel))
    return false;
  FailureOr<KernelNests> nests = nestsOf(kernel, /*onDevice=*/true);
  LoopNest *nest = succeeded(nests) ? onlyNest(*nests) : nullptr;
  SmallVector<ExprNode *> loads = nest ? loadsOf(argument, *nest) : SmallVector<ExprNode *>();
  if (loads.empty())
    return false;
  std::optional<ElementOrder> order =
      ElementOrder::of(loads[0]->address, *nest, elementsOf(kernel.getArgument(argument)));
  if (!order || !isCheap(kernel, *nest, *order, argument))
    return false;
  std::optional<ElementOrder> written = orderOfResult(kernel, *nest);
  return written && written->isWhole &&
         (order->dims.empty() || std::abs(nest->stores[0].address.dims[order->dims.back()]) <= kNear);
}

namespace {

/// Emits the code of one iteration.
class ElementEmitter : NestEmitter {
public:
  ElementEmitter(ImplicitLocOpBuilder &builder, Block *entry, KernelExprs &exprs, ArrayRef<Value> slots)
      : NestEmitter(builder, entry, exprs, slots, {}, /*onDevice=*/true) {}

  /// That of the element with this number, one of so many, if the nest has one.
  void emitElement(LoopNest &theNest, const ElementOrder &order, Value number, int64_t elements) {
    nest = &theNest;
    plan = &scalar;
    iv.assign(exprs.noDeps().size(), Value());
    ivLevel.assign(iv.size(), 0);
    at(0);
    if (order.first)
      number = arith::SubIOp::create(b, number, i64(order.first));
    Value isThere = order.first ? isIn(arith::CmpIPredicate::sge, number, 0) : Value();
    bool isNarrow = llvm::isInt<32>(elements);
    Value rest = isNarrow ? arith::TruncIOp::create(b, b.getI32Type(), number).getResult() : number;
    auto constantLike = [&](int64_t value) { return constant(b.getIntegerAttr(rest.getType(), value)); };
    auto require = [&](Value condition) {
      isThere = isThere ? arith::AndIOp::create(b, isThere, condition).getResult() : condition;
    };
    for (auto [dim, stride] : llvm::zip_equal(order.dims, order.strides)) {
      Value index = stride == 1 ? rest : arith::DivUIOp::create(b, rest, constantLike(stride)).getResult();
      rest = stride == 1 ? constantLike(0) : arith::RemUIOp::create(b, rest, constantLike(stride)).getResult();
      if (isNarrow)
        index = arith::ExtUIOp::create(b, b.getI64Type(), index);
      iv[dim] = index;
      if (!order.isWhole)
        require(isIn(arith::CmpIPredicate::slt, index, nest->sizes[dim]));
    }
    if (!order.isWhole && (order.strides.empty() || order.strides.back() > 1))
      require(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rest, constantLike(0)));
    for (unsigned dim = 0; dim < nest->sizes.size(); ++dim)
      if (!iv[dim])
        iv[dim] = i64(0);
    if (isThere)
      openIf(isThere);
    else
      openScope();
    // Nothing is read where the nest has no iteration.
    ivLevel.assign(iv.size(), top());
    emitStores(nest->stores, 0, 0);
    isThere ? closeIf() : closeScope();
  }

private:
  Value isIn(arith::CmpIPredicate predicate, Value index, int64_t bound) {
    return arith::CmpIOp::create(b, predicate, index, i64(bound));
  }

  const NestPlan scalar;
};

/// Makes functions of what a kernel computes around a transform.
class EndEmitter {
public:
  EndEmitter(func::FuncOp kernel, rt::LibraryCallOp op, gpu::GPUModuleOp onDevice)
      : kernel(kernel), op(op), onDevice(onDevice) {}

  LLVM::LLVMFuncOp emitLoad();
  LLVM::LLVMFuncOp emitStore();

private:
  func::FuncOp outlined(Value value, Value element);
  LLVM::LLVMFuncOp emit(StringRef suffix, KernelNests &nests, LoopNest &nest, const ElementOrder &order,
                        int64_t elements);
  /// The slot behind those of the kernel's arguments and its result, which is the element.
  unsigned elementSlot() { return kernel.getNumArguments() + 1; }

  func::FuncOp kernel;
  rt::LibraryCallOp op;
  gpu::GPUModuleOp onDevice;
};

} // namespace

/// A kernel that computes `value` of the kernel's arguments and, if there is one, of `element`, its last argument.
func::FuncOp EndEmitter::outlined(Value value, Value element) {
  OpBuilder b(kernel);
  SmallVector<Type> inputs(kernel.getArgumentTypes());
  if (element)
    inputs.push_back(element.getType());
  auto function = func::FuncOp::create(b, kernel.getLoc(), (kernel.getName() + "_end").str(),
                                       b.getFunctionType(inputs, value.getType()));
  function.setPrivate();
  function->setAttr(XlaRtDialect::kKernel, KernelAttr::get(b.getContext(), KernelKind::Elementwise, {}, 0));
  Block *entry = function.addEntryBlock();
  IRMapping mapping;
  mapping.map(kernel.getArguments(), entry->getArguments().take_front(kernel.getNumArguments()));
  if (element)
    mapping.map(element, entry->getArguments().back());
  llvm::SmallPtrSet<Operation *, 8> needed;
  walkSlice(value, element, [&](Operation *each) { needed.insert(each); }, [](BlockArgument) {});
  b.setInsertionPointToEnd(entry);
  for (Operation &each : op->getBlock()->without_terminator())
    if (needed.contains(&each))
      b.clone(each, mapping);
  func::ReturnOp::create(b, kernel.getLoc(), mapping.lookup(value));
  return function;
}

LLVM::LLVMFuncOp EndEmitter::emitLoad() {
  Value operand = op.getInputs()[0];
  func::FuncOp end = outlined(operand, Value());
  LLVM::LLVMFuncOp emitted;
  FailureOr<KernelNests> nests = nestsOf(end, /*onDevice=*/true);
  LoopNest *nest = succeeded(nests) ? onlyNest(*nests) : nullptr;
  if (std::optional<ElementOrder> order = nest ? orderOfResult(end, *nest) : std::nullopt; order && order->isWhole) {
    Store &store = nest->stores[0];
    store.buffer.slot = elementSlot();
    store.address = Address{0, SmallVector<int64_t>(store.address.dims.size(), 0), {}, {}};
    emitted = emit("load", *nests, *nest, *order, elementsOf(operand));
  }
  if (succeeded(nests))
    nests->exprs.reset();
  end.erase();
  return emitted;
}

LLVM::LLVMFuncOp EndEmitter::emitStore() {
  Value transformed = op.getResult(0);
  func::FuncOp end = outlined(returnedBy(op), transformed);
  LLVM::LLVMFuncOp emitted;
  FailureOr<KernelNests> nests = nestsOf(end, /*onDevice=*/true);
  LoopNest *nest = succeeded(nests) ? onlyNest(*nests) : nullptr;
  unsigned slot = kernel.getNumArguments(); // of what is transformed: the result's is the next one
  SmallVector<ExprNode *> loads = nest ? loadsOf(slot, *nest) : SmallVector<ExprNode *>();
  std::optional<ElementOrder> order =
      loads.empty() ? std::nullopt : ElementOrder::of(loads[0]->address, *nest, elementsOf(transformed));
  if (order) {
    for (ExprNode *load : loads) {
      load->buffer.slot = elementSlot();
      load->address = Address{0, SmallVector<int64_t>(load->address.dims.size(), 0), {}, {}};
      load->guards.clear();
    }
    nest->stores[0].buffer.slot = slot;
    emitted = emit("store", *nests, *nest, *order, elementsOf(transformed));
  }
  if (succeeded(nests))
    nests->exprs.reset();
  end.erase();
  return emitted;
}

LLVM::LLVMFuncOp EndEmitter::emit(StringRef suffix, KernelNests &nests, LoopNest &nest, const ElementOrder &order,
                                  int64_t elements) {
  ImplicitLocOpBuilder b(kernel.getLoc(), onDevice.getContext());
  b.setInsertionPointToStart(onDevice.getBody());
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), {pointer, b.getI64Type(), pointer});
  auto function = LLVM::LLVMFuncOp::create(b, (kernel.getName() + "_" + suffix).str(), type, LLVM::Linkage::Internal);
  function.setAlwaysInline(true);
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToEnd(entry);
  SmallVector<Value> slots;
  for (unsigned i = 0; i < elementSlot(); ++i) {
    Value buffer =
        LLVM::GEPOp::create(b, pointer, pointer, entry->getArgument(0), LLVM::GEPArg(static_cast<int32_t>(i)));
    slots.push_back(LLVM::LoadOp::create(b, pointer, buffer));
  }
  slots.push_back(entry->getArgument(2));
  LLVM::ReturnOp::create(b, ValueRange());
  ElementEmitter(b, entry, *nests.exprs, slots).emitElement(nest, order, entry->getArgument(1), elements);
  return function;
}

FailureOr<std::pair<LLVM::LLVMFuncOp, LLVM::LLVMFuncOp>>
mlir::xla::emitTransformEnds(func::FuncOp kernel, rt::LibraryCallOp op, gpu::GPUModuleOp onDevice) {
  TransformEnds ends = TransformEnds::of(op);
  EndEmitter emitter(kernel, op, onDevice);
  std::pair<LLVM::LLVMFuncOp, LLVM::LLVMFuncOp> functions;
  if (ends.loads)
    functions.first = emitter.emitLoad();
  if (ends.stores)
    functions.second = emitter.emitStore();
  if (bool(functions.first) != ends.loads || bool(functions.second) != ends.stores)
    return kernel.emitError("kernel @") << kernel.getName()
                                        << " has something around its transform that is no function "
                                        << "of an element";
  return functions;
}
