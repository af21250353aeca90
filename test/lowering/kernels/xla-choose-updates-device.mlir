// RUN: xla-opt %s --xla-choose-updates=device --split-input-file | FileCheck %s
// RUN: xla-opt %s --xla-choose-updates --split-input-file | FileCheck %s --check-prefix=CPU

// A first element, what comes at the other even places, and what comes at the odd ones. A CPU writes each for itself.
// CHECK-LABEL: func.func @take_turns(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<7x4xf32>)
// CHECK:           %[[I:.*]] = linalg.index 0
// CHECK:           %[[J:.*]] = linalg.index 1
// CHECK:           %[[REST:.*]] = arith.remui %[[I]], %c2
// CHECK:           %[[ODD:.*]] = arith.cmpi eq, %[[REST]], %c1
// CHECK:           %[[HALF:.*]] = arith.divui %[[I]], %c2
// CHECK-NOT:       arith.cmpi
// CHECK:           scf.if %[[ODD]]
// CHECK:             tensor.extract %{{.*}}[%[[HALF]], %[[J]]] : tensor<3x4xf32>
// CHECK:           else
// CHECK:             %[[EVEN:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK:             %[[AT:.*]] = arith.subi %{{.*}}, %c1
// CHECK:             %[[IN:.*]] = arith.cmpi ult, %[[AT]], %c3
// CHECK:             %[[BOTH:.*]] = arith.andi %[[EVEN]], %[[IN]]
// CHECK:             scf.if %[[BOTH]]
// CHECK:               tensor.extract %{{.*}}[%[[AT]], %[[J]]] : tensor<3x4xf32>
// CHECK:             else
// CHECK:               tensor.extract %{{.*}}[%[[I]], %[[J]]] : tensor<1x4xf32>
// CPU-COUNT-3:   tensor.insert_slice
func.func @take_turns(%first: tensor<1x4xf32>, %even: tensor<3x4xf32>, %odd: tensor<3x4xf32>) -> tensor<7x4xf32> {
  %e = tensor.empty() : tensor<7x4xf32>
  %0 = tensor.insert_slice %first into %e[0, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<7x4xf32>
  %1 = tensor.insert_slice %even into %0[2, 0] [3, 4] [2, 1] : tensor<3x4xf32> into tensor<7x4xf32>
  %2 = tensor.insert_slice %odd into %1[1, 0] [3, 4] [2, 1] : tensor<3x4xf32> into tensor<7x4xf32>
  return %2 : tensor<7x4xf32>
}

// -----

// Elements that no part has stay what they were: here of no tensor, there of another one.
// CHECK-LABEL: func.func @not_all(
// CHECK-COUNT-2: tensor.insert_slice
// CHECK-LABEL: func.func @of_another(
// CHECK-COUNT-2: tensor.insert_slice
// A part that is written over is not one of them.
// CHECK-LABEL: func.func @twice(
// CHECK-COUNT-2: tensor.insert_slice
func.func @not_all(%even: tensor<3xf32>, %odd: tensor<3xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = tensor.insert_slice %even into %e[0] [3] [2] : tensor<3xf32> into tensor<8xf32>
  %1 = tensor.insert_slice %odd into %0[1] [3] [2] : tensor<3xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func @of_another(%x: tensor<8xf32>, %even: tensor<4xf32>, %odd: tensor<3xf32>) -> tensor<8xf32> {
  %0 = tensor.insert_slice %even into %x[0] [4] [2] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.insert_slice %odd into %0[1] [3] [2] : tensor<3xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func @twice(%even: tensor<4xf32>, %other: tensor<4xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = tensor.insert_slice %even into %e[0] [4] [2] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.insert_slice %other into %0[0] [4] [2] : tensor<4xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Of many elements, neighbouring threads should not choose differently.
// CHECK-LABEL: func.func @neighbours(
// CHECK-COUNT-2: tensor.insert_slice
// CHECK-LABEL: func.func @rows(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         return
func.func @neighbours(%even: tensor<512x512xf32>, %odd: tensor<512x512xf32>) -> tensor<512x1024xf32> {
  %e = tensor.empty() : tensor<512x1024xf32>
  %0 = tensor.insert_slice %even into %e[0, 0] [512, 512] [1, 2] : tensor<512x512xf32> into tensor<512x1024xf32>
  %1 = tensor.insert_slice %odd into %0[0, 1] [512, 512] [1, 2] : tensor<512x512xf32> into tensor<512x1024xf32>
  return %1 : tensor<512x1024xf32>
}
func.func @rows(%even: tensor<512x512xf32>, %odd: tensor<512x512xf32>) -> tensor<1024x512xf32> {
  %e = tensor.empty() : tensor<1024x512xf32>
  %0 = tensor.insert_slice %even into %e[0, 0] [512, 512] [2, 1] : tensor<512x512xf32> into tensor<1024x512xf32>
  %1 = tensor.insert_slice %odd into %0[1, 0] [512, 512] [2, 1] : tensor<512x512xf32> into tensor<1024x512xf32>
  return %1 : tensor<1024x512xf32>
}
