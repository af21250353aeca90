// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where every tensor of the schedule `@main` lives, and what control flow does with addresses: data from which a
// backend writes code. The plan refers to the values and ops of `@main`, whose order it takes as given, and creates
// none.
//
// A *place* is what the address of a tensor is at run time: memory of an argument, of a result (until that is computed,
// pieces of it serve other values) or of a constant, a piece of the arena, a piece of the stack frame of `@main` (a few
// small values, for which a call need not ask for memory), a *scalar* (a value of up to 8 bytes on the stack, with
// nothing beside it: code generation keeps it in a register if all kernels that read or write it are written out in
// `@main`), or a *variable*. Variables belong to control flow. A loop or branch that leaves a tensor in one of several
// places hands on which one it is, as it hands on scalars: the plan lists, in order, what a loop starts with, the
// arguments of its two blocks, what the end of each block hands on, and the results. What comes back where it was is no
// variable and in none of these lists. So a body that works in place carries nothing, and one that computes a value
// beside the old one hands on two variables in exchanged order. What a scalar holds is no variable: it is copied to
// where it was.

#ifndef MLIR_XLA_LOWERING_SCHEDULE_BUFFERPLAN_H
#define MLIR_XLA_LOWERING_SCHEDULE_BUFFERPLAN_H

#include "mlir_xla/lowering/schedule/Aliases.h"
#include "mlir_xla/lowering/xla_rt/LoopMarks.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/IR/SymbolTable.h"

#include <deque>
#include <memory>

namespace mlir::xla {

struct Place {
  enum Kind : uint8_t { Argument, Result, Constant, Arena, Frame, Scalar, Variable };

  Kind kind;
  int64_t bytes;
  int64_t number = 0; // which argument, result or scalar of the program; the offset in the arena or frame
  int64_t offset = 0; // in the result, of which it is a piece
  bool isPiece = false;
  ElementsAttr elements = {}; // of a constant
  Type element = {};          // of what is there first, if that is one element
  Place *same = nullptr;      // the place that a variable turned out to be, each time

  const Place &resolved() const { return same ? same->resolved() : *this; }
};

/// A scalar of the schedule or the address of a place, whichever is not null.
struct Carried {
  Value scalar;
  Place *place = nullptr;

  explicit operator bool() const { return scalar || place; }
};

/// All bytes of `to` are those of `from`, which is as large.
struct Copy {
  Place *to, *from;
};

struct CallPlan {
  ImplementationAttr contract;
  func::FuncOp implementation;
  SmallVector<Copy, 1> copies; // before the call
  SmallVector<Carried, 4> operands;
  SmallVector<Place *, 2> results;
  Place *scratch = nullptr;
};

/// A side of a loop, or a branch.
struct BlockPlan {
  SmallVector<Carried> arguments; // scalars are arguments of the block in `@main`
  SmallVector<Copy> copies;       // at its end
  SmallVector<Carried> outgoing;  // what it hands on
};

/// Of `scf.while`, whose blocks are its two sides, and of `scf.if` and `scf.index_switch`, which start with nothing.
struct ControlPlan {
  SmallVector<Copy> copies; // before it starts
  SmallVector<Carried> inits;
  SmallVector<BlockPlan, 2> blocks; // one for each region, also for an empty one
  SmallVector<Carried> results;     // scalars are results of the op in `@main`
  // What the device decides (Decisions.h): by the element that is read for it, or by counting to `trips`, with
  // `unrolled` iterations before it asks.
  bool onDevice = false;
  int64_t trips = -1, unrolled = 1;
};

/// `mayAlias` on the schedule: array<i64> of arguments and results in turn.
inline constexpr StringLiteral kMayAlias = "xla_rt.may_alias";

/// On an implementation: array<i64> of the bytes of the buffers that it is given, 0 for what is none.
inline constexpr StringLiteral kBufferBytes = "xla_rt.buffer_bytes";

/// The iterations of a loop whose counter is not read, where they are known.
inline constexpr StringLiteral kTrips = "trips";

class BufferPlan {
public:
  explicit BufferPlan(Aliases aliases) : aliases(std::move(aliases)) {}

  /// Null for a value that nothing reads.
  const Place *placeOf(Value tensor) const {
    const Place *place = byRoot.lookup(aliases.rootOf(tensor));
    return place ? &place->resolved() : nullptr;
  }
  /// Of a call of a kernel.
  const CallPlan &call(Operation *op) const { return *calls.at(op); }
  const ControlPlan &control(Operation *op) const { return *controls.at(op); }

  int64_t arenaSize = 0, frameSize = 0;
  /// In this order; all other results are computed in their place. A variable may be in the result already.
  SmallVector<Copy> copiesAtReturn;
  SmallVector<Place *> buffers; // all but arguments, constants and variables, some at the same offset
  /// Arguments and results that may be in the same memory, if whoever calls gives the argument away: the result is
  /// written when nothing reads the argument any more, or by what works in place.
  SmallVector<std::pair<int64_t, int64_t>> mayAlias;

private:
  friend class BufferPlanner;

  Aliases aliases;
  std::deque<Place> places;
  DenseMap<Value, Place *> byRoot;
  DenseMap<Operation *, std::unique_ptr<CallPlan>> calls;
  DenseMap<Operation *, std::unique_ptr<ControlPlan>> controls;
};

/// Moves the calls of a block to where values hold less memory at the same time.
void orderCalls(Block &block, const Aliases &aliases, const SymbolTable &symbols);

/// Brings `main` into the form that can be planned, still on tensors: counted loops become `scf.while`, calls come in
/// the order that takes the least memory that is found, and a kernel that may overwrite an argument comes after others
/// that read it. Fails if `main` is no schedule.
FailureOr<Aliases> prepareSchedule(func::FuncOp main, const SymbolTable &symbols);

/// Errors are reported at the op that has no place in a schedule. Calls of kernels for which `bringsScratch` holds need
/// no scratch memory of the arena. Small values may take `frameBytes` of the stack. With `device`, it decides what it
/// can.
FailureOr<BufferPlan> planBuffers(func::FuncOp main, const SymbolTable &symbols, Aliases aliases,
                                  function_ref<bool(ImplementationAttr)> bringsScratch, int64_t frameBytes = 0,
                                  bool device = false);

/// One line for each op that has to do with tensors.
void printBufferPlan(func::FuncOp main, const BufferPlan &plan, raw_ostream &os);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_SCHEDULE_BUFFERPLAN_H
