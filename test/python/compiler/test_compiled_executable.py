# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The native Executable: arguments it takes, errors it raises, threads."""

import os
import threading

import ml_dtypes
import numpy as np
import pytest

from mlir_xla import ir
from mlir_xla._mlir_libs._xla import compiler

ADD = """
func.func @main(%x: tensor<16xf32>, %y: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xi1>) {
  %0 = xla.add %x, %y : tensor<16xf32>
  %1 = xla.compare LT, %x, %y : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xi1>
  return %0, %1 : tensor<16xf32>, tensor<16xi1>
}
"""


def compiled(text, **options):
    with ir.Context():
        return compiler.compile(ir.Module.parse(text).operation, **options)


@pytest.fixture(scope="module")
def add():
    return compiled(ADD)


def test_runs(add):
    x, y = np.arange(16, dtype=np.float32), np.full(16, 7, np.float32)
    total, less = add.run([x, y])
    np.testing.assert_array_equal(total, x + y)
    np.testing.assert_array_equal(less, x < y)
    assert total.dtype == np.float32 and less.dtype == np.bool_


def test_types(add):
    assert add.argument_types == [("f32", (16,), np.dtype(np.float32))] * 2
    assert add.result_types[1] == ("i1", (16,), np.dtype(np.bool_))


def test_strided_and_unaligned_arguments_are_copied(add):
    strided = np.arange(32, dtype=np.float32)[::2]
    unaligned = np.zeros(65, np.uint8)[1:].view(np.float32)
    np.testing.assert_array_equal(add.run([strided, unaligned])[0], strided)


def test_results_do_not_change_later(add):
    x, y = np.zeros(16, np.float32), np.ones(16, np.float32)
    first = add.run([x, y])[0]
    add.run([y, y])
    np.testing.assert_array_equal(first, y)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "takes 2 arguments, got 0"),
        ([np.zeros(16, np.float64), 0], "argument 0: expected a float32 array of shape \\(16,\\), got a float64 array"),
        ([np.zeros(16, np.float32), np.zeros(15, np.float32)], "argument 1: .* got a float32 array of shape \\(15,\\)"),
        ([np.zeros(16, np.float32), 1.0], "argument 1: .* got a float$"),
    ],
)
def test_wrong_arguments(add, arguments, message):
    with pytest.raises(TypeError, match=message):
        add.run(arguments)


def test_execute_takes_addresses(add):
    x, y = np.ones(16, np.float32), np.ones(16, np.float32)
    total, less = np.empty(16, np.float32), np.empty(16, np.bool_)
    add.execute([x.ctypes.data, y.ctypes.data], [total.ctypes.data, less.ctypes.data])
    np.testing.assert_array_equal(total, x + y)
    with pytest.raises(RuntimeError, match="takes 2 arguments and gives 2 results, got 1 and 0"):
        add.execute([x.ctypes.data], [])


def test_element_types_without_a_buffer_format():
    double = compiled("""
    func.func @main(%x: tensor<3xbf16>) -> tensor<3xbf16> {
      %0 = xla.add %x, %x : tensor<3xbf16>
      return %0 : tensor<3xbf16>
    }""")
    x = np.array([1, 2.5, -3], ml_dtypes.bfloat16)
    (result,) = double.run([x])
    assert result.dtype == x.dtype
    np.testing.assert_array_equal(result, x + x)


def test_stages_and_timings():
    executable = compiled(ADD, keep_stages=True)
    assert list(executable.stages) == [name for name, _, _ in compiler.TARGETS["cpu"]]
    assert "xla.add" in executable.stages["xla"] and "xla_main" in executable.stages["binary"]
    assert set(executable.stages) < set(executable.timings)
    assert all(code.startswith(b"\x7fELF") for code in executable.object_code)


