# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can be compiled, and what is said about what cannot."""

import platform
import subprocess
import sys
import types
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from api_programs import ADD, ALL_TARGETS, CHECK_SPELLINGS, GENERIC, LOOP, STABLEHLO, TARGETS, TUPLES, checks

import mlir_xla
from mlir_xla import ir, ops
from mlir_xla._mlir_libs._xla import compiler
from mlir_xla.api import compile_stage

A = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.mark.parametrize("target", TARGETS)
class TestSources:
    def test_text(self, target):
        np.testing.assert_array_equal(mlir_xla.compile(ADD, target=target)(A, 2), A + 2)

    def test_stablehlo(self, target):
        assert mlir_xla.compile(STABLEHLO, target=target)(np.float32([1, 2, 4])) == 7

    def test_generic_form(self, target):
        result = mlir_xla.compile(GENERIC, target=target)(np.float32([1, 2, 4]))
        np.testing.assert_array_equal(result, [2, 4, 8])

    @pytest.mark.parametrize("end", ["stablehlo.return", "xla.return", "return"])
    def test_ends_of_functions(self, target, end):
        """StableHLO's return ends functions as well as regions."""
        text = f"""
        func.func private @twice(%x: tensor<f32>) -> tensor<f32> {{
          %0 = stablehlo.add %x, %x : tensor<f32>
          {end} %0 : tensor<f32>
        }}
        func.func @main(%x: tensor<f32>) -> tensor<f32> {{
          %0 = call @twice(%x) : (tensor<f32>) -> tensor<f32>
          {end} %0 : tensor<f32>
        }}"""
        assert mlir_xla.compile(text, target=target)(3.0) == 6

    def test_module(self, target):
        with ir.Context():
            module = ir.Module.parse(STABLEHLO)
            executable = mlir_xla.compile(module, target=target)
            module.body.operations[0].operation.erase()  # what happens to the module later does not matter
        assert executable(np.float32([1, 2, 4])) == 7

    def test_bytecode(self, target, tmp_path):
        path = tmp_path / "program.mlirbc"
        with ir.Context():
            module = ir.Module.parse(STABLEHLO)
            with path.open("wb") as stream:
                module.operation.write_bytecode(stream)
        for program in (path.read_bytes(), path):
            assert mlir_xla.compile(program, target=target)(np.float32([1, 2, 4])) == 7

    def test_path_as_text(self, target):
        with pytest.raises(ValueError, match=r"'program.mlir' is no program text: .*pathlib.Path"):
            mlir_xla.compile("program.mlir", target=target)

    def test_path(self, target, tmp_path):
        path = tmp_path / "program.mlir"
        path.write_text(ADD)
        np.testing.assert_array_equal(mlir_xla.compile(path, target=target)(A, 2), A + 2)

    def test_other_function(self, target):
        text = ADD.replace("@main", "private @plus") + "func.func @main() { return }"
        np.testing.assert_array_equal(mlir_xla.compile(text, target=target, function="plus")(A, 2), A + 2)


