// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The control family: branches, loops, tuples, tokens, barriers and calls of external code. A call of a function of
// the module is `func.call`; Calls.h has its rules.

#ifndef MLIR_XLA_DIALECT_OPS_CONTROL_CONTROLOPS_TD
#define MLIR_XLA_DIALECT_OPS_CONTROL_CONTROLOPS_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir_xla/dialect/XlaAttrs.td"

//===- Regions ----------------------------------------------------------------------------------------------------===//

def Xla_ReturnOp : Xla_Op<"return", [Pure, Terminator, ReturnLike]> {
  let summary = "ends a region of an `xla` op and yields its results";
  let description = [{
    ```mlir
    xla.return %sum, %count : tensor<f32>, tensor<i32>
    ```
  }];
  let arguments = (ins Variadic<Xla_Value>:$results);
  let assemblyFormat = "$results attr-dict (`:` type($results)^)?";
}

//===- Branches and loops -----------------------------------------------------------------------------------------===//

class Xla_BranchOp<string mnemonic>
    : Xla_InferredOp<mnemonic, [
        RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock, Xla_HasTensorOperands,
        DeclareOpInterfaceMethods<RegionBranchOpInterface,
            ["areTypesCompatible", "getEntrySuccessorRegions", "getRegionInvocationBounds"]>]> {
  let results = (outs Variadic<Xla_Value>:$results);
  let hasCanonicalizer = 1;
}

def Xla_IfOp : Xla_BranchOp<"if"> {
  let summary = "runs one of two branches, chosen by a predicate";
  let description = [{
    Runs `true_branch` if `pred` holds, else `false_branch`, and yields what that branch returns. The branches take no
    arguments; they read the values of the enclosing region directly. The other branch does not run.

    ```mlir
    %r = "xla.if"(%pred) ({
      xla.return %x : tensor<f32>
    }, {
      %n = xla.negate %x : tensor<f32>
      xla.return %n : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    ```

    Constraints:
    - `Conditional-C1` `pred` is a scalar `i1`.
    - `Conditional-C2` a branch has no block arguments.
    - `Conditional-C3` both branches return the types of the results.

    A constant `pred` leaves only the branch taken; results that nobody uses are dropped from the branches, as are
    results that both branches take from outside.
  }];
  let arguments = (ins Xla_Tensor:$pred);
  let regions = (region SizedRegion<1>:$true_branch, SizedRegion<1>:$false_branch);
}

def Xla_CaseOp : Xla_BranchOp<"case"> {
  let summary = "runs one of N branches, chosen by an index";
  let description = [{
    Runs branch `index`, or the last branch if `index` is negative or not less than the number of branches, and yields
    what that branch returns. As in `xla.if`, branches take no arguments and only one of them runs.

    ```mlir
    %r = "xla.case"(%index) ({
      xla.return %x : tensor<f32>
    }, {
      xla.return %y : tensor<f32>
    }) : (tensor<i32>) -> tensor<f32>
    ```

    Constraints:
    - `Conditional-C1` `index` is a scalar `i32`.
    - `Conditional-C2` a branch has no block arguments.
    - `Conditional-C3` all branches return the types of the results.
    - `Conditional-C4` there is at least one branch.
  }];
  let arguments = (ins Xla_Tensor:$index);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
}

