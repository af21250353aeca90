# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The transform dialect, its extensions and the interpreter."""

import pytest

from mlir_xla.dialects import linalg, pdl, scf, transform
from mlir_xla.dialects.bufferization import LayoutMapOption
from mlir_xla.dialects.transform import bufferization, gpu, interpreter, loop, memref, structured, tensor, vector
from mlir_xla.dialects.transform import pdl as transform_pdl
from mlir_xla.ir import (
    Attribute,
    BoolAttr,
    Context,
    DenseI64ArrayAttr,
    FloatAttr,
    InsertionPoint,
    IntegerAttr,
    IntegerType,
    Location,
    Module,
    StringAttr,
    Type,
    UnitAttr,
)


@pytest.fixture(autouse=True)
def module():
    with Context(), Location.unknown():
        module = Module.create()
        module.operation.attributes["transform.with_named_sequence"] = UnitAttr.get()
        with InsertionPoint(module.body):
            yield module


def op(name):
    return transform.OperationType.get(name)


def sequence(build, target_type=None):
    """The lines of a sequence whose body `build` makes."""
    s = transform.SequenceOp(transform.FailurePropagationMode.Propagate, [], target_type or transform.AnyOpType.get())
    with InsertionPoint(s.body):
        build(s.bodyTarget)
        transform.YieldOp()
    # Handles are used more than once below, which the verifier forbids.
    return [line.strip() for line in s.operation.get_asm(assume_verified=True).splitlines()]


def test_types():
    assert str(transform.AnyOpType.get()) == "!transform.any_op"
    assert str(transform.AnyParamType.get()) == "!transform.any_param"
    assert str(transform.any_value_t()) == "!transform.any_value"
    concrete = op("foo.bar")
    assert str(concrete) == '!transform.op<"foo.bar">' and concrete.operation_name == "foo.bar"
    param = transform.ParamType.get(IntegerType.get_signless(32))
    assert str(param) == "!transform.param<i32>" and param.type == IntegerType.get_signless(32)
    parsed = Type.parse('!transform.op<"foo.bar">')
    assert repr(parsed) == 'OperationType(!transform.op<"foo.bar">)' and parsed == concrete


def test_sequences(module):
    any_op = transform.AnyOpType.get()
    outer = transform.SequenceOp(transform.FailurePropagationMode.Propagate, [any_op], any_op, [any_op, op("a.b")])
    assert [a.type for a in outer.bodyExtraArgs] == [any_op, op("a.b")]
    with InsertionPoint(outer.body):
        inner = transform.SequenceOp(
            transform.FailurePropagationMode.Suppress, [any_op], outer.bodyTarget, outer.bodyExtraArgs
        )
        with InsertionPoint(inner.body):
            transform.YieldOp([inner.bodyTarget])
        transform.YieldOp(inner)
    named = transform.NamedSequenceOp("main", [any_op], [any_op], arg_attrs=[{"transform.consumed": UnitAttr.get()}])
    with InsertionPoint(named.body):
        transform.yield_([named.bodyTarget])
    assert module.operation.verify()
    text = str(module)
    assert 'sequence %arg0, %arg1, %arg2 : (!transform.any_op, !transform.any_op, !transform.op<"a.b">)' in text
    assert "failures(suppress)" in text
    assert (
        "transform.named_sequence @main(%arg0: !transform.any_op {transform.consumed}) -> !transform.any_op {" in text
    )


