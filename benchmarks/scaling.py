# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How compile time grows with programs: `scaling.py [NAME...] [--sizes N] [--limit SECONDS]` compiles each program at
half its size and at its size, in a process of its own, and prints the times and the exponent between them. A program
beyond a limit must say so: its error is printed."""

from __future__ import annotations

import argparse
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable

F = "tensor<f32>"
V = "tensor<4xf32>"


def _main(body: str, parameters: str = f"%x: {V}", results: str = V, rest: str = "") -> str:
    return f"func.func @main({parameters}) -> ({results}) {{\n{body}\n}}\n{rest}"


def adds(n: int) -> str:
    lines = [f"%v{i + 1} = xla.add %v{i}, %x : {V}" for i in range(n)]
    return _main("\n".join([f"%v0 = xla.abs %x : {V}", *lines, f"return %v{n} : {V}"]))


def dots(n: int) -> str:
    t = "tensor<4x4xf32>"
    lines = [f"%v{i + 1} = xla.dot %v{i}, %x : ({t}, {t}) -> {t}" for i in range(n)]
    return _main("\n".join([f"%v0 = xla.abs %x : {t}", *lines, f"return %v{n} : {t}"]), f"%x: {t}", t)


def reuses(n: int) -> str:
    """Every value is read by the next two."""
    lines = [f"%v{i + 2} = xla.add %v{i + 1}, %v{i} : {V}" for i in range(n)]
    begin = [f"%v0 = xla.abs %x : {V}", f"%v1 = xla.negate %x : {V}"]
    return _main("\n".join([*begin, *lines, f"return %v{n + 1} : {V}"]))


def constants(n: int) -> str:
    lines = [
        f"%c{i} = xla.constant dense<[{i}.0, 1.0, 2.0, 3.0]> : {V}\n%v{i + 1} = xla.add %v{i}, %c{i} : {V}"
        for i in range(n)
    ]
    return _main("\n".join([f"%v0 = xla.abs %x : {V}", *lines, f"return %v{n} : {V}"]))


def parameters(n: int) -> str:
    lines = [f"%v{i + 1} = xla.add %v{i}, %p{i} : {V}" for i in range(n)]
    given = ", ".join(f"%p{i}: {V}" for i in range(n))
    return _main("\n".join([f"%v0 = xla.abs %p0 : {V}", *lines, f"return %v{n} : {V}"]), given)


def results(n: int) -> str:
    lines = [f"%c{i} = xla.constant dense<{i}.0> : {V}\n%v{i} = xla.add %x, %c{i} : {V}" for i in range(n)]
    types = ", ".join([V] * n)
    values = ", ".join(f"%v{i}" for i in range(n))
    return _main("\n".join([*lines, f"return {values} : {types}"]), results=types)


def tuples(n: int) -> str:
    lines = [f"%v{i} = xla.get_tuple_element %t[{i}] : (!t) -> {V}" for i in range(n)]
    lines += [f"%w{i} = xla.negate %v{i} : {V}" for i in range(n)]
    made = f"%r = xla.tuple {', '.join(f'%w{i}' for i in range(n))} : !t"
    return f"!t = tuple<{', '.join([V] * n)}>\n" + _main("\n".join([*lines, made, "return %r : !t"]), "%t: !t", "!t")


def nested_tuples(n: int) -> str:
    names = [V, *(f"!t{i}" for i in range(1, n + 1))]
    types = [f"{names[i + 1]} = tuple<{names[i]}>" for i in range(n)]
    lines = [f"%v{i} = xla.get_tuple_element %v{i + 1}[0] : ({names[i + 1]}) -> {names[i]}" for i in reversed(range(n))]
    return "\n".join([*types, _main("\n".join([*lines, f"return %v0 : {V}"]), f"%v{n}: {names[n]}")])


def concatenate(n: int) -> str:
    lines = [f"%c{i} = xla.constant dense<{i}.0> : {V}\n%v{i} = xla.add %x, %c{i} : {V}" for i in range(n)]
    values, types = ", ".join(f"%v{i}" for i in range(n)), ", ".join([V] * n)
    joined = f"%r = xla.concatenate {values}, dim = 0 : ({types}) -> tensor<{4 * n}xf32>"
    return _main("\n".join([*lines, joined, f"return %r : tensor<{4 * n}xf32>"]), results=f"tensor<{4 * n}xf32>")


def case(n: int) -> str:
    branches = ", ".join(
        f"{{\n%c{i} = xla.constant dense<{i}.0> : {V}\n%v{i} = xla.add %x, %c{i} : {V}\nxla.return %v{i} : {V}\n}}"
        for i in range(n)
    )
    body = f'%r = "xla.case"(%i) ({branches}) : (tensor<i32>) -> {V}\nreturn %r : {V}'
    return _main(body, f"%x: {V}, %i: tensor<i32>")


def reduction(n: int) -> str:
    lines = [f"%v{i + 1} = xla.add %v{i}, %b : {F}" for i in range(n)]
    region = "\n".join([*lines, f"xla.return %v{n} : {F}"])
    body = (
        f'%z = xla.constant dense<0.0> : {F}\n%r = "xla.reduce"(%x, %z) <{{dimensions = array<i64: 0>}}> '
        f"({{\n^bb0(%v0: {F}, %b: {F}):\n{region}\n}}) : ({V}, {F}) -> {F}\nreturn %r : {F}"
    )
    return _main(body, results=F)


def call_chain(n: int) -> str:
    functions = [
        f"func.func private @f{i}(%x: {V}) -> {V} {{\n%0 = xla.negate %x : {V}\n"
        + (f"%1 = call @f{i + 1}(%0) : ({V}) -> {V}\n" if i + 1 < n else f"%1 = xla.abs %0 : {V}\n")
        + f"return %1 : {V}\n}}"
        for i in range(n)
    ]
    return _main(f"%0 = call @f0(%x) : ({V}) -> {V}\nreturn %0 : {V}", rest="\n".join(functions))


def _doubling(n: int, second: str) -> str:
    functions = [
        f"func.func private @f{i}(%x: {V}) -> {V} {{\n%0 = call @f{i + 1}(%x) : ({V}) -> {V}\n"
        f"%1 = call @f{i + 1}({second}) : ({V}) -> {V}\n%2 = xla.add %0, %1 : {V}\nreturn %2 : {V}\n}}"
        for i in range(n)
    ]
    last = f"func.func private @f{n}(%x: {V}) -> {V} {{\n%0 = xla.tanh %x : {V}\nreturn %0 : {V}\n}}"
    return _main(f"%0 = call @f0(%x) : ({V}) -> {V}\nreturn %0 : {V}", rest="\n".join([*functions, last]))


def equal_calls(n: int) -> str:
    return _doubling(n, "%x")


def calls_of_calls(n: int) -> str:
    return _doubling(n, "%0")


def _nested(n: int, before: str, after: str, innermost: str, parameters: str) -> str:
    begin = "\n".join(before.replace("@", str(i)) for i in range(n))
    end = "\n".join(after.replace("@", str(i)) for i in reversed(range(n)))
    return _main(f"{begin}\n{innermost}\n{end}\nreturn %r0 : {V}", parameters)


def nested_whiles(n: int) -> str:
    condition = f"""%n@ = xla.constant dense<9.0> : {F}
      %e@ = "xla.slice"(%c@) <{{start_indices = array<i64: 0>, limit_indices = array<i64: 1>,
        strides = array<i64: 1>}}> : ({V}) -> tensor<1xf32>
      %s@ = xla.reshape %e@ : (tensor<1xf32>) -> {F}
      %p@ = xla.compare LT, %s@, %n@ : ({F}, {F}) -> tensor<i1>"""
    before = f"""%k@ = xla.add %x, %x : {V}
    %r@ = "xla.while"(%k@) ({{\n^bb0(%c@: {V}):\n{condition}\nxla.return %p@ : tensor<i1>\n}}, {{\n^bb0(%w@: {V}):"""
    after = f"%o@ = xla.add %w@, %r_@ : {V}\nxla.return %o@ : {V}\n}}) : ({V}) -> {V}"
    lines = _nested(n, before, after, f"%r{n} = xla.abs %x : {V}", f"%x: {V}")
    for i in range(n):
        lines = lines.replace(f"%r_{i} ", f"%r{i + 1} ")
    return lines


def nested_ifs(n: int) -> str:
    before = f'%k@ = xla.add %x, %x : {V}\n%r@ = "xla.if"(%p) ({{'
    after = (
        f"%o@ = xla.add %k@, %r_@ : {V}\nxla.return %o@ : {V}\n}}, {{\nxla.return %k@ : {V}\n}}) : (tensor<i1>) -> {V}"
    )
    lines = _nested(n, before, after, f"%r{n} = xla.tanh %x : {V}", f"%x: {V}, %p: tensor<i1>")
    for i in range(n):
        lines = lines.replace(f"%r_{i} ", f"%r{i + 1} ")
    return lines


def builder_ifs(n: int) -> object:
    """Conditionals in conditionals, each a computation of its own."""
    import numpy as np

    from mlir_xla import Shape, XlaBuilder, ops

    state = Shape.tuple([Shape(bool), Shape(np.float32, (4,))])
    inner = None
    for level in range(n + 1):
        b = XlaBuilder(f"level{level}")
        t = ops.Parameter(b, 0, state)
        p, x = ops.GetTupleElement(t, 0), ops.GetTupleElement(t, 1)
        y = ops.Add(x, x)
        if inner is None:
            inner = b.build(y)
            continue
        other = XlaBuilder("other")
        o = ops.GetTupleElement(ops.Parameter(other, 0, state), 1)
        given = ops.Tuple(b, [p, y])
        inner = b.build(ops.Conditional(p, given, inner, given, other.build(ops.Neg(o))))
    return inner


PROGRAMS: dict[Callable[[int], object], int] = {
    adds: 20000,
    reuses: 20000,
    dots: 4000,
    constants: 20000,
    parameters: 5000,
    results: 2000,
    tuples: 5000,
    nested_tuples: 400,
    concatenate: 5000,
    case: 5000,
    reduction: 10000,
    call_chain: 2000,
    equal_calls: 40,
    calls_of_calls: 40,
    nested_whiles: 450,
    nested_ifs: 450,
    builder_ifs: 450,
}


def _compile(name: str, n: int) -> None:
    import mlir_xla

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    make = next(each for each in PROGRAMS if each.__name__ == name)
    mlir_xla.compile(adds(1))  # loads and prepares what every program needs
    start = time.process_time()
    program = make(n)
    built = time.process_time() - start
    start = time.process_time()
    try:
        executable = mlir_xla.compile(program)  # type: ignore[arg-type]
    except Exception as error:
        print(f"{time.process_time() - start:.2f} s: {type(error).__name__}: {str(error)[:300]}")
        return
    seconds = time.process_time() - start + (built if not isinstance(program, str) else 0)
    stages = ", ".join(f"{stage} {ms / 1e3:.2f}" for stage, ms in executable.timings.items() if ms >= 10)
    print(f"{seconds:.2f} s ({stages})")


def _measure(name: str, n: int, limit: float) -> tuple[float | None, str]:
    try:
        done = subprocess.run(
            [sys.executable, __file__, name, "--one", str(n)],
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None, f"more than {limit:.0f} s"
    if done.returncode:
        return None, f"status {done.returncode}: {done.stderr.strip()[-200:]}"
    text = done.stdout.strip()
    return float(text.split()[0]), text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(each.__name__ for each in PROGRAMS))
    parser.add_argument("--sizes", type=float, default=1.0, help="all sizes times this")
    parser.add_argument("--limit", type=float, default=300, help="seconds for one compilation")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one is not None:
        _compile(options.names[0], options.one)
        return
    for make, size in PROGRAMS.items():
        if options.names and make.__name__ not in options.names:
            continue
        n = max(2, round(size * options.sizes))
        half, text = _measure(make.__name__, n // 2, options.limit)
        print(f"{make.__name__:15} {n // 2:6}: {text}", flush=True)
        whole, text = _measure(make.__name__, n, options.limit)
        growth = f"  n^{math.log2(whole / half):.2f}" if half and whole else ""
        print(f"{make.__name__:15} {n:6}: {text}{growth}", flush=True)


if __name__ == "__main__":
    main()
