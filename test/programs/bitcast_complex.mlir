// Complex numbers as pairs of narrower ones and back, with other work on both sides.
func.func @main(%x: tensor<3x2xcomplex<f32>>, %y: tensor<5xcomplex<f64>>, %z: tensor<4x3x2xcomplex<f32>>)
    -> (tensor<3xcomplex<f64>>, tensor<5x2xcomplex<f32>>, tensor<5xcomplex<f64>>, tensor<4x3x2xcomplex<f32>>) {
  %0 = xla.bitcast_convert %x : (tensor<3x2xcomplex<f32>>) -> tensor<3xcomplex<f64>>
  %1 = xla.bitcast_convert %y : (tensor<5xcomplex<f64>>) -> tensor<5x2xcomplex<f32>>
  %2 = xla.negate %1 : tensor<5x2xcomplex<f32>>
  %3 = xla.bitcast_convert %2 : (tensor<5x2xcomplex<f32>>) -> tensor<5xcomplex<f64>>
  %4 = xla.bitcast_convert %z : (tensor<4x3x2xcomplex<f32>>) -> tensor<4x3xcomplex<f64>>
  %5 = xla.negate %4 : tensor<4x3xcomplex<f64>>
  %6 = xla.bitcast_convert %5 : (tensor<4x3xcomplex<f64>>) -> tensor<4x3x2xcomplex<f32>>
  return %0, %1, %3, %6 : tensor<3xcomplex<f64>>, tensor<5x2xcomplex<f32>>, tensor<5xcomplex<f64>>, tensor<4x3x2xcomplex<f32>>
}