def test_core_operations():
    def build(target):
        transform.GetParentOp(transform.AnyOpType.get(), target, isolated_from_above=True, nth_parent=2)
        transform.MergeHandlesOp([target], deduplicate=True)
        transform.CastOp(op("linalg.matmul"), target)
        with InsertionPoint(transform.ApplyPatternsOp(target).patterns):
            transform.ApplyCanonicalizationPatternsOp()
            vector.ApplyLowerTransposePatternsOp(lowering_strategy=vector.VectorTransposeLowering.Shuffle1D)
        foreach = transform.ForeachOp([], target)
        with InsertionPoint(foreach.body):
            transform.yield_()
        transform.include([], "other", operands=[target])

    text = "\n".join(sequence(build))
    assert "get_parent_op %arg0 {isolated_from_above, nth_parent = 2 : i64}" in text
    assert "merge_handles deduplicate %arg0" in text
    assert "transform.apply_patterns.canonicalization" in text and "lowering_strategy = shuffle_1d" in text
    assert "include @other failures(propagate) (%arg0)" in text


def test_apply_registered_pass():
    def build(target):
        any_op = transform.AnyOpType.get()
        mod = transform.ApplyRegisteredPassOp(any_op, target, "canonicalize", options={"top-down": BoolAttr.get(False)})
        limit = transform.param_constant(
            transform.AnyParamType.get(), IntegerAttr.get(IntegerType.get_signless(64), 10)
        )
        mod = transform.apply_registered_pass(
            any_op, mod, "canonicalize", options={"top-down": False, "max-iterations": limit, "test-convergence": True}
        )
        transform.apply_registered_pass(any_op, mod, "symbol-privatize", options={"exclude": ("a", limit)})
        with pytest.raises(TypeError, match="Unsupported option type"):
            transform.apply_registered_pass(any_op, mod, "x", options={"a": 1.5})

    text = "\n".join(sequence(build))
    assert 'apply_registered_pass "canonicalize" with options = {"top-down" = false} to %arg0' in text
    assert '{"max-iterations" = %1, "test-convergence" = true, "top-down" = false}' in text
    assert '{"exclude" = ["a", %1]}' in text


