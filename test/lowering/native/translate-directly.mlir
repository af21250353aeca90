// What is translated without upstream's translation comes out as that makes it.
// RUN: xla-test-translation %s --print | FileCheck %s

// CHECK: the same
// CHECK-DAG: @ones = internal constant <4 x float> splat (float 1.000000e+00), align 64
// CHECK-DAG: @some = internal constant <4 x i32> <i32 1, i32 -2, i32 3, i32 4>
// CHECK-DAG: @bytes = internal constant [3 x i8] c"abc", align 8
// CHECK-DAG: @far = external constant [64 x i8]
// CHECK-DAG: @narrow = internal constant <2 x bfloat> <bfloat 0xR3F80, bfloat 0xR4000>
module attributes {mhlo.num_partitions = 1 : i32} {
  llvm.mlir.global internal constant @ones(dense<1.0> : vector<4xf32>) {alignment = 64 : i64} : vector<4xf32>
  llvm.mlir.global internal constant @some(dense<[1, -2, 3, 4]> : vector<4xi32>) : vector<4xi32>
  llvm.mlir.global internal constant @narrow(dense<[1.0, 2.0]> : vector<2xbf16>) : vector<2xbf16>
  llvm.mlir.global internal constant @bytes("abc") {alignment = 8 : i64}
  llvm.mlir.global external constant @far() {xla_rt.data = dense<0> : tensor<64xi8>} : !llvm.array<64 x i8>
  llvm.func @outside(!llvm.ptr, i64) -> f32 attributes {sym_visibility = "private"}

  llvm.func internal @integers(%x: i64, %y: i64, %v: vector<4xi32>) -> i1 attributes {xla_rt.task} {
    %0 = llvm.add %x, %y overflow<nsw, nuw> : i64
    %1 = llvm.sub %0, %y overflow<nsw> : i64
    %2 = llvm.mul %1, %y : i64
    %3 = llvm.udiv exact %2, %y : i64
    %4 = llvm.sdiv %3, %y : i64
    %5 = llvm.urem %4, %y : i64
    %6 = llvm.srem %5, %y : i64
    %7 = llvm.and %6, %y : i64
    %8 = llvm.or %7, %y : i64
    %9 = llvm.xor %8, %y : i64
    %10 = llvm.shl %9, %y overflow<nuw> : i64
    %11 = llvm.lshr %10, %y : i64
    %12 = llvm.ashr exact %11, %y : i64
    %13 = llvm.intr.smin(%12, %y) : (i64, i64) -> i64
    %14 = llvm.intr.umax(%13, %y) : (i64, i64) -> i64
    %15 = llvm.intr.fshl(%14, %y, %x) : (i64, i64, i64) -> i64
    %16 = llvm.intr.ctpop(%15) : (i64) -> i64
    %17 = llvm.trunc %16 overflow<nsw> : i64 to i8
    %18 = llvm.zext nneg %17 : i8 to i32
    %19 = llvm.sext %18 : i32 to i64
    %20 = llvm.intr.smax(%v, %v) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
    %21 = llvm.intr.umin(%20, %v) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
    %22 = "llvm.intr.vector.reduce.add"(%21) : (vector<4xi32>) -> i32
    %23 = "llvm.intr.vector.reduce.smax"(%21) : (vector<4xi32>) -> i32
    %24 = "llvm.intr.vector.reduce.smin"(%21) : (vector<4xi32>) -> i32
    %25 = "llvm.intr.vector.reduce.and"(%21) : (vector<4xi32>) -> i32
    %26 = "llvm.intr.vector.reduce.or"(%21) : (vector<4xi32>) -> i32
    %27 = llvm.icmp "eq" %22, %23 : i32
    %28 = llvm.icmp "ne" %24, %25 : i32
    %29 = llvm.icmp "ult" %26, %18 : i32
    %30 = llvm.icmp "sge" %19, %x : i64
    %31 = llvm.select %27, %28, %29 : i1, i1
    %32 = llvm.select %31, %30, %27 : i1, i1
    llvm.return %32 : i1
  }

  // Constants are folded while instructions are made.
  llvm.func @constants(%p: !llvm.ptr) -> i64 {
    %0 = llvm.mlir.constant(40 : i64) : i64
    %1 = llvm.mlir.constant(2 : i64) : i64
    %2 = llvm.add %0, %1 : i64
    %3 = llvm.mlir.constant(0.5 : f16) : f16
    llvm.store %3, %p {alignment = 2 : i64} : f16, !llvm.ptr
    %4 = llvm.mlir.constant(dense<[true, false]> : vector<2xi1>) : vector<2xi1>
    %5 = llvm.mlir.poison : vector<2xf64>
    %6 = llvm.mlir.zero : vector<2xf64>
    %7 = llvm.mlir.undef : vector<2xf64>
    %8 = llvm.select %4, %6, %7 : vector<2xi1>, vector<2xf64>
    %9 = llvm.fadd %8, %5 : vector<2xf64>
    llvm.store %9, %p : vector<2xf64>, !llvm.ptr
    llvm.return %2 : i64
  }

