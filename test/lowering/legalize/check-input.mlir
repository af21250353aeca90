// RUN: xla-opt %s --xla-check-input --split-input-file --verify-diagnostics --allow-unregistered-dialect
// RUN: not xla-opt %s --to=llvm --split-input-file --allow-unregistered-dialect 2>&1 | FileCheck %s

// The checks come before any other pass.
// CHECK: error: 'linalg.generic' op is not an op of the stage `xla`
// CHECK: error: 'other.op' op is not an op of the stage `xla`
// CHECK: error: 'llvm.func' op is not an op of the stage `xla`
// CHECK: error: 'xla.constant' op cannot be compiled: the resource 'missing'
// CHECK: error: 'xla.constant' op cannot be compiled: the resource 'short'

// Only the first op of a later stage is reported.
#map = affine_map<(d0) -> (d0)>
func.func @later(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'linalg.generic' op is not an op of the stage `xla`; `xla-opt --from=<stage> --to=<stage>` goes on from a later one}}
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.constant 1.0 : f32
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @unknown(%x: tensor<f32>) {
  // expected-error @+1 {{'other.op' op is not an op of the stage `xla`}}
  %0 = "other.op"(%x) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

// expected-error @+1 {{'llvm.func' op is not an op of the stage `xla`}}
llvm.func @main() {
  llvm.return
}

// -----

func.func @missing() -> tensor<4xf32> {
  // expected-error @+1 {{'xla.constant' op cannot be compiled: the resource 'missing' is not defined}}
  %0 = xla.constant dense_resource<missing> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @short() -> (tensor<4xf32>, tensor<2xf32>) {
  // expected-error @+1 {{'xla.constant' op cannot be compiled: the resource 'short' holds 8 bytes, 'tensor<4xf32>' takes 16}}
  %0 = xla.constant dense_resource<short> : tensor<4xf32>
  %1 = xla.constant dense_resource<short> : tensor<2xf32>
  return %0, %1 : tensor<4xf32>, tensor<2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      short: "0x040000000000803F00000040"
    }
  }
#-}
