// RUN: xla-opt %s --pass-pipeline='builtin.module(func.func(xla-pack-contractions))' | FileCheck %s
// Columns that lie beside other dimensions of the results, as those of an expert's gradient or of an image that was
// resized, are no panels: the operand is transposed.
#rows = affine_map<(b, n, m, k) -> (n, k)>
#columns = affine_map<(b, n, m, k) -> (b, m, k)>
#result = affine_map<(b, n, m, k) -> (b, n, m)>
// CHECK-LABEL: func.func @beside
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<20x50x48xf32>) outs({{.*}} : tensor<20x48x50xf32>)
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[COPY]] : tensor<24x48xf32>, tensor<20x48x50xf32>)
func.func @beside(%a: tensor<24x48xf32>, %b: tensor<20x50x48xf32>, %sums: tensor<20x24x50xf32>) -> tensor<20x24x50xf32> {
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<24x48xf32>, tensor<20x50x48xf32>) outs(%sums : tensor<20x24x50xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<20x24x50xf32>
  return %0 : tensor<20x24x50xf32>
}
