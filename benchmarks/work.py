# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program must at least do: operations by element type, bytes in and out. Counted from its StableHLO."""

from __future__ import annotations

import collections
import dataclasses
import math

import numpy as np
from jaxlib.mlir import ir
from program import Program

# One operation per element, whatever it takes: an elementary function is a dozen, and comparisons, conversions and
# choices often cost nothing. So the count is of what cannot be left out.
ELEMENTWISE = {
    *("add", "subtract", "multiply", "divide", "remainder", "power", "maximum", "minimum", "negate", "abs", "atan2"),
    *("exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "tanh", "sine", "cosine", "tan"),
    *("sqrt", "rsqrt", "cbrt", "floor", "ceil", "round_nearest_even", "round_nearest_afz", "and", "or", "xor", "not"),
    *("shift_left", "shift_right_logical", "shift_right_arithmetic", "popcnt", "count_leading_zeros"),
}


@dataclasses.dataclass
class Work:
    """Operations by element type of the products (f32, f64, bf16, i8); bytes, and how many of them are written."""

    flops: dict[str, float]
    bytes: float
    written: float


def _elements(type_: ir.Type) -> int:
    return math.prod(ir.ShapedType(type_).shape)


def _bits(element: ir.Type) -> int:
    if isinstance(element, ir.ComplexType):
        return 2 * _bits(ir.ComplexType(element).element_type)
    return max(8, ir.IntegerType(element).width) if isinstance(element, ir.IntegerType) else element.width


def _size(type_: ir.Type) -> float:
    """Bytes."""
    return _elements(type_) * _bits(ir.ShapedType(type_).element_type) / 8


def _kind(element: ir.Type, product: bool) -> tuple[str, float]:
    """The peak that holds for operations on such elements, and how many of its operations one of them takes."""
    if isinstance(element, ir.ComplexType):
        kind, factor = _kind(ir.ComplexType(element).element_type, product)
        return kind, factor * (4 if product else 2)
    if isinstance(element, ir.IntegerType):
        return ("i8", 1.0) if product and element.width <= 8 else ("f32", element.width / 32)
    if str(element) == "f64":
        return "f64", 1.0
    return ("bf16" if product and str(element) == "bf16" else "f32"), 1.0


def _numbers(value: ir.Value) -> int | None:
    """A constant's only integer."""
    owner = value.owner
    if isinstance(owner, ir.Operation | ir.OpView) and owner.name == "stablehlo.constant":
        elements = np.asarray(ir.DenseElementsAttr(owner.attributes["value"]))
        if elements.size == 1 and elements.dtype.kind in "iu":
            return int(elements.reshape(()))
    return None


class _Counter:
    """Counts a module's operations, function by function."""

    def __init__(self, module: ir.Module) -> None:
        self._functions = {ir.StringAttr(op.attributes["sym_name"]).value: op for op in module.body.operations}
        self._known: dict[str, dict[str, float]] = {}
        # Values that no argument has a part in: a compiler may compute them once and for all.
        self._fixed: set[ir.Value] = set()

    def function(self, name: str) -> dict[str, float]:
        """The operations of a call of that function."""
        if name not in self._known:
            self._known[name] = self._block(self._functions[name].regions[0].blocks[0])
        return self._known[name]

    def _block(self, block: ir.Block) -> dict[str, float]:
        total: dict[str, float] = collections.Counter()
        operations = [view.operation for view in block.operations]
        unused: set[ir.Operation] = set()
        for op in reversed(operations):
            if op.results and all(use.owner.operation in unused for result in op.results for use in result.uses):
                unused.add(op)
        for op in operations:
            if op in unused:
                continue
            if not op.regions and all(each in self._fixed for each in op.operands) and "call" not in op.name:
                self._fixed.update(op.results)
                continue
            for kind, count in self._operation(op).items():
                total[kind] += count
        return total

    def _operation(self, op: ir.Operation) -> dict[str, float]:
        name = op.name.removeprefix("stablehlo.").removeprefix("chlo.")
        if op.name in ("func.call", "call"):
            return self.function(ir.FlatSymbolRefAttr(op.attributes["callee"]).value)
        if name == "while":
            turns = self._turns(op)
            return {kind: turns * count for kind, count in self._block(op.regions[1].blocks[0]).items()}
        if name in ("case", "if"):
            branches = [self._block(region.blocks[0]) for region in op.regions]
            return min(branches, key=lambda each: sum(each.values()))
        if not op.results or not isinstance(op.results[0].type, ir.ShapedType | ir.RankedTensorType):
            return {}
        count, product = self._count(op, name)
        if not count:
            return {}
        operand = op.operands[0]
        if (
            product
            and isinstance(operand.owner, ir.Operation | ir.OpView)
            and operand.owner.name == "stablehlo.convert"
        ):
            # Small integers that were widened for the product's sake.
            before = operand.owner.operands[0]
            operand = before if isinstance(ir.ShapedType(before.type).element_type, ir.IntegerType) else operand
        kind, factor = _kind(ir.ShapedType(operand.type).element_type, product)
        return {kind: factor * count}

    def _count(self, op: ir.Operation, name: str) -> tuple[float, bool]:
        """Operations on elements, and whether they are those of a product."""
        results = _elements(op.results[0].type)
        shapes = [ir.ShapedType(each.type).shape for each in op.operands if isinstance(each.type, ir.RankedTensorType)]
        if name in ELEMENTWISE or op.name.startswith("chlo.") and len(op.results) == 1:
            return results, False
        if name == "reduce":
            return math.prod(shapes[0]), False
        if name == "dot_general":
            from jaxlib.mlir.dialects import stablehlo

            numbers = stablehlo.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
            return 2.0 * results * math.prod(shapes[0][dim] for dim in numbers.lhs_contracting_dimensions), True
        if name == "convolution":
            return self._convolution(op, results, shapes[1]), True
        if name == "fft":
            return self._fft(op, shapes[0]), False
        if name == "cholesky":
            return results * shapes[0][-1] / 3, True
        if name == "triangular_solve":
            return results * shapes[0][-1], True
        return 0.0, False

    @staticmethod
    def _convolution(op: ir.Operation, results: int, kernel: list[int]) -> float:
        from jaxlib.mlir.dialects import stablehlo

        numbers = stablehlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])
        terms = math.prod(kernel) // kernel[numbers.kernel_output_feature_dimension]
        # Between the elements of a dilated input are zeros.
        holes = list(ir.DenseI64ArrayAttr(op.attributes["lhs_dilation"])) if "lhs_dilation" in op.attributes else []
        return 2.0 * results * terms / math.prod(holes)

    @staticmethod
    def _fft(op: ir.Operation, shape: list[int]) -> float:
        lengths = list(ir.DenseI64ArrayAttr(op.attributes["fft_length"]))
        points = math.prod(lengths)
        batch = math.prod(shape[: len(shape) - len(lengths)])
        # Of complex operands each operation counts twice (_kind); the usual count is 5 n log2 n real ones.
        count = 2.5 * batch * points * math.log2(max(points, 2))
        return count / 2 if "IRFFT" in str(op.attributes["fft_type"]) else count

    @staticmethod
    def _turns(op: ir.Operation) -> int:
        """How often a loop turns that counts from a constant to another in steps of one; at least once, else."""
        condition = op.regions[0].blocks[0]
        result = list(condition.operations)[-1].operands[0].owner
        if isinstance(result, ir.Block) or result.name != "stablehlo.compare" or "LT" not in str(result.operation):
            return 1
        counter, limit = result.operands
        if not isinstance(counter.owner, ir.Block):
            return 1
        begin, end = _numbers(op.operands[ir.BlockArgument(counter).arg_number]), _numbers(limit)
        return max(1, end - begin) if begin is not None and end is not None else 1


