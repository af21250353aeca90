// All numbers of f8E8M0FNU, whose smallest one, 2^-127, is subnormal in f32; negative numbers and zero become NaN. The
// last result has the upper halves of all f32 with and without a bit below.
func.func @main() -> (tensor<256x256xui8>, tensor<256x256xui8>, tensor<256x256xui8>, tensor<256x256xui8>, tensor<256x256xui8>, tensor<256x256xui8>, tensor<256x256xui8>, tensor<65536x2xui8>) {
  %codes = xla.iota dim = 0 : tensor<256x256xui8>
  %x = xla.bitcast_convert %codes : (tensor<256x256xui8>) -> tensor<256x256xf8E8M0FNU>
  %y = xla.transpose %x, dims = [1, 0] : (tensor<256x256xf8E8M0FNU>) -> tensor<256x256xf8E8M0FNU>
  %f0 = xla.abs %x : tensor<256x256xf8E8M0FNU>
  %0 = xla.bitcast_convert %f0 : (tensor<256x256xf8E8M0FNU>) -> tensor<256x256xui8>
  %f1 = xla.maximum %x, %y : tensor<256x256xf8E8M0FNU>
  %1 = xla.bitcast_convert %f1 : (tensor<256x256xf8E8M0FNU>) -> tensor<256x256xui8>
  %f2 = xla.minimum %x, %y : tensor<256x256xf8E8M0FNU>
  %2 = xla.bitcast_convert %f2 : (tensor<256x256xf8E8M0FNU>) -> tensor<256x256xui8>
  %f3 = xla.multiply %x, %y : tensor<256x256xf8E8M0FNU>
  %3 = xla.bitcast_convert %f3 : (tensor<256x256xf8E8M0FNU>) -> tensor<256x256xui8>
  %f4 = xla.divide %x, %y : tensor<256x256xf8E8M0FNU>
  %4 = xla.bitcast_convert %f4 : (tensor<256x256xf8E8M0FNU>) -> tensor<256x256xui8>
  %f5 = xla.subtract %x, %y : tensor<256x256xf8E8M0FNU>
  %5 = xla.bitcast_convert %f5 : (tensor<256x256xf8E8M0FNU>) -> tensor<256x256xui8>
  %f6 = xla.clamp %x, %y, %x : tensor<256x256xf8E8M0FNU>
  %6 = xla.bitcast_convert %f6 : (tensor<256x256xf8E8M0FNU>) -> tensor<256x256xui8>
  %halves = xla.iota dim = 0 : tensor<65536x2xui32>
  %sixteen = xla.constant dense<16> : tensor<65536x2xui32>
  %upper = xla.shift_left %halves, %sixteen : tensor<65536x2xui32>
  %lowest = xla.iota dim = 1 : tensor<65536x2xui32>
  %bits = xla.or %upper, %lowest : tensor<65536x2xui32>
  %floats = xla.bitcast_convert %bits : (tensor<65536x2xui32>) -> tensor<65536x2xf32>
  %f7 = xla.convert %floats : (tensor<65536x2xf32>) -> tensor<65536x2xf8E8M0FNU>
  %7 = xla.bitcast_convert %f7 : (tensor<65536x2xf8E8M0FNU>) -> tensor<65536x2xui8>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<256x256xui8>, tensor<256x256xui8>, tensor<256x256xui8>, tensor<256x256xui8>, tensor<256x256xui8>, tensor<256x256xui8>, tensor<256x256xui8>, tensor<65536x2xui8>
}
