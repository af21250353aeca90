// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that the environment gives.

#include "mlir_xla/runtime/core/Environment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

using namespace xla_rt;

Setting xla_rt::readEnvironment(const char *name, uint64_t least, uint64_t most, uint64_t &value, char *message,
                                size_t room) {
  const char *text = getenv(name);
  if (!text || !*text)
    return Setting::None;
  bool isHex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  char *end = nullptr;
  errno = 0;
  value = strtoull(text, &end, isHex ? 16 : 10);
  bool isNumber = *text >= '0' && *text <= '9' && !*end && !errno; // strtoull takes spaces and signs, too
  if (isNumber && value >= least && value <= most)
    return Setting::Given;
  snprintf(message, room, "the environment variable %s is '%.40s'; it has to be an integer from %llu to %llu", name,
           text, static_cast<unsigned long long>(least), static_cast<unsigned long long>(most));
  return Setting::Wrong;
}
