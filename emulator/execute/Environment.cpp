// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each variable takes.

#include "Environment.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace cuda_emu {

namespace {

struct Variable {
  const char *name;
  uint64_t least, most;              // of numbers
  std::vector<const char *> words{}; // or one of these
};

constexpr size_t mostShown = 40; // of a value: who prints the error may have little room
constexpr uint64_t most32 = UINT32_MAX, most63 = INT64_MAX;

const std::vector<Variable> &variables() {
  static const auto *all = new std::vector<Variable>{{"CUDA_EMU_SM", 50, 199},
                                                     {"CUDA_EMU_VERSION", 12000, 99999},
                                                     {"CUDA_EMU_THREADS", 1, 1024},
                                                     {"CUDA_EMU_MEMORY", 1, most63},
                                                     {"CUDA_EMU_PROTECT", 0, 1},
                                                     {"CUDA_EMU_OPT", 0, 1},
                                                     {"CUDA_EMU_CHECK", 0, 1},
                                                     {"CUDA_EMU_PROFILE", 0, 1},
                                                     {"CUDA_EMU_DUMP", 0, 1},
                                                     {"CUDA_EMU_SEED", 0, most32},
                                                     {"CUDA_EMU_SKIP_LINE", 1, most32},
                                                     {"CUDA_EMU_FAIL_LAUNCH", 1, most63},
                                                     {"CUDA_EMU_ASYNC", 0, 0, {"early", "late"}},
                                                     {"CUDA_EMU_STREAMS", 0, 0, {"now", "late", "random"}}};
  return *all;
}

const char *valueOf(const char *name) {
  const char *text = getenv(name);
  return text && *text ? text : nullptr;
}

bool isNumber(const char *text, const Variable &variable, uint64_t &value) {
  if (*text < '0' || *text > '9') // strtoull takes spaces and signs
    return false;
  bool isHex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  char *end;
  errno = 0;
  value = strtoull(text, &end, isHex ? 16 : 10);
  return !errno && !*end && value >= variable.least && value <= variable.most;
}

bool takes(const Variable &variable, const char *text) {
  uint64_t value;
  if (variable.words.empty())
    return isNumber(text, variable, value);
  for (const char *word : variable.words)
    if (!strcmp(text, word))
      return true;
  return false;
}

std::string allowed(const Variable &variable) {
  if (variable.words.empty() && variable.most == 1)
    return "0 or 1";
  if (variable.words.empty())
    return "an integer from " + std::to_string(variable.least) + " to " + std::to_string(variable.most);
  std::string text;
  for (const char *word : variable.words)
    text += (text.empty() ? "'" : word == variable.words.back() ? " or '" : ", '") + std::string(word) + "'";
  return text;
}

const Variable &find(const char *name) {
  for (const Variable &variable : variables())
    if (!strcmp(variable.name, name))
      return variable;
  abort(); // not in the table: a mistake of this library
}

} // namespace

std::string environmentProblem() {
  for (const Variable &variable : variables()) {
    const char *text = valueOf(variable.name);
    if (!text || takes(variable, text))
      continue;
    std::string value = text;
    if (value.size() > mostShown)
      value = value.substr(0, mostShown) + "...";
    return "the environment variable " + std::string(variable.name) + " is '" + value + "'; it has to be " +
           allowed(variable);
  }
  return "";
}

uint64_t environmentNumber(const char *name, uint64_t otherwise) {
  const char *text = valueOf(name);
  uint64_t value;
  return text && isNumber(text, find(name), value) ? value : otherwise;
}

bool environmentFlag(const char *name, bool otherwise) { return environmentNumber(name, otherwise); }

bool environmentSays(const char *name, const char *word) {
  const char *text = valueOf(name);
  return text && !strcmp(text, word);
}

} // namespace cuda_emu
