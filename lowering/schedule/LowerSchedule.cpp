// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks, simple ops and the book-keeping of tokens. Control flow and calls have files of their own.

#include "mlir_xla/lowering/schedule/LowerSchedule.h"
#include "mlir_xla/lowering/Storage.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::xla {

/// Constants up to this size are part of the object code; larger ones are handed to it when it is loaded, because
/// the assembler would take long over them.
static constexpr int64_t kMaxEmbeddedBytes = 4096;
/// Copies of at least this size may use several cores.
static constexpr int64_t kParallelCopyBytes = 1 << 20;

static bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }
static int64_t bytesOf(Value value) { return bufferBytes(cast<RankedTensorType>(value.getType())); }

/// Ops whose results are their operands, one to one, in the same memory.
static bool isView(Operation &op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op) ||
         op.getName().getStringRef() == "xla.optimization_barrier";
}

ScheduleLowering::ScheduleLowering(ModuleOp module, func::FuncOp main, int64_t threads)
    : module(module), oldMain(main), context(module.getContext()), threads(threads), symbols(module), builder(context),
      pointerType(LLVM::LLVMPointerType::get(context)), here(main.getLoc()) {}

//===- Small helpers ----------------------------------------------------------------------------------------------===//

Value ScheduleLowering::indexConstant(Location loc, int64_t value) {
  Value &constant = indexConstants[value];
  if (!constant) {
    OpBuilder atEntry = OpBuilder::atBlockBegin(entry);
    constant = arith::ConstantIndexOp::create(atEntry, loc, value);
  }
  return constant;
}

Value ScheduleLowering::i64Constant(Location loc, int64_t value) {
  Value &constant = i64Constants[value];
  if (!constant) {
    OpBuilder atEntry = OpBuilder::atBlockBegin(entry);
    constant = arith::ConstantIntOp::create(atEntry, loc, value, 64);
  }
  return constant;
}

Value ScheduleLowering::pointerAt(Location loc, Value array, int64_t index) {
  if (index == 0)
    return array;
  return LLVM::GEPOp::create(builder, loc, pointerType, pointerType, array, LLVM::GEPArg(int32_t(index)));
}

Value ScheduleLowering::loadPointer(Location loc, Value array, int64_t index) {
  return LLVM::LoadOp::create(builder, loc, pointerType, pointerAt(loc, array, index));
}

func::FuncOp ScheduleLowering::runtimeFunction(StringRef name, TypeRange arguments) {
  if (auto function = symbols.lookup<func::FuncOp>(name))
    return function;
  auto function = func::FuncOp::create(module.getLoc(), name, FunctionType::get(context, arguments, {}));
  function.setPrivate();
  symbols.insert(function);
  return function;
}

//===- Tokens -----------------------------------------------------------------------------------------------------===//

Slot *ScheduleLowering::createSlot(int64_t bytes, int64_t begin) {
  Slot &slot = slotStorage.emplace_back();
  slot.bytes = bytes;
  slot.begin = slot.end = begin;
  OpBuilder atEntry = OpBuilder::atBlockBegin(entry);
  slot.pointer = LLVM::PoisonOp::create(atEntry, oldMain.getLoc(), pointerType);
  return &slot;
}

Token *ScheduleLowering::createToken(Value pointer, int64_t bytes, Scope *owner, Family *family) {
  Token &token = tokenStorage.emplace_back();
  token.pointer = pointer;
  token.bytes = bytes;
  token.owner = owner;
  token.family = family ? family : &familyStorage.emplace_back();
  return &token;
}

Family *ScheduleLowering::familyOf(Token *token) {
  while (token->family->mergedInto)
    token->family = token->family->mergedInto;
  return token->family;
}

void ScheduleLowering::merge(Family *into, Token *token) {
  Family *family = familyOf(token);
  if (family == into)
    return;
  into->slots.append(family->slots);
  into->live += family->live;
  into->carried |= family->carried;
  family->mergedInto = into;
}

void ScheduleLowering::hold(Token *token, Value value) {
  if (!token->holder)
    ++familyOf(token)->live;
  token->holder = value;
  tokens[value] = token;
}

void ScheduleLowering::letGo(Token *token) {
  --familyOf(token)->live;
  token->holder = Value();
}

/// A free token is either forgotten, when its buffers return to the arena, or kept to be given back.
void ScheduleLowering::release(Token *token) {
  letGo(token);
  giveBack(token);
}

