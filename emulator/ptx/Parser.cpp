// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX text to a Module: what LLVM's NVPTX backend prints, and inline PTX.

#include "Lexer.h"
#include "Ptx.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

namespace cuda_emu::ptx {

namespace {

/// Bits of a fundamental type without its point; 0 if it is none.
unsigned typeBits(StringRef type) {
  return llvm::StringSwitch<unsigned>(type)
      .Case("pred", 1)
      .Cases({"b8", "u8", "s8"}, 8)
      .Cases({"b16", "u16", "s16", "f16", "bf16"}, 16)
      .Cases({"b32", "u32", "s32", "f32", "f16x2", "bf16x2"}, 32)
      .Cases({"b64", "u64", "s64", "f64", "f32x2"}, 64)
      .Case("b128", 128)
      .Default(0);
}

class Parser {
public:
  Parser(Module &module, std::string &error) : module(module), error(error), tokens(tokenize(module.text)) {}

  bool run() {
    while (!failed() && token().kind != Token::End)
      parseDirective();
    return !failed();
  }

private:
  Module &module;
  std::string &error;
  std::vector<Token> tokens;
  size_t position = 0;
  unsigned location = 0, depth = 0;

  /// Braces and brackets in each other, while it lives: text of other origin must not use up the stack.
  struct Nested {
    explicit Nested(Parser &parser) : parser(parser) {
      if (++parser.depth > 200)
        parser.fail("too deeply nested");
    }
    ~Nested() { --parser.depth; }
    Parser &parser;
  };

  const Token &token(size_t ahead = 0) const { return tokens[std::min(position + ahead, tokens.size() - 1)]; }
  bool failed() const { return !error.empty(); }
  void fail(const llvm::Twine &what) {
    if (!failed())
      error = ("line " + llvm::Twine(token().line) + ": " + what).str();
    position = tokens.size() - 1;
  }
  bool take(StringRef text) {
    if (!token().is(text))
      return false;
    ++position;
    return true;
  }
  void expect(StringRef text) {
    if (!take(text))
      fail("'" + text + "' expected before '" + token().text + "'");
  }
  StringRef takeWord() {
    if (token().kind != Token::Word) {
      fail("a name expected before '" + token().text + "'");
      return "";
    }
    return tokens[position++].text;
  }
  void skipLine() {
    unsigned line = token().line;
    while (token().kind != Token::End && token().line == line)
      ++position;
  }
  void skipTo(StringRef text) {
    while (token().kind != Token::End && !take(text))
      ++position;
  }

  bool parseNumber(StringRef text, Operand &operand) {
    if (text.size() == 10 && (text.starts_with("0f") || text.starts_with("0F"))) {
      operand.kind = Operand::Float;
      return !text.drop_front(2).getAsInteger(16, operand.bits);
    }
    if (text.size() == 18 && (text.starts_with("0d") || text.starts_with("0D"))) {
      operand.kind = Operand::Float;
      operand.isDouble = true;
      return !text.drop_front(2).getAsInteger(16, operand.bits);
    }
    if (text.contains('.') && !text.starts_with("0x")) {
      double value;
      operand.kind = Operand::Float;
      operand.isDouble = true;
      if (text.getAsDouble(value))
        return false;
      operand.bits = llvm::bit_cast<uint64_t>(value);
      return true;
    }
    operand.kind = Operand::Integer;
    return !text.rtrim("uU").getAsInteger(0, operand.bits);
  }
  int64_t parseInteger() {
    bool isNegative = take("-");
    Operand operand;
    if (token().kind != Token::Number || !parseNumber(token().text, operand) || operand.kind != Operand::Integer)
      fail("an integer expected before '" + token().text + "'");
    ++position;
    return isNegative ? -int64_t(operand.bits) : int64_t(operand.bits);
  }
  /// What may follow a name: `+8`, `+-8`, `-8`.
  int64_t parseOffset() {
    if (take("+"))
      return parseInteger();
    return token().is("-") ? parseInteger() : 0;
  }

  Operand parseElements(Operand::Kind kind, StringRef end) {
    Operand operand;
    operand.kind = kind;
    while (!failed() && !take(end)) {
      operand.elements.push_back(parseOperand());
      if (!token().is(end))
        expect(",");
    }
    return operand;
  }

