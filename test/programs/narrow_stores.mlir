// Columns one beyond whole vectors, narrowed as they are stored: a masked store of one lane must write one element.
func.func @main(%x: tensor<3x2xf8E4M3FN>, %y: tensor<2x17xf8E4M3FN>, %a: tensor<4x2xi64>, %b: tensor<2x9xi64>,
                %c: tensor<5x3xf32>, %d: tensor<3x33xf32>, %e: tensor<4x49xf64>)
    -> (tensor<3x17xf8E4M3FN>, tensor<4x9xi8>, tensor<5x33xf8E5M2>, tensor<4x49xui8>, tensor<5x33xi16>) {
  %0 = xla.dot %x, %y : (tensor<3x2xf8E4M3FN>, tensor<2x17xf8E4M3FN>) -> tensor<3x17xf8E4M3FN>
  %1 = xla.dot %a, %b : (tensor<4x2xi64>, tensor<2x9xi64>) -> tensor<4x9xi64>
  %2 = xla.convert %1 : (tensor<4x9xi64>) -> tensor<4x9xi8>
  %3 = xla.dot %c, %d : (tensor<5x3xf32>, tensor<3x33xf32>) -> tensor<5x33xf32>
  %4 = xla.convert %3 : (tensor<5x33xf32>) -> tensor<5x33xf8E5M2>
  %5 = xla.abs %e : tensor<4x49xf64>
  %6 = xla.convert %5 : (tensor<4x49xf64>) -> tensor<4x49xui8>
  %7 = xla.convert %3 : (tensor<5x33xf32>) -> tensor<5x33xi16>
  return %0, %2, %4, %6, %7 : tensor<3x17xf8E4M3FN>, tensor<4x9xi8>, tensor<5x33xf8E5M2>, tensor<4x49xui8>, tensor<5x33xi16>
}
