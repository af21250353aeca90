// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C++ side of `mlir_xla.ir`: what a Python object holds, how it is found again for a C handle, and who keeps whom
// alive. Every source file of the bindings includes this one.
//
// Lifetimes. Context, Operation and Block are unique per C pointer and *are* the Python objects (`Ctx`, `PyOperation`,
// `PyBlock`); everything else is a small value that refers to one of them. An PyOperation keeps its parent alive, so
// the chain ends in a detached operation (or module), which is destroyed when its last wrapper goes. Erasing an
// operation invalidates the wrappers below it, and using them raises. All of this is guarded by the GIL: no Ref may be
// created, copied or dropped while it is released.

#ifndef MLIR_XLA_PYTHON_BINDINGS_IRCORE_H
#define MLIR_XLA_PYTHON_BINDINGS_IRCORE_H

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#include "nanobind/nanobind.h"
#include "nanobind/stl/optional.h"
#include "nanobind/stl/pair.h"
#include "nanobind/stl/string.h"
#include "nanobind/stl/string_view.h"
#include "nanobind/stl/tuple.h"
#include "nanobind/stl/vector.h"
#include "nanobind/typing.h"

// After nanobind, which includes Python.h with the right macros.
#include "mlir-c/Bindings/Python/Interop.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace mlir::xla::python {

class PyBlock;
class Ctx;
class PyOperation;

//===--- References
//--------------------------------------------------------------------------------------------------===//

/// A strong reference to a C++ object that lives inside a Python object (its `self`). May be null.
template <typename T> class Ref {
public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  Ref(T *ptr) : ptr(ptr) { incref(); }
  Ref(const Ref &other) : ptr(other.ptr) { incref(); }
  Ref(Ref &&other) noexcept : ptr(std::exchange(other.ptr, nullptr)) {}
  ~Ref() { reset(); }
  Ref &operator=(Ref other) noexcept {
    std::swap(ptr, other.ptr);
    return *this;
  }

  void reset() {
    if (T *old = std::exchange(ptr, nullptr))
      Py_DECREF(old->self.ptr());
  }
  T *get() const { return ptr; }
  T *operator->() const { return ptr; }
  T &operator*() const { return *ptr; }
  explicit operator bool() const { return ptr != nullptr; }
  bool operator==(const Ref &other) const { return ptr == other.ptr; }

  /// The Python object; None for a null reference.
  nb::object object() const { return ptr ? nb::borrow(ptr->self) : nb::none(); }

private:
  void incref() {
    if (ptr)
      Py_INCREF(ptr->self.ptr());
  }
  T *ptr = nullptr;
};

/// Creates the Python object of the bound class T in place and returns a reference to it.
template <typename T, typename... Args> Ref<T> makeRef(Args &&...args) {
  nb::object object = nb::inst_alloc(nb::type<T>());
  T *ptr = nb::inst_ptr<T>(object);
  new (ptr) T(std::forward<Args>(args)...);
  ptr->self = object;
  nb::inst_mark_ready(object);
  return Ref<T>(ptr);
}

//===--- Context
//-----------------------------------------------------------------------------------------------------===//

/// A diagnostic with its notes, copied so that it may outlive the callback.
struct DiagnosticInfo;
class DiagnosticHandler;

/// Python's `Context`: owns the MlirContext and knows the live wrappers of its operations and blocks.
class Ctx {
public:
  explicit Ctx(MlirContext context);
  Ctx(const Ctx &) = delete;
  ~Ctx();

  MlirContext get() const { return context; }
  operator MlirContext() const { return context; }

  /// The wrapper of `context`; adopts a context that has none.
  static Ref<Ctx> forContext(MlirContext context);
  /// The wrapper of `context` or null.
  static Ctx *lookup(MlirContext context);
  static size_t liveCount();

  nb::handle self;
  bool emitErrorDiagnostics = false;
  /// Kept alive while the context may use it.
  nb::object threadPool;
  std::unordered_map<void *, PyOperation *> operations;
  std::unordered_map<void *, PyBlock *> blocks;
  /// Detached operations without a wrapper that others still use; they are destroyed after the last use.
  std::unordered_set<void *> orphans;
  std::vector<nb::object> diagnosticHandlers;
  size_t liveModules = 0;

private:
  MlirContext context;
};

