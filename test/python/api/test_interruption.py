# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Signals while programs run or are compiled, and the end of Python meanwhile.

Each script runs in a process of its own. Without the means under test it would run for minutes or for ever: then it is
killed after a minute, and the test fails.
"""

import pathlib
import signal
import subprocess
import sys
import time

import pytest

PATIENCE = 60

PRELUDE = """
import os, signal, sys, threading, time
import numpy as np
import mlir_xla

FOREVER = '''
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.while(%i = %x) : tensor<i32>
    cond {
      %p = stablehlo.compare GE, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %max = stablehlo.constant dense<1000000> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %n = stablehlo.add %i, %one : tensor<i32>
      %m = stablehlo.remainder %n, %max : tensor<i32>
      stablehlo.return %m : tensor<i32>
    }
  return %0 : tensor<i32>
}
'''

def sums(rows, columns):
    '''Sums of rows of a large iota, which is nowhere in memory, plus an argument.'''
    return f'''
    func.func @main(%x: tensor<{rows}xf32>) -> tensor<{rows}xf32> {{
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.iota dim = 1 : tensor<{rows}x{columns}xf32>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
           : (tensor<{rows}x{columns}xf32>, tensor<f32>) -> tensor<{rows}xf32>
      %2 = stablehlo.add %1, %x : tensor<{rows}xf32>
      return %2 : tensor<{rows}xf32>
    }}
    '''

def large(count):
    '''A program that takes long to compile: every reduction is a kernel of its own.'''
    lines = []
    for i in range(count):
        lines.append(f'''
          %a{i} = stablehlo.exponential %v{i} : tensor<8x{i + 8}xf32>
          %r{i} = stablehlo.reduce(%a{i} init: %zero) applies stablehlo.add across dimensions = [1]
               : (tensor<8x{i + 8}xf32>, tensor<f32>) -> tensor<8xf32>
          %v{i + 1} = stablehlo.broadcast_in_dim %r{i}, dims = [0] : (tensor<8xf32>) -> tensor<8x{i + 9}xf32>''')
    return f'''
    func.func @main(%v0: tensor<8x8xf32>) -> tensor<8x{count + 8}xf32> {{
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      {"".join(lines)}
      return %v{count} : tensor<8x{count + 8}xf32>
    }}
    '''

def say(text):
    print(text, flush=True)
"""


class Script:
    """A Python process that runs a script behind the prelude."""

    def __init__(self, text: str):
        # A shell's background jobs, and what they start, ignore interrupts; this process does not.
        self.process = subprocess.Popen(
            # Newer Pythons say of any process with threads that forking may lead to deadlocks.
            [sys.executable, "-W", "ignore:This process:DeprecationWarning", "-c", PRELUDE + text],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def await_line(self, line: str) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == line + "\n", self.process.communicate(timeout=PATIENCE)[1]
        time.sleep(0.3)  # the line comes before the call

    def interrupt(self, number: int = signal.SIGINT) -> None:
        self.process.send_signal(number)

    def end(self) -> tuple[int, str, str]:
        try:
            out, err = self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            pytest.fail(f"did not end: {self.process.communicate()}")
        return self.process.returncode, out, err


def run(text: str) -> str:
    """The output of a script that succeeds without a word on stderr."""
    status, out, err = Script(text).end()
    assert (status, err) == (0, "")
    return out


INTERRUPTED = """
say("ready")
try:
    exe(*arguments)
except KeyboardInterrupt:
    say("interrupted")
"""


@pytest.mark.parametrize(
    "setup",
    {
        "while": "exe, arguments = mlir_xla.compile(FOREVER), [np.int32(0)]",
        "kernel": "exe, arguments = mlir_xla.compile(sums(1, 10**12), threads=1), [np.zeros(1, 'f')]",
        "rows": "exe, arguments = mlir_xla.compile(sums(10**6, 10**6), threads=1), [np.zeros(10**6, 'f')]",
        "parallel kernel": "from mlir_xla._mlir_libs._xla import compiler\ncompiler.set_num_threads(3)\n"
        "exe, arguments = mlir_xla.compile(sums(64, 10**11)), [np.zeros(64, 'f')]",
    }.items(),
    ids=lambda item: item[0],
)
def test_interrupt_execution(setup):
    script = Script(setup[1] + INTERRUPTED)
    script.await_line("ready")
    script.interrupt()
    assert script.end() == (0, "interrupted\n", "")


def test_usable_after_interrupt():
    script = Script(
        """
exe = mlir_xla.compile(FOREVER)
other = mlir_xla.compile(sums(64, 10**11))
for _ in range(3):
    for each, argument in (exe, np.int32(0)), (other, np.zeros(64, "f")):
        say("ready")
        try:
            each(argument)
        except KeyboardInterrupt:
            pass
        assert exe(np.int32(-5)) == -5
