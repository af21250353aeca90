// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads programs of library calls, in the stage `linalg`, with a line "// -----" behind each, and answers with a line
// of JSON: each call with the steps that a GPU makes of it. Values are numbered; the function's arguments come first.

#include "mlir_xla/compiler/Registration.h"
#include "mlir_xla/lowering/gpu/DeviceLibrary.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/JSON.h"

#include <iostream>

using namespace mlir;
using namespace mlir::xla;

namespace {
class Printer {
public:
  explicit Printer(llvm::json::OStream &out) : out(out) {}

  LogicalResult print(func::FuncOp function) {
    for (Value argument : function.getArguments())
      numberOf(argument);
    bool failed = false;
    out.object([&] {
      out.attributeArray("calls", [&] {
        for (Operation &op : function.getOps()) {
          if (auto call = dyn_cast<rt::LibraryCallOp>(op))
            print(call);
          else if (!isa<tensor::EmptyOp, func::ReturnOp>(op))
            failed |= mlir::failed(op.emitOpError("is no library call"));
        }
      });
      out.attributeArray("returns", [&] {
        for (Value value : function.front().getTerminator()->getOperands())
          out.value(numberOf(value));
      });
    });
    return failure(failed);
  }

private:
  void print(rt::LibraryCallOp call) {
    std::optional<LibraryFacts> facts = gpuLibraryFacts(call);
    out.object([&] {
      out.attribute("function", call.getFunction());
      printNumbers("inputs", call.getInputs());
      printNumbers("outs", call.getOuts());
      printNumbers("results", call.getResults());
      out.attributeArray("types", [&] {
        for (Value result : call.getResults())
          out.value(llvm::formatv("{0}", result.getType()).str());
      });
      if (!facts)
        return;
      out.attribute("scratch", facts->scratch);
      out.attributeArray("steps", [&] {
        for (const LibraryStep &step : facts->steps)
          out.object([&] {
            out.attribute("function", step.function);
            out.attributeArray("parameters", [&] {
              for (int64_t parameter : step.parameters)
                out.value(parameter);
            });
            out.attribute("work", step.work);
          });
      });
    });
  }

  void printNumbers(StringRef name, ValueRange values) {
    out.attributeArray(name, [&] {
      for (Value value : values)
        out.value(value.getDefiningOp<tensor::EmptyOp>() ? -1 : numberOf(value));
    });
  }

  int64_t numberOf(Value value) { return numbers.try_emplace(value, numbers.size()).first->second; }

  llvm::json::OStream &out;
  llvm::DenseMap<Value, int64_t> numbers;
};
} // namespace

int main() {
  DialectRegistry registry;
  registerLoweringDialects(registry);
  MLIRContext context(registry);
  std::string program;
  for (std::string line; std::getline(std::cin, line);) {
    if (line != "// -----") {
      program += line + "\n";
      continue;
    }
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program, &context);
    if (!module)
      return 1;
    program.clear();
    llvm::json::OStream out(llvm::outs());
    if (failed(Printer(out).print(module->lookupSymbol<func::FuncOp>("main"))))
      return 1;
    llvm::outs() << "\n";
    llvm::outs().flush();
  }
  return 0;
}
