// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks, simple ops and addresses. Control flow and calls have files of their own.

#include "mlir_xla/lowering/cpu/EmitSchedule.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/Pointers.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/schedule/ArenaLayout.h"

#include "llvm/Support/Endian.h"

namespace mlir::xla {

/// Constants up to this size are part of the object code; larger ones are handed to it when it is loaded, because
/// the assembler would take long over them.
static constexpr int64_t kMaxEmbeddedBytes = 4096;
/// Copies of at least this size may use several cores. What one core updates then is better in its own cache, if it has
/// room there: it would fetch half of the lines from the other.
static constexpr int64_t kParallelCopyBytes = 1 << 20, kParallelUpdateBytes = 1 << 21;
/// So many addresses are computed once, before everything else. More are computed where they are used: registers hold a
/// dozen, and what register allocation takes for the others grows with their number times that of the calls.
static constexpr size_t kMostAddresses = 64;

ScheduleEmitter::ScheduleEmitter(ModuleOp module, func::FuncOp main, SymbolTable &symbols, const BufferPlan &plan,
                                 int64_t threads, bool onDevice)
    : module(module), oldMain(main), symbols(symbols), plan(plan), threads(threads), onDevice(onDevice),
      builder(module.getContext()), pointerType(LLVM::LLVMPointerType::get(module.getContext())) {}

//===- Small helpers ----------------------------------------------------------------------------------------------===//

OpBuilder ScheduleEmitter::atEntry() {
  OpBuilder at = OpBuilder::atBlockBegin(entry);
  if (lastPointer)
    at.setInsertionPointAfter(lastPointer);
  return at;
}

Value ScheduleEmitter::indexConstant(Location loc, int64_t value) {
  Value &constant = indexConstants[value];
  if (!constant) {
    OpBuilder at = atEntry();
    constant = arith::ConstantIndexOp::create(at, loc, value);
  }
  return constant;
}

Value ScheduleEmitter::i64Constant(Location loc, int64_t value) {
  Value &constant = i64Constants[value];
  if (!constant) {
    OpBuilder at = atEntry();
    constant = arith::ConstantIntOp::create(at, loc, value, 64);
  }
  return constant;
}

Value ScheduleEmitter::pointerAt(Location loc, Value array, int64_t index) {
  if (index == 0)
    return array;
  return LLVM::GEPOp::create(builder, loc, pointerType, pointerType, array, LLVM::GEPArg(int32_t(index)));
}

Value ScheduleEmitter::loadPointer(Location loc, Value array, int64_t index) {
  return LLVM::LoadOp::create(builder, loc, pointerType, pointerAt(loc, array, index));
}

func::FuncOp ScheduleEmitter::runtimeFunction(StringRef name, TypeRange arguments, TypeRange results) {
  if (auto function = symbols.lookup<func::FuncOp>(name))
    return function;
  auto function = func::FuncOp::create(module.getLoc(), name, builder.getFunctionType(arguments, results));
  function.setPrivate();
  symbols.insert(function);
  return function;
}

//===- Addresses --------------------------------------------------------------------------------------------------===//

/// The type by which an element is stored: what has no bits in LLVM, or less than a byte, is an integer of bytes.
static Type storedType(Type element) {
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element))
    return element;
  return element.isIntOrIndexOrFloat() ? IntegerType::get(element.getContext(), storageBits(element)) : Type();
}

/// A variable of the element's type, of which code generation makes a register.
Value ScheduleEmitter::createScalar(const Place *place) {
  Location loc = oldMain.getLoc();
  Type type = place->element ? storedType(place->element) : Type();
  if (!type || storageBits(type) != 8 * place->bytes)
    type = IntegerType::get(builder.getContext(), 8 * place->bytes);
  if (!one)
    one = arith::ConstantIntOp::create(builder, loc, 1, 64);
  return LLVM::AllocaOp::create(builder, loc, pointerType, type, one, ArenaBuffer().alignment);
}

Value ScheduleEmitter::pieceOf(Value memory, int64_t bytes) {
  return bytes == 0 ? memory : elementPointer(builder, oldMain.getLoc(), memory, builder.getI8Type(), bytes);
}

static size_t countAddresses(const BufferPlan &plan) {
  DenseSet<std::tuple<int, int64_t, int64_t>> addresses;
  for (const Place *place : plan.buffers)
    if (place->kind != Place::Scalar)
      addresses.insert({place->kind, place->number, place->offset});
  return addresses.size();
}

