// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module of PTX as it was written: variables, functions, instructions with their operands. Names are parts of the
// text, which the module owns. Nothing is resolved yet but scopes: `{ }` blocks are numbered, each knows the one around
// it.

#ifndef CUDA_EMU_PTX_PTX_H
#define CUDA_EMU_PTX_PTX_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cuda_emu::ptx {

using llvm::StringRef;

struct Operand {
  enum Kind { Name, Integer, Float, Address, Vector, Pair, List, Sink };
  Kind kind = Sink;
  StringRef name;                // Name, Address (empty: an absolute address)
  bool isNegated = false;        // `!%p`
  bool isDouble = false;         // Float: `bits` are of an f64
  uint64_t bits = 0;             // Integer, Float
  int64_t offset = 0;            // of an Address, or of a Name such as `table+8`
  std::vector<Operand> elements; // Vector {a, b}, Pair a|b, List (a, b); what follows the comma in an Address
};

struct Instruction {
  unsigned line = 0, location = 0; // `location` indexes Module::locations
  unsigned scope = 0;
  StringRef guard;
  bool isGuardNegated = false;
  StringRef opcode;
  llvm::SmallVector<StringRef, 6> modifiers;
  llvm::SmallVector<Operand, 4> operands;
  StringRef label; // not empty: this is a label and nothing else
};

enum class Space { Generic, Global, Shared, Local, Const, Param };

struct Initializer {
  uint64_t bits = 0;
  StringRef symbol;
  bool isGeneric = false;
  unsigned shift = 0; // `0xFF00(symbol)` takes the byte at bit 8
};

struct Variable {
  StringRef name;
  Space space = Space::Global;
  unsigned line = 0, scope = 0;
  unsigned alignment = 1, elementBytes = 1;
  uint64_t bytes = 0;
  bool isExtern = false, isUnsized = false;
  std::vector<Initializer> initializers;
};

struct Register {
  StringRef name; // a prefix if `count` is given
  unsigned bits = 0, count = 0, scope = 0;
  bool isRange = false;
};

struct Location {
  unsigned file = 0, line = 0, column = 0;
};

struct Function {
  StringRef name;
  unsigned line = 0;
  bool isEntry = false, isDeclaration = false;
  std::vector<Variable> results, parameters, variables;
  std::vector<Register> registers;
  std::vector<Instruction> body;
  std::vector<unsigned> scopeParents = {0};
  std::map<std::pair<unsigned, StringRef>, std::vector<StringRef>> branchTargets;
  uint64_t maxThreads = 0;
  unsigned requiredThreads[3] = {0, 0, 0}, requiredCluster[3] = {0, 0, 0};
};

struct Module {
  std::string text;
  unsigned version = 0; // 80 is 8.0
  std::string target;
  std::vector<Variable> variables;
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<Location> locations = {{}};
  std::map<unsigned, std::string> files;
};

/// Null, with an error "line N: ...", if the text is not PTX.
std::unique_ptr<Module> parse(StringRef text, std::string &error);

} // namespace cuda_emu::ptx

#endif // CUDA_EMU_PTX_PTX_H
