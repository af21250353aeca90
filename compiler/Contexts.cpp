// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/compiler/Contexts.h"

#include "mlir_xla/compiler/Registration.h"
#include "mlir_xla/dialect/XlaDialect.h"

#include <mutex>

namespace mlir::xla {

static const DialectRegistry &loweringRegistry() {
  static const DialectRegistry *registry = [] {
    auto *registry = new DialectRegistry;
    registerLoweringDialects(*registry);
    return registry;
  }();
  return *registry;
}

StagePasses &StagePasses::of(MLIRContext *context) {
  auto *dialect = context->getOrLoadDialect<XlaDialect>();
  if (auto *passes = dialect->getRegisteredInterface<StagePasses>())
    return *passes;
  context->appendDialectRegistry(loweringRegistry());
  return dialect->addInterface<StagePasses>();
}

PassManager &StagePasses::get(const Stage &stage, const LoweringOptions &options, bool verifyEach) {
  for (Manager &entry : managers)
    if (entry.addPasses == stage.addPasses && entry.options == options && entry.verifyEach == verifyEach)
      return *entry.manager;
  auto manager = std::make_unique<PassManager>(getDialect()->getContext());
  manager->enableVerifier(verifyEach);
  stage.addPasses(*manager, options);
  managers.push_back({stage.addPasses, options, verifyEach, std::move(manager)});
  return *managers.back().manager;
}

struct ContextLease::Kept {
  MLIRContext context;
  size_t bytes = 0;

  Kept() : context(loweringRegistry(), MLIRContext::Threading::DISABLED) {
    context.allowUnregisteredDialects();
    context.printOpOnDiagnostic(false);
  }
};

struct ContextLease::Pool {
  std::mutex mutex;
  std::vector<std::unique_ptr<Kept>> idle;

  /// Never destroyed: threads of the process may still compile when it exits.
  static Pool &instance() {
    static auto *pool = new Pool;
    return *pool;
  }
};

ContextLease::ContextLease() {
  Pool &pool = Pool::instance();
  std::lock_guard<std::mutex> lock(pool.mutex);
  if (!pool.idle.empty()) {
    kept = std::move(pool.idle.back());
    pool.idle.pop_back();
  }
  if (!kept)
    kept = std::make_unique<Kept>();
}

ContextLease::~ContextLease() {
  constexpr size_t mostBytes = 64 << 20;
  if (kept->bytes > mostBytes)
    return;
  Pool &pool = Pool::instance();
  std::lock_guard<std::mutex> lock(pool.mutex);
  pool.idle.push_back(std::move(kept));
}

MLIRContext *ContextLease::context() { return &kept->context; }

void ContextLease::addBytes(size_t bytes) { kept->bytes += bytes; }

} // namespace mlir::xla
