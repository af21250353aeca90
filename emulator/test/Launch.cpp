// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda-emu-launch <library> <ptx> <kernel> <grid x>[,y] <block x>[,y] <shared bytes> <arguments...>: launches a kernel
// and prints how it ended. Arguments: `i32=5`, `f32=1.5`, `i64=7`; `f32:100` is a buffer of 100 floats 0, 1, 2, ...,
// `i32:100` of integers, `u8:100` of bytes, `fresh:100` of bytes that nobody has
// written. `tiles=64x9x8x2` is a tensor map of the first buffer, of elements of 2 bytes of which such sizes follow each
// other, channels first, whose box is the channels of a pixel; `pixels=64x9x8x2` one of 16 pixels (im2col) in the box
// of the whole image. With `print` as last argument the first buffer follows. With CUDA_EMU_TEST_EARLY it may begin
// before launches in front of it have ended.

#include "Test.h"

#include <deque>

namespace {

struct alignas(64) TensorMap {
  uint64_t opaque[16];
};

/// Of four dimensions.
void encode(Driver &driver, TensorMap &map, bool isPixels, const char *text, Device memory) {
  const unsigned bf16 = 9, count = 16, steps[] = {1, 1, 1, 1};
  const int corners[] = {0, 0};
  uint64_t sizes[4] = {};
  if (sscanf(text, "%zux%zux%zux%zu", &sizes[0], &sizes[1], &sizes[2], &sizes[3]) != 4) {
    printf("four sizes expected, not %s\n", text);
    exit(1);
  }
  uint64_t strides[] = {sizes[0] * 2, sizes[0] * sizes[1] * 2, sizes[0] * sizes[1] * sizes[2] * 2};
  unsigned channels = sizes[0], box[] = {channels, 1, 1, 1};
  int result =
      isPixels ? driver.call("cuTensorMapEncodeIm2col", (void *)&map, bf16, 4u, (void *)memory, (const uint64_t *)sizes,
                             (const uint64_t *)strides, (const int *)corners, (const int *)corners, channels, count,
                             (const unsigned *)steps, 0u, 0u, 0u, 0u)
               : driver.call("cuTensorMapEncodeTiled", (void *)&map, bf16, 4u, (void *)memory, (const uint64_t *)sizes,
                             (const uint64_t *)strides, (const unsigned *)box, (const unsigned *)steps, 0u, 0u, 0u, 0u);
  driver.check(result, text);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 7)
    return 2;
  Driver driver(argv[1]);
  if (const char *variable = getenv("CUDA_EMU_TEST_SETS")) { // once the driver has started: NAME=VALUE
    std::string text = variable;
    size_t end = text.find('=');
    setenv(text.substr(0, end).c_str(), text.c_str() + end + 1, 1);
  }
  std::string log = driver.load(readFile(argv[2]));
  if (!log.empty()) {
    printf("load: %s\n", log.c_str());
    return 1;
  }
  unsigned grid[2] = {1, 1}, block[2] = {1, 1};
  sscanf(argv[4], "%u,%u", &grid[0], &grid[1]);
  sscanf(argv[5], "%u,%u", &block[0], &block[1]);
  std::vector<uint64_t> values(argc);
  std::deque<TensorMap> maps;
  std::vector<void *> pointers;
  Device first = 0;
  size_t firstCount = 0;
  bool prints = false, isFloat = false;
  for (int i = 7; i < argc; ++i) {
    std::string text = argv[i];
    if (text == "print") {
      prints = true;
      continue;
    }
    uint64_t &value = values[i];
    std::string type = text.substr(0, text.find_first_of("=:")), number = text.substr(type.size() + 1);
    if (type == "tiles" || type == "pixels") {
      maps.emplace_back();
      encode(driver, maps.back(), type == "pixels", number.c_str(), first);
      pointers.push_back(&maps.back());
      continue;
    }
    if (text[type.size()] == '=') {
      if (type == "f32") {
        float x = atof(number.c_str());
        memcpy(&value, &x, 4);
      } else {
        value = strtoll(number.c_str(), nullptr, 0);
      }
    } else {
      size_t count = atoi(number.c_str());
      std::vector<float> floats(count);
      std::vector<int> integers(count);
      std::vector<unsigned char> bytes(count);
      for (size_t k = 0; k < count; ++k)
        bytes[k] = integers[k] = floats[k] = float(k);
      if (type == "fresh")
        driver.check(driver.call("cuMemAlloc_v2", (Device *)&value, count), "cuMemAlloc");
      else
        value = type == "f32" ? driver.upload(floats) : type == "u8" ? driver.upload(bytes) : driver.upload(integers);
      if (!first) {
        first = value;
        firstCount = count;
        isFloat = type == "f32";
      }
    }
    pointers.push_back(&value);
  }
  void *function;
  driver.check(driver.call("cuModuleGetFunction", &function, driver.module, (const char *)argv[3]), argv[3]);
  unsigned shared = atoi(argv[6]);
  if (shared > 48 * 1024)
    driver.check(driver.call("cuFuncSetAttribute", function, 8, int(shared)), "cuFuncSetAttribute");
  struct {
    int id;
    unsigned value[17];
  } early = {6, {0, 1}};
  struct {
    unsigned sizes[7];
    void *stream, *attributes;
    unsigned count;
  } config = {
      {grid[0], grid[1], 1, block[0], block[1], 1, shared}, nullptr, &early, getenv("CUDA_EMU_TEST_EARLY") ? 1u : 0u};
  int result = driver.call("cuLaunchKernelEx", (void *)&config, function, pointers.data(), (void **)nullptr);
  const char *name = "?";
  driver.call("cuGetErrorName", result, &name);
  const char *meaning = "?";
  driver.call("cuGetErrorString", result, &meaning);
  printf("%s: %s\n%s\n", name, meaning, driver.finding().c_str());
  int again = driver.call("cuCtxSynchronize");
  if (again != (driver.finding().empty() ? 0 : result))
    printf("the context is in state %d\n", again);
  if (getenv("CUDA_EMU_PROFILE"))
    printf("%s", reinterpret_cast<const char *(*)()>(dlsym(driver.library, "cuda_emu_profile"))());
  if (prints && !result) {
    if (isFloat)
      for (float x : driver.download<float>(first, firstCount))
        printf("%g ", x);
    else
      for (int x : driver.download<int>(first, firstCount))
        printf("%d ", x);
    printf("\n");
  }
  return result != 0;
}
