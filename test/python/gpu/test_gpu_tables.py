# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tables about kernels for GPUs are computed from: launches, plans, occupancy."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))

import gpu_accuracy
import gpu_fit
import gpu_launches
import gpu_model
import jax.numpy as jnp
import ptxas
import sass
import xla_launches
from gpu_peaks import GPUS, MULTIPROCESSORS
from gpu_program import AROUND_A_TRANSFORM, GpuProgram, Kernel, Step, compiled
from gpu_work import Work
from jax import lax
from program import Program, spec
from programs import PROGRAMS
from work import arrays_of, turns_of


@pytest.mark.parametrize(
    ("architecture", "block", "registers", "shared", "share"),
    [
        ("sm_80", 128, 32, 0, 1.0),
        ("sm_80", 32, 16, 0, 0.5),  # 32 blocks
        ("sm_80", 256, 64, 0, 0.5),
        ("sm_80", 128, 255, 0, 0.125),
        ("sm_90a", 128, 40, 0, 0.75),
        ("sm_90a", 1024, 33, 0, 0.5),  # two blocks would take 66,560 registers
        ("sm_80", 256, 32, 48 << 10, 0.375),  # three blocks of 49 KiB in 164
        ("sm_90a", 256, 32, 48 << 10, 0.5),  # four in 228
        ("sm_90a", 384, 168, 200 << 10, 0.1875),
    ],
)
def test_occupancy(architecture, block, registers, shared, share):
    assert MULTIPROCESSORS[architecture].occupancy(block, registers, shared) == share


def test_kernels_of_a_program():
    [kernel] = compiled(PROGRAMS["softmax"]).kernels.values()
    assert (kernel.kind, kernel.launches, kernel.is_fast) == ("rows", 1, True)
    assert kernel.plans and kernel.grid * kernel.block >= 2048
    [kernel] = compiled(PROGRAMS["dot_8"]).kernels.values()
    assert kernel.kind == "contraction" and not kernel.is_fast


def test_transforms_with_something_around_them():
    """They are no plan's, and were not measured."""
    scaled = Program("scaled", "test", lambda x: jnp.fft.rfft(2 * x), (spec("4x64xf32"),))
    [kernel] = compiled(scaled).kernels.values()
    assert (kernel.kind, kernel.plans, kernel.is_fast) == ("library", (AROUND_A_TRANSFORM,), False)
    [kernel] = compiled(PROGRAMS["rfft_256"]).kernels.values()
    assert not kernel.plans


def test_launches_of_loops():
    """A loop of 128 turns launches its kernels so often, and nothing counts on the device or asks it. One for each
    element is a kernel, whose instructions wait for those of the turn before."""
    found = compiled(PROGRAMS["rnn_while"])
    assert [each.launches for each in found.kernels.values()] == [1, 128]
    assert found.launches == 129 and found.reads == 0
    [kernel] = compiled(PROGRAMS["mandelbrot"]).kernels.values()
    assert kernel.launches == 1 and kernel.work.serial >= 50 * 10
    assert kernel.work.slots["f32"] == 512 * 512 * kernel.work.serial


@pytest.mark.parametrize(
    ("inner", "launches"),
    [
        (lambda a: lambda _, x: jnp.tanh(a @ x), 5 * 7 + 5),
        (lambda _: lambda _, x: jnp.cos(x), 5),  # which is within a kernel
    ],
    ids=["of kernels", "within a kernel"],
)
def test_loops_in_loops(inner, launches):
    """Each turns as often as it says, whatever becomes of others."""

    def function(a, x):
        return lax.fori_loop(0, 5, lambda _, x: lax.fori_loop(0, 7, inner(a), jnp.tanh(a @ x)), x)

    large, small = (
        compiled(Program("nested", "test", function, (spec(size), spec(size)))) for size in ("1024x1024xf32", "8x8xf32")
    )
    [step] = small.kernels["loop"].steps
    assert large.launches == launches
    assert small.launches == 1 and step.phases == launches


def test_loops_that_values_end():
    """Those turn as often as the program says, and what is in them has its own number."""

    def function(a, x):
        again = lambda x: lax.fori_loop(0, 7, lambda _, x: jnp.tanh(a @ x), x)  # noqa: E731
        return lax.while_loop(lambda x: x.sum() < 1e9, again, x)

    specs = spec("1024x1024xf32"), spec("1024x1024xf32")
    found = compiled(Program("ended", "test", function, specs, turns=11))
    assert sorted(each.launches for each in found.kernels.values()) == [12, 77] and found.reads == 12


