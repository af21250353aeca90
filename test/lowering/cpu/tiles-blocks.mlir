// RUN: xla-opt %s --split-input-file --to=kernels=instructions=pmaddwd,vpdpbusd | FileCheck %s
// Blocks of packed columns: wide ones where they are of one size and leave items enough for four cores.

// CHECK: #xla_rt.tiles<1024x1024x1024, m d0 258, n d1 256, k d2 1024,
func.func @equal(%x: tensor<1024x1024xi8>, %y: tensor<1024x1024xi8>) -> tensor<1024x1024xi32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1024x1024xi8>, tensor<1024x1024xi8>) -> tensor<1024x1024xi32>
  return %0 : tensor<1024x1024xi32>
}

// -----

// Nine items are not for two cores alike, twelve are.
// CHECK: #xla_rt.tiles<768x768x768, m d0 258, n d1 192, k d2 768,
func.func @nine(%x: tensor<768x768xi8>, %y: tensor<768x768xi8>) -> tensor<768x768xi32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<768x768xi8>, tensor<768x768xi8>) -> tensor<768x768xi32>
  return %0 : tensor<768x768xi32>
}

// -----

// Four items are too few; of the blocks of 192, the last one would be of 128.
// CHECK: #xla_rt.tiles<512x512x512, m d0 258, n d1 128, k d2 512,
func.func @few(%x: tensor<512x512xi8>, %y: tensor<512x512xi8>) -> tensor<512x512xi32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<512x512xi8>, tensor<512x512xi8>) -> tensor<512x512xi32>
  return %0 : tensor<512x512xi32>
}

// -----

// Bytes of 2048 steps: more columns leave the second-level cache.
// CHECK: #xla_rt.tiles<2048x2048x2048, m d0 258, n d1 128, k d2 2048,
func.func @deep(%x: tensor<2048x2048xi8>, %y: tensor<2048x2048xi8>) -> tensor<2048x2048xi32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2048x2048xi8>, tensor<2048x2048xi8>) -> tensor<2048x2048xi32>
  return %0 : tensor<2048x2048xi32>
}
