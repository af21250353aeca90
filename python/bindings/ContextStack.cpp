// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The per-thread stack behind `with context:`, `with location:` and `with insertion_point:`, and the defaults taken
// from it. Entering one sets its context too; what was set for the same context stays set.

#include "mlir_xla/python/bindings/IrCore.h"
#include "mlir_xla/python/bindings/Tracebacks.h"

using namespace mlir::xla::python;

namespace {
struct Frame {
  ContextStack::Kind kind;
  Ref<Ctx> context;
  nb::object entered;
  nb::object location;
  nb::object insertionPoint;
};
} // namespace

static std::vector<Frame> &frames() {
  static thread_local std::vector<Frame> stack;
  return stack;
}

Ctx *ContextStack::currentContext() { return frames().empty() ? nullptr : frames().back().context.get(); }

nb::object ContextStack::currentLocation() {
  if (frames().empty() || !frames().back().location.is_valid())
    return nb::none();
  return frames().back().location;
}

nb::object ContextStack::currentInsertionPoint() {
  if (frames().empty() || !frames().back().insertionPoint.is_valid())
    return nb::none();
  return frames().back().insertionPoint;
}

void ContextStack::push(Kind kind, Ref<Ctx> context, nb::object object) {
  Frame frame{kind, std::move(context), object, {}, {}};
  if (!frames().empty() && frames().back().context == frame.context) {
    frame.location = frames().back().location;
    frame.insertionPoint = frames().back().insertionPoint;
  }
  if (kind == Kind::Location)
    frame.location = std::move(object);
  else if (kind == Kind::InsertionPoint)
    frame.insertionPoint = std::move(object);
  frames().push_back(std::move(frame));
}

void ContextStack::pop(Kind kind, nb::handle object) {
  if (frames().empty() || frames().back().kind != kind || !frames().back().entered.is(object)) {
    static const char *const names[] = {"Context", "InsertionPoint", "Location"};
    throwPy(PyExc_RuntimeError, std::string("Unbalanced ") + names[(int)kind] + " enter/exit");
  }
  // What the frame held may run code when it goes: keep it until the stack is consistent.
  Frame last = std::move(frames().back());
  frames().pop_back();
}

size_t ContextStack::depth() { return frames().size(); }

void ContextStack::unwind(size_t depth) {
  while (frames().size() > depth) {
    Frame last = std::move(frames().back());
    frames().pop_back();
  }
}

Ref<Ctx> DefaultCtx::resolve() {
  if (Ctx *ctx = ContextStack::currentContext())
    return Ref<Ctx>(ctx);
  throwPy(PyExc_RuntimeError, "An MLIR function requires a Context but none was provided in the call or from the "
                              "surrounding environment. Either pass to the function with a 'context=' argument or "
                              "establish a default using 'with Context():'");
}

PyLocation DefaultLoc::resolve() {
  if (std::optional<PyLocation> traceback = currentTracebackLocation())
    return *traceback;
  nb::object current = ContextStack::currentLocation();
  if (current.is_none())
    throwPy(PyExc_RuntimeError, "An MLIR function requires a Location but none was provided in the call or from the "
                                "surrounding environment. Either pass to the function with a 'loc=' argument or "
                                "establish a default using 'with loc:'");
  return nb::cast<PyLocation>(current);
}