/// Buffers at the same offset have the same address.
void ScheduleEmitter::createPointers() {
  Location loc = oldMain.getLoc();
  DenseMap<int64_t, Value> offsets, inFrame, results;
  builder.setInsertionPointToStart(entry);
  if (plan.frameSize) {
    auto size = arith::ConstantIntOp::create(builder, loc, plan.frameSize, 64);
    frame = LLVM::AllocaOp::create(builder, loc, pointerType, builder.getI8Type(), size, ArenaBuffer().alignment);
  }
  bool atUses = !onDevice && countAddresses(plan) + oldMain.getNumArguments() > kMostAddresses;
  for (const Place *place : plan.buffers) {
    if (place->kind == Place::Scalar) {
      pointers[place] = createScalar(place);
      continue;
    }
    if (atUses)
      continue;
    if (place->kind == Place::Result) {
      Value &result = results[place->number];
      if (!result)
        result = loadPointer(loc, entry->getArgument(1), place->number);
      pointers[place] = pieceOf(result, place->offset);
      continue;
    }
    Value &pointer = (place->kind == Place::Frame ? inFrame : offsets)[place->number];
    if (!pointer)
      pointer = pointerHere(*place);
    pointers[place] = pointer;
  }
  if (!entry->empty())
    lastPointer = &entry->back();
  if (atUses)
    return;
  for (Value argument : oldMain.getArguments())
    if (const Place *place = plan.placeOf(argument))
      pointers[place] = pointerHere(*place);
}

Value ScheduleEmitter::pointerHere(const Place &place) {
  Location loc = oldMain.getLoc();
  switch (place.kind) {
  case Place::Argument:
    return loadPointer(loc, entry->getArgument(0), place.number);
  case Place::Result:
    return pieceOf(loadPointer(loc, entry->getArgument(1), place.number), place.offset);
  case Place::Arena:
    return pieceOf(entry->getArgument(2), place.number);
  case Place::Frame:
    return pieceOf(frame, place.number);
  case Place::Constant:
  case Place::Scalar:
  case Place::Variable:
    break;
  }
  llvm_unreachable("has its address before it is used");
}

void ScheduleEmitter::erasePointersWithoutUse() {
  for (Operation *op = lastPointer; op;) {
    Operation *previous = op->getPrevNode();
    if (op->use_empty())
      op->erase();
    op = previous;
  }
  for (auto [global, address] : constants) {
    if (!address.use_empty())
      continue;
    address.erase();
    symbols.erase(global);
  }
}

Value ScheduleEmitter::pointerTo(const Place *place) {
  const Place &resolved = place->resolved();
  Value pointer = pointers.lookup(&resolved);
  return pointer ? pointer : pointerHere(resolved);
}

Value ScheduleEmitter::valueOf(Carried carried) {
  return carried.place ? pointerTo(carried.place) : scalars.lookup(carried.scalar);
}

Value ScheduleEmitter::storedElement(Location loc, DenseElementsAttr elements) {
  Type type = storedType(elements.getElementType());
  if (!type)
    return Value();
  if (isa<FloatType>(type))
    return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(*elements.value_begin<Attribute>()));
  std::array<char, sizeof(uint64_t)> bytes{};
  if (type.getIntOrFloatBitWidth() > 64 ||
      failed(writeElements(elements, MutableArrayRef(bytes).take_front(type.getIntOrFloatBitWidth() / 8))))
    return Value();
  return arith::ConstantIntOp::create(
      builder, loc, type, APInt(type.getIntOrFloatBitWidth(), llvm::support::endian::read64le(bytes.data())));
}

void ScheduleEmitter::emitCopies(Location loc, ArrayRef<Copy> copies, bool forOneCore) {
  for (Copy copy : copies)
    emitCopy(loc, copy, forOneCore);
}

void ScheduleEmitter::emitCopy(Location loc, Copy copy, bool forOneCore) {
  int64_t bytes = copy.to->bytes;
  if (bytes == 0)
    return;
  Value to = pointerTo(copy.to), from = pointerTo(copy.from);
  auto constant = dyn_cast_if_present<DenseElementsAttr>(copy.from->resolved().elements);
  if (constant && constant.getNumElements() == 1 && !onDevice)
    if (Value element = storedElement(loc, constant)) {
      LLVM::StoreOp::create(builder, loc, element, to);
      return;
    }
  Value size = i64Constant(loc, bytes);
  if (constant && constant.isSplat()) {
    // The first element of the constant is as good as all of them.
    int64_t elementBytes = elementStorageBytes(constant.getElementType());
    if (onDevice) {
      SmallVector<char> element(elementBytes);
      if (succeeded(
              writeElements(constant.resizeSplat(RankedTensorType::get({1}, constant.getElementType())), element)))
        return emitDeviceFill(loc, to, stringGlobal(loc, StringRef(element.data(), elementBytes)), elementBytes,
                              bytes / elementBytes);
    }
    auto fill = runtimeFunction("xla_rt_fill", {pointerType, pointerType, size.getType(), size.getType()});
    func::CallOp::create(builder, loc, fill,
                         ValueRange{to, from, i64Constant(loc, elementBytes), i64Constant(loc, bytes / elementBytes)});
    return;
  }
  if (onDevice)
    return emitDeviceCopy(loc, to, from, bytes);
  if (bytes >= (forOneCore ? kParallelUpdateBytes : kParallelCopyBytes)) {
    auto parallelCopy = runtimeFunction("xla_rt_copy", {pointerType, pointerType, size.getType()});
    func::CallOp::create(builder, loc, parallelCopy, ValueRange{to, from, size});
    return;
  }
  LLVM::MemcpyOp::create(builder, loc, to, from, size, /*isVolatile=*/false);
}

