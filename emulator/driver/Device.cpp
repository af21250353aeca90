// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Initialisation, the device, contexts, errors, and how entry points are found by name.

#include "../execute/Environment.h"
#include "../execute/Profile.h"
#include "Journal.h"
#include "State.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>

using namespace cuda_emu;

namespace {

bool isInitialized = false;
thread_local std::vector<CUcontext> current;
std::string finding;
thread_local std::string wrongEnvironment; // what the last error of this thread's was about

unsigned capability() { return environmentNumber("CUDA_EMU_SM", 90); }

} // namespace

unsigned cuda_emu::driverVersion() { return environmentNumber("CUDA_EMU_VERSION", 12090); }

namespace {

struct ErrorText {
  CUresult error;
  const char *name, *text;
};
const ErrorText errors[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",
     "the capture was not initiated in this stream"},
    {CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "capturing stream has unjoined work"},
    {CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
     "dependency created on uncaptured work in another stream"},
    {CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE",
     "the graph update was not performed because it included changes which violated constraints"},
    {CUDA_ERROR_INVALID_CLUSTER_SIZE, "CUDA_ERROR_INVALID_CLUSTER_SIZE", "misconfigured cluster"},
    {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"}, // or what is wrong with the environment
};

/// What the emulated device answers; numbers of attributes are those of CUdevice_attribute.
int attributeValue(int attribute) {
  switch (attribute) {
  case 1: // threads of a block; of its dimensions x and y
  case 2:
  case 3:
    return maxThreadsPerBlock;
  case 4:
    return 64;
  case 5:
    return 0x7fffffff;
  case 6:
  case 7:
    return 65535;
  case 8:
    return 48 * 1024;
  case 9:
    return 64 * 1024;
  case 10:
    return warpSize;
  case 11:
    return 0x7fffffff;
  case 12: // registers of a block and of a multiprocessor
  case 82:
    return 65536;
  case 13: // kHz
    return 1755000;
  case 14:
    return 512;
  case 16:
    return capability() >= 90 ? 132 : 108;
  case 36:
    return 2619000;
  case 37:
    return 5120;
  case 38:
    return 50 << 20;
  case 39:
    return 2048;
  case 75:
    return capability() / 10;
  case 76:
    return capability() % 10;
  case 81: // shared memory of a multiprocessor
    return capability() >= 90 ? 228 * 1024 : 164 * 1024;
  case 97: // and of a block that asks for it
    return capability() >= 90 ? 227 * 1024 : 163 * 1024;
  case 106:
    return 32;
  case 111:
    return 1024;
  case 15: // overlap
  case 31: // concurrent kernels
  case 40: // copy engines
  case 41: // unified addressing
  case 78: // priorities of streams
  case 79:
  case 80:
  case 90:
  case 115: // memory pools
    return 1;
  case 120: // clusters
  case 127: // tensor maps
    return capability() >= 90;
  default:
    return 0;
  }
}

} // namespace

