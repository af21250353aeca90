// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @training_feature(%x: tensor<4x2xf32>, %f: tensor<2xf32>) {
  // expected-error @+1 {{'xla.batch_norm_training' op [BatchNormTraining-C1] feature_index -1 is no dimension of operand 'tensor<4x2xf32>'}}
  %0:3 = "xla.batch_norm_training"(%x, %f, %f) <{epsilon = 0.0 : f32, feature_index = -1 : i64}> : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @training_offset(%x: tensor<4x2xf32>, %f: tensor<2xf32>, %g: tensor<4xf32>) {
  // expected-error @+1 {{'xla.batch_norm_training' op [BatchNormTraining-C2] offset is 'tensor<4xf32>' instead of one element for each of the 2 features of operand 'tensor<4x2xf32>'}}
  %0:3 = "xla.batch_norm_training"(%x, %f, %g) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x2xf32>, tensor<2xf32>, tensor<4xf32>) -> (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @training_integers(%x: tensor<4x2xi32>, %f: tensor<2xi32>) {
  // expected-error @+1 {{'xla.batch_norm_training' op [BatchNormTraining-C3] the element type of operand 'tensor<4x2xi32>' is not floating-point}}
  %0:3 = "xla.batch_norm_training"(%x, %f, %f) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<4x2xi32>, tensor<2xi32>, tensor<2xi32>)
  return
}

// -----

func.func @training_mixed(%x: tensor<4x2xf32>, %f: tensor<2xf64>) {
  // expected-error @+1 {{[BatchNormTraining-C3] the element type of scale 'tensor<2xf64>' is not that of operand 'tensor<4x2xf32>'}}
  %0:3 = "xla.batch_norm_training"(%x, %f, %f) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x2xf32>, tensor<2xf64>, tensor<2xf64>) -> (tensor<4x2xf32>, tensor<2xf64>, tensor<2xf64>)
  return
}

// -----

func.func @training_result(%x: tensor<4x2xf32>, %f: tensor<2xf32>) {
  // expected-error @+1 {{'xla.batch_norm_training' op [BatchNormTraining-C4] result types}}
  %0:3 = "xla.batch_norm_training"(%x, %f, %f) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>, tensor<4xf32>)
  return
}

// -----

func.func @inference_feature(%x: tensor<4x2xf32>, %f: tensor<2xf32>) {
  // expected-error @+1 {{'xla.batch_norm_inference' op [BatchNormInference-C1] feature_index 2 is no dimension of operand 'tensor<4x2xf32>'}}
  %0 = "xla.batch_norm_inference"(%x, %f, %f, %f, %f) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @inference_mean(%x: tensor<4x2xf32>, %f: tensor<2xf32>, %m: tensor<1x2xf32>) {
  // expected-error @+1 {{'xla.batch_norm_inference' op [BatchNormInference-C2] mean is 'tensor<1x2xf32>' instead of one element for each of the 2 features}}
  %0 = "xla.batch_norm_inference"(%x, %f, %f, %m, %f) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<1x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @inference_variance(%x: tensor<4x2xf32>, %f: tensor<2xf32>, %m: tensor<2xbf16>) {
  // expected-error @+1 {{'xla.batch_norm_inference' op [BatchNormInference-C3] the element type of variance 'tensor<2xbf16>' is not that of operand}}
  %0 = "xla.batch_norm_inference"(%x, %f, %f, %f, %m) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xbf16>) -> tensor<4x2xf32>
  return
}

// -----

func.func @inference_result(%x: tensor<4x2xf32>, %f: tensor<2xf32>) {
  // expected-error @+1 {{'xla.batch_norm_inference' op [BatchNormInference-C4] result types}}
  %0 = "xla.batch_norm_inference"(%x, %f, %f, %f, %f) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @grad_feature(%x: tensor<4x1xf32>, %f: tensor<1xf32>) {
  // expected-error @+1 {{'xla.batch_norm_grad' op [BatchNormGrad-C1] feature_index 2 is no dimension of operand 'tensor<4x1xf32>'}}
  %0:3 = "xla.batch_norm_grad"(%x, %f, %f, %f, %x) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<4x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @grad_scale(%x: tensor<4x1xf32>, %f: tensor<1xf32>, %g: tensor<3xf32>) {
  // expected-error @+1 {{'xla.batch_norm_grad' op [BatchNormGrad-C2] scale is 'tensor<3xf32>' instead of one element for each of the 1 features}}
  %0:3 = "xla.batch_norm_grad"(%x, %g, %f, %f, %x) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x1xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @grad_output(%x: tensor<4x1xf32>, %f: tensor<1xf32>, %dy: tensor<4xf32>) {
  // expected-error @+1 {{'xla.batch_norm_grad' op [BatchNormGrad-C3] grad_output 'tensor<4xf32>' does not have the dims of operand 'tensor<4x1xf32>'}}
  %0:3 = "xla.batch_norm_grad"(%x, %f, %f, %f, %dy) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<4xf32>) -> (tensor<4x1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @grad_output_type(%x: tensor<4x1xf32>, %f: tensor<1xf32>, %dy: tensor<4x1xf64>) {
  // expected-error @+1 {{'xla.batch_norm_grad' op [BatchNormGrad-C4] the element type of grad_output 'tensor<4x1xf64>' is not that of operand}}
  %0:3 = "xla.batch_norm_grad"(%x, %f, %f, %f, %dy) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<4x1xf64>) -> (tensor<4x1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @grad_result(%x: tensor<4x1xf32>, %f: tensor<1xf32>) {
  // expected-error @+1 {{'xla.batch_norm_grad' op [BatchNormGrad-C5] result types}}
  %0:3 = "xla.batch_norm_grad"(%x, %f, %f, %f, %x) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<2xf32>, tensor<1xf32>)
  return
}
