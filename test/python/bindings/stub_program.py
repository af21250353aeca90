# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program with types, as a user writes it: test_stubs.py checks it with mypy, and runs it."""

from collections.abc import Sequence

import numpy as np

import mlir_xla
from mlir_xla import ir
from mlir_xla.dialects import arith
from mlir_xla.execution_engine import ExecutionEngine
from mlir_xla.passmanager import PassManager
from mlir_xla.rewrite import PatternRewriter, RewritePatternSet, apply_patterns_and_fold_greedily


def names(op: ir.Operation) -> list[str]:
    found: list[str] = []

    def visit(inner: ir.Operation) -> ir.WalkResult:
        found.append(inner.name)
        return ir.WalkResult.ADVANCE

    op.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


def build() -> ir.Module:
    with ir.Context() as ctx, ir.Location.unknown(ctx):
        module: ir.Module = ir.Module.create()
        i32: ir.IntegerType = ir.IntegerType.get_signless(32)
        with ir.InsertionPoint(module.body):
            kind = ir.TypeAttr.get(ir.FunctionType.get([i32, i32], [i32]))
            name = {
                "sym_name": ir.StringAttr.get("f"),
                "function_type": kind,
                "llvm.emit_c_interface": ir.UnitAttr.get(),
            }
            f = ir.Operation.create("func.func", regions=1, attributes=name)
            block: ir.Block = f.regions[0].blocks.append(i32, i32)
            with ir.InsertionPoint(block):
                a, b = block.arguments
                c = ir.Operation.create("arith.addi", operands=[a, b], results=[i32])
                ir.Operation.create("func.return", operands=[c.result])
        for op in module.body.operations:
            attributes: Sequence[str] = list(op.attributes)
            print(op.name, attributes, op.location, op.parent)
            for region in op.regions:
                for inner in region.blocks:
                    for argument in inner.arguments:
                        number: int = argument.arg_number
                        type_: ir.Type = argument.type
                        print(number, type_, [use.owner for use in argument.uses])
        table = ir.SymbolTable(module.operation)
        print(table["f"])
        return module


def attributes() -> None:
    dense: ir.DenseElementsAttr = ir.DenseElementsAttr.get(np.zeros((2, 3), np.float32))
    array: np.ndarray = np.array(dense)
    print(array, dense.is_splat, dense.get_splat_value())
    ints = ir.DenseI64ArrayAttr.get([1, 2, 3])
    total: int = sum(ints)
    mapping = ir.AffineMap.get_identity(2)
    results: Sequence[ir.AffineExpr] = list(mapping.results)
    shape: list[int] = ir.RankedTensorType.get([2, 3], ir.F32Type.get()).shape
    text: str = ir.StringAttr.get("x").value
    print(total, results, shape, text)


def passes(module: ir.Module) -> str:
    try:
        manager: PassManager = PassManager.parse("builtin.module(cse)", context=module.context)
        manager.add("canonicalize")
        manager.run(module.operation)
    except ir.MLIRError as error:
        for diagnostic in error.error_diagnostics:
            print(diagnostic.message, diagnostic.location, [note.message for note in diagnostic.notes])
        raise
    return str(module.operation.get_asm(enable_debug_info=True, large_elements_limit=3))


def rewrite(module: ir.Module) -> None:
    def to_mul(op: ir.Operation, rewriter: PatternRewriter) -> None:
        with rewriter.ip:
            new = arith.muli(op.operands[0], op.operands[1], loc=op.location)
        rewriter.replace_op(op, [new])

    patterns = RewritePatternSet()
    patterns.add(arith.AddIOp, to_mul)
    apply_patterns_and_fold_greedily(module, patterns.freeze())


def engine(module: ir.Module) -> None:
    jit = ExecutionEngine(module, opt_level=3)
    jit.invoke("f")


def handlers(ctx: ir.Context) -> None:
    def handle(diagnostic: ir.Diagnostic) -> bool:
        print(diagnostic.severity, diagnostic.message)
        return True

    with ctx.attach_diagnostic_handler(handle) as handler:
        print(handler.had_error)


def high_level() -> None:
    executable = mlir_xla.compile("func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }")
    result: np.ndarray = executable(np.zeros(2, np.float32))
    print(result, executable.stages, executable.timings)


if __name__ == "__main__":
    module = build()
    print(passes(module), names(module.operation))
    with module.context:
        rewrite(module)
    with ir.Context() as context, ir.Location.unknown():
        attributes()
        handlers(context)
    engine(ir.Module.parse("llvm.func @_mlir_ciface_f() { llvm.return }", ir.Context()))
    high_level()
