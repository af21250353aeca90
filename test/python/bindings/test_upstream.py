# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Upstream's bindings are all there and work in this package: one look at each module. Their tests are upstream's."""

import ctypes
import importlib
from pathlib import Path

import numpy as np
import pytest

import mlir_xla
from mlir_xla import ir
from mlir_xla.execution_engine import ExecutionEngine
from mlir_xla.passmanager import PassManager

PACKAGE = Path(mlir_xla.__file__).parent
# Python's names of dialects, where they are not MLIR's.
NAMESPACES = {"async_dialect": "async", "openacc": "acc", "openmp": "omp"}
DIALECTS = sorted(
    path.stem if path.stem != "__init__" else path.parent.name
    for path in [*PACKAGE.glob("dialects/*.py"), *PACKAGE.glob("dialects/*/__init__.py")]
    if not path.name.startswith("_") or path.parent.name != "dialects"
)
TRANSFORMS = sorted(path.stem for path in PACKAGE.glob("dialects/transform/*.py") if path.stem != "__init__")
EXTENSIONS = sorted(path.name.split(".")[0] for path in PACKAGE.glob("_mlir_libs/_*.so"))


@pytest.fixture
def ctx():
    with ir.Context() as context, ir.Location.unknown():
        yield context


def run(module, pipeline):
    PassManager.parse(pipeline).run(module.operation)
    return str(module)


def test_nothing_is_missing():
    assert len(DIALECTS) >= 37 and len(TRANSFORMS) >= 14 and len(EXTENSIONS) >= 19
    assert {"xla", "linalg", "openmp", "openacc", "async_dialect", "gpu", "nvgpu", "spirv", "transform"} <= {*DIALECTS}


@pytest.mark.parametrize("name", DIALECTS)
def test_dialect(name, ctx):
    module = importlib.import_module(f"mlir_xla.dialects.{name}")
    namespace = NAMESPACES.get(name, name)
    generated = PACKAGE / "dialects" / f"_{namespace}_ops_gen.py"
    if generated.exists():
        ops = [v for v in vars(module).values() if isinstance(v, type) and issubclass(v, ir.OpView)]
        names = {op.OPERATION_NAME for op in ops if hasattr(op, "OPERATION_NAME")}
        assert any(each.startswith(f"{namespace}.") for each in names)
        assert all(ctx.is_registered_operation(each) for each in names)
    assert ctx.dialects[namespace].descriptor.namespace == namespace


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transform_extension(name, ctx):
    module = importlib.import_module(f"mlir_xla.dialects.transform.{name}")
    ops = [v.OPERATION_NAME for v in vars(module).values() if hasattr(v, "OPERATION_NAME")]
    assert ops and all(ctx.is_registered_operation(op) for op in ops)


@pytest.mark.parametrize("name", EXTENSIONS)
def test_extension_module(name):
    assert importlib.import_module(f"mlir_xla._mlir_libs.{name}").__doc__ is not None


def test_capsules_bear_the_prefix_of_the_package(ctx):
    assert '"mlir_xla.ir.Context._CAPIPtr"' in repr(ctx._CAPIPtr)


def test_passes_errors_and_diagnostics(ctx):
    module = ir.Module.parse("func.func @f() { %0 = arith.constant 1 : i32 return }")
    assert "arith" not in run(module, "builtin.module(canonicalize)")
    with pytest.raises(ir.MLIRError, match="1:1.*wanted") as caught:
        ir.Module.parse("wanted")
    assert caught.value.error_diagnostics[0].location.start_line == 1
    with pytest.raises(ValueError, match="no-such-pass"):
        PassManager.parse("builtin.module(no-such-pass)")


def test_builders_and_extras(ctx):
    from mlir_xla.dialects import arith, func, scf
    from mlir_xla.extras import types as T

    module = ir.Module.create()
    with ir.InsertionPoint(module.body):

        @func.FuncOp.from_py_func(T.index())
        def total(n):
            zero, one = arith.constant(T.index(), 0), arith.constant(T.index(), 1)
            loop = scf.ForOp(zero, n, one, [zero])
            with ir.InsertionPoint(loop.body):
                scf.yield_([arith.addi(loop.inner_iter_args[0], loop.induction_variable)])
            return loop.results

    assert module.operation.verify() and "scf.for" in str(module)


def test_rewrite(ctx):
    from mlir_xla.dialects import arith
    from mlir_xla.rewrite import RewritePatternSet, apply_patterns_and_fold_greedily

    def to_mul(op, rewriter):
        with rewriter.ip:
            rewriter.replace_op(op, arith.MulIOp(op.lhs, op.rhs, loc=op.location))

    patterns = RewritePatternSet()
    patterns.add(arith.AddIOp, to_mul)
    module = ir.Module.parse("func.func @f(%a: i32) -> i32 { %0 = arith.addi %a, %a : i32 return %0 : i32 }")
    apply_patterns_and_fold_greedily(module, patterns.freeze())
    assert "arith.muli" in str(module)