void ScheduleLowering::giveBack(Token *token) {
  Family *family = familyOf(token);
  if (family->carried || family->live > 0) {
    token->owner->free.push_back(token);
    return;
  }
  for (Slot *slot : family->slots)
    slot->end = std::max(slot->end, tick);
  llvm::erase_if(token->owner->free, [&](Token *other) { return familyOf(other) == family; });
}

Token *ScheduleLowering::take(Scope &scope, int64_t bytes, bool fromFree) {
  if (fromFree) {
    auto it = llvm::find_if(scope.free, [&](Token *free) { return free->bytes == bytes; });
    if (it != scope.free.end()) {
      Token *token = *it;
      scope.free.erase(it);
      return token;
    }
  }
  Slot *slot = createSlot(bytes, tick);
  Token *token = createToken(slot->pointer, bytes, &scope, nullptr);
  token->family->slots.push_back(slot);
  return token;
}

Token *ScheduleLowering::acquire(Scope &scope, Value value) {
  Token *token = take(scope, bytesOf(value), reachesTerminator(value));
  hold(token, value);
  return token;
}

bool ScheduleLowering::isUnused(Value root) const {
  auto check = [](Value value) {
    return llvm::all_of(value.getUsers(), [](Operation *user) { return isView(*user); });
  };
  auto it = members.find(root);
  return it == members.end() ? check(root) : llvm::all_of(it->second, check);
}

bool ScheduleLowering::isDeadAfter(Value root, Operation &op) const {
  auto check = [&](Value value) {
    for (Operation *user : value.getUsers()) {
      if (isView(*user))
        continue; // its results are members too
      Operation *ancestor = op.getBlock()->findAncestorOpInBlock(*user);
      if (ancestor && ancestor != &op && op.isBeforeInBlock(ancestor))
        return false;
    }
    return true;
  };
  auto it = members.find(root);
  return it == members.end() ? check(root) : llvm::all_of(it->second, check);
}

bool ScheduleLowering::isUsedInside(Value root, Operation &op) const {
  auto check = [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) { return op.isProperAncestor(user); });
  };
  auto it = members.find(root);
  return it == members.end() ? check(root) : llvm::any_of(it->second, check);
}

Token *ScheduleLowering::overwritable(Value value, Operation &op, Scope &scope) const {
  Value root = rootOf(value);
  Token *token = tokens.lookup(root);
  bool ours = token && token->owner == &scope && token->holder == root && isDeadAfter(root, op);
  int uses =
      llvm::count_if(op.getOperands(), [&](Value operand) { return isTensor(operand) && rootOf(operand) == root; });
  return ours && uses == 1 ? token : nullptr;
}

/// Whether the buffer of `value` is likely the one that the block yields: through views, in-place kernels and loops.
bool ScheduleLowering::reachesTerminator(Value value, int depth) const {
  if (depth > 64)
    return false;
  auto check = [&](Value member) {
    for (OpOperand &use : member.getUses()) {
      Operation *user = use.getOwner();
      if (user->getBlock() != member.getParentBlock())
        continue;
      if (user->hasTrait<OpTrait::IsTerminator>())
        return true;
      if (auto call = dyn_cast<func::CallOp>(user)) {
        ImplementationAttr contract = implementationOf(symbols.lookup<func::FuncOp>(call.getCallee()));
        for (auto [i, memory] : llvm::enumerate(contract ? contract.getResults() : ArrayRef<ResultMemory>()))
          if (memory.kind != ResultMemory::New && memory.argument == use.getOperandNumber() &&
              reachesTerminator(call.getResult(i), depth + 1))
            return true;
      }
      if (isa<scf::WhileOp>(user) && use.getOperandNumber() < user->getNumResults() &&
          reachesTerminator(user->getResult(use.getOperandNumber()), depth + 1))
        return true;
    }
    return false;
  };
  auto it = members.find(rootOf(value));
  return it == members.end() ? check(rootOf(value)) : llvm::any_of(it->second, check);
}

void ScheduleLowering::releaseDeadAfter(Operation &op, Scope &scope) {
  auto releaseIfDead = [&](Value value) {
    if (!isTensor(value))
      return;
    Value root = rootOf(value);
    Token *token = tokens.lookup(root);
    if (token && token->owner == &scope && token->holder == root && isDeadAfter(root, op))
      release(token);
  };
  for (Value result : op.getResults())
    releaseIfDead(result);
  for (Value operand : op.getOperands())
    releaseIfDead(operand);
  if (op.getNumRegions())
    op.walk([&](Operation *nested) { llvm::for_each(nested->getOperands(), releaseIfDead); });
}