//===- Blocks and simple ops --------------------------------------------------------------------------------------===//

LogicalResult ScheduleEmitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(emitOp(op)))
      return failure();
  return success();
}

LogicalResult ScheduleEmitter::emitOp(Operation &op) {
  if (isView(op) || isa<tensor::EmptyOp>(op))
    return success();
  if (auto call = dyn_cast<func::CallOp>(op))
    return emitKernelCall(call);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return emitWhile(loop);
  if (op.getNumRegions())
    return emitBranches(op);
  if (auto constant = dyn_cast<arith::ConstantOp>(op); constant && isTensor(constant.getResult()))
    return emitConstant(constant);
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    emitExtract(extract);
  else if (auto elements = dyn_cast<tensor::FromElementsOp>(op))
    emitFromElements(elements);
  else if (auto call = dyn_cast<CustomCallOp>(op))
    emitCustomCall(call);
  else if (auto cast = dyn_cast<arith::IndexCastOp>(op); !cast || scalars.contains(cast.getIn()))
    builder.clone(op, scalars); // the host has no number where the device decides by it
  return success();
}

LogicalResult ScheduleEmitter::emitConstant(arith::ConstantOp op) {
  const Place *place = plan.placeOf(op.getResult());
  if (pointers.contains(place))
    return success();
  if (onDevice)
    return emitDeviceConstant(op, place);
  Type bytesType = LLVM::LLVMArrayType::get(builder.getI8Type(), place->bytes);
  OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
  LLVM::GlobalOp global;
  if (place->bytes <= kMaxEmbeddedBytes) {
    SmallVector<char> data(place->bytes);
    if (failed(writeElements(place->elements, data)))
      return op.emitOpError("has a value that cannot be read");
    global = LLVM::GlobalOp::create(atStart, op.getLoc(), bytesType, /*isConstant=*/true, LLVM::Linkage::Internal,
                                    "xla.const", builder.getStringAttr(StringRef(data.data(), data.size())),
                                    /*alignment=*/64);
  } else {
    global = LLVM::GlobalOp::create(atStart, op.getLoc(), bytesType, /*isConstant=*/true, LLVM::Linkage::External,
                                    "xla.const", Attribute(), /*alignment=*/64);
    global->setAttr(XlaRtDialect::kData, place->elements);
  }
  symbols.insert(global);
  OpBuilder at = atEntry();
  auto address = LLVM::AddressOfOp::create(at, op.getLoc(), global);
  constants.emplace_back(global, address);
  pointers[place] = address;
  return success();
}

/// Elements of less than a byte take one.
static bool isNarrow(Type elementType) { return elementType.isInteger() && elementType.getIntOrFloatBitWidth() < 8; }

void ScheduleEmitter::emitExtract(tensor::ExtractOp op) {
  if (onDevice && emitDecision(op))
    return;
  Location loc = op.getLoc();
  Type elementType = op.getType();
  Value pointer = pointerOf(op.getTensor());
  Value offset;
  for (auto [index, size] : llvm::zip(op.getIndices(), op.getTensor().getType().getShape())) {
    Value next = scalars.lookup(index);
    if (offset) {
      offset = arith::MulIOp::create(builder, loc, offset, indexConstant(loc, size));
      next = arith::AddIOp::create(builder, loc, offset, next);
    }
    offset = next;
  }
  if (offset) {
    Value position = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), offset);
    Type storage = LLVM::LLVMArrayType::get(builder.getI8Type(), elementStorageBytes(elementType));
    pointer = LLVM::GEPOp::create(builder, loc, pointerType, storage, pointer, LLVM::GEPArg(position));
  }
  auto load = [&](Type type) -> Value {
    return onDevice ? emitDeviceLoad(loc, pointer, type)
                    : LLVM::LoadOp::create(builder, loc, type, pointer).getResult();
  };
  Value element;
  if (elementType.isIndex())
    element = arith::IndexCastOp::create(builder, loc, elementType, load(builder.getI64Type()));
  else if (isNarrow(elementType))
    element = arith::TruncIOp::create(builder, loc, elementType, load(builder.getI8Type()));
  else
    element = load(elementType);
  scalars.map(op.getResult(), element);
}