@pytest.mark.parametrize("target", TARGETS)
class TestErrors:
    def test_rule_and_place(self, target, tmp_path):
        path = tmp_path / "bad.mlir"
        path.write_text(
            "func.func @main(%a: tensor<4xf32>) -> tensor<9xf32> {\n"
            "  %0 = xla.slice %a [0:9] : (tensor<4xf32>) -> tensor<9xf32>\n"
            "  return %0 : tensor<9xf32>\n}"
        )
        with pytest.raises(mlir_xla.MLIRError, match=r"\[Slice-C3\]") as caught:
            mlir_xla.compile(path, target=target)
        assert f'"{path}":2:8' in str(caught.value.error_diagnostics[0].location)

    def test_generic_stablehlo_is_verified(self, target):
        bad = GENERIC.replace(
            '%0 = "stablehlo.add"(%a, %a) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>',
            '%0 = "stablehlo.reverse"(%a) <{dimensions = array<i64: 4>}> : (tensor<3xf32>) -> tensor<3xf32>',
        )
        with pytest.raises(mlir_xla.MLIRError, match=r"\[Rev-C1\]"):
            mlir_xla.compile(bad, target=target)

    def test_unknown_operation(self, target):
        with pytest.raises(mlir_xla.MLIRError, match="stablehlo.frobnicate"):
            mlir_xla.compile(GENERIC.replace("stablehlo.add", "stablehlo.frobnicate"), target=target)

    def test_no_such_function(self, target):
        with pytest.raises(mlir_xla.XlaError, match="no function @other .*@main"):
            mlir_xla.compile(ADD, target=target, function="other")

    def test_signature(self, target):
        with pytest.raises(mlir_xla.XlaError, match="argument 0 .*index"):
            mlir_xla.compile("func.func @main(%a: index) { return }", target=target)

    def test_kind_of_program(self, target):
        with pytest.raises(TypeError, match="list"):
            mlir_xla.compile([], target=target)

    def test_what_is_nearly_a_program(self, target):
        """The error says what to give instead."""
        builder = mlir_xla.XlaBuilder("b")
        op = ops.Parameter(builder, 0, mlir_xla.Shape(np.float32, (2,)))
        lowered = types.SimpleNamespace(as_text=lambda: STABLEHLO)
        exported = types.SimpleNamespace(mlir_module=lambda: STABLEHLO)
        jitted = types.SimpleNamespace(lower=lambda *args: lowered)
        foreign = type("Module", (), {"__module__": "jaxlib.mlir.ir"})()
        for given, instead in (
            (builder, r"an XlaBuilder: .*; give what the builder's build\(op\) returns$"),
            (op, r"an XlaOp: .*; give what the builder's build\(op\) returns$"),
            (lowered, r"; give its text, as_text\(\)$"),
            (exported, r"; give its text, mlir_module\(\)$"),
            (jitted, r"; give the text of what it is lowered to, lower\(\*args\).as_text\(\)$"),
            (foreign, r"; give its text, str\(module\)$"),
        ):
            with pytest.raises(TypeError, match=instead):
                mlir_xla.compile(given, target=target)
        with pytest.raises(ValueError, match=r"HLO's text is not read: .* as_text\(\)"):
            mlir_xla.compile("HloModule m\n\nENTRY main { }", target=target)

    def test_constant_that_was_left_out(self, target):
        text = "func.func @main() -> tensor<9xf32> { %0 = stablehlo.constant dense_resource<__elided__> : tensor<9xf32>"
        with pytest.raises((mlir_xla.MLIRError, mlir_xla.reference.InterpreterError)) as raised:
            mlir_xla.compile(text + " return %0 : tensor<9xf32> }", target=target)()
        if target != "reference":
            assert "its value was left out when the program was printed" in str(raised.value)

    def test_context_is_usable_after_an_error(self, target):
        for _ in range(3):
            with pytest.raises(mlir_xla.MLIRError):
                mlir_xla.compile("nonsense", target=target)
            np.testing.assert_array_equal(mlir_xla.compile(ADD, target=target)(A, 2), A + 2)


def test_unknown_target():
    with pytest.raises(mlir_xla.XlaError, match="'abacus'.*cpu"):
        mlir_xla.compile(ADD, target="abacus")


@pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")
def test_unknown_processor():
    with pytest.raises(mlir_xla.MLIRError, match="abacus"):
        mlir_xla.compile(ADD, cpu="abacus")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("spelling", CHECK_SPELLINGS)
class TestChecks:
    def test_holds(self, target, spelling):
        result = mlir_xla.compile(checks(spelling, "6.0"), target=target)()
        np.testing.assert_array_equal(result, [2, 4, 6])

    def test_fails(self, target, spelling):
        executable = mlir_xla.compile(checks(spelling, "6.5"), target=target)
        with pytest.raises(mlir_xla.reference.CheckError, match=r"14:3: check\..*element \[2\] is 6.0, expected 6.5"):
            executable()


@pytest.mark.parametrize("target", TARGETS)
def test_check_in_a_function(target):
    text = checks("op", "6.5").replace("@main", "@f") + (
        "func.func public @main() { %0 = call @f() : () -> tensor<3xf32> return }"
    )
    with pytest.raises(mlir_xla.reference.CheckError, match=r"element \[2\]"):
        mlir_xla.compile(text.replace("func.func public @f", "func.func private @f"), target=target)()


@pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")
@pytest.mark.parametrize("target", TARGETS)
def test_check_in_a_loop(target):
    """It is judged in every iteration; the first one that fails is reported, with its first wrong element."""
    text = LOOP.replace("LIMIT", "3")
    assert mlir_xla.compile(text, target=target)(np.float32([1, 2])).tolist() == [8, 16]
    failing = mlir_xla.compile(LOOP.replace("LIMIT", "5"), target=target)
    for _ in range(2):
        with pytest.raises(mlir_xla.reference.CheckError, match=r"12:5: check\..*element \[1\] is 32.0, expected 16.0"):
            failing(np.float32([1, 2]))