def test_work_of_kernels():
    """What is read and written, also where it is a part of an operand; products; what threads load."""
    [kernel] = compiled(PROGRAMS["add_4m"]).kernels.values()
    assert (kernel.work.read, kernel.work.written, kernel.work.slots) == (32 << 20, 16 << 20, {"f32": 4 << 20})
    assert kernel.work.wavefronts == (48 << 20) / 128
    [kernel] = compiled(PROGRAMS["matmul_2048"]).kernels.values()
    assert (kernel.work.read, kernel.work.products) == (2 * 4 * 2048**2, {"f32": 2048**3}) and not kernel.work.slots
    # A row of 1024 bytes and the counter in each turn of a loop that one block goes through.
    [kernel] = compiled(PROGRAMS["update_slices"]).kernels.values()
    [(step, launches)] = kernel.steps.items()
    assert (launches, step.written, step.waits) == (1, 2048 * (1024 + 4), 2048 * 2)
    assert 2048 * 1024 <= step.read < 2048 * 4096


def test_work_that_is_known_beforehand():
    """A rotation by a constant is one instruction, without the comparisons of its length; a padded element is read
    where it is. Twenty rounds of a sum, a rotation and a difference, and keys."""
    [kernel] = compiled(PROGRAMS["threefry_4m"]).kernels.values()
    assert 60 <= kernel.work.slots["f32"] / 4194304 <= 120
    [kernel] = compiled(PROGRAMS["pad"]).kernels.values()
    assert kernel.work.read == 4 * 2048 * 2048


def test_work_at_places_that_are_data():
    """What is computed of a row and read at one place is computed, and read, there alone."""
    function = lambda x, i: jnp.exp(x.astype(jnp.float32))[jnp.arange(64), i].sum()  # noqa: E731
    program = Program("picked", "test", function, (spec("64x4096xbf16"), spec("64xi32", 0, 4096)))
    kernels = compiled(program).kernels.values()
    assert sum(kernel.work.read for kernel in kernels) < 4096
    assert sum(kernel.work.slots["f32"] for kernel in kernels) < 64 * 100


def test_waits_of_scatters():
    """Two for places that are distinct; of ordered ones eight at a time, by the first thread of a place; tables and
    owners in turns of a block."""

    def last(name):
        return list(compiled(PROGRAMS[name]).kernels.values())[-1].work

    assert last("scatter_rows_unique").waits == 2
    # 40 updates for each of 5000 places, four threads for 16 columns.
    assert (last("segment_sum_sorted_16").waits, last("segment_sum_sorted_16").group) == (2 + 5, 160)
    assert last("bincount").waits == 17 and last("embedding_gradient").waits == 3 * 4


def test_turns_and_arrays():
    """Turns that values end are the program's to say."""
    assert turns_of(PROGRAMS["ode_adaptive"]) == [443] and turns_of(PROGRAMS["rnn_while"]) == [128]
    assert arrays_of(PROGRAMS["adam_50"]) == 351
    steps = {name: step for name in ("heat", "rnn_small") for step in compiled(PROGRAMS[name]).kernels["loop"].steps}
    assert steps["heat"].wavefronts > steps["heat"].bytes / 128  # five loads of each cell
    assert steps["rnn_small"].waits == 2 * 256  # a team adds up


PLANS = {
    "threads": "#xla_rt.nest<4096x4096x4096, work d0, d1, reduce d2>",
    "scalar": "#xla_rt.blocks<4096x4096x4096, m d0 128, n d1 128, k d2 16, register 8x8>",
    "mma": "#xla_rt.blocks<4096x4096x4096, m d0 128, n d1 128, k d2 32, register 64x32, instruction mma, stages 3>",
}