def Xla_WhileOp
    : Xla_InferredOp<"while", [
        RecursiveMemoryEffects, SingleBlock, DeclareOpInterfaceMethods<LoopLikeOpInterface>,
        DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "repeats a body while a condition holds";
  let description = [{
    `s = operand; while (cond(s)) s = body(s)`, where `s` stands for all carried values; yields the last `s`. The
    regions may also read values of the enclosing region.

    ```mlir
    %sum, %count = xla.while(%s = %zero, %i = %zero) : tensor<f32>, tensor<f32>
    cond {
      %more = xla.compare LT, %i, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
      xla.return %more : tensor<i1>
    } do {
      %next = xla.add %s, %i : tensor<f32>
      %inc = xla.add %i, %one : tensor<f32>
      xla.return %next, %inc : tensor<f32>, tensor<f32>
    }
    ```

    Constraints:
    - `While-C1` `cond` takes the carried types and returns a scalar `i1`.
    - `While-C2` `body` takes the carried types and returns them.
    - `While-C3` the results have the carried types.
    - `While-C4` carried shapes are static.

    Carried values that never change are replaced by their initial values; carried values that contribute to no result,
    condition or side effect are dropped; a loop whose condition is constantly false is its initial values.
  }];
  let arguments = (ins Variadic<Xla_Value>:$operand);
  let results = (outs Variadic<Xla_Value>:$results);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

//===- Tuples -----------------------------------------------------------------------------------------------------===//

def Xla_TupleOp : Xla_InferredOp<"tuple", [Pure]> {
  let summary = "packs values into a tuple";
  let description = [{
    ```mlir
    %t = xla.tuple %a, %b : tuple<tensor<10xf32>, tensor<i32>>
    ```

    Constraint: `Tuple-C1` the result type lists the element types in order.
  }];
  let arguments = (ins Variadic<Xla_Value>:$val);
  let results = (outs Xla_Value:$result);
  let assemblyFormat = "$val attr-dict `:` custom<TupleOpType>(type($val), type($result))";
  let hasFolder = 1;
}

def Xla_GetTupleElementOp : Xla_InferredOp<"get_tuple_element", [Pure]> {
  let summary = "extracts one element of a tuple";
  let description = [{
    ```mlir
    %b = xla.get_tuple_element %t[1] : (tuple<tensor<10xf32>, tensor<i32>>) -> tensor<i32>
    ```

    Constraints:
    - `GetTupleElement-C1` the operand is a tuple; `GetTupleElement-C2` `index` is an attribute.
    - `GetTupleElement-C3` `index` lies in `[0, size)`.
    - `GetTupleElement-C4` the result type is that of the element.
  }];
  let arguments = (ins Xla_Value:$operand, I32Attr:$index);
  let results = (outs Xla_Value:$result);
  let assemblyFormat = "$operand `[` $index `]` attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

//===- Order ------------------------------------------------------------------------------------------------------===//

def Xla_OptimizationBarrierOp
    : Xla_InferredOp<"optimization_barrier", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "identity that no optimization crosses";
  let description = [{
    Yields its operands unchanged. Every operand is computed before anything that uses any result: nothing is folded,
    merged, fused or moved across, and no operand is dropped while another result is used.

    ```mlir
    %0:2 = xla.optimization_barrier %a, %b : tensor<4xf32>, tensor<i32>
    ```

    Constraint: `OptimizationBarrier-C1` every result has the type of its operand.
  }];
  let arguments = (ins Variadic<Xla_Value>:$operand);
  let results = (outs Variadic<Xla_Value>:$result);
  let assemblyFormat = [{
    attr-dict ($operand^ `:` custom<PairwiseOpType>(type($operand), type($result))):(`(` `)`)?
  }];
}

def Xla_AfterAllOp : Xla_InferredOp<"after_all", [Pure]> {
  let summary = "joins tokens";
  let description = [{
    The result is ordered after every operand. Without operands it is a fresh token.

    ```mlir
    %t = xla.after_all %t0, %t1 : !xla.token
    ```

    Constraints: `AfterAll-C1` every operand is a token; `AfterAll-C2` so is the result.
  }];
  let arguments = (ins Variadic<Xla_Value>:$inputs);
  let results = (outs Xla_Value:$result);
  let assemblyFormat = [{
    $inputs attr-dict `:` custom<VariadicSameOperandsAndResultType>(ref($inputs), type($inputs), type($result))
  }];
  let hasFolder = 1;
}

def Xla_CreateTokenOp : Xla_InferredOp<"create_token", [Pure]> {
  let summary = "a token that is ordered after nothing";
  let description = [{
    ```mlir
    %t = xla.create_token : !xla.token
    ```

    Constraint: `AfterAll-C2` the result is a token.
  }];
  let results = (outs Xla_Value:$output);
  let assemblyFormat = "attr-dict `:` type(results)";
}

//===- Calls ------------------------------------------------------------------------------------------------------===//

def Xla_CalledComputationsAttr : TypedArrayAttrBase<FlatSymbolRefAttr, "array of function names"> {
  let constBuilderCall = "$_builder.getArrayAttr($0)";
}
def Xla_OutputOperandAliasesAttr : TypedArrayAttrBase<Xla_OutputOperandAliasAttr, "array of output-operand aliases"> {
  let constBuilderCall = "$_builder.getArrayAttr($0)";
}

def Xla_CustomCallOp : Xla_Op<"custom_call", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "calls external code";
  let description = [{
    Calls the external symbol `call_target_name`, in the convention `api_version`, with `backend_config` as static
    data. Unless `has_side_effect` is set, the call may be removed when unused, repeated and merged. `operand_layouts` and
    `result_layouts`, if present, list a minor-to-major order per operand and result; `output_operand_aliases` names
    outputs that share an operand's buffer.

    ```mlir
    %r = xla.custom_call @my_kernel(%x) {backend_config = "fast", has_side_effect = true}
      : (tensor<4xf32>) -> tensor<4xf32>
    ```

    Constraints:
    - `CustomCall-C1` the target's name is not empty.
    - `CustomCall-C4` layouts come for operands and results together, one per value, each a permutation of the value's
      dimensions (empty for a tuple or token).
    - `CustomCall-C5` an alias names an existing operand, output and tuple elements, of equal types.
  }];
  let arguments = (ins
    Variadic<Xla_Value>:$inputs,
    StrAttr:$call_target_name,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect,
    OptionalAttr<AnyAttr>:$backend_config,
    DefaultValuedOptionalAttr<Xla_CustomCallApiVersionAttr,
        "::mlir::xla::CustomCallApiVersion::API_VERSION_ORIGINAL">:$api_version,
    DefaultValuedOptionalAttr<Xla_CalledComputationsAttr, "{}">:$called_computations,
    OptionalAttr<Xla_ArrayOfLayoutAttr>:$operand_layouts,
    OptionalAttr<Xla_ArrayOfLayoutAttr>:$result_layouts,
    DefaultValuedOptionalAttr<Xla_OutputOperandAliasesAttr, "{}">:$output_operand_aliases);
  let results = (outs Variadic<Xla_Value>:$results);
  let assemblyFormat = [{
    custom<CustomCallTarget>($call_target_name) `(` $inputs `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Xla_CompositeOp : Xla_Op<"composite", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a named operation with a decomposition into other ops";
  let description = [{
    Means what the function `decomposition` computes; `name`, `composite_attributes` and `version` let a compiler that
    knows the operation do better.

    ```mlir
    %r = xla.composite "my.softmax" %x {composite_attributes = {axis = 1 : i64}, decomposition = @softmax}
      : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```

    Constraint: `Composite-C1` `decomposition` is a function with the op's operand and result types.
  }];
  let arguments = (ins
    Variadic<Xla_Value>:$inputs,
    StrAttr:$name,
    DefaultValuedOptionalAttr<DictionaryAttr, "{}">:$composite_attributes,
    FlatSymbolRefAttr:$decomposition,
    DefaultValuedOptionalAttr<I32Attr, "0">:$version);
  let results = (outs Variadic<Xla_Value>:$results);
  let assemblyFormat = "$name $inputs attr-dict `:` functional-type(operands, results)";
}

#endif // MLIR_XLA_DIALECT_OPS_CONTROL_CONTROLOPS_TD
