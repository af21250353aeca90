// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/runtime/cuda/Modules.h"
#include "mlir_xla/runtime/cuda/Device.h"

#include <string.h>
#include <string>
#include <string_view>

using namespace xla_rt::cuda;

/// The log on one line.
static void joinLines(char *log) {
  char *end = log + strlen(log);
  while (end > log && (end[-1] == '\n' || end[-1] == ' '))
    *--end = 0;
  for (; *log; ++log)
    if (*log == '\n')
      *log = ' ';
}

/// With the instructions that code for older devices has behind `//.sm_90 `, in comments.
static std::string withInstructionsOfSm90(std::string ptx) {
  static constexpr std::string_view mark = "//.sm_90 ", target = ".target sm_";
  size_t first = ptx.find(mark), at = ptx.find(target);
  if (first == std::string::npos || at == std::string::npos)
    return ptx;
  for (size_t i = first; i != std::string::npos; i = ptx.find(mark, i))
    ptx.erase(i, mark.size());
  at += target.size();
  return ptx.replace(at, ptx.find_first_not_of("0123456789", at) - at, "90");
}

CUmodule Modules::load(const char *ptx) {
  std::lock_guard<std::mutex> lock(mutex);
  auto [slot, isNew] = entries.try_emplace(ptx, Entry{nullptr, 0});
  if (isNew) {
    char log[768] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, reinterpret_cast<void *>(sizeof(log) - 1)};
    std::string text = device.capability >= 90 ? withInstructionsOfSm90(ptx) : ptx;
    CUresult result = device.driver.cuModuleLoadDataEx(&slot->second.module, text.c_str(), 2, options, values);
    log[sizeof(log) - 1] = 0;
    joinLines(log);
    if (!device.check(result, "load the program's PTX%s%s%s", *log ? " (" : "", log, *log ? ")" : "")) {
      entries.erase(slot);
      return nullptr;
    }
  }
  ++slot->second.users;
  return slot->second.module;
}

void Modules::unload(CUmodule module) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
    if (entry->second.module != module)
      continue;
    if (--entry->second.users == 0) {
      device.ignore(device.driver.cuModuleUnload(module));
      entries.erase(entry);
    }
    return;
  }
}
