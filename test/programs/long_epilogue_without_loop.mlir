// Functions of a product's sums as a loop of their own over its rows, whose constants are on the stack. The product is
// one step, so no other loop is around them.
func.func @main(%a: tensor<50x3xf32>, %v: tensor<3xf32>, %y: tensor<50xf32>) -> (tensor<50xf32>, tensor<50xf32>) {
  %zero = xla.constant dense<0.0> : tensor<50xf32>
  %one = xla.constant dense<1.0> : tensor<50xf32>
  %0 = xla.dot %a, %v : (tensor<50x3xf32>, tensor<3xf32>) -> tensor<50xf32>
  %1 = xla.abs %0 : tensor<50xf32>
  %2 = xla.negate %1 : tensor<50xf32>
  %3 = xla.exponential %2 : tensor<50xf32>
  %4 = xla.log_plus_one %3 : tensor<50xf32>
  %5 = xla.maximum %0, %zero : tensor<50xf32>
  %6 = xla.add %5, %4 : tensor<50xf32>
  %7 = xla.multiply %0, %y : tensor<50xf32>
  %8 = xla.subtract %6, %7 : tensor<50xf32>
  %9 = xla.add %3, %one : tensor<50xf32>
  %10 = xla.divide %3, %9 : tensor<50xf32>
  return %8, %10 : tensor<50xf32>, tensor<50xf32>
}
