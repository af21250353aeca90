// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints a program of library calls, in the stage `linalg`, as JSON: each call with the steps that a GPU makes of it.
// Values are numbered; the function's arguments come first.

#include "mlir_xla/compiler/Registration.h"
#include "mlir_xla/lowering/gpu/DeviceLibrary.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/JSON.h"

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

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerLoweringDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argc > 1 ? argv[1] : "-", &context);
  if (!module)
    return 1;
  auto function = module->lookupSymbol<func::FuncOp>("main");
  llvm::json::OStream out(llvm::outs(), /*IndentSize=*/1);
  return failed(Printer(out).print(function));
}
