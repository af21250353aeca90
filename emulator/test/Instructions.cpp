// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda-emu-instructions <library> <cases> [<ptx to write>]: runs single instructions on values and compares bits. A
// case is a line
//   d32 a32 b32 : add.rz.f32 d, a, b : 3f800000 33800000 = 3f800000
// registers with their widths (results are d, e, and predicates p, q), the code, operands = results, in hexadecimal. A
// line that begins with a colon has further values for the case above it; `x` is a result that may be anything.

#include "Test.h"

#include <map>

namespace {

struct Register {
  std::string name;
  int bits;
  bool isResult() const { return strchr("depq", name[0]); }
};

struct Case {
  int line;
  std::vector<Register> registers;
  std::string code;
  std::vector<std::vector<uint64_t>> operands;
  std::vector<std::vector<std::string>> results;
};

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::string part;
  for (char c : text) {
    if (c == separator) {
      if (separator != ' ' || !part.empty())
        parts.push_back(part);
      part.clear();
    } else {
      part += c;
    }
  }
  if (separator != ' ' || !part.empty())
    parts.push_back(part);
  return parts;
}

/// Each thread has one set of values.
std::string kernel(const Case &test, size_t number) {
  std::string name = "t" + std::to_string(number),
              text = ".visible .entry " + name + "(.param .u64 from, .param .u64 to)\n{\n";
  text += ".reg .b64 %in, %out, %x; .reg .b32 %index; .reg .b16 %h; mov.u32 %index, %tid.x;\n";
  text += "ld.param.u64 %in, [from]; ld.param.u64 %out, [to];\n";
  int inputs = 0, outputs = 0;
  for (const Register &r : test.registers) {
    text += ".reg ." + std::string(r.bits == 1 ? "pred" : "b" + std::to_string(r.bits)) + " " + r.name + ";\n";
    ++(r.isResult() ? outputs : inputs);
  }
  auto advance = [&](const char *reg, int count) {
    return "mul.wide.u32 %x, %index, " + std::to_string(8 * count) + "; add.s64 " + reg + ", " + reg + ", %x;\n";
  };
  text += advance("%in", inputs) + advance("%out", outputs);
  int n = 0;
  for (const Register &r : test.registers) {
    if (r.isResult())
      continue;
    std::string at = "[%in+" + std::to_string(8 * n++) + "]";
    if (r.bits == 1)
      text += "ld.global.b64 %x, " + at + "; setp.ne.s64 " + r.name + ", %x, 0;\n";
    else
      text += "ld.global.b" + std::to_string(r.bits) + " " + r.name + ", " + at + ";\n";
  }
  // A block takes no semicolon, but an instruction that ends with a vector does.
  text += test.code + (test.code[0] == '{' ? "\n" : ";\n");
  n = 0;
  for (const Register &r : test.registers) {
    if (!r.isResult())
      continue;
    std::string at = "[%out+" + std::to_string(8 * n++) + "]";
    if (r.bits == 1)
      text += "selp.b64 %x, 1, 0, " + r.name + "; st.global.b64 " + at + ", %x;\n";
    else
      text += "st.global.b" + std::to_string(r.bits) + " " + at + ", " + r.name + ";\n";
  }
  return text + "ret;\n}\n";
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  std::vector<Case> cases;
  int number = 0;
  for (const std::string &line : split(readFile(argv[2]), '\n')) {
    ++number;
    if (line.empty() || line[0] == '#')
      continue;
    size_t last = line.rfind(" : "), first = line.find(" : ");
    if (line[0] != ':') {
      Case test;
      test.line = number;
      for (const std::string &word : split(line.substr(0, first), ' ')) {
        size_t digits = word.find_first_of("0123456789");
        test.registers.push_back({word.substr(0, digits), atoi(word.c_str() + digits)});
      }
      test.code = line.substr(first + 3, last - first - 3);
      cases.push_back(test);
    }
    auto sides = split(line[0] == ':' ? line.substr(1) : line.substr(last + 3), '=');
    std::vector<uint64_t> operands;
    for (const std::string &word : split(sides[0], ' '))
      operands.push_back(strtoull(word.c_str(), nullptr, 16));
    cases.back().operands.push_back(operands);
    cases.back().results.push_back(split(sides.at(1), ' '));
  }
  std::string text = ".version 8.6\n.target sm_90a\n.address_size 64\n";
  for (size_t i = 0; i < cases.size(); ++i)
    text += kernel(cases[i], i);
  if (argc > 3) { // for ptxas to look at
    FILE *file = fopen(argv[3], "w");
    fputs(text.c_str(), file);
    fclose(file);
  }
  Driver driver(argv[1]);
  std::string log = driver.load(text);
  if (!log.empty()) {
    size_t at = log.find("line ");
    int line = at == std::string::npos ? 0 : atoi(log.c_str() + at + 5);
    auto lines = split(text, '\n');
    printf("%s\n%s\n", log.c_str(), line > 0 && size_t(line) <= lines.size() ? lines[line - 1].c_str() : "");
    return 1;
  }
  int failures = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    const Case &test = cases[i];
    std::vector<uint64_t> operands;
    size_t inputs = test.operands[0].size(), outputs = test.results[0].size(), sets = test.operands.size();
    for (const auto &set : test.operands)
      operands.insert(operands.end(), set.begin(), set.end());
    operands.push_back(0);
    Device in = driver.upload(operands), out = driver.upload(std::vector<uint64_t>(sets * outputs));
    driver.launch(("t" + std::to_string(i)).c_str(), {1, 1, unsigned(sets), 1, 0}, in, out);
    auto results = driver.download<uint64_t>(out, sets * outputs);
    for (size_t s = 0; s < sets; ++s)
      for (size_t k = 0; k < outputs; ++k) {
        const std::string &wanted = test.results[s][k];
        if (wanted == "x" || strtoull(wanted.c_str(), nullptr, 16) == results[s * outputs + k])
          continue;
        ++failures;
        printf("line %d: %s", test.line, test.code.c_str());
        for (size_t n = 0; n < inputs; ++n)
          printf(" %llx", (unsigned long long)test.operands[s][n]);
        printf(" = %llx, not %s\n", (unsigned long long)results[s * outputs + k], wanted.c_str());
      }
  }
  printf("%zu instructions, %d failures\n", cases.size(), failures);
  return failures != 0;
}
