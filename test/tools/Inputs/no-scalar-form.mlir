// A program that is valid, but whose reducer reduces.
func.func @main(%x: tensor<4xf32>, %v: tensor<2xf32>, %zero: tensor<f32>) -> tensor<f32> {
  %0 = xla.reduce(%x init: %zero) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %s = xla.reduce(%v init: %a) applies xla.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    xla.return %s : tensor<f32>
  }
  return %0 : tensor<f32>
}
