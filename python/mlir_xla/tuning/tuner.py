# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the kernels of a program with other plans, and takes those that are faster."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import ir
from .._mlir_libs._xla import compiler
from .cache import Cache
from .candidates import neighbours
from .plans import Plan, plans, replaced

log = logging.getLogger(__name__)

#: Seconds per call from which on a kernel is worth measuring: below, starting it is what takes the time.
WORTHWHILE = 20e-6
#: How much faster a plan must be, by minima of interleaved calls, to be taken instead of another.
GAIN = 0.97
#: Seconds that one comparison takes at least, and times that each plan runs in it, at least and at most.
SAMPLE, LEAST_ROUNDS, MOST_ROUNDS = 0.02, 3, 200
#: Times that all decisions of a plan are gone through.
SWEEPS = 2


@dataclass(frozen=True)
class Settings:
    """How the program is compiled: `cpu`, `features` and `threads` of `compile`."""

    target: str = "cpu"
    cpu: str = ""
    features: str = ""
    threads: int = 0


def tune(text: str, settings: Settings) -> str:
    """Takes a program at the stage `kernels` and returns it with the fastest plans found.

    Every kernel that has plans is run by itself, on random arguments, with plans near the compiler's: one decision
    after the other is changed, and what is faster stays. Results differ from those of other plans by the order in
    which numbers are added up. What was measured is kept in a file (`cache.py`).

    Raises MLIRError if the text is no such program.
    """
    cache = Cache()
    with ir.Context():
        module = ir.Module.parse(text)
        found: dict[str, list[str]] = {}
        processor = compiler.processor(settings.cpu, settings.features)
        threads = settings.threads or compiler.num_threads()
        for name, kernel in _kernels(module):
            program = _alone(kernel)
            # The compiler's own plans are part of the key: another version may plan otherwise.
            key = Cache.key(settings.target, processor, threads, program.replace(f"@{name}", "@kernel"))
            measured = _Kernel(name, program, settings)
            tuned = cache.get(key)
            if tuned is None or not measured.accepts(tuned):
                tuned = [str(plan) for plan in measured.best()]
                cache.put(key, tuned)
            found[name] = tuned
        cache.save()
        for operation in module.body.operations:
            name = _name(operation)
            if name in found:
                own = ", ".join(found[name])
                operation.attributes["xla_rt.plans"] = ir.Attribute.parse(f"[{own}]")
        return str(module)


def _name(operation: Any) -> str:
    return ir.StringAttr(operation.attributes["sym_name"]).value if "sym_name" in operation.attributes else ""


def _kernels(module: ir.Module) -> Iterator[tuple[str, ir.Operation]]:
    """The functions with plans, by name."""
    for operation in module.body.operations:
        if "xla_rt.plans" in operation.attributes:
            yield _name(operation), operation.operation


def _alone(kernel: ir.Operation) -> str:
    """A program that does nothing but call the kernel."""
    name, type_ = _name(kernel), ir.FunctionType(ir.TypeAttr(kernel.attributes["function_type"]).value)
    names = [f"%x{i}" for i in range(len(type_.inputs))]
    results = [f"%r#{i}" for i in range(len(type_.results))]
    inputs, outputs = (", ".join(map(str, types)) for types in (type_.inputs, type_.results))
    parameters = ", ".join(f"{x}: {each}" for x, each in zip(names, type_.inputs, strict=True))
    return (
        f"func.func @main({parameters}) -> ({outputs}) {{\n"
        f"  %r:{len(results)} = call @{name}({', '.join(names)}) : ({inputs}) -> ({outputs})\n"
        f"  return {', '.join(results)} : {outputs}\n}}\n{kernel.get_asm(use_local_scope=True)}"
    )


class _Kernel:
    """A kernel as a program of its own."""

    def __init__(self, name: str, text: str, settings: Settings) -> None:
        self._name, self._text, self._settings = name, text, settings
        self._plans = plans(text)
        self._arguments: list[np.ndarray] = []

    def accepts(self, new: list[str]) -> bool:
        """Whether the compiler can follow these plans."""
        own = [str(plan) for plan in self._plans]
        return new == own or (len(new) == len(own) and self._compiled(new) is not None)

    def best(self) -> list[Plan]:
        """The fastest plans found, or those that the kernel has."""
        own = self._compiled(self._plans)
        if own is None:  # not a program by itself
            return self._plans
        generator = np.random.default_rng(0)
        self._arguments = [_array(dims, dtype, generator) for _, dims, dtype in own.argument_types]
        before = self._seconds(own)
        if before < WORTHWHILE:
            return self._plans
        current, running = list(self._plans), own
        for _ in range(SWEEPS):
            start = [str(plan) for plan in current]
            for position in range(len(current)):
                current, running = self._improved(current, running, position)
            if [str(plan) for plan in current] == start:
                break
        if running is own or self._ratio(running, own, 5 * SAMPLE) >= GAIN:
            log.info("%s: %.3g ms, no plan is faster", self._name, before * 1e3)
            return self._plans
        text = ", ".join(map(str, current))
        log.info("%s: %.3g -> %.3g ms by %s", self._name, before * 1e3, self._seconds(running) * 1e3, text)
        return current

    def _improved(self, current: list[Plan], running: Any, position: int) -> tuple[list[Plan], Any]:
        """The plans with each decision of one of them as measured best."""
        tried = {str(current[position])}
        for number in range(len(list(neighbours(current[position])))):
            groups = list(neighbours(current[position]))
            for plan in groups[number] if number < len(groups) else []:
                if str(plan) in tried:
                    continue
                tried.add(str(plan))
                changed = [*current[:position], plan, *current[position + 1 :]]
                candidate = self._compiled(changed)
                if candidate is not None and self._ratio(candidate, running, SAMPLE) < GAIN:
                    current, running = changed, candidate
        return current, running

    def _compiled(self, plans: list[Plan] | list[str]) -> Any:
        """The kernel with these plans, or none if they do not fit it."""
        settings = self._settings
        try:
            module = ir.Module.parse(replaced(self._text, plans))
            return compiler.compile(
                module.operation,
                target=settings.target,
                cpu=settings.cpu,
                features=settings.features,
                threads=settings.threads,
                from_stage="kernels",
            )
        except ir.MLIRError:
            return None

    def _seconds(self, executable: Any) -> float:
        """The least time of a few calls."""
        return min(self._once(executable) for _ in range(LEAST_ROUNDS))

    def _once(self, executable: Any) -> float:
        start = time.perf_counter()
        executable.run(self._arguments)
        return time.perf_counter() - start

    def _ratio(self, new: Any, old: Any, seconds: float) -> float:
        """How much of the old one's time the new one takes, in turns; the first call of each does not count."""
        first, second = self._once(new), self._once(old)
        if first > 2 * second and self._once(new) > 2 * self._once(old):
            return 2.0
        times: list[tuple[float, float]] = []
        end = time.perf_counter() + seconds
        while len(times) < LEAST_ROUNDS or (time.perf_counter() < end and len(times) < MOST_ROUNDS):
            times.append((self._once(new), self._once(old)))
        return min(each for each, _ in times) / min(each for _, each in times)


def _array(dims: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
    """An argument that is nothing special: numbers around zero, or small integers."""
    if dtype.kind in "biu" or "int" in dtype.name:
        return generator.integers(0, 2, dims).astype(dtype)
    if dtype.kind == "c":
        return (generator.standard_normal(dims) + 1j * generator.standard_normal(dims)).astype(dtype)
    return generator.standard_normal(dims).astype(np.float32).astype(dtype)
