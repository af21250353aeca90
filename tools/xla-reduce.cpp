// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test case reduction: `xla-reduce FILE --xla-reduction=test=SCRIPT` makes a program smaller as long as SCRIPT, run on
// a candidate's file, exits with 1. Reads `xla` and StableHLO; candidates are `xla`.

#include "mlir_xla/compiler/Registration.h"
#include "mlir_xla/dialect/XlaDialect.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/dialect/stablehlo/BytecodeInput.h"
#include "mlir_xla/dialect/stablehlo/StablehloInput.h"
#include "mlir_xla/dialect/stablehlo/TextChecks.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Reducer/Tester.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <unistd.h>

using namespace mlir;

namespace {
/// Greedy: tries to simplify one op at a time, last ones first, and keeps what is still valid and interesting, until
/// nothing is. (Upstream's `--reduction-tree` erases ranges of ops without regard to their uses.)
struct ReduceProgramPass : PassWrapper<ReduceProgramPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReduceProgramPass)

  ReduceProgramPass() = default;
  ReduceProgramPass(const ReduceProgramPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "xla-reduction"; }
  StringRef getDescription() const override { return "Simplify a program as long as a script calls it interesting"; }

  Option<std::string> script{*this, "test", llvm::cl::desc("run on a candidate's file; exits with 1 if interesting")};

  void runOnOperation() override {
    Tester tester(script, {});
    ModuleOp module = getOperation();
    if (failed(xla::importStablehlo(module)))
      return signalPassFailure();
    FailureOr<int> status = runScript(module);
    if (failed(status))
      return signalPassFailure();
    if (*status != 1) {
      module.emitError("the input is not interesting: '") << script << "' must exit with 1 for it";
      return signalPassFailure();
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (int index = countOps(module) - 1; index >= 0; --index)
        for (Attempt attempt : {eraseUnused, useOperand, useZero})
          if (accept(module, index, attempt, tester)) {
            changed = true;
            break;
          }
    }
  }

private:
  /// The exit status of the script for the input. Unlike the tester, reports a script that cannot be run.
  FailureOr<int> runScript(ModuleOp module) {
    int file;
    SmallString<128> path;
    if (std::error_code error = llvm::sys::fs::createTemporaryFile("xla-reduce", "mlir", file, path))
      return module.emitError("cannot make a temporary file: ") << error.message();
    llvm::FileRemover remover(path);
    llvm::raw_fd_ostream(file, /*shouldClose=*/true) << *module;
    std::string error;
    bool cannotRun = false;
    int status = llvm::sys::ExecuteAndWait(script, {StringRef(script), path}, /*Env=*/std::nullopt, /*Redirects=*/{},
                                           /*SecondsToWait=*/0, /*MemoryLimit=*/0, &error, &cannotRun);
    if (cannotRun)
      return module.emitError("cannot run the script '") << script << "' of --xla-reduction=test=SCRIPT: " << error;
    return status;
  }

  using Attempt = bool (*)(Operation *);

  /// An op without a use (or a function without a caller) goes.
  static bool eraseUnused(Operation *op) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!op->use_empty() || op->hasTrait<OpTrait::IsTerminator>() || (function && function.isPublic()))
      return false;
    op->erase();
    return true;
  }

  /// %y = xla.tanh %x : tensor<4xf32>  ->  %x
  static bool useOperand(Operation *op) {
    if (!isReplaceable(op) || op->getNumResults() != 1)
      return false;
    for (Value operand : op->getOperands())
      if (operand.getType() == op->getResult(0).getType()) {
        op->getResult(0).replaceAllUsesWith(operand);
        op->erase();
        return true;
      }
    return false;
  }

  /// %y = xla.dot_general %a, %b, ...  ->  %y = xla.constant dense<0.0>
  static bool useZero(Operation *op) {
    if (!isReplaceable(op) || isa<xla::ConstantOp>(op))
      return false;
    SmallVector<ElementsAttr> zeros;
    OpBuilder builder(op);
    for (Type type : op->getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || !tensor.hasStaticShape() || !tensor.getElementType().isIntOrFloat())
        return false;
      Type element = tensor.getElementType();
      Attribute zero = isa<FloatType>(element)
                           ? Attribute(FloatAttr::get(element, 0.0))
                           : Attribute(IntegerAttr::get(element, APInt(element.getIntOrFloatBitWidth(), 0)));
      zeros.push_back(DenseElementsAttr::get(tensor, zero));
    }
    for (auto [result, zero] : llvm::zip(op->getResults(), zeros))
      result.replaceAllUsesWith(xla::ConstantOp::create(builder, op->getLoc(), result.getType(), zero));
    op->erase();
    return true;
  }

  static bool isReplaceable(Operation *op) {
    return isa<xla::XlaDialect>(op->getDialect()) && op->getNumResults() && !op->hasTrait<OpTrait::IsTerminator>();
  }

  static int countOps(ModuleOp module) {
    int count = 0;
    module->walk<WalkOrder::PreOrder>([&](Operation *) { ++count; });
    return count;
  }

  /// Applies `attempt` to the op of that number on a copy; takes the copy over if it is valid and interesting.
  static bool accept(ModuleOp module, int index, Attempt attempt, const Tester &tester) {
    OwningOpRef<ModuleOp> copy = module.clone();
    Operation *op = nullptr;
    (*copy)->walk<WalkOrder::PreOrder>([&](Operation *candidate) {
      op = candidate;
      return index-- ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (op == *copy || index >= 0 || !op->getDialect() || !attempt(op))
      return false;
    ScopedDiagnosticHandler silent(module.getContext(), [](Diagnostic &) { return success(); });
    if (failed(verify(*copy)) || tester.isInteresting(*copy).first != Tester::Interestingness::True)
      return false;
    module.getBodyRegion().takeBody(copy->getBodyRegion());
    return true;
  }
};
} // namespace

