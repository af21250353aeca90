# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""func, arith, scf, cf, tensor, memref, affine, builtin, math, complex: hand-written classes on the generated ones."""

import importlib
import pkgutil
import subprocess
import sys
from array import array

import numpy as np
import pytest

import mlir_xla.dialects
from mlir_xla.dialects import affine, arith, builtin, cf, complex, func, math, memref, scf, tensor
from mlir_xla.extras import types as T
from mlir_xla.extras.meta import region_op
from mlir_xla.ir import (
    AffineConstantExpr,
    AffineDimExpr,
    AffineMap,
    AffineSymbolExpr,
    Context,
    DenseElementsAttr,
    DictAttr,
    FlatSymbolRefAttr,
    FloatAttr,
    InsertionPoint,
    IntegerAttr,
    IntegerSet,
    Location,
    Module,
    OpResult,
    ShapedType,
    StridedLayoutAttr,
    StringAttr,
    UnitAttr,
    Value,
    register_value_caster,
)

DYNAMIC = ShapedType.get_dynamic_size()


@pytest.fixture(autouse=True)
def module():
    with Context(), Location.unknown():
        module = Module.create()
        with InsertionPoint(module.body):
            yield module
        assert module.operation.verify()


def lines(module):
    return [line.strip() for line in str(module).splitlines()]


def test_every_module_imports():
    names = [m.name for m in pkgutil.iter_modules(mlir_xla.dialects.__path__) if not m.name.startswith("_")]
    assert len(names) >= 35
    for name in names:
        dialect = importlib.import_module(f"mlir_xla.dialects.{name}")
        assert any(hasattr(member, "OPERATION_NAME") for member in vars(dialect).values()), name


