// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elementwise family: unary, binary, comparison, select, clamp, conversions, map.

#ifndef MLIR_XLA_DIALECT_OPS_ELEMENTWISE_ELEMENTWISEOPS_TD
#define MLIR_XLA_DIALECT_OPS_ELEMENTWISE_ELEMENTWISEOPS_TD

include "mlir_xla/dialect/XlaAttrs.td"

//===- Bases ------------------------------------------------------------------------------------------------------===//

/// A class of element types: its name in the documentation and in C++ (ElementClass in InferTypes.h).
class Xla_Class<string docName, string cppName> {
  string doc = docName;
  string cpp = "::mlir::xla::" # cppName;
}
def PRED : Xla_Class<"PRED", "kPred">;
def SINT : Xla_Class<"SINT", "kSint">;
def INT : Xla_Class<"INT", "kInt">;
def FLOAT : Xla_Class<"FLOAT", "kFloat">;
def COMPLEX : Xla_Class<"COMPLEX", "kComplex">;

class Xla_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : Xla_InferredOp<mnemonic, traits # [Pure, Xla_IsElementwise, Xla_HasTensorOperands]> {
  let results = (outs Xla_Tensor:$result);
}

/// `resultRule`: Same, Real (the real type of a complex one) or Pred; see UnaryResult in ElementwiseOps.cpp.
class Xla_UnaryOp<string mnemonic, string formula, list<Xla_Class> classes, string text, string resultRule = "Same",
                  list<Trait> traits = []> : Xla_ElementwiseOp<mnemonic, traits> {
  let summary = "elementwise " # formula;
  let description = text # "\n\n```mlir\n%result = xla." # mnemonic # " %operand : " #
      !cond(!eq(resultRule, "Pred"): "(tensor<4xf32>) -> tensor<4xi1>",
            !eq(resultRule, "Real"): "(tensor<4xcomplex<f32>>) -> tensor<4xf32>",
            !eq(!head(classes), FLOAT): "tensor<4xf32>",
            true: "tensor<4xi32>") #
      "\n```\n\n* `Unary-C1`: the result has the dimensions of the operand.\n* `Unary-C2`: the element type is " #
      !interleave(!foreach(c, classes, c.doc), ", ") # ".\n* `Unary-C3`: the element type of the result is " #
      !cond(!eq(resultRule, "Pred"): "`i1`.",
            !eq(resultRule, "Real"): "the operand's; for COMPLEX its real type.",
            true: "the operand's.") # "\n";
  let arguments = (ins Xla_Tensor:$operand);
  let assemblyFormat = [{
    $operand attr-dict `:` custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location> location, Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return inferUnary(location, getOperationName(), adaptor.getOperand(),
                        }] # !interleave(!foreach(c, classes, c.cpp), " | ") # [{,
                        UnaryResult::}] # resultRule # [{, types);
    }
    ::llvm::LogicalResult $cppClass::verify() { return verifyUnary(*this); }
  }];
}

/// A transcendental function whose accuracy may be requested.
class Xla_AccurateUnaryOp<string mnemonic, string formula, list<Xla_Class> classes, string text>
    : Xla_UnaryOp<mnemonic, formula, classes, text> {
  let arguments = (ins Xla_Tensor:$operand, OptionalAttr<Xla_ResultAccuracyAttr>:$result_accuracy);
  let builders = [OpBuilder<(ins "::mlir::Value":$operand), [{
    build($_builder, $_state, operand, ::mlir::xla::ResultAccuracyAttr());
  }]>];
}

