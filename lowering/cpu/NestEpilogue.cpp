// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's code behind a reduction: stores of the results, and of what is computed of them.

#include "mlir_xla/lowering/cpu/NestEmitter.h"
#include "mlir_xla/lowering/nest/Cost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::xla;

std::vector<Store> NestEmitter::epilogueStores() const {
  std::vector<Store> stores;
  if (!plan->inMemory) // else they are in memory already
    for (const Reduction &reduction : nest->reductions)
      for (size_t a = 0; a < reduction.results.size(); ++a)
        if (const std::optional<Store> &store = reduction.stores[a]) {
          stores.push_back(*store);
          stores.back().value = reduction.results[a];
          if (isa<ComplexType>(store->elementType) && reduction.results[a]->type != store->elementType)
            stores.back().imaginary = reduction.results[a + 1];
        }
  stores.insert(stores.end(), nest->epilogue.begin(), nest->epilogue.end());
  return stores;
}

void NestEmitter::emitEpilogue(unsigned vectors) {
  std::vector<Store> stores = epilogueStores();
  bool transposes = llvm::any_of(stores, [&](const Store &store) { return isStoredTransposed(store); });
  auto emitAll = [&] {
    if (plan->apart)
      evaluateAll(stores);
    for (unsigned vo = 0; vo < vectors; ++vo) {
      if (transposes) {
        emitStoresOfRows(stores, vo);
        continue;
      }
      for (unsigned uo = 0; uo < uCount; ++uo)
        emitStores(stores, uo, vo);
    }
  };
  if (stores.empty() || plan->dealsResults())
    emitAll();
  else
    emitOnce(emitAll);
}

/// One vector of all rows: some stores take it as a whole. All values come before the first store, as in `emitStores`.
void NestEmitter::emitStoresOfRows(ArrayRef<Store> stores, unsigned vo) {
  SmallVector<SmallVector<Emitted>> real(stores.size()), imaginary(stores.size());
  for (auto [i, store] : llvm::enumerate(stores))
    for (unsigned uo = 0; uo < uCount; ++uo) {
      real[i].push_back(evaluate(store.value, uo, vo));
      imaginary[i].push_back(store.imaginary ? evaluate(store.imaginary, uo, vo) : Emitted());
    }
  for (auto [i, store] : llvm::enumerate(stores)) {
    if (isStoredTransposed(store)) {
      transposedStore(store, real[i], vo);
      continue;
    }
    for (unsigned uo = 0; uo < uCount; ++uo)
      store.imaginary ? emitPair(store, real[i][uo], imaginary[i][uo], uo, vo) : emitStore(store, real[i][uo], uo, vo);
  }
}

/// Is what is computed of the results of a step so long that copies of it for each row and vector take longer to
/// compile than results take to be written and read?
bool NestEmitter::rollsEpilogue() const {
  if (onDevice || plan->v < 0 || plan->vReduced || plan->chunk > 1 || uCount * vCount == 1)
    return false;
  for (const Reduction &reduction : nest->reductions) {
    auto hasPlace = [](ExprNode *node) {
      return isa<IntegerType, FloatType>(node->type) && memoryType(node->type) == node->type;
    };
    if (reduction.rowScalar || isFoldedInOrder(reduction) || !llvm::all_of(reduction.results, hasPlace))
      return false;
  }
  llvm::SetVector<ExprNode *> nodes;
  for (const Store &store : epilogueStores()) {
    collectNodes(store.value, nodes);
    collectNodes(store.imaginary, nodes);
  }
  return instructionsOf(nodes.getArrayRef()) * uCount * vCount >= kLongCode;
}

/// Lanes that are all the same number, read by an instruction that does not have it as a part of itself.
static TypedAttr splatOf(OpOperand &operand) {
  auto type = dyn_cast<VectorType>(operand.get().getType());
  bool isSimple = isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::AddIOp, arith::SubIOp, arith::SelectOp>(
      operand.getOwner());
  if (!type || memoryType(type.getElementType()) != type.getElementType() ||
      !(isa<FloatType>(type.getElementType()) || isSimple))
    return {};
  Operation *op = operand.get().getDefiningOp();
  if (auto broadcast = dyn_cast_or_null<vector::BroadcastOp>(op))
    op = broadcast.getSource().getDefiningOp();
  auto constant = dyn_cast_or_null<arith::ConstantOp>(op);
  if (!constant)
    return {};
  if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
    return splat.getSplatValue<TypedAttr>();
  return isa<VectorType>(constant.getType()) ? TypedAttr() : constant.getValue();
}

