// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bulk copies, of tensors and of bytes, in both directions.

#include "hopper.h"

/// One box to shared memory and from there, element by element, to `out`; `bytes` are those of the box.
template <typename Load> INLINE void fetch(u32 *out, int bytes, int swizzle, Load load) {
  SHARED static __attribute__((aligned(1024))) u32 box[2048];
  SHARED static u64 barrier;
  if (tid() == 0) {
    init(&barrier, 1);
    fenceInit();
  }
  __syncthreads();
  if (tid() == 0) {
    expect(&barrier, bytes);
    load(box, &barrier);
  }
  wait(&barrier, 0);
  for (u32 i = tid(); i < bytes / 4; i += __nvvm_read_ptx_sreg_ntid_x())
    out[i] = box[swizzled(i * 4, swizzle) / 4];
}
#define FETCH(rank)                                                                                                    \
  GLOBAL void fetch##rank(u32 *out, CONSTANT_PARAMETER TensorMap map, int a, int b, int c, int d, int e, int bytes,    \
                          int swizzle) {                                                                               \
    int at[5] = {a, b, c, d, e};                                                                                       \
    fetch(out, bytes, swizzle, [&](u32 *to, u64 *barrier) { load<rank>(to, map, barrier, at); });                      \
  }
FETCH(1)
FETCH(2)
FETCH(3)
FETCH(4)
FETCH(5)
#define FETCH_PIXELS(name, load)                                                                                       \
  GLOBAL void name(u32 *out, CONSTANT_PARAMETER TensorMap map, int a, int b, int c, int d, int e, int f, int bytes,    \
                   int swizzle) {                                                                                      \
    int at[6] = {a, b, c, d, e, f};                                                                                    \
    fetch(out, bytes, swizzle, [&](u32 *to, u64 *barrier) { load(to, map, barrier, at); });                            \
  }
FETCH_PIXELS(pixels, loadPixels)
FETCH_PIXELS(pixelsOfRows, loadPixelsOfRows)

/// Rows of 64 x u16, 8 at a time, are multiplied by 3 on their way from one tensor to the other: a block copies
/// `count` boxes below each other, with two buffers for what comes and one for what goes.
GLOBAL void triple(CONSTANT_PARAMETER TensorMap in, CONSTANT_PARAMETER TensorMap out, int count) {
  SHARED static __attribute__((aligned(1024))) u16 come[2][512], go[512];
  SHARED static u64 full[2];
  u32 t = tid();
  int x = __nvvm_read_ptx_sreg_ctaid_x() * 64;
  if (t == 0) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&in) : "memory");
    init(&full[0], 1);
    init(&full[1], 1);
    fenceInit();
  }
  __syncthreads();
  auto fetch = [&](int i) {
    int at[] = {x, i * 8};
    expect(&full[i % 2], 1024);
    load<2>(come[i % 2], in, &full[i % 2], at);
  };
  if (t == 0)
    fetch(0);
  for (int i = 0; i < count; ++i) {
    if (t == 0 && i + 1 < count)
      fetch(i + 1);
    wait(&full[i % 2], i / 2 % 2);
    for (u32 n = t; n < 512; n += 64) {
      u32 place = swizzled(n * 2, 3) / 2;
      go[place] = come[i % 2][place] * 3;
    }
    fenceAsync();
    asm volatile("bar.sync 0; // written" ::: "memory");
    if (t == 0) {
      store2d(out, x, i * 8, go);
      commitBulk();
      waitBulkRead();
    }
    if (i + 1 < count)
      asm volatile("bar.sync 0; // free again" ::: "memory");
  }
}

/// Bytes in a row: `in` to `out`, and what was written is read again by other threads.
GLOBAL void bytes(u32 *out, const u32 *in, u32 *again) {
  SHARED static __attribute__((aligned(16))) u32 buffer[128];
  SHARED static u64 barrier;
  u32 t = tid();
  if (t == 0) {
    init(&barrier, 1);
    fenceAsync();
  }
  __syncthreads();
  if (t == 32) {
    expect(&barrier, 512);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 512, [%2];" ::"r"(
                     shared(buffer)),
                 "l"(in), "r"(shared(&barrier))
                 : "memory");
  }
  wait(&barrier, 0);
  buffer[t] += t;
  fenceAsync();
  asm volatile("bar.sync 0; // added" ::: "memory");
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 512;" ::"l"(out), "r"(shared(buffer)) : "memory");
    commitBulk();
    waitBulk();
  }
  asm volatile("bar.sync 0; // stored" ::: "memory");
  again[t] = out[127 - t];
}
