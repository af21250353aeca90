// RUN: xla-opt %s --split-input-file --xla-multiply-parts | FileCheck %s
// Sums of products of complex numbers become those of parts, where that takes less time than threads for results.

// Rows lie along the steps, so they are a view. Of columns, every step has the four parts of a number.

// CHECK-DAG:   #[[REAL:.*]] = affine_map<(d0, d1) -> (d0 floordiv 2, (d1 floordiv 2) * 2)>
// CHECK-DAG:   #[[IMAGINARY:.*]] = affine_map<(d0, d1) -> (d0 floordiv 2, (d1 floordiv 2) * 2 + 1)>
// CHECK-LABEL: func.func @columns_along_steps
// CHECK-DAG:     %[[X:.*]] = xla_rt.parts %arg0 : tensor<256x128xcomplex<f32>> to tensor<256x256xf32>
// CHECK-DAG:     %[[Y:.*]] = xla_rt.parts %arg1 : tensor<192x128xcomplex<f32>> to tensor<192x256xf32>
// CHECK:         %[[COLUMNS:.*]] = linalg.generic {indexing_maps = [#[[REAL]], #[[IMAGINARY]], #{{.*}}]{{.*}} ins(%[[Y]], %[[Y]] : {{.*}}) outs({{.*}} : tensor<384x256xf32>)
// CHECK:           arith.negf
// CHECK:         %[[SUMS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[COLUMNS]] :
// CHECK:           arith.mulf
// CHECK:         xla_rt.parts %[[SUMS]] : tensor<256x384xf32> to tensor<256x192xcomplex<f32>>
#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d1, d2)>
#results = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @columns_along_steps(%x: tensor<256x128xcomplex<f32>>, %y: tensor<192x128xcomplex<f32>>) -> tensor<256x192xcomplex<f32>> {
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %empty = tensor.empty() : tensor<256x192xcomplex<f32>>
  %init = linalg.fill ins(%zero : complex<f32>) outs(%empty : tensor<256x192xcomplex<f32>>) -> tensor<256x192xcomplex<f32>>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #results], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<256x128xcomplex<f32>>, tensor<192x128xcomplex<f32>>) outs(%init : tensor<256x192xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>, %sum: complex<f32>):
    %product = complex.mul %a, %b : complex<f32>
    %next = complex.add %sum, %product : complex<f32>
    linalg.yield %next : complex<f32>
  } -> tensor<256x192xcomplex<f32>>
  return %0 : tensor<256x192xcomplex<f32>>
}

// -----

// Sums that begin with something else, and few products, stay.

// CHECK-LABEL: func.func @stays
// CHECK-NOT:     xla_rt.parts
#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d1, d2)>
#results = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @stays(%x: tensor<256x128xcomplex<f32>>, %y: tensor<192x128xcomplex<f32>>, %z: tensor<24x128xcomplex<f32>>,
                 %w: tensor<256x192xcomplex<f32>>) -> (tensor<256x192xcomplex<f32>>, tensor<24x24xcomplex<f32>>) {
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %empty = tensor.empty() : tensor<24x24xcomplex<f32>>
  %init = linalg.fill ins(%zero : complex<f32>) outs(%empty : tensor<24x24xcomplex<f32>>) -> tensor<24x24xcomplex<f32>>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #results], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<256x128xcomplex<f32>>, tensor<192x128xcomplex<f32>>) outs(%w : tensor<256x192xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>, %sum: complex<f32>):
    %product = complex.mul %a, %b : complex<f32>
    %next = complex.add %sum, %product : complex<f32>
    linalg.yield %next : complex<f32>
  } -> tensor<256x192xcomplex<f32>>
  %1 = linalg.generic {indexing_maps = [#rows, #columns, #results], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%z, %z : tensor<24x128xcomplex<f32>>, tensor<24x128xcomplex<f32>>) outs(%init : tensor<24x24xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>, %sum: complex<f32>):
    %product = complex.mul %a, %b : complex<f32>
    %next = complex.add %sum, %product : complex<f32>
    linalg.yield %next : complex<f32>
  } -> tensor<24x24xcomplex<f32>>
  return %0, %1 : tensor<256x192xcomplex<f32>>, tensor<24x24xcomplex<f32>>
}
