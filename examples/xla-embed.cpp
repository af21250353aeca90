// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A C++ program that holds the compiler: text in, code that runs on its own memory out. Built as `build/bin/xla-embed`.

#include "mlir_xla/compiler/Compiler.h"
#include "mlir_xla/compiler/Registration.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <cstdio>

static const char program[] = R"(
  func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = xla.multiply %x, %y : tensor<4xf32>
    %1 = xla.add %0, %y : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
)";

int main() {
  mlir::DialectRegistry registry;
  mlir::xla::registerLoweringDialects(registry);
  mlir::MLIRContext context(registry); // prints diagnostics to the standard error, unless it is given a handler
  auto module = mlir::parseSourceString<mlir::ModuleOp>(program, &context);
  if (!module)
    return 1;

  mlir::xla::CompileOptions options;
  options.threads = 1;
  mlir::FailureOr<std::unique_ptr<mlir::xla::Executable>> executable = mlir::xla::compile(*module, options);
  if (mlir::failed(executable))
    return 1;
  for (const mlir::xla::BufferType &type : (*executable)->argumentTypes())
    std::printf("argument: %s, %lld bytes\n", type.element.c_str(), static_cast<long long>(type.bytes));

  float x[] = {1, 2, 3, 4}, y[] = {10, 20, 30, 40}, result[4];
  std::string error = (*executable)->run({x, y}, {result});
  if (!error.empty()) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  for (float element : result)
    std::printf("%g\n", element);
  return 0;
}
