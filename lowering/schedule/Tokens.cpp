// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/schedule/Tokens.h"
#include "mlir_xla/lowering/Storage.h"

namespace mlir::xla {

Place *Tokens::createPlace(Place::Kind kind, int64_t bytes, int64_t number) {
  return &places.emplace_back(Place{kind, bytes, number, {}});
}

Slot *Tokens::createSlot(int64_t bytes) {
  Slot &slot = slots.emplace_back();
  slot.place = createPlace(Place::Arena, bytes);
  slot.bytes = bytes;
  slot.begin = slot.end = tick;
  return &slot;
}

Token *Tokens::create(Place *place, Scope *owner, Family *family) {
  return &tokens.emplace_back(Token{place, owner, family ? family : createFamily(), Value()});
}

Family *Tokens::familyOf(Token *token) {
  while (token->family->mergedInto)
    token->family = token->family->mergedInto;
  return token->family;
}

void Tokens::merge(Family *into, Token *token) {
  Family *family = familyOf(token);
  if (family == into)
    return;
  into->slots.append(family->slots);
  into->live += family->live;
  into->carried |= family->carried;
  into->isHandedOn |= family->isHandedOn;
  family->mergedInto = into;
}

static int64_t alignmentOf(Type type) {
  return std::max<int64_t>(1, elementStorageBytes(cast<RankedTensorType>(type).getElementType()));
}

void Tokens::lend(Token *token) {
  for (Slot *slot : familyOf(token)->slots)
    slot->alignment = Slot().alignment;
}

void Tokens::hold(Token *token, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  for (Slot *slot : familyOf(token)->slots) {
    slot->alignment = std::max(slot->alignment, alignmentOf(type));
    if (!slot->place->element && type.getNumElements() == 1)
      slot->place->element = type.getElementType();
  }
  if (!token->holder)
    ++familyOf(token)->live;
  token->holder = value;
  byRoot[value] = token;
}

void Tokens::letGo(Token *token) {
  --familyOf(token)->live;
  token->holder = Value();
}

void Tokens::release(Token *token) {
  letGo(token);
  giveBack(token);
}

/// A free token is either forgotten, when its slots return to the arena, or kept to be given back.
void Tokens::giveBack(Token *token) {
  Family *family = familyOf(token);
  if (family->carried || family->live > 0) {
    token->owner->free.push_back(token);
    return;
  }
  for (Slot *slot : family->slots)
    slot->end = std::max(slot->end, tick);
  if (token->owner->isBody && family->slots.size() == 1 && family->slots[0]->place == token->place)
    token->owner->left.push_back(family->slots[0]);
  llvm::erase_if(token->owner->free, [&](Token *other) { return familyOf(other) == family; });
}

Token *Tokens::take(Scope &scope, int64_t bytes, bool fromFree) {
  if (fromFree) {
    auto it = llvm::find_if(scope.free, [&](Token *free) { return free->place->bytes == bytes; });
    if (it != scope.free.end()) {
      Token *token = *it;
      scope.free.erase(it);
      return token;
    }
  }
  auto left = fromFree ? llvm::find_if(scope.left, [&](Slot *each) { return each->bytes == bytes && each->end < tick; })
                       : scope.left.end();
  Slot *slot;
  if (left != scope.left.end()) {
    slot = *left;
    scope.left.erase(left);
  } else {
    slot = createSlot(bytes);
    slot->alignment = 1; // until it holds something
  }
  Token *token = create(slot->place, &scope);
  token->family->slots.push_back(slot);
  return token;
}

LayoutSizes Tokens::layOut(TypeRange types, int64_t frameBytes) {
  SmallVector<ArenaBuffer *> buffers;
  SmallVector<FreeResult> results; // to the end, where a copy is made, or until they are computed
  for (auto [i, type] : llvm::enumerate(types))
    results.push_back({int(i), bufferBytes(cast<RankedTensorType>(type)), alignmentOf(type), tick});
  for (Slot &slot : slots) {
    if (slot.isResult)
      results[slot.result].begin = slot.begin;
    else
      buffers.push_back(&slot);
  }
  // What was never freed lives to the end.
  for (Token &token : tokens)
    if (token.holder)
      for (Slot *slot : familyOf(&token)->slots)
        slot->end = tick;
  LayoutSizes sizes = layOutArena(buffers, results, frameBytes);
  for (Slot &slot : slots) {
    slot.place->kind = slot.result >= 0   ? Place::Result
                       : slot.scalar >= 0 ? Place::Scalar
                       : slot.inFrame     ? Place::Frame
                                          : Place::Arena;
    slot.place->number = slot.result >= 0 ? slot.result : slot.scalar >= 0 ? slot.scalar : slot.offset;
    slot.place->isPiece = slot.result >= 0 && !slot.isResult;
    slot.place->offset = slot.place->isPiece ? slot.offset : 0;
  }
  return sizes;
}

} // namespace mlir::xla