void ScheduleLowering::copy(Token *to, Token *from) {
  Location loc = here;
  int64_t bytes = to->bytes;
  if (bytes == 0)
    return;
  Value size = i64Constant(loc, bytes);
  if (auto dense = dyn_cast_if_present<DenseElementsAttr>(from->constant); dense && dense.isSplat()) {
    // The first element of the constant is as good as all of them.
    int64_t elementBytes = elementStorageBytes(dense.getElementType());
    auto fill = runtimeFunction("xla_rt_fill", {pointerType, pointerType, size.getType(), size.getType()});
    func::CallOp::create(
        builder, loc, fill,
        ValueRange{to->pointer, from->pointer, i64Constant(loc, elementBytes), i64Constant(loc, bytes / elementBytes)});
    return;
  }
  if (bytes >= kParallelCopyBytes) {
    auto parallelCopy = runtimeFunction("xla_rt_copy", {pointerType, pointerType, size.getType()});
    func::CallOp::create(builder, loc, parallelCopy, ValueRange{to->pointer, from->pointer, size});
    return;
  }
  LLVM::MemcpyOp::create(builder, loc, to->pointer, from->pointer, size, /*isVolatile=*/false);
}

//===- Blocks and simple ops --------------------------------------------------------------------------------------===//

void ScheduleLowering::alias(Value value, Value of) {
  Value root = rootOf(of);
  roots[value] = root;
  SmallVector<Value> &group = members[root];
  if (group.empty())
    group.push_back(root);
  group.push_back(value);
}

/// Views, and values that a loop carries unchanged.
void ScheduleLowering::findAliases() {
  oldMain.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isView(*op)) {
      for (auto [result, operand] : llvm::zip(op->getResults(), op->getOperands()))
        if (isTensor(result))
          alias(result, operand);
      return;
    }
    auto loop = dyn_cast<scf::WhileOp>(op);
    if (!loop || loop.getInits().size() != loop.getNumResults())
      return;
    ValueRange forwarded = loop.getConditionOp().getArgs(), yielded = loop.getYieldOp().getOperands();
    for (auto [i, init] : llvm::enumerate(loop.getInits())) {
      if (!isTensor(init) || forwarded[i] != loop.getBeforeArguments()[i] || yielded[i] != loop.getAfterArguments()[i])
        continue;
      for (Value same :
           {Value(loop.getBeforeArguments()[i]), Value(loop.getAfterArguments()[i]), Value(loop.getResult(i))})
        alias(same, init);
    }
  });
}

/// A kernel that may work in place waits until the others have read what it overwrites, if its results have time.
/// %1 = call @update(%0); %2 = call @read(%0)  ->  %2 = call @read(%0); %1 = call @update(%0)
void ScheduleLowering::delayOverwrites(Block &block) {
  SmallVector<func::CallOp> calls(block.getOps<func::CallOp>());
  for (func::CallOp call : llvm::reverse(calls)) {
    ImplementationAttr contract = implementationOf(symbols.lookup<func::FuncOp>(call.getCallee()));
    if (!contract)
      continue;
    Operation *last = call;
    for (ResultMemory memory : contract.getResults()) {
      if (memory.kind == ResultMemory::New)
        continue;
      Value root = rootOf(call.getOperand(memory.argument));
      SmallVector<Value> group = members.lookup(root);
      group.push_back(root);
      for (Value member : group)
        for (Operation *user : member.getUsers())
          if (Operation *reader = block.findAncestorOpInBlock(*user); reader && last->isBeforeInBlock(reader))
            last = reader;
    }
    bool hasTime = last != call && !last->hasTrait<OpTrait::IsTerminator>();
    for (Operation *user : call->getUsers())
      hasTime &= last->isBeforeInBlock(block.findAncestorOpInBlock(*user));
    if (hasTime)
      call->moveAfter(last);
  }
}

LogicalResult ScheduleLowering::lowerBlock(Block &block, Scope &scope) {
  delayOverwrites(block);
  for (Operation &op : block.without_terminator()) {
    ++tick;
    here = op.getLoc();
    if (failed(lowerOp(op, scope)))
      return failure();
    releaseDeadAfter(op, scope);
  }
  ++tick;
  return success();
}

