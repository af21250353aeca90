# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What NVIDIA's assembler makes of the kernels of the measured programs: registers, spills, memory, occupancy, and, of
those with tensor cores, how many of their instructions the inner loop has for each load from shared memory.

    python benchmarks/gpu_kernels.py                            all programs, on the screen
    python benchmarks/gpu_kernels.py matmul softmax             families, names, or parts of names
    python benchmarks/gpu_kernels.py --into docs/gpu-kernels.md
    python benchmarks/gpu_kernels.py --check                    fails if a kernel that was planned for GPUs spills

Occupancy is what the limits of a multiprocessor allow (`gpu_peaks.Multiprocessor`), for compute capability 8.0 and
9.0.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import ptxas
import sass
from gpu_peaks import MULTIPROCESSORS
from gpu_program import GpuProgram, compiled
from programs import choose
from report import BEGIN, END

HEADING = (
    "| program | launches | kernel | blocks x threads | planned | registers | spilled bytes | stack | shared memory "
    "| occupancy | tensor / load |\n|---|---|---|---|---|---|---|---|---|---|---|"
)


def loops_of(program: GpuProgram) -> dict[str, dict[str, sass.Loop]]:
    """The inner loops of kernels with tensor cores, by architecture and name."""
    has_tensor_cores = any("instruction" in plan for kernel in program.kernels.values() for plan in kernel.plans)
    texts = {each: program.ptx(each) if has_tensor_cores else "" for each in MULTIPROCESSORS}
    return {each: sass.inner_loops(text, each) if text else {} for each, text in texts.items()}


def rows(
    name: str,
    program: GpuProgram,
    assembled: dict[str, dict[str, ptxas.Kernel]],
    loops: dict[str, dict[str, sass.Loop]],
) -> tuple[list[str], list[str]]:
    """The program's rows of the table, and its kernels that spill although they are of a fast class.

    Where the two architectures differ, both figures are given, that of the older one first.
    """
    lines, spilling = [], []
    head = f"| {name} | {program.launches:g} "
    if not program.kernels:
        lines.append(head + "| | | | | | | | | |")
    for kernel in program.kernels.values():
        names = [each for each in MULTIPROCESSORS if kernel.is_for(each)]
        found = [assembled[each][kernel.name] for each in names]

        def both(values) -> str:
            return " / ".join(dict.fromkeys(map(str, values)))

        shared = [each.shared + kernel.dynamic_shared for each in found]
        share = [
            f"{sm.occupancy(kernel.block, each.registers, bytes_):.0%}"
            for sm, each, bytes_ in zip(map(MULTIPROCESSORS.get, names), found, shared, strict=True)
        ]
        loop = [loops[each][kernel.name] for each in names if kernel.name in loops[each]]
        spills = [each.spill_stores + each.spill_loads for each in found]
        if kernel.is_fast and any(spills):
            spilling.append(f"{name}: {kernel.name} spills {both(spills)} bytes, planned as {', '.join(kernel.plans)}")
        lines.append(
            f"{head}| `{kernel.name}` | {kernel.grid} x {kernel.block} | {'yes' if kernel.is_fast else 'no'} "
            f"| {both(each.registers for each in found)} | {both(spills)} | {both(each.stack for each in found)} "
            f"| {both(shared)} | {both(share)} | {both(loop)} |"
        )
        head = "| | "
    return lines, spilling


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("filters", nargs="*", help="families, names or parts of names")
    parser.add_argument("--into", type=pathlib.Path, help="page to put the table into")
    parser.add_argument("--check", action="store_true", help="fail if a kernel that was planned for GPUs spills")
    settings = parser.parse_args()
    try:
        ptxas.find()
        if not settings.check:
            sass.find()
    except ptxas.Absent as reason:
        print(reason)
        return 2
    lines: list[str] = []
    spilling: list[str] = []
    failed: list[str] = []
    kernels = launches = 0
    with ThreadPoolExecutor(len(MULTIPROCESSORS)) as pool:
        for program in choose(settings.filters, gpu=True):
            try:
                found = compiled(program)
                made = pool.map(
                    lambda arch, ptx=found.ptx: ptxas.assemble(ptx(arch), arch) if ptx(arch) else {}, MULTIPROCESSORS
                )
                loops = {each: {} for each in MULTIPROCESSORS} if settings.check else loops_of(found)
                more, bad = rows(program.name, found, dict(zip(MULTIPROCESSORS, made, strict=True)), loops)
            except Exception as error:  # noqa: BLE001  a program that fails is a result, the others still count
                failed.append(f"{program.name}: {type(error).__name__}: {str(error).splitlines()[0][:200]}")
                lines.append(f"| {program.name} | failed | | | | | | | | | |")
                print(failed[-1], flush=True)
                continue
            lines += more
            spilling += bad
            kernels += len(found.kernels)
            launches += found.launches
            if settings.into is None and not settings.check:
                print("\n".join(more), flush=True)
    say = f"{kernels} kernels, assembled by ptxas {ptxas.version()} for {' and '.join(MULTIPROCESSORS)}; "
    say += f"{len(spilling)} of those that were planned for GPUs spill."
    if settings.into is not None:
        page = settings.into.read_text()
        before, rest = page.split(BEGIN, 1)
        _, after = rest.split(END, 1)
        text = "\n".join([say, "", HEADING, *lines])
        settings.into.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")
    print(say)
    for each in spilling:
        print(each)
    return 1 if failed or (settings.check and spilling) else 0


if __name__ == "__main__":
    sys.exit(main())
