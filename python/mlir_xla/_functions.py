# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of a module."""

from __future__ import annotations

from . import ir
from .errors import XlaError


def functions(module: ir.Module) -> dict[str, ir.Operation]:
    """The functions, declarations included, by name."""
    found = (view.operation for view in module.body.operations)
    return {symbol_name(op): op for op in found if op.name == "func.func"}


def choice(module: ir.Module) -> str:
    """The function that is the program where none is named: `@main`, or else the only public one; XlaError without."""
    found = functions(module)
    if "main" in found:
        return "main"
    public = [name for name, op in found.items() if has_body(op) and not _is_private(op)]
    if len(public) == 1:
        return public[0]
    if not public:
        reason = "the program has no @main and no other public function with a body"
    else:
        known = ", ".join(f"@{name}" for name in public)
        reason = f"the program has no @main; name one of its public functions (xla-run: --function NAME): {known}"
    raise XlaError(reason, location=place(module.operation))


def place(op: ir.Operation) -> str:
    """Where the operation is, as errors begin."""
    # A file without `module` begins at 0:0.
    return str(op.location).removeprefix("loc(").removesuffix(")").replace('"', "").removesuffix(":0:0")


def _is_private(op: ir.Operation) -> bool:
    return "sym_visibility" in op.attributes and ir.StringAttr(op.attributes["sym_visibility"]).value == "private"


def symbol_name(op: ir.Operation) -> str:
    """The name of a symbol, "" for an operation without one."""
    return ir.StringAttr(op.attributes["sym_name"]).value if "sym_name" in op.attributes else ""


def has_body(function: ir.Operation) -> bool:
    """Whether the function is more than a declaration."""
    return len(function.regions[0].blocks) > 0


def signature(function: ir.Operation) -> ir.FunctionType:
    """The function's type."""
    return ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)


def set_signature(function: ir.Operation, inputs: list[ir.Type], results: list[ir.Type]) -> None:
    """Gives the function another type."""
    type_ = ir.FunctionType.get(inputs, results, context=function.context)
    function.attributes["function_type"] = ir.TypeAttr.get(type_, context=function.context)
