# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From an MLIR module to plain Python data: the only place that touches the bindings.

Enters: any object with the interface of ``mlir.ir.Module``. Leaves: functions, blocks and ops in which every value is
a number (its slot in the frame of its function), types are those of ``_types`` and attributes are Python values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from . import _attributes
from ._types import ArrayType, FunctionType, Type, parse_function_type, parse_type

# Ops of these namespaces carry one meaning under one name.
_NAMESPACES = ("xla", "stablehlo", "mhlo", "chlo")


@dataclass
class Op:
    """``name`` is without the namespace for XLA's ops (``add``) and complete for others (``func.call``)."""

    name: str
    spelling: str
    location: str
    operands: tuple[int, ...]
    results: tuple[int, ...]
    result_types: tuple[Type, ...]
    attributes: dict[str, Any]
    regions: tuple[Block, ...]
    operand_types: tuple[Type, ...] = ()  # of custom calls, which see their layouts

    @property
    def array(self) -> ArrayType:
        """The type of the result of an op with one array result."""
        type_ = self.result_types[0]
        if not isinstance(type_, ArrayType):
            raise TypeError(f"the result is {type_}, not an array")
        return type_


@dataclass
class Block:
    """The single block of a region; its last op is the terminator."""

    arguments: tuple[int, ...]
    argument_types: tuple[Type, ...]
    ops: tuple[Op, ...]
    cache: dict[str, Any] = field(default_factory=dict)


@dataclass
class Function:
    name: str
    type: FunctionType
    body: Block | None
    slots: int


def read_module(module: Any) -> dict[str, Function]:
    """All functions of ``module``, by name."""
    root = getattr(module, "operation", module).operation
    resources = _Resources(root)
    functions: dict[str, Function] = {}
    for view in root.regions[0].blocks[0].operations:
        op = view.operation
        if op.name == "func.func":
            function = _Reader(resources).function(op)
            functions[function.name] = function
    return functions


class _Resources(dict[str, bytes]):
    """Blobs of ``dense_resource`` attributes, read from the module's text at the first use of one."""

    _ENTRY = re.compile(r'([\w.$-]+|"(?:[^"\\]|\\.)*")\s*:\s*"0x([0-9A-Fa-f]*)"')

    def __init__(self, root: Any) -> None:
        super().__init__()
        self._root: Any = root

    def __missing__(self, key: str) -> bytes:
        if self._root is None:
            raise KeyError(key)
        text = str(self._root)
        self._root = None
        section = text[text.rfind("{-#") :]
        for name, blob in self._ENTRY.findall(section):
            self[name.strip('"')] = bytes.fromhex(blob)[4:]  # the first four bytes are the alignment
        return self[key]


class _Reader:
    """Numbers the values of one function while it reads the body."""

    def __init__(self, resources: _Resources) -> None:
        self._resources = resources
        self._slots: dict[Any, int] = {}

    def function(self, op: Any) -> Function:
        name = str(op.attributes["sym_name"]).strip('"')
        type_ = parse_function_type(str(op.attributes["function_type"]))
        body = self._block(op.regions[0].blocks[0]) if len(op.regions[0].blocks) else None
        return Function(name, type_, body, len(self._slots))

    def _define(self, values: Any) -> tuple[int, ...]:
        return tuple(self._slots.setdefault(value, len(self._slots)) for value in values)

    def _block(self, block: Any) -> Block:
        arguments = list(block.arguments)
        slots = self._define(arguments)
        ops = tuple(self._op(view.operation) for view in block.operations)
        return Block(slots, tuple(parse_type(str(a.type)) for a in arguments), ops)

    def _op(self, op: Any) -> Op:
        namespace, _, mnemonic = op.name.partition(".")
        results = list(op.results)
        attributes = {}
        for entry in op.attributes:
            key = entry if isinstance(entry, str) else entry.name
            attributes[key] = _attributes.decode(op.attributes[key], self._resources)
        operands = tuple(self._slots[operand] for operand in op.operands)
        regions = tuple(self._block(region.blocks[0]) for region in op.regions)
        return Op(
            name=mnemonic if namespace in _NAMESPACES else op.name,
            spelling=op.name,
            location=re.sub(r"^loc\((.*)\)$", r"\1", str(op.location)),
            operands=operands,
            results=self._define(results),
            result_types=tuple(parse_type(str(result.type)) for result in results),
            attributes=attributes,
            regions=regions,
            operand_types=tuple(parse_type(str(o.type)) for o in op.operands) if mnemonic == "custom_call" else (),
        )
