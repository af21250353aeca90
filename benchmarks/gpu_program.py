# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program has a GPU do, read from the stages of its compilation: kernels with their plans, their launches, what
they read and write. `gpu_kernels.py` and `gpu_model.py` make tables of it."""

from __future__ import annotations

import dataclasses
import math
import re

import ptxas
from gpu_peaks import GPUS
from gpu_work import Work, is_argument, read_of, work_of
from program import Program

import mlir_xla
from mlir_xla import _contexts, ir

TARGET = "cuda-emulated"
#: In place of the plan of a kernel that is a transform with elementwise code around it.
AROUND_A_TRANSFORM = "around a transform"
#: Bytes that an H100's L2 cache keeps (`gpu_peaks.py`).
KEPT = GPUS["H100"].l2 * GPUS["H100"].kept


@dataclasses.dataclass(frozen=True)
class Step:
    """A launch of a function of the device's library, as the compiler describes it (StepCost in
    lowering/gpu/DeviceLibrary.h), or of a loop that one block goes through."""

    grid: int
    is_double: bool
    read: int
    written: int
    asked: int
    products: int
    phases: int
    waits: int
    # Of a loop: instructions one after the other, and as in `Work`.
    chain: int = 0
    wavefronts: int = 0

    @property
    def bytes(self) -> int:
        return self.read + self.written


@dataclasses.dataclass
class Kernel:
    """A kernel as it is launched: `kind` and `plans` are those of the kernel of the schedule that it is a step of.
    `devices`: "sm_90a" or "others", if it is not for all. `steps`: how often it is launched as what, if it
    is one of the device's library. `last`: what its last block does when all have done the rest; of a plan of blocks
    with parts of k, the last block of each tile (`adds_in_last`)."""

    name: str
    kind: str
    plans: tuple[str, ...]
    function: str
    devices: str = ""
    grid: int = 1
    block: int = 1
    dynamic_shared: int = 0
    launches: float = 0.0
    work: Work = dataclasses.field(default_factory=Work)
    steps: dict[Step, float] = dataclasses.field(default_factory=dict)
    last: list[Kernel] = dataclasses.field(default_factory=list)
    adds_in_last: bool = False

    @property
    def threads(self) -> int:
        return self.grid * self.block

    def is_for(self, architecture: str) -> bool:
        return self.devices in ("", "sm_90a" if architecture == "sm_90a" else "others")

    @property
    def is_fast(self) -> bool:
        """Whether a plan for the GPU is what made it: vectors, teams of threads, blocks."""
        return any(re.search(r"\blanes\b|\bthreads\b|\bapart\b|#xla_rt\.(blocks|updates)", plan) for plan in self.plans)


@dataclasses.dataclass
class GpuProgram:
    """`copied`: bytes of copies within the device; `decisions`: times that the device decides; `reads`: times that the
    host waits for a value to decide by; `calls`: times that the host computes, on copies. All for one execution."""

    stages: dict[str, str]
    kernels: dict[str, Kernel]
    copied: float = 0.0
    copies: float = 0.0
    decisions: float = 0.0
    reads: float = 0.0
    calls: float = 0.0

    def ptx(self, architecture: str) -> str:
        """What a device of that architecture takes."""
        return ptxas.image(self.stages.get("binary", ""), architecture)

    @property
    def plans(self) -> list[str]:
        return [plan for kernel in self.kernels.values() for plan in kernel.plans]

    @property
    def launches(self) -> float:
        """Of kernels of the newest device; copies come in addition."""
        return sum(each.launches for each in self.kernels.values() if each.is_for("sm_90a"))


def compiled(program: Program) -> GpuProgram:
    """Compiles a program for GPUs and reads what came of it."""
    stages = dict(mlir_xla.compile(program.export(), target=TARGET).stages)
    found = GpuProgram(stages, {})
    with _contexts.new_context(), ir.Location.unknown():
        _Schedule(found, ir.Module.parse(stages["kernels"]), ir.Module.parse(stages["loops"]), program.turns).run()
    return found


def _name(op: ir.Operation) -> str:
    return ir.StringAttr(op.attributes["sym_name"]).value


class _Schedule:
    """Walks the host code of the stage `loops`."""

    def __init__(self, found: GpuProgram, kernels: ir.Module, loops: ir.Module, turns: int) -> None:
        self._found = found
        self._turns = turns  # of loops that end by their values
        self._modules = kernels, loops  # what follows is part of them
        self._kernels = {_name(op.operation): op.operation for op in kernels.body.operations}
        self._cold = _cold_of(self._kernels)
        self._functions = {
            _name(op.operation): op.operation
            for op in loops.body.operations
            if op.operation.name == "func.func" and op.operation.regions[0].blocks
        }
        kernels_of_device = {
            _name(kernel.operation): kernel.operation
            for op in loops.body.operations
            if op.operation.name == "gpu.module"
            for kernel in op.operation.regions[0].blocks[0].operations
            if kernel.operation.name == "gpu.func"
        }

        def marked(name: str) -> dict[str, ir.Attribute]:
            return {kernel: op.attributes[name] for kernel, op in kernels_of_device.items() if name in op.attributes}

        self._devices = {name: ir.StringAttr(each).value for name, each in marked("xla_rt.devices").items()}
        self._loops = {name: op for name, op in kernels_of_device.items() if re.fullmatch(r"loop(_\d+)?", name)}
        self._parts = {
            name: [ir.StringAttr(part).value for part in ir.ArrayAttr(each)]
            for name, each in marked("xla_rt.parts").items()
        }
        self._last = {name: ir.IntegerAttr(each).value for name, each in marked("xla_rt.last_parts").items()}
        self._phases = {name: ir.IntegerAttr(each).value for name, each in marked("xla_rt.part_phases").items()}
        self._adding = set(marked("xla_rt.adds_in_last"))
        self._unrolled = 1

    def run(self) -> None:
        self._region(self._functions["main"].regions[0], 1.0)

    def _region(self, region: ir.Region, times: float) -> None:
        for block in region.blocks:
            for op in block.operations:
                self._operation(op.operation, times)

    def _operation(self, op: ir.Operation, times: float) -> None:
        if op.name == "scf.while" and _asks_anew(op):  # after many iterations, all of them here
            self._region(op.regions[0], 2 * times)
            self._region(op.regions[1], times)
        elif op.name == "scf.while" and not _only_counts(op):
            turns = self._turns_of(op)
            self._region(op.regions[0], times * (turns + 1))
            self._region(op.regions[1], times * turns)
        elif op.name == "scf.for":
            begin, end, step = (_constant(each) for each in list(op.operands)[:3])
            known = None not in (begin, end, step)
            self._region(op.regions[0], times * (max(0, -(-(end - begin) // step)) if known else 1))
        elif op.name == "func.call":
            self._call(op, times)
        elif op.name == "gpu.launch_func":
            self._launch(op, times)
        else:
            for region in op.regions:  # of both branches, because nobody knows
                self._region(region, times)

    def _turns_of(self, loop: ir.Operation) -> int:
        known = _count_of(loop)
        return self._turns if known is None else known

    def _call(self, op: ir.Operation, times: float) -> None:
        callee = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
        if callee == "xla_rt_cuda_copy":
            self._found.copied += times * (_constant(op.operands[2]) or 0)
            self._found.copies += times
        elif callee == "xla_rt_cuda_fill":
            size, count = (_constant(each) or 0 for each in list(op.operands)[2:4])
            self._found.copied += times * size * count / 2
            self._found.copies += times
        elif callee == "xla_rt_cuda_read":
            self._found.reads += times
        elif callee == "xla_rt_cuda_begin_loop":
            self._unrolled = _constant(op.operands[1]) or 1
        elif callee == "xla_rt_cuda_repeat":
            self._found.decisions += times / self._unrolled
        elif callee == "xla_rt_cuda_begin_branches":
            self._found.decisions += times
        elif callee in ("xla_rt_cuda_call_library", "xla_rt_cuda_custom_call"):
            self._found.calls += times
        elif callee in self._functions:
            self._region(self._functions[callee].regions[0], times)

    def _launch(self, op: ir.Operation, times: float) -> None:
        name = str(op.attributes["kernel"]).rpartition("@")[2]
        if name in self._loops:
            self._loop(name, op, times)
            return
        segments = list(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"]))
        # Dependencies, grid, block, cluster, dynamic shared memory, arguments.
        sizes = [_constant(each) or 1 for each in list(op.operands)[segments[0] : segments[0] + 6]]
        dynamic = 0
        if segments[-3]:
            dynamic = _constant(op.operands[sum(segments[:-3])]) or 0
        parts = [self._part(part) for part in self._parts.get(name, [name])]
        count = len(parts) - self._last.get(name, 0)
        parts, last = parts[:count], parts[count:]
        first = parts[0]
        if name not in self._found.kernels:
            plans = tuple(dict.fromkeys(plan for part in parts for plan in part.plans))
            devices = self._devices.get(name, "")
            work = sum((part.work for part in parts), Work())
            work.phases = max(work.phases, self._phases.get(name, 0))
            self._found.kernels[name] = Kernel(name, first.kind, plans, first.function, devices, work=work)
            self._found.kernels[name].last = last
            self._found.kernels[name].adds_in_last = name in self._adding
        kernel = self._kernels.get(first.function)
        each = self._found.kernels[name]
        each.grid, each.block = math.prod(sizes[:3]), math.prod(sizes[3:])
        each.dynamic_shared = dynamic
        each.launches += times
        if "xla_rt.step" in op.attributes and kernel is not None:
            facts = {fact.name: ir.IntegerAttr(fact.attr).value for fact in ir.DictAttr(op.attributes["xla_rt.step"])}
            types = (*kernel.regions[0].blocks[0].arguments, *_returned(kernel))
            is_double = any("f64" in str(value.type) for value in types)
            step = Step(each.grid, is_double, **facts)
            each.steps[step] = each.steps.get(step, 0.0) + times

    def _part(self, name: str) -> Kernel:
        """A kernel of the device by its name, as that of the schedule which it belongs to says; or one that copies or
        fills as many bytes as its name has."""
        if moves := re.fullmatch(r"(copy|fill)_of_(\d+)(_\d+)?", name):
            count = float(moves[2])
            read = count if moves[1] == "copy" else 0.0
            return Kernel(name, "copy", (), name, work=Work(read=read, written=count, wavefronts=(read + count) / 128))
        function = name
        while function not in self._kernels and "_" in function:
            function = function.rpartition("_")[0]
        kernel = self._kernels.get(function)
        if kernel is None:
            return Kernel(name, "", (), function)
        kind, plans = "", ()
        if "xla_rt.kernel" in kernel.attributes:
            kind = re.sub(r"#xla_rt\.kernel<(\w+).*", r"\1", str(kernel.attributes["xla_rt.kernel"]))
            which = "xla_rt.plans_sm_90a" if self._devices.get(name) == "sm_90a" else "xla_rt.plans"
            which = which if which in kernel.attributes else "xla_rt.plans"
            if which in kernel.attributes:
                plans = tuple(map(str, ir.ArrayAttr(kernel.attributes[which])))
            if kind == "library" and any(op.name.startswith("linalg.") for op in _walk(kernel)):
                plans = (AROUND_A_TRANSFORM,)
        work = work_of(kernel, plans)
        splits = next((int(found[1]) for plan in plans if (found := re.search(r"\bsplit (\d+)", plan))), 1)
        if name.endswith("_fold"):
            work = Work(read=splits * work.written, written=work.written)
        else:
            work.written *= splits
            work.cold = min(work.read, self._cold.get(function, 0.0))
        return Kernel(name, kind, plans, function, work=work)

    def _loop(self, name: str, op: ir.Operation, times: float) -> None:
        """A block's way through a loop: one launch, and all that its kernels do."""
        facts = dict.fromkeys(("read", "written", "products", "phases", "waits", "chain", "wavefronts"), 0.0)

        def visit(op: ir.Operation, times: float) -> None:
            if op.name == "func.call":
                kernel = self._kernels.get(ir.FlatSymbolRefAttr(op.attributes["callee"]).value.removesuffix(".impl"))
                work = work_of(kernel, ()) if kernel is not None else Work()
                turning = times / rounds[-1]
                facts["read"] += turning * work.read
                facts["written"] += turning * work.written
                facts["products"] += turning * (sum(work.slots.values()) + sum(work.products.values()))
                # A thread, or a team, has an element, whose terms wait for their loads if it is a sum of products.
                threads = _threads(kernel) if kernel is not None else 1
                facts["chain"] += times * sum(work.slots.values()) / threads
                facts["waits"] += times * max(1, sum(work.products.values()) / threads)
                facts["wavefronts"] += turning * work.wavefronts
            elif op.name == "gpu.barrier":
                facts["phases"] += times
            turns = 1
            if op.name == "scf.while":
                turns = self._turns_of(op)
            elif op.name == "scf.for":
                end, step = (_constant(each) or 1 for each in list(op.operands)[1:3])
                turns = -(-end // step)
                rounds.append(rounds[-1] * turns)
            for number, region in enumerate(op.regions):
                more = op.name == "scf.while" and number == 0 and not _ends_with_condition(op)
                for inner in (inner for block in region.blocks for inner in block.operations):
                    visit(inner.operation, times * (turns + more))
            if op.name == "scf.for":
                rounds.pop()

        rounds = [1.0]  # of the blocks of a kernel that the block does one after the other
        visit(self._loops[name], times)
        sizes = [_constant(each) or 1 for each in list(op.operands)[:6]]
        kernel = Kernel(name, "loop", (), name, grid=1, block=sizes[3], launches=times)
        step = Step(1, is_double=False, asked=0, **{fact: int(value) for fact, value in facts.items()})
        kernel.steps[step] = times
        self._found.kernels[name] = kernel


def _cold_of(kernels: dict[str, ir.Operation]) -> dict[str, float]:
    """Bytes that a call of each kernel reads of the program's arguments and constants, in the mean: if these are
    together more than the L2 cache keeps, none of them is there when an execution begins."""
    given: dict[str, list[float]] = {}
    together = 0.0
    for op in _walk(kernels["main"]):
        if op.name != "func.call":
            continue
        name = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
        blocks = list(kernels[name].regions[0].blocks)
        arguments = blocks[0].arguments if blocks else []
        read = sum(read_of(inner) for outer, inner in zip(op.operands, arguments, strict=False) if is_argument(outer))
        given.setdefault(name, []).append(read)
        together += read
    return {name: sum(sizes) / len(sizes) for name, sizes in given.items()} if together > KEPT else {}


def _only_counts(loop: ir.Operation) -> bool:
    """Whether the host goes through a loop for what it computes itself: the device has gone through it."""
    return not any(
        op.name == "gpu.launch_func" or (op.name == "func.call" and "xla_rt_poll" not in str(op.attributes["callee"]))
        for op in _walk(loop)
    ) and any(op.name == "func.func" for op in _parents(loop))


def _asks_anew(loop: ir.Operation) -> bool:
    """Whether a loop launches nothing but a kernel that goes through many iterations, until a predicate ends them."""
    asks, does = ([op.operation.name for op in region.blocks[0].operations] for region in loop.regions)
    return asks == ["func.call", "arith.trunci", "scf.condition"] and does == ["gpu.launch_func", "scf.yield"]


def _count_of(loop: ir.Operation) -> int | None:
    """How often a loop turns each time that it is reached: it counts from a number to another by one, or what it asks
    whether it goes on has been told before; nothing if a value ends it."""
    condition = list(loop.regions[0].blocks[0].operations)[-1].operands[0]
    while _is(condition, "arith.trunci") or _is(condition, "arith.extui"):
        condition = condition.owner.operands[0]
    if _is(condition, "arith.cmpi"):
        counter, limit = condition.owner.operands
        if isinstance(counter.owner, ir.Block):
            begin, end = _constant(loop.operands[ir.BlockArgument(counter).arg_number]), _constant(limit)
            return None if begin is None or end is None else max(0, end - begin)
        told = _before(loop, "llvm.store") if _is(counter, "llvm.load") else None
    else:
        told = _before(loop, "func.call") if _is(condition, "func.call") else None
        told = told if told and "xla_rt_cuda_begin_loop" in str(told.attributes["callee"]) else None
    count = told and _constant(told.operands[0])
    return None if count is None or count < 0 else count


def _is(value: ir.Value, name: str) -> bool:
    return not isinstance(value.owner, ir.Block) and value.owner.name == name


def _before(op: ir.Operation, name: str) -> ir.Operation | None:
    """The last one of that name before an operation, in its block."""
    found = None
    for other in op.block.operations:
        if other.operation == op:
            return found
        if other.operation.name == name:
            found = other.operation
    return None


def _ends_with_condition(loop: ir.Operation) -> bool:
    """Whether all that a loop does comes before its condition."""
    return len(list(loop.regions[1].blocks[0].operations)) == 1


def _parents(op: ir.Operation):
    while op is not None:
        yield op
        op = op.parent


def _returned(kernel: ir.Operation) -> list[ir.Value]:
    return list(list(kernel.regions[0].blocks[0].operations)[-1].operation.operands)


def _threads(kernel: ir.Operation) -> int:
    """How many a kernel could have: one, or a team, for each element of a result."""
    types = [ir.RankedTensorType(each.type) for each in _returned(kernel) if isinstance(each.type, ir.RankedTensorType)]
    team = (
        re.search(r"\bthreads (?:d\d+ )?(\d+)", str(kernel.attributes["xla_rt.plans"]))
        if "xla_rt.plans" in kernel.attributes
        else None
    )
    return max((math.prod(each.shape) for each in types), default=1) * (int(team[1]) if team else 1)


def _walk(op: ir.Operation):
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation
                yield from _walk(inner.operation)


def _constant(value: ir.Value) -> int | None:
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.operation.name != "arith.constant":
        return None
    return ir.IntegerAttr(owner.operation.attributes["value"]).value
