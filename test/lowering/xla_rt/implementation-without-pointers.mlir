// RUN: xla-opt --verify-diagnostics %s

// expected-error @+1 {{implements the kernel @f and has the type '(tensor<4xf32>) -> tensor<4xf32>', which takes no pointers}}
func.func private @f(tensor<4xf32>) -> tensor<4xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.implementation = #xla_rt.implementation<@f>}