/// The current context, location and insertion point of the thread: the stack behind `with`.
class ContextStack {
public:
  enum class Kind { Context, InsertionPoint, Location };

  static Ctx *currentContext();
  static nb::object currentLocation();
  static nb::object currentInsertionPoint();

  static void push(Kind kind, Ref<Ctx> context, nb::object object);
  /// Raises RuntimeError if the top of the stack is not that entry.
  static void pop(Kind kind, nb::handle object);
  /// The same for C++ that entered something and called Python, which may have left entries behind.
  static void unwind(size_t depth);
  static size_t depth();
};

/// A function argument `context=None`: None is the current context, and without one an error.
struct DefaultCtx {
  Ref<Ctx> ctx;
  static Ref<Ctx> resolve();
  Ctx *operator->() const { return ctx.get(); }
  MlirContext get() const { return ctx->get(); }
  operator MlirContext() const { return ctx->get(); }
};

//===--- Values without identity
//-------------------------------------------------------------------------------------===//

struct PyLocation {
  Ref<Ctx> ctx;
  MlirLocation loc;
  operator MlirLocation() const { return loc; }
};

/// A function argument `loc=None`: None is the current location, and without one an error.
struct DefaultLoc {
  PyLocation value;
  static PyLocation resolve();
  MlirLocation get() const { return value.loc; }
  operator MlirLocation() const { return value.loc; }
};

struct PyAttribute {
  Ref<Ctx> ctx;
  MlirAttribute attr;
  MlirAttribute get() const { return attr; }
  operator MlirAttribute() const { return attr; }
};

struct PyNamedAttribute {
  Ref<Ctx> ctx;
  MlirNamedAttribute named;
};

struct PyType {
  Ref<Ctx> ctx;
  MlirType type;
  MlirType get() const { return type; }
  operator MlirType() const { return type; }
};

struct PyTypeID {
  MlirTypeID id;
};

/// What members that return a downcast attribute, type, value, ... declare as their return type.
using AttributeObject = nb::typed<nb::object, PyAttribute>;
using TypeObject = nb::typed<nb::object, PyType>;

/// The Python object of the most specific class for the handle; None for a null handle.
AttributeObject wrapAttribute(MlirAttribute attr);
TypeObject wrapType(MlirType type);
nb::object wrapLocation(MlirLocation loc);

//===--- Operations, blocks, values
//----------------------------------------------------------------------------------===//

/// Base class of Operation and OpView in Python (`_OperationBase`).
class PyOperationBase {
public:
  virtual ~PyOperationBase() = default;
  /// The operation, after the check that it still exists.
  virtual PyOperation &state() = 0;
};

/// Python's `Operation`.
class PyOperation final : public PyOperationBase {
public:
  /// Use `forOperation` or `adopt`.
  PyOperation(Ref<Ctx> ctx, MlirOperation op, Ref<PyOperation> parent, bool owned);
  ~PyOperation() override;

  /// The wrapper of an operation that belongs to a known parent or to someone else.
  static Ref<PyOperation> forOperation(MlirOperation op);
  /// The wrapper of a detached operation that Python owns from now on.
  static Ref<PyOperation> adopt(MlirOperation op);

  PyOperation &state() override {
    checkValid();
    return *this;
  }
  MlirOperation get() {
    checkValid();
    return op;
  }
  operator MlirOperation() { return get(); }
  MlirOperation raw() const { return op; }
  bool isValid() const { return valid; }
  void checkValid() const {
    if (!valid)
      throwInvalid();
  }

  /// Follows a change of the parent that was made in C++ or by a sibling: links the wrapper to the operation's present
  /// parent, or makes Python its owner when there is none.
  void relink();
  /// Hands the operation over: whoever took it destroys it.
  void release() { owned = false; }
  bool isAttached();
  /// Destroys the operation and invalidates the wrappers in it.
  void erase();
  /// Invalidates this wrapper and those of everything inside, before C++ destroys the operation.
  void invalidateTree();
  void invalidate();
  /// An OpView of the class that is registered for the operation's name.
  nb::object opView();

  nb::handle self;
  const Ref<Ctx> ctx;

private:
  [[noreturn]] static void throwInvalid();
  MlirOperation op;
  MlirIdentifier name;
  Ref<PyOperation> parent;
  bool owned;
  bool valid = true;
  friend class SurvivorTracking;
};