  Operand parseSimple() {
    Operand operand;
    if (take("!"))
      operand.isNegated = true;
    if (token().is("-") || token().kind == Token::Number) {
      bool isNegative = take("-");
      if (token().kind != Token::Number || !parseNumber(token().text, operand))
        fail("a number expected before '" + token().text + "'");
      ++position;
      if (isNegative) {
        if (operand.kind == Operand::Integer)
          operand.bits = -operand.bits;
        else
          operand.bits ^= uint64_t(1) << (operand.isDouble ? 63 : 31);
      }
      return operand;
    }
    StringRef name = takeWord();
    if (name == "_")
      return operand;
    operand.kind = Operand::Name;
    operand.name = name;
    operand.offset = parseOffset();
    return operand;
  }

  Operand parseOperand() {
    Nested nested(*this);
    if (take("{"))
      return parseElements(Operand::Vector, "}");
    if (take("("))
      return parseElements(Operand::List, ")");
    if (take("[")) {
      Operand operand;
      operand.kind = Operand::Address;
      if (token().kind == Token::Word) {
        operand.name = takeWord();
        operand.offset = parseOffset();
      } else {
        operand.offset = parseInteger();
      }
      while (!failed() && take(","))
        operand.elements.push_back(parseOperand());
      expect("]");
      return operand;
    }
    Operand operand = parseSimple();
    if (take("|")) {
      Operand pair;
      pair.kind = Operand::Pair;
      pair.elements = {operand, parseSimple()};
      return pair;
    }
    return operand;
  }

  void parseInitializer(Variable &variable) {
    Nested nested(*this);
    if (take("{")) {
      while (!failed() && !take("}")) {
        parseInitializer(variable);
        if (!token().is("}"))
          expect(",");
      }
      return;
    }
    Initializer value;
    if (token().kind == Token::Number && token(1).is("(")) { // 0xFF00(symbol)
      uint64_t mask = parseInteger();
      value.shift = mask ? llvm::countr_zero(mask) : 0;
      expect("(");
      parseSymbol(value);
      expect(")");
    } else if (token().kind == Token::Word) {
      parseSymbol(value);
    } else {
      Operand operand = parseSimple();
      value.bits = operand.bits;
      if (operand.kind == Operand::Float && operand.isDouble && variable.elementBytes == 4)
        value.bits = llvm::bit_cast<uint32_t>(float(llvm::bit_cast<double>(operand.bits)));
    }
    variable.initializers.push_back(value);
  }
  void parseSymbol(Initializer &value) {
    StringRef name = takeWord();
    if (name == "generic") {
      expect("(");
      value.isGeneric = true;
      name = takeWord();
      value.bits = parseOffset();
      expect(")");
    }
    value.symbol = name;
    value.bits += parseOffset();
  }

  /// After its space: `.align 4 .b8 name[16] = {...}`. Alone among declarations, parameters have `.ptr`.
  Variable parseVariable(Space space, unsigned scope) {
    Variable variable;
    variable.space = space;
    variable.scope = scope;
    variable.line = token().line;
    unsigned vector = 1;
    bool hasType = false, hasAlignment = false;
    while (!failed() && token().kind == Token::Word && token().text.starts_with(".")) {
      StringRef word = takeWord().drop_front();
      if (word == "align") {
        // `.ptr .align 1` speaks of what is pointed to.
        unsigned alignment = parseInteger();
        if (!hasType) {
          variable.alignment = alignment;
          hasAlignment = true;
        }
      } else if (word == "v2" || word == "v4") {
        vector = word == "v2" ? 2 : 4;
      } else if (unsigned bits = typeBits(word)) {
        variable.elementBytes = (bits + 7) / 8;
        hasType = true;
      } else if (word == "texref" || word == "samplerref" || word == "surfref") {
        fail("textures are not supported");
      } else if (word != "ptr" && word != "global" && word != "shared" && word != "const" && word != "local" &&
                 word != "managed") {
        fail("unknown directive '." + word + "'");
      }
    }
    if (!hasType)
      fail("a type expected before '" + token().text + "'");
    parseDeclarator(variable, vector, hasAlignment);
    return variable;
  }
  void parseDeclarator(Variable &variable, unsigned vector, bool hasAlignment) {
    variable.name = takeWord();
    if (!hasAlignment)
      variable.alignment = variable.elementBytes * vector;
    uint64_t count = vector;
    while (!failed() && take("[")) {
      if (take("]")) {
        variable.isUnsized = true;
        continue;
      }
      count *= parseInteger();
      expect("]");
    }
    if (take("="))
      parseInitializer(variable);
    if (variable.isUnsized)
      count = variable.initializers.size();
    variable.bytes = count * variable.elementBytes;
    if (!variable.alignment || !llvm::has_single_bit(variable.alignment))
      fail("an alignment has to be a power of two");
    if (variable.bytes > (uint64_t(1) << 40))
      fail("'" + variable.name + "' is too large");
    if (variable.initializers.size() * variable.elementBytes > variable.bytes)
      fail("more initializers than elements of '" + variable.name + "'");
  }

