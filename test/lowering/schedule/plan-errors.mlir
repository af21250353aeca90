// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-print-buffer-plan -o /dev/null

// expected-error @below {{has no function @main to plan buffers for}}
module {
}

// -----

// expected-error @below {{has the type 'tensor<?xf32>' in its signature; the schedule takes tensors of static shape}}
func.func @main(%x: tensor<?xf32>) {
  return
}

// -----

// expected-error @below {{has the type 'f32' in its signature; the schedule takes tensors of static shape}}
func.func @main(%x: f32) {
  return
}

// -----

// expected-error @below {{is not structured: the schedule is one block}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^next
^next:
  %0 = func.call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  cf.br ^end
^end:
  return %0 : tensor<4xf32>
}
func.func private @k(tensor<4xf32>) -> tensor<4xf32>

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{calls @k, which is no kernel with an implementation}}
  %0 = func.call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @k(tensor<4xf32>) -> tensor<4xf32>

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{is not an op of the schedule}}
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// An op with regions that is no control flow of the schedule, with blocks of its own.

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{is not an op of the schedule}}
  scf.execute_region {
    %0 = func.call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
    cf.br ^next
  ^next:
    %1 = func.call @k(%0) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield
  }
  return %x : tensor<4xf32>
}
func.func private @k(tensor<4xf32>) -> tensor<4xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@k.impl, results = [may_reuse 0]>}
func.func private @k.impl(!llvm.ptr, !llvm.ptr, index, index)

// -----

func.func @main(%x: tensor<complex<f32>>) {
  // expected-error @below {{of this element type is not an op of the schedule}}
  %0 = tensor.extract %x[] : tensor<complex<f32>>
  return
}

// -----

func.func @main(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %b = tensor.extract %p[] : tensor<i1>
  %0 = scf.if %b -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    // expected-error @below {{is not an op of the schedule}}
    %1 = math.exp %x : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