@pytest.mark.parametrize("target", TARGETS)
def test_check_in_a_branch(target):
    """Only that of the branch taken is judged; those at the top level keep their place in the order."""
    text = """func.func @main(%p: tensor<i1>, %x: tensor<2xui8>) -> tensor<2xui8> {
      %0 = "stablehlo.if"(%p) ({
        check.expect_eq_const %x, dense<[1, 255]> : tensor<2xui8>
        stablehlo.return %x : tensor<2xui8>
      }, {
        check.expect_eq_const %x, dense<[1, 2]> : tensor<2xui8>
        stablehlo.return %x : tensor<2xui8>
      }) : (tensor<i1>) -> tensor<2xui8>
      check.expect_eq_const %0, dense<[1, 255]> : tensor<2xui8>
      return %0 : tensor<2xui8>
    }"""
    program = mlir_xla.compile(text, target=target)
    assert program(True, np.uint8([1, 255])).tolist() == [1, 255]
    with pytest.raises(mlir_xla.reference.CheckError, match=r"6:9: .*element \[1\] is 255, expected 2"):
        program(False, np.uint8([1, 255]))
    with pytest.raises(mlir_xla.reference.CheckError, match=r"9:7: .*element \[1\] is 2, expected 255"):
        program(False, np.uint8([1, 2]))


@pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")
def test_check_in_a_loop_on_several_threads():
    program = mlir_xla.compile(LOOP.replace("LIMIT", "4"), target="cpu")

    def judge(last):
        try:
            program(np.float32([1, last]))
        except mlir_xla.reference.CheckError as error:
            return str(error)
        return None

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(judge, [0, 2, 0, 3, 0, 2] * 4))
    assert all((message is None) == (last == 0) for message, last in zip(found, [0, 2, 0, 3, 0, 2] * 4, strict=True))


@pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")
def test_check_in_a_computation_is_refused():
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
      ^bb0(%a: tensor<f32>):
        check.expect_eq %a, %a : tensor<f32>
        stablehlo.return %a : tensor<f32>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    with pytest.raises(mlir_xla.XlaError, match="4:9.*check.expect_eq.*computation of 'xla.map'"):
        mlir_xla.compile(text)


@pytest.mark.parametrize("target", TARGETS)
def test_tuples(target):
    executable = mlir_xla.compile(TUPLES, target=target)
    assert [str(t) for t in executable.arg_types] == ["f32[2]", "s32[]"]
    assert [str(t) for t in executable.result_types] == ["s32[]", "f32[2]"]
    number, array = executable(np.float32([1, 2]), 5)
    assert number == 5
    np.testing.assert_array_equal(array, [1, 2])


@pytest.mark.parametrize(
    "option", [{"cpu": "znver4"}, {"features": "-avx512f"}, {"threads": 1}, {"chip": "sm_80"}, {"lines": True}]
)
def test_options_of_other_targets(option):
    (name,) = option
    with pytest.raises(mlir_xla.XlaError, match=f"the target 'reference' has no option '{name}'; it has none"):
        mlir_xla.compile(ADD, target="reference", **option)
    if name in ("chip", "lines") and "cpu" in TARGETS:
        for tune in (False, True):
            with pytest.raises(mlir_xla.MLIRError, match=f"the target 'cpu' has no option '{name}'"):
                mlir_xla.compile(ADD, tune=tune, **option)


@pytest.mark.skipif("cpu" not in TARGETS or platform.machine() != "x86_64", reason="no x86 target")
def test_processors_that_this_one_is_not():
    """Their code can be made and read; to run it is an error, where the instructions would end the process."""
    lacking = compiler.missing_features("graniterapids", "")
    assert compiler.missing_features("", "") == compiler.missing_features("x86-64", "") == []
    assert compiler.missing_features("", "-avx512f,-avx2") == []
    if not lacking:
        pytest.skip("this machine has all of it")
    other = mlir_xla.compile(ADD, cpu="graniterapids")
    assert "main" in other.stages["binary"]
    for _ in range(2):
        with pytest.raises(RuntimeError, match=f"the program is for a processor with {lacking[0]}.*, which this"):
            other(A, 2)
    with pytest.raises(mlir_xla.XlaError, match=f"kernels cannot be measured here: .*{lacking[0]}"):
        mlir_xla.compile(ADD, features=f"+{lacking[0]}", tune=True)
    np.testing.assert_array_equal(mlir_xla.compile(ADD, cpu="x86-64")(A, 2), A + 2)