  static bool isSpace(StringRef word, Space &space) {
    int found = llvm::StringSwitch<int>(word)
                    .Case(".global", int(Space::Global))
                    .Case(".shared", int(Space::Shared))
                    .Case(".local", int(Space::Local))
                    .Case(".const", int(Space::Const))
                    .Case(".param", int(Space::Param))
                    .Default(-1);
    space = Space(found);
    return found >= 0;
  }

  void parseDirective() {
    StringRef word = token().text;
    if (word == ".version") {
      ++position;
      StringRef number = tokens[position++].text;
      unsigned major = 0, minor = 0;
      auto [before, after] = number.split('.');
      if (before.getAsInteger(10, major) || after.getAsInteger(10, minor))
        return fail("a version expected");
      module.version = 10 * major + minor;
    } else if (word == ".target") {
      ++position;
      module.target = token().text.str();
      skipLine();
    } else if (word == ".address_size") {
      ++position;
      if (parseInteger() != 64)
        fail("addresses have 64 bits");
    } else if (word == ".file") {
      parseFile();
    } else if (word == ".section") {
      skipTo("{");
      while (token().kind != Token::End && !take("}"))
        ++position;
    } else if (word == ".pragma" || word == ".alias") {
      if (word == ".alias")
        return fail("aliases are not supported");
      skipTo(";");
    } else {
      parseDefinition();
    }
  }
  void parseFile() {
    ++position;
    unsigned number = parseInteger();
    if (token().kind != Token::String)
      return fail("the name of a file expected");
    module.files[number] = token().text.trim('"').str();
    ++position;
    while (take(","))
      parseInteger();
  }

  void parseDefinition() {
    bool isExtern = false;
    while (token().is(".visible") || token().is(".extern") || token().is(".weak") || token().is(".common")) {
      isExtern |= token().is(".extern");
      ++position;
    }
    Space space;
    if (token().is(".entry") || token().is(".func")) {
      parseFunction();
    } else if (isSpace(token().text, space)) {
      ++position;
      Variable variable = parseVariable(space, 0);
      variable.isExtern = isExtern;
      expect(";");
      module.variables.push_back(std::move(variable));
    } else {
      fail("unknown directive '" + token().text + "'");
    }
  }

  std::vector<Variable> parseParameters() {
    std::vector<Variable> parameters;
    if (!take("("))
      return parameters;
    while (!failed() && !take(")")) {
      expect(".param");
      parameters.push_back(parseVariable(Space::Param, 0));
      if (!token().is(")"))
        expect(",");
    }
    return parameters;
  }

  void parseFunction() {
    auto function = std::make_unique<Function>();
    function->line = token().line;
    function->isEntry = take(".entry");
    if (!function->isEntry) {
      expect(".func");
      function->results = parseParameters();
    }
    function->name = takeWord();
    function->parameters = parseParameters();
    for (const Variable &parameter : function->parameters)
      if (function->isEntry && !failed() && parameter.bytes == 0)
        fail("parameter '" + parameter.name + "' of an entry has no bytes");
    while (!failed() && token().kind == Token::Word && token().text.starts_with("."))
      parseAttribute(*function);
    if (take(";")) {
      function->isDeclaration = true;
    } else {
      expect("{");
      location = 0;
      parseBlock(*function, 0);
    }
    if (!failed())
      module.functions.push_back(std::move(function));
  }
  void parseAttribute(Function &function) {
    StringRef word = takeWord();
    unsigned numbers[3] = {1, 1, 1};
    if (token().kind == Token::Number) {
      unsigned count = 0;
      do {
        unsigned number = parseInteger();
        if (count < 3)
          numbers[count++] = number;
      } while (take(","));
    } else if (token().kind == Token::String) {
      ++position;
      take(";");
    }
    if (word == ".maxntid" || word == ".reqntid")
      function.maxThreads = uint64_t(numbers[0]) * numbers[1] * numbers[2];
    if (word == ".reqntid")
      std::copy_n(numbers, 3, function.requiredThreads);
    else if (word == ".reqnctapercluster")
      std::copy_n(numbers, 3, function.requiredCluster);
    else if (word != ".maxntid" && word != ".minnctapersm" && word != ".maxnreg" && word != ".noreturn" &&
             word != ".explicitcluster" && word != ".maxclusterrank" && word != ".blocksareclusters" &&
             word != ".pragma" && word != ".maxnctapersm")
      fail("unknown directive '" + word + "'");
  }

