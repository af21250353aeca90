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
    body: ir.Block, arguments: Sequence[Tree], insertion: ir.InsertionPoint, callee: Callable[[str], str]
) -> list[Tree]:
    """Copies the operations of a function's body to `insertion`; returns the trees of what it returns.

    `callee` gives the name under which a function of the computation's module is known in the program.
    """
    inliner = _Inliner(insertion, callee)
    for parameter, argument in zip(body.arguments, arguments, strict=True):
        inliner.trees[parameter] = argument
    for op in body.operations:
        if op.operation.name == "func.return":
            return [inliner.trees[operand] for operand in op.operands]
        inliner.copy(op)
    return []


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
    def __init__(self, insertion: ir.InsertionPoint, callee: Callable[[str], str]) -> None:
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
        if len(copy.regions):
            self._remap_regions(copy)
        self._remap_callee(copy)
        for old, new in zip(op.results, copy.results, strict=True):
            self.trees[old] = new

    def _remap_regions(self, copy: Any) -> None:
        for region in copy.regions:
            for block in region.blocks:
                for view in block.operations:
                    nested = view.operation
                    for i, operand in enumerate(nested.operands):
                        tree = self.trees.get(operand)
                        if tree is not None:
                            nested.operands[i] = self._materialize(tree, nested.location, ir.InsertionPoint(copy))
                    self._remap_callee(nested)
                    self._remap_regions(nested)

    def _remap_callee(self, op: Any) -> None:
        if op.name == "func.call":
            name = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
            op.attributes["callee"] = ir.FlatSymbolRefAttr.get(self._callee(name), context=op.context)

    def _materialize(self, tree: Tree, location: ir.Location, insertion: ir.InsertionPoint | None = None) -> ir.Value:
        if not isinstance(tree, list):
            return tree
        insertion = insertion or self._insertion
        operands = [self._materialize(each, location, insertion) for each in tree]
        return ir.Operation.create(
            "xla.tuple", operands=operands, infer_type=True, loc=location, ip=insertion
        ).operation.results[0]