def counted(program: Program) -> Work:
    """The work of a program: as the program states it, else as counted."""
    module = program.module()
    with module.context:
        main = next(op for op in module.body.operations if ir.StringAttr(op.attributes["sym_name"]).value == "main")
        type_ = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
        flops = _Counter(module).function("main")
        written = sum(map(_size, type_.results))
        moved = sum(map(_size, type_.inputs)) + written
    if program.flops:
        # That of the products; what else there is would hide behind them.
        name = str(program.specs[0].dtype)
        kind = {"float64": "f64", "bfloat16": "bf16", "int8": "i8", "uint8": "i8"}.get(name, "f32")
        flops = {kind: program.flops}
    bytes_ = program.bytes or moved
    return Work(dict(flops), bytes_, min(written, bytes_))


def arrays_of(program: Program) -> int:
    """How many arguments and results a program has."""
    module = program.module()
    with module.context:
        main = next(op for op in module.body.operations if ir.StringAttr(op.attributes["sym_name"]).value == "main")
        type_ = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
        return len(type_.inputs) + len(type_.results)


def turns_of(program: Program) -> list[int]:
    """How often each loop turns each time that it is reached, outer ones first, as in a program without calls."""
    module = program.module()
    functions = {ir.StringAttr(op.attributes["sym_name"]).value: op for op in module.body.operations}
    found: list[int] = []

    def visit(op: ir.Operation) -> None:
        if op.name in ("func.call", "call"):
            visit(functions[ir.FlatSymbolRefAttr(op.attributes["callee"]).value].operation)
        elif op.name == "stablehlo.while":
            turns = _Counter._turns(op)
            found.append(program.turns if turns == 1 else turns)
        for region in op.regions:
            for block in region.blocks:
                for inner in block.operations:
                    visit(inner.operation)

    with module.context:
        visit(functions["main"].operation)
    return found