LogicalResult ScheduleLowering::lowerOp(Operation &op, Scope &scope) {
  if (isView(op))
    return success();
  if (auto call = dyn_cast<func::CallOp>(op))
    return lowerKernelCall(call, scope);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return lowerWhile(loop, scope);
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return lowerBranches(op, scope);
  if (isa<tensor::ExtractOp>(op))
    return lowerExtract(op);
  if (op.getName().getStringRef() == "xla.custom_call")
    return lowerCustomCall(op, scope);
  if (isa<tensor::EmptyOp>(op)) {
    acquire(scope, op.getResult(0));
    return success();
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op); constant && isTensor(constant.getResult()))
    return lowerConstant(constant);
  if (auto elements = dyn_cast<tensor::FromElementsOp>(op)) {
    Type elementType = elements.getType().getElementType();
    if (elements.getElements().size() == 1 && elementType.isIntOrIndexOrFloat()) {
      Token *token = acquire(scope, elements.getResult());
      Value element = scalars.lookup(elements.getElements()[0]);
      Type stored = builder.getIntegerType(8);
      if (elementType.isIndex())
        element = arith::IndexCastOp::create(builder, op.getLoc(), builder.getI64Type(), element);
      else if (elementType.isInteger() && elementType.getIntOrFloatBitWidth() < 8)
        element = arith::ExtUIOp::create(builder, op.getLoc(), stored, element);
      LLVM::StoreOp::create(builder, op.getLoc(), element, token->pointer);
      return success();
    }
  }
  bool hasTensors = llvm::any_of(op.getOperands(), isTensor) || llvm::any_of(op.getResults(), isTensor);
  if (hasTensors || op.getNumRegions())
    return op.emitOpError("is not an op of the schedule");
  builder.clone(op, scalars);
  return success();
}

LogicalResult ScheduleLowering::lowerConstant(arith::ConstantOp op) {
  auto value = cast<ElementsAttr>(op.getValue());
  Token *&token = constants[value];
  if (!token) {
    ShapedType type = value.getShapedType();
    int64_t bytes = bufferBytes(type);
    Type bytesType = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
    OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
    LLVM::GlobalOp global;
    if (bytes <= kMaxEmbeddedBytes) {
      SmallVector<char> data(bytes);
      if (failed(writeElements(value, data)))
        return op.emitOpError("has a value that cannot be read");
      global = LLVM::GlobalOp::create(atStart, op.getLoc(), bytesType, /*isConstant=*/true, LLVM::Linkage::Internal,
                                      "xla.const", builder.getStringAttr(StringRef(data.data(), data.size())),
                                      /*alignment=*/64);
    } else {
      global = LLVM::GlobalOp::create(atStart, op.getLoc(), bytesType, /*isConstant=*/true, LLVM::Linkage::External,
                                      "xla.const", Attribute(), /*alignment=*/64);
      global->setAttr(XlaRtDialect::kData, value);
    }
    symbols.insert(global);
    OpBuilder atEntry = OpBuilder::atBlockBegin(entry);
    token = createToken(LLVM::AddressOfOp::create(atEntry, op.getLoc(), global), bytes, nullptr, nullptr);
    token->constant = value;
  }
  tokens[op.getResult()] = token;
  return success();
}

