// RUN: xla-opt %s --xla-chain-launches --split-input-file | FileCheck %s

// The launches of a kernel of the schedule become one. A block asks for its number; those of the second launch wait
// for all of the first one, and all count themselves. Where any number of threads can do it, blocks have the size of the
// others. Hosts that do the same share a kernel.

// CHECK-LABEL: @a.impl(
// CHECK-SAME:    %[[X:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr, %{{.*}}: index, %{{.*}}: index)
// CHECK:         %[[BLOCKS:.*]] = arith.constant 21 : index
// CHECK:         gpu.launch_func @kernels::@a_chain blocks in (%[[BLOCKS]], %{{.*}}) threads in (%c256{{[_0-9]*}}, %{{.*}}) args(%[[X]] : !llvm.ptr, %[[Y]] : !llvm.ptr)
// CHECK-SAME:    {xla_rt.chain = [{blocks = 16 : i64, kernel = "first"}, {blocks = 5 : i64, kernel = "second"}]}
// CHECK-NEXT:    return
// CHECK-LABEL: @b.impl(
// CHECK:         gpu.launch_func @kernels::@a_chain
// CHECK-NEXT:    return
// CHECK-LABEL: gpu.module @kernels
// CHECK-DAG:     llvm.mlir.global internal @a_chain_flag() {addr_space = 3 : i32, {{.*}}} : i32
// CHECK-DAG:     llvm.mlir.global internal @a_chain_arrived(dense<0> : tensor<2xi32>) {addr_space = 1 : i32
// CHECK-NOT:     gpu.func @first
// CHECK:         gpu.func @a_chain(%[[X:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr) kernel attributes {known_block_size = array<i32: 256, 1, 1>, nvvm.minctasm = 1 : i32}
// CHECK:           %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// CHECK:           %[[FLAG:.*]] = llvm.mlir.addressof @a_chain_flag
// CHECK:           scf.if %[[FIRST]] {
// CHECK:             %[[MOST:.*]] = arith.constant 20 : i32
// CHECK:             %[[BEGUN:.*]] = llvm.getelementptr %{{.*}}[0]
// CHECK:             %[[MINE:.*]] = llvm.atomicrmw uinc_wrap %[[BEGUN]], %[[MOST]] syncscope("device") monotonic
// CHECK:             llvm.store %[[MINE]], %[[FLAG]]
// CHECK:           }
// CHECK-NEXT:      gpu.barrier
// CHECK:           %[[NUMBER:.*]] = arith.index_castui %{{.*}} : i32 to index
// CHECK:           %[[IS:.*]] = arith.cmpi ult, %[[NUMBER]], %{{.*}} : index
// CHECK:           scf.if %[[IS]] {
// CHECK-NOT:         atomic
// CHECK:             gpu.barrier
// CHECK:             llvm.store {{.*}}, %[[Y]]
// CHECK:           } else {
// CHECK:             %[[BEFORE:.*]] = arith.constant 16 : index
// CHECK:             scf.if %[[FIRST]] {
// CHECK:               %[[DONE:.*]] = llvm.getelementptr %{{.*}}[1]
// CHECK:               %[[WANTED:.*]] = arith.index_cast %[[BEFORE]] : index to i32
// CHECK:               scf.while
// CHECK:                 %[[THERE:.*]] = llvm.load %[[DONE]] atomic syncscope("device") monotonic
// CHECK:                 %[[LACKS:.*]] = arith.cmpi ult, %[[THERE]], %[[WANTED]] : i32
// CHECK:                 scf.condition(%[[LACKS]])
// CHECK:               llvm.fence syncscope("device") acq_rel
// CHECK:             }
// CHECK-NEXT:        gpu.barrier
// CHECK:             arith.subi %[[NUMBER]], %[[BEFORE]] : index
// CHECK:             llvm.load %[[Y]]
// CHECK:           }
// CHECK:           gpu.barrier
// CHECK-NEXT:      scf.if %[[FIRST]] {
// CHECK-NEXT:        llvm.fence syncscope("device") acq_rel
// CHECK:             llvm.atomicrmw uinc_wrap
// CHECK:           gpu.return
module attributes {gpu.container_module} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @a(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = call @b(%0) : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @a(tensor<4xf32>) -> tensor<4xf32> attributes {
      xla_rt.kernel = #xla_rt.kernel<library>, xla_rt.implementation = #xla_rt.implementation<@a.impl>}
  func.func private @b(tensor<4xf32>) -> tensor<4xf32> attributes {
      xla_rt.kernel = #xla_rt.kernel<library>, xla_rt.implementation = #xla_rt.implementation<@b.impl>}
  func.func private @a.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) attributes {xla_rt.launches} {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c10 = arith.constant 10 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    gpu.launch_func @kernels::@first blocks in (%c16, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : !llvm.ptr, %y : !llvm.ptr)
    gpu.launch_func @kernels::@second blocks in (%c10, %c1, %c1) threads in (%c128, %c1, %c1) args(%y : !llvm.ptr)
    return
  }
  func.func private @b.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) attributes {xla_rt.launches} {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c10 = arith.constant 10 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    gpu.launch_func @kernels::@first blocks in (%c16, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : !llvm.ptr, %y : !llvm.ptr)
    gpu.launch_func @kernels::@second blocks in (%c10, %c1, %c1) threads in (%c128, %c1, %c1) args(%y : !llvm.ptr)
    return
  }
  gpu.module @kernels {
    gpu.func @first(%x: !llvm.ptr, %y: !llvm.ptr) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %0 = llvm.load %x : !llvm.ptr -> f32
      gpu.barrier
      llvm.store %0, %y : f32, !llvm.ptr
      gpu.return
    }
    gpu.func @second(%y: !llvm.ptr) kernel {
      %block = gpu.block_id x
      %size = gpu.block_dim x
      %thread = gpu.thread_id x
      %begin = arith.muli %block, %size : index
      %number = arith.addi %begin, %thread : index
      %c1200 = arith.constant 1200 : index
      %is = arith.cmpi ult, %number, %c1200 : index
      scf.if %is {
        %0 = llvm.load %y : !llvm.ptr -> f32
        llvm.store %0, %y : f32, !llvm.ptr
      }
      gpu.return
    }
  }
}