namespace cuda_emu {

std::recursive_mutex &stateMutex() {
  static auto *mutex = new std::recursive_mutex;
  return *mutex;
}

CUctx_st &context() {
  static auto *primary = new CUctx_st;
  return *primary;
}

CUresult ready() { return isInitialized ? context().failure : CUDA_ERROR_NOT_INITIALIZED; }

CUresult checkEnvironment() {
  wrongEnvironment = environmentProblem();
  return wrongEnvironment.empty() ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

CUresult failForGood(CUresult error, const std::string &text) {
  finding = text;
  noteFinding(text);
  fprintf(stderr, "cuda-emu: %s\n", text.c_str());
  context().failure = error;
  return error;
}

} // namespace cuda_emu

/// What made the context fail, an empty string if it has not.
CUDA_EMU_API const char *cuda_emu_last_finding() { return finding.c_str(); }

/// What profile mode has measured so far (execute/Profile.h has the format).
CUDA_EMU_API const char *cuda_emu_profile() {
  static std::string text;
  text = profileText();
  return text.c_str();
}

CUDA_EMU_API CUresult cuInit(unsigned flags) {
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult problem = checkEnvironment())
    return problem;
  isInitialized = true;
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuDriverGetVersion(int *version) {
  *version = static_cast<int>(driverVersion());
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuGetErrorName(CUresult error, const char **name) {
  for (const ErrorText &entry : errors)
    if (entry.error == error) {
      *name = entry.name;
      return CUDA_SUCCESS;
    }
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

CUDA_EMU_API CUresult cuGetErrorString(CUresult error, const char **text) {
  for (const ErrorText &entry : errors)
    if (entry.error == error) {
      bool isEnvironment = error == CUDA_ERROR_UNKNOWN && !wrongEnvironment.empty();
      *text = isEnvironment ? wrongEnvironment.c_str() : entry.text;
      return CUDA_SUCCESS;
    }
  *text = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

CUDA_EMU_API CUresult cuDeviceGetCount(int *count) {
  *count = 1;
  return isInitialized ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUDA_EMU_API CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  *device = 0;
  return !isInitialized ? CUDA_ERROR_NOT_INITIALIZED : ordinal ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  if (device)
    return CUDA_ERROR_INVALID_DEVICE;
  if (length > 0)
    snprintf(name, length, "emulated sm_%u", capability());
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  if (device)
    return CUDA_ERROR_INVALID_DEVICE;
  *value = attributeValue(attribute);
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  *bytes = DeviceMemory::get().totalBytes();
  return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  memset(uuid, 0, sizeof *uuid);
  memcpy(uuid->bytes, "emulated", 8);
  return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) { return cuDeviceGetUuid_v2(uuid, device); }

CUDA_EMU_API CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  *major = capability() / 10;
  *minor = capability() % 10;
  return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuDevicePrimaryCtxRetain(CUcontext *result, CUdevice device) {
  Lock lock(stateMutex());
  if (!isInitialized)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (device)
    return CUDA_ERROR_INVALID_DEVICE;
  ++context().references;
  *result = &context();
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  Lock lock(stateMutex());
  if (device || !context().references)
    return CUDA_ERROR_INVALID_CONTEXT;
  --context().references;
  return CUDA_SUCCESS;
}

/// Forgets that the context has failed. Memory and modules stay, as a test may want to look at them.
CUDA_EMU_API CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  Lock lock(stateMutex());
  context().failure = CUDA_SUCCESS;
  finding.clear();
  return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuCtxGetCurrent(CUcontext *result) {
  *result = current.empty() ? nullptr : current.back();
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuCtxSetCurrent(CUcontext wanted) {
  if (!current.empty())
    current.pop_back();
  if (wanted)
    current.push_back(wanted);
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuCtxPushCurrent_v2(CUcontext wanted) {
  if (!wanted)
    return CUDA_ERROR_INVALID_VALUE;
  current.push_back(wanted);
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuCtxPopCurrent_v2(CUcontext *result) {
  if (current.empty())
    return CUDA_ERROR_INVALID_CONTEXT;
  if (result)
    *result = current.back();
  current.pop_back();
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuCtxGetDevice(CUdevice *device) {
  *device = 0;
  return current.empty() ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuCtxSynchronize() {
  Lock lock(stateMutex());
  drainAll();
  return ready();
}

CUDA_EMU_API CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  *least = 0;
  *greatest = -5;
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuCtxSetLimit(int, size_t) { return CUDA_SUCCESS; }
CUDA_EMU_API CUresult cuCtxGetLimit(size_t *value, int) {
  *value = 0;
  return CUDA_SUCCESS;
}

/// As the real one: the newest variant of a name.
CUDA_EMU_API CUresult cuGetProcAddress_v2(const char *symbol, void **function, int, uint64_t, int *status) {
  static void *self = [] {
    Dl_info info;
    return dladdr(reinterpret_cast<void *>(&cuInit), &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
  }();
  *function = nullptr;
  if (self)
    for (const char *suffix : {"_v3", "_v2", ""})
      if ((*function = dlsym(self, (std::string(symbol) + suffix).c_str())))
        break;
  if (status)
    *status = *function ? 0 : 1; // CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUDA_EMU_API CUresult cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}
