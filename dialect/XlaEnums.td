// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enumerations, spelled as StableHLO spells them.

#ifndef MLIR_XLA_DIALECT_XLAENUMS_TD
#define MLIR_XLA_DIALECT_XLAENUMS_TD

include "mlir_xla/dialect/XlaBase.td"

class Xla_Enum<string name, string description, list<I32EnumAttrCase> cases> : I32EnumAttr<name, description, cases> {
  let cppNamespace = "::mlir::xla";
  let genSpecializedAttr = 0;
}

def Xla_ComparisonDirection : Xla_Enum<"ComparisonDirection", "which comparison to perform", [
    I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>, I32EnumAttrCase<"GE", 2>,
    I32EnumAttrCase<"GT", 3>, I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>]>;
def Xla_ComparisonDirectionAttr : EnumAttr<Xla_Dialect, Xla_ComparisonDirection, "comparison_direction">;

def Xla_ComparisonType : Xla_Enum<"ComparisonType", "in which order elements are compared", [
    I32EnumAttrCase<"NOTYPE", 0>, I32EnumAttrCase<"FLOAT", 1>, I32EnumAttrCase<"TOTALORDER", 2>,
    I32EnumAttrCase<"SIGNED", 3>, I32EnumAttrCase<"UNSIGNED", 4>]>;
def Xla_ComparisonTypeAttr : EnumAttr<Xla_Dialect, Xla_ComparisonType, "comparison_type">;

def Xla_Precision : Xla_Enum<"Precision", "how precise a contraction has to be, per operand", [
    I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGH", 1>, I32EnumAttrCase<"HIGHEST", 2>]>;
def Xla_PrecisionAttr : EnumAttr<Xla_Dialect, Xla_Precision, "precision">;

def Xla_FftType : Xla_Enum<"FftType", "kind of Fourier transform", [
    I32EnumAttrCase<"FFT", 0>, I32EnumAttrCase<"IFFT", 1>, I32EnumAttrCase<"RFFT", 2>, I32EnumAttrCase<"IRFFT", 3>]>;
def Xla_FftTypeAttr : EnumAttr<Xla_Dialect, Xla_FftType, "fft_type">;

def Xla_Transpose : Xla_Enum<"Transpose", "what is done to the matrix of a triangular solve first", [
    I32EnumAttrCase<"TRANSPOSE_INVALID", 0>, I32EnumAttrCase<"NO_TRANSPOSE", 1>,
    I32EnumAttrCase<"TRANSPOSE", 2>, I32EnumAttrCase<"ADJOINT", 3>]>;
def Xla_TransposeAttr : EnumAttr<Xla_Dialect, Xla_Transpose, "transpose">;

def Xla_RngAlgorithm : Xla_Enum<"RngAlgorithm", "random bit generator", [
    I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"THREE_FRY", 1>, I32EnumAttrCase<"PHILOX", 2>]>;
def Xla_RngAlgorithmAttr : EnumAttr<Xla_Dialect, Xla_RngAlgorithm, "rng_algorithm">;

def Xla_RngDistribution : Xla_Enum<"RngDistribution", "distribution of random numbers", [
    I32EnumAttrCase<"UNIFORM", 1>, I32EnumAttrCase<"NORMAL", 2>]>;
def Xla_RngDistributionAttr : EnumAttr<Xla_Dialect, Xla_RngDistribution, "rng_distribution">;

def Xla_PaddingValue : Xla_Enum<"PaddingValue", "contents of the padding of a layout", [
    I32EnumAttrCase<"INVALID", 0>, I32EnumAttrCase<"ZERO", 1>, I32EnumAttrCase<"ONE", 2>,
    I32EnumAttrCase<"LOWEST", 3>, I32EnumAttrCase<"HIGHEST", 4>, I32EnumAttrCase<"UNKNOWN", 5>]>;
def Xla_PaddingValueAttr : EnumAttr<Xla_Dialect, Xla_PaddingValue, "padding_value">;

def Xla_ResultAccuracyMode : Xla_Enum<"ResultAccuracyMode", "how the accuracy of a function is chosen", [
    I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGHEST", 1>, I32EnumAttrCase<"TOLERANCE", 2>]>;
def Xla_ResultAccuracyModeAttr : EnumAttr<Xla_Dialect, Xla_ResultAccuracyMode, "result_accuracy_mode"> {
  let assemblyFormat = "`<` $value `>`";
}

/// An `i32` attribute, as in StableHLO.
def Xla_CustomCallApiVersionAttr : I32EnumAttr<"CustomCallApiVersion", "calling convention of a custom call", [
    I32EnumAttrCase<"API_VERSION_UNSPECIFIED", 0>, I32EnumAttrCase<"API_VERSION_ORIGINAL", 1>,
    I32EnumAttrCase<"API_VERSION_STATUS_RETURNING", 2>, I32EnumAttrCase<"API_VERSION_STATUS_RETURNING_UNIFIED", 3>,
    I32EnumAttrCase<"API_VERSION_TYPED_FFI", 4>]> {
  let cppNamespace = "::mlir::xla";
}

#endif // MLIR_XLA_DIALECT_XLAENUMS_TD
