# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xla-run and what is not as it should be: broken files, streams that are closed or full, little memory. One line, and
the exit status of bad input."""

import io
import os
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from api_programs import ADD, TARGETS

from mlir_xla.tools.run import main

A = np.arange(6, dtype=np.float32).reshape(2, 3)
NEGATE = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def npz(*arrays, compressed=False):
    stream = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(stream, *arrays)
    return stream.getvalue()


def header(text, data=b"", magic=b"\x93NUMPY\x01\x00"):
    return magic + len(text).to_bytes(2, "little") + text.encode("latin1") + data


def archive(**files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as opened:
        for name, content in files.items():
            opened.writestr(name + ".npy", content)
    return stream.getvalue()


def flipped(content, position, bits=0xFF):
    return content[:position] + bytes([content[position] ^ bits]) + content[position + 1 :]


def encrypted(content):
    """With the flag for it in the directory of the archive."""
    return flipped(content, content.index(b"PK\x01\x02") + 8, 0x01)


X = np.arange(4, dtype=np.float32)
GOOD = "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }"
BROKEN = {
    "empty": b"",
    "one byte": b"P",
    "zeros": bytes(100),
    "text": b"1 2 3 4",
    "no zip": b"PK\x03\x04" + bytes(60),
    "end of a zip": b"PK",
    "npz cut": npz(X)[:-30],
    "npz cut in half": npz(X)[:100],
    "compressed data": flipped(npz(X, compressed=True), 60),
    "checksum": flipped(npz(X), 170),
    "encrypted": encrypted(npz(X)),
    "npz of text": archive(arg0=b"text"),
    "npz of nothing": archive(arg0=b""),
    "npz of objects": npz(np.array([None])),
    "npy cut": npy(X)[:-1],
    "npy without elements": npy(X)[:-16],
    "npy with more": npy(X) + b"more",
    "npy cut in the header": npy(X)[:20],
    "npy cut in the magic": npy(X)[:5],
    "objects": npy(np.array([None, 1])),
    "header of no dict": header("[1]"),
    "header of nothing": header(""),
    "header of code": header("__import__('os')"),
    "header of nul": header("\0"),
    "header of latin": header("\xe9\xe8"),
    "header of brackets": header("(" * 5000),
    "no shape": header("{'descr': '<f4', 'fortran_order': False}"),
    "no dtype": header("{'fortran_order': False, 'shape': (4,)}"),
    "shape of text": header(GOOD.replace("(4,)", "'four'"), bytes(16)),
    "shape of floats": header(GOOD.replace("(4,)", "(4.0,)"), bytes(16)),
    "negative shape": header(GOOD.replace("(4,)", "(-1,)"), bytes(16)),
    "two negative sizes": header(GOOD.replace("(4,)", "(-2, -2)"), bytes(16)),
    "huge shape": header(GOOD.replace("(4,)", "(2**62,)"), bytes(16)),
    "larger shape": header(GOOD.replace("(4,)", "(4611686018427387904, 8)"), bytes(16)),
    "no such dtype": header(GOOD.replace("<f4", "hello"), bytes(16)),
    "dtype of None": header(GOOD.replace("'<f4'", "None"), bytes(16)),
    "dtype of no size": header(GOOD.replace("<f4", "V0"), bytes(16)),
    "other version": header(GOOD, bytes(16), b"\x93NUMPY\x09\x00"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_arguments(tmp_path, capfd, kind):
    path = tmp_path / "broken.npz"
    path.write_bytes(BROKEN[kind])
    (tmp_path / "f.mlir").write_text(NEGATE)
    assert main([str(tmp_path / "f.mlir"), "--target=reference", "--args", str(path)]) == 2
    error = capfd.readouterr().err
    assert error.startswith(f"xla-run: error: {path} is ") and error.count("\n") == 1, error


def test_arguments_that_are_none(tmp_path, capfd):
    program, one = tmp_path / "f.mlir", tmp_path / "one.npy"
    program.write_text(NEGATE)
    np.save(one, np.float32(1))
    (tmp_path / "empty.npz").write_bytes(npz())
    np.save(tmp_path / "text.npy", np.array(["a", "b"]))
    np.save(tmp_path / "dates.npy", np.array(["2020-01-01"], "M8[D]"))
    np.save(tmp_path / "records.npy", np.zeros(4, [("a", "f4"), ("b", "i4")]))
    for given, message in [
        (tmp_path, "Is a directory"),
        (tmp_path / "none.npy", "No such file or directory"),
        (tmp_path / "empty.npz", "the program takes 1 argument (f32[4]), --args has 0 arrays"),
        (one, "argument 0 of the program is f32[4], --args has f32[]"),
        (tmp_path / "text.npy", "argument 0 of the program is f32[4], --args has <U1[2]"),
        (tmp_path / "dates.npy", "argument 0 of the program is f32[4], --args has datetime64[D][1]"),
        (tmp_path / "records.npy", "argument 0 of the program is f32[4], --args has "),
    ]:
        assert main([str(program), "--target=reference", "--args", str(given)]) == 2
        error = capfd.readouterr().err
        assert error.startswith("xla-run: error: ") and message in error and error.count("\n") == 1, error
    assert main([str(program), "--target=reference", "--args", str(one), str(one)]) == 2
    assert "takes 1 argument (f32[4]), --args has 2 arrays" in capfd.readouterr().err


@pytest.mark.parametrize("target", TARGETS)
def test_order_of_bytes_in_files(tmp_path, target):
    (tmp_path / "f.mlir").write_text(NEGATE)
    np.save(tmp_path / "x.npy", X.astype(">f4"))
    output = tmp_path / "out.npy"
    arguments = ["--target", target, "--args", str(tmp_path / "x.npy"), "--output", str(output)]
    assert main([str(tmp_path / "f.mlir"), *arguments]) == 0
    np.testing.assert_array_equal(np.load(output), -X)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--repeat", "many"], "'many' is not an integer"),
        (["--repeat", "1.5"], "'1.5' is not an integer"),
        (["--repeat", "-1"], "must not be negative"),
        (["--seed", "-1"], "must not be negative"),
        (["--seed", ""], "'' is not an integer"),
        (["--target", "cup"], "invalid choice: 'cup'"),
        (["--args"], "expected at least one argument"),
        (["--no-such-flag"], "unrecognized arguments"),
        (["--to=linalg", "--output=f.npz"], "--to prints a stage and runs nothing: no --args, --output"),
        (["--to=binary", "--repeat=3"], "--to prints a stage and runs nothing"),
    ],
)
def test_bad_flags(tmp_path, capfd, arguments, message):
    (tmp_path / "f.mlir").write_text(NEGATE)
    with pytest.raises(SystemExit) as end:
        main([str(tmp_path / "f.mlir"), *arguments])
    assert end.value.code == 2 and message in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--function", "mian"],
            "f.mlir: error: the program has no function @mian with a body; its functions: @main; did you mean '@main'?",
        ),
        (["--output", "/dev/full/out.npz"], "/dev/full/out.npz: Not a directory"),
        (["--output", "no/such/out.npy"], "no/such/out.npy: No such file or directory"),
        (["--output", "f.mlir"], "f.mlir: results are written as .npz or .npy"),
        (["--args", "no.npy", "--output", "out.txt"], "out.txt: results are written as .npz or .npy"),
        (
            ["--target=cpu", "--chip=sm_80"],
            "f.mlir: error: the target 'cpu' has no option 'chip'; its options are cpu features threads",
        ),
        (["--lines"], "the target 'reference' has no option 'lines'; it has none"),
        (["--dump", "f.mlir"], "f.mlir: File exists"),
        (["--dump", "f.mlir/under"], "f.mlir/under: Not a directory"),
        (["--dump", "/proc/no"], "/proc/no: No such file or directory"),
    ],
)
def test_places_that_cannot_be_written(tmp_path, monkeypatch, capfd, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.mlir").write_text(NEGATE)
    np.save("x.npy", X)
    assert main(["f.mlir", "--target=reference", "--args", "x.npy", *arguments]) == 2
    error = capfd.readouterr().err.splitlines()[-1]
    assert error == message or error == f"xla-run: error: {message}", error


def shell(tmp_path, command, text=NEGATE):
    """A line of shell, in which `xla-run` is this one, and `f.mlir` and its argument `x.npy` are there."""
    (tmp_path / "f.mlir").write_text(text)
    np.save(tmp_path / "x.npy", X)
    run = f'"{sys.executable}" -m mlir_xla.tools.run --target=reference'
    line = command.replace("xla-run", run)
    return subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120, env=os.environ
    )


@pytest.mark.parametrize(
    ("command", "status", "error"),
    [
        ("xla-run - <&-", 2, "xla-run: error: the standard input is closed\n"),
        (
            "xla-run f.mlir --args x.npy >&-",
            2,
            "xla-run: error: the standard output is closed; --output=FILE writes the results to a file\n",
        ),
        (
            "xla-run f.mlir --args x.npy >/dev/full",
            2,
            "xla-run: error: the results cannot be written: No space left on device\n",
        ),
        ("xla-run f.mlir --args x.npy --output out.npy >&-", 0, "wrote 1 result to out.npy\n"),
        ("xla-run f.mlir --args x.npy >/dev/null 2>/dev/full", 0, ""),
        ("xla-run missing.mlir 2>&-", 2, ""),
        (
            "ulimit -f 0; xla-run f.mlir --args x.npy --output out.npz 2>&1 | cat >&2; exit ${PIPESTATUS[0]}",
            2,
            "xla-run: error: out.npz: File too large\n",
        ),
        ("cat f.mlir | xla-run - --args x.npy | head -c 1; exit ${PIPESTATUS[1]}", 0, ""),
    ],
)
def test_streams(tmp_path, command, status, error):
    done = shell(tmp_path, command)
    assert (done.returncode, done.stderr) == (status, error)


def test_nobody_reads_on(tmp_path):
    """As tools that the signal ends: without a word, and not with the status of success."""
    text = NEGATE.replace("4xf32", "200x400xf32")
    many = "import sys; sys.argv[0] = 'xla-run'; import numpy; numpy.set_printoptions(threshold=10**9)"
    command = f"xla-run f.mlir --seed 1 2>error | true; status=${{PIPESTATUS[0]}}; cat error >&2; exit $status # {many}"
    done = shell(tmp_path, command, text)
    assert done.returncode == 141
    assert done.stderr == "no --args: synthetic inputs with --seed=1 for f32[200,400]\n"


def test_bytecode_from_the_standard_input(tmp_path):
    (tmp_path / "f.mlir").write_text(NEGATE)
    np.save(tmp_path / "x.npy", X)
    from mlir_xla import parse

    with (tmp_path / "f.mlirbc").open("wb") as stream:
        parse(NEGATE).operation.write_bytecode(stream)
    done = shell(tmp_path, "xla-run - --args x.npy < f.mlirbc")
    assert (done.returncode, done.stdout, done.stderr) == (0, "result 0: f32[4] = [-0. -1. -2. -3.]\n", "")


def test_errors_of_the_standard_input_have_places(tmp_path):
    done = shell(tmp_path, "xla-run - < f.mlir", NEGATE.replace("negate", "negat"))
    assert done.returncode == 2
    assert done.stderr == "-:3:8: error: unknown operation 'xla.negat'; did you mean 'xla.negate'?\n"


HUGE = """
func.func @main(%x: tensor<f32>) -> tensor<4398046511100xf32> {
  %0 = xla.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<4398046511100xf32>
  %1 = xla.negate %0 : tensor<4398046511100xf32>
  return %1 : tensor<4398046511100xf32>
}
"""


@pytest.mark.parametrize("target", TARGETS)
def test_memory(tmp_path, capfd, target):
    (tmp_path / "f.mlir").write_text(HUGE)
    assert main([str(tmp_path / "f.mlir"), "--target", target]) == 2
    error = [line for line in capfd.readouterr().err.splitlines() if "WARNING: AddressSanitizer" not in line]
    assert len(error) == 2 and "xla-run: error: " in error[1], error
    assert "out of memory" in error[1] or "Unable to allocate" in error[1]


def test_add_is_what_it_was(tmp_path, capsys):
    (tmp_path / "f.mlir").write_text(ADD)
    np.savez(tmp_path / "in.npz", A, np.float32(1))
    assert main([str(tmp_path / "f.mlir"), "--target=reference", "--args", str(tmp_path / "in.npz")]) == 0
    assert "[[1. 2. 3.]\n [4. 5. 6.]]" in capsys.readouterr().out


def test_plans_that_cannot_be_kept(tmp_path, monkeypatch, capfd):
    """A warning in the tool's own words, without a place in its sources."""
    (tmp_path / "f.mlir").write_text(NEGATE)
    np.save(tmp_path / "x.npy", X)
    monkeypatch.setenv("MLIR_XLA_CACHE", str(tmp_path / "f.mlir"))
    assert main([str(tmp_path / "f.mlir"), "--tune", "--args", str(tmp_path / "x.npy")]) == 0
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("xla-run: warning: plans cannot be kept in ")
