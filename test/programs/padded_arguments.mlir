// Padding of arguments, read where they are: whole vectors inside or outside, vectors that end inside, values known only
// at run time, elements that memory holds otherwise, rows shorter than a vector.
func.func @main(%x: tensor<5x9x64xf32>, %y: tensor<6x100xf32>, %value: tensor<f32>, %h: tensor<4x3x48xbf16>,
                %i: tensor<7x130xi8>, %b: tensor<9x33xi1>, %d: tensor<3x40xf64>, %s: tensor<11x5xi32>)
    -> (tensor<5x12x64xf32>, tensor<6x128xf32>, tensor<9x135xf32>, tensor<6x4x48xbf16>, tensor<8x192xi8>,
        tensor<11x33xi1>, tensor<5x64xf64>, tensor<13x9xi32>, tensor<6x256xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.pad %x, %value, low = [0, 1, 0], high = [0, 2, 0], interior = [0, 0, 0] : (tensor<5x9x64xf32>, tensor<f32>) -> tensor<5x12x64xf32>
  %1 = xla.pad %y, %zero, low = [0, 0], high = [0, 28], interior = [0, 0] : (tensor<6x100xf32>, tensor<f32>) -> tensor<6x128xf32>
  %2 = xla.pad %y, %value, low = [1, 17], high = [2, 18], interior = [0, 0] : (tensor<6x100xf32>, tensor<f32>) -> tensor<9x135xf32>
  %half = xla.constant dense<0.5> : tensor<bf16>
  %3 = xla.pad %h, %half, low = [1, 1, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<4x3x48xbf16>, tensor<bf16>) -> tensor<6x4x48xbf16>
  %seven = xla.constant dense<7> : tensor<i8>
  %4 = xla.pad %i, %seven, low = [0, 0], high = [1, 62], interior = [0, 0] : (tensor<7x130xi8>, tensor<i8>) -> tensor<8x192xi8>
  %true = xla.constant dense<true> : tensor<i1>
  %5 = xla.pad %b, %true, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<9x33xi1>, tensor<i1>) -> tensor<11x33xi1>
  %two = xla.constant dense<2.0> : tensor<f64>
  %6 = xla.pad %d, %two, low = [1, 0], high = [1, 24], interior = [0, 0] : (tensor<3x40xf64>, tensor<f64>) -> tensor<5x64xf64>
  %nine = xla.constant dense<9> : tensor<i32>
  %7 = xla.pad %s, %nine, low = [1, 2], high = [1, 2], interior = [0, 0] : (tensor<11x5xi32>, tensor<i32>) -> tensor<13x9xi32>
  // Panels of an odd width, two at a time.
  %8 = xla.pad %y, %zero, low = [0, 0], high = [0, 156], interior = [0, 0] : (tensor<6x100xf32>, tensor<f32>) -> tensor<6x256xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<5x12x64xf32>, tensor<6x128xf32>, tensor<9x135xf32>, tensor<6x4x48xbf16>, tensor<8x192xi8>, tensor<11x33xi1>, tensor<5x64xf64>, tensor<13x9xi32>, tensor<6x256xf32>
}
