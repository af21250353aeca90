/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The runtime of programs whose kernels run on an NVIDIA GPU: libxla_rt_cuda.so. Plain C interface. The driver's
 * library is opened when a device is, so that nothing of CUDA is needed to build or to link this. Errors are left by
 * xla_rt_set_error (xla_rt.h), on the thread that called. docs/design/gpu.md has the whole picture. */

#ifndef MLIR_XLA_RUNTIME_CUDA_XLA_RT_CUDA_H
#define MLIR_XLA_RUNTIME_CUDA_XLA_RT_CUDA_H

#include "mlir_xla/runtime/xla_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Devices ----------------------------------------------------------------------------------------------------- */

/* A GPU with its primary context and a stream. One for each library and ordinal; it lives as long as the process. */
typedef struct xla_rt_cuda_device xla_rt_cuda_device;

/* Opens device `ordinal` of `library`, a path or a name for dlopen; null: the environment variable XLA_RT_CUDA_LIBRARY,
 * or else libcuda.so.1. Null, with an error that says what is missing, if there is none or its driver is too old. */
XLA_RT_EXPORT xla_rt_cuda_device *xla_rt_cuda_open(const char *library, int ordinal);
/* Devices of `library`, or -1 with an error. */
XLA_RT_EXPORT int xla_rt_cuda_device_count(const char *library);
XLA_RT_EXPORT const char *xla_rt_cuda_device_name(xla_rt_cuda_device *device);
XLA_RT_EXPORT int xla_rt_cuda_device_ordinal(xla_rt_cuda_device *device);
/* 80 for compute capability 8.0, 90 for 9.0. */
XLA_RT_EXPORT int xla_rt_cuda_compute_capability(xla_rt_cuda_device *device);
XLA_RT_EXPORT int xla_rt_cuda_multiprocessors(xla_rt_cuda_device *device);

/* --- Memory of the device ---------------------------------------------------------------------------------------- */

/* In the order of the device's stream. `bytes` may be 0. Null, with an error, if there is not enough. */
XLA_RT_EXPORT void *xla_rt_cuda_alloc(xla_rt_cuda_device *device, int64_t bytes);
XLA_RT_EXPORT void xla_rt_cuda_free(xla_rt_cuda_device *device, void *memory);
/* Copies through pinned staging memory. An upload may still be going on when the call returns, but `from` is free; a
 * download is complete. They return 0, or 1 with an error. */
XLA_RT_EXPORT int xla_rt_cuda_upload(xla_rt_cuda_device *device, void *to, const void *from, int64_t bytes);
XLA_RT_EXPORT int xla_rt_cuda_download(xla_rt_cuda_device *device, void *to, const void *from, int64_t bytes);
/* Waits for all that was enqueued. Returns 0, or 1 with the error of whatever failed. */
XLA_RT_EXPORT int xla_rt_cuda_synchronize(xla_rt_cuda_device *device);
/* Likewise, and asks `is_interrupted` meanwhile as xla_rt_run does. Returns 1 if it says so, although the device goes
 * on; otherwise 0, with an error or none. */
XLA_RT_EXPORT int xla_rt_cuda_wait(xla_rt_cuda_device *device, xla_rt_interrupt_fn is_interrupted, void *user_data);

/* Memory that other libraries of the process use, too, on streams of their own (CUstream; 1 and 2 are the default
 * ones). All that is enqueued here goes to this stream. */
XLA_RT_EXPORT void *xla_rt_cuda_stream(xla_rt_cuda_device *device);
/* `other` waits for what has been enqueued here so far, or the device's stream for what has been enqueued there. They
 * return 0, or 1 with an error. */
XLA_RT_EXPORT int xla_rt_cuda_release_to(xla_rt_cuda_device *device, void *other);
XLA_RT_EXPORT int xla_rt_cuda_acquire_from(xla_rt_cuda_device *device, void *other);
/* Likewise xla_rt_cuda_free, once all streams of the context have done what they are doing. */
XLA_RT_EXPORT void xla_rt_cuda_free_shared(xla_rt_cuda_device *device, void *memory);

/* --- Programs ---------------------------------------------------------------------------------------------------- */

typedef struct xla_rt_cuda_program xla_rt_cuda_program;

/* What errors say about a kernel: `name` is its entry in the PTX, `location` is "file:line:column", `op` what it
 * computes. `images`: those that have it. */
enum { XLA_RT_CUDA_ALL_IMAGES, XLA_RT_CUDA_SM_90A, XLA_RT_CUDA_OTHERS };
typedef struct xla_rt_cuda_kernel {
  const char *name, *op, *location;
  int32_t images;
} xla_rt_cuda_kernel;

typedef struct xla_rt_cuda_constant {
  const void *data;
  int64_t bytes;
} xla_rt_cuda_constant;

/* PTX, which ends with 0, for devices of `capability` (80 for 8.0) and newer ones; only of that one if `is_exact`; of
 * the same generation if `is_family`. */
typedef struct xla_rt_cuda_image {
  const char *ptx;
  int32_t capability, is_exact, is_family;
} xla_rt_cuda_image;

/* Everything that `code` points to is copied, or used during the call only, but `entry`. */
typedef struct xla_rt_cuda_code {
  const xla_rt_cuda_image *images; /* of the same kernels: a device takes the newest that it can run */
  int64_t num_images;              /* not read if there are no kernels */
  const xla_rt_cuda_kernel *kernels;
  int64_t num_kernels;
  const xla_rt_cuda_constant *constants;
  int64_t num_constants;
  xla_rt_program entry; /* host code: the schedule, which calls the functions below */
  int64_t arena_bytes;
  int reads_device; /* whether the host decides by what the device computed; if not, executions may be graphs */
  int64_t num_arguments, num_results; /* a graph is for certain addresses of theirs; if both are 0 there is none */
} xla_rt_cuda_code;

