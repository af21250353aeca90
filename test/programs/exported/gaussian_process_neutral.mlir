module @gaussian_process_neutral attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<24x2xf64>, %arg1: tensor<24xf64>, %arg2: tensor<9x2xf64>, %arg3: tensor<2xf64>) -> (tensor<f64> {jax.result_info = "result[0][0]"}, tensor<9xf64> {jax.result_info = "result[0][1][0]"}, tensor<9xf64> {jax.result_info = "result[0][1][1]"}, tensor<2xf64> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<2.000000e-01> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %1 = stablehlo.multiply %arg3, %0 : tensor<2xf64>
    %2 = stablehlo.exponential %1 : tensor<2xf64>
    %3 = stablehlo.slice %2 [0:1] : (tensor<2xf64>) -> tensor<1xf64>
    %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
    %5 = stablehlo.slice %2 [1:2] : (tensor<2xf64>) -> tensor<1xf64>
    %6 = stablehlo.reshape %5 : (tensor<1xf64>) -> tensor<f64>
    %7 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<24x2xf64>) -> tensor<24x1x2xf64>
    %8 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<24x2xf64>) -> tensor<1x24x2xf64>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<24x1x2xf64>) -> tensor<24x24x2xf64>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x24x2xf64>) -> tensor<24x24x2xf64>
    %11 = stablehlo.subtract %9, %10 : tensor<24x24x2xf64>
    %12 = chlo.square %11 : tensor<24x24x2xf64> -> tensor<24x24x2xf64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %13 = stablehlo.reduce(%12 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<24x24x2xf64>, tensor<f64>) -> tensor<24x24xf64>
    %cst_1 = stablehlo.constant dense<-5.000000e-01> : tensor<f64>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    %15 = stablehlo.multiply %14, %13 : tensor<24x24xf64>
    %16 = stablehlo.multiply %4, %4 : tensor<f64>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %17 = stablehlo.multiply %cst_2, %4 : tensor<f64>
    %18 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    %19 = stablehlo.divide %15, %18 : tensor<24x24xf64>
    %20 = stablehlo.multiply %16, %16 : tensor<f64>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %21 = stablehlo.divide %cst_3, %20 : tensor<f64>
    %22 = stablehlo.exponential %19 : tensor<24x24xf64>
    %23 = stablehlo.iota dim = 0 : tensor<24x24xi64>
    %24 = stablehlo.iota dim = 1 : tensor<24x24xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %25 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<24x24xi64>
    %26 = stablehlo.add %23, %25 : tensor<24x24xi64>
    %27 = stablehlo.compare EQ, %26, %24, SIGNED : (tensor<24x24xi64>, tensor<24x24xi64>) -> tensor<24x24xi1>
    %28 = stablehlo.convert %27 : (tensor<24x24xi1>) -> tensor<24x24xf64>
    %29 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    %30 = stablehlo.multiply %29, %28 : tensor<24x24xf64>
    %31 = stablehlo.add %22, %30 : tensor<24x24xf64>
    %32:7 = call @cholesky(%31) : (tensor<24x24xf64>) -> (tensor<24x24xf64>, tensor<24x24xf64>, tensor<24x24xi1>, tensor<24x24xf64>, tensor<24x24xf64>, tensor<24x24xi1>, tensor<24x24xf64>)
    %33:7 = call @_cho_solve(%32#0, %arg1) : (tensor<24x24xf64>, tensor<24xf64>) -> (tensor<24xf64>, tensor<24x24xi1>, tensor<24x24xf64>, tensor<24x1xf64>, tensor<24x24xi1>, tensor<24x24xf64>, tensor<24x1xf64>)
    %cst_4 = stablehlo.constant dense<-5.000000e-01> : tensor<f64>
    %34 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<24xf64>
    %35 = stablehlo.multiply %34, %arg1 : tensor<24xf64>
    %36 = stablehlo.dot_general %35, %33#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24xf64>, tensor<24xf64>) -> tensor<f64>
    %37:4 = call @diagonal(%32#0) : (tensor<24x24xf64>) -> (tensor<24xf64>, tensor<i32>, tensor<24x24xf64>, tensor<24x2xi32>)
    %38 = stablehlo.log %37#0 : tensor<24xf64>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %39 = stablehlo.reduce(%38 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<24xf64>, tensor<f64>) -> tensor<f64>
    %40 = stablehlo.subtract %36, %39 : tensor<f64>
    %cst_6 = stablehlo.constant dense<22.054524796912144> : tensor<f64>
    %41 = stablehlo.subtract %40, %cst_6 : tensor<f64>
    %42 = stablehlo.broadcast_in_dim %arg2, dims = [0, 2] : (tensor<9x2xf64>) -> tensor<9x1x2xf64>
    %43 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<24x2xf64>) -> tensor<1x24x2xf64>
    %44 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2] : (tensor<9x1x2xf64>) -> tensor<9x24x2xf64>
    %45 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<1x24x2xf64>) -> tensor<9x24x2xf64>
    %46 = stablehlo.subtract %44, %45 : tensor<9x24x2xf64>
    %47 = chlo.square %46 : tensor<9x24x2xf64> -> tensor<9x24x2xf64>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %48 = stablehlo.reduce(%47 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<9x24x2xf64>, tensor<f64>) -> tensor<9x24xf64>
    %cst_8 = stablehlo.constant dense<-5.000000e-01> : tensor<f64>
    %49 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<9x24xf64>
    %50 = stablehlo.multiply %49, %48 : tensor<9x24xf64>
    %51 = stablehlo.multiply %4, %4 : tensor<f64>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %52 = stablehlo.multiply %cst_9, %4 : tensor<f64>
    %53 = stablehlo.broadcast_in_dim %51, dims = [] : (tensor<f64>) -> tensor<9x24xf64>
    %54 = stablehlo.divide %50, %53 : tensor<9x24xf64>
    %55 = stablehlo.multiply %51, %51 : tensor<f64>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %56 = stablehlo.divide %cst_10, %55 : tensor<f64>
    %57 = stablehlo.exponential %54 : tensor<9x24xf64>
    %58 = stablehlo.transpose %57, dims = [1, 0] : (tensor<9x24xf64>) -> tensor<24x9xf64>
    %59:3 = call @_solve_triangular(%32#0, %58) : (tensor<24x24xf64>, tensor<24x9xf64>) -> (tensor<24x9xf64>, tensor<24x24xi1>, tensor<24x24xf64>)
    %60 = stablehlo.dot_general %57, %33#0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<9x24xf64>, tensor<24xf64>) -> tensor<9xf64>
    %61 = chlo.square %59#0 : tensor<24x9xf64> -> tensor<24x9xf64>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %62 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<24x9xf64>
    %63 = stablehlo.multiply %62, %59#0 : tensor<24x9xf64>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %64 = stablehlo.reduce(%61 init: %cst_12) applies stablehlo.add across dimensions = [0] : (tensor<24x9xf64>, tensor<f64>) -> tensor<9xf64>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %65 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<9xf64>
    %66 = stablehlo.subtract %65, %64 : tensor<9xf64>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %67 = stablehlo.negate %cst_14 : tensor<f64>
    %68 = stablehlo.broadcast_in_dim %67, dims = [] : (tensor<f64>) -> tensor<24xf64>
    %69 = stablehlo.divide %68, %37#0 : tensor<24xf64>
    %70 = call @diagonal_0(%37#1, %37#2, %37#3, %69) : (tensor<i32>, tensor<24x24xf64>, tensor<24x2xi32>, tensor<24xf64>) -> tensor<24x24xf64>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %71 = stablehlo.dot_general %cst_15, %35, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<f64>, tensor<24xf64>) -> tensor<24xf64>
    %72 = call @_cho_solve_1(%33#1, %33#2, %33#3, %32#0, %33#4, %33#5, %33#6, %71) : (tensor<24x24xi1>, tensor<24x24xf64>, tensor<24x1xf64>, tensor<24x24xf64>, tensor<24x24xi1>, tensor<24x24xf64>, tensor<24x1xf64>, tensor<24xf64>) -> tensor<24x24xf64>
    %73 = stablehlo.add %70, %72 : tensor<24x24xf64>
    %74 = call @cholesky_2(%32#1, %32#2, %32#3, %32#4, %32#5, %32#6, %73) : (tensor<24x24xf64>, tensor<24x24xi1>, tensor<24x24xf64>, tensor<24x24xf64>, tensor<24x24xi1>, tensor<24x24xf64>, tensor<24x24xf64>) -> tensor<24x24xf64>
    %75 = stablehlo.multiply %74, %28 : tensor<24x24xf64>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %76 = stablehlo.reduce(%75 init: %cst_16) applies stablehlo.add across dimensions = [0, 1] : (tensor<24x24xf64>, tensor<f64>) -> tensor<f64>
    %77 = stablehlo.multiply %74, %22 : tensor<24x24xf64>
    %78 = stablehlo.broadcast_in_dim %21, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    %79 = stablehlo.multiply %77, %78 : tensor<24x24xf64>
    %80 = stablehlo.multiply %79, %15 : tensor<24x24xf64>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %81 = stablehlo.reduce(%80 init: %cst_17) applies stablehlo.add across dimensions = [0, 1] : (tensor<24x24xf64>, tensor<f64>) -> tensor<f64>
    %82 = stablehlo.negate %81 : tensor<f64>
    %83 = stablehlo.multiply %82, %17 : tensor<f64>
    %84 = stablehlo.broadcast_in_dim %76, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %85 = stablehlo.pad %84, %cst_18, low = [1], high = [0], interior = [0] : (tensor<1xf64>, tensor<f64>) -> tensor<2xf64>
    %86 = stablehlo.broadcast_in_dim %83, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %87 = stablehlo.pad %86, %cst_19, low = [0], high = [1], interior = [0] : (tensor<1xf64>, tensor<f64>) -> tensor<2xf64>
    %88 = stablehlo.add %85, %87 : tensor<2xf64>
    %89 = stablehlo.multiply %88, %2 : tensor<2xf64>
    %cst_20 = stablehlo.constant dense<2.000000e-01> : tensor<f64>
    %90 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %91 = stablehlo.multiply %89, %90 : tensor<2xf64>
    return %41, %60, %66, %91 : tensor<f64>, tensor<9xf64>, tensor<9xf64>, tensor<2xf64>
  }
  func.func private @cholesky(%arg0: tensor<24x24xf64>) -> (tensor<24x24xf64>, tensor<24x24xf64>, tensor<24x24xi1>, tensor<24x24xf64>, tensor<24x24xf64>, tensor<24x24xi1>, tensor<24x24xf64>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<24x24xf64>) -> tensor<24x24xf64>
    %1 = stablehlo.add %arg0, %0 : tensor<24x24xf64>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    %3 = stablehlo.divide %1, %2 : tensor<24x24xf64>
    %4 = stablehlo.cholesky %3, lower = true : tensor<24x24xf64>
    %5 = stablehlo.iota dim = 0 : tensor<24x24xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<24x24xi64>
    %7 = stablehlo.add %5, %6 : tensor<24x24xi64>
    %8 = stablehlo.iota dim = 1 : tensor<24x24xi64>
    %9 = stablehlo.compare GE, %7, %8, SIGNED : (tensor<24x24xi64>, tensor<24x24xi64>) -> tensor<24x24xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    %11 = stablehlo.select %9, %4, %10 : tensor<24x24xi1>, tensor<24x24xf64>
    %12 = stablehlo.iota dim = 0 : tensor<24x24xi64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %13 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<24x24xi64>
    %14 = stablehlo.add %12, %13 : tensor<24x24xi64>
    %15 = stablehlo.iota dim = 1 : tensor<24x24xi64>
    %16 = stablehlo.compare GE, %14, %15, SIGNED : (tensor<24x24xi64>, tensor<24x24xi64>) -> tensor<24x24xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    %18 = stablehlo.iota dim = 0 : tensor<24x24xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<24x24xi32>
    %20 = stablehlo.add %18, %19 : tensor<24x24xi32>
    %21 = stablehlo.iota dim = 1 : tensor<24x24xi32>
    %22 = stablehlo.compare EQ, %20, %21, SIGNED : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi1>
    %23 = stablehlo.convert %22 : (tensor<24x24xi1>) -> tensor<24x24xf64>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %24 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    %25 = stablehlo.add %24, %23 : tensor<24x24xf64>
    %26 = stablehlo.iota dim = 0 : tensor<24x24xi64>
    %c_5 = stablehlo.constant dense<0> : tensor<i64>
    %27 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i64>) -> tensor<24x24xi64>
    %28 = stablehlo.add %26, %27 : tensor<24x24xi64>
    %29 = stablehlo.iota dim = 1 : tensor<24x24xi64>
    %30 = stablehlo.compare GE, %28, %29, SIGNED : (tensor<24x24xi64>, tensor<24x24xi64>) -> tensor<24x24xi1>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    %32 = stablehlo.select %30, %11, %31 : tensor<24x24xi1>, tensor<24x24xf64>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %33 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    return %32, %11, %16, %17, %25, %30, %33 : tensor<24x24xf64>, tensor<24x24xf64>, tensor<24x24xi1>, tensor<24x24xf64>, tensor<24x24xf64>, tensor<24x24xi1>, tensor<24x24xf64>
  }
  func.func private @_cho_solve(%arg0: tensor<24x24xf64>, %arg1: tensor<24xf64>) -> (tensor<24xf64>, tensor<24x24xi1>, tensor<24x24xf64>, tensor<24x1xf64>, tensor<24x24xi1>, tensor<24x24xf64>, tensor<24x1xf64>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<24xf64>) -> tensor<24x1xf64>
    %1 = "stablehlo.triangular_solve"(%arg0, %0) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<24x24xf64>, tensor<24x1xf64>) -> tensor<24x1xf64>
    %2 = stablehlo.iota dim = 0 : tensor<24x24xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<24x24xi64>
    %4 = stablehlo.add %2, %3 : tensor<24x24xi64>
    %5 = stablehlo.iota dim = 1 : tensor<24x24xi64>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<24x24xi64>, tensor<24x24xi64>) -> tensor<24x24xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    %8 = stablehlo.reshape %1 : (tensor<24x1xf64>) -> tensor<24xf64>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<24xf64>) -> tensor<24x1xf64>
    %10 = "stablehlo.triangular_solve"(%arg0, %9) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<24x24xf64>, tensor<24x1xf64>) -> tensor<24x1xf64>
    %11 = stablehlo.iota dim = 0 : tensor<24x24xi64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %12 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i64>) -> tensor<24x24xi64>
    %13 = stablehlo.add %11, %12 : tensor<24x24xi64>
    %14 = stablehlo.iota dim = 1 : tensor<24x24xi64>
    %15 = stablehlo.compare GE, %13, %14, SIGNED : (tensor<24x24xi64>, tensor<24x24xi64>) -> tensor<24x24xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %16 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    %17 = stablehlo.reshape %10 : (tensor<24x1xf64>) -> tensor<24xf64>
    return %17, %6, %7, %1, %15, %16, %10 : tensor<24xf64>, tensor<24x24xi1>, tensor<24x24xf64>, tensor<24x1xf64>, tensor<24x24xi1>, tensor<24x24xf64>, tensor<24x1xf64>
  }
  func.func private @diagonal(%arg0: tensor<24x24xf64>) -> (tensor<24xf64>, tensor<i32>, tensor<24x24xf64>, tensor<24x2xi32>) {
    %0 = stablehlo.iota dim = 0 : tensor<24x24xi64>
    %1 = stablehlo.iota dim = 1 : tensor<24x24xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<24x24xi64>
    %3 = stablehlo.add %0, %2 : tensor<24x24xi64>
    %4 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<24x24xi64>, tensor<24x24xi64>) -> tensor<24x24xi1>
    %5 = stablehlo.convert %4 : (tensor<24x24xi1>) -> tensor<24x24xf64>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %6 = "stablehlo.case"(%c_0) ({
      %c_1 = stablehlo.constant dense<0> : tensor<i32>
      stablehlo.return %c_1 : tensor<i32>
    }, {
      %c_1 = stablehlo.constant dense<0> : tensor<i32>
      stablehlo.return %c_1 : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    %7:3 = "stablehlo.case"(%6) ({
      %8 = stablehlo.iota dim = 0 : tensor<24xi64>
      %9 = stablehlo.iota dim = 0 : tensor<24xi64>
      %c_1 = stablehlo.constant dense<0> : tensor<i64>
      %10 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<24xi64>
      %11 = stablehlo.compare LT, %8, %10, SIGNED : (tensor<24xi64>, tensor<24xi64>) -> tensor<24xi1>
      %c_2 = stablehlo.constant dense<24> : tensor<i64>
      %12 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i64>) -> tensor<24xi64>
      %13 = stablehlo.add %8, %12 : tensor<24xi64>
      %14 = stablehlo.select %11, %13, %8 : tensor<24xi1>, tensor<24xi64>
      %c_3 = stablehlo.constant dense<0> : tensor<i64>
      %15 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i64>) -> tensor<24xi64>
      %16 = stablehlo.compare LT, %9, %15, SIGNED : (tensor<24xi64>, tensor<24xi64>) -> tensor<24xi1>
      %c_4 = stablehlo.constant dense<24> : tensor<i64>
      %17 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i64>) -> tensor<24xi64>
      %18 = stablehlo.add %9, %17 : tensor<24xi64>
      %19 = stablehlo.select %16, %18, %9 : tensor<24xi1>, tensor<24xi64>
      %20 = stablehlo.convert %14 : (tensor<24xi64>) -> tensor<24xi32>
      %21 = stablehlo.convert %19 : (tensor<24xi64>) -> tensor<24xi32>
      %22 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<24xi32>) -> tensor<24x1xi32>
      %23 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<24xi32>) -> tensor<24x1xi32>
      %24 = stablehlo.concatenate %22, %23, dim = 1 : (tensor<24x1xi32>, tensor<24x1xi32>) -> tensor<24x2xi32>
      %25 = "stablehlo.gather"(%arg0, %24) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<24x24xf64>, tensor<24x2xi32>) -> tensor<24xf64>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %26 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
      stablehlo.return %25, %26, %24 : tensor<24xf64>, tensor<24x24xf64>, tensor<24x2xi32>
    }) : (tensor<i32>) -> (tensor<24xf64>, tensor<24x24xf64>, tensor<24x2xi32>)
    return %7#0, %c_0, %7#1, %7#2 : tensor<24xf64>, tensor<i32>, tensor<24x24xf64>, tensor<24x2xi32>
  }
  func.func private @_solve_triangular(%arg0: tensor<24x24xf64>, %arg1: tensor<24x9xf64>) -> (tensor<24x9xf64>, tensor<24x24xi1>, tensor<24x24xf64>) {
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<24x24xf64>, tensor<24x9xf64>) -> tensor<24x9xf64>
    %1 = stablehlo.iota dim = 0 : tensor<24x24xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<24x24xi64>
    %3 = stablehlo.add %1, %2 : tensor<24x24xi64>
    %4 = stablehlo.iota dim = 1 : tensor<24x24xi64>
    %5 = stablehlo.compare GE, %3, %4, SIGNED : (tensor<24x24xi64>, tensor<24x24xi64>) -> tensor<24x24xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    return %0, %5, %6 : tensor<24x9xf64>, tensor<24x24xi1>, tensor<24x24xf64>
  }
  func.func private @diagonal_0(%arg0: tensor<i32>, %arg1: tensor<24x24xf64>, %arg2: tensor<24x2xi32>, %arg3: tensor<24xf64>) -> tensor<24x24xf64> {
    %0 = "stablehlo.case"(%arg0) ({
      %c = stablehlo.constant dense<0> : tensor<i32>
      stablehlo.return %c : tensor<i32>
    }, {
      %c = stablehlo.constant dense<0> : tensor<i32>
      stablehlo.return %c : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.case"(%0) ({
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
      %3 = "stablehlo.scatter"(%2, %arg2, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
        %4 = stablehlo.add %arg4, %arg5 : tensor<f64>
        stablehlo.return %4 : tensor<f64>
      }) : (tensor<24x24xf64>, tensor<24x2xi32>, tensor<24xf64>) -> tensor<24x24xf64>
      stablehlo.return %3 : tensor<24x24xf64>
    }) : (tensor<i32>) -> tensor<24x24xf64>
    return %1 : tensor<24x24xf64>
  }
  func.func private @_cho_solve_1(%arg0: tensor<24x24xi1>, %arg1: tensor<24x24xf64>, %arg2: tensor<24x1xf64>, %arg3: tensor<24x24xf64>, %arg4: tensor<24x24xi1>, %arg5: tensor<24x24xf64>, %arg6: tensor<24x1xf64>, %arg7: tensor<24xf64>) -> tensor<24x24xf64> {
    %0 = stablehlo.broadcast_in_dim %arg7, dims = [0] : (tensor<24xf64>) -> tensor<24x1xf64>
    %1 = "stablehlo.triangular_solve"(%arg3, %0) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<24x24xf64>, tensor<24x1xf64>) -> tensor<24x1xf64>
    %2 = "stablehlo.triangular_solve"(%arg3, %0) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<24x24xf64>, tensor<24x1xf64>) -> tensor<24x1xf64>
    %3 = stablehlo.dot_general %2, %arg6, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<24x1xf64>, tensor<24x1xf64>) -> tensor<24x24xf64>
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<24x24xf64>) -> tensor<24x24xf64>
    %5 = stablehlo.negate %4 : tensor<24x24xf64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    %7 = stablehlo.select %arg4, %5, %6 : tensor<24x24xi1>, tensor<24x24xf64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %8 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<24x1xf64>, tensor<f64>) -> tensor<24xf64>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<24xf64>) -> tensor<24x1xf64>
    %10 = "stablehlo.triangular_solve"(%arg3, %9) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<24x24xf64>, tensor<24x1xf64>) -> tensor<24x1xf64>
    %11 = stablehlo.dot_general %10, %arg2, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<24x1xf64>, tensor<24x1xf64>) -> tensor<24x24xf64>
    %12 = stablehlo.negate %11 : tensor<24x24xf64>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    %14 = stablehlo.select %arg0, %12, %13 : tensor<24x24xi1>, tensor<24x24xf64>
    %15 = stablehlo.add %7, %14 : tensor<24x24xf64>
    return %15 : tensor<24x24xf64>
  }
  func.func private @cholesky_2(%arg0: tensor<24x24xf64>, %arg1: tensor<24x24xi1>, %arg2: tensor<24x24xf64>, %arg3: tensor<24x24xf64>, %arg4: tensor<24x24xi1>, %arg5: tensor<24x24xf64>, %arg6: tensor<24x24xf64>) -> tensor<24x24xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    %1 = stablehlo.select %arg4, %arg6, %0 : tensor<24x24xi1>, tensor<24x24xf64>
    %2 = stablehlo.dot_general %1, %arg0, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<24x24xf64>, tensor<24x24xf64>) -> tensor<24x24xf64>
    %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<24x24xf64>) -> tensor<24x24xf64>
    %4 = stablehlo.divide %3, %arg3 : tensor<24x24xf64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    %6 = stablehlo.select %arg1, %4, %5 : tensor<24x24xi1>, tensor<24x24xf64>
    %7 = "stablehlo.triangular_solve"(%arg0, %6) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<24x24xf64>, tensor<24x24xf64>) -> tensor<24x24xf64>
    %8 = "stablehlo.triangular_solve"(%arg0, %7) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<24x24xf64>, tensor<24x24xf64>) -> tensor<24x24xf64>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<24x24xf64>
    %10 = stablehlo.divide %8, %9 : tensor<24x24xf64>
    %11 = stablehlo.transpose %10, dims = [1, 0] : (tensor<24x24xf64>) -> tensor<24x24xf64>
    %12 = stablehlo.add %10, %11 : tensor<24x24xf64>
    return %12 : tensor<24x24xf64>
  }
}
