// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the code generation passes that are left out, and the one that selects instructions, with those that LLVM
// has: prints every group with its size, and fails if LLVM's pipeline for this machine has no pass of some name.

#include "mlir_xla/lowering/native/Codegen.h"
#include "mlir_xla/lowering/native/CodegenPasses.h"

#include "llvm/Pass.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::xla;

namespace {
/// Notes the names of passes and runs none.
struct Names : llvm::legacy::PassManagerBase {
  llvm::DenseSet<StringRef> known;
  void add(llvm::Pass *pass) override {
    known.insert(pass->getPassName()); // a literal
    owned.emplace_back(pass);
  }
  std::vector<std::unique_ptr<llvm::Pass>> owned;
};
} // namespace

int main() {
  std::string error;
  FailureOr<TargetSpec> target = TargetSpec::resolve("", "", error);
  std::unique_ptr<llvm::TargetMachine> machine =
      succeeded(target) ? createTargetMachine(*target, error) : std::unique_ptr<llvm::TargetMachine>();
  if (!machine) {
    llvm::errs() << error << "\n";
    return 1;
  }
  Names names;
  llvm::raw_null_ostream nowhere;
  llvm::MCContext *context = nullptr;
  if (machine->addPassesToEmitMC(names, context, nowhere, /*DisableVerify=*/true))
    return 1;
  unsigned unknown = 0, skipped = 0;
  for (const SkippedPasses &group : skippedPasses(machine->getTargetTriple())) {
    llvm::outs() << group.names.size() << ": " << group.reason << "\n";
    for (StringRef name : group.names) {
      ++skipped;
      if (names.known.contains(name))
        continue;
      ++unknown;
      llvm::errs() << "no pass of LLVM's is called '" << name << "'\n";
    }
  }
  StringRef selection = plainSelection(machine->getTargetTriple());
  if (!selection.empty() && !names.known.contains(selection)) {
    ++unknown;
    llvm::errs() << "no pass of LLVM's is called '" << selection << "'\n";
  }
  llvm::outs() << skipped << " of " << names.known.size() << " passes are left out\n";
  return unknown != 0;
}