/* Loads the module (by the driver's own compiler, whose log is part of the error) and puts the constants on the
 * device. Modules of equal text are loaded once for a device. Null with an error. */
XLA_RT_EXPORT xla_rt_cuda_program *xla_rt_cuda_load(xla_rt_cuda_device *device, const xla_rt_cuda_code *code);
XLA_RT_EXPORT void xla_rt_cuda_unload(xla_rt_cuda_program *program);
/* Enqueues an execution; arguments and results are in the device's memory. As xla_rt_run otherwise: 1 if it was
 * stopped. Errors of kernels may be seen by xla_rt_cuda_synchronize only, which names the kernel, its op and its
 * location. */
XLA_RT_EXPORT int xla_rt_cuda_run(xla_rt_cuda_program *program, void *const *arguments, void *const *results,
                                  xla_rt_interrupt_fn is_interrupted, void *user_data);

/* --- What the host code of a program calls, within xla_rt_cuda_run ------------------------------------------------ */

/* `launch`: the grid's x, y, z, the block's x, y, z, and bytes of dynamic shared memory. `arguments` has the address of
 * each argument of the kernel. */
XLA_RT_EXPORT void xla_rt_cuda_launch(int64_t kernel, const int64_t launch[7], void **arguments);
/* The compute capability of the program's device, as xla_rt_cuda_compute_capability. */
XLA_RT_EXPORT int32_t xla_rt_cuda_capability(void);
/* Describes a tensor at `address` of the device, of which a kernel brings boxes to shared memory: 128 bytes at `map`, a
 * multiple of 64, for cuTensorMapEncodeTiled. `description`: bytes of an element (1, 2, 4), number of dimensions, bytes
 * from `address` to the first element, 0; sizes, the first of neighbours; bytes from one to the next of all dimensions
 * but the first; sizes of a box, whose rows of 128 bytes are swizzled. For cuTensorMapEncodeIm2col: instead of 0 the
 * pixels of a copy, whose channels are the box's first size, the others being 1; behind all that, for each dimension
 * between the first and the last, from one pixel to the next, and where the first and the last pixel are that a copy
 * begins with, counted from the tensor's first and last. */
XLA_RT_EXPORT void xla_rt_cuda_tensor_map(void *map, const void *address, const int64_t *description);
/* The address of a constant on the device. */
XLA_RT_EXPORT void *xla_rt_cuda_constant_address(int64_t constant);
/* Within the device's memory. */
XLA_RT_EXPORT void xla_rt_cuda_copy(void *to, const void *from, int64_t bytes);
/* Writes `count` copies of the element of `size` bytes (1, 2, 4, 8 or 16) at `element` in the host's memory. */
XLA_RT_EXPORT void xla_rt_cuda_fill(void *to, const void *element, int64_t size, int64_t count);
/* Waits for the value of `bytes` (at most 16) at `from` and brings it to the host. Zero after an error. */
XLA_RT_EXPORT void xla_rt_cuda_read(void *to, const void *from, int64_t bytes);

/* Loops and branches. The host is asked what to do, and waits for the device if that decides; while a graph is captured
 * it goes once through everything, and the device decides each time that the graph runs. So addresses have to be the
 * same whenever it decides. Loops and branches are nested as the calls are. */

/* Before a loop. `count`: its iterations, or -1 if a predicate says before each of them whether there is one more.
 * Of counted loops the graph has so many iterations one after the other as `unrolled` says, after which the loop's
 * addresses are what they were; 1 for others. */
XLA_RT_EXPORT void xla_rt_cuda_begin_loop(int64_t count, int64_t unrolled);
/* Whether the host code is to do one more iteration. `predicate`: a byte of the device, whose lowest bit tells; null
 * for a counted loop. After 0 the loop has ended. */
XLA_RT_EXPORT int32_t xla_rt_cuda_repeat(const void *predicate);
/* Before one of `count` branches, which a value of the device chooses: a byte whose lowest bit means the first, or
 * else the second, if `is_index` is 0; or else 32 bits, of which any number but 0 to count - 2 means the last.
 * `asked`: a character for each branch, '0' for one that does nothing. */
XLA_RT_EXPORT void xla_rt_cuda_begin_branches(const void *value, int32_t is_index, int64_t count, const char *asked);
/* Whether the host code is to do this branch. Asked for all others in their order. */
XLA_RT_EXPORT int32_t xla_rt_cuda_take_branch(int64_t branch);
XLA_RT_EXPORT void xla_rt_cuda_end_branches(void);

/* Calls a function of a library (lowering/xla_rt, `library_call`) on the host, on copies of the buffers: of the first
 * `num_inputs`, and of those further ones whose bit in `updated` is set, before; of all after the first `num_inputs`,
 * afterwards. */
typedef void (*xla_rt_library_function)(const int64_t *parameters, void *const *buffers, int64_t begin, int64_t end,
                                        void *scratch);
typedef struct xla_rt_cuda_library_call {
  xla_rt_library_function function;
  const int64_t *parameters;
  void *const *buffers; /* of the device */
  const int64_t *bytes; /* of each buffer */
  int64_t num_inputs, num_buffers, updated, work, scratch_bytes;
} xla_rt_cuda_library_call;
XLA_RT_EXPORT void xla_rt_cuda_call_library(const xla_rt_cuda_library_call *call);
/* A custom call on copies in the host's memory; `bytes` of each operand, then of each result. */
XLA_RT_EXPORT void xla_rt_cuda_custom_call(const xla_rt_custom_call_info *info, const int64_t *bytes);

#ifdef __cplusplus
}
#endif

#endif /* MLIR_XLA_RUNTIME_CUDA_XLA_RT_CUDA_H */
