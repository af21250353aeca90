// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this runtime uses of CUDA's driver: declarations of our own, with the names of the library's symbols, so that no
// header of NVIDIA's is needed to build. test/runtime/cuda/cuda-header.cpp compares them with cuda.h where there is
// one.

#ifndef MLIR_XLA_RUNTIME_CUDA_DRIVER_H
#define MLIR_XLA_RUNTIME_CUDA_DRIVER_H

#include <stddef.h>
#include <stdint.h>

namespace xla_rt::cuda {

using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUstream = struct CUstream_st *;
using CUevent = struct CUevent_st *;
using CUgraph = struct CUgraph_st *;
using CUgraphExec = struct CUgraphExec_st *;
using CUgraphNode = struct CUgraphNode_st *;
using CUgraphConditionalHandle = uint64_t;
using CUmemoryPool = struct CUmemPoolHandle_st *;

enum CUresult : int {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_ECC_UNCORRECTABLE = 214,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_TIMEOUT = 702,
  CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
  CUDA_ERROR_ASSERT = 710,
  CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
  CUDA_ERROR_LAUNCH_FAILED = 719,
};

enum CUdevice_attribute : int {
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
  CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,
};

enum CUjit_option : int {
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
};

enum CUfunction_attribute : int {
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
};

enum CUstreamCaptureMode : int { CU_STREAM_CAPTURE_MODE_RELAXED = 2 };
enum CUstreamCaptureStatus : int { CU_STREAM_CAPTURE_STATUS_ACTIVE = 1 };
enum CUgraphNodeType : int { CU_GRAPH_NODE_TYPE_CONDITIONAL = 13 };
enum CUgraphConditionalNodeType : int {
  CU_GRAPH_COND_TYPE_IF = 0,
  CU_GRAPH_COND_TYPE_WHILE = 1,
  CU_GRAPH_COND_TYPE_SWITCH = 2
};
enum CUmemPool_attribute : int { CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4 };
enum CUmemAllocationType : int { CU_MEM_ALLOCATION_TYPE_PINNED = 1 };
enum CUmemLocationType : int { CU_MEM_LOCATION_TYPE_DEVICE = 1 };
enum CUtensorMapDataType : unsigned {
  CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0,
  CU_TENSOR_MAP_DATA_TYPE_UINT16 = 1,
  CU_TENSOR_MAP_DATA_TYPE_UINT32 = 2
};
enum CUtensorMapInterleave : unsigned { CU_TENSOR_MAP_INTERLEAVE_NONE = 0 };
enum CUtensorMapSwizzle : unsigned { CU_TENSOR_MAP_SWIZZLE_128B = 3 };
enum CUtensorMapL2promotion : unsigned { CU_TENSOR_MAP_L2_PROMOTION_L2_256B = 3 };
enum CUtensorMapFloatOOBfill : unsigned { CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0 };

inline constexpr unsigned CU_STREAM_NON_BLOCKING = 1;
inline constexpr unsigned CU_EVENT_DISABLE_TIMING = 2;
inline constexpr unsigned CU_STREAM_SET_CAPTURE_DEPENDENCIES = 1;

enum CUlaunchAttributeID : int { CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6 };

struct CUlaunchAttribute {
  CUlaunchAttributeID id;
  char pad[4];
  union {
    char bytes[64];
    int programmaticStreamSerializationAllowed;
  } value;
};

struct CUlaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute *attrs;
  unsigned numAttrs;
};

struct CUmemPoolProps {
  CUmemAllocationType allocType;
  int handleTypes; // 0: none
  struct {
    CUmemLocationType type;
    int id;
  } location;
  void *win32SecurityAttributes;
  size_t maxSize;
  unsigned char reserved[56];
};

struct CUgraphExecUpdateResultInfo {
  int result;
  void *errorNode, *errorFromNode;
};

struct CUDA_CONDITIONAL_NODE_PARAMS {
  CUgraphConditionalHandle handle;
  CUgraphConditionalNodeType type;
  unsigned size;
  CUgraph *phGraph_out;
  CUcontext ctx;
};

struct CUgraphNodeParams {
  CUgraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    CUDA_CONDITIONAL_NODE_PARAMS conditional;
  };
  long long reserved2;
};

struct CUgraphEdgeData;

