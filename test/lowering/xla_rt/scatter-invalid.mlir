// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @f(%i: tensor<1xi32>) {
  // expected-error @below {{has 0 updates and 0 outs; there is one of each for every array}}
  "xla_rt.scatter"(%i) <{starts = array<i64>, steps = array<i64>, batch = array<i64>, vector = 0 : i64,
                         operandSegmentSizes = array<i32: 1, 0, 0, 0>}> ({
    "xla_rt.yield"() : () -> ()
  }) : (tensor<1xi32>) -> ()
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %v: tensor<7x9xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has the out 1 of type 'tensor<5x8xf32>' and the update 1 of type 'tensor<7x9xf32>', which have not the shapes of the first ones}}
  %0:2 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u, %v : tensor<7x8xf32>, tensor<7x9xf32>)
      outs(%x, %x : tensor<5x8xf32>, tensor<5x8xf32>) starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    xla_rt.yield %a, %b : f32, f32
  } -> tensor<5x8xf32>, tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has its index vectors along dimension 3 of indices of rank 2}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 3 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has its index vectors along dimension -1 of indices of rank 2}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = -1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has 2 batch dimensions for 1 dimension of index vectors}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0, 1] vector = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has 1 start and 2 steps for outs of rank 2}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has 2 starts and 1 step for outs of rank 2}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1] batch = [0] vector = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has the batch dimension 2, which is none of updates of rank 2, or named twice}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [2] vector = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has 7 index vectors along a dimension of size 8 of updates}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 0] batch = [1] vector = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has the start 1 for dimension 0, which is none of 1 component, or named twice}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [1, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has the start 0 for dimension 1, which is none of 1 component, or named twice}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, 0] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has the step 2 for dimension 1, which is no dimension of updates of rank 2, or named twice}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 2] batch = [0] vector = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<9x8xf32>) {
  // expected-error @below {{has the step 1 for dimension 1, which is no dimension of updates of rank 2, or named twice}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<9x8xf32>)
      starts = [0, -1] steps = [1, 1] batch = [0] vector = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<9x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<9x8xf32>) {
  // expected-error @below {{has a start for dimension 0, whose step is a batch dimension}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<9x8xf32>)
      starts = [0, -1] steps = [0, 1] batch = [0] vector = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<9x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x7xf32>) {
  // expected-error @below {{walks 8 positions along dimension 1 of size 7}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x7xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x7xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has no use of dimension 1 of updates}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, -1] batch = [0] vector = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has no use of component 0 of index vectors}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [-1, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf64>, %x: tensor<5x8xf32>) {
  // expected-error @below {{combines elements of 'tensor<7x8xf64>' into 'tensor<5x8xf32>'}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf64>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%a: f32, %b: f64):
    xla_rt.yield %a : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xf32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has indices of type 'tensor<7x1xf32>', which are no signless integers}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xf32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %s: tensor<1xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has the scalar of type 'tensor<1xf32>', which is none}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) scalars(%s : tensor<1xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%a: f32, %b: f32, %c: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has results of types ('tensor<5x9xf32>'), but outs of types ('tensor<5x8xf32>')}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x9xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{combines values of types ('f32', 'f32'), but its combiner takes ('f32')}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%a: f32, %b: f32):
    %no = arith.constant true
    // expected-error @below {{leaves values of types ('i1') in a combiner of ('f32')}}
    xla_rt.yield %no : i1
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has the init 1 : i32; one out that is not unique has one, of the type of its elements}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 init = 1 : i32 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x6xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has an init, but updates that do not walk all of the 8 elements of a dimension}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x6xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 init = 0.0 : f32 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<0x1xi32>, %u: tensor<0x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has an init, but no updates}}
  %0 = xla_rt.scatter indices(%i : tensor<0x1xi32>) updates(%u : tensor<0x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 init = 0.0 : f32 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %x: tensor<5x8xf32>) {
  %u = tensor.empty() : tensor<7x8xf32>
  // expected-error @below {{has the update 1 : i32; one array has one, of the type of its elements}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 update = 1 : i32 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has the update 1.000000e+00 : f32, and elements of updates that are something else}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 update = 1.0 : f32 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has ordered index vectors of type 'tensor<7x1xi32>' instead of a row of 7}}
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 ordered = 3 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<6xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has ordered index vectors of type 'tensor<6xi32>' instead of a row of 7}}
  %0 = xla_rt.scatter indices(%i : tensor<6xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 ordered = 3 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has ordered index vectors of 32 bits, of which 2 are no place for the numbers of 7 and for that of a place}}
  %0 = xla_rt.scatter indices(%i : tensor<7xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 ordered = 2 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has ordered index vectors of 32 bits, of which 32 are no place for the numbers of 7 and for that of a place}}
  %0 = xla_rt.scatter indices(%i : tensor<7xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 ordered = 32 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{is ordered, and has neither an init nor a promise of 'unique' or 'sorted'}}
  %0 = xla_rt.scatter indices(%i : tensor<7xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 sorted ordered = 3 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7xi32>, %u: tensor<7x2xf32>, %x: tensor<5x1xf32>) {
  // expected-error @below {{is ordered, but walks dimension 0 from a start, so that windows of several places may meet}}
  %0 = xla_rt.scatter indices(%i : tensor<7xi32>) updates(%u : tensor<7x2xf32>) outs(%x : tensor<5x1xf32>)
      starts = [0, -1] steps = [1, -1] batch = [0] vector = 1 ordered = 3 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x1xf32>
  return
}

// -----

func.func @f(%i: tensor<7xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has the batch dimension 4, which is none of updates of rank 2}}
  %0 = xla_rt.scatter indices(%i : tensor<7xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [4] vector = 1 ordered = 3 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<7xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has dealt index vectors of type 'tensor<7xi32>' instead of a row of 263}}
  %0 = xla_rt.scatter indices(%i : tensor<7xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 dealt {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<263xi64>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has dealt index vectors of 64 bits instead of 32}}
  %0 = xla_rt.scatter indices(%i : tensor<263xi64>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 dealt {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<263xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{has index vectors that are both ordered and dealt}}
  %0 = xla_rt.scatter indices(%i : tensor<263xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 ordered = 3 dealt {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%i: tensor<263xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{is dealt, and has neither an init nor a promise of 'unique' or 'sorted'}}
  %0 = xla_rt.scatter indices(%i : tensor<263xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 unique dealt {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %b : f32
  } -> tensor<5x8xf32>
  return
}
