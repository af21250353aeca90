# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts the body of a computation into a region: what reductions, loops and branches do with their computations.

Values are trees: an MLIR value, or for a tuple whose elements are at hand the list of their trees. Tuples that only
carry values into and out of a region thus leave no operations behind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from .. import ir
from ..shape import Shape

Tree: TypeAlias = "ir.Value | list[Tree]"


def inline(
    body: ir.Block, arguments: Sequence[Tree], insertion: ir.InsertionPoint, callee: Callable[[str], str] | None
) -> list[Tree]:
    """Copies the operations of a function's body to `insertion`; returns the trees of what it returns.

    `callee` gives the name under which a function of the computation's module is known in the program; None if the
    module has no other functions.
    """
    inliner = _Inliner(insertion, callee)
    for parameter, argument in zip(body.arguments, arguments, strict=True):
        inliner.trees[parameter] = argument
    returned: list[Tree] = []
    has_regions = False
    for op in body.operations:
        if op.operation.name == "func.return":
            returned = [inliner.trees[operand] for operand in op.operands]
            break
        inliner.copy(op)
        has_regions |= len(op.regions) > 0
    if has_regions:
        inliner.connect(body)
    return returned


def flatten(tree: Tree, insertion: ir.InsertionPoint, location: ir.Location) -> list[ir.Value]:
    """The arrays of a tree; tuples are taken apart by operations at `insertion`."""
    if isinstance(tree, list):
        return [value for element in tree for value in flatten(element, insertion, location)]
    shape = Shape.parse(str(tree.type))
    if not shape.is_tuple:
        return [tree]
    values = []
    for i in range(len(shape.tuple_shapes)):
        values += flatten(element(tree, i, insertion, location), insertion, location)
    return values


def pack(shape: Shape, values: Any) -> Tree:
    """The tree of a shape whose arrays are the next of an iterator."""
    return [pack(each, values) for each in shape.tuple_shapes] if shape.is_tuple else next(values)


def element(value: ir.Value, index: int, insertion: ir.InsertionPoint, location: ir.Location) -> ir.Value:
    """An element of a tuple value."""
    context = value.context
    attributes: dict[str, ir.Attribute] = {
        "index": ir.IntegerAttr.get(ir.IntegerType.get_signless(32, context=context), index)
    }
    return ir.Operation.create(
        "xla.get_tuple_element", operands=[value], attributes=attributes, infer_type=True, loc=location, ip=insertion
    ).operation.results[0]


class _Inliner:
    def __init__(self, insertion: ir.InsertionPoint, callee: Callable[[str], str] | None) -> None:
        self.trees: dict[ir.Value, Tree] = {}
        self._insertion = insertion
        self._callee = callee

    def copy(self, op: Any) -> None:
        op = op.operation
        if op.name == "xla.tuple":
            self.trees[op.results[0]] = [self.trees[operand] for operand in op.operands]
            return
        if op.name == "xla.get_tuple_element":
            tree = self.trees[op.operands[0]]
            if isinstance(tree, list):
                self.trees[op.results[0]] = tree[ir.IntegerAttr(op.attributes["index"]).value]
                return
        operands = [self._materialize(self.trees[operand], op.location) for operand in op.operands]
        copy = op.clone(ip=self._insertion).operation
        for i, value in enumerate(operands):
            copy.operands[i] = value
        if self._callee is not None:
            self._rename_calls(copy, self._callee)
        for old, new in zip(op.results, copy.results, strict=True):
            self.trees[old] = new

    def connect(self, body: ir.Block) -> None:
        """Makes regions of copies use copies: what they capture from around them is still the original's.

        Goes by the uses of the values and not through the regions, which may hold most of the program.
        """
        around: dict[Any, Any] = {}  # the copy that an operation is in; None for originals

        def copy_around(op: Any) -> Any:
            path = []
            while op not in around:
                if op.block == body:
                    around[op] = None
                elif op.block == self._insertion.block:
                    around[op] = op
                else:
                    path.append(op)
                    op = op.parent.operation
            for inner in path:
                around[inner] = around[op]
            return around[op]

        for old, tree in self.trees.items():
            for use in list(old.uses):
                user = use.owner.operation
                copy = copy_around(user)
                if copy is not None:
                    value = self._materialize(tree, user.location, ir.InsertionPoint(copy))
                    user.operands[use.operand_number] = value

    def _rename_calls(self, copy: Any, callee: Callable[[str], str]) -> None:
        def rename(op: ir.Operation) -> ir.WalkResult:
            if op.name == "func.call":
                name = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
                op.attributes["callee"] = ir.FlatSymbolRefAttr.get(callee(name), context=op.context)
            return ir.WalkResult.ADVANCE

        copy.walk(rename)

    def _materialize(self, tree: Tree, location: ir.Location, insertion: ir.InsertionPoint | None = None) -> ir.Value:
        if not isinstance(tree, list):
            return tree
        insertion = insertion or self._insertion
        operands = [self._materialize(each, location, insertion) for each in tree]
        return ir.Operation.create(
            "xla.tuple", operands=operands, infer_type=True, loc=location, ip=insertion
        ).operation.results[0]
