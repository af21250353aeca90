// Padding of what is computed, on every side, negative and interior; a choice per element in a fused nest.
func.func @main(%x: tensor<3x20x37xf32>, %y: tensor<5x7xcomplex<f32>>, %b: tensor<9x33xi1>)
    -> (tensor<5x25x45xf32>, tensor<9x10xcomplex<f32>>, tensor<9x40xi1>, tensor<5x20x37xf32>, tensor<3x16x71xf32>) {
  %one = xla.constant dense<1.0> : tensor<f32>
  %c = xla.constant dense<(2.0, -1.0)> : tensor<complex<f32>>
  %true = xla.constant dense<true> : tensor<i1>
  %0 = xla.exponential %x : tensor<3x20x37xf32>
  %1 = xla.pad %0, %one, low = [1, 2, 5], high = [1, 3, 3], interior = [0, 0, 0] : (tensor<3x20x37xf32>, tensor<f32>) -> tensor<5x25x45xf32>
  %2 = xla.tanh %1 : tensor<5x25x45xf32>
  %3 = xla.pad %y, %c, low = [4, 1], high = [0, 2], interior = [0, 0] : (tensor<5x7xcomplex<f32>>, tensor<complex<f32>>) -> tensor<9x10xcomplex<f32>>
  %4 = xla.pad %b, %true, low = [0, 3], high = [0, 4], interior = [0, 0] : (tensor<9x33xi1>, tensor<i1>) -> tensor<9x40xi1>
  %5 = xla.pad %0, %one, low = [1, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<3x20x37xf32>, tensor<f32>) -> tensor<5x20x37xf32>
  %6 = xla.pad %0, %one, low = [0, -2, -1], high = [0, -2, -1], interior = [0, 0, 1] : (tensor<3x20x37xf32>, tensor<f32>) -> tensor<3x16x71xf32>
  return %2, %3, %4, %5, %6 : tensor<5x25x45xf32>, tensor<9x10xcomplex<f32>>, tensor<9x40xi1>, tensor<5x20x37xf32>, tensor<3x16x71xf32>
}
