// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds a LAPACK at run time: the one that XLA_RT_LAPACK names, OpenBLAS of the Python package scipy-openblas32 (whose
// names begin with `scipy_`), or what the system has as OpenBLAS or LAPACK.

#include "mlir_xla/runtime/library/lapack/Lapack.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

namespace {

struct Library {
  void *handle = nullptr;
  const char *prefix = "";
};

Library library;
pthread_once_t once = PTHREAD_ONCE_INIT;

bool open(const char *path) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return false;
  for (const char *prefix : {"", "scipy_"}) {
    char name[32];
    snprintf(name, sizeof(name), "%sspotrf_", prefix);
    if (!dlsym(handle, name))
      continue;
    library = {handle, prefix};
    // The batch is what is done in parallel, by the threads of the runtime.
    snprintf(name, sizeof(name), "%sopenblas_set_num_threads", prefix);
    if (void *setThreads = dlsym(handle, name))
      reinterpret_cast<void (*)(int)>(setThreads)(1);
    return true;
  }
  dlclose(handle);
  return false;
}

void openAny() {
  if (const char *path = getenv("XLA_RT_LAPACK")) {
    open(path); // or none: what was asked for is not replaced by another
    return;
  }
  // The first is found by the run path of this library, the others where the system keeps libraries.
  for (const char *name : {"libscipy_openblas.so", "libopenblas.so.0", "liblapack.so.3"})
    if (open(name))
      return;
}

} // namespace

void *xla_rt::lapack::findRoutine(const char *name) {
  pthread_once(&once, openAny);
  char text[512];
  if (!library.handle) {
    const char *path = getenv("XLA_RT_LAPACK");
    if (path)
      snprintf(text, sizeof(text), "the program needs LAPACK (%s), and XLA_RT_LAPACK=%.300s is none", name, path);
    else
      snprintf(text, sizeof(text),
               "the program needs LAPACK (%s), and none was found: install the Python package scipy-openblas32 beside "
               "mlir-xla, or Debian's libopenblas0-serial, or name a library in XLA_RT_LAPACK",
               name);
    xla_rt_set_error(text);
    return nullptr;
  }
  snprintf(text, sizeof(text), "%s%s_", library.prefix, name);
  void *routine = dlsym(library.handle, text);
  if (!routine) {
    snprintf(text, sizeof(text), "the LAPACK that was found has no routine %s", name);
    xla_rt_set_error(text);
  }
  return routine;
}
