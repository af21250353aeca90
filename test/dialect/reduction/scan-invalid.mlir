// RUN: xla-opt --verify-diagnostics --split-input-file %s

func.func @dimension(%x: tensor<4x5xf32>, %c: tensor<4xf32>) {
  // expected-error @+1 {{'xla.scan' op [Scan-C1] dimension 2 is no dimension of 'tensor<4x5xf32>'}}
  %0:2 = chlo.scan(%x) inits (%c) dimension=2 {
  ^bb0(%e: tensor<4xf32>, %s: tensor<4xf32>):
    xla.return %e, %s : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4x5xf32>, tensor<4xf32>) -> (tensor<4x5xf32>, tensor<4xf32>)
  return
}

// -----

func.func @sizes(%x: tensor<4xf32>, %y: tensor<5xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{[Scan-C1] dimension 0 of 'tensor<5xf32>' does not have the size 4 of the others}}
  %0 = chlo.scan(%x, %y) inits (%c) dimension=0 {
  ^bb0(%e: tensor<f32>, %f: tensor<f32>, %s: tensor<f32>):
    xla.return %s : tensor<f32>
  } : (tensor<4xf32>, tensor<5xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @count(%c: tensor<f32>) {
  // expected-error @+1 {{[Scan-C1] has neither inputs, outputs nor scan_dim_size}}
  %0 = chlo.scan() inits (%c) dimension=0 {
  ^bb0(%s: tensor<f32>):
    xla.return %s : tensor<f32>
  } : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @arguments(%x: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{[Scan-C2] the body takes ('tensor<f32>', 'tensor<i32>') instead of ('tensor<f32>', 'tensor<f32>')}}
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 {
  ^bb0(%e: tensor<f32>, %s: tensor<i32>):
    xla.return %e, %e : tensor<f32>, tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return
}

// -----

func.func @returned(%x: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{[Scan-C2] the body returns ('tensor<f32>') instead of ('tensor<f32>', 'tensor<f32>')}}
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 {
  ^bb0(%e: tensor<f32>, %s: tensor<f32>):
    xla.return %e : tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return
}

// -----

func.func @carries(%x: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{[Scan-C3] carries values of types}}
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 {
  ^bb0(%e: tensor<f32>, %s: tensor<f32>):
    xla.return %e, %s : tensor<f32>, tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<i32>)
  return
}