// clang-format off
/// X(symbol, parameters): the entry points, all of which are in the drivers of kOldestVersion. They return a CUresult.
#define XLA_RT_CUDA_ENTRY_POINTS(X)                                                                                    \
  X(cuInit, unsigned flags)                                                                                            \
  X(cuDriverGetVersion, int *version)                                                                                  \
  X(cuGetErrorName, CUresult error, const char **name)                                                                 \
  X(cuGetErrorString, CUresult error, const char **text)                                                               \
  X(cuDeviceGetCount, int *count)                                                                                      \
  X(cuDeviceGet, CUdevice *device, int ordinal)                                                                        \
  X(cuDeviceGetName, char *name, int length, CUdevice device)                                                          \
  X(cuDeviceGetAttribute, int *value, CUdevice_attribute attribute, CUdevice device)                                   \
  X(cuDevicePrimaryCtxRetain, CUcontext *context, CUdevice device)                                                     \
  X(cuDevicePrimaryCtxRelease_v2, CUdevice device)                                                                     \
  X(cuCtxPushCurrent_v2, CUcontext context)                                                                            \
  X(cuCtxPopCurrent_v2, CUcontext *context)                                                                            \
  X(cuCtxSynchronize)                                                                                                  \
  X(cuModuleLoadDataEx, CUmodule *module, const void *image, unsigned numOptions, CUjit_option *options,               \
    void **values)                                                                                                     \
  X(cuModuleUnload, CUmodule module)                                                                                   \
  X(cuModuleGetFunction, CUfunction *function, CUmodule module, const char *name)                                      \
  X(cuFuncGetAttribute, int *value, CUfunction_attribute attribute, CUfunction function)                               \
  X(cuFuncSetAttribute, CUfunction function, CUfunction_attribute attribute, int value)                                \
  X(cuLaunchKernel, CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,              \
    unsigned blockY, unsigned blockZ, unsigned sharedBytes, CUstream stream, void **parameters, void **extra)          \
  X(cuLaunchKernelEx, const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra)              \
  X(cuMemGetInfo_v2, size_t *free, size_t *total)                                                                      \
  X(cuMemAlloc_v2, CUdeviceptr *memory, size_t bytes)                                                                  \
  X(cuMemFree_v2, CUdeviceptr memory)                                                                                  \
  X(cuMemPoolCreate, CUmemoryPool *pool, const CUmemPoolProps *properties)                                             \
  X(cuMemPoolDestroy, CUmemoryPool pool)                                                                               \
  X(cuMemPoolSetAttribute, CUmemoryPool pool, CUmemPool_attribute attribute, void *value)                              \
  X(cuMemPoolTrimTo, CUmemoryPool pool, size_t bytesToKeep)                                                            \
  X(cuMemAllocFromPoolAsync, CUdeviceptr *memory, size_t bytes, CUmemoryPool pool, CUstream stream)                    \
  X(cuMemFreeAsync, CUdeviceptr memory, CUstream stream)                                                               \
  X(cuMemHostAlloc, void **memory, size_t bytes, unsigned flags)                                                       \
  X(cuMemcpyHtoDAsync_v2, CUdeviceptr to, const void *from, size_t bytes, CUstream stream)                             \
  X(cuMemcpyDtoHAsync_v2, void *to, CUdeviceptr from, size_t bytes, CUstream stream)                                   \
  X(cuMemcpyDtoDAsync_v2, CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)                             \
  X(cuMemsetD8Async, CUdeviceptr to, unsigned char value, size_t count, CUstream stream)                               \
  X(cuMemsetD16Async, CUdeviceptr to, unsigned short value, size_t count, CUstream stream)                             \
  X(cuMemsetD32Async, CUdeviceptr to, unsigned value, size_t count, CUstream stream)                                   \
  X(cuStreamCreate, CUstream *stream, unsigned flags)                                                                  \
  X(cuStreamDestroy_v2, CUstream stream)                                                                               \
  X(cuStreamSynchronize, CUstream stream)                                                                              \
  X(cuStreamWaitEvent, CUstream stream, CUevent event, unsigned flags)                                                 \
  X(cuStreamBeginCapture_v2, CUstream stream, CUstreamCaptureMode mode)                                                \
  X(cuStreamEndCapture, CUstream stream, CUgraph *graph)                                                               \
  X(cuEventCreate, CUevent *event, unsigned flags)                                                                     \
  X(cuEventRecord, CUevent event, CUstream stream)                                                                     \
  X(cuEventQuery, CUevent event)                                                                                       \
  X(cuEventSynchronize, CUevent event)                                                                                 \
  X(cuGraphInstantiateWithFlags, CUgraphExec *exec, CUgraph graph, unsigned long long flags)                           \
  X(cuGraphExecUpdate_v2, CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info)                          \
  X(cuGraphLaunch, CUgraphExec exec, CUstream stream)                                                                  \
  X(cuTensorMapEncodeTiled, void *map, CUtensorMapDataType type, unsigned rank, void *address, const uint64_t *sizes,  \
    const uint64_t *strides, const unsigned *box, const unsigned *steps, CUtensorMapInterleave interleave,             \
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)                        \
  X(cuTensorMapEncodeIm2col, void *map, CUtensorMapDataType type, unsigned rank, void *address, const uint64_t *sizes, \
    const uint64_t *strides, const int *lower, const int *upper, unsigned channels, unsigned pixels,                   \
    const unsigned *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,                               \
    CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)                                                    \
  X(cuGraphDestroy, CUgraph graph)                                                                                     \
  X(cuGraphExecDestroy, CUgraphExec exec)

