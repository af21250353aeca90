// RUN: xla-opt --xla-legalize-to-linalg %s | FileCheck %s

// Words in a row, in the order of the stream.

// CHECK-LABEL: func.func @philox
// CHECK:         %[[BITS:.*]] = xla_rt.random_bits philox ins(%arg0 : tensor<3xi64>) outs(%{{.*}} : tensor<12xi32>) -> tensor<12xi32>
// CHECK:         %[[OUT:.*]] = tensor.expand_shape %[[BITS]]
// CHECK:         %[[STATE:.*]] = linalg.generic
// CHECK:           arith.addi %{{.*}}, %c3_i64
// CHECK:         return %[[STATE]], %[[OUT]]
func.func @philox(%s: tensor<3xui64>) -> (tensor<3xui64>, tensor<3x4xui32>) {
  %0, %1 = xla.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x4xui32>)
  return %0, %1 : tensor<3xui64>, tensor<3x4xui32>
}

// The two words of a block are neighbours in the first dimension of even size.

// CHECK-LABEL: func.func @three_fry_rows
// CHECK:         xla_rt.random_bits three_fry ins(%arg0 : tensor<2xi64>) outs(%{{.*}} : tensor<12xf32>) -> tensor<12xf32>
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<1x2x3x2xf32>) outs(%{{.*}} : tensor<1x2x2x3xf32>)
func.func @three_fry_rows(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xf32>) {
  %0, %1 = xla.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xf32>)
  return %0, %1 : tensor<2xui64>, tensor<4x3xf32>
}

// CHECK-LABEL: func.func @three_fry_odd
// CHECK:         xla_rt.random_bits three_fry {{.*}} -> tensor<18xi8>
// CHECK:         tensor.extract_slice %{{.*}} : tensor<3x6x1xi8> to tensor<3x5x1xi8>
func.func @three_fry_odd(%s: tensor<2xui64>) -> tensor<3x5xui8> {
  %0, %1 = xla.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui8>)
  return %1 : tensor<3x5xui8>
}