@pytest.mark.parametrize(
    "build, expected",
    [
        (lambda t: structured.DecomposeOp(t), "transform.structured.decompose %arg0"),
        (lambda t: structured.GeneralizeOp(t), "transform.structured.generalize %arg0"),
        (lambda t: structured.ScalarizeOp(t), "transform.structured.scalarize %arg0"),
        (lambda t: structured.InterchangeOp(t, iterator_interchange=[1, 0]), "iterator_interchange = [1, 0]"),
        (
            lambda t: structured.BufferizeToAllocationOp(t, memory_space=3, alloc_op="memref.alloca"),
            'alloc_op = "memref.alloca", memory_space = 3 : i64}',
        ),
        (
            lambda t: structured.FuseIntoContainingOp(t, t),
            ": (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)",
        ),
        (
            lambda t: structured.FuseIntoContainingOp(op("a.b"), op("c.d"), t, t),
            '-> (!transform.op<"a.b">, !transform.op<"c.d">)',
        ),
        (
            lambda t: structured.MapCopyToThreadsOp(t, total_num_threads=32, desired_bit_alignment=128),
            "total_num_threads = 32 desired_bit_alignment = 128",
        ),
        (lambda t: structured.MatchOp.match_op_names(t, "test.dummy"), 'ops{["test.dummy"]} in %arg0'),
        (
            lambda t: structured.MatchOp.match_op_names(op("a.b"), t, ["a.b", "c.d"]),
            'ops{["a.b", "c.d"]} in %arg0 : (!transform.any_op) -> !transform.op<"a.b">',
        ),
        (
            lambda t: structured.MatchOp(
                transform.AnyOpType.get(), t, interface=structured.MatchInterfaceEnum.LinalgOp
            ),
            "interface{LinalgOp} in %arg0",
        ),
        (
            lambda t: structured.MultiTileSizesOp(transform.AnyOpType.get(), t, dimension=1, target_size=42, divisor=2),
            "{dimension = 1 : i64, divisor = 2 : i64, target_size = 42 : i64}",
        ),
        (lambda t: structured.PadOp(t), "transform.structured.pad %arg0 :"),
        (
            lambda t: structured.PadOp(
                t,
                pad_to_multiple_of=[128],
                padding_values=[FloatAttr.get_f32(42.0), StringAttr.get("0")],
                padding_dimensions=Attribute.parse("[1]"),
                nofold_flags=[0],
                transpose_paddings=[[1, Attribute.parse("0")], Attribute.parse("[0, 1]")],
                copy_back_op="linalg.copy",
            ),
            "transpose_paddings = [[1, 0], [0, 1]]",
        ),
        (lambda t: structured.SplitOp(t, dimension=1, chunk_sizes=42), "after 42  {dimension = 1 : i64}"),
        (lambda t: structured.SplitOp(t, dimension=1, chunk_sizes=t), "after %arg0  {dimension = 1 : i64}"),
        (lambda t: structured.TileUsingForOp(t, sizes=[4, 8], interchange=[0, 1]), "[4, 8] interchange = [0, 1]"),
        (lambda t: structured.TileUsingForOp(t, sizes=DenseI64ArrayAttr.get([4, 0, 2, 0])), "[4, 0, 2, 0]"),
        (lambda t: structured.TileUsingForOp(t, sizes=[4, [2]]), "[4, [2]]"),
        (lambda t: structured.TileUsingForOp(t, sizes=[t, 3]), "[%arg0, 3]"),
        (lambda t: structured.TileUsingForOp(op("scf.for"), t, sizes=[2, 3]), '!transform.op<"scf.for">, !transform'),
        (
            lambda t: structured.TileUsingForOp([op("scf.for"), op("scf.forall")], t, sizes=[2, 3]),
            '!transform.op<"scf.for">, !transform.op<"scf.forall">)',
        ),
        (lambda t: structured.TileUsingForallOp(t, num_threads=[2, 3]), "num_threads [2, 3]"),
        (lambda t: structured.TileUsingForallOp(t, tile_sizes=[2, 3]), "tile_sizes [2, 3]"),
        (lambda t: structured.TileUsingForallOp(t, num_threads=[t, 3]), "num_threads [%arg0, 3]"),
        (lambda t: structured.TileUsingForallOp(t, num_threads=t), "num_threads *(%arg0)"),
        (
            lambda t: structured.TileUsingForallOp(
                t, num_threads=[2, 3], mapping=[Attribute.parse("#gpu.thread<y>"), Attribute.parse("#gpu.thread<x>")]
            ),
            "mapping = [#gpu.thread<y>, #gpu.thread<x>]",
        ),
        (
            lambda t: structured.TileUsingForallOp(op("scf.forall"), op("a.b"), t, num_threads=[2]),
            '-> (!transform.op<"scf.forall">, !transform.op<"a.b">)',
        ),
        (lambda t: structured.FuseOp(t, tile_sizes=[4, 0], apply_cleanup=True), "transform.structured.fuse %arg0"),
        (lambda t: structured.VectorizeOp(t), "transform.structured.vectorize %arg0 :"),
        (lambda t: structured.VectorizeOp(t, [16, 4]), "vector_sizes [16, 4]"),
        (lambda t: structured.VectorizeOp(t, Attribute.parse("[16, 4]")), "vector_sizes [16, 4]"),
        (lambda t: structured.VectorizeOp(t, [16, [t], [Attribute.parse("4")]]), "vector_sizes [16, [%arg0], [4]]"),
        (lambda t: structured.VectorizeOp(t, [4], vectorize_nd_extract=True), "vectorize_nd_extract"),
        (
            lambda t: structured.VectorizeChildrenAndApplyPatternsOp(t, vectorize_padding=True),
            "vectorize_children_and_apply_patterns %arg0 {vectorize_padding}",
        ),
        (lambda t: memref.MemRefAllocaToGlobalOp(t), "-> (!transform.any_op, !transform.any_op)"),
        (lambda t: memref.MemRefMultiBufferOp(t, 4, skip_analysis=True), "factor = 4 : i64, skip_analysis"),
        (lambda t: memref.MemRefMultiBufferOp(op("memref.alloc"), t, 4), '-> !transform.op<"memref.alloc">'),
        (lambda t: tensor.MakeLoopIndependentOp(t, 4), "num_loops = 4"),
        (lambda t: bufferization.EmptyTensorToAllocTensorOp(t), '-> !transform.op<"bufferization.alloc_tensor">'),
        (
            lambda t: bufferization.OneShotBufferizeOp(
                t, allow_unknown_ops=True, function_boundary_type_conversion=LayoutMapOption.IdentityLayoutMap
            ),
            "layout{IdentityLayoutMap} %arg0 {allow_unknown_ops = true}",
        ),
        (lambda t: gpu.MapForallToBlocks(t, grid_dims=[4, 2]), "grid_dims = [4, 2]"),
        (
            lambda t: gpu.MapNestedForallToThreads(t, block_dims=[4, 2], warp_size=64, sync_after_distribute=False),
            "block_dims = [4, 2] sync_after_distribute = false warp_size = 64",
        ),
        (lambda t: loop.LoopUnrollOp(t, factor=42), "{factor = 42 : i64}"),
        (
            lambda t: loop.LoopPeelOp(transform.AnyOpType.get(), transform.AnyOpType.get(), t),
            "transform.loop.peel %arg0",
        ),
        (
            lambda t: loop.LoopPipelineOp(transform.AnyOpType.get(), t, iteration_interval=3),
            "iteration_interval = 3 : i64",
        ),
        (
            lambda t: loop.LoopOutlineOp(transform.AnyOpType.get(), transform.AnyOpType.get(), t, func_name="foo"),
            '{func_name = "foo"}',
        ),
    ],
)
def test_extensions(build, expected):
    text = "\n".join(sequence(build))
    assert expected in text, text
    assert "<<UNKNOWN" not in text


