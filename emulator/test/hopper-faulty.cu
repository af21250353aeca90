// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with one mistake each, for what checked mode says of it.

#include "hopper.h"

SHARED static __attribute__((aligned(128))) u32 buffer[64];
SHARED static __attribute__((aligned(16))) u64 barriers[8];
#define barrier barriers[0]

INLINE void fetch(void *to, const u32 *from) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 64, [%2];" ::"r"(shared(to)),
               "l"(from), "r"(shared(&barrier))
               : "memory");
}
INLINE void prepare(u32 count) {
  if (tid() == 0) {
    init(&barrier, count);
    fenceInit();
  }
  __syncthreads();
}

GLOBAL void notInitialised(u32 *data) { wait(&barrier, 0); }

GLOBAL void initialisedTwice(u32 *data) {
  init(&barrier, 1);
  init(&barrier, 1);
}

GLOBAL void readAsData(u32 *data) {
  prepare(1);
  data[tid()] = *(volatile u32 *)&barrier;
}

GLOBAL void copyOver(u32 *data) {
  prepare(1);
  if (tid() == 0) {
    expect(&barrier, 64);
    fetch(barriers, data);
  }
}

GLOBAL void noInitFence(u32 *data) {
  if (tid() == 0)
    init(&barrier, 1);
  __syncthreads();
  if (tid() == 0) {
    expect(&barrier, 64);
    fetch(buffer, data);
  }
  wait(&barrier, 0);
}

/// 64 bytes come, and so many are expected.
GLOBAL void bytesExpected(u32 *data, int bytes) {
  prepare(1);
  if (tid() == 0) {
    fetch(buffer, data);
    expect(&barrier, bytes);
  }
  wait(&barrier, 0);
  data[64 + tid()] = buffer[tid() % 16];
}

GLOBAL void nobodyWaits(u32 *data) {
  prepare(1);
  if (tid() == 0) {
    expect(&barrier, 64);
    fetch(buffer, data);
  }
}

/// `missing` threads do not arrive.
GLOBAL void tooFewArrive(u32 *data, int missing) {
  prepare(32);
  if (tid() >= missing)
    arrive(&barrier);
  wait(&barrier, 0);
}

GLOBAL void tooManyArrive(u32 *data) {
  prepare(1);
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], 2;" ::"r"(shared(&barrier)) : "memory");
}

GLOBAL void waitForOtherPhase(u32 *data) {
  prepare(32);
  arrive(&barrier);
  wait(&barrier, 0);
  wait(&barrier, 1);
}

/// The fence is there, but before what it is for.
GLOBAL void fenceTooEarly(u32 *data) {
  fenceAsync();
  buffer[tid()] = tid();
  __syncthreads();
  if (tid() == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 64;" ::"l"(data), "r"(shared(buffer)) : "memory");
    commitBulk();
    waitBulk();
  }
}

GLOBAL void storeNotWaited(u32 *data) {
  buffer[tid()] = tid();
  fenceAsync();
  __syncthreads();
  if (tid() == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 64;" ::"l"(data), "r"(shared(buffer)) : "memory");
    commitBulk();
  }
}

/// 16 pixels of 64 channels; the window may begin outside of the box in which they lie.
GLOBAL void copyPixels(u32 *data, CONSTANT_PARAMETER TensorMap map, int x, int y) {
  SHARED static __attribute__((aligned(128))) u32 pixels[512];
  prepare(1);
  if (tid() == 0) {
    const int at[] = {0, x, y, 0, 0, 0};
    expect(&barrier, sizeof pixels);
    loadPixels(pixels, map, &barrier, at);
  }
  wait(&barrier, 0);
  data[tid()] = pixels[tid()];
}

/// The channels of one pixel.
GLOBAL void copyTile(u32 *data, CONSTANT_PARAMETER TensorMap map) {
  prepare(1);
  if (tid() == 0) {
    const int at[] = {0, 0, 0, 0};
    expect(&barrier, 128);
    load<4>(buffer, map, &barrier, at);
  }
  wait(&barrier, 0);
  data[tid()] = buffer[tid()];
}

/// `what`: 0 nothing is wrong; 1 the accumulators are written behind the fence; 2 they are read too early; 3 the buffer
/// is written too early; 4 half a warpgroup; 5 different descriptors.
GLOBAL void product(u32 *data, int what) {
  SHARED static __attribute__((aligned(1024))) u32 matrices[2048];
  for (int i = tid(); i < 2048; i += 128)
    matrices[i] = 0;
  fenceAsync();
  __syncthreads();
  u64 place = u64(1) << 62 | u64(64) << 32 | u64(1) << 16, at = place | shared(matrices) >> 4;
  float d[4] = {};
  for (int i = 0; i < 4; ++i)
    asm volatile("" : "+f"(d[i])::"memory");
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  if (what == 1)
    asm volatile("mov.b32 %0, 0f3f800000;" : "=f"(d[0])::"memory");
  if (what == 5 && tid() == 77)
    at += 2;
  if (what != 4 || tid() < 64)
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3}, %5, %6, p, 1, 1, 0, 0;\n}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(1), "l"(place | shared(matrices) >> 4), "l"(at)
                 : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  if (what == 2)
    asm volatile("st.global.b32 [%0], %1;" ::"l"(data), "f"(d[0]) : "memory");
  if (what == 3)
    *(volatile u32 *)&matrices[tid()] = 1;
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  asm volatile("st.global.b32 [%0], %1;" ::"l"(data + tid()), "f"(d[0]) : "memory");
}
