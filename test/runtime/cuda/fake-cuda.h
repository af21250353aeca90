/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A driver for tests: one GPU, whose memory is the host's and whose kernels are functions of fake-cuda.c. It counts
 * what is alive, checks that a context is current where one has to be, and fails where it is told to. */

#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <stdint.h>

enum fake_kind {
  FAKE_CONTEXT,
  FAKE_STREAM,
  FAKE_POOL,
  FAKE_MODULE,
  FAKE_MEMORY,
  FAKE_PINNED,
  FAKE_EVENT,
  FAKE_GRAPH,
  FAKE_EXEC,
  FAKE_KINDS
};

typedef struct fake_cuda {
  int64_t alive[FAKE_KINDS];
  int64_t bodies;   /* of conditional nodes that have run */
  int64_t switches; /* nodes with several bodies that were made */
  int64_t launches, graph_launches, captures, updates, loads, calls;
  int64_t fail_at;    /* the call that fails, counted from now; 0: none */
  int fail_with;      /* and its error */
  char failed_in[64]; /* the name of that call */
  int64_t not_ready;  /* so many queries of events say that they are not reached */
  int64_t misuses;    /* calls without a context, in a lost one, and the like */
  int pending_fault;  /* an error that the next wait has */
  int depth;          /* contexts on the calling thread's stack */
  int64_t early;      /* launches that may begin before those in front of them have ended */
} fake_cuda;

/* Found by dlsym under this name. */
typedef fake_cuda *(*fake_cuda_state_fn)(void);

#endif /* FAKE_CUDA_H */
