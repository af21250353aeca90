// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/runtime/cuda/Modules.h"
#include "mlir_xla/runtime/cuda/Device.h"

#include <string.h>

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

CUmodule Modules::load(const char *ptx) {
  std::lock_guard<std::mutex> lock(mutex);
  auto [slot, isNew] = entries.try_emplace(ptx, Entry{nullptr, 0});
  if (isNew) {
    char log[768] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, reinterpret_cast<void *>(sizeof(log) - 1)};
    CUresult result = device.driver.cuModuleLoadDataEx(&slot->second.module, ptx, 2, options, values);
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
