// RUN: xla-opt %s | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s

// The kernel contract: a function on tensors, and what the schedule may assume of its implementation on pointers.

// CHECK: func.func private @fused(%{{.*}}: tensor<4xf32>) -> tensor<4xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>}
func.func private @fused(%x: tensor<4xf32>) -> tensor<4xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  return %x : tensor<4xf32>
}

// CHECK: func.func private @rows(tensor<8x4xf32>) -> tensor<8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [8]>}
func.func private @rows(tensor<8x4xf32>) -> tensor<8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [8]>}

// What is not said: one item of work, no cost, no scratch, new memory.
// CHECK: #xla_rt.implementation<@plain.impl>
func.func private @plain(tensor<4xf32>) -> tensor<4xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@plain.impl, results = [new], work = 1, cost = 0>}
func.func private @plain.impl(!llvm.ptr, !llvm.ptr, index, index)

// CHECK: #xla_rt.implementation<@all.impl, work = 12, cost = 5000, scratch = 1024, ordered, results = [new, may_reuse 2, updates 0]>
func.func private @all(tensor<4xf32>, index, tensor<2xi8>) -> (tensor<f32>, tensor<2xi8>, tensor<4xf32>)
    attributes {xla_rt.kernel = #xla_rt.kernel<update>,
                xla_rt.implementation = #xla_rt.implementation<@all.impl, ordered, scratch = 1024, cost = 5000,
                                                               work = 12, results = [new, may_reuse 2, updates 0]>}
func.func private @all.impl(!llvm.ptr, index, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, index, index)