def test_code_generation_shared_by_threads():
    """Two products in a row: code in several objects computes what code in one does."""
    text = """
    func.func @main(%x: tensor<96x96xf32>, %y: tensor<96x96xf32>) -> tensor<96x96xf32> {
      %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] :
          (tensor<96x96xf32>, tensor<96x96xf32>) -> tensor<96x96xf32>
      %1 = xla.tanh %0 : tensor<96x96xf32>
      %2 = xla.dot_general %1, %y, contracting_dims = [0] x [1] :
          (tensor<96x96xf32>, tensor<96x96xf32>) -> tensor<96x96xf32>
      return %2 : tensor<96x96xf32>
    }"""
    one, several = compiled(text, threads=1), compiled(text)
    assert len(one.object_code) == 1
    assert len(several.object_code) > 1 or os.cpu_count() == 1
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((2, 96, 96)).astype(np.float32)
    np.testing.assert_array_equal(one.run([x, y])[0], several.run([x, y])[0])
    # Every term of a sum of 96 passes at most 96 roundings by half an eps; tanh is within 2 units in its last place.
    eps, wide = np.finfo(np.float32).eps, y.astype(np.float64)
    inner = np.tanh(x.astype(np.float64) @ wide)
    error = 48 * eps * (np.abs(x) @ np.abs(wide)) + 2 * eps * np.abs(inner)
    within = (error + 48 * eps * np.abs(inner)).T @ np.abs(wide).T
    assert (np.abs(several.run([x, y])[0] - inner.T @ wide.T) <= within).all()


@pytest.mark.parametrize("cpu", ["generic", "haswell", "native"])
def test_other_processors(cpu):
    executable = compiled(ADD, cpu=cpu)
    x = np.ones(16, np.float32)
    np.testing.assert_array_equal(executable.run([x, x])[0], x + x)


def test_errors_are_diagnostics():
    with pytest.raises(ir.MLIRError, match="unknown CPU 'z80'"):
        compiled(ADD, cpu="z80")
    with pytest.raises(ir.MLIRError, match="it has no function @main"):
        compiled("func.func @other() { return }")
    with pytest.raises(ValueError, match="'nowhere'; the stages are xla legal linalg kernels loops llvm$"):
        compiled(ADD, from_stage="nowhere")
    with pytest.raises(ValueError, match="unknown stage 'binary'"):
        compiled(ADD, from_stage="binary")
    targets = "cpu cuda cuda-emulated"
    with pytest.raises(ValueError, match=f"unknown target 'cpuu'; the targets are {targets}; did you mean 'cpu'?"):
        compiled(ADD, target="cpuu")


def test_a_later_stage_has_its_arena():
    """Of two matrix products, the first of which is an intermediate value."""
    text = """
    func.func @main(%x: tensor<256x256xf32>) -> tensor<256x256xf32> {
      %0 = xla.dot %x, %x : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %1 = xla.dot %0, %x : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      return %1 : tensor<256x256xf32>
    }
    """
    whole = compiled(text, keep_stages=True)
    assert whole.arena_size > 0
    x = np.random.default_rng(0).standard_normal((256, 256), np.float32)
    for stage in ("linalg", "kernels", "loops", "llvm"):
        later = compiled(whole.stages[stage], from_stage=stage)
        assert later.arena_size == whole.arena_size
        (result,) = later.run([x])
        np.testing.assert_array_equal(result, whole.run([x])[0])


def test_threads_compile_and_run():
    failures = []

    def work(value):
        try:
            executable = compiled(ADD)
            x = np.full(16, value, np.float32)
            for _ in range(200):
                assert (executable.run([x, x])[0] == 2 * value).all()
        except (AssertionError, ir.MLIRError) as error:  # reported by the main thread
            failures.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_in_place_uses_the_module_up():
    with ir.Context():
        module = ir.Module.parse(ADD)
        x, y = np.arange(16, dtype=np.float32), np.full(16, 7, np.float32)
        executable = compiler.compile(module.operation, in_place=True)
        np.testing.assert_array_equal(executable.run([x, y])[0], x + y)
    del module
    np.testing.assert_array_equal(executable.run([x, y])[0], x + y)


def test_in_place_in_contexts_that_go():
    """Pass managers live and die with their contexts; the programs outlive both."""
    x, y = np.arange(16, dtype=np.float32), np.full(16, 7, np.float32)
    executables = []
    for _ in range(5):
        context = ir.Context()
        for _ in range(2):
            module = ir.Module.parse(ADD, context=context)
            executables.append(compiler.compile(module.operation, in_place=True))
            del module
        del context
    for executable in executables:
        np.testing.assert_array_equal(executable.run([x, y])[0], x + y)


def test_in_place_errors_are_those_of_the_copy():
    text = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @again(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @again(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @again(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    messages = []
    for in_place in (False, True):
        with pytest.raises(ir.MLIRError) as error:
            compiled(text, in_place=in_place)
        messages.append(str(error.value))
    assert "recurs" in messages[0] and messages[0] == messages[1]
