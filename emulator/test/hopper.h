// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of sm_90a for the kernels of the tests, as functions.

#define GLOBAL extern "C" __attribute__((global))
#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))
#define CONSTANT_PARAMETER const __attribute__((grid_constant))
typedef unsigned u32;
typedef unsigned short u16;
typedef unsigned char u8;
typedef unsigned long long u64;

#define INLINE DEVICE static inline __attribute__((always_inline))

INLINE u32 tid() { return __nvvm_read_ptx_sreg_tid_x(); }
INLINE u32 lane() { return tid() % 32; }
template <typename T> INLINE u32 shared(T *pointer) {
  return (u32)(u64)(__attribute__((address_space(3))) void *)pointer;
}

// Barriers in memory.
INLINE void init(u64 *barrier, u32 count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared(barrier)), "r"(count) : "memory");
}
INLINE void invalidate(u64 *barrier) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared(barrier)) : "memory");
}
INLINE void arrive(u64 *barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(barrier)) : "memory");
}
INLINE void expect(u64 *barrier, u32 bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared(barrier)), "r"(bytes) : "memory");
}
INLINE void wait(u64 *barrier, u32 parity) {
  u32 done;
  do
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(shared(barrier)), "r"(parity)
                 : "memory");
  while (!done);
}
INLINE void fenceInit() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
INLINE void fenceAsync() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
/// One lane of a warp.
INLINE bool elect() {
  u32 elected;
  asm volatile("{\n.reg .pred p;\nelect.sync _|p, -1;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(elected));
  return elected;
}

// Bulk copies.
struct TensorMap {
  u64 opaque[16];
} __attribute__((aligned(64)));

template <int rank> INLINE void load(void *to, const TensorMap &map, u64 *barrier, const int *at) {
  if constexpr (rank == 1)
    asm volatile(
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3}], [%2];" ::
            "r"(shared(to)),
        "l"(&map), "r"(shared(barrier)), "r"(at[0])
        : "memory");
  else if constexpr (rank == 2)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
                 "%4}], [%2];" ::"r"(shared(to)),
                 "l"(&map), "r"(shared(barrier)), "r"(at[0]), "r"(at[1])
                 : "memory");
  else if constexpr (rank == 3)
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];" ::
            "r"(shared(to)),
        "l"(&map), "r"(shared(barrier)), "r"(at[0]), "r"(at[1]), "r"(at[2])
        : "memory");
  else if constexpr (rank == 4)
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, "
                 "%6}], [%2];" ::"r"(shared(to)),
                 "l"(&map), "r"(shared(barrier)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3])
                 : "memory");
  else
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, "
                 "%6, %7}], [%2];" ::"r"(shared(to)),
                 "l"(&map), "r"(shared(barrier)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4])
                 : "memory");
}
/// Pixels of a tensor, of which the last two numbers of `at` are offsets of the window.
INLINE void loadPixels(void *to, const TensorMap &map, u64 *barrier, const int *at) {
  asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, "
               "%5, %6}], [%2], {%7, %8};" ::"r"(shared(to)),
               "l"(&map), "r"(shared(barrier)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "h"((u16)at[4]),
               "h"((u16)at[5])
               : "memory");
}
INLINE void loadPixelsOfRows(void *to, const TensorMap &map, u64 *barrier, const int *at) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, "
               "%5}], [%2], {%6};" ::"r"(shared(to)),
               "l"(&map), "r"(shared(barrier)), "r"(at[0]), "r"(at[1]), "r"(at[2]), "h"((u16)at[3])
               : "memory");
}
INLINE void store2d(const TensorMap &map, int x, int y, const void *from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(x),
               "r"(y), "r"(shared(from))
               : "memory");
}
INLINE void commitBulk() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
INLINE void waitBulk() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
INLINE void waitBulkRead() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
/// Chunks of 16 bytes change places within 32, 64 or 128.
INLINE u32 swizzled(u32 offset, int swizzle) { return offset ^ (offset >> 3 & ((16u << swizzle) - 16)); }