small = mlir_xla.compile(sums(64, 1000))
np.testing.assert_array_equal(small(np.ones(64, "f")), np.full(64, 499501, "f"))
say("done")
"""
    )
    for _ in range(6):
        script.await_line("ready")
        script.interrupt()
    assert script.end() == (0, "done\n", "")


def test_only_the_interrupted_thread_stops():
    script = Script(
        """
forever = mlir_xla.compile(FOREVER)
long = mlir_xla.compile(sums(4, 10**8))
expected = long(np.zeros(4, "f"))
stop = False
def work():
    while not stop:
        np.testing.assert_array_equal(long(np.zeros(4, "f")), expected)
thread = threading.Thread(target=work)
thread.start()
say("ready")
try:
    forever(np.int32(0))
except KeyboardInterrupt:
    say("interrupted")
stop = True
thread.join()
"""
    )
    script.await_line("ready")
    script.interrupt()
    assert script.end() == (0, "interrupted\n", "")


def test_interrupt_compilation():
    script = Script(
        """
mlir_xla.compile(sums(2, 3))  # which imports what is needed
program = large(3000)
say("ready")
try:
    mlir_xla.compile(program)
except KeyboardInterrupt:
    say("interrupted")
assert mlir_xla.compile(sums(2, 3))(np.zeros(2, "f")).tolist() == [3, 3]
"""
    )
    script.await_line("ready")
    script.interrupt()
    assert script.end() == (0, "interrupted\n", "")


def test_interrupt_compilation_of_a_module():
    script = Script(
        """
from mlir_xla import ir
from mlir_xla._mlir_libs._xla import compiler
from mlir_xla import api
with ir.Context(), ir.Location.unknown():
    module = api.parse(large(1000))
    before = str(module)
    say("ready")
    try:
        compiler.compile(module.operation)
    except KeyboardInterrupt:
        say("interrupted")
    assert str(module) == before
"""
    )
    script.await_line("ready")
    script.interrupt()
    assert script.end() == (0, "interrupted\n", "")


def test_handler_that_does_not_raise():
    """The program goes on, handlers see every signal, and may run programs themselves."""
    script = Script(
        """
inner = mlir_xla.compile(sums(64, 1000))
seen = []
def handle(number, frame):
    seen.append(number)
    assert inner(np.zeros(64, "f"))[0] == 499500
    say("seen")
signal.signal(signal.SIGINT, handle)
signal.signal(signal.SIGUSR1, handle)
def stop(number, frame):
    raise TimeoutError("enough")
signal.signal(signal.SIGALRM, stop)
exe = mlir_xla.compile(sums(64, 10**11))
say("ready")
try:
    exe(np.zeros(64, "f"))
except TimeoutError as error:
    say((str(error), [signal.Signals(number).name for number in seen]))
"""
    )
    script.await_line("ready")
    for number in signal.SIGINT, signal.SIGUSR1:
        script.interrupt(number)
        script.await_line("seen")
    script.interrupt(signal.SIGALRM)
    assert script.end() == (0, "('enough', ['SIGINT', 'SIGUSR1'])\n", "")


def test_terminate():
    script = Script("exe = mlir_xla.compile(FOREVER)\nsay('ready')\nexe(np.int32(0))")
    script.await_line("ready")
    script.interrupt(signal.SIGTERM)
    assert script.end() == (-signal.SIGTERM, "", "")


def test_interrupt_custom_call():
    """In Python the signal arrives as ever; the program ends there and then, also in a loop that would not."""
    script = Script(
        """
def slow(x):
    say("ready")
    time.sleep(1000)
mlir_xla.register_custom_call("test.slow", slow)
program = FOREVER.replace(
    "%m = stablehlo.remainder",
    "stablehlo.custom_call @test.slow(%n) {has_side_effect = true} : (tensor<i32>) -> ()\\n%m = stablehlo.remainder",
)
exe = mlir_xla.compile(program)
try:
    exe(np.int32(0))
except KeyboardInterrupt:
    say("interrupted")
"""
    )
    script.await_line("ready")
    script.interrupt()
    assert script.end() == (0, "interrupted\n", "")


def test_failing_custom_call_ends_the_program():
    assert (
        run(
            """
def fail(x):
    raise ValueError("no")
mlir_xla.register_custom_call("test.fail", fail)
program = FOREVER.replace(
    "%m = stablehlo.remainder",
    "stablehlo.custom_call @test.fail(%n) {has_side_effect = true} : (tensor<i32>) -> ()\\n%m = stablehlo.remainder",
)
try:
    mlir_xla.compile(program)(np.int32(0))
except ValueError as error:
    say(error)