def test_times_of_products():
    """By the plan alone: tiles save accesses, tensor cores instructions; no time is below the peak's."""
    size, gpu = 4096, GPUS["H100"]
    times = {}
    for name, plan in PLANS.items():
        work = Work(read=4.0 * size**2, written=2.0 * size**2, wavefronts=2 * size**3 / 32)
        work.products["bf16"] = size**3
        kernel = Kernel("k", "contraction", (plan,), "k", grid=1024, block=256, work=work)
        each = gpu_model.kernel_times(kernel, None, gpu)
        times[name] = max(each.values())
        peak = gpu.peaks["bf16" if name == "mma" else "f32"]
        assert times[name] >= 2 * size**3 / peak
        assert bool(each["tensor cores"]) == (name == "mma")
    assert times["threads"] > 2 * times["scalar"] > 4 * times["mma"]


def test_few_threads_take_long():
    """A thread that adds up a million numbers alone, and many that do it together."""

    def seconds(grid, block):
        kernel = Kernel("k", "reduction", (), "k", grid=grid, block=block, work=Work(read=4e6, slots={"f32": 1e6}))
        kernel.work.slots["f64"] = 0
        return max(gpu_model.kernel_times(kernel, None, GPUS["A100"]).values())

    assert seconds(1, 32) > 20 * seconds(1024, 128)


def test_blocks_that_follow_others():
    """Sixteen blocks of 128 threads are on a multiprocessor; others begin, and wait, when they have ended."""
    gpu = GPUS["H100"]

    def seconds(grid, waits=1):
        work = Work(read=4.0, written=4.0, waits=waits)
        return gpu_model.kernel_times(Kernel("k", "", (), "k", grid=grid, block=128, work=work), None, gpu)["waits"]

    full = 16 * gpu.multiprocessors
    assert seconds(1) == seconds(full) == pytest.approx(0)
    assert seconds(3 * full) == pytest.approx(2 * (gpu.start + gpu.latency))
    assert seconds(full, waits=4) == pytest.approx(3 * gpu.latency)


def test_phases_share_memory():
    """Two blocks of a multiprocessor exchange twice as much in a phase as one, if threads exchange anything."""
    gpu = GPUS["H100"]

    def clocks(grid, shared):
        step = Step(grid, False, read=1, written=1, asked=64, products=0, phases=10, waits=1)
        kernel = Kernel("k", "library", (), "k", grid=grid, block=256)
        made = ptxas.Kernel("k", registers=32, stack=0, spill_stores=0, spill_loads=0, shared=shared, barriers=1)
        return gpu_model.step_times(step, kernel, made, gpu)["phases"] * gpu.clock / 10

    assert clocks(132, 1024) == pytest.approx(gpu.phase + 256) and clocks(264, 1024) == pytest.approx(gpu.phase + 512)
    assert clocks(264, 0) == pytest.approx(gpu.phase)


TILES = "#xla_rt.nest<4194304, lanes d0 4x1, ordered d0, cut d0 4096, threads d0 256, aligned>"


def test_times_of_tiles():
    """Blocks of a scan wait for those before them in each round, for four words at a time; others do not."""
    gpu = GPUS["H100"]

    def seconds(plan, grid):
        return gpu_model.tiles_time(Kernel("k", "scan", (plan,), "k", grid=grid, block=256), None, gpu)

    full = 8 * gpu.multiprocessors
    assert seconds(TILES, 100) == pytest.approx(3 * gpu.shared_latency)
    assert seconds(TILES, 2 * full) == pytest.approx(2 * 5 * gpu.shared_latency)
    assert seconds("#xla_rt.nest<64x4096, work d0, ordered d1, threads d1 256>", 64) == 0


def test_clusters_of_four():
    """They bring fewer columns, and leave four multiprocessors of an H100 idle: 132 blocks are two rounds."""
    gpu, plan = GPUS["H100"], "#xla_rt.blocks<{0}x256x4096, m d0 128, n d1 256, k d2 64, register 64x256, {1}>"

    def seconds(cluster, grid):
        work = Work(read=1e9, written=1e6)
        work.products["bf16"] = grid * 128 * 256 * 4096
        text = plan.format(grid * 128, f"instruction wgmma, stages 4, cluster {cluster}")
        kernel = Kernel("k", "contraction", (text,), "k", grid=grid, block=384, work=work, dynamic_shared=200 << 10)
        return gpu_model.kernel_times(kernel, None, gpu)

    assert seconds(4, 128)["L2"] < 0.85 * seconds(2, 128)["L2"]
    assert seconds(4, 132)["tensor cores"] > 1.8 * seconds(2, 132)["tensor cores"]