LogicalResult ScheduleLowering::lowerExtract(Operation &op) {
  auto extract = cast<tensor::ExtractOp>(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(extract.getTensor().getType());
  Type elementType = type.getElementType();
  if (!elementType.isIntOrIndexOrFloat())
    return op.emitOpError("of this element type is not an op of the schedule");
  Value pointer = tokenOf(extract.getTensor())->pointer;
  Value offset;
  for (auto [index, size] : llvm::zip(extract.getIndices(), type.getShape())) {
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
  Value element;
  if (elementType.isIndex()) {
    element = LLVM::LoadOp::create(builder, loc, builder.getI64Type(), pointer);
    element = arith::IndexCastOp::create(builder, loc, elementType, element);
  } else if (elementType.isInteger() && elementType.getIntOrFloatBitWidth() < 8) {
    element = LLVM::LoadOp::create(builder, loc, builder.getI8Type(), pointer);
    element = arith::TruncIOp::create(builder, loc, elementType, element);
  } else {
    element = LLVM::LoadOp::create(builder, loc, elementType, pointer);
  }
  scalars.map(extract.getResult(), element);
  return success();
}

LogicalResult ScheduleLowering::lowerReturn(func::ReturnOp op, Scope &scope) {
  for (auto [i, value] : llvm::enumerate(op.getOperands())) {
    Token *token = tokenOf(value);
    Family *family = familyOf(token);
    // A value in memory of its own is computed in the result's buffer right away.
    if (token->owner == &scope && !family->carried && family->slots.size() == 1 && family->slots[0]->result < 0) {
      family->slots[0]->result = int(i);
      continue;
    }
    Token *result = createToken(loadPointer(op.getLoc(), resultArray, i), token->bytes, nullptr, nullptr);
    copy(result, token);
  }
  func::ReturnOp::create(builder, op.getLoc());
  return success();
}

LogicalResult ScheduleLowering::run() {
  for (Type type : llvm::concat<const Type>(oldMain.getArgumentTypes(), oldMain.getResultTypes()))
    if (auto tensor = dyn_cast<RankedTensorType>(type); !tensor || !tensor.hasStaticShape())
      return oldMain.emitOpError("has the type ")
             << type << " in its signature; the schedule takes tensors of static shape";
  if (!llvm::hasSingleElement(oldMain.getBody()))
    return oldMain.emitOpError("is not structured: the schedule is one block");
  findAliases();

  Location loc = oldMain.getLoc();
  auto type = FunctionType::get(context, SmallVector<Type>(3, pointerType), {});
  newMain = func::FuncOp::create(loc, "main", type);
  newMain->setAttr(XlaRtDialect::kSignature, TypeAttr::get(oldMain.getFunctionType()));
  entry = newMain.addEntryBlock();
  argumentArray = entry->getArgument(0);
  resultArray = entry->getArgument(1);
  arena = entry->getArgument(2);
  builder.setInsertionPointToStart(entry);

  Scope scope;
  Block &body = oldMain.getBody().front();
  for (auto [i, argument] : llvm::enumerate(body.getArguments()))
    if (!argument.use_empty())
      tokens[argument] = createToken(loadPointer(loc, argumentArray, i), bytesOf(argument), nullptr, nullptr);
  if (failed(lowerBlock(body, scope)) || failed(lowerReturn(cast<func::ReturnOp>(body.getTerminator()), scope))) {
    newMain->destroy();
    return failure();
  }
  finish();
  return success();
}

/// Places the buffers and puts the new function in the place of the old one.
void ScheduleLowering::finish() {
  SmallVector<PlannedBuffer *> buffers;
  for (Slot &slot : slotStorage)
    if (slot.result < 0)
      buffers.push_back(&slot);
  // What was never freed lives to the end.
  for (Token &token : tokenStorage)
    if (token.holder)
      for (Slot *slot : familyOf(&token)->slots)
        slot->end = tick;
  int64_t size = planBuffers(buffers);

  DenseMap<int64_t, Value> places, results;
  builder.setInsertionPointToStart(entry);
  for (Slot &slot : slotStorage) {
    Operation *placeholder = slot.pointer.getDefiningOp();
    Value &pointer = slot.result >= 0 ? results[slot.result] : places[slot.offset];
    if (!placeholder->use_empty() && !pointer) {
      Location loc = placeholder->getLoc();
      if (slot.result >= 0) {
        pointer = loadPointer(loc, resultArray, slot.result);
      } else if (slot.offset == 0) {
        pointer = arena;
      } else {
        // Constant indices have 32 bits.
        LLVM::GEPArg offset(int32_t(slot.offset));
        if (slot.offset > INT32_MAX)
          offset = LLVM::GEPArg(Value(arith::ConstantIntOp::create(builder, loc, slot.offset, 64)));
        pointer = LLVM::GEPOp::create(builder, loc, pointerType, builder.getI8Type(), arena, offset);
      }
    }
    if (pointer)
      placeholder->replaceAllUsesWith(ValueRange{pointer});
    placeholder->erase();
  }
  newMain->setAttr(XlaRtDialect::kArenaSize, builder.getI64IntegerAttr(size));

  SmallVector<func::FuncOp> kernels;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isExternal() && implementationOf(function))
      kernels.push_back(function);
  symbols.remove(oldMain);
  module.getBody()->getOperations().insert(oldMain->getIterator(), newMain);
  oldMain.erase();
  for (func::FuncOp kernel : kernels)
    kernel.erase();
}

} // namespace mlir::xla
