// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-assign-buffers

// expected-error @below {{has no function @main to assign buffers for}}
module {
}

// -----

// A task is made of the body.

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{calls @k, whose implementation has no body}}
  %0 = func.call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @k(tensor<4xf32>) -> tensor<4xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@k.impl, work = 4, cost = 1000000>}
func.func private @k.impl(!llvm.ptr, !llvm.ptr, index, index)

// -----

// In a loop within a branch, where blocks are open that have no place yet.

func.func @main(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %b = tensor.extract %p[] : tensor<i1>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.if %b -> tensor<4xf32> {
    %1 = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x) -> tensor<4xf32> {
      // expected-error @below {{calls @k, whose implementation has no body}}
      %2 = func.call @k(%a) : (tensor<4xf32>) -> tensor<4xf32>
      scf.yield %2 : tensor<4xf32>
    }
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
func.func private @k(tensor<4xf32>) -> tensor<4xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@k.impl, work = 4, cost = 1000000>}
func.func private @k.impl(!llvm.ptr, !llvm.ptr, index, index)

// -----

func.func @main() -> tensor<2xf32> {
  // expected-error @below {{has a value that cannot be read}}
  %0 = arith.constant dense_resource<nothing> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