def test_modules_are_lazy():
    code = (
        "import sys, mlir_xla.ir, mlir_xla.dialects\n"
        "assert not [m for m in sys.modules if m.startswith('mlir_xla.dialects.')]\n"
        "with mlir_xla.ir.Context():\n"
        "    mlir_xla.ir.Type.parse('!transform.any_op')\n"
        "    mlir_xla.ir.Module.parse('func.func private @f()')\n"
        "from mlir_xla.dialects import cf\n"
        "loaded = {m.split('.')[2] for m in sys.modules if m.startswith('mlir_xla.dialects.')}\n"
        "assert not loaded & {'linalg', 'gpu', 'nvvm', 'llvm', 'transform', 'xla', 'arith'}, loaded\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# === func ===


def test_functions(module):
    i32, f32 = T.i32(), T.f32()
    foo = func.FuncOp("foo", ([], []), visibility="private")
    bar = func.FuncOp("bar", ([i32], [f32]))
    bar.sym_visibility = StringAttr.get("private")
    assert foo.is_external and foo.visibility.value == "private" and bar.name.value == "bar"
    assert bar.type.inputs == [i32] and bar.type.results == [f32]
    with pytest.raises(IndexError, match="External function does not have a body"):
        bar.entry_block  # noqa: B018
    reference = func.ConstantOp(bar.type, bar.sym_name.value)
    assert reference.type == bar.type

    def body(op):
        func.CallOp(foo, [])
        argument = op.arguments[0]
        by_name = func.CallOp([f32], "bar", [argument])
        by_reference = func.CallOp([f32], FlatSymbolRefAttr.get("bar"), [argument])
        func.ReturnOp([by_name, by_reference.results[0]])

    caller = func.FuncOp("caller", ([i32], [f32, f32]), body_builder=body)
    assert not caller.is_external and len(caller.arguments) == 1
    with pytest.raises(IndexError, match="already has an entry block"):
        caller.add_entry_block()
    assert "%0 = call @bar(%arg0) : (i32) -> f32" in lines(module)
    for arguments in [(foo, "x"), ([f32], 1, []), ([f32], "bar"), (foo, [], [])]:
        with pytest.raises(ValueError):
            func.CallOp(*arguments)


def test_module_with_attributes(module):
    @builtin.module(attrs={"test.mark": UnitAttr.get()})
    def marked():
        arith.constant(T.i32(), 1)

    assert "test.mark" in marked.attributes and len(marked.body.operations) == 1


def test_tensor_generate(module):
    dynamic = ShapedType.get_dynamic_size()
    one = arith.constant(T.index(), 1)

    @tensor.generate(T.tensor(dynamic, 3, T.index()), dynamic_extents=[one])
    def sums(i: T.index(), j: T.index()):
        return arith.addi(i, j)

    assert isinstance(sums, Value) and sums.owner.verify()
    assert "tensor.yield %1 : index" in str(sums.owner).replace("%0", "%1")


def test_failing_body_builder_leaves_nothing(module):
    def body(op):
        raise KeyError("stop")

    with pytest.raises(KeyError):
        func.FuncOp("broken", ([], []), body_builder=body)
    assert len(module.body.operations) == 0


def test_argument_attributes():
    f = func.FuncOp("f", ([T.f32()], []), visibility="private")
    assert len(f.arg_attrs) == 1 and f.arg_attrs[0] == DictAttr.get({})
    f.arg_attrs = [DictAttr.get({"test.foo": StringAttr.get("bar")})]
    assert f.arg_attrs[0]["test.foo"] == StringAttr.get("bar")


def test_from_py_func(module):
    i32 = T.i32()

    @func.FuncOp.from_py_func(i32, i32)
    def add(a, b):
        return arith.addi(a, b)

    @func.FuncOp.from_py_func(i32)
    def pair(a):
        return a, add(a, a)

    @func.FuncOp.from_py_func(i32, name="renamed")
    def nothing(a, func_op=None):
        assert func_op.name.value == "renamed"
        first, second = pair(a)
        assert isinstance(first, OpResult) and second.type == i32

    @func.FuncOp.from_py_func(results=[i32])
    def explicit():
        func.ReturnOp([arith.constant(i32, 1)])

    assert add.func_op.type.results == [i32]
    assert pair.__name__ == "pair"
    text = str(module)
    assert "func.func @pair(%arg0: i32) -> (i32, i32)" in text and "call @pair" in text and "@renamed" in text
    with pytest.raises(AssertionError, match="requires that the wrapped function returns None"):

        @func.FuncOp.from_py_func(i32, results=[i32])
        def wrong(a):
            return a

    assert "@wrong" not in str(module)


# === arith ===


def test_constants(module):
    assert arith.ConstantOp(T.i32(), 42).literal_value == 42
    assert arith.ConstantOp(T.f32(), 3.14).literal_value == pytest.approx(3.14)
    assert arith.ConstantOp(T.bf16(), 2).literal_value == 2.0
    assert arith.ConstantOp.create_index(10).literal_value == 10
    assert arith.ConstantOp(value=1.5, result=T.f64()).value == FloatAttr.get_f64(1.5)
    vector = T.vector(2, 2, T.i32())
    splat = DenseElementsAttr.get_splat(vector, IntegerAttr.get(T.i32(), 42))
    dense = arith.ConstantOp(vector, splat)
    assert dense.type == vector
    with pytest.raises(ValueError, match="only integer and float constants have literal values"):
        dense.literal_value  # noqa: B018
    assert arith.constant(vector, 42).owner.attributes["value"] == splat
    assert np.array(arith.ConstantOp(T.tensor(2, T.f64()), array("d", [1, 2])).value).tolist() == [1, 2]
    assert np.array(arith.ConstantOp(T.tensor(2, T.i8()), np.array([1, 2], np.int8)).value).tolist() == [1, 2]
    assert str(arith.constant(T.i1() if hasattr(T, "i1") else T.bool(), 1).owner) == "%true = arith.constant true"
    with pytest.raises(NotImplementedError):
        arith.ConstantOp(T.i32(), "x")


def test_arithmetic(module):
    a = arith.constant(T.f32(), 42.42)
    flags = arith.FastMathFlags.nnan | arith.FastMathFlags.ninf
    assert "fastmath<nnan,ninf>" in str(arith.AddFOp(a, a, fastmath=flags))
    i = arith.constant(T.i32(), 1)
    assert "cmpi slt" in str(arith.cmpi(arith.CmpIPredicate.slt, i, i).owner)
    assert "overflow<nsw, nuw>" in str(
        arith.AddIOp(i, i, overflowFlags=arith.IntegerOverflowFlags.nsw | arith.IntegerOverflowFlags.nuw)
    )
    assert arith.addi(i, i).type == T.i32()
    assert str(arith.AddIOp(arith.ConstantOp(T.i32(), 1), i).lhs.owner).startswith("%c1_i32")
    assert math.exp(a).type == T.f32()
    assert str(complex.create_(T.complex(T.f32()), a, a).type) == "complex<f32>"


def test_value_casters(module):
    class Scalar(Value):
        def __init__(self, v):
            super().__init__(v)

        def __add__(self, other):
            return arith.addf(self, other)

    from mlir_xla.ir import Float8E3M4Type

    register_value_caster(Float8E3M4Type.static_typeid)(Scalar)
    a = arith.constant(T.f8E3M4(), 1.0)
    assert isinstance(a, Scalar) and isinstance(a + a, Scalar)
    assert "arith.addf" in str(a + a)


# === scf, cf ===


def test_for(module):
    index = T.index()

    @func.func(index, index, index, T.memref(10, index))
    def loops(lb, ub, step, m):
        loop = scf.ForOp(lb, ub, step, [lb, lb])
        with InsertionPoint(loop.body):
            scf.YieldOp(loop.inner_iter_args)
        assert loop.induction_variable.type == index and len(loop.results) == 2
        for i in scf.for_(10):
            memref.store(arith.addi(i, i), m, [i])
            scf.yield_()
        for i, acc, total in scf.for_(lb, 100, 2, [step]):  # noqa: B007
            scf.yield_([arith.addi(acc, i)])
        assert total.type == index
        for _, (x, y), _ in scf.for_(lb, ub, step, [total, lb]):
            scf.yield_([y, x])
        for i in scf.for_(arith.constant(T.i32(), 0), 7):
            assert i.type == T.i32()
            scf.yield_()
        with pytest.raises(ValueError, match="bounds of different types"):
            next(scf.for_(lb, arith.constant(T.i32(), 1)))

    text = lines(module)
    assert (
        "%0:2 = scf.for %arg4 = %arg0 to %arg1 step %arg2 iter_args(%arg5 = %arg0, %arg6 = %arg0) -> (index, index) {"
        in text
    )
    assert (
        "%2:2 = scf.for %arg4 = %arg0 to %arg1 step %arg2 iter_args(%arg5 = %1, %arg6 = %arg0) -> (index, index) {"
        in text
    )


def test_if(module):
    i32 = T.i32()

    @func.func(T.bool())
    def choose(c):
        plain = scf.IfOp(c)
        assert plain.else_block is None
        with InsertionPoint(plain.then_block):
            scf.YieldOp([])
        both = scf.IfOp(c, [i32, i32], hasElse=True)
        with InsertionPoint(both.then_block):
            scf.YieldOp([arith.ConstantOp(i32, 0), arith.ConstantOp(i32, 1)])
        with InsertionPoint(both.else_block):
            scf.yield_([arith.constant(i32, 2), arith.constant(i32, 3)])
        return both

    assert "%0:2 = scf.if %arg0 -> (i32, i32) {" in lines(module)


def test_index_switch(module):
    i32 = T.i32()

    @func.func(T.index(), results=[i32])
    def switch(index):
        op = scf.IndexSwitchOp([i32], index, range(3))
        assert op.regions[0] == op.default_region and op.regions[1] == op.case_regions[0] == op.case_region(0)
        assert len(op.case_regions) == 3
        with InsertionPoint(op.default_block):
            cf.assert_(arith.constant(T.bool(), 0), "Whoops!")
            scf.yield_([arith.constant(i32, 9)])
        for i, block in enumerate(op.case_blocks):
            with InsertionPoint(block):
                scf.yield_([arith.constant(i32, i)])
        again = scf.index_switch(
            [i32],
            index,
            [5],
            case_body_builder=lambda op, i, value: scf.yield_([arith.constant(i32, value)]),
            default_body_builder=lambda op: scf.yield_([arith.constant(i32, 0)]),
        )
        func.return_([again])

    assert "case 5 {" in lines(module)


def test_forall_parallel_while(module):
    @func.func(T.tensor(4, 8, T.f32()), T.index())
    def loops(t, n):
        loop = scf.ForallOp([0, 0], [4, n], [1, 2], [t])
        assert loop.rank == 2 and loop.lower_bound == [0, 0] and loop.step == [1, 2]
        assert loop.upper_bound[0] == 4 and loop.upper_bound[1] == n
        with InsertionPoint(loop.body):
            i, j = loop.induction_variables
            assert loop.inner_iter_args[0].type == t.type
            end = loop.terminator()
            assert len(end.block.operations) == 0
        parallel = scf.ParallelOp([], [n], [n], [n], [])
        with InsertionPoint(parallel.region.blocks.append(n.type)):
            scf.reduce([], 0)
        w = scf.WhileOp([n.type], [n])
        with InsertionPoint(w.before.blocks.append(n.type)) as point:
            scf.condition(arith.constant(T.bool(), 0), point.block.arguments)
        with InsertionPoint(w.after.blocks.append(n.type)) as point:
            scf.yield_(point.block.arguments)
        with pytest.raises(ValueError, match="different lengths"):
            scf.ForallOp([0], [4, 8], [1])
        return w

    assert (
        "%0 = scf.forall (%arg2, %arg3) = (0, 0) to (4, %arg1) step (1, 2) "
        "shared_outs(%arg4 = %arg0) -> (tensor<4x8xf32>) {" in lines(module)
    )


# === tensor, memref, affine, builtin ===


def test_tensor(module):
    n = arith.constant(T.index(), 3)
    assert tensor.empty([2, n, 4], T.f32()).type == T.tensor(2, DYNAMIC, 4, T.f32())
    assert tensor.EmptyOp([2], T.f32(), StringAttr.get("e")).result.type.encoding.value == "e"
    x = tensor.empty([4], T.f32())
    assert tensor.extract(x, [n]).type == T.f32()
    assert tensor.from_elements(T.tensor(2, T.index()), [n, n]).type.shape == [2]


def test_memref(module):
    memref.global_("buffer", T.memref(16, T.i32()))
    x = memref.alloc(T.memref(10, 10, T.i32()), [], [])
    c1 = arith.constant(T.index(), 1)
    assert memref.load(x, [c1, c1]).type == T.i32()
    assert "memref.global @buffer : memref<16xi32>" in lines(module)
    assert str(memref.subview(x, [1, 1], [3, 3], [1, 1]).type) == "memref<3x3xi32, strided<[10, 1], offset: 11>>"
    c3, c4 = arith.constant(T.index(), 3), arith.constant(T.index(), 4)
    assert str(memref.subview(x, [c3, c4], [3, 3], [1, 1]).type) == "memref<3x3xi32, strided<[10, 1], offset: 34>>"
    dynamic = memref.subview(x, [arith.addi(c3, c4), 0], [3, 3], [1, 1])
    assert str(dynamic.type) == "memref<3x3xi32, strided<[10, 1], offset: ?>>"
    with pytest.raises(ValueError, match="mixed static/dynamic offset/sizes/strides requires explicit result type"):
        memref.subview(x, [0, 0], [DYNAMIC, 3], [1, 1])
    with pytest.raises(ValueError, match="Only inferring from python or mlir integer constant is supported"):
        memref._infer_memref_subview_result_type(x.type, [c3, c4], [DYNAMIC, 3], [1, 1])
    layout = StridedLayoutAttr.get(DYNAMIC, [10, 1])
    y = memref.alloc(T.memref(10, 10, T.i32(), layout=layout), [], [c3])
    result = T.memref(3, 3, T.i32(), layout=layout)
    assert memref.subview(y, [1, 1], [3, 3], [1, 1], result_type=result).type == result


@pytest.mark.parametrize(
    "slices",
    [
        np.s_[1:2, :, :, :],
        np.s_[:, 1:2, :, 1:2],
        np.s_[:, :, 1:2, 1:2],
        np.s_[:, 0:22:2, :, 0:44:4],
        np.s_[3:7, 2:20:3, :, 4:40:4],
        np.s_[:, :, :, :],
    ],
)
def test_subview_is_numpy_slicing(slices):
    shape = (10, 22, 3, 44)
    golden = np.zeros(shape, np.int32)[slices]
    ranges = [range(*s.indices(n)) for s, n in zip(slices, shape, strict=False)]
    source = memref.alloc(T.memref(*shape, T.i32()), [], [])
    view = memref.subview(source, [r.start for r in ranges], [len(r) for r in ranges], [r.step for r in ranges])
    strides, offset = view.type.get_strides_and_offset()
    assert view.type.shape == list(golden.shape)
    assert strides == [s // 4 for s in golden.strides]
    assert offset == (golden.ctypes.data - golden.base.ctypes.data) // 4


def test_affine(module):
    d0, d1, s0 = AffineDimExpr.get(0), AffineDimExpr.get(1), AffineSymbolExpr.get(0)
    index = T.index()

    @func.func(index, index, T.memref(12, 12, T.f32()), T.memref(10, index))
    def f(a, b, m, v):
        access = AffineMap.get(1, 1, [s0 * 3, d0 + s0 + 1])
        x = affine.AffineLoadOp(T.f32(), m, indices=[a, a], map=access)
        affine.AffineStoreOp(x, m, indices=[a, a], map=access)
        affine.store(affine.load(v, [b]), v, [b])
        for i in affine.for_(a, 10, step=2):
            memref.store(i, v, [i])
            affine.yield_()
        for _, acc in affine.for_(0, 10, iter_args=[a]):
            affine.yield_([acc])
        lower = AffineMap.get(1, 1, [AffineConstantExpr.get(0), d0 + s0])
        upper = AffineMap.get(2, 0, [d0 - 2, 32 * d1])
        loop = affine.AffineForOp(lower, upper, 2, lower_bound_operands=[a, b], upper_bound_operands=[b, a])
        with InsertionPoint(loop.body):
            affine.AffineYieldOp([])
        condition = IntegerSet.get(1, 0, [d0 - 5], [False])
        choice = affine.AffineIfOp(condition, [index], cond_operands=[a], has_else=True)
        for block in (choice.then_block, choice.else_block):
            with InsertionPoint(block):
                affine.yield_([a])
        for arguments, kwargs, text in [
            ((a, b, 1), {"lower_bound_operands": [a]}, "Either a concrete lower bound or an AffineMap"),
            ((lower, b), {}, "Wrong number of lower bound operands passed to AffineForOp; Expected 2, got 0."),
            ((1.0, b), {}, "lower bound must be int"),
        ]:
            with pytest.raises(ValueError, match=text):
                affine.AffineForOp(*arguments, **kwargs)
        return choice

    text = str(module)
    assert "affine.load %arg2[symbol(%arg0) * 3, %arg0 + symbol(%arg0) + 1] : memref<12x12xf32>" in text
    assert "affine.for %arg4 = max #map1(%arg0)[%arg1] to min #map2(%arg1, %arg0) step 2 {" in text


def test_builtin(module):
    inner = builtin.ModuleOp(sym_name="inner")
    with InsertionPoint(inner.body):
        func.FuncOp("f", ([], []), visibility="private")

    @builtin.module(sym_name="decorated")
    def body():
        func.FuncOp("g", ([], []), visibility="private")

    assert body.sym_name.value == "decorated"
    text = lines(module)
    assert "module @inner {" in text and "module @decorated {" in text
    cast = builtin.unrealized_conversion_cast([T.i32()], [arith.constant(T.i64(), 1)])
    assert cast.type == T.i32()


def test_region_op(module):
    build = region_op(lambda: scf.ExecuteRegionOp([T.i32()]), terminator=scf.YieldOp)

    @func.func()
    def outer():
        @build
        def region():
            return arith.constant(T.i32(), 1)

        assert region.type == T.i32()
        return region

    with pytest.raises(TypeError, match="annotated with MLIR types"):
        module_op = builtin.ModuleOp.__base__()

        from mlir_xla.extras.meta import op_region_builder

        op_region_builder(module_op, module_op.regions[0])(_annotated_wrongly)
    module_op.operation.erase()


def _annotated_wrongly(a: int):
    pass