/// Python's `OpView` and the base of the generated operation classes.
class PyOpView : public PyOperationBase {
public:
  explicit PyOpView(Ref<PyOperation> op) : op(std::move(op)) {}
  PyOperation &state() override { return op->state(); }
  Ref<PyOperation> op;
};

/// Python's `Block`.
class PyBlock {
public:
  PyBlock(Ref<Ctx> ctx, MlirBlock block, Ref<PyOperation> parent);
  ~PyBlock();
  static Ref<PyBlock> forBlock(MlirBlock block);

  MlirBlock get() const {
    checkValid();
    return block;
  }
  operator MlirBlock() const { return get(); }
  void checkValid() const;
  bool isValid() const { return valid; }
  void relink();
  void invalidate();
  const Ref<PyOperation> &parentOp() const { return parent; }

  nb::handle self;
  const Ref<Ctx> ctx;
  /// Counts the removals of arguments, whose wrappers hold a pointer that then may dangle.
  unsigned argumentEpoch = 0;

private:
  MlirBlock block;
  Ref<PyOperation> parent;
  bool valid = true;
  friend class SurvivorTracking;
};

struct PyRegion {
  Ref<PyOperation> op;
  MlirRegion region;
  MlirRegion get() const {
    op->checkValid();
    return region;
  }
  operator MlirRegion() const { return get(); }
};

/// Python's `Value`: an operation's result (`op` is set) or a block's argument (`block` is set).
struct PyValue {
  PyValue(MlirValue value);
  virtual ~PyValue() = default;
  MlirValue get() const {
    checkValid();
    return value;
  }
  operator MlirValue() const { return get(); }
  void checkValid() const;
  const Ref<Ctx> &context() const { return op ? op->ctx : block->ctx; }
  /// The operation that defines the value, or that contains the block whose argument it is.
  Ref<PyOperation> owningOp() const { return op ? op : block->parentOp(); }

  MlirValue value;
  Ref<PyOperation> op;
  Ref<PyBlock> block;
  mutable unsigned argumentEpoch = 0;
};
struct PyOpResult : PyValue {
  using PyValue::PyValue;
};
struct PyBlockArgument : PyValue {
  using PyValue::PyValue;
};

using OperationObject = nb::typed<nb::object, PyOperation>;
using OpViewObject = nb::typed<nb::object, PyOpView>;
using ValueObject = nb::typed<nb::object, PyValue>;

/// OpResult or BlockArgument, then the value caster registered for its type.
ValueObject wrapValue(MlirValue value);
/// The same as a plain `Value`: what operands are.
ValueObject wrapOperand(MlirValue value);
/// Like `PyOperation::forOperation(op)->opView()`; None for a null handle.
OpViewObject wrapOpView(MlirOperation op);
/// The only result of an operation; ValueError if it has none or several.
MlirValue uniqueResult(MlirOperation op);
/// Accepts a Value, or an Operation or OpView with one result. Raises TypeError or ValueError.
MlirValue toValue(nb::handle object);

/// Python's `InsertionPoint`.
struct PyInsertionPoint {
  Ref<PyBlock> block;
  /// Null: the end of the block.
  Ref<PyOperation> before;
  /// Inserts a detached operation, which the block then owns.
  void insert(PyOperation &op) const;
};

/// Python's `Module`.
struct PyModule {
  explicit PyModule(Ref<PyOperation> op);
  PyModule(PyModule &&other) noexcept;
  PyModule(const PyModule &) = delete;
  ~PyModule();
  MlirModule get() const;
  Ref<PyOperation> op;
};

//===--- Errors and strings
//------------------------------------------------------------------------------------------===//

/// Becomes `ir.MLIRError` in Python.
struct MLIRError : std::exception {
  MLIRError(std::string message, std::vector<DiagnosticInfo> diagnostics);
  ~MLIRError() override;
  const char *what() const noexcept override { return message.c_str(); }
  std::string message;
  std::vector<DiagnosticInfo> diagnostics;
};

struct DiagnosticInfo {
  MlirDiagnosticSeverity severity;
  PyLocation location;
  std::string message;
  std::vector<DiagnosticInfo> notes;
};