  llvm.func @floats(%x: f32, %v: vector<4xf32>, %d: f64) -> f64 {
    %0 = llvm.fadd %x, %x {fastmathFlags = #llvm.fastmath<reassoc, contract>} : f32
    %1 = llvm.fsub %0, %x : f32
    %2 = llvm.fmul %1, %x {fastmathFlags = #llvm.fastmath<fast>} : f32
    %3 = llvm.fdiv %2, %x {fastmathFlags = #llvm.fastmath<arcp, nnan, ninf, nsz, afn>} : f32
    %4 = llvm.fneg %3 : f32
    %5 = llvm.intr.fma(%4, %x, %x) : (f32, f32, f32) -> f32
    %6 = llvm.intr.fabs(%5) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
    %7 = llvm.intr.sqrt(%6) : (f32) -> f32
    %8 = llvm.intr.copysign(%7, %x) : (f32, f32) -> f32
    %9 = llvm.intr.roundeven(%8) : (f32) -> f32
    %10 = llvm.intr.maximum(%9, %x) : (f32, f32) -> f32
    %11 = llvm.intr.minimum(%10, %x) : (f32, f32) -> f32
    %12 = llvm.intr.maxnum(%11, %x) : (f32, f32) -> f32
    %13 = llvm.intr.minnum(%12, %x) : (f32, f32) -> f32
    %14 = llvm.intr.fma(%v, %v, %v) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
    %15 = llvm.intr.fma(%14, %v, %v) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
    %16 = "llvm.intr.vector.reduce.fadd"(%13, %15) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<4xf32>) -> f32
    %17 = "llvm.intr.vector.reduce.fmul"(%16, %15) : (f32, vector<4xf32>) -> f32
    %18 = llvm.fcmp "oeq" %17, %x : f32
    %19 = llvm.fcmp "uno" %17, %x {fastmathFlags = #llvm.fastmath<nnan>} : f32
    %20 = llvm.or %18, %19 : i1
    %21 = llvm.select %20, %17, %x {fastmathFlags = #llvm.fastmath<nsz>} : i1, f32
    %22 = llvm.fpext %21 : f32 to f64
    %23 = llvm.fptosi %22 : f64 to i32
    %24 = llvm.sitofp %23 : i32 to f64
    %25 = llvm.fptoui %24 : f64 to i32
    %26 = llvm.uitofp %25 : i32 to f64
    %27 = llvm.fptrunc %26 : f64 to f32
    %28 = llvm.bitcast %27 : f32 to i32
    %29 = llvm.uitofp nneg %28 : i32 to f64
    %30 = llvm.fadd %29, %d : f64
    llvm.return %30 : f64
  }

  llvm.func @vectors(%x: f32, %v: vector<4xf32>, %i: i64) -> vector<8xf32> {
    %0 = llvm.insertelement %x, %v[%i : i64] : vector<4xf32>
    %1 = llvm.extractelement %0[%i : i64] : vector<4xf32>
    %2 = llvm.insertelement %1, %0[%i : i64] : vector<4xf32>
    %3 = llvm.shufflevector %2, %v [0, 1, 2, 3, 4, 5, 6, -1] : vector<4xf32>
    %4 = llvm.intr.vector.insert %v, %3[4] : vector<4xf32> into vector<8xf32>
    %5 = llvm.intr.vector.extract %4[0] : vector<4xf32> from vector<8xf32>
    %6 = llvm.intr.vector.insert %5, %4[0] : vector<4xf32> into vector<8xf32>
    llvm.return %6 : vector<8xf32>
  }

  llvm.func @memory(%p: !llvm.ptr, %i: i64, %n: i64) -> !llvm.struct<(i64, ptr)> {
    %0 = llvm.mlir.constant(3 : i64) : i64
    %1 = llvm.alloca %0 x vector<4xf32> {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %2 = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3 = llvm.getelementptr inbounds %2[1, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x f32>
    %4 = llvm.getelementptr %3[2, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, ptr)>
    %5 = llvm.load %4 {alignment = 4 : i64, nontemporal} : !llvm.ptr -> vector<4xf32>
    %6 = llvm.load %1 : !llvm.ptr -> vector<4xf32>
    llvm.store %5, %1 {nontemporal} : vector<4xf32>, !llvm.ptr
    %7 = llvm.intr.get.active.lane.mask %i, %n : i64, i64 to vector<4xi1>
    %8 = llvm.intr.masked.load %p, %7, %6 {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    llvm.intr.masked.store %8, %p, %7 {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr
    %9 = llvm.mlir.zero : vector<4xi64>
    %10 = llvm.getelementptr %p[%9] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, f32
    %11 = llvm.intr.masked.gather %10, %7, %8 {alignment = 4 : i32} : (vector<4x!llvm.ptr>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    llvm.intr.masked.scatter %11, %10, %7 {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into vector<4x!llvm.ptr>
    "llvm.intr.memcpy"(%p, %1, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
    "llvm.intr.prefetch"(%p) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
    llvm.call_intrinsic "llvm.x86.sse.sfence"() : () -> ()
    %12 = llvm.ptrtoint %p : !llvm.ptr to i64
    %13 = llvm.inttoptr %12 : i64 to !llvm.ptr
    %14 = llvm.mlir.undef : !llvm.struct<(i64, ptr)>
    %15 = llvm.insertvalue %12, %14[0] : !llvm.struct<(i64, ptr)>
    %16 = llvm.insertvalue %13, %15[1] : !llvm.struct<(i64, ptr)>
    %17 = llvm.extractvalue %16[1] : !llvm.struct<(i64, ptr)>
    %18 = llvm.mlir.addressof @ones : !llvm.ptr
    %19 = llvm.mlir.addressof @control : !llvm.ptr
    llvm.store %18, %17 : !llvm.ptr, !llvm.ptr
    llvm.store %19, %17 : !llvm.ptr, !llvm.ptr
    llvm.return %16 : !llvm.struct<(i64, ptr)>
  }

  // The blocks are not in the order in which they dominate each other.
  llvm.func @control(%p: !llvm.ptr, %n: i64) {
    %0 = llvm.mlir.constant(0 : i64) : i64
    %1 = llvm.call @outside(%p, %n) {fastmathFlags = #llvm.fastmath<nnan>} : (!llvm.ptr, i64) -> f32
    llvm.br ^head(%0, %1 : i64, f32)
  ^exit(%2: i64):
    llvm.call @control(%p, %2) : (!llvm.ptr, i64) -> ()
    llvm.return
  ^body:
    %3 = llvm.add %5, %5 : i64
    %4 = llvm.icmp "slt" %3, %n : i64
    llvm.cond_br %4, ^head(%3, %6 : i64, f32), ^exit(%5 : i64)
  ^head(%5: i64, %6: f32):
    %7 = llvm.icmp "slt" %5, %n : i64
    llvm.cond_br %7, ^body, ^exit(%n : i64)
  }
}

// -----

// CHECK: left to upstream: llvm.load
llvm.func @volatile(%p: !llvm.ptr) -> i64 {
  %0 = llvm.load volatile %p : !llvm.ptr -> i64
  llvm.return %0 : i64
}

// -----

// CHECK: left to upstream: llvm.store
llvm.func @atomic(%p: !llvm.ptr, %x: i64) {
  llvm.store %x, %p atomic release {alignment = 8 : i64} : i64, !llvm.ptr
  llvm.return
}

// -----

// CHECK: left to upstream: llvm.cond_br
llvm.func @two_ways(%p: !llvm.ptr, %x: i1, %y: i64, %z: i64) -> i64 {
  llvm.cond_br %x, ^end(%y : i64), ^end(%z : i64)
^end(%0: i64):
  llvm.return %0 : i64
}

// -----

// CHECK: left to upstream: llvm.cond_br
llvm.func @weights(%x: i1) {
  llvm.cond_br %x weights([1, 2]), ^one, ^two
^one:
  llvm.return
^two:
  llvm.return
}

// -----

// CHECK: left to upstream: llvm.func
llvm.func @attributes(%p: !llvm.ptr {llvm.noalias}) {
  llvm.return
}

// -----

// CHECK: left to upstream: llvm.func
llvm.func fastcc @convention() {
  llvm.return
}

// -----

// CHECK: left to upstream: builtin.module
module attributes {llvm.target_triple = "x86_64-unknown-linux-gnu"} {
  llvm.func @target() {
    llvm.return
  }
}

// -----

// CHECK: left to upstream: llvm.call
llvm.func @callee()
llvm.func @tail() {
  llvm.call tail @callee() : () -> ()
  llvm.return
}

// -----

// CHECK: left to upstream: llvm.call
llvm.func @indirect(%f: !llvm.ptr) {
  llvm.call %f() : !llvm.ptr, () -> ()
  llvm.return
}

// -----

// CHECK: left to upstream: llvm.call_intrinsic
llvm.func @overloaded(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = llvm.call_intrinsic "llvm.ceil.v4f32"(%x) : (vector<4xf32>) -> vector<4xf32>
  llvm.return %0 : vector<4xf32>
}

// -----

// CHECK: left to upstream: llvm.mlir.global
llvm.mlir.global internal thread_local @own(1 : i64) : i64

// -----

// CHECK: left to upstream: llvm.mlir.constant
llvm.func @complex() -> !llvm.struct<(f32, f32)> {
  %0 = llvm.mlir.constant([0.0 : f32, 1.0 : f32]) : !llvm.struct<(f32, f32)>
  llvm.return %0 : !llvm.struct<(f32, f32)>
}

// -----

// CHECK: left to upstream: llvm.atomicrmw
llvm.func @unknown(%p: !llvm.ptr, %x: i64) {
  %0 = llvm.atomicrmw add %p, %x seq_cst : !llvm.ptr, i64
  llvm.return
}