// -----

// Launches of one kernel are its code once, with a table: where their blocks begin, how many there are, whose they
// are, and what is given to them.
// CHECK-LABEL: @a.impl(
// CHECK:         xla_rt.chain = [{blocks = 4 : i64, kernel = "step"}, {blocks = 3 : i64, kernel = "step"}, {blocks = 2 : i64, kernel = "step"}]
// CHECK:         @a_chain_table(dense<[0, 4, 7, 2147483647, 4, 3, 2, 0, 0, 0, 0, 0, 5, 6, 7, 0]> : tensor<16xi64>)
// CHECK:         gpu.func @a_chain(%[[X:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr) kernel
// CHECK-COUNT-2:   arith.select
// CHECK:           gpu.barrier
// CHECK:           llvm.store %{{.*}}, %[[X]] : i64
// CHECK-NOT:       llvm.store {{.*}}, %[[X]]
// CHECK:           gpu.return
module attributes {gpu.container_module} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @a(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @a(tensor<4xf32>) -> tensor<4xf32> attributes {
      xla_rt.kernel = #xla_rt.kernel<library>, xla_rt.implementation = #xla_rt.implementation<@a.impl, results = [updates 0]>}
  func.func private @a.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) attributes {xla_rt.launches} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %0 = arith.constant 5 : i64
    %1 = arith.constant 6 : i64
    %2 = arith.constant 7 : i64
    gpu.launch_func @kernels::@step blocks in (%c4, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : !llvm.ptr, %0 : i64)
    gpu.launch_func @kernels::@step blocks in (%c3, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : !llvm.ptr, %1 : i64)
    gpu.launch_func @kernels::@step blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : !llvm.ptr, %2 : i64)
    return
  }
  gpu.module @kernels {
    gpu.func @step(%x: !llvm.ptr, %n: i64) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      gpu.barrier
      llvm.store %n, %x : i64, !llvm.ptr
      gpu.return
    }
  }
}

// -----

