// RUN: xla-opt --from=linalg --to=kernels %s | FileCheck %s --check-prefix=KERNELS
// RUN: xla-opt --from=linalg --to=kernels %s | xla-opt --xla-emit-kernels=vector-bits=512 | FileCheck %s
// RUN: xla-opt --from=linalg --to=kernels %s | xla-opt --xla-emit-kernels=vector-bits=512 --xla-print-buffer-plan \
// RUN:   -o /dev/null | FileCheck %s --check-prefix=PLAN

// A scatter is a kernel by itself, which updates the memory of its array. What is still needed is copied before, and
// what is dead is not.
// KERNELS-LABEL: func.func private @scatter_
// KERNELS-SAME:    xla_rt.kernel = #xla_rt.kernel<scatter>
// KERNELS:         xla_rt.scatter

// PLAN:      @elementwise_0 (argument[0]) -> result[0]
// PLAN-NEXT: @scatter_1 (argument[1], argument[2], result[0]) -> result[0]
// PLAN-NEXT: copy argument[0] -> result[1]
// PLAN-NEXT: @scatter_2 (argument[1], argument[2], result[1]) -> result[1]

// One test for each row. A row is a vector, one of half as many lanes, and one of half of that.
// CHECK-LABEL: func.func private @scatter_1.impl(
// CHECK-SAME:    %[[I:.*]]: !llvm.ptr, %[[U:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[X:.*]]: !llvm.ptr, %{{.*}}: index, %{{.*}}: index)
// CHECK:       scf.for %[[K:.*]] = %{{.*}} to %c7_i64
// CHECK:         %[[ROW:.*]] = arith.muli %[[K]], %c28_i64
// CHECK:         %[[P:.*]] = llvm.getelementptr %[[I]][%[[K]]]
// CHECK:         %[[LOADED:.*]] = llvm.load %[[P]]
// CHECK:         %[[START:.*]] = arith.extsi %[[LOADED]]
// CHECK:         %[[INSIDE:.*]] = arith.cmpi ult, %[[START]], %c5_i64
// CHECK:         scf.if %[[INSIDE]]
// CHECK:           arith.addf {{.*}} : vector<16xf32>
// CHECK:           arith.addf {{.*}} : vector<8xf32>
// CHECK:           arith.addf {{.*}} : vector<4xf32>
// CHECK-NOT:       arith.addf
// CHECK:       func.func private @scatter_1(
// CHECK-SAME:    #xla_rt.implementation<@scatter_1.impl, cost = {{[0-9]+}}, results = [updates 2]>

// What the combiner does not read is not loaded.
// CHECK-LABEL: func.func private @scatter_2.impl(
// CHECK:         %[[NEW:.*]] = llvm.load {{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK-NEXT:    llvm.store %[[NEW]]
func.func @main(%x: tensor<5x28xf32>, %i: tensor<7x1xi32>, %u: tensor<7x28xf32>) -> (tensor<5x28xf32>, tensor<5x28xf32>) {
  %e = tensor.empty() : tensor<5x28xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x28xf32>) outs(%e : tensor<5x28xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<5x28xf32>
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x28xf32>) outs(%y : tensor<5x28xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<5x28xf32>
  %1 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x28xf32>) outs(%x : tensor<5x28xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    xla_rt.yield %update : f32
  } -> tensor<5x28xf32>
  return %0, %1 : tensor<5x28xf32>, tensor<5x28xf32>
}
