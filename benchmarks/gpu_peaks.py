# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What GPUs can do at most, as published.

- Peaks and bandwidths: NVIDIA's data sheets "NVIDIA A100 Tensor Core GPU" (80 GB, SXM), "NVIDIA H100 Tensor Core GPU"
  (SXM) and "NVIDIA H200 Tensor Core GPU"; those of tensor cores without sparsity, which is half of what the two latter
  print.
- Multiprocessors, clocks, caches, 5,120 bytes from L2 in a clock: white papers "NVIDIA A100 Tensor Core GPU
  Architecture" and "NVIDIA H100 Tensor Core GPU Architecture". That of H100 has no figure for L2, and A100's is taken.
- Limits of a multiprocessor, instructions in a clock: CUDA C++ programming guide, "Technical Specifications per Compute
  Capability" and "Arithmetic Instructions".

What no data sheet has is marked as an assumption below.
"""

from __future__ import annotations

import dataclasses

from measure import Sampler
from work import Work


@dataclasses.dataclass(frozen=True)
class Multiprocessor:
    """What a multiprocessor has for the blocks that it runs."""

    registers: int = 65536
    warps: int = 64
    blocks: int = 32
    shared: int = 164 << 10
    #: Registers are given to a warp in such portions, shared memory to a block; the system takes some of each block's.
    register_unit: int = 256
    shared_unit: int = 128
    shared_reserved: int = 1024

    def blocks_at_once(self, block: int, registers: int, shared: int) -> int:
        """How many blocks of so many threads, which take so many registers of each and bytes of shared memory, run
        at the same time."""
        warps = -(-block // 32)
        of_warp = -(-registers * 32 // self.register_unit) * self.register_unit
        # Each of four schedulers has a quarter of the registers.
        by_registers = self.registers // 4 // of_warp * 4 // warps
        of_block = -(-(shared + self.shared_reserved) // self.shared_unit) * self.shared_unit
        return min(self.blocks, self.warps // warps, by_registers, self.shared // of_block)

    def occupancy(self, block: int, registers: int, shared: int) -> float:
        """The share of the warps that can be there which are there, given blocks enough."""
        return self.blocks_at_once(block, registers, shared) * -(-block // 32) / self.warps


MULTIPROCESSORS = {"sm_80": Multiprocessor(), "sm_90a": Multiprocessor(shared=228 << 10)}


@dataclasses.dataclass(frozen=True)
class Gpu:
    """`peaks` in operations per second, a multiply-add being two: of tensor cores where there are any for the type
    ("bf16", "i8", "tf32", "f64"), "f32" and "f64 fma" of the others. `bandwidth` in bytes per second."""

    name: str
    architecture: str
    multiprocessors: int
    clock: float
    bandwidth: float
    l2: int
    peaks: dict[str, float]
    l2_bytes_per_clock: int = 5120
    #: Fitted to half of the programs that were measured on an H100 (`gpu_fit.py`), and taken for all. Of the bandwidths
    #: of memory and of the L2 cache, what kernels reach.
    reachable: float = 0.73
    l2_reachable: float = 0.56
    #: Seconds from the end of a kernel in a graph to that of the next one, if that does next to nothing: its launch,
    #: the lives of its first blocks. Of a block whose threads load once: its start, and until a load is there and the
    #: result is stored while all multiprocessors ask.
    node: float = 2.1e-6
    start: float = 600e-9
    latency: float = 900e-9
    #: Clocks of a phase of a block: a load from shared memory, a few instructions that wait for each other, a barrier.
    #: In a loop that one block goes through, until a kernel's load of what has just been written is there.
    phase: float = 75
    turn_wait: float = 150
    #: Measured there. Of multiply-adds that could be issued, how many are, in large f32 products (`ncu`: units asked
    #: in 70 % of the clocks, of eight instructions one is none); other instructions are taken to be no better. Seconds
    #: of a caller for a call that nobody waits for, of the smallest programs, and for each array that it hands over or
    #: gets, of `adam_50`, which has 351.
    issue: float = 0.6
    call: float = 10e-6
    array: float = 0.93e-6
    #: Assumptions. Seconds of a launch that is not part of a graph, and for a value that the host waits for.
    launch: float = 2.5e-6
    read: float = 10e-6
    #: Until a load from the L2 cache is there where all multiprocessors ask: half as much again as the 260 clocks of
    #: one (Chips and Cheese on the H100). Clocks of a barrier, and until the result of an instruction can be used.
    shared_latency: float = 300e-9
    barrier: int = 30
    instruction: int = 4
    #: Of the L2 cache, how much stays there from one execution to the next: 33 of 50 MB do on an H100, 48 do not.
    kept: float = 0.75

    @property
    def sm(self) -> Multiprocessor:
        return MULTIPROCESSORS[self.architecture]

    def bandwidth_of(self, size: float) -> float:
        """What holds for so many bytes: few are in the L2 cache since the last execution."""
        return self.l2_bandwidth if self._is_kept(size) else self.bandwidth

    def reached(self, size: float) -> float:
        """The same, as kernels reach it."""
        return self.bandwidth_of(size) * (self.l2_reachable if self._is_kept(size) else self.reachable)

    def latency_of(self, size: float) -> float:
        """Seconds until a load of some of so many bytes is there, from where `bandwidth_of` has them."""
        return self.shared_latency if self._is_kept(size) else self.latency

    def _is_kept(self, size: float) -> bool:
        return size < self.l2 * self.kept

    @property
    def l2_bandwidth(self) -> float:
        return self.l2_bytes_per_clock * self.clock

    def caller(self, arrays: int) -> float:
        """Seconds of the host for a call with so many arguments and results."""
        return self.call + self.array * arrays

    def handover(self) -> None:
        """What `limits.Limits` measures of a CPU's cores, which run nothing here."""

    def arithmetic(self, work: Work) -> float:
        """The least seconds for the work's operations."""
        return sum(count / self.peaks[each] for each, count in work.flops.items())

    def memory(self, work: Work) -> Sampler:
        """The least seconds for the work's bytes, as often as somebody asks: published figures stay what they are."""
        return lambda _: work.bytes / self.bandwidth_of(work.bytes)

    def seconds(self, work: Work) -> tuple[float, str]:
        """The least time for that work, and what takes it: "flops" or "bytes"."""
        return max((self.arithmetic(work), "flops"), (self.memory(work)(1), "bytes"))

    def __str__(self) -> str:
        """One line."""
        peaks = ", ".join(f"{name} {each / 1e12:.0f}" for name, each in self.peaks.items())
        return f"limits of {self.name} as published: {peaks} TF/s; memory {self.bandwidth / 1e12:.2f} TB/s"


_H100 = {"bf16": 989.4e12, "i8": 1978.9e12, "tf32": 494.7e12, "f64": 66.9e12, "f32": 66.9e12, "f64 fma": 33.5e12}
GPUS = {
    "A100": Gpu(
        "A100",
        "sm_80",
        108,
        1.41e9,
        2.039e12,
        40 << 20,
        {"bf16": 312e12, "i8": 624e12, "tf32": 156e12, "f64": 19.5e12, "f32": 19.5e12, "f64 fma": 9.7e12},
    ),
    "H100": Gpu("H100", "sm_90a", 132, 1.98e9, 3.35e12, 50 << 20, _H100),
    "H200": Gpu("H200", "sm_90a", 132, 1.98e9, 4.8e12, 50 << 20, _H100),
}


def named(device: str) -> Gpu | None:
    """Of a device as its driver calls it, "NVIDIA H100 80GB HBM3"; none if nothing is known of it."""
    return next((gpu for name, gpu in GPUS.items() if name in device), None)
