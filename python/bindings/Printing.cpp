// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How operations are written: print, get_asm, write_bytecode, AsmState.

#include "mlir_xla/python/bindings/Printing.h"
#include "mlir_xla/python/bindings/Parts.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Block.h"

using namespace mlir::xla::python;

void mlir::xla::python::avoidVerification(PrintingFlags &flags, MlirOperation op) {
  for (MlirOperation parent = mlirOperationGetParentOperation(op); !mlirOperationIsNull(parent);
       parent = mlirOperationGetParentOperation(op))
    op = parent;
  // The generic form is what MLIR falls back to if verification fails.
  if (!findUnverifiable(op).empty())
    mlirOpPrintingFlagsPrintGenericOpForm(flags);
}

/// As MLIR's Block::print, but with flags.
std::string mlir::xla::python::printBlock(MlirBlock block) {
  mlir::Operation *top = unwrap(block)->getParentOp();
  PrintingFlags flags;
  avoidVerification(flags, wrap(top));
  while (mlir::Operation *parent = top->getParentOp())
    top = parent;
  mlir::AsmState state(top, *unwrap((MlirOpPrintingFlags)flags));
  std::string text;
  llvm::raw_string_ostream os(text);
  unwrap(block)->print(os, state);
  return text;
}

PyAsmState::PyAsmState(PyOperation &op, bool useLocalScope) : op(Ref<PyOperation>(&op)) {
  if (useLocalScope)
    mlirOpPrintingFlagsUseLocalScope(flags);
  avoidVerification(flags, op);
  state = mlirAsmStateCreateForOperation(op, flags);
}

PyAsmState::PyAsmState(const PyValue &value, bool useLocalScope) : op(value.owningOp()) {
  if (useLocalScope)
    mlirOpPrintingFlagsUseLocalScope(flags);
  avoidVerification(flags, *op);
  state = mlirAsmStateCreateForValue(value, flags);
}

void mlir::xla::python::writeTo(nb::handle file, std::string_view data, bool binary) {
  nb::object content =
      binary ? nb::object(nb::bytes(data.data(), data.size())) : nb::object(nb::str(data.data(), data.size()));
  if (file.is_none()) {
    nb::module_::import_("sys").attr("stdout").attr("write")(content);
    return;
  }
  if (nb::hasattr(file, "write")) {
    file.attr("write")(content);
    return;
  }
  nb::object open = nb::module_::import_("builtins").attr("open");
  nb::object opened = binary ? open(file, "wb") : open(file, "w", nb::arg("encoding") = "utf-8");
  opened.attr("write")(content);
  opened.attr("close")();
}

namespace {
struct AsmOptions {
  std::optional<int64_t> largeElementsLimit, largeResourceLimit;
  bool enableDebugInfo = false, prettyDebugInfo = false, printGenericOpForm = false, useLocalScope = false;
  bool useNameLocAsPrefix = false, assumeVerified = false, skipRegions = false;
};
} // namespace

static std::string getAsm(PyOperationBase &self, const AsmOptions &options) {
  PrintingFlags flags;
  if (options.largeElementsLimit)
    mlirOpPrintingFlagsElideLargeElementsAttrs(flags, *options.largeElementsLimit);
  if (options.largeResourceLimit)
    mlirOpPrintingFlagsElideLargeResourceString(flags, *options.largeResourceLimit);
  if (options.enableDebugInfo)
    mlirOpPrintingFlagsEnableDebugInfo(flags, /*enable=*/true, options.prettyDebugInfo);
  if (options.printGenericOpForm)
    mlirOpPrintingFlagsPrintGenericOpForm(flags);
  if (options.useLocalScope)
    mlirOpPrintingFlagsUseLocalScope(flags);
  if (options.useNameLocAsPrefix)
    mlirOpPrintingFlagsPrintNameLocAsPrefix(flags);
  if (options.assumeVerified)
    mlirOpPrintingFlagsAssumeVerified(flags);
  if (options.skipRegions)
    mlirOpPrintingFlagsSkipRegions(flags);
  avoidVerification(flags, self.state());
  PrintBuffer out;
  mlirOperationPrintWithFlags(self.state(), flags, out.callback(), out.data());
  return std::move(out.text);
}

/// As MLIR's `dump`.
static void dump(PyOperationBase &self) {
  AsmOptions options;
  options.useLocalScope = true;
  std::string text = getAsm(self, options) + "\n";
  fwrite(text.data(), 1, text.size(), stderr);
}

static std::string getBytecode(PyOperationBase &self, std::optional<int64_t> version) {
  PrintBuffer out;
  if (!version) {
    mlirOperationWriteBytecode(self.state(), out.callback(), out.data());
    return std::move(out.text);
  }
  MlirBytecodeWriterConfig config = mlirBytecodeWriterConfigCreate();
  mlirBytecodeWriterConfigDesiredEmitVersion(config, *version);
  MlirLogicalResult result = mlirOperationWriteBytecodeWithConfig(self.state(), config, out.callback(), out.data());
  mlirBytecodeWriterConfigDestroy(config);
  if (mlirLogicalResultIsFailure(result))
    throwPy(PyExc_ValueError, "Unable to honor desired bytecode version " + std::to_string(*version));
  return std::move(out.text);
}

