// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in memory and with numbers. Every instruction that synchronises is needed: mutants.py deletes each.

#include "hopper.h"

/// Warp 0 makes numbers, 64 at a time, warps 1 and 2 add them up: two buffers, each with a barrier for full and empty.
GLOBAL void pipeline(u32 *sums, const u32 *in, int rounds) {
  SHARED static u32 buffer[2][64];
  SHARED static u64 full[2], empty[2];
  u32 t = tid();
  if (t == 0) {
    for (int i = 0; i < 2; ++i) {
      init(&full[i], 32);
      init(&empty[i], 64);
    }
  }
  __syncthreads();
  if (t < 32) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    for (int i = 0; i < rounds; ++i) {
      wait(&empty[i % 2], i / 2 % 2 ^ 1);
      buffer[i % 2][t] = in[i * 64 + t];
      buffer[i % 2][t + 32] = in[i * 64 + t + 32];
      arrive(&full[i % 2]);
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    u32 sum = 0;
    for (int i = 0; i < rounds; ++i) {
      wait(&full[i % 2], i / 2 % 2);
      sum += buffer[i % 2][t - 32] * (i + 1);
      arrive(&empty[i % 2]);
    }
    sums[t - 32] = sum;
  }
}

/// States of arrivals, waits that do not block, arrivals that cannot complete; the barrier becomes data afterwards.
GLOBAL void states(u32 *out) {
  SHARED static u32 data[64];
  SHARED static u64 barrier;
  u32 t = tid();
  if (t == 0)
    init(&barrier, 128);
  __syncthreads();
  data[t] = t * t;
  u64 state;
  asm volatile("mbarrier.arrive.noComplete.shared::cta.b64 _, [%0], 1; // of 2" ::"r"(shared(&barrier)) : "memory");
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(shared(&barrier)) : "memory");
  u32 done;
  do
    asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(shared(&barrier)), "l"(state)
                 : "memory");
  while (!done);
  out[t] = data[63 - t];
  __syncthreads();
  if (t == 0) {
    invalidate(&barrier);
    *(volatile u64 *)&barrier = 17;
    out[64] = *(volatile u64 *)&barrier;
  }
}

/// The first 64 threads write and only arrive; the others read and wait. The same the other way round.
GLOBAL void named(u32 *out, int rounds) {
  SHARED static u32 data[64];
  u32 t = tid();
  for (int i = 0; i < rounds; ++i)
    if (t < 64) {
      if (i > 0)
        asm volatile("barrier.cta.sync.aligned 2, 128; // empty" ::: "memory");
      data[t] = t + i;
      asm volatile("barrier.cta.arrive.aligned 1, 128;" ::: "memory");
    } else {
      asm volatile("barrier.cta.sync.aligned 1, 128; // full" ::: "memory");
      out[i * 64 + t - 64] = data[127 - t];
      if (i + 1 < rounds)
        asm volatile("bar.arrive 2, 128;" ::: "memory");
    }
}

/// One lane of each warp writes for all.
GLOBAL void elected(u32 *out) {
  if (elect())
    out[tid() / 32] = tid() / 32 + 5;
}
