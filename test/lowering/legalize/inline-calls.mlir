// RUN: xla-opt %s --xla-inline-calls --split-input-file --verify-diagnostics | FileCheck %s

// Calls of calls, also from within a region.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
func.func public @main(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
  // CHECK: %[[D:.*]] = xla.add %[[X]], %[[X]]
  // CHECK: "xla.if"
  // CHECK-NEXT: %[[N:.*]] = xla.negate %[[D]]
  // CHECK-NEXT: %[[DN:.*]] = xla.add %[[N]], %[[N]]
  // CHECK-NEXT: xla.return %[[DN]]
  // CHECK-NOT: call
  %0 = call @double(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "xla.if"(%p) ({
    %2 = func.call @outer(%0) : (tensor<4xf32>) -> tensor<4xf32>
    xla.return %2 : tensor<4xf32>
  }, {
    xla.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-NOT: func.func
func.func private @outer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.negate %x : tensor<4xf32>
  %1 = call @double(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @double(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The only public function is the entry, whatever its name.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: xla.abs
func.func @entry(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @helper(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @helper(%x: tensor<f32>) -> tensor<f32> {
  %0 = xla.abs %x : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A composite is its decomposition.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: xla.abs
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = xla.composite "my.abs" %x {decomposition = @impl} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @impl(%x: tensor<f32>) -> tensor<f32> {
  %0 = xla.abs %x : tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @even(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// expected-note @+1 {{@even is defined here}}
func.func private @even(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @odd(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @odd(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'func.call' op [Call-N2] recursion: @even is called from within itself}}
  %0 = call @even(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'func.call' op cannot be compiled: @elsewhere has no body}}
  %0 = call @elsewhere(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @elsewhere(tensor<f32>) -> tensor<f32>

// -----

// expected-error @+1 {{cannot be compiled: expected a function @main or exactly one public function, found 2 public functions}}
module {
  func.func @a() { return }
  func.func @b() { return }
}