class Xla_BinaryOp<string mnemonic, string formula, list<Xla_Class> classes, string text, list<Trait> traits = []>
    : Xla_ElementwiseOp<mnemonic, traits> {
  let hasFolder = 1;
  let summary = "elementwise " # formula;
  let description = text # "\n\n```mlir\n%result = xla." # mnemonic # " %lhs, %rhs : tensor<" #
      !if(!eq(!head(classes), PRED), "4xi32",
          !if(!and(!eq(!head(classes), INT), !eq(!size(classes), 1)), "4xi32", "4xf32")) #
      ">\n```\n\n* `Binary-C1`: `lhs` and `rhs` have the same element type.\n* `Binary-C3`: and the same dimensions; " #
      "broadcasting is an op of its own.\n* `Binary-C5`: the element type is " #
      !interleave(!foreach(c, classes, c.doc), ", ") # ".\n* `Binary-C6`: the result has the operands' type.\n";
  let arguments = (ins Xla_Tensor:$lhs, Xla_Tensor:$rhs);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` custom<SameOperandsAndResultType>(type($lhs), type($rhs), type($result))
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location> location, Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return inferBinary(location, getOperationName(), adaptor.getLhs(), adaptor.getRhs(),
                         }] # !interleave(!foreach(c, classes, c.cpp), " | ") # [{, types);
    }
    ::llvm::LogicalResult $cppClass::verify() { return verifyInferredTypes(*this, "Binary-C6"); }
  }];
}

//===- Unary: arithmetic and rounding -----------------------------------------------------------------------------===//

def Xla_AbsOp : Xla_UnaryOp<"abs", "|x|", [SINT, FLOAT, COMPLEX],
    "The absolute value; of a complex number its modulus, which is real. The smallest signed integer is its own "
    "absolute value. `abs(-0.0)` is `0.0`.", "Real"> {
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}
def Xla_CeilOp : Xla_UnaryOp<"ceil", "smallest integer >= x", [FLOAT],
    "Rounds toward positive infinity. `ceil(-0.5)` is `-0.0`."> {
  let hasFolder = 1;
}
def Xla_FloorOp : Xla_UnaryOp<"floor", "largest integer <= x", [FLOAT],
    "Rounds toward negative infinity. `floor(-0.0)` is `-0.0`."> {
  let hasFolder = 1;
}
def Xla_NegOp : Xla_UnaryOp<"negate", "-x", [INT, FLOAT, COMPLEX],
    "The negative. Integers wrap: the negative of the unsigned 1 is the largest value. `negate(0.0)` is `-0.0`."> {
  let hasFolder = 1;
}
def Xla_RoundOp : Xla_UnaryOp<"round_nearest_afz", "nearest integer, ties away from zero", [FLOAT],
    "Rounds to the nearest integer, halfway cases away from zero: 0.5, 1.5, -2.5 become 1, 2, -3."> {
  let hasFolder = 1;
}
def Xla_RoundNearestEvenOp : Xla_UnaryOp<"round_nearest_even", "nearest integer, ties to even", [FLOAT],
    "Rounds to the nearest integer, halfway cases to the even one: 0.5, 1.5, -2.5 become 0, 2, -2."> {
  let hasFolder = 1;
}
def Xla_SignOp : Xla_UnaryOp<"sign", "sign of x", [SINT, FLOAT, COMPLEX],
    "-1, 0 or 1 with the sign of x; zeros keep their sign and NaN is NaN. Of a complex number `x / |x|`, and 0 of 0."> {
  let hasFolder = 1;
}
def Xla_SquareOp : Xla_UnaryOp<"square", "x * x", [INT, FLOAT, COMPLEX], "The square."> {
  let hasFolder = 1;
}

//===- Unary: bits and predicates ---------------------------------------------------------------------------------===//

def Xla_NotOp : Xla_UnaryOp<"not", "not x", [PRED, INT],
    "The logical complement of predicates, the bitwise complement of integers."> {
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}
def Xla_PopulationCountOp : Xla_UnaryOp<"popcnt", "number of 1 bits", [INT], "Counts the bits that are set."> {
  let hasFolder = 1;
}
def Xla_ClzOp : Xla_UnaryOp<"count_leading_zeros", "number of leading 0 bits", [INT],
    "Counts the zero bits above the highest set bit; of 0 the bit width."> {
  let hasFolder = 1;
}
def Xla_IsFiniteOp : Xla_UnaryOp<"is_finite", "neither infinite nor NaN", [FLOAT],
    "True where the element is neither an infinity nor NaN.", "Pred"> {
  let hasFolder = 1;
}

//===- Unary: complex parts ---------------------------------------------------------------------------------------===//

def Xla_RealOp : Xla_UnaryOp<"real", "real part", [FLOAT, COMPLEX],
    "The real part; of a real number the number itself.", "Real"> {
  let hasFolder = 1;
}
def Xla_ImagOp : Xla_UnaryOp<"imag", "imaginary part", [FLOAT, COMPLEX],
    "The imaginary part; of a real number 0.", "Real"> {
  let hasFolder = 1;
}
def Xla_ConjOp : Xla_UnaryOp<"conj", "complex conjugate", [FLOAT, COMPLEX],
    "The complex conjugate; of a real number the number itself."> {
  let hasFolder = 1;
}

//===- Unary: roots, exponentials and logarithms ------------------------------------------------------------------===//

def Xla_CbrtOp : Xla_AccurateUnaryOp<"cbrt", "cube root", [FLOAT, COMPLEX],
    "The cube root: of a real number the real one, `cbrt(-8)` is -2; of a complex number the principal one, whose "
    "angle is a third of its angle in [-pi, pi].">;
def Xla_SqrtOp : Xla_AccurateUnaryOp<"sqrt", "square root", [FLOAT, COMPLEX],
    "The square root. Of a negative real number NaN; `sqrt(-0.0)` is `-0.0`."> {
  let hasFolder = 1;
}
def Xla_RsqrtOp : Xla_AccurateUnaryOp<"rsqrt", "1 / sqrt(x)", [FLOAT, COMPLEX],
    "The reciprocal of the square root: infinity at 0, NaN for negative real numbers.">;
def Xla_ExpOp : Xla_AccurateUnaryOp<"exponential", "e^x", [FLOAT, COMPLEX], "The exponential function.">;
def Xla_Expm1Op : Xla_AccurateUnaryOp<"exponential_minus_one", "e^x - 1", [FLOAT, COMPLEX],
    "The exponential function minus one, accurate near 0.">;
def Xla_LogOp : Xla_AccurateUnaryOp<"log", "natural logarithm", [FLOAT, COMPLEX],
    "The natural logarithm: negative infinity at 0, NaN for negative real numbers.">;
def Xla_Log1pOp : Xla_AccurateUnaryOp<"log_plus_one", "ln(1 + x)", [FLOAT, COMPLEX],
    "The natural logarithm of 1 + x, accurate near 0.">;
def Xla_LogisticOp : Xla_AccurateUnaryOp<"logistic", "1 / (1 + e^-x)", [FLOAT, COMPLEX],
    "The logistic function; 0 and 1 at the infinities, without overflow in between.">;

//===- Unary: trigonometric and hyperbolic ------------------------------------------------------------------------===//

def Xla_SineOp : Xla_AccurateUnaryOp<"sine", "sin x", [FLOAT, COMPLEX], "The sine; NaN at the infinities.">;
def Xla_CosineOp : Xla_AccurateUnaryOp<"cosine", "cos x", [FLOAT, COMPLEX], "The cosine; NaN at the infinities.">;
def Xla_TanOp : Xla_AccurateUnaryOp<"tan", "tan x", [FLOAT, COMPLEX], "The tangent.">;
def Xla_TanhOp : Xla_AccurateUnaryOp<"tanh", "tanh x", [FLOAT, COMPLEX], "The hyperbolic tangent.">;
def Xla_SinhOp : Xla_UnaryOp<"sinh", "sinh x", [FLOAT, COMPLEX], "The hyperbolic sine.">;
def Xla_CoshOp : Xla_UnaryOp<"cosh", "cosh x", [FLOAT, COMPLEX], "The hyperbolic cosine.">;
def Xla_AsinOp : Xla_UnaryOp<"asin", "arcsin x", [FLOAT, COMPLEX],
    "The inverse sine; NaN for real numbers outside [-1, 1].">;
def Xla_AcosOp : Xla_UnaryOp<"acos", "arccos x", [FLOAT, COMPLEX],
    "The inverse cosine; NaN for real numbers outside [-1, 1].">;
def Xla_AtanOp : Xla_UnaryOp<"atan", "arctan x", [FLOAT, COMPLEX], "The inverse tangent.">;
def Xla_AsinhOp : Xla_UnaryOp<"asinh", "arsinh x", [FLOAT, COMPLEX], "The inverse hyperbolic sine.">;
def Xla_AcoshOp : Xla_UnaryOp<"acosh", "arcosh x", [FLOAT, COMPLEX],
    "The inverse hyperbolic cosine; NaN for real numbers below 1.">;
def Xla_AtanhOp : Xla_UnaryOp<"atanh", "artanh x", [FLOAT, COMPLEX],
    "The inverse hyperbolic tangent; infinite at -1 and 1, NaN for real numbers outside [-1, 1].">;

//===- Unary: special functions -----------------------------------------------------------------------------------===//

def Xla_ErfOp : Xla_UnaryOp<"erf", "error function", [FLOAT],
    "`2 / sqrt(pi)` times the integral of `e^(-t^2)` from 0 to x.">;
def Xla_ErfcOp : Xla_UnaryOp<"erfc", "complementary error function", [FLOAT],
    "`1 - erf(x)`, accurate where erf is close to 1.">;
def Xla_ErfInvOp : Xla_UnaryOp<"erf_inv", "inverse error function", [FLOAT],
    "The x whose `erf` is the operand; infinite at -1 and 1, NaN outside [-1, 1].">;
def Xla_LgammaOp : Xla_UnaryOp<"lgamma", "ln |gamma(x)|", [FLOAT],
    "The logarithm of the absolute value of the gamma function.">;
def Xla_DigammaOp : Xla_UnaryOp<"digamma", "derivative of ln gamma(x)", [FLOAT],
    "The logarithmic derivative of the gamma function; NaN at 0 and the negative integers.">;
def Xla_BesselI1eOp : Xla_UnaryOp<"bessel_i1e", "e^-|x| I1(x)", [FLOAT],
    "The modified Bessel function of the first kind of order 1, exponentially scaled.">;

//===- Binary: arithmetic -----------------------------------------------------------------------------------------===//

def Xla_AddOp : Xla_BinaryOp<"add", "x + y", [INT, FLOAT, COMPLEX, PRED],
    "The sum. Integers wrap; the sum of predicates is their logical or.", [Commutative]>;
def Xla_SubtractOp : Xla_BinaryOp<"subtract", "x - y", [INT, FLOAT, COMPLEX], "The difference. Integers wrap."> {
  let hasCanonicalizer = 1;
}
def Xla_MulOp : Xla_BinaryOp<"multiply", "x * y", [INT, FLOAT, COMPLEX, PRED],
    "The product. Integers wrap; the product of predicates is their logical and.", [Commutative]>;
def Xla_DivOp : Xla_BinaryOp<"divide", "x / y", [INT, FLOAT, COMPLEX],
    "The quotient. Integer division truncates toward zero and never traps: division by 0 gives all bits set, the "
    "smallest signed integer divided by -1 is itself.">;
def Xla_RemOp : Xla_BinaryOp<"remainder", "x - y * trunc(x / y)", [INT, FLOAT],
    "The remainder of the division that truncates toward zero; it has the sign of `lhs`. For integers the remainder "
    "by 0 is `lhs`.">;
def Xla_PowOp : Xla_BinaryOp<"power", "x to the power y", [INT, FLOAT, COMPLEX],
    "The power; `power(x, 0)` is 1 for every x. Integer powers wrap."> {
  let hasCanonicalizer = 1;
}
def Xla_MaxOp : Xla_BinaryOp<"maximum", "the larger of x and y", [INT, FLOAT, COMPLEX, PRED],
    "The larger element; NaN if either is NaN, and 0.0 is larger than -0.0. On predicates it is the logical or. "
    "Complex numbers are ordered by their real parts and, where these are equal, by their imaginary parts: then the "
    "result has the larger of either. Where either real part is NaN, both parts of the result are, whatever the order of the "
    "operands (StableHLO's interpreter gives `rhs`).", [Commutative]>;
def Xla_MinOp : Xla_BinaryOp<"minimum", "the smaller of x and y", [INT, FLOAT, COMPLEX, PRED],
    "The smaller element; NaN if either is NaN, and -0.0 is smaller than 0.0. On predicates it is the logical and. "
    "Complex numbers are ordered by their real parts and, where these are equal, by their imaginary parts: then the "
    "result has the smaller of either. Where either real part is NaN, both parts of the result are, whatever the order "
    "of the operands (StableHLO's interpreter gives `rhs`).", [Commutative]>;
def Xla_Atan2Op : Xla_BinaryOp<"atan2", "angle of the point (y, x)", [FLOAT, COMPLEX],
    "The angle of the point whose y coordinate is `lhs` and whose x coordinate is `rhs`, in all four quadrants and "
    "with signed zeros as in C."> {
  let hasFolder = 0;
}

def Xla_NextAfterOp : Xla_BinaryOp<"next_after", "the number next to x on the way to y", [FLOAT],
    "The neighbour of `lhs` towards `rhs` in the element type; `rhs` where both are equal, NaN if either is NaN."> {
  let hasFolder = 0;
}

def Xla_ZetaOp : Xla_BinaryOp<"zeta", "Hurwitz zeta function of x and q", [FLOAT],
    "The sum over n >= 0 of `(rhs + n)^-lhs`. NaN for `lhs < 1`, infinite for `lhs = 1`; where `rhs` is 0 or a "
    "negative integer infinite if `lhs` is an even integer, else NaN, as for other negative `rhs` unless `lhs` is an "
    "integer."> {
  let hasFolder = 0;
}
def Xla_PolygammaOp : Xla_BinaryOp<"polygamma", "derivative of order n of digamma(x)", [FLOAT],
    "The derivative of `digamma` of order `lhs` at `rhs`. NaN unless `lhs` is a non-negative integer."> {
  let hasFolder = 0;
}
def Xla_MulhiOp : Xla_BinaryOp<"mulhi", "upper half of x * y", [INT],
    "The upper half of the bits of the product in twice the width.", [Commutative]> {
  let hasFolder = 0;
}

//===- Binary: bits -----------------------------------------------------------------------------------------------===//

def Xla_AndOp : Xla_BinaryOp<"and", "x and y", [PRED, INT],
    "The logical and of predicates, the bitwise and of integers.", [Commutative]>;
def Xla_OrOp : Xla_BinaryOp<"or", "x or y", [PRED, INT],
    "The logical or of predicates, the bitwise or of integers.", [Commutative]>;
def Xla_XorOp : Xla_BinaryOp<"xor", "x exclusive-or y", [PRED, INT],
    "The logical exclusive or of predicates, the bitwise one of integers.", [Commutative]> {
  let hasCanonicalizer = 1;
}
def Xla_ShiftLeftOp : Xla_BinaryOp<"shift_left", "x << y", [INT],
    "Shifts to the left. The amount is read as unsigned; an amount of at least the bit width gives 0.">;
def Xla_ShiftRightArithmeticOp : Xla_BinaryOp<"shift_right_arithmetic", "x >> y, filled with the top bit", [INT],
    "Shifts to the right and fills with copies of the top bit, also for unsigned integers. The amount is read as "
    "unsigned; an amount of at least the bit width gives all top bits.">;
def Xla_ShiftRightLogicalOp : Xla_BinaryOp<"shift_right_logical", "x >> y, filled with zeros", [INT],
    "Shifts to the right and fills with zeros, also for signed integers. The amount is read as unsigned; an amount of "
    "at least the bit width gives 0.">;

//===- Complex, compare, select, clamp ----------------------------------------------------------------------------===//

def Xla_ComplexOp : Xla_ElementwiseOp<"complex"> {
  let summary = "elementwise x + iy";
  let description = [{
    Builds complex numbers from their real and imaginary parts.

    ```mlir
    %result = xla.complex %real, %imag : tensor<4xcomplex<f32>>
    ```

    * `Binary-C1`: `lhs` and `rhs` have the same element type.
    * `Binary-C3`: and the same dimensions.
    * `Binary-C5`: the element type is `f32` or `f64`.
    * `Binary-C6`: the result has complex elements of that type.
  }];
  let arguments = (ins Xla_Tensor:$lhs, Xla_Tensor:$rhs);
  let assemblyFormat = [{
    operands attr-dict `:` custom<ComplexOpType>(type($lhs), type($rhs), type($result))
  }];
  let hasFolder = 1;
}

def Xla_CompareOp : Xla_ElementwiseOp<"compare"> {
  let summary = "compares elements of two tensors";
  let description = [{
    Compares `lhs` and `rhs` with `comparison_direction` EQ, NE, GE, GT, LE or LT. Floating-point numbers compare as in
    IEEE 754 (every comparison with NaN is false, except NE; -0 equals +0) unless `compare_type` is TOTALORDER:
    `-NaN < -Inf < -Finite < -0 < +0 < +Finite < +Inf < +NaN`, where NaNs of different bits differ. Signedness comes
    from the element type; `compare_type` may repeat it (FLOAT, SIGNED, UNSIGNED).

    ```mlir
    %0 = xla.compare LT, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %1 = xla.compare LT, %x, %y, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    ```

    * `Compare-C1`: the operands have the same element type.
    * `Compare-C3`: and the same dimensions.
    * `Compare-C5`: the result has these dimensions and elements of type `i1`.
    * `Compare-C6`: complex numbers only compare EQ and NE, and `compare_type` fits the element type.
  }];
  let arguments = (ins Xla_Tensor:$lhs, Xla_Tensor:$rhs, Xla_ComparisonDirectionAttr:$comparison_direction,
                   OptionalAttr<Xla_ComparisonTypeAttr>:$compare_type);
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                                 "::mlir::xla::ComparisonDirection":$direction), [{
    build($_builder, $_state, lhs, rhs, direction, ::mlir::xla::ComparisonTypeAttr());
  }]>];
  let assemblyFormat = [{
    $comparison_direction `,` $lhs `,` $rhs (`,` $compare_type^)? attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    /// Whether floating-point elements compare in total order.
    bool isTotalOrder() { return getCompareType() == ::mlir::xla::ComparisonType::TOTALORDER; }
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Xla_SelectOp : Xla_ElementwiseOp<"select"> {
  let summary = "chooses between two tensors by a predicate";
  let description = [{
    `result[i] = pred[i] ? on_true[i] : on_false[i]`. A scalar predicate chooses one side as a whole. What the other
    side holds, for instance NaN, has no effect.

    ```mlir
    %0 = xla.select %pred, %x, %y : tensor<4xi1>, tensor<4xf32>
    %1 = xla.select %scalar, %x, %y : tensor<i1>, tensor<4xf32>
    ```

    * `Select-C1`: `pred` has elements of type `i1`.
    * `Select-C2`: `on_true` and `on_false` have the same shape.
    * `Select-C3`: `pred` has their dimensions or is a scalar.
    * `Select-C4`: all three are arrays. (The builder selects between tuples element by element, by a scalar.)
    * `Select-C5`: there is no other broadcasting.
  }];
  let arguments = (ins Xla_Tensor:$pred, Xla_Tensor:$on_true, Xla_Tensor:$on_false);
  let assemblyFormat = [{
    operands attr-dict `:` custom<SelectOpType>(type($pred), type($on_true), type($on_false), type($result))
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Xla_ClampOp : Xla_ElementwiseOp<"clamp"> {
  let summary = "limits elements to the range [min, max]";
  let description = [{
    `result = minimum(maximum(min, operand), max)`, so `max` wins where the bounds cross; NaN in any of the three gives
    NaN. Each bound may be a scalar.

    ```mlir
    %result = xla.clamp %min, %operand, %max : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    ```

    * `Clamp-C1`: one element type, INT, FLOAT or PRED, for all three.
    * `Clamp-C2`: `min` has the dimensions of `operand` or is a scalar.
    * `Clamp-C3`: `max` has the dimensions of `operand` or is a scalar.
    * `Clamp-C4`: the result has the type of `operand`.
  }];
  let arguments = (ins Xla_Tensor:$min, Xla_Tensor:$operand, Xla_Tensor:$max);
  let assemblyFormat = [{
    $min `,` $operand `,` $max attr-dict `:`
    custom<SameOperandsAndResultType>(type($min), type($operand), type($max), type($result))
  }];
  let hasFolder = 1;
}

//===- Conversions ------------------------------------------------------------------------------------------------===//

def Xla_ConvertOp : Xla_Op<"convert", [Pure, Xla_IsElementwise, Xla_HasTensorOperands]> {
  let summary = "converts elements to another type";
  let description = [{
    The value conversion of `static_cast`: to a floating-point type it rounds to nearest even and overflows to
    infinity; from floating point to integers it truncates toward zero (what NaN and values out of range give is
    unspecified, but never a trap); integers keep their low bits; to `i1` it is `x != 0`, from `i1` it gives 0 or 1; to
    complex types the imaginary part is 0, from them the real part is taken, also to `i1`: `(0.0, 1.0)` is false.

    ```mlir
    %result = xla.convert %operand : (tensor<4xi32>) -> tensor<4xf32>
    ```

    * `ConvertElementType-C1`: the operand is an array.
    * `ConvertElementType-C2`: the result has the dimensions of the operand.
  }];
  let arguments = (ins Xla_Tensor:$operand);
  let results = (outs Xla_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` custom<SameOperandsAndResultType>(type($operand), type($result))";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$operand, "::mlir::Type":$elementType), [{
    auto type = ::llvm::cast<::mlir::RankedTensorType>(operand.getType());
    build($_builder, $_state, ::mlir::xla::tensorLike(type, type.getShape(), elementType), operand);
  }]>];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Xla_BitcastConvertOp : Xla_Op<"bitcast_convert", [Pure, Xla_HasTensorOperands]> {
  let summary = "reinterprets the bits of elements as another type";
  let description = [{
    Keeps all bits. Between types of one width it is elementwise. A wider element becomes several narrower ones along a
    new last dimension, and the reverse; index 0 of that dimension holds the least significant part.

    ```mlir
    %0 = xla.bitcast_convert %a : (tensor<4xf32>) -> tensor<4xi32>
    %1 = xla.bitcast_convert %b : (tensor<10xf32>) -> tensor<10x2xf16>
    %2 = xla.bitcast_convert %c : (tensor<10x2xf16>) -> tensor<10xf32>
    ```

    * `BitcastConvertType-C1`: the operand is an array.
    * `BitcastConvertType-C2`: the larger width is a multiple of the smaller.
    * `BitcastConvertType-C3`: to a wider type, the last dimension of the operand is the ratio of the widths.
    * `BitcastConvertType-C4`: all other dimensions are unchanged.
    * `BitcastConvertType-C5`: complex types only convert to complex types.
  }];
  let arguments = (ins Xla_Tensor:$operand);
  let results = (outs Xla_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Xla_ReducePrecisionOp : Xla_ElementwiseOp<"reduce_precision"> {
  let summary = "rounds to a narrower floating-point format and back";
  let description = [{
    Rounds as if elements were converted to a format of `exponent_bits` and `mantissa_bits` and back: ties to even, what
    is above the range to infinity, subnormals to zero; NaN stays NaN, but is positive infinity without mantissa bits.

    ```mlir
    %result = xla.reduce_precision %operand, format = e5m10 : tensor<4xf32>
    ```

    * `ReducePrecision-C1`: the element type is FLOAT.
    * `ReducePrecision-C2`: `exponent_bits >= 1`.
    * `ReducePrecision-C3`: `mantissa_bits >= 0`.
    * `ReducePrecision-C4`: the result has the operand's type.
  }];
  let arguments = (ins Xla_Tensor:$operand, I32Attr:$exponent_bits, I32Attr:$mantissa_bits);
  let assemblyFormat = [{
    $operand `,` `format` `=` custom<ExponentMantissa>($exponent_bits, $mantissa_bits) attr-dict `:`
    custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
  let hasFolder = 1;
}

//===- Map --------------------------------------------------------------------------------------------------------===//

def Xla_MapOp : Xla_InferredOp<"map", [RecursiveMemoryEffects, Xla_HasTensorOperands, SingleBlock]> {
  let summary = "applies a computation to each element";
  let description = [{
    `result[i] = computation(inputs_0[i], inputs_1[i], ...)` for every index i, in any order. The region takes and
    returns scalar tensors.

    ```mlir
    %result = "xla.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = xla.multiply %a, %b : tensor<f32>
      xla.return %0 : tensor<f32>
    }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ```

    * `Map-C1`: there is at least one input.
    * `Map-C2`: all inputs have the same dimensions.
    * `Map-C3`: the computation takes one scalar of each input's element type and returns one scalar.
    * `Map-C4`: `dimensions` is `[0, 1, ..., rank - 1]`.
    * `Map-C5`: the result has the element type that the computation returns.
    * `Map-C6`: the computation has no further parameters.
  }];
  let arguments = (ins Variadic<Xla_Tensor>:$inputs, DenseI64ArrayAttr:$dimensions);
  let results = (outs Xla_Tensor:$result);
  let regions = (region SizedRegion<1>:$computation);
}

#endif // MLIR_XLA_DIALECT_OPS_ELEMENTWISE_ELEMENTWISEOPS_TD
