# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a call takes of the heap, beside its results, of this project and of XLA.

    python benchmarks/heap.py                    all programs
    python benchmarks/heap.py rnn matmul_long_k  names or families; words match parts of names

`compare.py` shows what both systems say of themselves: this project's arena, which has no memory of threads in it, and
the temporary buffers of XLA's executable, which have nothing in them of what its libraries allocate while they run
(packed operands of products, the buffer of a stable sort). Here both are counted from outside, by `heap.c`, which
stands before the C library's allocator: the most that was in use at a time during two calls, less what was in use
before them, and less their results. A process for each program and system, whose threads have run a small program
before.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).with_name("heap.c")
SYSTEMS = "mlir_xla", "xla"


def build(folder: str) -> str:
    """Compiles `heap.c`; the library's path."""
    path = str(pathlib.Path(folder) / "heap.so")
    for compiler in ("cc", "clang", "clang-22", "gcc"):
        if shutil.which(compiler):
            subprocess.run([compiler, "-O2", "-shared", "-fPIC", str(SOURCE), "-o", path], check=True)
            return path
    raise SystemExit("no C compiler")


def serve(library: str, system_name: str, program_name: str) -> None:
    """The process: one program on one system; writes what was counted as JSON."""
    import jax
    from programs import PROGRAMS
    from systems import LOCAL

    heap = ctypes.CDLL(library)
    heap.heap_used.restype = heap.heap_peak.restype = ctypes.c_int64
    system = LOCAL[system_name]()

    def load(name: str):
        program = PROGRAMS[name]
        system.load(name, program.export(), program.arguments())
        system.compile()
        return system.on_device()

    load("add_16")()
    call = load(program_name)
    gc.collect()
    before = heap.heap_used()
    heap.heap_peak()
    for _ in range(2):
        results = call()
        size = sum(each.nbytes for each in jax.tree.leaves(results))
        del results
    json.dump({"heap": heap.heap_peak() - before - size, "own": system.memory()}, sys.stdout)


def counted(library: str, system: str, program: str) -> dict[str, int]:
    """Bytes of the heap, and what the system says of itself."""
    environment = {**os.environ, "LD_PRELOAD": library, "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, __file__, "--serve", library, system, program]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("filters", nargs="*", help="families, names or parts of names")
    parser.add_argument("--output", type=pathlib.Path, help="JSON file to write")
    settings = parser.parse_args()
    from measure import size
    from programs import choose

    records = {}
    print(f"{'program':32} {'arena':>10} {'heap':>10} {'XLA temp':>10} {'heap':>10}")
    with tempfile.TemporaryDirectory() as folder:
        library = build(folder)
        for program in choose(settings.filters):
            record = records[program.name] = {each: counted(library, each, program.name) for each in SYSTEMS}
            columns = (record[system][key] for system in SYSTEMS for key in ("own", "heap"))
            print(f"{program.name:32}", *(f"{size(each):>10}" for each in columns), flush=True)
    more = [name for name, each in records.items() if each["mlir_xla"]["heap"] > each["xla"]["heap"]]
    print(f"more of the heap than XLA ({len(more)} of {len(records)}): {', '.join(more) or 'none'}")
    if settings.output:
        settings.output.write_text(json.dumps(records, indent=1) + "\n")


if __name__ == "__main__":
    serve(*sys.argv[2:]) if sys.argv[1:2] == ["--serve"] else main()
