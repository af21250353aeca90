// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-emit-kernels=device
// Plans for the threads of a scatter that it does not allow.

// expected-error @below {{kernel @f cannot follow [#xla_rt.updates<each 1>]: several index vectors may address the same place}}
func.func private @f(%i: tensor<70xi32>, %u: tensor<70x12xf32>, %x: tensor<50x12xf32>) -> tensor<50x12xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>, xla_rt.plans = [#xla_rt.updates<each 1>]} {
  %0 = xla_rt.scatter indices(%i : tensor<70xi32>) updates(%u : tensor<70x12xf32>) outs(%x : tensor<50x12xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<50x12xf32>
  return %0 : tensor<50x12xf32>
}

// -----

// expected-error @below {{windows do not consist of vectors of 8 neighbours at multiples of their size}}
func.func private @f(%i: tensor<70xi32>, %u: tensor<70x12xf32>, %x: tensor<50x12xf32>) -> tensor<50x12xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>, xla_rt.plans = [#xla_rt.updates<each 8>]} {
  %0 = xla_rt.scatter indices(%i : tensor<70xi32>) updates(%u : tensor<70x12xf32>) outs(%x : tensor<50x12xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 unique {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<50x12xf32>
  return %0 : tensor<50x12xf32>
}

// -----

// expected-error @below {{no atomic instruction is the combiner}}
func.func private @f(%i: tensor<70xi32>, %u: tensor<70x12xf32>, %x: tensor<50x12xf32>) -> tensor<50x12xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>, xla_rt.plans = [#xla_rt.updates<atomic 1>]} {
  %0 = xla_rt.scatter indices(%i : tensor<70xi32>) updates(%u : tensor<70x12xf32>) outs(%x : tensor<50x12xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<50x12xf32>
  return %0 : tensor<50x12xf32>
}

// -----

// expected-error @below {{it holds an operation with an emitter of its own, and only a scatter has a plan}}
func.func private @f(%i: tensor<70xi32>, %u: tensor<70x12xf32>, %x: tensor<50x12xf32>) -> tensor<50x12xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>, xla_rt.plans = [#xla_rt.nest<70x12, work d0, d1>]} {
  %0 = xla_rt.scatter indices(%i : tensor<70xi32>) updates(%u : tensor<70x12xf32>) outs(%x : tensor<50x12xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<50x12xf32>
  return %0 : tensor<50x12xf32>
}

// -----

// expected-error @below {{no atomic instruction is the combiner}}
func.func private @f(%i: tensor<70xi32>, %u: tensor<70x12xf32>, %x: tensor<50x12xf32>) -> tensor<50x12xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>, xla_rt.plans = [#xla_rt.updates<tables 4>]} {
  %0 = xla_rt.scatter indices(%i : tensor<70xi32>) updates(%u : tensor<70x12xf32>) outs(%x : tensor<50x12xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<50x12xf32>
  return %0 : tensor<50x12xf32>
}

// -----

// expected-error @below {{a table of all elements has more bytes than blocks share}}
func.func private @f(%i: tensor<70xi32>, %u: tensor<70x12xi32>, %x: tensor<5000x12xi32>) -> tensor<5000x12xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>, xla_rt.plans = [#xla_rt.updates<tables 4>]} {
  %0 = xla_rt.scatter indices(%i : tensor<70xi32>) updates(%u : tensor<70x12xi32>) outs(%x : tensor<5000x12xi32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%current: i32, %update: i32):
    %sum = arith.addi %current, %update : i32
    xla_rt.yield %sum : i32
  } -> tensor<5000x12xi32>
  return %0 : tensor<5000x12xi32>
}

// -----

// expected-error @below {{index vectors are ordered, so that each place is one thread's}}
func.func private @f(%i: tensor<70xi32>, %u: tensor<70x12xf32>, %x: tensor<50x12xf32>) -> tensor<50x12xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>, xla_rt.plans = [#xla_rt.updates<owners 4>]} {
  %0 = xla_rt.scatter indices(%i : tensor<70xi32>) updates(%u : tensor<70x12xf32>) outs(%x : tensor<50x12xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 ordered = 7 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<50x12xf32>
  return %0 : tensor<50x12xf32>
}

// -----

func.func private @f(%i: tensor<70xi32>, %u: tensor<70x12xf32>, %x: tensor<50x12xf32>) -> tensor<50x12xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>} {
  // expected-error @below {{has ordered index vectors, which only a GPU's threads share, by a plan}}
  %0 = xla_rt.scatter indices(%i : tensor<70xi32>) updates(%u : tensor<70x12xf32>) outs(%x : tensor<50x12xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 ordered = 7 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<50x12xf32>
  return %0 : tensor<50x12xf32>
}

// -----

// expected-error @below {{index vectors are dealt to owners}}
func.func private @f(%i: tensor<326xi32>, %u: tensor<70x12xf32>, %x: tensor<50x12xf32>) -> tensor<50x12xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>, xla_rt.plans = [#xla_rt.updates<each 4>]} {
  %0 = xla_rt.scatter indices(%i : tensor<326xi32>) updates(%u : tensor<70x12xf32>) outs(%x : tensor<50x12xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 dealt {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<50x12xf32>
  return %0 : tensor<50x12xf32>
}

// -----

// expected-error @below {{index vectors are not dealt to owners}}
func.func private @f(%i: tensor<70xi32>, %u: tensor<70x12xf32>, %x: tensor<50x12xf32>) -> tensor<50x12xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scatter>, xla_rt.plans = [#xla_rt.updates<dealt 4>]} {
  %0 = xla_rt.scatter indices(%i : tensor<70xi32>) updates(%u : tensor<70x12xf32>) outs(%x : tensor<50x12xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<50x12xf32>
  return %0 : tensor<50x12xf32>
}
