# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An estimate of how long the measured programs take on GPUs, for where there is none, how far that is from what was
measured, and what is furthest from the limit.

    python benchmarks/gpu_model.py                        all programs, on the screen
    python benchmarks/gpu_model.py matmul --kernels       families, names, or parts of names; with each kernel
    python benchmarks/gpu_model.py --into docs/gpu-model.md

A kernel takes its launch and as long as the slowest of these (sources, fits and assumptions are in `gpu_peaks.py`):

- `memory`: bytes that it must read and write, at what is reached of the memory's bandwidth, or that of the L2 cache for
  what is kept there (from the last execution, if all that a program is given has room there, or from kernels before);
  less if there are too few threads, or tiles, to ask for as many bytes as come within a load's
  latency (Little's law), which is that of the L2 cache for what is there;
- `tensor cores`: multiply-adds at the peak of their type; `arithmetic`: others and other instructions, at what is
  issued of the peak; in attention by tensor cores one after the other, with exponentials;
- `accesses`: wavefronts of 128 bytes of loads and stores of threads, one in a clock of a multiprocessor; for threads
  that are next to each other but read far apart, one for each thread; with tiles, those of shared memory, be it threads
  that read and write there, tensor cores (wgmma), or the accelerator that brings tiles;
- `L2`: with tiles, the bytes that all blocks bring from the L2 cache; two blocks that share some bring those once;
- `waits`: blocks that come when others have ended: each begins, and its threads wait for memory, as often as loads
  depend on each other, and phases of owners that sort their words. That counts where threads do little: 33,000 blocks
  take 22 us;
- `phases`: of the device's library (sorts, transforms, factors, systems) and of loops that one block goes through,
  what threads and blocks do that waits for itself: loads from memory, barriers, sums; in a phase a thread writes what
  it has of its lines to shared memory, and reads as much. For each launch of the library
  the compiler says what it reads, writes and computes;
- `one thread`: what a single thread does, one instruction after the other, and eight loads at once.

Blocks that have tiles of a scan wait for their numbers and for those before them, in each round.

Then comes the `last block`, where it adds up what all have left: until its stores are in the L2 cache, the counter's
way there and back, and what it reads, at its multiprocessor's share of that cache.

Where a multiprocessor has one block at a time, nothing goes on beside its beginning and its end: until its first tile
is there, while its results go through shared memory, and to the L2 cache. That is added to what its tiles take.

All but the first and the last are divided by the share of multiprocessors that is busy: the last blocks of a grid may
leave some idle. A launch adds its own time, with the lives of the first blocks, more if the program is no graph, which
it is unless the host has to decide or to compute. Where the device decides, that is a kernel of one thread and a node
of the graph: as if three kernels were launched. The time in a stream is the caller's for all arguments and results, if
that is longer.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import ptxas
from gpu_accuracy import LEAST, are_measured, halves, measured, summary
from gpu_peaks import GPUS, MULTIPROCESSORS, Gpu
from gpu_program import GpuProgram, Kernel, Step, compiled
from gpu_work import FUNCTIONS, OWNERS, PHASE_BYTES
from measure import pretty
from programs import choose
from report import BEGIN, END
from work import arrays_of, counted

TENSOR = {"bf16": "bf16", "f16": "bf16", "i8": "i8", "f64": "f64", "f32": "tf32"}
#: Bytes that a thread asks for before it needs them.
ASKED, LOADS = 32, 8
#: A plan of blocks: tiles of m, n and k, and what a thread (or, on tensor cores, a warp) has of them.
TILES = r"#xla_rt\.blocks<.*?\bm [d\d, ]*?(\d+), n [d\d, ]*?(\d+), k [d\d, ]*?(\d+), register (\d+)x(\d+)"


#: One of streamed keys: sizes, rows, keys at a time, neighbours of a thread, threads that share a key, threads, parts.
STREAM = (
    r"#xla_rt\.stream<([\dx]+), rows d\d+ (\d+), keys d\d+ (\d+), lanes d\d+ (\d+)x(\d+), threads \d+(?:, split (\d+))?"
)


def _streams(kernel: Kernel) -> list[re.Match]:
    """Those of scores and of values."""
    return [match for plan in kernel.plans if (match := re.search(STREAM, plan))]


def _tiles(kernel: Kernel) -> re.Match | None:
    """Sizes of the first plan of blocks."""
    return next(filter(None, (re.search(TILES, plan) for plan in kernel.plans)), None)


def _attention(kernel: Kernel, count: float) -> float:
    """Wavefronts of `count` products of attention, half of them scores: keys and values come from memory for each tile
    of rows; a thread reads 16 bytes of each of its rows and columns at a time. Warps with tensor cores read keys and
    values of 16 bits for their rows, which stay in registers."""
    found = [list(map(int, match.groups())) for plan in kernel.plans if (match := re.search(TILES, plan))]
    if any("instruction mma" in plan for plan in kernel.plans):
        return count * sum(2 * 2 / m / 128 + 2 / rows / 128 for m, _, _, rows, _ in found) / len(found)
    each = [2 * 4 / m / 128 + (rows + columns) / (32 * 4 * rows * columns) for m, _, _, rows, columns in found]
    return count * sum(each) / len(each)


def _scores(kernel: Kernel) -> float:
    """Scores of attention."""
    plans = r"#xla_rt\.(?:blocks|stream)<([\dx]+)"
    sizes = [each[1].split("x") for plan in kernel.plans if (each := re.search(plans, plan))]
    return sum(kernel.work.products.values()) / (int(sizes[0][-1]) + int(sizes[-1][-2]))


def _asked(kernel: Kernel, resident: int) -> float:
    """Bytes that are on their way to so many threads at a time: with tiles, all but one of those in shared memory; if
    keys are streamed, half of what a thread reads at a time."""
    if (streams := _streams(kernel)) and not kernel.name.endswith("_fold"):
        sizes = [list(map(int, match[1].split("x"))) for match in streams]
        lines = sizes[0][-1] + sizes[1][-2]
        size = min({"f32": 4}.get(element, 2) for element in kernel.work.products)
        return max(resident * ASKED, resident * lines / int(streams[0][5]) * int(streams[0][3]) * size / 2)
    tiles = _tiles(kernel)
    if not tiles or kernel.name.endswith("_fold"):
        return resident * max(ASKED, kernel.work.asked)
    m, n, k = map(int, tiles.groups()[:3])
    stages = next((int(found[1]) for plan in kernel.plans if (found := re.search(r"\bstages (\d+)", plan))), 2)
    size = min({"f64": 8, "f32": 4, "i8": 1}.get(element, 2) for element in kernel.work.products)
    return max(resident * ASKED, resident / kernel.block * (stages - 1) * max(m, n) * k * size)


def _cluster(kernel: Kernel) -> int:
    """Blocks that share columns."""
    return next((int(found[1]) for plan in kernel.plans if (found := re.search(r"\bcluster (\d+)", plan))), 1)


def _multiprocessors(kernel: Kernel, gpu: Gpu) -> int:
    """Those that find blocks: clusters of four leave two idle where a part of the device has 18, and other parts 16."""
    return gpu.multiprocessors if _cluster(kernel) <= 2 else gpu.multiprocessors // 16 * 16


def _ends(kernel: Kernel, gpu: Gpu, written: float) -> float:
    """Seconds of the beginnings and ends of a multiprocessor's blocks, if it has one at a time."""
    m, n = map(int, _tiles(kernel).groups()[:2])
    rounds = math.ceil(kernel.grid / _multiprocessors(kernel, gpu))
    sums = 2 * m * n * 4 / 128 / gpu.clock
    return rounds * (gpu.latency_of(kernel.work.bytes) + sums) + written / (gpu.l2_bytes_per_clock * gpu.clock)


def _busy(kernel: Kernel, blocks: int, gpu: Gpu) -> float:
    """The share of the multiprocessors' time in which they work, if each takes so many blocks at a time. Some have a
    block more than others, and eight warps keep the four schedulers of one busy."""

    def turns(count: int) -> float:
        return max(count, 256 / kernel.block) if count else 0.0

    rounds, rest = divmod(math.ceil(kernel.grid / _multiprocessors(kernel, gpu)), blocks)
    return kernel.grid / gpu.multiprocessors / (rounds * turns(blocks) + turns(rest))


def kernel_times(kernel: Kernel, made: ptxas.Kernel | None, gpu: Gpu) -> dict[str, float]:
    """Seconds of one launch by what could take them."""
    work, sm = kernel.work, gpu.sm
    registers, shared = (made.registers, made.shared) if made else (32, 0)
    blocks = max(1, sm.blocks_at_once(kernel.block, registers, shared + kernel.dynamic_shared))
    resident = min(kernel.threads, gpu.multiprocessors * blocks * kernel.block)
    busy = _busy(kernel, blocks, gpu)
    latency = gpu.latency_of(work.bytes)
    asked = _asked(kernel, resident)
    bandwidth = min(gpu.reached(work.bytes), asked / latency)
    cold = min(work.cold, work.read) if latency != gpu.latency else 0.0
    scalars, functions = work.slots["f32"], 0.0
    if kernel.kind.startswith("rows") and _tiles(kernel):
        # Attention divides rows when they are done. Beside tensor cores an exponential is two instructions, one of them
        # of a unit that is slower by a factor of eight.
        scores = _scores(kernel)
        scalars -= scores * FUNCTIONS["divf"]
        if any("instruction mma" in plan for plan in kernel.plans):
            scalars -= scores * (FUNCTIONS["exp"] - 2)
            functions = 2 * 8 * scores / gpu.peaks["f32"]
    streams = _streams(kernel) if not kernel.name.endswith("_fold") else []
    if streams:
        # Each thread has some of the scores, but selects and adds halves of the sums of all.
        scores = _scores(kernel)
        scalars += scores * (3 * int(streams[0][5]) - FUNCTIONS["divf"])
    slots = 2 * (scalars / gpu.peaks["f32"] + work.slots["f64"] / gpu.peaks["f64 fma"])
    tensor, products, wavefronts, brought, ends = 0.0, 0.0, work.wavefronts, 0.0, 0.0
    tiles = _tiles(kernel)
    is_wgmma = any("instruction wgmma" in plan for plan in kernel.plans)
    is_mma = is_wgmma or any("instruction mma" in plan for plan in kernel.plans)
    for element, count in work.products.items():
        bytes_ = {"f64": 8, "f32": 4, "i8": 1}.get(element, 2)
        if is_mma and element in TENSOR:
            tensor += 2 * count / gpu.peaks[TENSOR[element]]
        else:
            peak = gpu.peaks["f64 fma" if element == "f64" else "f32"]
            products += 2 * count * (4 if "complex" in element else 1) / peak
        if kernel.kind.startswith("rows") and tiles:
            wavefronts = work.written / 128 + _attention(kernel, sum(work.products.values()))
        elif tiles:
            m, n, _, rows, columns = map(int, tiles.groups())
            brought += count * (1 / m / _cluster(kernel) + 1 / n) * bytes_
            if blocks == 1 and not kernel.name.endswith("_fold"):
                ends = _ends(kernel, gpu, work.written)
            if is_wgmma:
                # A line of 128 bytes of each row and column: of the accelerator, and of tensor cores for 64 rows.
                lines = m + n + m * n / (rows * columns) * (rows + rows / 64 * columns)
                wavefronts = count * bytes_ / 128 / (m * n) * lines
                continue
            rows, columns = (rows, columns) if is_mma else (8 * rows, 4 * columns)
            # From memory into shared memory, then from there to a warp.
            wavefronts = work.written / 128 + count * (1 / m + 1 / n) * bytes_ / 128 * 2
            wavefronts += count * (1 / rows + 1 / columns) * bytes_ / 128
    if streams:
        # What is read, and two shuffles for a score and the threads of a group.
        wavefronts = work.bytes / 128 + _scores(kernel) * 2 * int(streams[0][5]) / 32
    threads = max(1, min(kernel.threads, resident))
    alone = sum(work.slots.values()) + sum(work.products.values()) * (0 if is_mma else 1)
    waiting = work.serial * gpu.instruction / gpu.clock
    one = alone / threads * gpu.instruction / gpu.clock + work.bytes / 8 / max(1, kernel.threads) * latency / LOADS
    arithmetic = (slots + products) / gpu.issue / busy
    if is_mma and kernel.kind.startswith("rows"):
        arithmetic += (tensor + functions) / busy  # the scores of some keys, then what becomes of them
    # Squares are exchanged within a block.
    waits = 1 + (work.waits - 1) * min(1, kernel.block / work.group)
    waits = max(waits, 2 if any("square" in plan for plan in kernel.plans) else 1)
    rounds = max(1.0, kernel.grid / gpu.multiprocessors / blocks)
    beside = min(blocks, math.ceil(min(kernel.grid, OWNERS) / gpu.multiprocessors))
    phase = (gpu.phase + beside * 2 * kernel.block * PHASE_BYTES / 128) / gpu.clock
    return {
        "memory": (work.bytes - cold) / bandwidth + cold / min(gpu.bandwidth * gpu.reachable, asked / gpu.latency),
        "tensor cores": tensor / busy + (ends if tensor else 0.0),
        "arithmetic": arithmetic,
        "accesses": wavefronts / (gpu.multiprocessors * gpu.clock) / busy + ends,
        "L2": brought / (gpu.l2_bandwidth * gpu.l2_reachable) / busy + ends,
        "waits": (rounds - 1) * gpu.start + (rounds * waits - 1) * gpu.latency + work.phases * phase,
        "one thread": max(waiting, one if kernel.threads < 4096 else 0.0),
    }


def step_times(step: Step, kernel: Kernel, made: ptxas.Kernel | None, gpu: Gpu) -> dict[str, float]:
    """The same for a launch of the device's library, of which the compiler says what it needs."""
    registers, shared = (made.registers, made.shared) if made else (32, 0)
    blocks = max(1, gpu.sm.blocks_at_once(kernel.block, registers, shared))
    fill = gpu.multiprocessors * blocks
    resident = min(step.grid, fill) * kernel.block
    if kernel.kind == "loop":  # of small kernels, which read what they have just written, over and over
        clocks = step.waits * gpu.turn_wait + step.phases * gpu.barrier + step.chain * gpu.instruction
        return {"phases": (clocks + step.wavefronts) / gpu.clock}
    latency = gpu.latency_of(step.bytes)
    asked = max(ASKED, step.asked) * resident / latency
    busy = step.grid / (math.ceil(step.grid / fill) * fill) if step.grid > fill else step.grid / fill
    busy = max(busy, min(1.0, step.grid * kernel.block / (gpu.multiprocessors * 256)))
    rounds = max(1.0, step.grid / fill)
    # In a phase a thread writes what it has of its lines to shared memory, and reads as much; without such memory it
    # has them in registers.
    beside = min(blocks, math.ceil(step.grid / gpu.multiprocessors)) if shared else 0
    phase = (gpu.phase + beside * 2 * kernel.block * step.asked / 128) / gpu.clock
    return {
        "memory": step.bytes / min(gpu.reached(step.bytes), asked),
        "arithmetic": 2 * step.products / gpu.peaks["f64 fma" if step.is_double else "f32"] / gpu.issue / busy,
        "phases": rounds * ((step.waits - 1) * gpu.latency + step.phases * phase) + (rounds - 1) * gpu.start,
    }


def last_time(kernel: Kernel, made: ptxas.Kernel | None, gpu: Gpu) -> float:
    """Seconds of what the last block does when all others are done, or the last block of each tile."""
    share = gpu.l2_bytes_per_clock * gpu.clock / gpu.multiprocessors
    arrival = 2 * gpu.shared_latency
    if kernel.adds_in_last:
        split = next(int(found[1]) for plan in kernel.plans if (found := re.search(r"\bsplit (\d+)", plan)))
        turns = math.ceil(kernel.grid / split / gpu.multiprocessors)
        moved = split * kernel.work.written / kernel.grid  # parts but its own, and the results
        return arrival + gpu.shared_latency + turns * moved / share
    seconds = arrival if kernel.last and kernel.grid > 1 else 0.0
    for part in kernel.last:
        alone = dataclasses.replace(part, grid=1, block=kernel.block)
        seconds += max(*kernel_times(alone, made, gpu).values(), gpu.shared_latency + part.work.bytes / share)
    return seconds


def tiles_time(kernel: Kernel, made: ptxas.Kernel | None, gpu: Gpu) -> float:
    """Seconds for which blocks with tiles of a scan wait beside memory: for their numbers, until what the tile before
    comes to is there, and for what others come to, four of which a thread asks for at a time."""
    found = next(filter(None, (re.search(r"\bcut d\d+ \d+, threads d\d+ (\d+)", plan) for plan in kernel.plans)), None)
    if found is None:
        return 0.0
    registers, shared = (made.registers, made.shared) if made else (32, 0)
    fill = gpu.multiprocessors * max(1, gpu.sm.blocks_at_once(kernel.block, registers, shared))
    turns = math.ceil(kernel.grid / (4 * int(found[1])))
    return max(1.0, kernel.grid / fill) * (2 + turns) * gpu.shared_latency


def launches_of(kernel: Kernel, made: ptxas.Kernel | None, gpu: Gpu) -> list[tuple[float, dict[str, float]]]:
    """How often a kernel is launched, and how long that takes; steps that share a kernel differ."""
    if kernel.steps:
        return [(launches, step_times(step, kernel, made, gpu)) for step, launches in kernel.steps.items()]
    return [(kernel.launches, kernel_times(kernel, made, gpu))]


def program_time(program: GpuProgram, made: dict[str, ptxas.Kernel], gpu: Gpu) -> tuple[float, str]:
    """Seconds of an execution, and what takes most of them."""
    is_graph = not program.reads and not program.calls
    launch = gpu.node if is_graph else max(gpu.node, gpu.launch)
    parts: dict[str, float] = {"launches": 0.0, "the host": program.reads * gpu.read + program.calls * 2 * gpu.read}
    for kernel in program.kernels.values():
        if not kernel.is_for(gpu.architecture):
            continue
        for launches, times in launches_of(kernel, made.get(kernel.name), gpu):
            why = max(times, key=times.__getitem__)
            last = last_time(kernel, made.get(kernel.name), gpu)
            parts["waits"] = parts.get("waits", 0.0) + launches * tiles_time(kernel, made.get(kernel.name), gpu)
            parts[why] = parts.get(why, 0.0) + launches * times[why]
            parts["last block"] = parts.get("last block", 0.0) + launches * last
            parts["launches"] += launches * launch
    parts["memory"] = parts.get("memory", 0.0) + 2 * program.copied / gpu.reached(2 * program.copied)
    parts["launches"] += (program.copies + 3 * program.decisions) * launch
    return sum(parts.values()), max(parts, key=parts.__getitem__)


def print_kernel(kernel: Kernel, made: ptxas.Kernel | None, gpu: Gpu) -> None:
    last = last_time(kernel, made, gpu)
    for launches, times in launches_of(kernel, made, gpu):
        parts = ", ".join(f"{key} {pretty(value)}" for key, value in times.items() if value)
        if last:
            parts += f", then the last block {pretty(last)}"
        print(f"    {kernel.name} {launches:g} times, {kernel.grid} x {kernel.block}: {parts}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("filters", nargs="*", help="families, names or parts of names")
    parser.add_argument("--kernels", action="store_true", help="also each kernel")
    parser.add_argument("--into", type=pathlib.Path, help="page to put the table into")
    settings = parser.parse_args()
    try:
        ptxas.find()
        has_assembler = True
    except ptxas.Absent as reason:
        print(f"{reason}. All kernels are taken to need 32 registers.")
        has_assembler = False
    found: list[tuple[float, str, str]] = []
    goals: dict[bool, list[str]] = {False: [], True: []}  # what the limit is bytes for: of memory, of the L2 cache
    seen, ratios = measured(), {}
    for program in choose(settings.filters, gpu=True):
        try:
            known = compiled(program)
            made = {
                each: ptxas.assemble(known.ptx(each), each) if known.ptx(each) and has_assembler else {}
                for each in MULTIPROCESSORS
            }
        except Exception as error:  # noqa: BLE001  a program that fails is a result, the others still count
            print(f"{program.name}: {type(error).__name__}: {str(error).splitlines()[0][:200]}", flush=True)
            continue
        work = counted(program)
        times = {name: program_time(known, made[gpu.architecture], gpu) for name, gpu in GPUS.items()}
        h100 = GPUS["H100"]
        limit, by = h100.seconds(work)
        if limit < h100.node:
            limit, by = h100.node, "one launch"
        seconds, why = times["H100"]
        cells = [program.name, f"{known.launches:g}", "yes" if not (known.reads or known.calls) else "no"]
        cells += [pretty(times[name][0]) for name in GPUS]
        caller = h100.caller(arrays_of(program))
        if program.name in seen and are_measured(known.plans):
            ratios[program.name] = seen[program.name] / max(seconds, caller)
        cells += [pretty(seen[program.name]) if program.name in seen else "", f"{pretty(limit)} ({by})"]
        cells += [
            f"{limit / seconds:.0%}",
            why + (", but the caller takes longer" if caller > max(seconds, LEAST) else ""),
        ]
        if by == "bytes":
            # Beside the launches, which nobody gets less of, as kernels reach it.
            rest = seconds - known.launches * h100.node
            goals[h100.latency_of(work.bytes) != h100.latency].append(
                f"{program.name} {limit / seconds:.0%} ({work.bytes / h100.reached(work.bytes) / rest:.0%})"
            )
        found.append((limit / seconds, program.name, f"| {' | '.join(cells)} |"))
        if settings.into is None:
            print(found[-1][2], flush=True)
        if settings.kernels:
            for kernel in known.kernels.values():
                if not kernel.is_for(h100.architecture):
                    continue
                print_kernel(kernel, made[h100.architecture].get(kernel.name), h100)
    far = ", ".join(f"{name} {share:.0%}" for share, name, _ in sorted(found)[:40])
    heading = (
        f"| program | launches | graph | {' | '.join(GPUS)} | H100, measured | least on H100 | share | most of it |\n"
    )
    heading += "|---|---|---|" + "---|" * (len(GPUS) + 4)
    fitted, others = ([ratios[name] for name in half if name in ratios] for half in halves(seen))
    accuracy = f"Measured times are these multiples of the estimates, of programs that take {pretty(LEAST)} or more "
    accuracy += "and whose kernels are those that were measured:\n"
    accuracy += "".join(
        f"\n- {which}: {summary(half)}" for which, half in (("fitted to", fitted), ("the others", others)) if half
    )
    off = sorted((name for name in ratios if seen[name] >= LEAST), key=lambda name: -abs(math.log(ratios[name])))
    accuracy += "\n\nFurthest off: " + ", ".join(f"{name} {ratios[name]:.2g}" for name in off[:12]) + "."
    accuracy += "\n\nOf programs whose limit is the bandwidth, share of it, launches included, and in brackets of what "
    accuracy += "kernels reach of it, without launches.\n"
    for is_kept, which in ((False, "More than the L2 cache keeps"), (True, "Less")):
        accuracy += f"\n- {which}: {', '.join(goals[is_kept])}." if goals[is_kept] else ""
    if settings.into is not None:
        page = settings.into.read_text()
        before, rest = page.split(BEGIN, 1)
        _, after = rest.split(END, 1)
        text = "\n".join([accuracy, "", f"Furthest from the limit: {far}.", "", heading, *(row for *_, row in found)])
        settings.into.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")
    print(f"\n{accuracy}\n\nfurthest from the limit: {far}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