// Many rounds of blocks would ask for their numbers; others have blocks of another size, or all of a multiprocessor.
// CHECK-LABEL: @rounds.impl(
// CHECK-COUNT-2: gpu.launch_func @kernels::@teams
// CHECK-LABEL: @sizes.impl(
// CHECK:         gpu.launch_func @kernels::@teams
// CHECK:         gpu.launch_func @kernels::@others
// CHECK-LABEL: @whole.impl(
// CHECK:         gpu.launch_func @kernels::@teams
// CHECK:         gpu.launch_func @kernels::@alone
module attributes {gpu.container_module} {
  func.func private @rounds.impl(%x: !llvm.ptr, %begin: index, %end: index) attributes {xla_rt.launches} {
    %c1 = arith.constant 1 : index
    %c10000 = arith.constant 10000 : index
    %c256 = arith.constant 256 : index
    gpu.launch_func @kernels::@teams blocks in (%c10000, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : !llvm.ptr)
    gpu.launch_func @kernels::@teams blocks in (%c10000, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : !llvm.ptr)
    return
  }
  func.func private @sizes.impl(%x: !llvm.ptr, %begin: index, %end: index) attributes {xla_rt.launches} {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    gpu.launch_func @kernels::@teams blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : !llvm.ptr)
    gpu.launch_func @kernels::@others blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : !llvm.ptr)
    return
  }
  func.func private @whole.impl(%x: !llvm.ptr, %begin: index, %end: index) attributes {xla_rt.launches} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c256 = arith.constant 256 : index
    gpu.launch_func @kernels::@teams blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : !llvm.ptr)
    gpu.launch_func @kernels::@alone blocks in (%c2, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : !llvm.ptr)
    return
  }
  gpu.module @kernels {
    gpu.func @teams(%x: !llvm.ptr) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      gpu.barrier
      gpu.return
    }
    gpu.func @others(%x: !llvm.ptr) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      gpu.barrier
      gpu.return
    }
    gpu.func @alone(%x: !llvm.ptr) kernel attributes {known_block_size = array<i32: 256, 1, 1>, nvvm.minctasm = 1 : i32} {
      gpu.barrier
      gpu.return
    }
  }
}

// -----

