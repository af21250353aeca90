// RUN: xla-opt %s --xla-emit-blocks | FileCheck %s
// RUN: xla-opt %s --xla-emit-blocks | FileCheck %s --check-prefix=DESCRIPTOR
// In a cluster, addresses have the block's rank, which is no part of a descriptor.
// DESCRIPTOR: %[[MASK:.*]] = arith.constant 16383 : i32
// DESCRIPTOR: %[[A:.*]] = arith.shrui
// DESCRIPTOR-NEXT: arith.andi %[[A]], %[[MASK]] : i32
// DESCRIPTOR: %[[B:.*]] = arith.shrui
// DESCRIPTOR-NEXT: arith.andi %[[B]], %[[MASK]] : i32
// A device of sm_90a has a kernel of its own; the accelerator is told where the factors are.

// CHECK: func.func private @product.impl(%[[X:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: index, %{{.*}}: index)
// CHECK: %[[CAPABILITY:.*]] = call @xla_rt_cuda_capability() : () -> i32
// CHECK: arith.cmpi eq, %[[CAPABILITY]], %{{.*}} : i32
// CHECK: scf.if
// CHECK: call @xla_rt_cuda_tensor_map(%[[A:.*]], %[[X]], %{{.*}})
// CHECK: call @xla_rt_cuda_tensor_map(%[[B:.*]], %[[Y]], %{{.*}})
// Four stages of 24 KB; a barrier for each, and one for each of the three that are filled twice; two warpgroups that multiply and one that asks.
// CHECK-DAG: arith.constant 98360 : i32
// CHECK-DAG: arith.constant 384 : index
// CHECK: gpu.launch_func @kernels::@product_sm_90a {{.*}} dynamic_shared_memory_size %{{.*}} args({{.*}}, %[[A]] : !llvm.ptr, %[[B]] : !llvm.ptr)
// CHECK: else
// CHECK: gpu.launch_func @kernels::@product blocks
// CHECK: llvm.mlir.global external @product_sm_90a_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK: gpu.func @product_sm_90a({{.*}}llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>{{.*}}) kernel
// CHECK-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>
// CHECK-SAME: nvvm.minctasm = 1 : i32
// CHECK-SAME: xla_rt.devices = "sm_90a"
// CHECK: setmaxnreg.dec.sync.aligned.u32 40
// CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], 24576;
// Rows are the block's own; of the columns, which are neighbours in memory, it asks for 64 of 128, for both blocks.
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$3, $4}], [$2];
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [$0], [$1, {$3, $4}], [$2], $5;
// CHECK-NOT: cp.async
// CHECK: setmaxnreg.inc.sync.aligned.u32 232
// The products of the first tile wait for none, those of the last ones give no stage back.
// CHECK: wgmma.fence.sync.aligned;{{.*}}wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {{.*}}, a, b, p, 1, 1, 0, 1;{{.*}}wgmma.commit_group.sync.aligned;{{[^;]*}}"
// CHECK: scf.for
// CHECK: wgmma.mma_async{{.*}}wgmma.commit_group.sync.aligned;{{[^;]*}}wgmma.wait_group.sync.aligned 1;
// CHECK: mbarrier.arrive.shared::cluster
// CHECK: scf.for
// CHECK-NOT: mbarrier.arrive
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16{{.*}}, a, b, p, 1, 1, 0, 1;{{[^;]*}}"
// CHECK-NOT: mbarrier.arrive
// CHECK: wgmma.commit_group.sync.aligned;{{[^;]*}}wgmma.wait_group.sync.aligned 0
// CHECK: barrier.cluster.wait
// CHECK: gpu.func @product({{.*}}) kernel attributes {known_block_size = {{.*}}, xla_rt.devices = "others"}
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func private @product(%x: tensor<128x400xbf16>, %y: tensor<400x72xbf16>) -> tensor<128x72xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<128x72x400, m d0 32, n d1 32, k d2 64, register 32x32, instruction mma, stages 2>],
    xla_rt.plans_sm_90a = [#xla_rt.blocks<128x72x400, m d0 64, n d1 128, k d2 64, register 64x64, instruction wgmma, stages 4, cluster 2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x72xf32>) -> tensor<128x72xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<128x400xbf16>, tensor<400x72xbf16>) outs(%f : tensor<128x72xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %wr = arith.extf %r : bf16 to f32
    %p = arith.mulf %wl, %wr : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<128x72xf32>
  return %0 : tensor<128x72xf32>
}