/// Collects the errors that the context reports during its life, for the MLIRError that the caller then throws. The
/// GIL may be released meanwhile.
class ErrorCapture {
public:
  explicit ErrorCapture(Ref<Ctx> ctx);
  ErrorCapture(const ErrorCapture &) = delete;
  ~ErrorCapture();
  std::vector<DiagnosticInfo> take();
  /// Throws MLIRError with what was collected.
  [[noreturn]] void fail(std::string message);

private:
  static MlirLogicalResult handle(MlirDiagnostic diagnostic, void *self);
  Ref<Ctx> ctx;
  MlirDiagnosticHandlerID id;
  struct Raw;
  std::vector<Raw> errors;
};

/// Sets and throws a Python exception: `throwPy(PyExc_TypeError, "...")`.
[[noreturn]] void throwPy(PyObject *type, const std::string &message);

inline MlirStringRef toRef(std::string_view text) { return mlirStringRefCreate(text.data(), text.size()); }
inline std::string_view toView(MlirStringRef text) { return {text.data, text.length}; }
inline nb::str toStr(MlirStringRef text) { return nb::str(text.data, text.length); }

/// The target of the C API's print functions: `PrintBuffer out; mlirTypePrint(t, out.callback(), out.data());`
struct PrintBuffer {
  std::string text;
  void *data() { return this; }
  static MlirStringCallback callback() {
    return
        [](MlirStringRef part, void *self) { static_cast<PrintBuffer *>(self)->text.append(part.data, part.length); };
  }
  nb::str str() const { return nb::str(text.data(), text.size()); }
};
std::string toString(MlirAttribute attr);
std::string toString(MlirType type);
std::string toString(MlirLocation loc);

//===--- Registries
//--------------------------------------------------------------------------------------------------===//

/// The Python classes and casters that dialect modules register.
class Globals {
public:
  static Globals &get();

  /// Imports `<prefix>.<ns>` for each search prefix until one exists; false if none does. Both answers are remembered.
  bool loadDialectModule(std::string_view ns);
  void registerDialectClass(const std::string &ns, nb::object cls);
  void registerOperationClass(const std::string &name, nb::object cls, bool replace);
  void registerAttributeBuilder(const std::string &kind, nb::object builder, bool replace);
  void registerTypeCaster(MlirTypeID id, nb::object caster, bool replace);
  void registerValueCaster(MlirTypeID id, nb::object caster, bool replace);
  /// Null objects when there is none. All but the builder may import the dialect's module.
  nb::object lookupDialectClass(const std::string &ns);
  nb::object lookupOperationClass(std::string_view name);
  nb::object lookupAttributeBuilder(const std::string &kind);
  nb::object lookupTypeCaster(MlirTypeID id, MlirDialect dialect);
  nb::object lookupValueCaster(MlirTypeID id, MlirDialect dialect);

  std::vector<std::string> dialectSearchPrefixes;
  void resetNegativeCache() { loadedModules.clear(); }

private:
  std::unordered_map<std::string, bool> loadedModules;
  std::unordered_map<std::string, nb::object> dialectClasses, operationClasses, attributeBuilders;
  std::unordered_map<const void *, nb::object> typeCasters, valueCasters;
};

/// The registry that every new Context starts from: upstream's dialects and extensions, and xla.
MlirDialectRegistry globalDialectRegistry();

//===--- The parts of the extension
//----------------------------------------------------------------------------------===//

void populateGlobals(nb::module_ &m); // register_operation, globals, ... of `_mlir` itself
void populateIrCore(nb::module_ &m);  // Context, Location, Diagnostics, Attribute, Type, TypeID
void populateIrTypes(nb::module_ &m); // the concrete builtin types
void populateIrAttributes(nb::module_ &m);
void populateIrAffine(nb::module_ &m);
void populateOperations(nb::module_ &m); // Operation, Block, Region, Value, Module, SymbolTable
void populatePasses(nb::module_ &m);     // passmanager
void populateRewrite(nb::module_ &m);
void populateExecution(nb::module_ &m); // execution_engine
/// The submodules `_mlirDialects<Name>` with the types and attributes of dialects other than builtin.
void populateDialectTypes(nb::module_ &m);
void populateCompiler(nb::module_ &m); // mlir_xla's own compiler

} // namespace mlir::xla::python

#include "mlir_xla/python/bindings/Casters.h"

#endif // MLIR_XLA_PYTHON_BINDINGS_IRCORE_H
