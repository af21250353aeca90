# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`XlaBuilder`: makes the operations of a program one by one, each with the location of the user's line.

What is asked for becomes `xla` operations at once, and the dialect's own shape rules and verifiers say at once what is
wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from .. import _contexts, _functions, ir
from .._arrays import in_native_order, require_unmasked
from .._messages import short
from ..errors import ShapeError, XlaError
from ..shape import DTypeLike, Shape, element_dtype
from . import _arguments, _inline
from ._arguments import checked
from ._computation import XlaComputation
from ._location import caller
from ._op import XlaOp

_CONSTRAINT = re.compile(r"\[([\w-]+-[A-Z]+\d+)\]")
# What the compiler takes (InlineCalls.cpp). Each level is copied into the next: so many take seconds.
_MOST_NESTED = 400
_DEFAULT_DTYPES = {bool: np.bool_, int: np.int32, float: np.float32, complex: np.complex64}


class XlaBuilder:
    """Builds one computation: make parameters and operations (`mlir_xla.ops`), then call `build`.

    Operations of one program belong to one builder; computations for reductions, loops and calls have their own. The
    program is made in the active `ir.Context`, if there is one.
    """

    @checked("XlaBuilder")
    def __init__(self, name: str = "main") -> None:
        self.name = name
        self.context = _contexts.of_this_thread()
        unknown = ir.Location.unknown(self.context)
        self._module = ir.Module.create(loc=unknown)
        self._module.operation.attributes["sym_name"] = ir.StringAttr.get(
            re.sub(r"\W", "_", name) or "main", context=self.context
        )
        with self.context, unknown:
            self._function = ir.Operation.create(
                "func.func",
                attributes={
                    "sym_name": ir.StringAttr.get("main"),
                    "function_type": ir.TypeAttr.get(ir.FunctionType.get([], [])),
                },
                regions=1,
                ip=ir.InsertionPoint(self._module.body),
            ).operation
            self._block = self._function.regions[0].blocks.append()
        self._parameters: dict[int, XlaOp] = {}
        self._functions: dict[int, tuple[XlaComputation, dict[str, str]]] = {}
        self._depth = 0
        self._last: XlaOp | None = None
        self._built = False

    @checked("Parameter")
    def parameter(self, number: int, shape: Shape, name: str = "") -> XlaOp:
        """The parameter with that number. Numbers count from 0, in any order of declaration."""
        self._require_unbuilt("Parameter")
        if number in self._parameters or number < 0:
            self.fail("Parameter", f"parameter {number} {'is negative' if number < 0 else 'exists already'}")
        location = self._location()
        if name:
            location = ir.Location.name(name, childLoc=location, context=self.context)
        value = self._block.add_argument(self._type(shape, "Parameter"), location)
        self._last = self._parameters[number] = XlaOp(self, shape, value)
        return self._last

    @checked("Constant")
    def constant(self, value: Any, dtype: DTypeLike | None = None) -> XlaOp:
        """A constant: an array, or a scalar for a Python number.

        Without `dtype`, NumPy values keep theirs; Python's int, float, complex and bool give s32, f32, c64 and pred.
        Raises XlaError for a number that the dtype cannot hold.
        """
        if dtype is None and type(value) in _DEFAULT_DTYPES:
            dtype = _DEFAULT_DTYPES[type(value)]
        try:
            wanted = None if dtype is None else element_dtype(dtype)
            require_unmasked(value)
            array = in_native_order(np.asarray(value))
            if wanted is not None and array.dtype != wanted:
                if not isinstance(value, (np.ndarray, np.generic)) and not np.can_cast(
                    np.min_scalar_type(array) if array.ndim == 0 and array.dtype.kind in "iu" else array.dtype,
                    wanted,
                    "same_kind" if wanted.isbuiltin == 1 else "unsafe",
                ):
                    raise OverflowError(f"{value!r} is not a value of {wanted}")
                given = array
                array = np.asarray(value, wanted) if array.dtype.kind in "iu" else array.astype(wanted)
                wraps = wanted.isbuiltin != 1 and "int" in wanted.name  # ml_dtypes' do, where NumPy's own raise
                if (
                    wraps
                    and not isinstance(value, (np.ndarray, np.generic))
                    and np.any(array.astype(np.int64) != given)
                ):
                    raise OverflowError(f"{short(value)} is not a value of {wanted}")
            shape = Shape.of(array)
        except (OverflowError, TypeError, ValueError) as error:
            self.fail("Constant", str(error), cause=error)
        return self.emit("Constant", "constant", [], {"value": self._elements(array, shape)})

    @checked("XlaBuilder")
    def create_sub_builder(self, name: str) -> XlaBuilder:
        """A builder for a computation that this program uses."""
        return XlaBuilder(name)

    @checked("Build")
    def build(self, root: XlaOp | None = None) -> XlaComputation:
        """Ends the program with `root` as its result (by default what was made last). The builder is used up.

        Raises XlaError for a missing parameter or a program without operations.
        """
        self._require_unbuilt("Build")
        root = self._last if root is None else root
        if root is None:
            self.fail("Build", "the program is empty")
        self._require_own("Build", [root])
        missing = set(range(len(self._parameters))) - set(self._parameters)
        if missing:
            self.fail("Build", f"there is no parameter {min(missing)}")
        result = root.value
        self._order_parameters()
        with self.context, self._location():
            ir.Operation.create("func.return", operands=[result], ip=ir.InsertionPoint(self._block))
            inputs = [argument.type for argument in self._block.arguments]
            _functions.set_signature(self._function, inputs, [result.type])
        self._built = True
        try:
            self._module.operation.verify()
        except ir.MLIRError as error:
            self.fail("Build", _message(error), cause=error)
        computation = XlaComputation(self._module, self.name)
        computation._depth = self._depth
        return computation

    # ===--- For mlir_xla.ops ---===#

    def emit(
        self,
        label: str,
        name: str,
        operands: Sequence[XlaOp],
        attributes: Mapping[str, Any] | None = None,
        *,
        results: Sequence[Shape] | None = None,
        computations: Sequence[tuple[XlaComputation, Sequence[XlaOp] | None]] = (),
        tuple_result: bool | None = None,
    ) -> XlaOp:
        """Makes the operation `xla.<name>` for the user's call of `label`.

        Without `results`, the dialect infers the types. Each of `computations` becomes a region: with None its
        parameters are the region's arguments, else they are bound to those values. Several results form a tuple.
        Attributes are MLIR attributes, or Python's int (i64), float (f32), bool, str (MLIR text) and lists of int.
        """
        self._require_unbuilt(label)
        self._require_own(label, operands)
        types = None if results is None else [self._type(shape, label) for shape in results]
        values = [operand.value for operand in operands]
        bound: list[tuple[XlaComputation, list[Any] | None]] = []
        for computation, captured in computations:
            self._require_computation(label, computation)
            self._require_own(label, captured or [])
            trees = None if captured is None else [self._tree(op) for op in captured]
            bound.append((computation.in_context(self.context), trees))
            if computation._depth == _MOST_NESTED:
                self.fail(label, f"computations are nested more than {_MOST_NESTED} deep")
        location = self._location()
        op = None
        try:
            with self.context, location:
                op = ir.Operation.create(
                    name if "." in name else f"xla.{name}",
                    results=types,
                    operands=values,
                    attributes={key: self._attribute(value) for key, value in (attributes or {}).items()},
                    regions=len(bound),
                    infer_type=types is None,
                    ip=ir.InsertionPoint(self._block),
                ).operation
                for region, (computation, trees) in zip(op.regions, bound, strict=True):
                    self._fill(region, computation, trees, location)
                op.verify()
                shapes = [Shape.parse(str(result.type)) for result in op.results]
        except (ir.MLIRError, ValueError) as error:
            if op is not None:
                op.erase()
            self.fail(label, _message(error), cause=error)
        self._depth = max([self._depth, *(computation._depth + 1 for computation, _ in computations)])
        made = [XlaOp(self, shape, result) for shape, result in zip(shapes, op.results, strict=True)]
        single = len(made) == 1 if tuple_result is None else not tuple_result
        self._last = made[0] if single else XlaOp(self, Shape.tuple(op.shape for op in made), None, made)
        return self._last

    def make_tuple(self, elements: Sequence[XlaOp]) -> XlaOp:
        """A tuple; an operation is made for it only where one is needed."""
        self._require_unbuilt("Tuple")
        self._require_own("Tuple", elements)
        self._last = XlaOp(self, Shape.tuple(op.shape for op in elements), None, elements)
        return self._last

    def make_tuple_value(self, tuple_: XlaOp) -> ir.Value:
        """The value of a tuple that has had none so far."""
        operands = [element.value for element in tuple_.elements]
        with self.context, self._location():
            return ir.Operation.create(
                "xla.tuple", operands=operands, infer_type=True, ip=ir.InsertionPoint(self._block)
            ).operation.results[0]

    def emit_element(self, tuple_: XlaOp, index: int, shape: Shape) -> XlaOp:
        """An element of a tuple value."""
        value = _inline.element(tuple_.value, index, ir.InsertionPoint(self._block), self._location())
        return XlaOp(self, shape, value)

    def pack(self, shape: Shape, flat: XlaOp) -> XlaOp:
        """The results of an operation on flattened tuples as a value of `shape`."""
        if not shape.is_tuple:
            return flat
        arrays = iter(flat.elements)

        def packed(part: Shape) -> XlaOp:
            if not part.is_tuple:
                return next(arrays)
            elements = [packed(each) for each in part.tuple_shapes]
            return XlaOp(self, part, None, elements)

        self._last = packed(shape)
        return self._last

    def import_function(self, computation: XlaComputation) -> str:
        """Copies the functions of a computation into the program; the name of its `@main` there."""
        self._require_computation("Call", computation)
        self._depth = max(self._depth, computation._depth)
        return self._import(computation.in_context(self.context))("main")

    def fail(self, op: str, reason: str, constraint: str | None = None, cause: Exception | None = None) -> NoReturn:
        """Raises the ShapeError of an operation at the user's line (XlaError if no rule is broken)."""
        if constraint is None:
            found = _CONSTRAINT.search(reason)
            constraint = found[1] if found else None
        kind = ShapeError if constraint or isinstance(cause, ShapeError) else XlaError
        _arguments.fail(reason, op=op, constraint=constraint, kind=kind)

    # ===--- Inside ---===#

    def _location(self) -> ir.Location:
        path, line, column = caller()
        return ir.Location.file(path, line, column, context=self.context)

    def _type(self, shape: Shape, label: str) -> ir.Type:
        if not isinstance(shape, Shape):
            self.fail(label, f"{shape!r} is not a Shape")
        return ir.Type.parse(shape.mlir, context=self.context)

    def _elements(self, array: np.ndarray, shape: Shape) -> ir.Attribute:
        type_ = self._type(shape.with_layout(None), "Constant")
        if shape.num_elements == 0:
            return ir.Attribute.parse(f"dense<> : {shape.mlir}", context=self.context)
        return ir.DenseElementsAttr.get(array, type=type_, context=self.context)

    def _attribute(self, value: Any) -> ir.Attribute:
        if isinstance(value, ir.Attribute):
            return value
        if isinstance(value, bool):
            return ir.BoolAttr.get(value, context=self.context)
        if isinstance(value, (int, np.integer)):
            return ir.IntegerAttr.get(ir.IntegerType.get_signless(64, context=self.context), int(value))
        if isinstance(value, float):
            return ir.FloatAttr.get(ir.F32Type.get(context=self.context), value)
        if isinstance(value, str):
            return ir.Attribute.parse(value, context=self.context)
        try:
            elements = [int(each) for each in value]
        except TypeError:
            raise ValueError(f"{value!r} is not the value of an attribute") from None
        return ir.DenseI64ArrayAttr.get(elements, context=self.context)

    def _tree(self, op: XlaOp) -> Any:
        return [self._tree(each) for each in op.elements] if op.shape.is_tuple else op.value

    def _fill(self, region: Any, computation: XlaComputation, trees: list[Any] | None, location: ir.Location) -> None:
        shapes = computation.program_shape.parameters
        if trees is None:
            arrays = [array for shape in shapes for array in _leaves(shape)]
            types = [ir.Type.parse(array.mlir, context=self.context) for array in arrays]
            block = region.blocks.append(*types, arg_locs=[location] * len(types))
            values = iter(block.arguments)
            trees = [_inline.pack(shape, values) for shape in shapes]
        else:
            block = region.blocks.append()
        insertion = ir.InsertionPoint(block)
        body = computation.main.regions[0].blocks[0]
        callee = self._import(computation) if len(_functions.functions(computation.module)) > 1 else None
        returned = _inline.inline(body, trees, insertion, callee)
        values = [value for tree in returned for value in _inline.flatten(tree, insertion, location)]
        ir.Operation.create("xla.return", operands=values, loc=location, ip=insertion)

    def _import(self, computation: XlaComputation) -> Callable[[str], str]:
        """Gives the names in this program of a computation's functions, which are copied when first asked for."""

        def name_of(name: str) -> str:
            _, names = self._functions.setdefault(id(computation), (computation, {}))
            if name not in names:
                taken = {*_functions.functions(self._module)}
                wanted = base = re.sub(r"\W", "_", computation.name if name == "main" else name) or "computation"
                number = 0
                while wanted in taken or wanted == "main":
                    number += 1
                    wanted = f"{base}_{number}"
                names[name] = wanted
                original = _functions.functions(computation.module)[name]
                copy = original.clone(ip=ir.InsertionPoint(self._module.body)).operation
                copy.attributes["sym_name"] = ir.StringAttr.get(wanted, context=self.context)
                copy.attributes["sym_visibility"] = ir.StringAttr.get("private", context=self.context)
                _rename_calls(copy, name_of)
            return names[name]

        return name_of

    def _order_parameters(self) -> None:
        """Brings the parameters, which stand in the order of their declaration, into that of their numbers."""
        if list(self._parameters) == sorted(self._parameters):
            return
        for number in range(len(self._parameters)):
            old = self._parameters[number].value
            new = self._block.add_argument(old.type, old.location)
            old.replace_all_uses_with(new)
        for _ in self._parameters:
            self._block.erase_argument(0)

    def _require_unbuilt(self, label: str) -> None:
        if self._built:
            self.fail(label, f"the builder '{self.name}' has built its computation already")

    def _require_own(self, label: str, operands: Sequence[XlaOp]) -> None:
        for position, operand in enumerate(operands):
            if not isinstance(operand, XlaOp):
                self.fail(label, f"operand {position} is {operand!r}, not an XlaOp")
            if operand.builder is not self:
                self.fail(label, f"operand {position} belongs to another builder, '{operand.builder.name}'")

    def _require_computation(self, label: str, computation: XlaComputation) -> None:
        if not isinstance(computation, XlaComputation):
            self.fail(label, f"{computation!r} is not an XlaComputation")

    def __repr__(self) -> str:
        return f"<XlaBuilder {self.name}>"


def _leaves(shape: Shape) -> list[Shape]:
    return [leaf for each in shape.tuple_shapes for leaf in _leaves(each)] if shape.is_tuple else [shape]


def _rename_calls(op: Any, name_of: Callable[[str], str]) -> None:
    for region in op.regions:
        for block in region.blocks:
            for view in block.operations:
                nested = view.operation
                if nested.name == "func.call":
                    name = name_of(ir.FlatSymbolRefAttr(nested.attributes["callee"]).value)
                    nested.attributes["callee"] = ir.FlatSymbolRefAttr.get(name, context=nested.context)
                _rename_calls(nested, name_of)


def _message(error: Exception) -> str:
    """What MLIR says, without its own words for the place and the kind of the failure."""
    diagnostics = getattr(error, "error_diagnostics", None)
    text = diagnostics[0].message if diagnostics else str(error)
    text = text.removeprefix("Operation creation failed: ")
    return re.sub(r"^'[\w.]+' op ", "", text)
