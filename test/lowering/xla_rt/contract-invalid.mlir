// RUN: xla-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{a kernel of kind 'update' has no rows}}
func.func private @f(tensor<4xf32>) -> tensor<4xf32> attributes {xla_rt.kernel = #xla_rt.kernel<update, [4]>}

// -----

// expected-error @below {{the size -4 of a dimension of rows is negative}}
func.func private @f(tensor<4xf32>) -> tensor<4xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [-4]>}

// -----

// expected-error @below {{is a kernel over rows [8], but has a result of type 'tensor<4xf32>'}}
func.func private @f(tensor<8xf32>) -> tensor<4xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [8]>}

// -----

// expected-error @below {{is a kernel with an argument of type 'tensor<?xf32>'; it takes tensors of static shape and scalars}}
func.func private @f(tensor<?xf32>) -> tensor<4xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>}

// -----

// expected-error @below {{is a kernel with a result of type 'f32'; it gives tensors of static shape}}
func.func private @f(tensor<4xf32>) -> f32 attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>}

// -----

// expected-error @below {{has the attribute 'xla_rt.kernel', which is no #xla_rt.kernel}}
func.func private @f(tensor<4xf32>) -> tensor<4xf32> attributes {xla_rt.kernel = "elementwise"}

// -----

// expected-error @below {{has the attribute 'xla_rt.colour', which the dialect xla_rt does not have}}
func.func private @f(tensor<4xf32>) -> tensor<4xf32> attributes {xla_rt.colour = "red"}

// -----

// expected-error @below {{has the attribute 'xla_rt.kernel', which is one of functions}}
module attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {}

// -----