  void parseBlock(Function &function, unsigned scope) {
    Nested nested(*this);
    while (!failed() && !take("}")) {
      if (token().kind == Token::End)
        return fail("'}' expected at the end of '" + function.name + "'");
      if (take("{")) {
        unsigned inner = function.scopeParents.size();
        function.scopeParents.push_back(scope);
        parseBlock(function, inner);
      } else if (!take(";")) {
        parseStatement(function, scope);
      }
    }
  }

  void parseStatement(Function &function, unsigned scope) {
    StringRef word = token().text;
    Space space;
    if (word == ".loc") {
      parseLocation();
    } else if (word == ".file") {
      parseFile();
    } else if (word == ".pragma") {
      skipTo(";");
    } else if (word == ".reg") {
      parseRegisters(function, scope);
    } else if (isSpace(word, space)) {
      ++position;
      function.variables.push_back(parseVariable(space, scope));
      while (take(",")) {
        Variable next = function.variables.back();
        next.initializers.clear();
        next.isUnsized = false;
        parseDeclarator(next, 1, true);
        function.variables.push_back(next);
      }
      expect(";");
    } else if (token().kind == Token::Word && token(1).is(":")) {
      position += 2;
      if (take(".branchtargets")) {
        std::vector<StringRef> &targets = function.branchTargets[{scope, word}];
        do
          targets.push_back(takeWord());
        while (take(","));
        expect(";");
      } else if (token().is(".callprototype") || token().is(".calltargets")) {
        skipTo(";");
      } else {
        Instruction label;
        label.line = token().line;
        label.scope = scope;
        label.label = word;
        function.body.push_back(std::move(label));
      }
    } else {
      parseInstruction(function, scope);
    }
  }
  void parseLocation() {
    unsigned line = token().line;
    ++position;
    Location result;
    result.file = parseInteger();
    result.line = parseInteger();
    result.column = parseInteger();
    while (token().kind != Token::End && token().line == line)
      ++position;
    location = module.locations.size();
    module.locations.push_back(result);
  }
  void parseRegisters(Function &function, unsigned scope) {
    ++position;
    StringRef type = takeWord();
    unsigned bits = typeBits(type.drop_front());
    if (!bits)
      return fail("unknown type of registers '" + type + "'");
    do {
      Register reg;
      reg.name = takeWord();
      reg.bits = bits;
      reg.scope = scope;
      if (take("<")) {
        reg.isRange = true;
        reg.count = parseInteger();
        expect(">");
        if (reg.count > 10000000)
          return fail("too many registers");
      }
      function.registers.push_back(reg);
    } while (!failed() && take(","));
    expect(";");
  }
  void parseInstruction(Function &function, unsigned scope) {
    Instruction instruction;
    instruction.line = token().line;
    instruction.location = location;
    instruction.scope = scope;
    if (take("@")) {
      instruction.isGuardNegated = take("!");
      instruction.guard = takeWord();
    }
    StringRef word = takeWord();
    llvm::SmallVector<StringRef, 8> parts;
    word.split(parts, '.');
    instruction.opcode = parts.front();
    instruction.modifiers.assign(parts.begin() + 1, parts.end());
    while (!failed() && !take(";")) {
      instruction.operands.push_back(parseOperand());
      if (!token().is(";"))
        expect(",");
    }
    function.body.push_back(std::move(instruction));
  }
};

} // namespace

std::unique_ptr<Module> parse(StringRef text, std::string &error) {
  auto module = std::make_unique<Module>();
  module->text = text.rtrim('\0').str();
  error.clear();
  Parser parser(*module, error);
  if (!parser.run())
    return nullptr;
  if (!module->version) {
    error = "line 1: '.version' is missing";
    return nullptr;
  }
  return module;
}

} // namespace cuda_emu::ptx
