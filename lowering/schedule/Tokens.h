// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who owns which buffer while the schedule is planned.
//
// Memory is handed around by *tokens*: whoever holds a token owns one buffer and may write to it. A tensor value holds
// a token from its definition to its last use; a kernel that works in place passes its argument's token on to its
// result. A *slot* is a buffer of fixed place, in the arena or a result of the program. A loop takes the tokens of the
// values it carries and gives tokens back, together with the spare ones it needed, each time in some order: which slot
// a token stands for is then known only at run time, but all of them together stand for the same slots. Such tokens
// form a *family*, whose slots are freed together. A *scope* is a block that is being planned: the function, a side of
// a loop, a branch. It owns the tokens that it was given or has made, and gives back as many as its owner lent it.

#ifndef MLIR_XLA_LOWERING_SCHEDULE_TOKENS_H
#define MLIR_XLA_LOWERING_SCHEDULE_TOKENS_H

#include "mlir_xla/lowering/schedule/ArenaLayout.h"
#include "mlir_xla/lowering/schedule/BufferPlan.h"

namespace mlir::xla {

struct Scope;

struct Slot : ArenaBuffer {
  Place *place;
  bool isResult = false; // all of the result that it names
};

struct Family {
  SmallVector<Slot *, 1> slots;
  int live = 0;            // tokens that hold a value
  bool carried = false;    // includes slots that an enclosing loop or branch owns
  bool isHandedOn = false; // through loops or branches
  Family *mergedInto = nullptr;
};

struct Token {
  Place *place;
  Scope *owner; // null: may be read only
  Family *family;
  Value holder; // the root in it; null when free
};

struct Scope {
  SmallVector<Token *> free; // tokens that must be given back, and may be used again meanwhile
  /// The body of a loop, whose values of the next iteration may be where others were before.
  bool isBody = false;
  SmallVector<Slot *> left; // that nobody needs any more, of a body
};

class Tokens {
public:
  explicit Tokens(std::deque<Place> &places) : places(places) {}

  Place *createPlace(Place::Kind kind, int64_t bytes, int64_t number = 0);
  Slot *createSlot(int64_t bytes);
  /// Of a new family unless there is one to join.
  Token *create(Place *place, Scope *owner, Family *family = nullptr);
  Family *createFamily() { return &families.emplace_back(); }
  /// For memory that this program may only read.
  void holdReadOnly(Place *place, Value value) { byRoot[value] = create(place, nullptr); }

  /// A token nobody holds: one of the scope's free ones, or of a slot that a loop's body has left, if that is wished
  /// and possible, else of a new slot. What a body hands on has a slot of its own in all iterations, which is as good a
  /// place for what the next one needs before.
  Token *take(Scope &scope, int64_t bytes, bool fromFree);
  void hold(Token *token, Value value);
  /// The holder hands the token to someone else.
  void letGo(Token *token);
  /// Nobody needs what is in the buffer.
  void release(Token *token);
  void giveBack(Token *token);
  static Family *familyOf(Token *token);
  static void merge(Family *into, Token *token);

  Token *of(Value root) const { return byRoot.lookup(root); }

  /// From now on the slots of the token may hold anything.
  static void lend(Token *token);

  /// Gives every slot its place for good. `types` are those of the program's results.
  LayoutSizes layOut(TypeRange types, int64_t frameBytes);
  const std::deque<Slot> &allSlots() const { return slots; }
  const DenseMap<Value, Token *> &allHolders() const { return byRoot; }

  int64_t tick = 0; // of the op that is being planned

private:
  std::deque<Place> &places;
  std::deque<Slot> slots;
  std::deque<Token> tokens;
  std::deque<Family> families;
  DenseMap<Value, Token *> byRoot; // the last that each root held
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_SCHEDULE_TOKENS_H
