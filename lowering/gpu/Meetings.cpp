// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/gpu/Meetings.h"

namespace mlir::xla {

namespace {

/// Loops in each other that are looked at several times each.
constexpr int kDeepest = 3;

using Accesses = SmallVector<ThreadAccess>;

void noteIn(Accesses &all, ArrayRef<ThreadAccess> more) {
  for (const ThreadAccess &access : more)
    if (!llvm::is_contained(all, access))
      all.push_back(access);
}

/// Goes through a program as threads do, and notes places on the way. What is noted stays, so that it holds for what
/// has been seen before.
class Walk {
public:
  explicit Walk(const AccessMap &accesses) : accesses(accesses) {}

  /// Iterations of a loop, which ends behind its first region.
  void goRound(scf::WhileOp loop) {
    Accesses atExit;
    iterate(
        [&] {
          visit(loop.getBefore());
          noteIn(atExit, unmet);
          visit(loop.getAfter());
        },
        loop.getYieldOp(), atExit);
    unmet = std::move(atExit);
  }

  /// do { second region; first region } while
  void goRoundBackwards(scf::WhileOp loop) {
    Accesses atExit;
    iterate(
        [&] {
          visit(loop.getAfter());
          visit(loop.getBefore());
        },
        loop.getConditionOp(), atExit);
  }

  MeetingPlaces places;

private:
  /// Once before a loop is better than at one more place within.
  void enter(scf::WhileOp loop) {
    ++depth;
    if (places.contains(loop) || depth > kDeepest) {
      meet(loop);
      goRound(loop);
    } else {
      MeetingPlaces known = places;
      goRound(loop);
      MeetingPlaces unlessBefore = std::exchange(places, known);
      Accesses unmetThen = std::exchange(unmet, {});
      goRound(loop);
      if (unlessBefore.size() <= places.size()) {
        places = std::move(unlessBefore);
        unmet = std::move(unmetThen);
      } else {
        places.insert(loop);
      }
    }
    --depth;
  }

  /// If an iteration that follows another one needs a further place, they meet between the two instead. One that does
  /// needs none that the first one has not, and a third one is like the second.
  void iterate(llvm::function_ref<void()> once, Operation *end, Accesses &atExit) {
    once();
    MeetingPlaces known = places;
    Accesses exitOfFirst = atExit;
    if (!places.contains(end) && depth <= kDeepest) {
      once();
      if (places == known)
        return;
      places = std::move(known);
      atExit = std::move(exitOfFirst);
    }
    meet(end);
  }

  void visit(Region &region) {
    for (Block &block : region)
      for (Operation &op : block)
        visit(&op);
  }

  void visit(Operation *op) {
    if (auto own = accesses.find(op); own != accesses.end()) {
      bool isApart = llvm::none_of(unmet, [&](const ThreadAccess &before) {
        return llvm::any_of(own->second, [&](const ThreadAccess &after) { return haveToMeet(before, after); });
      });
      if (!isApart || places.contains(op))
        meet(op);
      noteIn(unmet, own->second);
    }
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return enter(loop);
    // All go into the same region, or into none.
    Accesses before = unmet, after = unmet;
    for (Region &region : op->getRegions()) {
      unmet = before;
      visit(region);
      noteIn(after, unmet);
    }
    unmet = std::move(after);
  }

  void meet(Operation *place) {
    places.insert(place);
    unmet.clear();
  }

  const AccessMap &accesses;
  Accesses unmet; // since all threads have met
  int depth = 0;
};

} // namespace

MeetingPlaces meetingPlaces(scf::WhileOp loop, bool isDoWhile, const AccessMap &accesses) {
  Walk walk(accesses);
  if (isDoWhile)
    walk.goRoundBackwards(loop);
  else
    walk.goRound(loop);
  return std::move(walk.places);
}

} // namespace mlir::xla
