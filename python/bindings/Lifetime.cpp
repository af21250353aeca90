// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wrappers that have identity (Ctx, PyOperation, PyBlock): how they are found, linked, invalidated and destroyed.
// This is the only part of the core that looks below the C API, to walk operations without going through Python.

#include "mlir_xla/python/bindings/Lifetime.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

#include <unordered_set>

using namespace mlir;
using namespace mlir::xla::python;

//===--- Context
//-----------------------------------------------------------------------------------------------------===//

static std::unordered_map<void *, Ctx *> &liveContexts() {
  static auto *contexts = new std::unordered_map<void *, Ctx *>();
  return *contexts;
}

Ctx::Ctx(MlirContext context) : context(context) { liveContexts()[context.ptr] = this; }

Ctx::~Ctx() {
  markHandlersDetached(*this);
  for (void *orphan : orphans)
    static_cast<Operation *>(orphan)->dropAllReferences();
  for (void *orphan : orphans)
    static_cast<Operation *>(orphan)->erase();
  liveContexts().erase(context.ptr);
  mlirContextDestroy(context);
}

Ctx *Ctx::lookup(MlirContext context) {
  auto it = liveContexts().find(context.ptr);
  return it == liveContexts().end() ? nullptr : it->second;
}

Ref<Ctx> Ctx::forContext(MlirContext context) {
  if (Ctx *ctx = lookup(context))
    return Ref<Ctx>(ctx);
  return makeRef<Ctx>(context);
}

size_t Ctx::liveCount() { return liveContexts().size(); }

//===--- Destruction
//-------------------------------------------------------------------------------------------------===//

static bool isInside(Operation *op, Operation *root) {
  return op && (op->getParentOp() == root || root->isAncestor(op));
}

/// Whether anything outside of `root` uses a value or a block of it: destroying it would leave dangling operands.
static bool isUsedFromOutside(Operation *root) {
  auto usedOutside = [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) { return !isInside(user, root); });
  };
  WalkResult result = root->walk([&](Operation *op) {
    if (llvm::any_of(op->getResults(), usedOutside))
      return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (llvm::any_of(block.getArguments(), usedOutside) ||
            llvm::any_of(block.getUsers(), [&](Operation *user) { return !isInside(user, root); }))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// The detached operations without a wrapper whose values `root` uses.
static void collectOrphansUsedBy(Operation *root, Ctx &ctx, std::vector<Operation *> &result) {
  if (ctx.orphans.empty())
    return;
  auto add = [&](Operation *definer) {
    while (definer && definer->getParentOp())
      definer = definer->getParentOp();
    if (definer && definer != root && ctx.orphans.count(definer))
      result.push_back(definer);
  };
  root->walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (operand)
        add(operand.getParentBlock() ? operand.getParentBlock()->getParentOp() : operand.getDefiningOp());
    for (Value operand : op->getOperands())
      if (operand && operand.getDefiningOp())
        add(operand.getDefiningOp());
    for (Block *successor : op->getSuccessors())
      add(successor->getParentOp());
  });
}

/// Destroys a detached operation that Python no longer refers to, now or, while others use it, later.
static void destroy(Operation *root, Ctx &ctx) {
  std::vector<Operation *> worklist{root};
  ctx.orphans.insert(root);
  while (!worklist.empty()) {
    Operation *op = worklist.back();
    worklist.pop_back();
    if (!ctx.orphans.count(op) || isUsedFromOutside(op))
      continue;
    collectOrphansUsedBy(op, ctx, worklist);
    ctx.orphans.erase(op);
    op->erase();
  }
}

//===--- PyOperation
//-----------------------------------------------------------------------------------------------------===//

PyOperation::PyOperation(Ref<Ctx> ctx, MlirOperation op, Ref<PyOperation> parent, bool owned)
    : ctx(std::move(ctx)), op(op), name(mlirOperationGetName(op)), parent(std::move(parent)), owned(owned) {
  this->ctx->operations[op.ptr] = this;
}

PyOperation::~PyOperation() {
  if (!valid)
    return;
  ctx->operations.erase(op.ptr);
  if (owned)
    destroy(unwrap(op), *ctx);
}

Ref<PyOperation> PyOperation::forOperation(MlirOperation op) {
  Ref<Ctx> ctx = Ctx::forContext(mlirOperationGetContext(op));
  auto it = ctx->operations.find(op.ptr);
  if (it != ctx->operations.end())
    return Ref<PyOperation>(it->second);
  Ref<PyOperation> parent;
  MlirOperation parentOp = mlirOperationGetParentOperation(op);
  if (!mlirOperationIsNull(parentOp))
    parent = forOperation(parentOp);
  // One that was dropped while others used it is Python's again.
  bool owned = ctx->orphans.erase(op.ptr) != 0;
  return makeRef<PyOperation>(ctx, op, std::move(parent), owned);
}

