// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver as a program sees it: opened by dlopen, declared here once more.

#ifndef CUDA_EMU_TEST_TEST_H
#define CUDA_EMU_TEST_TEST_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <vector>

using Device = unsigned long long; // an address there

struct Driver {
  void *library;
  void *module = nullptr;

  explicit Driver(const char *path) : library(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (!library) {
      printf("%s\n", dlerror());
      exit(1);
    }
    void *context;
    check(call("cuInit", 0u), "cuInit");
    check(call("cuDevicePrimaryCtxRetain", &context, 0), "cuDevicePrimaryCtxRetain");
    check(call("cuCtxPushCurrent_v2", context), "cuCtxPushCurrent");
  }
  template <typename... A> int call(const char *name, A... arguments) {
    auto *function = reinterpret_cast<int (*)(A...)>(dlsym(library, name));
    if (!function) {
      printf("no %s\n", name);
      exit(1);
    }
    return function(arguments...);
  }
  void check(int result, const char *what) {
    if (!result)
      return;
    const char *name = "?", *meaning = "?";
    call("cuGetErrorName", result, &name);
    call("cuGetErrorString", result, &meaning);
    printf("%s: %s, %s\n", what, name, meaning);
    exit(1);
  }
  std::string finding() { return reinterpret_cast<const char *(*)()>(dlsym(library, "cuda_emu_last_finding"))(); }
  /// Returns the log of a failure, else an empty string.
  std::string load(const std::string &ptx) {
    char log[4096] = "";
    int options[] = {5, 6}; // the error log and its size
    void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
    int result = call("cuModuleLoadDataEx", &module, (const void *)ptx.c_str(), 2u, (int *)options, (void **)values);
    if (!result)
      return "";
    const char *meaning = "?";
    call("cuGetErrorString", result, &meaning);
    return std::to_string(result) + ": " + (*log ? log : meaning);
  }
  template <typename T> Device upload(const std::vector<T> &data) {
    Device memory;
    check(call("cuMemAlloc_v2", &memory, data.size() * sizeof(T)), "cuMemAlloc");
    check(call("cuMemcpyHtoD_v2", memory, (const void *)data.data(), data.size() * sizeof(T)), "cuMemcpyHtoD");
    return memory;
  }
  template <typename T> std::vector<T> download(Device memory, size_t count) {
    std::vector<T> data(count);
    check(call("cuMemcpyDtoH_v2", (void *)data.data(), memory, count * sizeof(T)), "cuMemcpyDtoH");
    return data;
  }
  struct Shape {
    unsigned gridX, gridY, blockX, blockY, shared;
  };
  template <typename... A> int tryLaunch(const char *kernel, Shape s, A... arguments) {
    void *function;
    check(call("cuModuleGetFunction", &function, module, kernel), kernel);
    void *pointers[] = {&arguments..., nullptr};
    return call("cuLaunchKernel", function, s.gridX, s.gridY, 1u, s.blockX, s.blockY, 1u, s.shared, (void *)nullptr,
                (void **)pointers, (void **)nullptr);
  }
  template <typename... A> void launch(const char *kernel, Shape shape, A... arguments) {
    check(tryLaunch(kernel, shape, arguments...), kernel);
  }
};

/// Whether a kernel is to be tested: mutants.py asks for the one that it has changed.
inline bool isWanted(const char *kernel) {
  const char *only = getenv("CUDA_EMU_TEST_KERNEL");
  return !only || !strcmp(only, kernel);
}

inline std::string readFile(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    printf("cannot read %s\n", path);
    exit(1);
  }
  std::string text;
  char buffer[65536];
  while (size_t n = fread(buffer, 1, sizeof buffer, file))
    text.append(buffer, n);
  fclose(file);
  return text;
}

inline int failures = 0;

/// The main function of the tests of a module: `<library> <ptx>`.
template <typename Tests> int runTests(int argc, char **argv, Tests tests) {
  if (argc < 3)
    return 2;
  Driver driver(argv[1]);
  std::string log = driver.load(readFile(argv[2]));
  if (!log.empty()) {
    printf("%s\n", log.c_str());
    return 1;
  }
  tests(driver);
  printf("%d failures\n", failures);
  return failures != 0;
}

#endif // CUDA_EMU_TEST_TEST_H
