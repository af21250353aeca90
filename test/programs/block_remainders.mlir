// Parallel blocks that are not whole: of a vector, of both dimensions of a transposition, of rows and columns of a product.
func.func @main(%x: tensor<100003xi32>, %y: tensor<1027x1030xi32>, %a: tensor<251x40xf32>, %b: tensor<40x215xf32>)
    -> (tensor<100003xi32>, tensor<1030x1027xi32>, tensor<251x215xf32>) {
  %0 = xla.negate %x : tensor<100003xi32>
  %1 = xla.transpose %y, dims = [1, 0] : (tensor<1027x1030xi32>) -> tensor<1030x1027xi32>
  %2 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<251x40xf32>, tensor<40x215xf32>) -> tensor<251x215xf32>
  return %0, %1, %2 : tensor<100003xi32>, tensor<1030x1027xi32>, tensor<251x215xf32>
}