Ref<PyOperation> PyOperation::adopt(MlirOperation op) {
  Ref<PyOperation> state = forOperation(op);
  state->relink();
  return state;
}

void PyOperation::relink() {
  MlirOperation parentOp = mlirOperationGetParentOperation(op);
  parent = mlirOperationIsNull(parentOp) ? Ref<PyOperation>() : forOperation(parentOp);
  owned = mlirBlockIsNull(mlirOperationGetBlock(op));
}

bool PyOperation::isAttached() { return !mlirBlockIsNull(mlirOperationGetBlock(get())); }

void PyOperation::throwInvalid() { throwPy(PyExc_RuntimeError, "the operation has been invalidated"); }

void PyOperation::invalidate() {
  if (!valid)
    return;
  ctx->operations.erase(op.ptr);
  valid = false;
  // The parent stays referenced: dropping it here could destroy operations in the middle of a walk.
}

void PyOperation::invalidateTree() {
  // Few wrappers and a large tree are as usual as the opposite; the tree must be walked only if it has any wrapper.
  if (ctx->operations.size() > 1 || !ctx->blocks.empty()) {
    unwrap(op)->walk([&](Operation *nested) {
      for (Region &region : nested->getRegions())
        for (Block &block : region) {
          auto it = ctx->blocks.find(&block);
          if (it != ctx->blocks.end())
            it->second->invalidate();
        }
      auto it = ctx->operations.find(nested);
      if (it != ctx->operations.end())
        it->second->invalidate();
    });
  }
  invalidate();
}

void mlir::xla::python::requireUnused(PyOperation &op) {
  Operation *operation = unwrap(op.get());
  std::string prefix = "cannot erase operation " + operation->getName().getStringRef().str() + ": ";
  for (OpResult result : operation->getResults())
    if (!result.use_empty())
      throwPy(PyExc_RuntimeError, prefix + "its result #" + std::to_string(result.getResultNumber()) +
                                      " still has uses; replace or erase these first");
  if (isUsedFromOutside(operation))
    throwPy(PyExc_RuntimeError, prefix + "a value or block inside of it is used from outside");
}

