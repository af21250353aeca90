// Reductions that accumulate in memory: rows that are multiples of sixteen, eight and four, or none; long bodies, several
// reduced dimensions, columns beyond the last whole vector.
func.func @main(%a: tensor<640x1024xf32>, %b: tensor<1000x777xf32>, %c: tensor<516x640xf32>, %d: tensor<333x1030xf32>,
                %e: tensor<24x40x1024xf32>, %f: tensor<200x2048xi32>)
    -> (tensor<1024xf32>, tensor<777xf32>, tensor<640xf32>, tensor<1030xf32>, tensor<1024xf32>, tensor<2048xi32>,
        tensor<1024xf32>, tensor<1030xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %none = xla.constant dense<0> : tensor<i32>
  %0 = xla.reduce(%a init: %zero) applies xla.add across dimensions = [0] : (tensor<640x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  %1 = xla.reduce(%b init: %least) applies xla.maximum across dimensions = [0] : (tensor<1000x777xf32>, tensor<f32>) -> tensor<777xf32>
  %2 = xla.reduce(%c init: %zero) applies xla.add across dimensions = [0] : (tensor<516x640xf32>, tensor<f32>) -> tensor<640xf32>
  %3 = xla.reduce(%d init: %zero) applies xla.add across dimensions = [0] : (tensor<333x1030xf32>, tensor<f32>) -> tensor<1030xf32>
  %4 = xla.reduce(%e init: %zero) applies xla.add across dimensions = [0, 1] : (tensor<24x40x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  %5 = xla.reduce(%f init: %none) applies xla.xor across dimensions = [0] : (tensor<200x2048xi32>, tensor<i32>) -> tensor<2048xi32>
  %half = xla.constant dense<0.5> : tensor<640x1024xf32>
  %scaled = xla.multiply %a, %half : tensor<640x1024xf32>
  %waves = xla.tanh %scaled : tensor<640x1024xf32>
  %powers = xla.multiply %waves, %waves : tensor<640x1024xf32>
  %6 = xla.reduce(%powers init: %zero) applies xla.add across dimensions = [0] : (tensor<640x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  %7 = xla.negate %3 : tensor<1030xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<1024xf32>, tensor<777xf32>, tensor<640xf32>, tensor<1030xf32>, tensor<1024xf32>, tensor<2048xi32>, tensor<1024xf32>, tensor<1030xf32>
}
