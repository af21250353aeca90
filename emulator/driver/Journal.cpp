// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the lines of the journal (Journal.h).
#include "Journal.h"
#include "../execute/Environment.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace cuda_emu {

/// A mutant's findings are what is wanted of it, and no record of the program.
static void append(std::string line) {
  const char *path = getenv("CUDA_EMU_JOURNAL");
  if (!path || !path[0] || environmentNumber("CUDA_EMU_SKIP_LINE", 0))
    return;
  std::replace(line.begin(), line.end(), '\n', ' ');
  line += '\n';
  int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  // One call for a line, so that those of several processes do not mix.
  if (file < 0 || write(file, line.data(), line.size()) != ssize_t(line.size()))
    fprintf(stderr, "cuda-emu: cannot write to the journal %s\n", path);
  if (file >= 0)
    close(file);
}

void noteKernel(uint64_t module, const Kernel &kernel) {
  char hash[17];
  snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(module));
  append("kernel " + std::string(hash) + ' ' + kernel.name + (kernel.meets ? " shared" : " alone"));
}

void noteFinding(const std::string &text) { append("finding " + text); }

} // namespace cuda_emu