/// Likewise, in newer drivers (kConditionalVersion): nodes of graphs that run if or while a value says so.
#define XLA_RT_CUDA_CONDITIONAL_ENTRY_POINTS(X)                                                                        \
  X(cuGraphConditionalHandleCreate, CUgraphConditionalHandle *handle, CUgraph graph, CUcontext context,                \
    unsigned value, unsigned flags)                                                                                    \
  X(cuGraphAddNode_v2, CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *data, \
    size_t count, CUgraphNodeParams *params)                                                                           \
  X(cuStreamGetCaptureInfo_v3, CUstream stream, CUstreamCaptureStatus *status, uint64_t *id, CUgraph *graph,           \
    const CUgraphNode **dependencies, const CUgraphEdgeData **data, size_t *count)                                     \
  X(cuStreamUpdateCaptureDependencies_v2, CUstream stream, CUgraphNode *dependencies, const CUgraphEdgeData *data,     \
    size_t count, unsigned flags)                                                                                      \
  X(cuStreamBeginCaptureToGraph, CUstream stream, CUgraph graph, const CUgraphNode *dependencies,                      \
    const CUgraphEdgeData *data, size_t count, CUstreamCaptureMode mode)
// clang-format on

/// CUDA 12.0, which reads the PTX that is emitted (ISA 8.0).
inline constexpr int kOldestVersion = 12000;
/// The first whose conditional nodes have loops.
inline constexpr int kConditionalVersion = 12040;
/// The first with *switch* nodes, and with bodies that may be empty.
inline constexpr int kSwitchVersion = 12080;

/// A driver's library, open and initialised. It is never closed: nobody knows what it has left running.
struct Driver {
#define XLA_RT_CUDA_MEMBER(symbol, ...) CUresult (*symbol)(__VA_ARGS__);
  XLA_RT_CUDA_ENTRY_POINTS(XLA_RT_CUDA_MEMBER)
  XLA_RT_CUDA_CONDITIONAL_ENTRY_POINTS(XLA_RT_CUDA_MEMBER)
#undef XLA_RT_CUDA_MEMBER

  /// Opens `library` (null: what xla_rt_cuda.h says), once in a process. Null, with the thread's error set, if it
  /// cannot be used. `hasDevices` tells whether there is any.
  static const Driver *open(const char *library);
  /// Whether this process is the child of one that has started a driver, and so cannot use it.
  static bool isForked();

  const char *library; // as it was asked for
  bool hasDevices;
  const char *(*lastFinding)() = nullptr; // an emulator's, for the failure of a kernel: what and where
  bool hasConditionals;                   // graphs may decide: the entry points for that are there
  bool hasSwitches;                       // between several bodies of one node

  /// "CUDA_ERROR_INVALID_VALUE, invalid argument"
  struct Text {
    char text[192];
  };
  Text describe(CUresult error) const;
};

} // namespace xla_rt::cuda

#endif // MLIR_XLA_RUNTIME_CUDA_DRIVER_H