def test_execution_engine_and_runtime(ctx):
    from mlir_xla.runtime import get_ranked_memref_descriptor, ranked_memref_to_numpy

    module = ir.Module.parse(
        "func.func @set(%m: memref<3xf32>, %x: f32) attributes {llvm.emit_c_interface} {\n"
        "  %c1 = arith.constant 1 : index\n  memref.store %x, %m[%c1] : memref<3xf32>\n  return\n}"
    )
    passes = "finalize-memref-to-llvm,convert-func-to-llvm,convert-arith-to-llvm,reconcile-unrealized-casts"
    run(module, f"builtin.module({passes})")
    descriptor = ctypes.pointer(ctypes.pointer(get_ranked_memref_descriptor(np.zeros(3, np.float32))))
    ExecutionEngine(module).invoke("set", descriptor, (ctypes.c_float * 1)(2.5))
    assert ranked_memref_to_numpy(descriptor.contents).tolist() == [0, 2.5, 0]


def test_opdsl(ctx):
    from mlir_xla.dialects import func, linalg
    from mlir_xla.dialects.linalg.opdsl import lang
    from mlir_xla.extras import types as T

    matrix, scalar, result = (
        lang.TensorDef(lang.T, lang.S.M, lang.S.N),
        lang.ScalarDef(lang.T),
        lang.TensorDef(lang.T, lang.S.M, lang.S.N, output=True),
    )

    @lang.linalg_structured_op
    def scaled(A=matrix, s=scalar, C=result):
        C[lang.D.m, lang.D.n] = A[lang.D.m, lang.D.n] * s

    module = ir.Module.create()
    with ir.InsertionPoint(module.body):

        @func.FuncOp.from_py_func(T.tensor(2, 3, T.f32()), T.f32(), T.tensor(2, 3, T.f32()))
        def main(a, s, c):
            return scaled(linalg.add(a, c, outs=[c]), s, outs=[c])

    assert "linalg.generic" in str(module) and "linalg.add" in str(module)


def test_transform_interpreter(ctx):
    from mlir_xla.dialects.transform import interpreter

    module = ir.Module.parse(
        "module attributes {transform.with_named_sequence} {\n"
        "  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {\n"
        '    transform.annotate %root "seen" : !transform.any_op\n    transform.yield\n  }\n}'
    )
    payload = ir.Module.parse("module {}")
    interpreter.apply_named_sequence(payload, module.body.operations[0], module)
    assert "seen" in payload.operation.attributes


@pytest.mark.parametrize(
    "module, pipeline",
    [
        ("async_dialect.passes", "builtin.module(async-to-async-runtime)"),
        ("gpu.passes", "builtin.module(gpu-kernel-outlining)"),
        ("linalg.passes", "builtin.module(convert-linalg-to-loops)"),
    ],
)
def test_passes_of_a_dialect(module, pipeline, ctx):
    importlib.import_module(f"mlir_xla.dialects.{module}")
    run(ir.Module.create(), pipeline)


@pytest.mark.parametrize(
    "dialect, make, text",
    [
        ("gpu", lambda d: d.AsyncTokenType.get(), "!gpu.async.token"),
        ("llvm", lambda d: d.PointerType.get(), "!llvm.ptr"),
        ("nvgpu", lambda d: d.TensorMapDescriptorType, None),
        ("pdl", lambda d: d.OperationType.get(), "!pdl.operation"),
        ("quant", lambda d: d.AnyQuantizedType, None),
        ("amdgpu", lambda d: d.TDMBaseType, None),
        ("smt", lambda d: d.BoolType.get(), "!smt.bool"),
        ("sparse_tensor", lambda d: d.EncodingAttr, None),
        ("transform", lambda d: d.AnyOpType.get(), "!transform.any_op"),
        ("xla", lambda d: d.TokenType.get(), "!xla.token"),
    ],
)
def test_types_of_a_dialect(dialect, make, text, ctx):
    made = make(importlib.import_module(f"mlir_xla.dialects.{dialect}"))
    assert isinstance(made, type) if text is None else made == type(made)(ir.Type.parse(text))


def test_irdl(ctx):
    from mlir_xla.dialects import irdl

    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        dialect = irdl.dialect("mine")
        with ir.InsertionPoint(dialect.body):
            irdl.operation_("nothing")
    irdl.load_dialects(module)
    assert ir.Operation.create("mine.nothing").name == "mine.nothing"
