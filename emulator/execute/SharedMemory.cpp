// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block alone has anonymous memory. Blocks of a cluster have files in memory, which are mapped into all windows.

#include "SharedMemory.h"
#include "Machine.h"

#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>

namespace cuda_emu {

constexpr size_t reserved = (size_t(1) << 32) + (1 << 20);

SharedMemory::~SharedMemory() {
  for (Window &window : windows) {
    munmap(window.begin, reserved);
    if (window.file >= 0)
      close(window.file);
  }
}

/// A file without a name, or -1.
static int openFile(size_t bytes) {
#if defined(__linux__)
  int result = memfd_create("shared memory", MFD_CLOEXEC);
#else
  FILE *file = tmpfile();
  int result = file ? dup(fileno(file)) : -1;
  if (file)
    fclose(file);
#endif
  if (result >= 0 && ftruncate(result, bytes)) {
    close(result);
    return -1;
  }
  return result;
}

bool SharedMemory::prepare(unsigned blocks, size_t bytes) {
  size_t page = sysconf(_SC_PAGESIZE);
  bytes = (bytes + page - 1) / page * page;
  while (windows.size() < blocks) {
    void *map = mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
      return false;
    windows.push_back({});
    windows.back().begin = static_cast<char *>(map);
  }
  if (blocks == 1) {
    Window &window = windows[0];
    if (bytes <= window.mapped)
      return true;
    if (window.file >= 0
            ? ftruncate(window.file, bytes) != 0 || mmap(window.begin, bytes, PROT_READ | PROT_WRITE,
                                                         MAP_SHARED | MAP_FIXED, window.file, 0) == MAP_FAILED
            : mprotect(window.begin, bytes, PROT_READ | PROT_WRITE) != 0)
      return false;
    window.mapped = bytes;
    return true;
  }
  for (unsigned i = 0; i < blocks; ++i) {
    Window &window = windows[i];
    if (window.file >= 0 && bytes <= window.mapped)
      continue;
    if (window.file < 0)
      window.file = openFile(bytes);
    else if (ftruncate(window.file, bytes))
      return false;
    if (window.file < 0)
      return false;
    if (bytes &&
        mmap(window.begin, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, window.file, 0) == MAP_FAILED)
      return false;
    window.mapped = bytes;
  }
  for (unsigned i = 0; i < blocks; ++i) {
    Window &window = windows[i];
    if (window.aliases >= blocks && window.aliasBytes >= bytes)
      continue;
    for (unsigned other = 0; other < blocks && bytes; ++other)
      if (mmap(window.begin + (size_t(other + 1) << clusterShift), bytes, PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_FIXED, windows[other].file, 0) == MAP_FAILED)
        return false;
    window.aliases = blocks;
    window.aliasBytes = bytes;
  }
  return true;
}

bool SharedMemory::find(uint64_t address, uint64_t &offset) const {
  for (const Window &window : windows) {
    offset = address - reinterpret_cast<uint64_t>(window.begin);
    if (offset < reserved)
      return true;
  }
  return false;
}

} // namespace cuda_emu