def test_argument_errors():
    def build(target):
        with pytest.raises(TypeError, match="takes 2 result types or none, got 1"):
            structured.FuseIntoContainingOp(op("a.b"), target, target)
        with pytest.raises(TypeError, match="missing argument target"):
            structured.TileUsingForallOp()
        with pytest.raises(ValueError, match="makes 2 loops, got 1 types"):
            structured.TileUsingForOp([op("scf.for")], target, sizes=[1, 2])
        with pytest.raises(TypeError, match="two values for target"):
            memref.MemRefMultiBufferOp(target, target=target, factor=4)

    sequence(build)


def test_pdl_extension(module):
    with_pdl = transform_pdl.WithPDLPatternsOp(transform.AnyOpType.get())
    with InsertionPoint(with_pdl.body):
        s = transform.SequenceOp(
            transform.FailurePropagationMode.Propagate, [transform.AnyOpType.get()], with_pdl.bodyTarget
        )
        with InsertionPoint(s.body):
            match = transform_pdl.PDLMatchOp(transform.AnyOpType.get(), s.bodyTarget, "matcher")
            transform.ReplicateOp(match, [match])
            transform.YieldOp(match)
    assert module.operation.verify()
    assert "pdl_match @matcher in %arg1" in str(module)


def test_pdl_patterns(module):
    pattern = pdl.PatternOp(1, "operations")
    with InsertionPoint(pattern.body):
        attr, ty = pdl.AttributeOp(), pdl.TypeOp()
        first = pdl.OperationOp(attributes={"attr": attr}, types=[ty])
        root = pdl.OperationOp(args=[pdl.ResultOp(first, 0), pdl.OperandOp()])
        pdl.RewriteOp(root, "rewriter", args=[first])
    pattern = pdl.PatternOp(2)
    with InsertionPoint(pattern.body):
        types = pdl.TypesOp()
        root = pdl.OperationOp(args=[pdl.OperandsOp(types)], types=[types])
        pdl.ApplyNativeConstraintOp([], "constraint", args=[types])
        rewrite = pdl.RewriteOp(root)
        with InsertionPoint(rewrite.add_body()):
            others = pdl.TypesOp([IntegerType.get_signless(32)])
            new = pdl.OperationOp(name="foo.op", types=[types, others])
            pdl.ApplyNativeRewriteOp([], "Native", args=[pdl.AttributeOp(value=Attribute.parse('"v"'))])
            pdl.ReplaceOp(root, with_op=new)
    assert module.operation.verify()
    text = str(module)
    assert 'rewrite %5 with "rewriter"(%2 : !pdl.operation)' in text and "replace %2 with %4" in text
    assert pdl.RangeType.get(pdl.ValueType.get()).element_type == pdl.ValueType.get()
    assert isinstance(pdl.ValueType.get(), pdl.ValueType) and pdl.PDLType.isinstance(pdl.TypeType.get())
    with pytest.raises(ValueError, match="the elements of a pdl range"):
        pdl.RangeType.get(IntegerType.get_signless(32))


