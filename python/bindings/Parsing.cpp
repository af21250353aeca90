// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs from text, bytecode and files. Beyond upstream's `Module.parse`: StableHLO in generic form becomes `xla`,
// text that MLIR's parser does not survive is an error, and the GIL is released.

#include "mlir_xla/python/bindings/Bindings.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir_xla/dialect/stablehlo/StablehloInput.h"
#include "mlir_xla/dialect/stablehlo/TextChecks.h"
#include "mlir_xla/dialect/stablehlo/TextInput.h"
#include "llvm/Support/SourceMgr.h"

#include <new>

namespace mlir::xla::python {
namespace {

/// The source as the parsers want it, or nothing, with an error, if there is none or they would not survive it.
std::unique_ptr<llvm::MemoryBuffer> checked(std::unique_ptr<llvm::MemoryBuffer> source, MLIRContext *context) {
  llvm::StringRef text = source->getBuffer();
  std::optional<TextProblem> problem = findProblem(text);
  if (!problem)
    return source;
  auto [line, column] = lineAndColumn(text, problem->at);
  emitError(FileLineColLoc::get(context, source->getBufferIdentifier(), line, column)) << problem->what;
  return nullptr;
}

std::unique_ptr<llvm::MemoryBuffer> openFile(const std::string &path, MLIRContext *context) {
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path);
  if (!file)
    emitError(UnknownLoc::get(context)) << "could not open input file " << path;
  return file;
}

/// StableHLO is accepted wherever `xla` is: its ops in generic form become `xla` ops before anything is verified.
OwningOpRef<ModuleOp> parse(std::unique_ptr<llvm::MemoryBuffer> source, MLIRContext *context) {
  if (!source || !(source = checked(std::move(source), context)))
    return nullptr;
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(packBooleans(std::move(source)), llvm::SMLoc());
  auto module = parseSourceFile<ModuleOp>(sources, ParserConfig(context, /*verifyAfterParse=*/false));
  if (!module || failed(importStablehlo(*module)) || failed(verify(*module)))
    return nullptr;
  return module;
}

template <typename Open> nb::object parseModule(PyMlirContext &ctx, Open open) {
  ErrorCapture errors(ctx.getRef());
  MLIRContext *context = unwrap(ctx.get());
  OwningOpRef<ModuleOp> module;
  {
    nb::gil_scoped_release release;
    module = parse(open(context), context);
  }
  if (!module)
    errors.fail("Unable to parse module assembly");
  return PyModule::forModule(wrap(module.release())).releaseObject();
}

std::string_view textOf(nb::handle source) {
  std::string_view text;
  if (nb::isinstance<nb::bytes>(source)) {
    nb::bytes bytes = nb::borrow<nb::bytes>(source);
    text = {bytes.c_str(), bytes.size()};
  } else if (!nb::try_cast<std::string_view>(source, text)) {
    throwPy(PyExc_TypeError, "expected str or bytes, got " + nb::cast<std::string>(nb::repr(source.type())));
  }
  return text;
}

nb::object parseSource(nb::object source, PyMlirContext &ctx, const std::string &sourceName) {
  std::string_view text = textOf(source);
  std::unique_ptr<llvm::MemoryBuffer> copy =
      llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text.data(), text.size()), sourceName);
  if (!copy)
    throw std::bad_alloc();
  return parseModule(ctx, [&](MLIRContext *) { return std::move(copy); });
}

nb::object parseFile(nb::object path, PyMlirContext &ctx) {
  std::string name = nb::cast<std::string>(nb::module_::import_("os").attr("fspath")(path));
  return parseModule(ctx, [&](MLIRContext *context) { return openFile(name, context); });
}

} // namespace

void populateParsing(nb::module_ &m, nb::module_ &compiler) {
  m.def(
      "check_text",
      [](nb::object source) {
        std::string_view text = textOf(source);
        if (std::optional<TextProblem> problem = findProblem(text))
          throwPy(PyExc_ValueError, "character " + std::to_string(problem->at + 1) + ": " + problem->what);
      },
      nb::arg("source"), nb::sig("def check_text(source: str | bytes) -> None"),
      "ValueError for text that MLIR's parsers do not survive.");
  compiler.def("parse", parseSource, nb::arg("source"), nb::arg("context"), nb::kw_only(), nb::arg("source_name") = "-",
               nb::sig("def parse(source: str | bytes, context: Context, *, source_name: str = '-') -> Module"),
               "Parses a program from text or bytecode of `xla` or StableHLO; MLIRError on failure.\n\n"
               "`source_name` is the file that locations name.");
  compiler.def("parse_file", parseFile, nb::arg("path"), nb::arg("context"),
               nb::sig("def parse_file(path: str | os.PathLike[str], context: Context) -> Module"),
               "Parses a program from a file; MLIRError on failure.");
}

} // namespace mlir::xla::python
