# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Corrupt bytecode ends nothing but its own reading. `bytecode_mutants.py` tries more than these."""

import io
import subprocess

import bytecode_mutants as mutants
import pytest

import mlir_xla
from mlir_xla import ir

# Mutants that MLIR's reader dies of, or does not return from.
DEADLY = (7, 155, 364, 387, 700, 1025, 1078, 1182, 1245, 1307, 1411)


NO_UTF8 = (139, 40079)  # in names


@pytest.mark.parametrize(("mode", "seeds"), [("compile", range(15)), ("opt", range(30, 40)), ("run", range(50, 56))])
def test_mutants(mode, seeds):
    known = (*DEADLY[:: 1 if mode == "compile" else 5], *NO_UTF8)
    assert list(mutants.findings(mode, [*known, *seeds])) == []


def test_message():
    with pytest.raises(ir.MLIRError, match=r"^-: corrupt bytecode"):
        mlir_xla.compile(mutants.mutant(DEADLY[1]))
    with pytest.raises(ir.MLIRError, match=r"^-: cannot read the bytecode: attempting to parse"):
        mlir_xla.compile(mutants.sound()[0][:200])


def test_file(tmp_path):
    path = tmp_path / "cut.mlirbc"
    path.write_bytes(mutants.sound()[0][:200])
    for read in (mlir_xla.compile, mlir_xla.api.parse):
        with pytest.raises(ir.MLIRError, match=r"cut.mlirbc: cannot read the bytecode"):
            read(path)
    with ir.Context(), pytest.raises(ir.MLIRError, match=r"cut.mlirbc: cannot read the bytecode"):
        ir.Module.parseFile(path)
    tool = subprocess.run([mutants.xla_opt(), path], capture_output=True, text=True, check=False)
    assert tool.returncode == 1
    assert "cut.mlirbc: cannot read the bytecode: attempting to parse" in tool.stderr


# An operation of StableHLO's tests in generic form, which only `compile` and the tools replace.
CHECK = """
func.func @main(%x: tensor<2xf32>) {
  "check.expect_close"(%x, %x) <{max_ulp_difference = 3 : i64}> : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}
"""


@pytest.mark.parametrize("text", [*mutants.PROGRAMS, CHECK])
def test_sound_bytecode_stays_as_it_is(text):
    """Locations, resources, unknown attributes and all."""

    def everything(module: ir.Module) -> str:
        return module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True)

    with ir.Context():
        module = ir.Module.parse(text)
        expected = everything(module)
        stream = io.BytesIO()
        module.operation.write_bytecode(stream)
    with ir.Context():
        assert everything(ir.Module.parse(stream.getvalue())) == expected


def test_errors_of_the_program_have_their_place():
    text = 'func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %x : tensor<2xf32> loc("model.py":7:3)\n}'
    with ir.Context():
        module = ir.Module.parse(text)
        function = module.body.operations[0]
        type_ = ir.FunctionType.get([ir.Type.parse("tensor<2xf32>")], [ir.Type.parse("tensor<3xf32>")])
        function.operation.attributes["function_type"] = ir.TypeAttr.get(type_)
        stream = io.BytesIO()
        module.operation.write_bytecode(stream)
    with pytest.raises(ir.MLIRError) as error:
        mlir_xla.compile(stream.getvalue())
    assert 'model.py":7:3' in str(error.value.error_diagnostics[0].location)