/// MLIR's driver opens the input itself. Text that its parser does not survive is an error here. Where the input is
/// bytecode, the driver finds on the standard input what another process made of it.
static LogicalResult containInput(MutableArrayRef<char *> arguments, const DialectRegistry &registry) {
  static char standardInput[] = "-";
  char **name = nullptr;
  for (size_t i = 1; i < arguments.size(); ++i)
    if ((*arguments[i] != '-' || !arguments[i][1]) && StringRef(arguments[i - 1]).ltrim('-') != "o")
      name = &arguments[i];
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = name ? openInputFile(*name, &error) : nullptr;
  if (!input)
    return success(); // the driver reports what is missing
  if (std::string problem = xla::describeProblem(*input); !problem.empty()) {
    llvm::errs() << problem << "\n";
    return failure();
  }
  if (StringRef(*name) != standardInput && !isBytecode(*input))
    return success();
  input = xla::containBytecode(std::move(input), registry, error);
  int file;
  SmallString<128> path;
  if (!input || llvm::sys::fs::createTemporaryFile("xla-reduce", "mlirbc", file, path)) {
    llvm::errs() << "xla-reduce: " << (input ? "cannot make a temporary file" : error) << "\n";
    return failure();
  }
  llvm::sys::fs::remove(path); // once the file is closed
  llvm::raw_fd_ostream(file, /*shouldClose=*/false) << input->getBuffer();
  lseek(file, 0, SEEK_SET);
  dup2(file, STDIN_FILENO);
  close(file);
  *name = standardInput;
  return success();
}

/// What MLIR's driver passes over in silence: an output that cannot be written, and nothing to do.
static LogicalResult checkArguments(ArrayRef<char *> arguments) {
  StringRef output = "-";
  bool hasPass = false;
  for (size_t i = 1; i < arguments.size(); ++i) {
    StringRef argument = arguments[i], name = argument.ltrim('-');
    if (argument == name || name.empty())
      continue;
    if (name == "o" && i + 1 < arguments.size())
      output = arguments[++i];
    else if (name.consume_front("o="))
      output = name;
    else
      hasPass = true; // or --help and the like
  }
  if (!hasPass) {
    llvm::errs() << "xla-reduce: nothing to do; --xla-reduction=test=SCRIPT makes a program smaller\n";
    return failure();
  }
  if (output == "-")
    return success();
  StringRef folder = llvm::sys::path::parent_path(output);
  StringRef written = llvm::sys::fs::exists(output) ? output : folder.empty() ? "." : folder;
  if (std::error_code error = llvm::sys::fs::access(written, llvm::sys::fs::AccessMode::Write)) {
    llvm::errs() << "xla-reduce: cannot open output file '" << output << "': " << error.message() << "\n";
    return failure();
  }
  return success();
}

int main(int argc, char **argv) {
  MutableArrayRef<char *> arguments(argv, static_cast<size_t>(argc));
  if (failed(checkArguments(arguments)))
    return 1;
  registerAllPasses();
  xla::registerImportStablehloPass();
  xla::registerLoweringPasses();
  PassRegistration<ReduceProgramPass>();

  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<xla::XlaDialect, xla::XlaRtDialect>();
  xla::registerLoweringDialects(registry);
  xla::registerStablehloInput(registry);
  if (failed(containInput(arguments, registry)))
    return 1;
  MLIRContext context(registry);
  return failed(mlirReduceMain(argc, argv, context));
}
