# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""linalg, vector and gpu: named operations with filled regions, regions from Python functions, launches."""

import pytest

from mlir_xla.dialects import arith, func, gpu, linalg, memref, tensor, vector
from mlir_xla.extras import types as T
from mlir_xla.ir import (
    AffineDimExpr,
    AffineMap,
    AffineMapAttr,
    Attribute,
    Context,
    DenseI32ArrayAttr,
    DictAttr,
    InsertionPoint,
    IntegerAttr,
    Location,
    Module,
    OpResultList,
    UnitAttr,
    Value,
)
from mlir_xla.passmanager import PassManager


@pytest.fixture(autouse=True)
def module():
    with Context(), Location.unknown():
        module = Module.create()
        with InsertionPoint(module.body):
            yield module
        assert module.operation.verify()


@pytest.fixture
def maps():
    m, n, k = (AffineDimExpr.get(i) for i in range(3))
    return [AffineMap.get(3, 0, e) for e in ([m, k], [k, n], [m, n])]


def test_named_operations(module):
    f32 = T.f32()

    @func.func(T.tensor(4, 8, f32), T.tensor(8, 12, f32), T.tensor(4, 12, f32), T.memref(4, 12, f32))
    def f(a, b, c, buffer):
        zero = arith.constant(f32, 0.0)
        filled = linalg.fill(zero, outs=[c])
        assert filled.type == c.type
        on_memref = linalg.fill(zero, outs=[buffer])
        assert isinstance(on_memref, linalg.FillOp) and len(on_memref.results) == 0
        product = linalg.matmul(a, b, outs=[filled])
        return linalg.exp(linalg.add(product, c, outs=[c]), outs=[c])

    text = str(module)
    assert "linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x12xf32>) outs(%0 : tensor<4x12xf32>)" in text
    assert "linalg.fill ins(%cst : f32) outs(%arg3 : memref<4x12xf32>)" in text


def test_attributes_of_named_operations(module, maps):
    f32 = T.f32()
    image, kernel = tensor.empty([1, 8, 8, 3], f32), tensor.empty([3, 3, 3, 4], f32)
    out = tensor.empty([1, 3, 3, 4], f32)
    conv = linalg.conv_2d_nhwc_hwcf(image, kernel, outs=[out], strides=[2, 2], dilations=(1, 1))
    assert "strides = dense<2> : tensor<2xi64>" in str(conv.owner)
    a, bt, c = tensor.empty([4, 8], f32), tensor.empty([12, 8], f32), tensor.empty([4, 12], f32)
    b_map = AffineMap.get(3, 0, [AffineDimExpr.get(1), AffineDimExpr.get(2)])
    transposed = linalg.matmul(a, bt, outs=[c], indexing_maps=[maps[0], b_map, maps[2]])
    assert "indexing_maps" in str(transposed.owner)
    i8 = tensor.empty([4, 8], T.i8())
    cast = linalg.matmul(
        i8, tensor.empty([8, 12], T.i8()), outs=[tensor.empty([4, 12], T.i32())], cast=linalg.TypeFn.cast_unsigned
    )
    assert "cast_unsigned" in str(cast.owner)


def test_queries(maps):
    f32 = T.f32()
    a, b, c = tensor.empty([4, 8], f32), tensor.empty([8, 12], f32), tensor.empty([4, 12], f32)
    op = linalg.contract(a, b, outs=[c], indexing_maps=maps).owner
    assert linalg.isa_contraction_op(op) and not linalg.isa_convolution_op(op)
    dims = linalg.infer_contraction_dimensions(op)
    assert [list(d) for d in (dims.batch, dims.m, dims.n, dims.k)] == [[], [0], [1], [2]]
    from_maps = linalg.infer_contraction_dimensions_from_maps(maps)
    assert list(from_maps.k) == [2]
    assert linalg.infer_contraction_dimensions_from_maps([]) is None
    assert [m.value for m in linalg.get_indexing_maps(op)] == maps
    fill = linalg.fill(arith.constant(f32, 0.0), outs=[c]).owner
    assert not linalg.isa_contraction_op(fill) and linalg.infer_contraction_dimensions(fill) is None
    conv = linalg.conv_2d_nhwc_hwcf(
        tensor.empty([1, 8, 8, 3], f32), tensor.empty([3, 3, 3, 4], f32), outs=[tensor.empty([1, 6, 6, 4], f32)]
    ).owner
    assert linalg.isa_convolution_op(conv)
    assert list(linalg.infer_convolution_dimensions(conv).filter_loop) == [4, 5]
    for wrong in (fill, a.owner):
        with pytest.raises(ValueError):
            linalg.fill_builtin_region(wrong)


