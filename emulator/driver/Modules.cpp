// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules, their functions and variables, and launches.

#include "../execute/Environment.h"
#include "Journal.h"
#include "State.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace cuda_emu;

static void writeLog(unsigned count, CUjit_option *options, void **values, const std::string &text) {
  char *buffer = nullptr;
  size_t size = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
      buffer = static_cast<char *>(values[i]);
    else if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
      size = reinterpret_cast<size_t>(values[i]) & 0xffffffff;
  }
  size_t written = 0;
  if (buffer && size) {
    written = std::min(size - 1, text.size());
    memcpy(buffer, text.data(), written);
    buffer[written] = 0;
  }
  // The sizes give back how much was written.
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
      values[i] = reinterpret_cast<void *>(written);
    else if (options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES)
      values[i] = nullptr;
}

CUDA_EMU_API CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options,
                                         void **values) {
  Lock lock(stateMutex());
  if (CUresult state = ready())
    return state;
  if (!module || !image)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult problem = checkEnvironment())
    return problem;
  const char *text = static_cast<const char *>(image);
  if (!memcmp(text,
              "\x7f"
              "ELF",
              4)) {
    writeLog(count, options, values, "the emulator takes PTX, not machine code");
    return CUDA_ERROR_INVALID_IMAGE;
  }
  auto result = std::make_unique<CUmod_st>();
  result->hash = llvm::xxh3_64bits(llvm::StringRef(text));
  auto place = [&](uint64_t bytes, uint64_t) -> uint64_t {
    CUdeviceptr memory = DeviceMemory::get().allocate(std::max<uint64_t>(bytes, 1));
    result->memory.push_back(memory);
    memset(reinterpret_cast<void *>(memory), 0, bytes);
    DeviceMemory::get().noteFill(memory, bytes);
    return memory;
  };
  std::string error;
  {
    OpenMemory open;
    result->loaded = loadModule(text, place, error);
  }
  writeLog(count, options, values, error.empty() ? "" : "ptx: " + error);
  if (!result->loaded) {
    for (CUdeviceptr memory : result->memory)
      DeviceMemory::get().release(memory);
    return CUDA_ERROR_INVALID_PTX;
  }
  *module = result.release();
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}

CUDA_EMU_API CUresult cuModuleUnload(CUmodule module) {
  Lock lock(stateMutex());
  if (!module)
    return CUDA_ERROR_INVALID_HANDLE;
  drainAll();
  for (CUdeviceptr memory : module->memory)
    DeviceMemory::get().release(memory);
  delete module;
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  Lock lock(stateMutex());
  if (!function || !module || !name)
    return CUDA_ERROR_INVALID_VALUE;
  auto found = module->loaded->kernels.find(name);
  if (found == module->loaded->kernels.end())
    return CUDA_ERROR_NOT_FOUND;
  auto &slot = module->functions[name];
  if (!slot)
    slot = std::make_unique<CUfunc_st>(CUfunc_st{module, &found->second});
  *function = slot.get();
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  Lock lock(stateMutex());
  if (!module || !name)
    return CUDA_ERROR_INVALID_VALUE;
  auto found = module->loaded->globals.find(name);
  if (found == module->loaded->globals.end())
    return CUDA_ERROR_NOT_FOUND;
  if (address)
    *address = found->second.address;
  if (bytes)
    *bytes = found->second.bytes;
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device);
static int deviceAttribute(int attribute) {
  int value = 0;
  cuDeviceGetAttribute(&value, attribute, 0);
  return value;
}
static unsigned maxSharedOptIn() { return deviceAttribute(97); }

CUDA_EMU_API CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  Lock lock(stateMutex());
  if (!value || !function)
    return CUDA_ERROR_INVALID_VALUE;
  const Kernel &kernel = *function->kernel;
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = kernel.maxThreads ? std::min<uint64_t>(kernel.maxThreads, maxThreadsPerBlock) : maxThreadsPerBlock;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = kernel.staticShared;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value = kernel.localBytes;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_NUM_REGS: // not known: nothing is assigned to registers
    *value = 32;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    *value = deviceAttribute(75) * 10 + deviceAttribute(76);
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = kernel.maxDynamicShared;
    return CUDA_SUCCESS;
  default:
    *value = 0;
    return attribute < CU_FUNC_ATTRIBUTE_MAX ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  }
}

