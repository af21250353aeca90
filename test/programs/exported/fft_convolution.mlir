module @fft_convolution attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x21x26xf32>, %arg1: tensor<2x5x4xf32>, %arg2: tensor<3x50xcomplex<f32>>, %arg3: tensor<3x37xf32>) -> (tensor<2x25x29xf32> {jax.result_info = "result[0]"}, tensor<3x50xcomplex<f32>> {jax.result_info = "result[1]"}, tensor<3x19xf32> {jax.result_info = "result[2]"}, tensor<3x37xcomplex<f32>> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg0, %c) : (tensor<2x21x26xf32>, tensor<i32>) -> tensor<2x25x29xf32>
    %1 = call @fft(%0) : (tensor<2x25x29xf32>) -> tensor<2x25x15xcomplex<f32>>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2 = call @_pad_0(%arg1, %c_0) : (tensor<2x5x4xf32>, tensor<i32>) -> tensor<2x25x29xf32>
    %3 = call @fft(%2) : (tensor<2x25x29xf32>) -> tensor<2x25x15xcomplex<f32>>
    %4 = stablehlo.multiply %1, %3 : tensor<2x25x15xcomplex<f32>>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = call @_pad_1(%4, %c_1) : (tensor<2x25x15xcomplex<f32>>, tensor<i32>) -> tensor<2x25x15xcomplex<f32>>
    %6 = call @fft_2(%5) : (tensor<2x25x15xcomplex<f32>>) -> tensor<2x25x29xf32>
    %7 = call @fft_3(%arg2) : (tensor<3x50xcomplex<f32>>) -> tensor<3x50xcomplex<f32>>
    %8 = stablehlo.reverse %arg2, dims = [0] : tensor<3x50xcomplex<f32>>
    %9 = stablehlo.real %8 : (tensor<3x50xcomplex<f32>>) -> tensor<3x50xf32>
    %10 = stablehlo.imag %8 : (tensor<3x50xcomplex<f32>>) -> tensor<3x50xf32>
    %11 = stablehlo.negate %10 : tensor<3x50xf32>
    %12 = stablehlo.complex %9, %11 : tensor<3x50xcomplex<f32>>
    %13 = call @fft_3(%12) : (tensor<3x50xcomplex<f32>>) -> tensor<3x50xcomplex<f32>>
    %14 = stablehlo.multiply %7, %13 : tensor<3x50xcomplex<f32>>
    %15 = call @fft_4(%14) : (tensor<3x50xcomplex<f32>>) -> tensor<3x50xcomplex<f32>>
    %16 = call @fft_5(%arg3) : (tensor<3x37xf32>) -> tensor<3x19xcomplex<f32>>
    %17 = stablehlo.abs %16 : (tensor<3x19xcomplex<f32>>) -> tensor<3x19xf32>
    %18 = stablehlo.transpose %arg3, dims = [1, 0] : (tensor<3x37xf32>) -> tensor<37x3xf32>
    %19 = call @fft_6(%18) : (tensor<37x3xf32>) -> tensor<37x3xcomplex<f32>>
    %20 = stablehlo.transpose %19, dims = [1, 0] : (tensor<37x3xcomplex<f32>>) -> tensor<3x37xcomplex<f32>>
    %21 = call @_roll_static(%20) : (tensor<3x37xcomplex<f32>>) -> tensor<3x37xcomplex<f32>>
    return %6, %15, %17, %21 : tensor<2x25x29xf32>, tensor<3x50xcomplex<f32>>, tensor<3x19xf32>, tensor<3x37xcomplex<f32>>
  }
  func.func private @_pad(%arg0: tensor<2x21x26xf32>, %arg1: tensor<i32>) -> tensor<2x25x29xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0, 0], high = [0, 4, 3], interior = [0, 0, 0] : (tensor<2x21x26xf32>, tensor<f32>) -> tensor<2x25x29xf32>
    return %1 : tensor<2x25x29xf32>
  }
  func.func private @fft(%arg0: tensor<2x25x29xf32>) -> tensor<2x25x15xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [25, 29] : (tensor<2x25x29xf32>) -> tensor<2x25x15xcomplex<f32>>
    return %0 : tensor<2x25x15xcomplex<f32>>
  }
  func.func private @_pad_0(%arg0: tensor<2x5x4xf32>, %arg1: tensor<i32>) -> tensor<2x25x29xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0, 0], high = [0, 20, 25], interior = [0, 0, 0] : (tensor<2x5x4xf32>, tensor<f32>) -> tensor<2x25x29xf32>
    return %1 : tensor<2x25x29xf32>
  }
  func.func private @_pad_1(%arg0: tensor<2x25x15xcomplex<f32>>, %arg1: tensor<i32>) -> tensor<2x25x15xcomplex<f32>> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<complex<f32>>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x25x15xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x25x15xcomplex<f32>>
    return %1 : tensor<2x25x15xcomplex<f32>>
  }
  func.func private @fft_2(%arg0: tensor<2x25x15xcomplex<f32>>) -> tensor<2x25x29xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [25, 29] : (tensor<2x25x15xcomplex<f32>>) -> tensor<2x25x29xf32>
    return %0 : tensor<2x25x29xf32>
  }
  func.func private @fft_3(%arg0: tensor<3x50xcomplex<f32>>) -> tensor<3x50xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [50] : (tensor<3x50xcomplex<f32>>) -> tensor<3x50xcomplex<f32>>
    return %0 : tensor<3x50xcomplex<f32>>
  }
  func.func private @fft_4(%arg0: tensor<3x50xcomplex<f32>>) -> tensor<3x50xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [50] : (tensor<3x50xcomplex<f32>>) -> tensor<3x50xcomplex<f32>>
    return %0 : tensor<3x50xcomplex<f32>>
  }
  func.func private @fft_5(%arg0: tensor<3x37xf32>) -> tensor<3x19xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [37] : (tensor<3x37xf32>) -> tensor<3x19xcomplex<f32>>
    return %0 : tensor<3x19xcomplex<f32>>
  }
  func.func private @fft_6(%arg0: tensor<37x3xf32>) -> tensor<37x3xcomplex<f32>> {
    %0 = stablehlo.convert %arg0 : (tensor<37x3xf32>) -> tensor<37x3xcomplex<f32>>
    %1 = stablehlo.fft %0, type = FFT, length = [3] : (tensor<37x3xcomplex<f32>>) -> tensor<37x3xcomplex<f32>>
    return %1 : tensor<37x3xcomplex<f32>>
  }
  func.func private @_roll_static(%arg0: tensor<3x37xcomplex<f32>>) -> tensor<3x37xcomplex<f32>> {
    %0 = stablehlo.slice %arg0 [0:3, 19:37] : (tensor<3x37xcomplex<f32>>) -> tensor<3x18xcomplex<f32>>
    %1 = stablehlo.slice %arg0 [0:3, 0:19] : (tensor<3x37xcomplex<f32>>) -> tensor<3x19xcomplex<f32>>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<3x18xcomplex<f32>>, tensor<3x19xcomplex<f32>>) -> tensor<3x37xcomplex<f32>>
    return %2 : tensor<3x37xcomplex<f32>>
  }
}
