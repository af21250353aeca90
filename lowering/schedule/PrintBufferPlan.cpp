// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-print-buffer-plan`: the plan of the schedule as text. The module keeps its meaning; the schedule is left in
// the form that is planned.

#include "mlir_xla/lowering/schedule/BufferPlan.h"
#include "mlir_xla/lowering/schedule/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::xla {
#define GEN_PASS_DEF_PRINTBUFFERPLAN
#include "mlir_xla/lowering/schedule/Passes.h.inc"

namespace {

class PlanPrinter {
public:
  PlanPrinter(const BufferPlan &plan, raw_ostream &os) : plan(plan), os(os) {}

  void print(func::FuncOp main) {
    os << "@" << main.getName() << " in an arena of " << plan.arenaSize << " bytes";
    if (plan.frameSize)
      os << " and a frame of " << plan.frameSize;
    for (auto [argument, result] : plan.mayAlias)
      os << ", result[" << result << "] in argument[" << argument << "] if that is given away";
    os << "\n";
    printBlock(main.getBody().front(), 2);
    printCopies(plan.copiesAtReturn, 2);
  }

private:
  void printPlace(const Place *place) {
    const Place &known = place->resolved();
    switch (known.kind) {
    case Place::Argument:
      os << "argument[" << known.number << "]";
      break;
    case Place::Result:
      os << "result[" << known.number << "]";
      if (known.isPiece)
        os << "[" << known.offset << ":" << known.offset + known.bytes << "]";
      break;
    case Place::Constant:
      os << "constant[" << constants.try_emplace(&known, constants.size()).first->second << "]";
      break;
    case Place::Arena:
      os << "arena[" << known.number << ":" << known.number + known.bytes << "]";
      break;
    case Place::Frame:
      os << "frame[" << known.number << ":" << known.number + known.bytes << "]";
      break;
    case Place::Scalar:
      os << "scalar[" << known.number << "]";
      break;
    case Place::Variable:
      os << "v" << variables.try_emplace(&known, variables.size()).first->second;
      break;
    }
  }

  void printCarried(Carried carried) {
    if (carried.place)
      printPlace(carried.place);
    else
      os << carried.scalar.getType();
  }

  void printValue(Value value) {
    if (!isTensor(value))
      os << value.getType();
    else if (const Place *place = plan.placeOf(value))
      printPlace(place);
    else
      os << "nowhere";
  }

  void printCopies(ArrayRef<Copy> copies, unsigned indent) {
    for (Copy copy : copies) {
      os.indent(indent) << "copy ";
      printPlace(copy.from);
      os << " -> ";
      printPlace(copy.to);
      os << "\n";
    }
  }

  /// ` (a, b)`; nothing if there is nothing.
  template <typename List, typename Print> void printList(const List &list, Print print) {
    if (std::begin(list) == std::end(list))
      return;
    os << " (";
    llvm::interleaveComma(list, os, print);
    os << ")";
  }
  void printCarried(ArrayRef<Carried> list) {
    printList(list, [&](Carried carried) { printCarried(carried); });
    os << "\n";
  }
  void printHandedOn(StringRef title, ArrayRef<Carried> list, unsigned indent) {
    if (list.empty())
      return;
    os.indent(indent) << title;
    printCarried(list);
  }

  void printCall(func::CallOp op, unsigned indent) {
    const CallPlan &call = plan.call(op);
    printCopies(call.copies, indent);
    os.indent(indent) << "@" << op.getCallee();
    printList(call.operands, [&](Carried operand) { printCarried(operand); });
    os << " -> ";
    llvm::interleaveComma(call.results, os, [&](const Place *place) { printPlace(place); });
    if (call.scratch) {
      os << ", scratch ";
      printPlace(call.scratch);
    }
    os << "\n";
  }

  void printControl(Operation &op, unsigned indent) {
    const ControlPlan &control = plan.control(&op);
    printCopies(control.copies, indent);
    os.indent(indent) << op.getName();
    if (control.onDevice)
      os << " on device";
    if (control.onDevice && control.trips >= 0)
      os << " " << control.trips << " times, unrolled " << control.unrolled;
    printCarried(control.inits);
    for (auto [region, block] : llvm::zip_equal(op.getRegions(), control.blocks)) {
      os.indent(indent + 2) << "block";
      printCarried(block.arguments);
      if (!region.empty())
        printBlock(region.front(), indent + 4);
      printCopies(block.copies, indent + 4);
      printHandedOn("hands on", block.outgoing, indent + 4);
    }
    printHandedOn("gives", control.results, indent + 2);
  }

  void printOther(Operation &op, unsigned indent) {
    if (!llvm::any_of(op.getOperands(), isTensor) && !llvm::any_of(op.getResults(), isTensor))
      return;
    os.indent(indent) << op.getName();
    printList(op.getOperands(), [&](Value value) { printValue(value); });
    if (op.getNumResults())
      os << " -> ";
    llvm::interleaveComma(op.getResults(), os, [&](Value value) { printValue(value); });
    os << "\n";
  }

  void printBlock(Block &block, unsigned indent) {
    for (Operation &op : block.without_terminator()) {
      if (auto call = dyn_cast<func::CallOp>(op))
        printCall(call, indent);
      else if (op.getNumRegions())
        printControl(op, indent);
      else
        printOther(op, indent);
    }
  }

  const BufferPlan &plan;
  raw_ostream &os;
  DenseMap<const Place *, unsigned> constants, variables; // numbers in the order of appearance
};

struct PrintBufferPlanPass : impl::PrintBufferPlanBase<PrintBufferPlanPass> {
  using PrintBufferPlanBase::PrintBufferPlanBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main || main.isExternal()) {
      module.emitError("has no function @main to plan buffers for");
      return signalPassFailure();
    }
    SymbolTable symbols(module);
    FailureOr<Aliases> aliases = prepareSchedule(main, symbols);
    if (failed(aliases))
      return signalPassFailure();
    FailureOr<BufferPlan> plan =
        planBuffers(main, symbols, std::move(*aliases), [](ImplementationAttr) { return false; }, frame, device);
    if (failed(plan))
      return signalPassFailure();
    printBufferPlan(main, *plan, llvm::outs());
  }
};

} // namespace

void printBufferPlan(func::FuncOp main, const BufferPlan &plan, raw_ostream &os) { PlanPrinter(plan, os).print(main); }

} // namespace mlir::xla
