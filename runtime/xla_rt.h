/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The runtime that compiled programs call: a thread pool, a cache of aligned buffers, errors and custom calls.
 * Plain C interface, no MLIR: an exported program links this library and nothing else of the project. */

#ifndef MLIR_XLA_RUNTIME_XLA_RT_H
#define MLIR_XLA_RUNTIME_XLA_RT_H

#include <stdint.h>

#if defined(__GNUC__)
#define XLA_RT_EXPORT __attribute__((visibility("default")))
#else
#define XLA_RT_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- Parallel loops ---------------------------------------------------------------------------------------------- */

/* Computes the work items [begin, end). `scratch` is private to the calling thread for the duration of the call. */
typedef void (*xla_rt_task)(void *args, int64_t begin, int64_t end, void *scratch);

/* Runs `task` over [0, n) in pieces of at least `grain` items; the caller takes part and the call returns when all of
 * it is done. A call from inside a task, or while another thread uses the pool, runs on the calling thread alone. There
 * is a poll (see below) at least once in XLA_RT_POLLED_GRAINS times `grain` items; if `grain` is 0, pieces are of at
 * least one item, and `task` polls by itself. */
#define XLA_RT_POLLED_GRAINS 4
XLA_RT_EXPORT void xla_rt_parallel_for(xla_rt_task task, void *args, int64_t n, int64_t grain, int64_t scratch_bytes);

/* The number of threads a parallel loop may use, the caller included. Initially the environment variable
 * XLA_RT_NUM_THREADS or else the cores this process may run on. `n` < 1 restores that initial value. If the variable is
 * no number of threads, loops fail, and xla_rt_num_threads returns 0 after xla_rt_set_error. */
XLA_RT_EXPORT void xla_rt_set_num_threads(int64_t n);
XLA_RT_EXPORT int64_t xla_rt_num_threads(void);

/* --- Processors -------------------------------------------------------------------------------------------------- */

/* Asks the system, the first time, to let this process use tile registers (AMX on Linux): it does not have them before.
 * Returns whether it may. Kernels that use them call this first. */
XLA_RT_EXPORT int xla_rt_allow_tile_registers(void);

/* --- Execution --------------------------------------------------------------------------------------------------- */

/* The entry point of a compiled program: pointers to its arguments, to its results, and to its arena. */
typedef void (*xla_rt_program)(void *const *arguments, void *const *results, void *arena);
/* Whether the execution that asks is to end. */
typedef int (*xla_rt_interrupt_fn)(void *user_data);

/* Runs a program, and asks `is_interrupted` (may be null) about every 20 ms, on the calling thread, while it lasts.
 * Once that says so, all threads leave the program within about a millisecond. Returns 0, or 1 if the program was
 * stopped. A custom call that fails ends the program, too. A program that is called without this function cannot be
 * stopped. */
XLA_RT_EXPORT int xla_rt_run(xla_rt_program program, void *const *arguments, void *const *results, void *arena,
                             xla_rt_interrupt_fn is_interrupted, void *user_data);
/* Compiled programs call this now and then; it does not return if the execution is to end. */
XLA_RT_EXPORT void xla_rt_poll(void);
/* From now on executions of all threads but this one end at their next poll: the process is about to exit. */
XLA_RT_EXPORT void xla_rt_stop_other_threads(void);

/* --- Memory ------------------------------------------------------------------------------------------------------ */

/* Blocks aligned to 64 bytes. Freed blocks are kept and handed out again, so that results of repeated runs are not
 * paged in anew. Returns null when memory is exhausted; `bytes` may be 0. */
XLA_RT_EXPORT void *xla_rt_alloc(int64_t bytes);
XLA_RT_EXPORT void xla_rt_free(void *block);
/* Returns the kept blocks to the system; gives their total size. */
XLA_RT_EXPORT int64_t xla_rt_trim(void);

XLA_RT_EXPORT void xla_rt_copy(void *destination, const void *source, int64_t bytes);
/* Writes `count` copies of the element of `size` bytes at `element`. */
XLA_RT_EXPORT void xla_rt_fill(void *destination, const void *element, int64_t size, int64_t count);

/* --- Errors ------------------------------------------------------------------------------------------------------ */

/* Errors belong to a thread; one raised by a task moves to the thread that started the loop. The first one is kept. */
XLA_RT_EXPORT void xla_rt_set_error(const char *message);
XLA_RT_EXPORT void xla_rt_set_out_of_memory(const char *message);
/* Null, or the message, valid until the next runtime call of this thread; clears the error. */
XLA_RT_EXPORT const char *xla_rt_take_error(void);
/* Whether the error that this thread took last was one of memory. */
XLA_RT_EXPORT int xla_rt_out_of_memory(void);
/* Sets the error; null: there is one. Then ends the program that calls: what it would compute from here on is nobody's.
 * Returns if no program is running on this thread. For functions that a program's schedule calls, not within tasks. */
XLA_RT_EXPORT void xla_rt_fail(const char *message);

/* --- Random numbers ---------------------------------------------------------------------------------------------- */

/* A program that draws random numbers without a state of its own gets one here, another with each draw: the state of
 * philox4x32, a key and a counter of 128 bits, low half first. The key is the seed, initially the environment variable
 * XLA_RT_RANDOM_SEED or else what the system gives; the high half of the counter is the number of draws since then.
 * Programs reach it as the custom call "xla_rt.random_state". Returns 0, or non-zero after xla_rt_set_error if that
 * variable is no seed. */
XLA_RT_EXPORT void xla_rt_set_random_seed(uint64_t seed);
XLA_RT_EXPORT int xla_rt_next_random_state(uint64_t state[3]);

/* --- Custom calls ------------------------------------------------------------------------------------------------ */

typedef struct xla_rt_custom_call_info {
  const char *target;
  const char *config;    /* the op's backend_config, or "" */
  const char *signature; /* the MLIR function type, for example "(tensor<4xf32>) -> tensor<2xi32>" */
  void **operands;       /* dense row-major buffers */
  int64_t num_operands;
  void **results;
  int64_t num_results;
  const char *location; /* of the op in its source, "file:line:column"; "" or null if it has none */
} xla_rt_custom_call_info;

/* Returns 0, or non-zero after xla_rt_set_error. */
typedef int (*xla_rt_custom_call_fn)(void *user_data, const xla_rt_custom_call_info *info);

/* Registers or, with a null function, removes a target. */
XLA_RT_EXPORT void xla_rt_register_custom_call(const char *target, xla_rt_custom_call_fn function, void *user_data);
XLA_RT_EXPORT int xla_rt_has_custom_call(const char *target);
/* Calls the registered target; an unknown one is an error of the thread. After an error the program ends here. */
XLA_RT_EXPORT void xla_rt_custom_call(const xla_rt_custom_call_info *info);

#ifdef __cplusplus
}
#endif

#endif /* MLIR_XLA_RUNTIME_XLA_RT_H */