std::string mlir::xla::python::findUnverifiable(MlirOperation root) {
  std::string found;
  auto isEmpty = [](Region &region) { return region.empty(); };
  unwrap(root)->walk([&](Operation *op) {
    llvm::StringRef name = op->getName().getStringRef();
    if (name == "pdl.attribute" && !op->getParentOp()) {
      found = "operation pdl.attribute is outside of any other";
      return WalkResult::interrupt();
    }
    if (name.starts_with("linalg.") && llvm::any_of(op->getRegions(), isEmpty)) {
      found = "operation " + name.str() + " has an empty region";
      return WalkResult::interrupt();
    }
    for (Value operand : op->getOperands())
      if (Operation *definer = operand ? operand.getDefiningOp() : nullptr; definer && !definer->getBlock()) {
        found = "operation " + name.str() + " uses a result of the detached operation " +
                definer->getName().getStringRef().str();
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return found;
}

void PyOperation::erase() {
  requireUnused(*this);
  Operation *doomed = unwrap(op);
  // `this` may go with the last reference that someone drops meanwhile.
  Ref<PyOperation> keepAlive(this);
  invalidateTree();
  doomed->remove();
  destroy(doomed, *ctx);
}

nb::object PyOperation::opView() {
  checkValid();
  nb::object cls = Globals::get().lookupOperationClass(toView(mlirIdentifierStr(name)));
  if (!cls.is_valid())
    cls = nb::borrow(nb::type<PyOpView>());
  return makeOpView(cls, Ref<PyOperation>(this));
}

OpViewObject mlir::xla::python::wrapOpView(MlirOperation op) {
  if (mlirOperationIsNull(op))
    return OpViewObject(nb::none());
  return OpViewObject(PyOperation::forOperation(op)->opView());
}

nb::object mlir::xla::python::makeOpView(nb::handle cls, Ref<PyOperation> op) {
  nb::object view = nb::inst_alloc(cls);
  new (nb::inst_ptr<PyOpView>(view)) PyOpView(std::move(op));
  nb::inst_mark_ready(view);
  return view;
}

//===--- PyBlock --------------------------------------------------------------------------------------------------===//

PyBlock::PyBlock(Ref<Ctx> ctx, MlirBlock block, Ref<PyOperation> parent)
    : ctx(std::move(ctx)), block(block), parent(std::move(parent)) {
  this->ctx->blocks[block.ptr] = this;
}

PyBlock::~PyBlock() {
  if (valid)
    ctx->blocks.erase(block.ptr);
}

Ref<PyBlock> PyBlock::forBlock(MlirBlock block) {
  MlirOperation parentOp = mlirBlockGetParentOperation(block);
  if (mlirOperationIsNull(parentOp))
    throwPy(PyExc_ValueError, "a block outside of any operation has no Python object");
  Ref<PyOperation> parent = PyOperation::forOperation(parentOp);
  auto it = parent->ctx->blocks.find(block.ptr);
  if (it != parent->ctx->blocks.end())
    return Ref<PyBlock>(it->second);
  return makeRef<PyBlock>(parent->ctx, block, parent);
}

void PyBlock::checkValid() const {
  if (!valid)
    throwPy(PyExc_RuntimeError, "the block has been invalidated");
  parent->checkValid();
}

void PyBlock::relink() { parent = PyOperation::forOperation(mlirBlockGetParentOperation(block)); }

void PyBlock::invalidate() {
  if (!valid)
    return;
  ctx->blocks.erase(block.ptr);
  valid = false;
}

//===--- Values
//------------------------------------------------------------------------------------------------------===//

PyValue::PyValue(MlirValue value) : value(value) {
  if (mlirValueIsAOpResult(value)) {
    op = PyOperation::forOperation(mlirOpResultGetOwner(value));
  } else {
    block = PyBlock::forBlock(mlirBlockArgumentGetOwner(value));
    argumentEpoch = block->argumentEpoch;
  }
}

void PyValue::checkValid() const {
  if (op)
    return op->checkValid();
  block->checkValid();
  if (argumentEpoch == block->argumentEpoch)
    return;
  // Arguments of the block were removed since: is this one still there?
  for (intptr_t i = 0, e = mlirBlockGetNumArguments(block->get()); i != e; ++i)
    if (mlirBlockGetArgument(block->get(), i).ptr == value.ptr) {
      argumentEpoch = block->argumentEpoch;
      return;
    }
  throwPy(PyExc_RuntimeError, "the block argument has been erased");
}

//===--- Changes made by C++
//-----------------------------------------------------------------------------------------===//

/// Whether `op`, or anything in it, has an operand or successor from inside `root`.
static bool usesInside(Operation *op, Operation *root) {
  WalkResult result = op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (operand && isInside(operand.getParentBlock() ? operand.getParentBlock()->getParentOp() : nullptr, root))
        return WalkResult::interrupt();
    for (Block *successor : nested->getSuccessors())
      if (isInside(successor->getParentOp(), root))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

SurvivorTracking::SurvivorTracking(PyOperation &root) : root(Ref<PyOperation>(&root)) {
  Operation *rootOp = unwrap(root.get());
  if (std::string found = findUnverifiable(root.get()); !found.empty())
    throwPy(PyExc_RuntimeError, found);
  auto check = [&](Operation *op) {
    if (op != rootOp && !op->isProperAncestor(rootOp) && usesInside(op, rootOp))
      throwPy(PyExc_RuntimeError, "the detached operation " + op->getName().getStringRef().str() +
                                      " uses a value of the operation that is to be changed: insert or drop it first");
  };
  for (auto [ptr, op] : root.ctx->operations)
    if (!op->parent && op->owned)
      check(static_cast<Operation *>(ptr));
  for (void *orphan : root.ctx->orphans)
    check(static_cast<Operation *>(orphan));
}

SurvivorTracking::~SurvivorTracking() {
  Ctx &ctx = *root->ctx;
  auto isInside = [&](const PyOperation *op) {
    for (; op; op = op->parent.get())
      if (op == root.get())
        return true;
    return false;
  };
  std::vector<Ref<PyOperation>> operations;
  std::vector<Ref<PyBlock>> blocks;
  for (auto [ptr, op] : ctx.operations)
    if (op != root.get() && isInside(op))
      operations.push_back(Ref<PyOperation>(op));
  for (auto [ptr, block] : ctx.blocks)
    if (isInside(block->parent.get()))
      blocks.push_back(Ref<PyBlock>(block));
  if (operations.empty() && blocks.empty())
    return;

  std::unordered_set<void *> alive;
  unwrap(root->op)->walk([&](Operation *op) {
    alive.insert(op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        alive.insert(&block);
  });
  for (Ref<PyOperation> &op : operations)
    // A new operation may lie where an old one was: the name narrows this down.
    if (!alive.count(op->op.ptr) || !mlirIdentifierEqual(mlirOperationGetName(op->op), op->name))
      op->invalidate();
  for (Ref<PyOperation> &op : operations)
    if (op->valid)
      op->relink();
  for (Ref<PyBlock> &block : blocks) {
    if (!alive.count(block->block.ptr)) {
      block->invalidate();
    } else {
      block->relink();
      ++block->argumentEpoch;
    }
  }
}
