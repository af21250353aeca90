func.func @main(%arg0: tensor<1xi8>, %arg1: tensor<0xi8>) -> (tensor<1x0xi8>) {
  %r = "xla.dot_general"(%arg0, %arg1)  {dot_dimension_numbers = #xla.dot<>} : (tensor<1xi8>, tensor<0xi8>) -> (tensor<1x0xi8>)
  return %r : tensor<1x0xi8>
}