/// `loop` reads its constants from the stack: LLVM would have them in registers from the beginning of the kernel, and
/// what a reduction before the loop sums up in memory.
void NestEmitter::keepConstantsOut(Operation *loop) {
  DenseMap<std::pair<Attribute, Type>, Value> known;
  SmallVector<OpOperand *> operands;
  loop->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      operands.push_back(&operand);
  });
  OpBuilder::InsertionGuard guard(b);
  for (OpOperand *operand : operands) {
    TypedAttr number = splatOf(*operand);
    if (!number || isa<vector::BroadcastOp>(operand->getOwner()))
      continue;
    Type type = operand->get().getType();
    Value &value = known[{number, type}];
    if (!value) {
      Value copy = onStack(constant(number));
      b.setInsertionPoint(loop);
      Type element = number.getType();
      value = LLVM::LoadOp::create(b, element, copy, elementAlignment(element));
      value = vector::BroadcastOp::create(b, type, value);
    }
    operand->set(value);
  }
}

/// Results are written to the stack; loops over them read them again.
void NestEmitter::emitRolledEpilogue(SmallVectorImpl<Value> &running) {
  at(top());
  SmallVector<std::pair<ExprNode *, Value>> places;
  for (auto [r, reduction] : llvm::enumerate(nest->reductions))
    for (auto [a, result] : llvm::enumerate(reduction.results)) {
      Type type = slotOf(running, r, a, 0, 0).getType();
      Value place = allocateOnStack(type, uCount * vCount);
      places.emplace_back(result, place);
      for (unsigned vo = 0; vo < vCount; ++vo)
        for (unsigned uo = 0; uo < uCount; ++uo)
          LLVM::StoreOp::create(b, slotOf(running, r, a, uo, vo), elementAt(place, type, {}, vo * uCount + uo),
                                elementAlignment(getElementTypeOrSelf(type)));
    }

  // A loop for each dimension that has several steps.
  scf::ForOp outermost, innermost;
  int64_t rows = uCount, vectors = vCount;
  Value outerMask = partialMask;
  SmallVector<Value> outerMasks = insideMasks;
  auto over = [&](int dim, unsigned &count, int64_t step, function_ref<void(Value slot)> visit) {
    if (count == 1)
      return visit({});
    Value first = iv[dim];
    unsigned level = ivLevel[dim], steps = std::exchange(count, 1);
    leave(dim);
    // The last vectors of a masked step may begin outside.
    Value end = i64(steps);
    if (dim == plan->v && !insideMasks.empty()) {
      at(top());
      Value left = difference(i64(nest->sizes[dim] + step - 1), first);
      end = arith::MinSIOp::create(b, end, arith::DivUIOp::create(b, left, i64(step)));
    }
    scf::ForOp loop = openLoop(dim, i64(0), end, 1, {}, /*nonEmpty=*/true);
    if (!outermost)
      outermost = loop;
    innermost = loop;
    at(top());
    iv[dim] = sum(first, product(loop.getInductionVar(), step));
    visit(loop.getInductionVar());
    closeLoop(loop, {});
    leave(dim);
    iv[dim] = first;
    ivLevel[dim] = level;
    count = steps;
  };
  over(plan->v, vCount, plan->lanes, [&](Value vector) {
    atStep = vectors == 1;
    if (vectors > 1 && (partialMask || !insideMasks.empty())) {
      partialMask = {};
      emitInsideMasks(nest->sizes[plan->v]);
    }
    over(plan->u, uCount, 1, [&](Value row) {
      at(top());
      Value slot = vector ? product(vector, rows) : row;
      if (vector && row)
        slot = sum(slot, row);
      for (auto [result, place] : places) {
        auto type = VectorType::get({static_cast<int64_t>(plan->lanes)}, result->type);
        Value value = LLVM::LoadOp::create(b, type, elementAt(place, type, slot), elementAlignment(result->type));
        values[Key(result, 0, 0)] = {value, top()};
      }
      emitEpilogue(1);
    });
  });
  atStep = true;
  scf::ForOp distributed = distribute(innermost, rows == 1 ? vectors : rows);
  keepConstantsOut(outermost == innermost ? distributed : outermost);
  partialMask = outerMask;
  insideMasks = outerMasks;
}
