// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test driver, not installed: compiles a module from any stage, runs it on arguments 0, 1, 2, ... and prints the
// results.

#include "mlir_xla/compiler/Registration.h"
#include "mlir_xla/lowering/native/Codegen.h"
#include "mlir_xla/lowering/native/LinkDirectly.h"
#include "mlir_xla/runtime/xla_rt.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

#include <chrono>

using namespace mlir;
using namespace mlir::xla;
namespace cl = llvm::cl;

static cl::opt<std::string> input(cl::Positional, cl::desc("<file>"), cl::init("-"));
static cl::opt<std::string> from("from", cl::desc("the stage of the input"));
static cl::opt<std::string> cpu("target-cpu", cl::desc("generate code for this CPU"));
static cl::opt<std::string> features("target-features", cl::desc("features on top, +name or -name"));
static cl::opt<int> threads("run-threads", cl::desc("number of threads"), cl::init(0));
static cl::opt<int> repeat("repeat", cl::desc("time this many compilations and runs"), cl::init(0));
static cl::opt<bool> tellLinker("linker", cl::desc("say who links the object code, if all symbols are known"));
static cl::opt<bool> printAssembly("assembly", cl::desc("print the assembly instead of running"));

/// Only the types that tests use; others are printed as bytes.
static void printElement(raw_ostream &os, const BufferType &type, const char *at) {
  if (type.element == "f32") {
    float value;
    memcpy(&value, at, 4);
    os << llvm::format("%g", value);
  } else if (type.element == "f64") {
    double value;
    memcpy(&value, at, 8);
    os << llvm::format("%g", value);
  } else {
    uint64_t value = 0;
    memcpy(&value, at, std::min<int64_t>(8, type.elementBytes));
    bool isSigned = StringRef(type.element).starts_with("i") && type.element != "i1";
    int shift = 64 - 8 * int(std::min<int64_t>(8, type.elementBytes));
    isSigned ? os << (int64_t(value << shift) >> shift) : os << value;
  }
}

static void writeElement(const BufferType &type, char *at, int64_t value) {
  if (type.element == "f32") {
    float converted = value;
    memcpy(at, &converted, 4);
  } else if (type.element == "f64") {
    double converted = value;
    memcpy(at, &converted, 8);
  } else {
    value = type.element == "i1" ? value & 1 : value;
    memcpy(at, &value, std::min<int64_t>(8, type.elementBytes));
  }
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "compiles and runs a module\n");
  DialectRegistry registry;
  registerLoweringDialects(registry);
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  std::string error;
  auto file = openInputFile(input, &error);
  if (!file) {
    llvm::errs() << error << "\n";
    return 1;
  }
  sources.AddNewSourceBuffer(std::move(file), SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;

  CompileOptions options;
  options.cpu = cpu;
  options.features = features;
  options.threads = threads;
  options.keepStages = printAssembly;
  options.from = from;
  xla_rt_set_num_threads(threads);
  auto executable = mlir::xla::compile(*module, options);
  if (failed(executable))
    return 1;
  for (int i = 0; i < repeat; ++i) {
    auto again = mlir::xla::compile(*module, options);
    if (i == repeat - 1)
      for (const StageDump &stage : (*again)->stages())
        llvm::errs() << llvm::format("%-8s %8.3f ms\n", stage.stage.c_str(), stage.seconds * 1e3);
  }
  if (printAssembly) {
    for (const StageDump &stage : (*executable)->stages())
      if (stage.stage == "binary")
        llvm::outs() << stage.text;
    return 0;
  }

  if (tellLinker) {
    auto somewhere = [&](StringRef) -> const void * { return &context; };
    bool isDirect = linkDirectly((*executable)->objectCode(), kEntryName, somewhere) != nullptr;
    llvm::outs() << (isDirect ? "linked directly\n" : "left to the JIT\n");
  }

  SmallVector<void *> arguments, results;
  for (const BufferType &type : (*executable)->argumentTypes()) {
    auto *buffer = static_cast<char *>(xla_rt_alloc(type.bytes));
    for (int64_t i = 0; i * type.elementBytes < type.bytes; ++i)
      writeElement(type, buffer + i * type.elementBytes, i);
    arguments.push_back(buffer);
  }
  for (const BufferType &type : (*executable)->resultTypes())
    results.push_back(xla_rt_alloc(type.bytes));
  std::string failure = (*executable)->run(arguments, results);
  if (!failure.empty()) {
    llvm::errs() << "run-time error: " << failure << "\n";
    return 1;
  }
  for (auto [type, buffer] : llvm::zip((*executable)->resultTypes(), results)) {
    llvm::outs() << type.element << "[";
    llvm::interleave(type.shape, llvm::outs(), ",");
    llvm::outs() << "]";
    for (int64_t i = 0; i * type.elementBytes < type.bytes && i < 64; ++i)
      printElement(llvm::outs() << " ", type, static_cast<char *>(buffer) + i * type.elementBytes);
    llvm::outs() << "\n";
  }
  if (repeat) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repeat; ++i)
      (*executable)->run(arguments, results);
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    llvm::errs() << llvm::format("run      %8.3f us\n", seconds / repeat * 1e6);
  }
  for (void *buffer : llvm::concat<void *>(arguments, results))
    xla_rt_free(buffer);
  return 0;
}
