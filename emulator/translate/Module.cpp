// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module: places its variables, finds out what each kernel uses, and has its functions translated.

#include "../execute/Machine.h"
#include "Translator.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

namespace cuda_emu {

using namespace llvm;

ModuleTranslator::ModuleTranslator(const ptx::Module &source, LLVMContext &context, bool isWatched, std::string &error)
    : source(source), context(context), isWatched(isWatched), error(error),
      code(std::make_unique<llvm::Module>("ptx", context)) {}

void ModuleTranslator::fail(unsigned line, const Twine &what) {
  if (!failed())
    error = ("line " + Twine(line) + ": " + what).str();
}

FunctionCallee ModuleTranslator::runtime(StringRef name, llvm::Type *result, ArrayRef<llvm::Type *> parameters) {
  return code->getOrInsertFunction(name, FunctionType::get(result, parameters, false));
}

void ModuleTranslator::declareVariables(function_ref<uint64_t(const ptx::Variable &)> allocate) {
  auto declare = [&](const ptx::Variable &variable) {
    Symbol symbol;
    symbol.space = variable.space;
    symbol.variable = &variable;
    if (variable.space == Space::Shared) {
      symbol.isDynamic = variable.isUnsized;
      sharedVariables.push_back(&variable);
    } else if (variable.space == Space::Global || variable.space == Space::Const) {
      if (variable.isExtern)
        return fail(variable.line, "'" + variable.name + "' is not defined");
      symbol.address = allocate(variable);
    } else {
      return;
    }
    if (!symbols.try_emplace(variable.name, symbol).second)
      fail(variable.line, "'" + variable.name + "' is defined twice");
  };
  for (const ptx::Variable &variable : source.variables)
    declare(variable);
  for (const auto &function : source.functions)
    for (const ptx::Variable &variable : function->variables)
      declare(variable);
}

static bool waitsForOthers(const Instruction &i) {
  auto has = [&](StringRef name) { return is_contained(i.modifiers, name); };
  if (i.opcode == "bar" || i.opcode == "barrier" || i.opcode == "shfl" || i.opcode == "vote" || i.opcode == "match" ||
      i.opcode == "redux" || i.opcode == "elect" || i.opcode == "mma" || i.opcode == "ldmatrix" ||
      i.opcode == "stmatrix" || i.opcode == "cp" || i.opcode == "mbarrier" || i.opcode == "wgmma" ||
      i.opcode == "nanosleep")
    return true;
  // Loads that may be waiting for what other threads of the block store.
  return i.opcode == "ld" && (has("volatile") || has("acquire"));
}

void ModuleTranslator::collectUses(const ptx::Function &function) {
  Uses &own = uses[function.name];
  auto name = [&](StringRef name) {
    if (name.empty())
      return;
    if (definitions.count(name))
      own.callees.insert(name.str());
    auto found = symbols.find(name);
    if (found != symbols.end() && found->second.space == Space::Shared) {
      own.shared.insert(name.str());
      own.hasDynamic |= found->second.isDynamic;
    }
  };
  auto visit = [&](auto &self, const Operand &operand) -> void {
    name(operand.name);
    for (const Operand &element : operand.elements)
      self(self, element);
  };
  for (const Instruction &instruction : function.body) {
    for (const Operand &operand : instruction.operands)
      visit(visit, operand);
    own.needsFibres |= waitsForOthers(instruction);
    own.hasExit |= instruction.opcode == "exit" && !function.isEntry;
    if (instruction.opcode == "call")
      own.hasIndirectCall |= instruction.operands.size() && none_of(instruction.operands, [&](const Operand &operand) {
                               return operand.kind == Operand::Name && definitions.count(operand.name);
                             });
  }
  for (const ptx::Variable &variable : function.variables)
    if (variable.space == Space::Local || variable.space == Space::Param)
      own.localBytes += variable.bytes + variable.alignment;
}

/// What a function uses itself or by those that it calls, or whose address it or a variable takes.
ModuleTranslator::Uses ModuleTranslator::closure(StringRef name) const {
  Uses result;
  std::set<std::string> seen = {name.str()};
  std::vector<std::string> pending = {name.str()};
  while (!pending.empty()) {
    const Uses &own = uses.find(pending.back())->second;
    pending.pop_back();
    result.shared.insert(own.shared.begin(), own.shared.end());
    result.needsFibres |= own.needsFibres;
    result.hasDynamic |= own.hasDynamic;
    result.hasExit |= own.hasExit;
    result.localBytes += own.localBytes + 256;
    result.granule = std::min(result.granule, own.granule);
    std::set<std::string> callees = own.callees;
    if (own.hasIndirectCall)
      for (const auto &entry : definitions)
        if (!entry.second->isEntry)
          callees.insert(entry.getKey().str());
    for (const std::string &callee : callees)
      if (seen.insert(callee).second)
        pending.push_back(callee);
  }
  result.needsFibres |= result.hasExit;
  return result;
}

/// Variables that no kernel uses together may lie at the same offsets.
void ModuleTranslator::placeShared() {
  std::map<std::string, std::set<std::string>> users;
  for (const auto &function : source.functions)
    if (function->isEntry && !function->isDeclaration)
      for (const std::string &variable : closure(function->name).shared)
        users[variable].insert(function->name.str());
  std::vector<const ptx::Variable *> order = sharedVariables;
  llvm::sort(order, [](auto *a, auto *b) {
    return a->alignment != b->alignment ? a->alignment > b->alignment : a->line < b->line;
  });
  std::vector<const ptx::Variable *> placed;
  for (const ptx::Variable *variable : order) {
    Symbol &symbol = symbols[variable->name];
    if (symbol.isDynamic)
      continue;
    uint64_t offset = 0;
    for (const ptx::Variable *other : placed) {
      const auto &mine = users[variable->name.str()];
      bool together = any_of(users[other->name.str()], [&](const std::string &kernel) { return mine.count(kernel); });
      if (together)
        offset = std::max(offset, symbols[other->name].address + other->bytes);
    }
    symbol.address = alignTo(offset, variable->alignment);
    placed.push_back(variable);
  }
}

void ModuleTranslator::initializeVariables(Translation &result) {
  for (const auto &entry : symbols) {
    const Symbol &symbol = entry.second;
    const ptx::Variable &variable = *symbol.variable;
    if (symbol.space != Space::Global && symbol.space != Space::Const)
      continue;
    uint64_t address = symbol.address;
    for (const ptx::Initializer &value : variable.initializers) {
      uint64_t bits = value.bits;
      if (!value.symbol.empty()) {
        auto found = symbols.find(value.symbol);
        if (found != symbols.end()) {
          uint64_t target = found->second.address;
          if (found->second.space == Space::Shared && value.isGeneric)
            target += sharedWindow();
          bits = (target + bits) >> value.shift;
        } else if (definitions.count(value.symbol)) {
          if (variable.elementBytes != 8 || value.shift)
            return fail(variable.line, "addresses of functions have 64 bits");
          result.functionAddresses.push_back({address, functions[value.symbol]->getName().str()});
        } else {
          return fail(variable.line, "'" + value.symbol + "' is not defined");
        }
      }
      memcpy(reinterpret_cast<void *>(address), &bits, variable.elementBytes);
      address += variable.elementBytes;
    }
  }
}

Translation ModuleTranslator::run(function_ref<uint64_t(const ptx::Variable &)> allocate) {
  Translation result;
  for (const auto &function : source.functions)
    if (!function->isDeclaration && !definitions.try_emplace(function->name, function.get()).second)
      fail(function->line, "'" + function->name + "' is defined twice");
  declareVariables(allocate);
  if (failed())
    return result;
  auto *ptr = PointerType::getUnqual(context);
  unsigned number = 0;
  for (const auto &function : source.functions) {
    if (function->isDeclaration)
      continue;
    collectUses(*function);
    std::vector<llvm::Type *> parameters(
        1 + (function->isEntry ? 0 : function->results.size() + function->parameters.size()), ptr);
    auto *type = FunctionType::get(llvm::Type::getVoidTy(context), parameters, false);
    std::string symbol = "ptx." + std::to_string(number++) + "." + function->name.str();
    auto *created = llvm::Function::Create(type, GlobalValue::ExternalLinkage, symbol, code.get());
    created->addFnAttr(Attribute::NoUnwind);
    created->addFnAttr("no-trapping-math", "true");
    functions[function->name] = created;
    result.symbols.push_back(symbol);
  }
  placeShared();
  // Lines of PTX go into the line table, for faults.
  code->addModuleFlag(llvm::Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
  debug = std::make_unique<DIBuilder>(*code);
  debugFile = debug->createFile("ptx", "");
  debug->createCompileUnit(DISourceLanguageName(dwarf::DW_LANG_C), debugFile, "cuda-emu", true, "", 0, "",
                           DICompileUnit::LineTablesOnly);
  for (const auto &function : source.functions)
    if (!function->isDeclaration && !failed())
      FunctionTranslator(*this, *function, functions[function->name]).run();
  debug->finalize();
  if (failed())
    return result;
  initializeVariables(result);
  for (const auto &function : source.functions) {
    if (!function->isEntry || function->isDeclaration)
      continue;
    Uses all = closure(function->name);
    TranslatedKernel kernel;
    kernel.function = function.get();
    kernel.symbol = functions[function->name]->getName().str();
    kernel.meets = all.needsFibres;
    kernel.needsFibres = all.needsFibres || isWatched;
    kernel.localBytes = all.localBytes;
    kernel.granule = all.granule;
    for (const std::string &name : all.shared) {
      const Symbol &symbol = symbols[name];
      if (symbol.isDynamic)
        kernel.dynamicAlignment = std::max<uint64_t>(kernel.dynamicAlignment, symbol.variable->alignment);
      else
        kernel.staticShared = std::max(kernel.staticShared, symbol.address + symbol.variable->bytes);
    }
    result.kernels.push_back(kernel);
  }
  if (!failed())
    result.code = std::move(code);
  return result;
}

Translation translate(const ptx::Module &module, LLVMContext &context,
                      function_ref<uint64_t(const ptx::Variable &)> allocate, bool isWatched, std::string &error) {
  error.clear();
  return ModuleTranslator(module, context, isWatched, error).run(allocate);
}

} // namespace cuda_emu