def test_regions_from_functions(module):
    f32 = T.f32()
    x, y = tensor.empty([16, 16], f32), tensor.empty([16, 16], f32)
    identity = AffineMap.get_identity(2)
    parallel = linalg.IteratorType.parallel

    @linalg.generic([x], [y], [identity, identity], [parallel, parallel])
    def copied(a, b):
        assert isinstance(a, Value) and a.type == f32 and b.type == f32
        return a

    assert copied.type == y.type

    @linalg.generic([x], [y, y], [identity] * 3, ["parallel", "parallel"])
    def two(a, b, c):
        return a, b

    assert isinstance(two, OpResultList) and len(two) == 2

    @linalg.map([x.type], [x], y)
    def doubled(a, out):
        return arith.addf(a, a)

    row = tensor.empty([16], f32)

    @linalg.reduce([row.type], [x], [row], [1])
    def total(a, acc):
        return arith.addf(a, acc)

    buffer = memref.alloc(T.memref(16, 16, f32), [], [])

    @linalg.generic([buffer], [buffer], [identity, identity], [parallel, parallel])
    def in_place(a, b):
        return b

    assert isinstance(in_place, linalg.GenericOp)
    assert linalg.transpose(x, outs=[y], permutation=[1, 0]).type == y.type
    assert linalg.broadcast(total, outs=[y], dimensions=[1]).type == y.type
    assert linalg.elementwise(x, outs=[y], kind=linalg.ElementwiseKind.exp).type == y.type
    op = linalg.ElementwiseOp([y.type], [x], [y], linalg.ElementwiseKind.exp)
    linalg.fill_builtin_region(op.operation)
    assert op.verify()
    with pytest.raises(ValueError, match="one output"):
        linalg.transpose(x, outs=[y, y], permutation=[1, 0])


def test_pack_and_unpack():
    f32 = T.f32()
    x, tiles = tensor.empty([4, 12], f32), tensor.empty([2, 3, 2, 4], f32)
    packed = linalg.pack(x, tiles, [0, 1], [2, 4])
    assert packed.type == tiles.type
    assert linalg.unpack(packed, x, [0, 1], [2, 4]).type == x.type
    padded = linalg.pack(tensor.empty([3, 12], f32), tiles, [0, 1], [2, 4], padding_value=arith.constant(f32, 0.0))
    assert "padding_value" in str(padded.owner)


def test_vector(module):
    f32 = T.f32()

    @func.func(T.vector(4, T.bool()), T.vector(4, f32))
    def f(m, x):
        @vector.mask([f32], m)
        def total():
            return vector.reduction(f32, vector.CombiningKind.ADD, x)

        parallel, reduction = vector.IteratorType.parallel, vector.IteratorType.reduction
        rows = AffineMap.get(2, 0, [AffineDimExpr.get(0), AffineDimExpr.get(1)])
        vec = AffineMap.get(2, 0, [AffineDimExpr.get(1)])
        out = AffineMap.get(2, 0, [AffineDimExpr.get(0)])
        matrix = vector.broadcast(T.vector(4, 4, f32), x)
        indexing = [AffineMapAttr.get(m) for m in (rows, vec, out)]
        vector.contract(x.type, matrix, x, x, indexing, [parallel, reduction])
        return total

    assert "vector.mask %arg0 { vector.reduction <add>, %arg1 : vector<4xf32> into f32 }" in str(module)


