// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Module: a `builtin.module` that owns itself.

#include "mlir_xla/python/bindings/Parts.h"
#include "mlir_xla/python/bindings/TextChecks.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir_xla/dialect/StablehloInput.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir::xla::python;

PyModule::PyModule(Ref<PyOperation> op) : op(std::move(op)) { ++this->op->ctx->liveModules; }
PyModule::PyModule(PyModule &&other) noexcept : op(std::move(other.op)) {}
PyModule::~PyModule() {
  if (op)
    --op->ctx->liveModules;
}

MlirModule PyModule::get() const { return mlirModuleFromOperation(op->get()); }

/// StableHLO is accepted wherever `xla` is: its ops in generic form become `xla` ops before anything is verified.
template <typename Parse> static MlirModule parseAndImport(MlirContext ctx, Parse parse) {
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(mlir::ParserConfig(unwrap(ctx), /*verifyAfterParse=*/false));
  if (!module || failed(mlir::xla::importStablehlo(*module)) || failed(mlir::verify(*module)))
    return {nullptr};
  return wrap(module.release());
}

static PyModule adoptModule(const Ref<Ctx> &ctx, MlirModule module, ErrorCapture *errors) {
  if (mlirModuleIsNull(module))
    errors->fail("Unable to parse module assembly");
  return PyModule(PyOperation::adopt(mlirModuleGetOperation(module)));
}

static PyModule parseText(nb::object source, DefaultCtx ctx, const std::string &sourceName) {
  std::string_view text;
  if (nb::isinstance<nb::bytes>(source)) {
    nb::bytes bytes = nb::borrow<nb::bytes>(source);
    text = {bytes.c_str(), bytes.size()};
  } else if (!nb::try_cast<std::string_view>(source, text)) {
    throwPy(PyExc_TypeError, "expected str or bytes, got " + nb::cast<std::string>(nb::repr(source.type())));
  }
  ErrorCapture errors(ctx.ctx);
  MlirModule module{};
  {
    nb::gil_scoped_release release;
    if (checkText(ctx, text, sourceName))
      module = parseAndImport(ctx, [&](const mlir::ParserConfig &config) {
        return mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(text.data(), text.size()), config, sourceName);
      });
  }
  return adoptModule(ctx.ctx, module, &errors);
}

static PyModule parseFile(nb::object path, DefaultCtx ctx) {
  std::string name = nb::cast<std::string>(nb::module_::import_("os").attr("fspath")(path));
  ErrorCapture errors(ctx.ctx);
  MlirModule module{};
  {
    nb::gil_scoped_release release;
    module = parseAndImport(ctx, [&](const mlir::ParserConfig &config) -> mlir::OwningOpRef<mlir::ModuleOp> {
      std::unique_ptr<llvm::MemoryBuffer> file = mlir::openInputFile(name);
      if (!file) {
        mlir::emitError(mlir::UnknownLoc::get(config.getContext())) << "could not open input file " << name;
        return nullptr;
      }
      if (!checkText(ctx, std::string_view(file->getBuffer()), name))
        return nullptr;
      auto sources = std::make_shared<llvm::SourceMgr>();
      sources->AddNewSourceBuffer(std::move(file), llvm::SMLoc());
      return mlir::parseSourceFile<mlir::ModuleOp>(sources, config);
    });
  }
  return adoptModule(ctx.ctx, module, &errors);
}

void mlir::xla::python::populateModule(nb::module_ &m) {
  nb::class_<PyModule>(m, "Module", nb::is_weak_referenceable(), "A top-level container of operations.")
      .def_prop_ro(MLIR_PYTHON_CAPI_PTR_ATTR,
                   [](PyModule &self) { return nb::steal(mlirPythonModuleToCapsule(self.get())); })
      .def_static(MLIR_PYTHON_CAPI_FACTORY_ATTR,
                  [](nb::object capsule) {
                    MlirModule module = mlirPythonCapsuleToModule(capsule.ptr());
                    if (mlirModuleIsNull(module))
                      throw nb::python_error();
                    MlirOperation op = mlirModuleGetOperation(module);
                    // Without a wrapper, the capsule hands the module over.
                    return PyModule(PyOperation::adopt(op));
                  })
      .def("_clear_mlir_module", [](PyModule &self) { self.op->release(); })
      .def_static(
          "parse", parseText, nb::arg("asm"), nb::arg("context") = nb::none(), nb::kw_only(),
          nb::arg("source_name") = "-",
          nb::sig("def parse(asm: str | bytes, context: Context | None = None, *, source_name: str = '-') -> "
                  "Module"),
          "Parses a module from its assembly form or bytecode; MLIRError on failure. StableHLO becomes `xla`.\n\n"
          "`source_name` is the file that locations name.")
      .def_static("parseFile", parseFile, nb::arg("path"), nb::arg("context") = nb::none(),
                  nb::sig("def parseFile(path: str | os.PathLike[str], context: Context | None = None) -> Module"),
                  "Parses a module from a file; MLIRError on failure. StableHLO becomes `xla`.")
      .def_static(
          "create",
          [](DefaultLoc loc) {
            return PyModule(PyOperation::adopt(mlirModuleGetOperation(mlirModuleCreateEmpty(loc))));
          },
          nb::arg("loc") = nb::none(), "An empty module.")
      .def_prop_ro(
          "context", [](PyModule &self) { return self.op->ctx; }, "The context that created the module.")
      .def_prop_ro(
          "operation",
          [](PyModule &self) {
            self.op->checkValid();
            return self.op;
          },
          "The module as an Operation.")
      .def_prop_ro(
          "body", [](PyModule &self) { return PyBlock::forBlock(mlirModuleGetBody(self.get())); },
          "The module's only block.")
      .def(
          "dump", [](PyModule &self) { mlirOperationDump(self.op->get()); }, "Prints to stderr.")
      .def("__eq__", [](PyModule &self, PyModule &other) { return self.op == other.op; })
      .def(
          "__eq__", [](PyModule &, nb::handle) { return false; }, nb::arg().none())
      .def("__hash__", [](PyModule &self) { return std::hash<void *>()(self.op.get()); })
      .def(
          "__str__", [](PyModule &self) { return nb::str(self.op.object()); }, nb::sig("def __str__(self) -> str"),
          "The assembly form.");
}