// What threads take of registers leaves few of them there at a time. Any number of threads could do the second launch,
// but those of a chain would do it one turn behind the other, which takes longer than a launch.
// CHECK-LABEL: @few.impl(
// CHECK:         gpu.launch_func @kernels::@product
// CHECK:         gpu.launch_func @kernels::@fold
// CHECK-LABEL: @many.impl(
// CHECK:         gpu.launch_func @kernels::@many_chain
// CHECK-SAME:    {blocks = 128 : i64, kernel = "small"}, {blocks = 256 : i64, kernel = "fold"}
// CHECK-NEXT:    return
module attributes {gpu.container_module} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @few(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = call @many(%0) : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @few(tensor<4xf32>) -> tensor<4xf32> attributes {
      xla_rt.kernel = #xla_rt.kernel<library>, xla_rt.implementation = #xla_rt.implementation<@few.impl>}
  func.func private @many(tensor<4xf32>) -> tensor<4xf32> attributes {
      xla_rt.kernel = #xla_rt.kernel<library>, xla_rt.implementation = #xla_rt.implementation<@many.impl>}
  func.func private @few.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) attributes {xla_rt.launches} {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    gpu.launch_func @kernels::@product blocks in (%c128, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : !llvm.ptr)
    gpu.launch_func @kernels::@fold blocks in (%c512, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : !llvm.ptr)
    return
  }
  func.func private @many.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) attributes {xla_rt.launches} {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    gpu.launch_func @kernels::@small blocks in (%c128, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : !llvm.ptr)
    gpu.launch_func @kernels::@fold blocks in (%c512, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : !llvm.ptr)
    return
  }
  gpu.module @kernels {
    gpu.func @product(%x: !llvm.ptr) kernel attributes {known_block_size = array<i32: 256, 1, 1>, xla_rt.registers = 192 : i64} {
      gpu.barrier
      gpu.return
    }
    gpu.func @small(%x: !llvm.ptr) kernel attributes {known_block_size = array<i32: 256, 1, 1>, xla_rt.registers = 100 : i64} {
      gpu.barrier
      gpu.return
    }
    gpu.func @fold(%x: !llvm.ptr) kernel {
      %block = gpu.block_id x
      %size = gpu.block_dim x
      %0 = arith.muli %block, %size : index
      %thread = gpu.thread_id x
      %number = arith.addi %0, %thread : index
      %count = arith.constant 131072 : index
      %is = arith.cmpi ult, %number, %count : index
      scf.if %is {
        %1 = arith.index_cast %number : index to i64
        %place = llvm.getelementptr %x[%1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %2 = llvm.load %place : !llvm.ptr -> f32
        llvm.store %2, %place : f32, !llvm.ptr
      }
      gpu.return
    }
  }
}

// -----

// The assembler gives threads of a chain other registers than those of a launch alone, and so a multiprocessor another
// number of blocks at a time. Nine for each, of which the last is alone or not, may lose more than a launch if they take
// long; eight, or nine that take no time, or one for each, do not.
// CHECK-LABEL: @long.impl(
// CHECK:         gpu.launch_func @kernels::@long
// CHECK:         gpu.launch_func @kernels::@small
// CHECK-LABEL: @short.impl(
// CHECK:         xla_rt.chain = [{blocks = 1134 : i64, kernel = "short"}, {blocks = 16 : i64, kernel = "small"}]
// CHECK-LABEL: @even.impl(
// CHECK:         xla_rt.chain = [{blocks = 132 : i64, kernel = "long"}, {blocks = 16 : i64, kernel = "small"}]
module attributes {gpu.container_module} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @long(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = call @short(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = call @even(%1) : (tensor<4xf32>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  func.func private @long(tensor<4xf32>) -> tensor<4xf32> attributes {
      xla_rt.kernel = #xla_rt.kernel<library>, xla_rt.implementation = #xla_rt.implementation<@long.impl>}
  func.func private @short(tensor<4xf32>) -> tensor<4xf32> attributes {
      xla_rt.kernel = #xla_rt.kernel<library>, xla_rt.implementation = #xla_rt.implementation<@short.impl>}
  func.func private @even(tensor<4xf32>) -> tensor<4xf32> attributes {
      xla_rt.kernel = #xla_rt.kernel<library>, xla_rt.implementation = #xla_rt.implementation<@even.impl>}
  func.func private @long.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) attributes {xla_rt.launches} {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c128 = arith.constant 128 : index
    %c1134 = arith.constant 1134 : index
    gpu.launch_func @kernels::@long blocks in (%c1134, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : !llvm.ptr)
    gpu.launch_func @kernels::@small blocks in (%c16, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : !llvm.ptr)
    return
  }
  func.func private @short.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) attributes {xla_rt.launches} {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c128 = arith.constant 128 : index
    %c1134 = arith.constant 1134 : index
    gpu.launch_func @kernels::@short blocks in (%c1134, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : !llvm.ptr)
    gpu.launch_func @kernels::@small blocks in (%c16, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : !llvm.ptr)
    return
  }
  func.func private @even.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) attributes {xla_rt.launches} {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c128 = arith.constant 128 : index
    %c132 = arith.constant 132 : index
    gpu.launch_func @kernels::@long blocks in (%c132, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : !llvm.ptr)
    gpu.launch_func @kernels::@small blocks in (%c16, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : !llvm.ptr)
    return
  }
  gpu.module @kernels {
    gpu.func @long(%x: !llvm.ptr) kernel attributes {known_block_size = array<i32: 128, 1, 1>, xla_rt.registers = 112 : i64, xla_rt.clocks = 100000 : i64} {
      gpu.barrier
      gpu.return
    }
    gpu.func @short(%x: !llvm.ptr) kernel attributes {known_block_size = array<i32: 128, 1, 1>, xla_rt.registers = 112 : i64, xla_rt.clocks = 100 : i64} {
      gpu.barrier
      gpu.return
    }
    gpu.func @small(%x: !llvm.ptr) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      gpu.barrier
      gpu.return
    }
  }
}