void ScheduleEmitter::emitFromElements(tensor::FromElementsOp op) {
  Type elementType = op.getType().getElementType();
  Value element = scalars.lookup(op.getElements()[0]);
  if (elementType.isIndex())
    element = arith::IndexCastOp::create(builder, op.getLoc(), builder.getI64Type(), element);
  else if (isNarrow(elementType))
    element = arith::ExtUIOp::create(builder, op.getLoc(), builder.getI8Type(), element);
  if (onDevice)
    emitDeviceStore(op.getLoc(), element, pointerOf(op.getResult()));
  else
    LLVM::StoreOp::create(builder, op.getLoc(), element, pointerOf(op.getResult()));
}

//===- The whole --------------------------------------------------------------------------------------------------===//

void ScheduleEmitter::emitReturn(func::ReturnOp op) {
  for (Copy copy : plan.copiesAtReturn) {
    Location loc = op.getLoc();
    pointers[copy.to] = loadPointer(loc, entry->getArgument(1), copy.to->number);
    bool isLent = llvm::any_of(plan.buffers, [&](const Place *place) {
      return place->kind == Place::Result && !place->isPiece && place->number == copy.to->number;
    });
    if (!isLent) {
      emitCopy(loc, copy);
      continue;
    }
    Value isElsewhere =
        LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, pointerTo(copy.from), pointerTo(copy.to));
    scf::IfOp::create(builder, loc, isElsewhere, [&](OpBuilder &then, Location at) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(then.getInsertionBlock(), then.getInsertionPoint());
      emitCopy(at, copy);
      scf::YieldOp::create(builder, at);
    });
  }
  func::ReturnOp::create(builder, op.getLoc());
}

/// The implementation has pointers only, and says how many bytes there are, and what it writes of its only result.
void ScheduleEmitter::noteBytes(func::FuncOp kernel) {
  ImplementationAttr contract = implementationOf(kernel);
  auto impl = symbols.lookup<func::FuncOp>(contract.getFunction().getValue());
  SmallVector<int64_t> bytes;
  for (Type type : llvm::concat<const Type>(kernel.getArgumentTypes(), kernel.getResultTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    bytes.push_back(tensor ? bufferBytes(tensor) : 0);
  }
  if (contract.getScratch())
    bytes.push_back(contract.getScratch());
  if (!impl)
    return;
  impl->setAttr(kBufferBytes, builder.getDenseI64ArrayAttr(bytes));
  constexpr StringLiteral places = "xla_rt.places"; // lowering/gpu/Places.h
  if (Attribute box = kernel->getAttr(places); box && !contract.getScratch())
    impl->setAttr(places, box);
}

void ScheduleEmitter::replaceMain() {
  SmallVector<func::FuncOp> kernels;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isExternal() && implementationOf(function))
      kernels.push_back(function);
  symbols.remove(oldMain);
  module.getBody()->getOperations().insert(oldMain->getIterator(), newMain);
  oldMain.erase();
  for (func::FuncOp kernel : kernels) {
    if (onDevice)
      noteBytes(kernel);
    kernel.erase();
  }
}

LogicalResult ScheduleEmitter::run() {
  auto type = builder.getFunctionType(SmallVector<Type>(3, pointerType), {});
  newMain = func::FuncOp::create(oldMain.getLoc(), "main", type);
  auto written = oldMain->getAttrOfType<TypeAttr>(XlaRtDialect::kSignature); // where buffers have layouts
  newMain->setAttr(XlaRtDialect::kSignature, written ? written : TypeAttr::get(oldMain.getFunctionType()));
  newMain->setAttr(XlaRtDialect::kArenaSize, builder.getI64IntegerAttr(plan.arenaSize));
  SmallVector<int64_t> pairs;
  for (auto [argument, result] : plan.mayAlias)
    pairs.append({argument, result});
  if (!pairs.empty())
    newMain->setAttr(kMayAlias, builder.getDenseI64ArrayAttr(pairs));
  entry = newMain.addEntryBlock();
  createPointers();
  Block &body = oldMain.getBody().front();
  if (failed(emitBlock(body))) {
    newMain->destroy();
    return failure();
  }
  emitReturn(cast<func::ReturnOp>(body.getTerminator()));
  erasePointersWithoutUse();
  replaceMain();
  return success();
}

} // namespace mlir::xla
