// RUN: xla-opt %s --verify-diagnostics

func.func @carries(%x: tensor<16x8xf32>, %zero: tensor<8xf32>) {
  // expected-error@+1 {{[Scan-C3] carries values of types}}
  %sums, %total = "xla.scan"(%x, %zero) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%element: tensor<8xf32>, %carry: tensor<8xf32>):
    %sum = xla.add %element, %carry : tensor<8xf32>
    xla.return %sum, %sum : tensor<8xf32>, tensor<8xf32>
  }) : (tensor<16x8xf32>, tensor<8xf32>) -> (tensor<16x8xf32>, tensor<9xf32>)
  return
}
