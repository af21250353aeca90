// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters: blocks that see each other's shared memory.

#include "hopper.h"

INLINE u32 rank() {
  u32 result;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(result));
  return result;
}
INLINE u32 mapTo(u32 address, u32 rank) {
  u32 result;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(result) : "r"(address), "r"(rank));
  return result;
}
INLINE void arriveCluster() { asm volatile("barrier.cluster.arrive.aligned;" ::: "memory"); }
INLINE void waitCluster() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
/// Warps need not be together.
INLINE void arriveUnaligned() { asm volatile("barrier.cluster.arrive;" ::: "memory"); }
INLINE void waitUnaligned() { asm volatile("barrier.cluster.wait;" ::: "memory"); }

/// Where each block is: 8 numbers.
GLOBAL void places(u32 *out) {
  u32 block = __nvvm_read_ptx_sreg_ctaid_y() * __nvvm_read_ptx_sreg_nctaid_x() + __nvvm_read_ptx_sreg_ctaid_x();
  u32 *to = out + block * 8;
  asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(to[0]));
  asm volatile("mov.u32 %0, %%clusterid.y;" : "=r"(to[1]));
  asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(to[2]));
  asm volatile("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(to[3]));
  asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(to[4]));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(to[5]));
  asm volatile("mov.u32 %0, %%nclusterid.y;" : "=r"(to[6]));
  to[7] = rank();
}

/// Each block reads what the next one has written.
GLOBAL void exchange(u32 *out) {
  SHARED static u32 data[64];
  u32 t = tid(), block = __nvvm_read_ptx_sreg_ctaid_x(), blocks;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
  data[t] = block * 100 + t;
  arriveUnaligned();
  waitUnaligned();
  u32 found;
  asm volatile("ld.shared::cluster.u32 %0, [%1];"
               : "=r"(found)
               : "r"(mapTo(shared(&data[63 - t]), (rank() + 1) % blocks))
               : "memory");
  out[block * 64 + t] = found;
  arriveUnaligned(); // not before all have read
  waitUnaligned();
}

/// Of a box that begins at the element 8 of the first row: to both blocks.
template <int dimensions> INLINE void fetchForBoth(void *to, const TensorMap &map, u64 *barrier) {
  if constexpr (dimensions == 1)
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
                 "[%1, {%3}], [%2], %4;" ::"r"(shared(to)),
                 "l"(&map), "r"(shared(barrier)), "r"(8), "h"((u16)3)
                 : "memory");
  else if constexpr (dimensions == 2)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
                 "[%1, {%3, %4}], [%2], %5;" ::"r"(shared(to)),
                 "l"(&map), "r"(shared(barrier)), "r"(8), "r"(0), "h"((u16)3)
                 : "memory");
  else
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
                 "[%1, {%3, %4, %4}], [%2], %5;" ::"r"(shared(to)),
                 "l"(&map), "r"(shared(barrier)), "r"(8), "r"(0), "h"((u16)3)
                 : "memory");
}

/// Block 0 fetches for both; each waits for its own bytes. Then block 1 tells block 0 that it is done.
template <int dimensions> INLINE void multicast(u32 *out, const TensorMap &map) {
  SHARED static __attribute__((aligned(128))) u32 box[64];
  SHARED static u64 full, done;
  u32 t = tid(), mine = rank();
  if (t == 0) {
    init(&full, 1);
    init(&done, 64);
    fenceInit();
  }
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  waitCluster();
  if (t == 0)
    expect(&full, 256); // bytes that come before this are counted as well
  if (t == 0 && mine == 0)
    fetchForBoth<dimensions>(box, map, &full);
  wait(&full, 0);
  out[mine * 64 + t] = box[t] + mine;
  if (mine == 1)
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(mapTo(shared(&done), 0)) : "memory");
  else
    wait(&done, 0);
}
GLOBAL void multicast1(u32 *out, CONSTANT_PARAMETER TensorMap map) { multicast<1>(out, map); }
GLOBAL void multicast2(u32 *out, CONSTANT_PARAMETER TensorMap map) { multicast<2>(out, map); }
GLOBAL void multicast3(u32 *out, CONSTANT_PARAMETER TensorMap map) { multicast<3>(out, map); }

/// Each of two blocks sends what it has to the other.
GLOBAL void send(u32 *out) {
  SHARED static __attribute__((aligned(16))) u32 mine[64], theirs[64];
  SHARED static u64 full;
  u32 t = tid(), other = rank() ^ 1;
  if (t == 0) {
    init(&full, 1);
    expect(&full, 256);
  }
  mine[t] = rank() * 100 + t;
  fenceAsync(); // for the barrier, too
  arriveCluster();
  waitCluster();
  if (t == 0)
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(
                     mapTo(shared(theirs), other)),
                 "r"(shared(mine)), "r"(mapTo(shared(&full), other))
                 : "memory");
  wait(&full, 0);
  out[rank() * 64 + t] = theirs[t];
  arriveCluster(); // not before both have come
  waitCluster();
}