SCRIPT = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.generalize %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}"""
PAYLOAD = """
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}"""


def test_interpreter():
    script, payload = Module.parse(SCRIPT), Module.parse(PAYLOAD)
    exp = payload.body.operations[0].body.blocks[0].operations[0]
    assert isinstance(exp, linalg.ExpOp)
    interpreter.apply_named_sequence(payload, script.body.operations[0], script)
    assert "linalg.generic" in str(payload) and payload.operation.verify()
    with pytest.raises(Exception, match="invalidated"):
        exp.operation.name  # noqa: B018
    payload = Module.parse(PAYLOAD)
    options = interpreter.TransformOptions()
    options.expensive_checks = True
    options.enforce_single_top_level_transform_op = True
    assert options.expensive_checks and options.enforce_single_top_level_transform_op
    script.body.operations[0].apply(payload, options)
    assert "linalg.generic" in str(payload)
    with pytest.raises(ValueError, match="must implement TransformOpInterface to be used as transform root"):
        interpreter.apply_named_sequence(payload, payload, payload)


def test_merging_scripts():
    main = Module.parse("""
module attributes {transform.with_named_sequence} {
  transform.named_sequence private @callee(!transform.any_op {transform.readonly})
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.include @callee failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}""")
    library = Module.parse("""
module attributes {transform.with_named_sequence} {
  transform.named_sequence @callee(%root: !transform.any_op {transform.readonly}) { transform.yield }
}""")
    with pytest.raises(ValueError, match="Failed to apply"):
        interpreter.apply_named_sequence(main, main.body.operations[1], main)
    interpreter.copy_symbols_and_merge_into(main, library)
    assert str(main).count("@callee") == 2
    with pytest.raises(ValueError, match="doubly defined symbol @callee"):
        interpreter.copy_symbols_and_merge_into(main, library)


def test_script_from_a_python_function(capsys):
    # Importing the extras changes how handles appear, in the whole process; hence the last test.
    from mlir_xla.dialects.transform.extras import OpHandle, ParamHandle, constant_param, insert_transform_script

    module = Module.create()
    module.operation.attributes["transform.with_named_sequence"] = UnitAttr.get()

    def script(handle):
        assert isinstance(handle, OpHandle)
        handle.match_ops(scf.ForOp).print("loops")
        handle.match_ops("linalg.matmul")
        handle.match_ops("LinalgOp")
        handle.match_ops(structured.MatchInterfaceEnum.LinalgOp)
        handle.match_ops([scf.ForOp, "linalg.matmul", scf.ForallOp])
        assert isinstance(constant_param(4), ParamHandle)

    insert_transform_script(module.body, script, dump_script=True)
    assert module.operation.verify()
    text = capsys.readouterr().out
    assert 'match ops{["scf.for"]} in %arg0 : (!transform.any_op) -> !transform.op<"scf.for">' in text
    assert text.count("interface{LinalgOp}") == 2
    assert 'ops{["scf.for", "linalg.matmul", "scf.forall"]} in %arg0 : (!transform.any_op) -> !transform.any_op' in text