def test_accuracy():
    """Every other program from 20 us on; ratios of both sides count."""
    times = {"a": 1e-6, "b": 3e-5, "c": 4e-5, "d": 5e-5}
    assert gpu_accuracy.halves(times) == (["b", "d"], ["c"])
    assert gpu_accuracy.summary([0.4, 0.6, 1.0, 1.4, 3.0]).startswith(
        "1.00 in the median of 5, 2 within a factor of 1.5"
    )
    assert set(gpu_accuracy.measured()) <= set(PROGRAMS)
    plans = [
        "#xla_rt.nest<8x8, lanes d1 4x1, work d0, cut d1 4, aligned>",
        "#xla_rt.nest<9x8, jam d1 4, apart, work d0>",
    ]
    assert gpu_accuracy.are_measured(plans[:1]) and not gpu_accuracy.are_measured(plans)
    assert not gpu_accuracy.are_measured([TILES])
    assert not gpu_accuracy.are_measured([AROUND_A_TRANSFORM])
    rows = "#xla_rt.nest<8x64, lanes d1 4x1, work d0, {}threads d1 32, aligned>"
    assert gpu_accuracy.are_measured([rows.format("ordered d1, ")]) and not gpu_accuracy.are_measured([rows.format("")])


def test_fit():
    """It finds the parameters that times were made of, and keeps shares below one."""
    aim = {"node": 3e-6, "reachable": 1.0}
    found = gpu_fit.fit(GPUS["H100"], lambda gpu: sum(abs(getattr(gpu, name) / aim[name] - 1) for name in aim))
    assert all(getattr(found, name) == pytest.approx(aim[name], rel=0.03) for name in aim)


def test_times_of_last_blocks():
    """What it reads at one multiprocessor's share of the cache; parts of products in turns, if tiles are many."""
    gpu = GPUS["H100"]
    [columns] = compiled(PROGRAMS["reduce_columns"]).kernels.values()
    assert columns.grid == 256 and [each.name for each in columns.last] == ["reduction_1"]
    assert columns.last[0].work.read == 8 * 4096 and columns.work.written == 8 * 4096
    assert 0.5e-6 < gpu_model.last_time(columns, None, gpu) < 2e-6
    plan = "#xla_rt.blocks<4096x4096x4096, m d0 128, n d1 128, k d2 16, register 8x8, split {}>"

    def seconds(tiles, split):
        work = Work(written=4.0 * 128 * 128 * tiles * split)
        kernel = Kernel("k", "contraction", (plan.format(split),), "k", grid=tiles * split, block=256, work=work)
        kernel.adds_in_last = True
        return gpu_model.last_time(kernel, None, gpu)

    assert seconds(1, 2) == seconds(132, 2) < seconds(133, 2) and seconds(1, 2) < seconds(1, 4)
    assert gpu_model.last_time(Kernel("k", "reduction", (), "k"), None, gpu) == 0


#: As XLA prints its thunks: a loop of three turns with one in it whose turns nobody knows, and what comes behind.
THUNKS = """\
001: kCopy         [source       | next=002 (1)] kCopy
002: kWhile        [prev=001 (1) | next=011 (1)]
condition:
    003: kCustomKernel [source | sink] loop_compare_fusion grid: [1, 1, 1] threads: [1, 1, 1]
  body:
    004: kWhile        [source | next=009 (1)]
    condition:
        005: kCustomKernel [source | sink] loop_compare_fusion grid: [1, 1, 1] threads: [1, 1, 1]
      body:
        012: kAsyncStart [source | next=008 (2)] stream=computation_stream[0], async_id=12
            006: kDynamicSliceFusion [source | sink] params=1, results=1
                007: kCopy [source | sink] kCopy
        013: kAsyncDone [source | sink] async_id=12
        008: kCustomKernel [source | sink] loop_add_fusion grid: [1, 1, 1] threads: [1, 1, 1]
    009: kCustomKernel [source | next=010 (1)] loop_tanh_fusion grid: [32, 1, 1] threads: [128, 1, 1]
    010: kFft          [source | sink] type=FFT
011: kConvolution  [prev=002 (1) | sink        ] kConvolution
"""
HLO = """\
%inner_body (p: (s32[])) -> (s32[]) {
  ROOT %t.1 = (s32[]) tuple(%add)
}

%outer_body (p.1: (s32[])) -> (s32[]) {
  ROOT %while.1 = (s32[]) while(%p.1), condition=%inner_condition, body=%inner_body, metadata={op_name="while"}
}

%inner_condition (p.2: (s32[])) -> pred[] {
  ROOT %c = pred[] compare(%a, %b), direction=LT
}

ENTRY %main.2 (x: s32[]) -> (s32[]) {
  %while.2 = (s32[]) while(%t), condition=%c.1, body=%outer_body, backend_config={"known_trip_count":{"n":"3"}}
  ROOT %while.3 = (s32[]) while(%while.2), condition=%inner_condition, body=%inner_body, backend_config={}
}
"""


