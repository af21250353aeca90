# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions built by dialect modules, like upstream's programs: test_stubs.py checks it with mypy, and runs it."""

from collections.abc import Sequence

import numpy as np

from mlir_xla.dialects import affine, arith, builtin, cf, func, linalg, memref, scf, tensor, transform, vector, xla
from mlir_xla.dialects.transform import structured
from mlir_xla.extras import types as T
from mlir_xla.ir import *


def total(module: Module) -> func.FuncOp:
    """A loop that adds up to n, times two if the sum is large."""
    index = IndexType.get()
    i32 = IntegerType.get_signless(32)
    with InsertionPoint(module.body):
        function = func.FuncOp("total", FunctionType.get([index], [index]), visibility="public")
        function.attributes["llvm.emit_c_interface"] = UnitAttr.get()
        assert function.is_external and function.name.value == "total"
        block: Block = function.add_entry_block()
    with InsertionPoint(block):
        n: BlockArgument = function.arguments[0]
        zero: Value = arith.constant(index, 0)
        one = arith.ConstantOp(index, 1)
        number: int | float = one.literal_value
        loop = scf.ForOp(zero, n, one, [zero])
        with InsertionPoint(loop.body):
            sum_ = arith.addi(loop.inner_iter_args[0], loop.induction_variable)
            scf.YieldOp([sum_])
        limit = arith.ConstantOp.create_index(100)
        large = arith.cmpi(arith.CmpIPredicate.ugt, loop.results[0], limit)
        choice = scf.IfOp(large, [index], has_else=True)
        with InsertionPoint(choice.then_block):
            scf.YieldOp([arith.MulIOp(loop.results[0], arith.constant(index, 2)).result])
        assert choice.else_block is not None
        with InsertionPoint(choice.else_block):
            scf.yield_(loop.results)
        cast = arith.index_cast(i32, choice.result)
        kind = IntegerType(arith.AddIOp(cast, cast).result.type)
        func.ReturnOp([choice.results[0]], loc=Location.name("end"))
    name: StringAttr = function.attributes["sym_name"]
    print(name.value, number, kind.width, function.type.inputs, function.entry_block, function.body.blocks[0])
    return function


def calls(module: Module, callee: func.FuncOp) -> None:
    index, f32 = IndexType.get(), F32Type.get()
    with InsertionPoint(module.body):

        @func.FuncOp.from_py_func(index)
        def twice(n: Value) -> Sequence[Value]:
            first: Value = func.call([index], "total", [n])
            second = func.CallOp(callee, [first])
            return second.results

        print(twice.func_op.name)

        @func.func(RankedTensorType.get([4], f32), RankedTensorType.get([4], f32))
        def main(x: Value, y: Value) -> Value:
            z: Value = xla.add(x, y)
            product = xla.MulOp(z, xla.ConstantOp(np.ones(4, np.float32)).result)
            shape: list[int] = RankedTensorType(product.result.type).shape
            less = xla.compare(z, product, xla.ComparisonDirection.LT)
            empty = tensor.empty(shape, f32)
            filled = linalg.fill(arith.constant(f32, 0.0), outs=[empty])
            return xla.select(less, filled, xla.ExpOp(z).result)

        @func.func(T.memref(8, f32))
        def buffers(m: Value) -> None:
            for i in affine.for_(0, 8):
                value = memref.load(m, [i])
                memref.store(value, m, [i])
                affine.yield_([])
            for i in scf.for_(0, 4):
                pair = vector.broadcast(T.vector(2, f32), arith.constant(f32, 1.0))
                memref.StoreOp(vector.extract(pair, [], [0]), m, [i])
                scf.yield_([])


def regions(module: Module) -> None:
    f32 = F32Type.get()
    identity = AffineMap.get_identity(1)
    with InsertionPoint(module.body):

        @func.func(T.tensor(4, f32), results=[T.tensor(4, f32)])
        def square(x: Value, func_op: func.FuncOp) -> None:
            out = tensor.EmptyOp([4], f32).result
            numbers = DenseElementsAttr.get(np.zeros(2, np.float32), type=VectorType.get([2], f32))
            print([float(x) for x in DenseFPElementsAttr(numbers)])
            iterators = [linalg.IteratorType.parallel]

            @linalg.generic([x], [out], [identity, identity], iterators)
            def squares(a: f32, _: f32) -> list[Value]:  # type: ignore[valid-type]
                return [arith.mulf(a, a)]

            cf.assert_(arith.constant(IntegerType.get_signless(1), 1), "always")
            func.ReturnOp([squares])
            print(func_op.arg_attrs)

        @builtin.module(attrs={"transform.with_named_sequence": UnitAttr.get()})
        def schedule() -> None:
            any_op = transform.AnyOpType.get()
            sequence = transform.NamedSequenceOp("__transform_main", [any_op], [])
            with InsertionPoint(sequence.body):
                found = structured.MatchOp.match_op_names(sequence.bodyTarget, ["linalg.generic"])
                tiled = structured.TileUsingForOp(found.results_, sizes=[2])
                print(tiled.loops)
                transform.YieldOp()


if __name__ == "__main__":
    with Context(), Location.unknown():
        module = Module.create()
        calls(module, total(module))
        regions(module)
        assert module.operation.verify()
        print(module)
