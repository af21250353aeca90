# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computations: what builders build, and what reductions, loops and calls take."""

from __future__ import annotations

import io
from dataclasses import dataclass

from .. import _bytecode, _functions, ir
from ..errors import XlaError
from ..shape import Shape


@dataclass(frozen=True)
class ProgramShape:
    """The signature of a computation."""

    parameters: tuple[Shape, ...]
    result: Shape

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.parameters))}) -> {self.result}"


class XlaComputation:
    """A program as a module with the function `@main`, for `mlir_xla.compile` and for builders of other programs."""

    def __init__(self, module: ir.Module, name: str = "main") -> None:
        """Takes any module whose `@main` has one result or several, which then form a tuple.

        Raises XlaError if there is no `@main` or its signature is not one of arrays of static size.
        """
        self.module = module
        self.name = name
        self._depth = 0  # of computations in its regions, as far as builders put them there
        signature = _functions.signature(self.main)
        results = [Shape.parse(str(type_)) for type_ in signature.results]
        result = results[0] if len(results) == 1 else Shape.tuple(results)
        self.program_shape = ProgramShape(tuple(Shape.parse(str(type_)) for type_ in signature.inputs), result)

    @property
    def main(self) -> ir.Operation:
        """The function `@main`."""
        main = _functions.functions(self.module).get("main")
        if main is None or not _functions.has_body(main):
            raise XlaError("the module has no function @main with a body")
        return main

    def in_context(self, context: ir.Context) -> XlaComputation:
        """This computation, or a copy of it if it belongs to another context."""
        if self.module.context == context:
            return self
        stream = io.BytesIO()
        self.module.operation.write_bytecode(stream)
        module = ir.Module.parse(_bytecode.SoundBytecode(stream.getvalue()), context=context)
        copy = XlaComputation(module, self.name)
        copy._depth = self._depth
        return copy

    def __str__(self) -> str:
        """The module's text, with the parameters' names."""
        return str(self.module.operation.get_asm(use_name_loc_as_prefix=True))

    def __repr__(self) -> str:
        return f"<XlaComputation {self.name}: {self.program_shape}>"