def test_launches_of_xla():
    """A loop that counts computes no condition; for another, the host reads that once more than it turns."""
    assert xla_launches.trip_counts(HLO) == [3, None, None]
    found = xla_launches.launches(THUNKS, [3, None], [5])
    outer, inner = 3, 5
    conditions = 2 * outer * (inner + 1)  # computed, and copied
    assert found == {"launches": 1 + conditions + outer * inner * 2 + outer, "calls": outer + 1}
    assert xla_launches.launches(THUNKS, [3, 5]) == {"launches": 1 + outer * inner * 2 + outer, "calls": outer + 1}


def test_launches_are_kernels_and_copies():
    """Of a scatter: what deals index vectors to owners of places, with the updates and the copy of the operand, and the
    owners."""
    found = compiled(PROGRAMS["scatter_set"])
    assert gpu_launches.launches(found) == 2
    first = found.kernels["elementwise_0_and_2_more"]
    assert first.name == "elementwise_0_and_2_more" and first.work.read == 4 * (262144 + 1 + 65536)
    assert first.work.phases > 0 and found.kernels["scatter_2"].work.phases > 0
    assert gpu_launches.launches(GpuProgram({}, found.kernels, copies=2.0, decisions=1.0)) == 5
    said = gpu_launches.summary([("a", 1, 2), ("b", 2, 2), ("c", 3, 2), ("d", 9, 5)], lambda name: name == "d")
    assert said.startswith("Of 3 programs 1 have fewer launches than XLA's, 1 as many and 1 more: c 3 (2).")
    assert said.endswith("With sorts, where XLA's are not those that it has on a GPU: d 9 (5).")


def loop(*instructions: str) -> list[str]:
    """As the disassembler prints them."""
    return [f"        /*{16 * i:04x}*/                   {each} ;" for i, each in enumerate(instructions)]


def test_inner_loops():
    """The shortest loop with products counts, without loads that are never executed."""
    products = ["HMMA.16816.F32.BF16 R4, R8, R12, R4"] * 8
    body = [".L_x_1:", *loop("LDSM.16.M88.4 R8, [R2]", "@!PT LDS RZ, [RZ]", "@P0 LDS.128 R12, [R3]", *products)]
    text = [".L_x_0:", *loop("LDS R1, [R2]"), *body, *loop("@P0 BRA `(.L_x_1)", "LDS R1, [R2]", "@P1 BRA `(.L_x_0)")]
    assert sass.inner_loop(text) == sass.Loop(8, 0, 2) and str(sass.inner_loop(text)) == "4.0"
    assert sass.inner_loop(text[:-3]) is None and sass.inner_loop(loop("HMMA.16816.F32 R4, R8, R12, R4")) is None
    stage = [".L_x_0:", *loop(*["HGMMA.64x256x16.F32.BF16 R24, gdesc[UR4], R24"] * 4, "@!P1 BRA `(.L_x_0)")]
    assert str(sass.inner_loop(stage)) == "4 a stage"


try:
    sass.find()
    ABSENT = ""
except ptxas.Absent as absent:
    ABSENT = str(absent)


@pytest.mark.skipif(bool(ABSENT), reason=ABSENT)
def test_inner_loops_of_a_program():
    """Warps read 32 rows and 32 columns in four loads for eight products; warpgroups read shared memory themselves."""
    program = compiled(PROGRAMS["matmul_bf16_1024"])
    assert str(sass.inner_loops(program.ptx("sm_80"), "sm_80")["contraction_0"]) == "2.0"
    [stage] = sass.inner_loops(program.ptx("sm_90a"), "sm_90a").values()
    assert (stage.warps, stage.warpgroups, stage.loads) == (0, 4, 0)
