// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares two translations of modules in the LLVM dialect, upstream's and the direct one: fails if they differ, and
// says what the direct one leaves to upstream's.

#include "mlir_xla/compiler/Registration.h"
#include "mlir_xla/lowering/native/TranslateDirectly.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::xla;
namespace cl = llvm::cl;

static cl::opt<std::string> input(cl::Positional, cl::desc("<file>"), cl::init("-"));
static cl::opt<bool> prints("print", cl::desc("print the module as well"));

/// Without the flags of modules, of which only upstream sets some.
static std::string text(llvm::Module &module) {
  if (llvm::NamedMDNode *flags = module.getModuleFlagsMetadata())
    flags->eraseFromParent();
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

/// Compares what is made of one module.
static LogicalResult compare(std::unique_ptr<llvm::MemoryBuffer> source, raw_ostream &os) {
  DialectRegistry registry;
  registerLoweringDialects(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source->getBuffer(), &context);
  if (!module)
    return failure();

  llvm::LLVMContext target;
  Operation *obstacle = nullptr;
  std::unique_ptr<llvm::Module> direct = translateDirectly(*module, target, "xla", &obstacle);
  if (!direct) {
    os << "left to upstream: " << obstacle->getName() << "\n";
    return success();
  }
  if (llvm::verifyModule(*direct, &llvm::errs()))
    return failure();
  std::string made = text(*direct);
  std::unique_ptr<llvm::Module> upstream = translateModuleToLLVMIR(*module, target, "xla");
  if (!upstream)
    return failure();
  std::string expected = text(*upstream);
  if (made != expected) {
    llvm::errs() << "directly:\n" << made << "\nby upstream:\n" << expected;
    return failure();
  }
  os << "the same\n";
  if (prints)
    os << made;
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv);
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(input, &error);
  if (!file) {
    llvm::errs() << error << "\n";
    return 1;
  }
  return failed(splitAndProcessBuffer(std::move(file), compare, llvm::outs()));
}