func.func private @f(tensor<4xf32>) -> tensor<4xf32>
    // expected-error @below {{expected ::mlir::xla::KernelKind to be one of}}
    // expected-error @below {{failed to parse XlaRt_KernelAttr parameter 'kind'}}
    attributes {xla_rt.kernel = #xla_rt.kernel<loop>}

// -----

func.func private @f(tensor<4xf32>) -> tensor<4xf32>
    // expected-error @below {{expected 'work', 'cost', 'scratch', 'team', 'ordered' or 'results'}}
    attributes {xla_rt.implementation = #xla_rt.implementation<@f.impl, wrok = 1>}

// -----

func.func private @f(tensor<4xf32>) -> tensor<4xf32>
    // expected-error @below {{expected 'new', 'may_reuse' or 'updates'}}
    attributes {xla_rt.implementation = #xla_rt.implementation<@f.impl, results = [fresh]>}

// -----

func.func private @f(tensor<4xf32>) -> tensor<4xf32>
    // expected-error @below {{cost is negative: -1}}
    attributes {xla_rt.implementation = #xla_rt.implementation<@f.impl, cost = -1>}

// -----

func.func private @f(tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    // expected-error @below {{results 0 and 1 share the memory of argument 0}}
    attributes {xla_rt.implementation = #xla_rt.implementation<@f.impl, results = [may_reuse 0, updates 0]>}

// -----

// expected-error @below {{has an implementation and is no kernel: it has no attribute 'xla_rt.kernel'}}
func.func private @f(tensor<4xf32>) -> tensor<4xf32>
    attributes {xla_rt.implementation = #xla_rt.implementation<@f.impl>}

// -----

// expected-error @below {{has an implementation and a body}}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.implementation = #xla_rt.implementation<@f.impl>} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{has no implementation @f.impl}}
func.func private @f(tensor<4xf32>) -> tensor<4xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.implementation = #xla_rt.implementation<@f.impl>}

// -----

// expected-error @below {{has 1 results, but its implementation speaks of 2}}
func.func private @f(tensor<4xf32>) -> tensor<4xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@f.impl, results = [new, new]>}

// -----

// expected-error @below {{has 1 arguments; result 0 cannot be in the memory of argument 1}}
func.func private @f(tensor<4xf32>) -> tensor<4xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@f.impl, results = [may_reuse 1]>}

// -----

// expected-error @below {{has result 0 of type 'tensor<4xf32>' in the memory of argument 0 of type 'tensor<4xi32>'}}
func.func private @f(tensor<4xi32>) -> tensor<4xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@f.impl, results = [updates 0]>}

// -----

func.func private @f(tensor<4xf32>) -> tensor<4xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@f.impl, scratch = 64>}
// expected-error @below {{implements the kernel @f and has the type '(!llvm.ptr, !llvm.ptr, index, index) -> ()' instead of '(!llvm.ptr, !llvm.ptr, !llvm.ptr, index, index) -> ()'}}
func.func private @f.impl(!llvm.ptr, !llvm.ptr, index, index)

// -----

// expected-error @below {{has the attribute 'xla_rt.arena_size', which is a number of bytes, an i64, on a function}}
func.func private @f(!llvm.ptr) attributes {xla_rt.arena_size = -1 : i64}

// -----

// expected-error @below {{has the attribute 'xla_rt.signature', which is a function type}}
func.func private @f(!llvm.ptr) attributes {xla_rt.signature = tensor<4xf32>}

// -----

// expected-error @below {{has the attribute 'xla_rt.task', which is a mark of functions}}
func.func private @f(!llvm.ptr) attributes {xla_rt.task = 1 : i64}

// -----

// expected-error @below {{has the attribute 'xla_rt.nonempty', which is a mark of scf.for}}
func.func private @f(!llvm.ptr) attributes {xla_rt.nonempty}

// -----

// expected-error @below {{has the attribute 'xla_rt.masked', which is a mark of math.exp}}
func.func private @f(!llvm.ptr) attributes {xla_rt.masked}

// -----

// expected-error @below {{has the attribute 'xla_rt.launched', which is a mark of loops}}
func.func private @f(!llvm.ptr) attributes {xla_rt.launched}

// -----

// expected-error @below {{has the attribute 'xla_rt.parts', which is an array of names of kernels, on a function}}
func.func private @f(!llvm.ptr) attributes {xla_rt.parts = [1]}

// -----

// expected-error @below {{has the attribute 'xla_rt.last_parts', which is a number of the kernel's parts, an i64, and less than all}}
func.func private @f(!llvm.ptr) attributes {xla_rt.parts = ["a", "b"], xla_rt.last_parts = 2 : i64}

// -----

// expected-error @below {{has the attribute 'xla_rt.part_phases', which is a positive number, an i64, on a kernel of several parts}}
func.func private @f(!llvm.ptr) attributes {xla_rt.parts = ["a", "b"], xla_rt.part_phases = 0 : i64}

// -----

// expected-error @below {{has the attribute 'xla_rt.part_phases', which is a positive number, an i64, on a kernel of several parts}}
func.func private @f(!llvm.ptr) attributes {xla_rt.parts = ["a", "b"], xla_rt.part_phases = 4 : i32}

// -----

// expected-error @below {{has the attribute 'xla_rt.part_phases', which is a positive number, an i64, on a kernel of several parts}}
func.func private @f(!llvm.ptr) attributes {xla_rt.part_phases = 4 : i64}

// -----

// expected-error @below {{has the attribute 'xla_rt.numbers_blocks', which is a mark of functions}}
func.func private @f(!llvm.ptr) attributes {xla_rt.numbers_blocks = 1 : i64}

// -----

// expected-error @below {{has the attribute 'xla_rt.adds_in_last', which is a mark of functions}}
func.func private @f(!llvm.ptr) attributes {xla_rt.adds_in_last = 1 : i64}

// -----

// expected-error @below {{has the attribute 'xla_rt.places', which is array<i64> of offsets, sizes, strides and the shape, on a function}}
func.func private @f(!llvm.ptr) attributes {xla_rt.places = [array<i64: 0>, array<i64: 1>, array<i64: 0>, array<i64: 1>]}

// -----

// expected-error @below {{has the attribute 'xla_rt.placed_by', which is an array<i64> of numbers of arguments, on a function}}
func.func private @f(!llvm.ptr) attributes {xla_rt.placed_by = array<i64: 1>}

// -----

// expected-error @below {{has the attribute 'xla_rt.buffer_bytes', which is an array<i64> of the bytes of arguments, on a function}}
func.func private @f(!llvm.ptr) attributes {xla_rt.buffer_bytes = array<i64: 64, 64>}

// -----

// expected-error @below {{has the attribute 'xla_rt.buffer_bytes', which is an array<i64> of the bytes of arguments, on a function}}
func.func private @f(!llvm.ptr) attributes {xla_rt.buffer_bytes = array<i64: -1>}

// -----

// expected-error @below {{has the attribute 'xla_rt.cost', which is a number of nanoseconds, an i64, on a function}}
func.func private @f(!llvm.ptr) attributes {xla_rt.cost = 1.0 : f32}

// -----

// expected-error @below {{has the attribute 'xla_rt.data', which holds the elements of an external llvm.mlir.global}}
llvm.mlir.global internal constant @c(1 : i64) {xla_rt.data = dense<1> : tensor<1xi64>} : i64

// -----

func.func @f(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{has the attribute 'xla_rt.unread', which is an array<i64> of numbers of results}}
  %0 = linalg.copy {xla_rt.unread = array<i64: 1>} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{has the attribute 'xla_rt.ascending', which is an array<i64> of numbers of results}}
  %0 = linalg.copy {xla_rt.ascending = array<i64: 1>} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{blocks of 9 rows are not within the last dimension of the rows [2, 8]}}
func.func private @f(tensor<2x8xf32>) -> tensor<2x8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [2, 8] by 9>}