CUDA_EMU_API CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  Lock lock(stateMutex());
  if (!function)
    return CUDA_ERROR_INVALID_VALUE;
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
    if (value < 0 || uint64_t(value) + function->kernel->staticShared > maxSharedOptIn())
      return CUDA_ERROR_INVALID_VALUE;
    function->kernel->maxDynamicShared = value;
    return CUDA_SUCCESS;
  }
  if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
    function->kernel->allowsLargeClusters = value;
  return attribute > CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && attribute < CU_FUNC_ATTRIBUTE_MAX
             ? CUDA_SUCCESS
             : CUDA_ERROR_INVALID_VALUE;
}

CUDA_EMU_API CUresult cuFuncSetCacheConfig(CUfunction, int) { return CUDA_SUCCESS; }

CUDA_EMU_API CUresult cuFuncGetName(const char **name, CUfunction function) {
  if (!name || !function)
    return CUDA_ERROR_INVALID_VALUE;
  *name = function->kernel->name.c_str();
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
  if (!module || !function)
    return CUDA_ERROR_INVALID_VALUE;
  *module = function->module;
  return CUDA_SUCCESS;
}

/// By threads and shared memory alone.
CUDA_EMU_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
                                                                  size_t dynamicShared) {
  if (!blocks || !function || threads <= 0 || threads > int(maxThreadsPerBlock))
    return CUDA_ERROR_INVALID_VALUE;
  size_t shared = function->kernel->staticShared + dynamicShared + deviceAttribute(111);
  size_t warps = (threads + warpSize - 1) / warpSize;
  *blocks = std::min<size_t>(
      {size_t(deviceAttribute(106)), deviceAttribute(39) / warpSize / warps, deviceAttribute(81) / shared});
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function,
                                                                           int threads, size_t dynamicShared,
                                                                           unsigned) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamicShared);
}

// --- Launches ---

static CUresult checkShape(const Kernel &kernel, const LaunchShape &shape) {
  uint64_t threads = 1;
  for (unsigned d = 0; d < 3; ++d) {
    if (!shape.grid[d] || !shape.block[d] || !shape.cluster[d])
      return CUDA_ERROR_INVALID_VALUE;
    if (shape.block[d] > unsigned(deviceAttribute(2 + d)) || shape.grid[d] > unsigned(deviceAttribute(5 + d)))
      return CUDA_ERROR_INVALID_VALUE;
    if (shape.grid[d] % shape.cluster[d])
      return CUDA_ERROR_INVALID_VALUE;
    if (kernel.requiredThreads[0] && shape.block[d] != kernel.requiredThreads[d])
      return CUDA_ERROR_INVALID_VALUE;
    threads *= shape.block[d];
  }
  unsigned clusterBlocks = shape.cluster[0] * shape.cluster[1] * shape.cluster[2];
  if (clusterBlocks > (kernel.allowsLargeClusters ? maxClusterBlocks : 8))
    return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  if (clusterBlocks > 1 && !deviceAttribute(120))
    return CUDA_ERROR_NOT_SUPPORTED;
  if (threads > maxThreadsPerBlock)
    return CUDA_ERROR_INVALID_VALUE;
  if (kernel.maxThreads && threads > kernel.maxThreads)
    return CUDA_ERROR_INVALID_VALUE;
  if (shape.dynamicShared > kernel.maxDynamicShared ||
      uint64_t(kernel.staticShared) + shape.dynamicShared > maxSharedOptIn())
    return CUDA_ERROR_INVALID_VALUE;
  if (kernel.staticShared > 48 * 1024)
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  return CUDA_SUCCESS;
}