void mlir::xla::python::populateOperationPrinting(nb::module_ &m) {
  nb::class_<PyAsmState>(m, "AsmState", "The numbering of values, for many prints without a change in between.")
      .def(
          "__init__", [](PyAsmState *self, const PyValue &value, bool local) { new (self) PyAsmState(value, local); },
          nb::arg("value"), nb::arg("use_local_scope") = false)
      .def(
          "__init__",
          [](PyAsmState *self, PyOperationBase &op, bool local) { new (self) PyAsmState(op.state(), local); },
          nb::arg("op"), nb::arg("use_local_scope") = false);

  auto base = nb::borrow<nb::class_<PyOperationBase>>(nb::type<PyOperationBase>());
  base.def(
          "__str__", [](PyOperationBase &self) { return getAsm(self, {}); }, "The assembly form.")
      .def(
          "print",
          [](PyOperationBase &self, PyAsmState &state, nb::object file, bool binary) {
            PrintBuffer out;
            mlirOperationPrintWithState(self.state(), state.get(), out.callback(), out.data());
            writeTo(file, out.text, binary);
          },
          nb::arg("state"), nb::arg("file") = nb::none(), nb::arg("binary") = false,
          "Prints to a file (stdout by default) with the numbering of `state`.")
      .def(
          "print",
          [](PyOperationBase &self, std::optional<int64_t> largeElementsLimit,
             std::optional<int64_t> largeResourceLimit, bool enableDebugInfo, bool prettyDebugInfo,
             bool printGenericOpForm, bool useLocalScope, bool useNameLocAsPrefix, bool assumeVerified, nb::object file,
             bool binary, bool skipRegions) {
            writeTo(file,
                    getAsm(self, {largeElementsLimit, largeResourceLimit, enableDebugInfo, prettyDebugInfo,
                                  printGenericOpForm, useLocalScope, useNameLocAsPrefix, assumeVerified, skipRegions}),
                    binary);
          },
          nb::arg("large_elements_limit") = nb::none(), nb::arg("large_resource_limit") = nb::none(),
          nb::arg("enable_debug_info") = false, nb::arg("pretty_debug_info") = false,
          nb::arg("print_generic_op_form") = false, nb::arg("use_local_scope") = false,
          nb::arg("use_name_loc_as_prefix") = false, nb::arg("assume_verified") = false, nb::arg("file") = nb::none(),
          nb::arg("binary") = false, nb::arg("skip_regions") = false,
          "Prints to a file (stdout by default).\n\n"
          "`file` is an object with `write` or a path; `binary` writes bytes. The limits elide elements attributes and "
          "resources that are longer; the other flags are those of mlir-opt.")
      .def(
          "get_asm",
          [](PyOperationBase &self, bool binary, std::optional<int64_t> largeElementsLimit,
             std::optional<int64_t> largeResourceLimit, bool enableDebugInfo, bool prettyDebugInfo,
             bool printGenericOpForm, bool useLocalScope, bool useNameLocAsPrefix, bool assumeVerified,
             bool skipRegions) -> nb::object {
            std::string text =
                getAsm(self, {largeElementsLimit, largeResourceLimit, enableDebugInfo, prettyDebugInfo,
                              printGenericOpForm, useLocalScope, useNameLocAsPrefix, assumeVerified, skipRegions});
            if (binary)
              return nb::bytes(text.data(), text.size());
            return nb::str(text.data(), text.size());
          },
          nb::arg("binary") = false, nb::arg("large_elements_limit") = nb::none(),
          nb::arg("large_resource_limit") = nb::none(), nb::arg("enable_debug_info") = false,
          nb::arg("pretty_debug_info") = false, nb::arg("print_generic_op_form") = false,
          nb::arg("use_local_scope") = false, nb::arg("use_name_loc_as_prefix") = false,
          nb::arg("assume_verified") = false, nb::arg("skip_regions") = false,
          nb::sig("def get_asm(self, binary: bool = False, large_elements_limit: int | None = None, "
                  "large_resource_limit: int | None = None, enable_debug_info: bool = False, pretty_debug_info: bool = "
                  "False, print_generic_op_form: bool = False, use_local_scope: bool = False, use_name_loc_as_prefix: "
                  "bool = False, assume_verified: bool = False, skip_regions: bool = False) -> str | bytes"),
          "The assembly form as str, or bytes with `binary`; the flags are those of `print`.")
      .def(
          "write_bytecode",
          [](PyOperationBase &self, nb::object file, std::optional<int64_t> version) {
            writeTo(file, getBytecode(self, version), /*binary=*/true);
          },
          nb::arg("file"), nb::arg("desired_version") = nb::none(),
          "Writes MLIR bytecode to an object with `write` (of bytes) or to a path.")
      .def("dump", dump, "Prints to stderr.");
}
