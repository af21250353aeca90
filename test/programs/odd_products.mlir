// Products whose sizes are no multiples of the register tile: masked last columns, overlapping last rows, panels with
// missing columns, a bias along either dimension, a transposed result, a long sum in blocks.
func.func @main(%x: tensor<103x70xf32>, %y: tensor<70x333xf32>, %row: tensor<333xf32>, %column: tensor<103xf32>,
                %long: tensor<33x8192xf32>, %tall: tensor<8192x81xf32>)
    -> (tensor<103x333xf32>, tensor<333x103xf32>, tensor<33x81xf32>, tensor<103x333xf32>) {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<103x70xf32>, tensor<70x333xf32>) -> tensor<103x333xf32>
  %1 = xla.broadcast_in_dim %row, dims = [1] : (tensor<333xf32>) -> tensor<103x333xf32>
  %2 = xla.broadcast_in_dim %column, dims = [0] : (tensor<103xf32>) -> tensor<103x333xf32>
  %3 = xla.add %0, %1 : tensor<103x333xf32>
  %4 = xla.multiply %3, %2 : tensor<103x333xf32>
  %5 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<103x70xf32>, tensor<70x333xf32>) -> tensor<103x333xf32>
  %6 = xla.transpose %5, dims = [1, 0] : (tensor<103x333xf32>) -> tensor<333x103xf32>
  %small = xla.constant dense<0.0078125> : tensor<33x8192xf32>
  %summand = xla.multiply %long, %small : tensor<33x8192xf32>
  %7 = xla.dot_general %summand, %tall, contracting_dims = [1] x [0] : (tensor<33x8192xf32>, tensor<8192x81xf32>) -> tensor<33x81xf32>
  %8 = xla.add %4, %2 : tensor<103x333xf32>
  %9 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<103x70xf32>, tensor<70x333xf32>) -> tensor<103x333xf32>
  %10 = xla.subtract %9, %8 : tensor<103x333xf32>
  return %4, %6, %7, %10 : tensor<103x333xf32>, tensor<333x103xf32>, tensor<33x81xf32>, tensor<103x333xf32>
}