def test_gpu(module):
    module.operation.attributes["gpu.container_module"] = UnitAttr.get()
    f32 = T.f32()

    @gpu.module("kernels", ["#nvvm.target"])
    def kernels():
        def body(op):
            gpu.thread_id(gpu.Dimension.x)
            gpu.return_([])

        kernel = gpu.GPUFuncOp(([f32], []), "kernel", kernel=True, body_builder=body, known_block_size=[32, 1, 1])
        assert kernel.is_kernel and kernel.name.value == "kernel" and kernel.arguments == [f32]
        assert kernel.attributes["known_block_size"] == DenseI32ArrayAttr.get([32, 1, 1])
        device = gpu.GPUFuncOp(([], []), "device")
        with pytest.raises(RuntimeError, match="Entry block does not exist for device"):
            device.entry_block  # noqa: B018
        with InsertionPoint(device.add_entry_block()):
            gpu.return_([])
        with pytest.raises(RuntimeError, match="Entry block already exists"):
            device.add_entry_block()

    host = func.FuncOp("host", ([f32], []))
    with InsertionPoint(host.add_entry_block()):
        plain = gpu.launch_func(["kernels", "kernel"], (2, 1, 1), (32,), [host.arguments[0]])
        assert isinstance(plain, gpu.LaunchFuncOp)
        assert isinstance(gpu.launch_func(["kernels", "kernel"], (1,), (1,), [host.arguments[0]], []), gpu.LaunchFuncOp)
        token = gpu.wait()
        after = gpu.launch_func(["kernels", "kernel"], (2,), (32,), [host.arguments[0]], async_dependencies=[token])
        assert isinstance(after.type, gpu.AsyncTokenType)

        @gpu.launch((1, 1, 1), (1, 1, 1))
        def inline(*arguments):
            assert len(arguments) == 12

        with InsertionPoint(gpu.launch_((1, 1, 1), (1, 1, 1)).body_block):
            gpu.printf("%f", host.arguments[0])
            gpu.terminator()

        func.ReturnOp([])
    empty = gpu.GPUModuleOp("empty")
    assert len(empty.bodyRegion.blocks) == 0
    empty.bodyRegion.blocks.append()
    with pytest.raises(ValueError, match="sym_name must be a string"):
        gpu.GPUFuncOp(([], []))
    text = str(module)
    assert "gpu.launch_func async [%0] @kernels::@kernel blocks in" in text
    assert "gpu.module @kernels [#nvvm.target] {" in text


def test_gpu_object():
    target = Attribute.parse("#nvvm.target")
    code = b"BC\xc0\xde\x00"
    properties = DictAttr.get({"O": IntegerAttr.get(T.i32(), 2)})
    attr = gpu.ObjectAttr.get(target, gpu.CompilationTarget.Fatbin, code, properties)
    assert isinstance(Attribute.parse(str(attr)), gpu.ObjectAttr) and Attribute.parse(str(attr)) == attr
    assert attr.object == code and attr.target == target and attr.properties == properties and attr.kernels is None
    assert attr.format == gpu.CompilationTarget.Fatbin
    assert gpu.ObjectAttr.get(target, gpu.CompilationTarget.Assembly, code).properties is None
    with pytest.raises(ValueError, match="CompilationTarget"):
        gpu.ObjectAttr.get(target, 77, code)


def test_a_linalg_program_lowers(module):
    @func.func(T.tensor(4, T.f32()))
    def f(x):
        return linalg.exp(x, outs=[x])

    PassManager.parse("builtin.module(convert-linalg-to-loops)").run(module.operation)
    PassManager.parse("builtin.module(linalg-generalize-named-ops)").run(module.operation)
    assert "linalg.generic" in str(module)