"""
        )
        == "no\n"
    )


def test_interrupt_reference():
    script = Script("exe, arguments = mlir_xla.compile(FOREVER, target='reference'), [np.int32(0)]" + INTERRUPTED)
    script.await_line("ready")
    script.interrupt()
    assert script.end() == (0, "interrupted\n", "")


def test_interrupt_emulated():
    """The loop is a kernel, which is launched again and again."""
    script = Script(
        "exe, arguments = mlir_xla.compile(FOREVER, target='cuda-emulated'), [np.int32(0)]\n"
        "assert 'gpu.func @loop(' in exe.stages['loops']\n" + INTERRUPTED
    )
    script.await_line("ready")
    script.interrupt()
    assert script.end() == (0, "interrupted\n", "")


@pytest.mark.parametrize("program", ["FOREVER.replace('%i = %x', '%i = %zero')", "large(3000)"], ids=["run", "compile"])
def test_xla_run(program, tmp_path: pathlib.Path):
    path = tmp_path / "program.mlir"
    path.write_text(run(f"say({program})"))
    script = Script(f"from mlir_xla.tools import run\nsay('ready')\nsys.exit(run.main([{str(path)!r}]))")
    script.await_line("ready")
    time.sleep(1)
    script.interrupt()
    status, out, err = script.end()
    assert (status, out) == (130, "")
    assert "Traceback" not in err


DAEMON = """
def work():
    {work}
threading.Thread(target=work, daemon=True).start()
time.sleep(0.5)
say("end")
"""


@pytest.mark.parametrize(
    ("setup", "work"),
    [
        ("exe = mlir_xla.compile(FOREVER)", "exe(np.int32(0))"),
        ("exe = mlir_xla.compile(sums(64, 10**11))", "exe(np.zeros(64, 'f'))"),
        ("exe = mlir_xla.compile(sums(2, 3))", "while True: exe(np.zeros(2, 'f'))"),
        ("mlir_xla.compile(sums(2, 3)); program = large(1000)", "mlir_xla.compile(program)"),
        ("program = sums(2, 3); mlir_xla.compile(program)", "while True: mlir_xla.compile(program)"),
        (
            "mlir_xla.register_custom_call('test.sleep', lambda x: (time.sleep(1), x)[1])\n"
            "exe = mlir_xla.compile('''func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
            "  %0 = stablehlo.custom_call @test.sleep(%x) : (tensor<f32>) -> tensor<f32>\n"
            "  return %0 : tensor<f32>\n}''')",
            "exe(np.float32(0))",
        ),
    ],
    ids=["loop", "parallel kernel", "many calls", "compilation", "many compilations", "custom call"],
)
def test_end_of_python(setup, work):
    """A daemon thread that runs a program at the end of Python brings nothing down."""
    for _ in range(3):
        assert run(setup + DAEMON.format(work=work)) == "end\n"


def test_programs_run_at_exit():
    """What `atexit` calls after the compiler's own function may run programs, and wait for threads."""
    script = """
import atexit
def late():
    thread.join()
    say(small(np.zeros(2, "f")).tolist())
import sys
assert "mlir_xla._mlir_libs._mlir" not in sys.modules
atexit.register(late)
small = mlir_xla.compile(sums(2, 3))
forever = mlir_xla.compile(FOREVER)
thread = threading.Thread(target=forever, args=[np.int32(0)], daemon=True)
thread.start()
time.sleep(0.3)
"""
    assert run(script) == "[3.0, 3.0]\n"


@pytest.mark.parametrize("busy", [False, True], ids=["alone", "beside another thread"])
def test_fork(busy):
    """A child runs programs after the parent has used the threads, also while another thread uses them."""
    script = """
exe = mlir_xla.compile(sums(64, 10**6))
x = np.zeros(64, "f")
expected = exe(x)
stop = False
def work():
    while not stop:
        exe(x)
thread = threading.Thread(target=work)
if BUSY:
    thread.start()
for _ in range(20):
    child = os.fork()
    if child == 0:
        ok = np.array_equal(exe(x), expected) and mlir_xla.compile(sums(2, 3))(np.zeros(2, "f"))[0] == 3
        os._exit(0 if ok else 1)
    _, status = os.waitpid(child, 0)
    assert status == 0, status
stop = True
"""
    assert run(script.replace("BUSY", str(busy))) == ""


def test_fork_beside_compilation():
    """Locks of another thread's compilation stay locked in the child, which therefore does not compile."""
    script = """
exe = mlir_xla.compile(sums(64, 10**6))
x = np.zeros(64, "f")
expected = exe(x)
program = large(1000)
thread = threading.Thread(target=lambda: mlir_xla.compile(program), daemon=True)
thread.start()
refused = False
while thread.is_alive() and not refused:
    time.sleep(0.2)  # until the thread has read the program and compiles
    child = os.fork()
    if child == 0:
        assert np.array_equal(exe(x), expected)
        try:
            mlir_xla.compile(sums(2, 3))
        except mlir_xla.ir.MLIRError as error:
            os._exit(3 if "was forked while another thread compiled" in str(error) else 4)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) in (0, 3), status
    refused = os.waitstatus_to_exitcode(status) == 3
say(refused)
"""
    assert run(script) == "True\n"
