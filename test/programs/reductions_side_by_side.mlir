// Reductions of two arrays by two operations at once: lanes of both are folded side by side.
func.func @main(%x0: tensor<24xi32>, %y0: tensor<24xi32>, %x1: tensor<37xi32>, %y1: tensor<37xi32>,
                %x2: tensor<100xi32>, %y2: tensor<100xi32>, %x3: tensor<24xi32>, %y3: tensor<24xi32>)
    -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
  %c = xla.constant dense<0> : tensor<i32>
  %d = xla.constant dense<-1> : tensor<i32>
  %0:2 = xla.reduce(%x0 init: %c), (%y0 init: %d) across dimensions = [0] : (tensor<24xi32>, tensor<24xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
   reducer(%p: tensor<i32>, %q: tensor<i32>) (%r: tensor<i32>, %s: tensor<i32>) {
    %l = xla.maximum %p, %q : tensor<i32>
    %h = xla.minimum %r, %s : tensor<i32>
    xla.return %l, %h : tensor<i32>, tensor<i32>
  }
  %1:2 = xla.reduce(%x1 init: %c), (%y1 init: %d) across dimensions = [0] : (tensor<37xi32>, tensor<37xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
   reducer(%p: tensor<i32>, %q: tensor<i32>) (%r: tensor<i32>, %s: tensor<i32>) {
    %l = xla.add %p, %q : tensor<i32>
    %h = xla.and %r, %s : tensor<i32>
    xla.return %l, %h : tensor<i32>, tensor<i32>
  }
  %2:2 = xla.reduce(%x2 init: %c), (%y2 init: %d) across dimensions = [0] : (tensor<100xi32>, tensor<100xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
   reducer(%p: tensor<i32>, %q: tensor<i32>) (%r: tensor<i32>, %s: tensor<i32>) {
    %l = xla.or %p, %q : tensor<i32>
    %h = xla.maximum %r, %s : tensor<i32>
    xla.return %l, %h : tensor<i32>, tensor<i32>
  }
  %3:2 = xla.reduce(%x3 init: %c), (%y3 init: %d) across dimensions = [0] : (tensor<24xi32>, tensor<24xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
   reducer(%p: tensor<i32>, %q: tensor<i32>) (%r: tensor<i32>, %s: tensor<i32>) {
    %l = xla.add %p, %q : tensor<i32>
    %h = xla.minimum %r, %s : tensor<i32>
    xla.return %l, %h : tensor<i32>, tensor<i32>
  }
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3#0, %3#1
      : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
}
