// RUN: xla-opt %s --xla-emit-blocks | FileCheck %s
// No more tiles than stages: three of 16 KB, each filled once, so that nobody says or asks whether one is empty.

// CHECK: gpu.launch_func @kernels::@product {{.*}} dynamic_shared_memory_size %[[BYTES:[^ ]*]]
// CHECK: gpu.func @product(
// CHECK-COUNT-3: mbarrier.init.shared::cta.b64 [$0], 1;
// CHECK-NOT: mbarrier.init
// CHECK: fence.mbarrier_init.release.cluster
// CHECK-NOT: mbarrier.try_wait
// CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], 16384;
// CHECK: mbarrier.try_wait
// CHECK-NOT: {{mbarrier|wgmma.commit_group|wgmma.wait_group}}
// CHECK: wgmma.mma_async
// CHECK-NOT: {{mbarrier|wgmma.wait_group.sync.aligned 1}}
// CHECK: wgmma.commit_group.sync.aligned;{{.*}}wgmma.wait_group.sync.aligned 0;
// CHECK-NOT: mbarrier
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func private @product(%x: tensor<128x136xbf16>, %y: tensor<136x72xbf16>) -> tensor<128x72xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<128x72x136, m d0 64, n d1 64, k d2 64, register 64x64, instruction wgmma, stages 4>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x72xf32>) -> tensor<128x72xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<128x136xbf16>, tensor<136x72xbf16>) outs(%f : tensor<128x72xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %wr = arith.extf %r : bf16 to f32
    %p = arith.mulf %wl, %wr : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<128x72xf32>
  return %0 : tensor<128x72xf32>
}
