// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles if runtime/cuda/Driver.h declares what NVIDIA's cuda.h does: the same values and sizes, and entry points
// whose parameters are passed alike.

#include <cuda.h>

#include "mlir_xla/runtime/cuda/Driver.h"

#include <type_traits>

namespace ours = xla_rt::cuda;

// === Entry points ===

enum Kind { Pointer, Integer };
template <typename T> constexpr Kind kindOf = std::is_pointer_v<T> ? Pointer : Integer;

template <typename A, typename B> struct AreAlike : std::false_type {};
template <typename R, typename... A, typename S, typename... B> struct AreAlike<R (*)(A...), S (*)(B...)> {
  static constexpr bool areAlike() {
    if constexpr (sizeof...(A) == sizeof...(B))
      return sizeof(R) == sizeof(S) && (... && (sizeof(A) == sizeof(B) && kindOf<A> == kindOf<B>));
    else
      return false;
  }
  static constexpr bool value = areAlike();
};

// cuda.h makes `cuX` a macro for the newest `cuX_v2`; the table has the names of symbols.
#undef cuStreamBeginCapture
#undef cuGraphInstantiate
#undef cuGraphAddNode
#undef cuStreamGetCaptureInfo
#undef cuStreamUpdateCaptureDependencies
#define CHECK_ENTRY_POINT(symbol, ...)                                                                                 \
  static_assert(AreAlike<decltype(&::symbol), decltype(ours::Driver::symbol)>::value, #symbol);
XLA_RT_CUDA_ENTRY_POINTS(CHECK_ENTRY_POINT)
XLA_RT_CUDA_CONDITIONAL_ENTRY_POINTS(CHECK_ENTRY_POINT)

// === Values ===

#define CHECK_VALUE(name) static_assert(static_cast<long long>(ours::name) == static_cast<long long>(::name), #name);
CHECK_VALUE(CUDA_SUCCESS)
CHECK_VALUE(CUDA_ERROR_INVALID_VALUE)
CHECK_VALUE(CUDA_ERROR_OUT_OF_MEMORY)
CHECK_VALUE(CUDA_ERROR_NO_DEVICE)
CHECK_VALUE(CUDA_ERROR_ECC_UNCORRECTABLE)
CHECK_VALUE(CUDA_ERROR_NOT_READY)
CHECK_VALUE(CUDA_ERROR_ILLEGAL_ADDRESS)
CHECK_VALUE(CUDA_ERROR_LAUNCH_TIMEOUT)
CHECK_VALUE(CUDA_ERROR_CONTEXT_IS_DESTROYED)
CHECK_VALUE(CUDA_ERROR_ASSERT)
CHECK_VALUE(CUDA_ERROR_HARDWARE_STACK_ERROR)
CHECK_VALUE(CUDA_ERROR_LAUNCH_FAILED)
CHECK_VALUE(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
CHECK_VALUE(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
CHECK_VALUE(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
CHECK_VALUE(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
CHECK_VALUE(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)
CHECK_VALUE(CU_JIT_ERROR_LOG_BUFFER)
CHECK_VALUE(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
CHECK_VALUE(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
CHECK_VALUE(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
CHECK_VALUE(CU_STREAM_CAPTURE_MODE_RELAXED)
CHECK_VALUE(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
CHECK_VALUE(CU_MEM_ALLOCATION_TYPE_PINNED)
CHECK_VALUE(CU_MEM_LOCATION_TYPE_DEVICE)
CHECK_VALUE(CU_STREAM_NON_BLOCKING)
CHECK_VALUE(CU_EVENT_DISABLE_TIMING)
CHECK_VALUE(CU_STREAM_CAPTURE_STATUS_ACTIVE)
CHECK_VALUE(CU_STREAM_SET_CAPTURE_DEPENDENCIES)
CHECK_VALUE(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
CHECK_VALUE(CU_GRAPH_NODE_TYPE_CONDITIONAL)
CHECK_VALUE(CU_GRAPH_COND_TYPE_IF)
CHECK_VALUE(CU_GRAPH_COND_TYPE_WHILE)
CHECK_VALUE(CU_GRAPH_COND_TYPE_SWITCH)
CHECK_VALUE(CU_TENSOR_MAP_DATA_TYPE_UINT8)
CHECK_VALUE(CU_TENSOR_MAP_DATA_TYPE_UINT16)
CHECK_VALUE(CU_TENSOR_MAP_DATA_TYPE_UINT32)
CHECK_VALUE(CU_TENSOR_MAP_INTERLEAVE_NONE)
CHECK_VALUE(CU_TENSOR_MAP_SWIZZLE_128B)
CHECK_VALUE(CU_TENSOR_MAP_L2_PROMOTION_L2_256B)
CHECK_VALUE(CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)

// === Structures ===

#define CHECK_MEMBER(type, member)                                                                                     \
  static_assert(offsetof(ours::type, member) == offsetof(::type, member) &&                                            \
                    sizeof(ours::type::member) == sizeof(::type::member),                                              \
                #type "::" #member);
static_assert(sizeof(ours::CUmemPoolProps) == sizeof(::CUmemPoolProps));
CHECK_MEMBER(CUmemPoolProps, allocType)
CHECK_MEMBER(CUmemPoolProps, handleTypes)
CHECK_MEMBER(CUmemPoolProps, location.type)
CHECK_MEMBER(CUmemPoolProps, location.id)
CHECK_MEMBER(CUmemPoolProps, win32SecurityAttributes)
CHECK_MEMBER(CUmemPoolProps, maxSize)
static_assert(sizeof(ours::CUlaunchAttribute) == sizeof(::CUlaunchAttribute));
CHECK_MEMBER(CUlaunchAttribute, id)
CHECK_MEMBER(CUlaunchAttribute, value)
CHECK_MEMBER(CUlaunchAttribute, value.programmaticStreamSerializationAllowed)
static_assert(sizeof(ours::CUlaunchConfig) == sizeof(::CUlaunchConfig));
CHECK_MEMBER(CUlaunchConfig, gridDimX)
CHECK_MEMBER(CUlaunchConfig, blockDimX)
CHECK_MEMBER(CUlaunchConfig, sharedMemBytes)
CHECK_MEMBER(CUlaunchConfig, hStream)
CHECK_MEMBER(CUlaunchConfig, attrs)
CHECK_MEMBER(CUlaunchConfig, numAttrs)
static_assert(sizeof(ours::CUgraphExecUpdateResultInfo) == sizeof(::CUgraphExecUpdateResultInfo));
CHECK_MEMBER(CUgraphExecUpdateResultInfo, result)
CHECK_MEMBER(CUgraphExecUpdateResultInfo, errorNode)
CHECK_MEMBER(CUgraphExecUpdateResultInfo, errorFromNode)
static_assert(sizeof(ours::CUDA_CONDITIONAL_NODE_PARAMS) == sizeof(::CUDA_CONDITIONAL_NODE_PARAMS));
CHECK_MEMBER(CUDA_CONDITIONAL_NODE_PARAMS, handle)
CHECK_MEMBER(CUDA_CONDITIONAL_NODE_PARAMS, type)
CHECK_MEMBER(CUDA_CONDITIONAL_NODE_PARAMS, size)
CHECK_MEMBER(CUDA_CONDITIONAL_NODE_PARAMS, phGraph_out)
CHECK_MEMBER(CUDA_CONDITIONAL_NODE_PARAMS, ctx)
static_assert(sizeof(ours::CUgraphNodeParams) == sizeof(::CUgraphNodeParams));
CHECK_MEMBER(CUgraphNodeParams, type)
CHECK_MEMBER(CUgraphNodeParams, conditional)
CHECK_MEMBER(CUgraphNodeParams, reserved2)