SMALL_SIGNAL_STACK = """
import ctypes
class Stack(ctypes.Structure):
    _fields_ = [("place", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t)]
memory = ctypes.create_string_buffer(8192)
assert ctypes.CDLL(None).sigaltstack(ctypes.byref(Stack(ctypes.addressof(memory), 0, 8192)), None) == 0
import numpy as np, mlir_xla
text = '''func.func @main(%x: tensor<64x64xi8>) -> tensor<64x64xi32> {
  %0 = xla.dot_general %x, %x, contracting_dims = [1] x [0]
    : (tensor<64x64xi8>, tensor<64x64xi8>) -> tensor<64x64xi32>
  return %0 : tensor<64x64xi32>
}'''
x = np.arange(4096).astype(np.int8).reshape(64, 64)
program = mlir_xla.compile(text)
assert "tdpb" not in program.stages["binary"]
np.testing.assert_array_equal(program(x), x.astype(np.int32) @ x)
program = mlir_xla.compile(text, cpu="sapphirerapids")
assert "tdpb" in program.stages["binary"]
try:
    program(x)
except RuntimeError as error:
    print(error)
"""


@pytest.mark.skipif("cpu" not in TARGETS or platform.machine() != "x86_64", reason="no x86 target")
def test_tile_registers_that_are_refused():
    """Linux gives none to a process with a stack for signals that could not hold them: other instructions do."""
    run = subprocess.run([sys.executable, "-c", SMALL_SIGNAL_STACK], capture_output=True, text=True)
    assert "amx-int8" in run.stdout, run.stderr
    assert run.stdout.endswith("which this machine does not have, or does not let this process use\n")


@pytest.mark.parametrize("target", [target for target in ALL_TARGETS if target != "reference"])
def test_stages_go_on(target, tmp_path):
    """The text of every stage that is IR is a program with all its constants, however large."""
    values = np.random.default_rng(0).standard_normal((3, 100)).astype(np.float32)
    numbers, bits = values.tolist(), str((values > 0).tolist()).lower()
    text = f"""
    func.func @main(%x: tensor<3x100xf32>) -> tensor<3x100xf32> {{
      %0 = stablehlo.constant dense<{numbers}> : tensor<3x100xf32>
      %1 = stablehlo.constant dense<{bits}> : tensor<3x100xi1>
      %2 = stablehlo.select %1, %x, %0 : tensor<3x100xi1>, tensor<3x100xf32>
      return %2 : tensor<3x100xf32>
    }}"""
    x = np.full_like(values, 7)
    paths = mlir_xla.compile(text, target=target).dump(tmp_path)
    assert len(paths) == 7
    for path in paths[:-1]:
        results = compile_stage(path, target, path.stem.partition("-")[2])(x)
        result = results[0] if isinstance(results, tuple) else results
        np.testing.assert_array_equal(result, np.where(values > 0, x, values), err_msg=path.name)


@pytest.mark.parametrize("target", [each for each in TARGETS if each != "reference"])
def test_code_of_another_stage_or_target(target):
    """Code is taken for nothing that it is not: the wrong stage or target is an error, and nothing runs."""
    other = "cpu" if target == "cuda-emulated" else "cuda-emulated"
    stages, foreign = (mlir_xla.compile(ADD, target=each).stages for each in (target, other))
    for stage in ("loops", "llvm"):
        for text, given, reason in (
            (foreign[stage], stage, f"in the stage '{stage}' of a .PU's target, not of '{target}'"),
            (stages["linalg"], stage, f"not in the stage '{stage}': @main takes no addresses of buffers"),
            (stages[stage], "kernels", f"in the stage '{stage}', not in 'kernels'"),
        ):
            with pytest.raises(mlir_xla.MLIRError, match=reason):
                compile_stage(text, target, given)
    with pytest.raises(mlir_xla.MLIRError, match="in the stage 'loops', not in 'llvm'"):
        compile_stage(stages["loops"], target, "llvm")


def test_negative_threads():
    with pytest.raises(ValueError, match="threads must not be negative, got -1"):
        mlir_xla.compile(ADD, threads=-1)