/// The parameters are copied when a launch is enqueued, as they are by the real driver.
static bool gatherParameters(const Kernel &kernel, void **parameters, void **extra, std::vector<char> &bytes) {
  bytes.assign(kernel.parameterBytes, 0);
  if (kernel.parameters.empty())
    return true;
  if (extra) {
    const void *buffer = nullptr;
    size_t size = 0;
    for (size_t i = 0; extra[i]; i += 2) {
      if (extra[i] == reinterpret_cast<void *>(1)) // CU_LAUNCH_PARAM_BUFFER_POINTER
        buffer = extra[i + 1];
      else if (extra[i] == reinterpret_cast<void *>(2)) // CU_LAUNCH_PARAM_BUFFER_SIZE
        size = *static_cast<size_t *>(extra[i + 1]);
    }
    if (!buffer || size < kernel.parameterBytes)
      return false;
    memcpy(bytes.data(), buffer, kernel.parameterBytes);
    return true;
  }
  if (!parameters)
    return false;
  for (size_t i = 0; i < kernel.parameters.size(); ++i)
    memcpy(bytes.data() + kernel.parameters[i].offset, parameters[i], kernel.parameters[i].bytes);
  return true;
}

CUDA_EMU_API CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters,
                                       void **extra) {
  Lock lock(stateMutex());
  if (CUresult state = ready())
    return state;
  if (!config || !function)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult problem = checkEnvironment())
    return problem;
  const Kernel *kernel = function->kernel;
  LaunchShape shape = {{config->gridDimX, config->gridDimY, config->gridDimZ},
                       {config->blockDimX, config->blockDimY, config->blockDimZ},
                       {1, 1, 1},
                       config->sharedMemBytes};
  if (kernel->requiredCluster[0])
    std::copy_n(kernel->requiredCluster, 3, shape.cluster);
  bool beginsEarly = false;
  for (unsigned i = 0; i < config->numAttrs; ++i)
    if (config->attrs[i].id == 6) {
      beginsEarly = config->attrs[i].value.beginsEarly;
    } else if (config->attrs[i].id == 4) {
      const auto &cluster = config->attrs[i].value.cluster;
      const uint32_t wanted[3] = {cluster.x, cluster.y, cluster.z};
      // What the kernel requires cannot be changed.
      if (kernel->requiredCluster[0] && !std::equal(wanted, wanted + 3, shape.cluster))
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
      std::copy_n(wanted, 3, shape.cluster);
    }
  if (CUresult problem = checkShape(*kernel, shape))
    return problem;
  std::vector<char> bytes;
  if (!gatherParameters(*kernel, parameters, extra, bytes))
    return CUDA_ERROR_INVALID_VALUE;
  return enqueue(config->hStream, [=]() -> CUresult {
    static uint64_t launched = 0; // by the process, those of graphs too
    if (++launched == environmentNumber("CUDA_EMU_FAIL_LAUNCH", 0))
      return failForGood(CUDA_ERROR_ILLEGAL_ADDRESS, "launch " + std::to_string(launched) + ", of kernel '" +
                                                         kernel->name + "', fails as CUDA_EMU_FAIL_LAUNCH says");
    if (beginsEarly && !kernel->waitsFirst)
      return failForGood(CUDA_ERROR_LAUNCH_FAILED, "kernel '" + kernel->name +
                                                       "' may begin before those in front of it have ended, and uses "
                                                       "memory before 'griddepcontrol.wait'");
    OpenMemory open;
    Failure failure;
    if (!kernel->isChecked) // nobody looks at what it writes
      DeviceMemory::get().noteAll();
    if (launch(*kernel, shape, bytes.data(), failure)) {
      if (kernel->isChecked && !std::exchange(function->isNoted, true))
        noteKernel(function->module->hash, *kernel);
      return CUDA_SUCCESS;
    }
    return failForGood(failure.isAddress ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_ERROR_LAUNCH_FAILED, failure.text);
  });
}

CUDA_EMU_API CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                     unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                                     CUstream stream, void **parameters, void **extra) {
  CUlaunchConfig config = {gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream, nullptr, 0};
  return cuLaunchKernelEx(&config, function, parameters, extra);
}
