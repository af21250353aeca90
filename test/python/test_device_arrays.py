# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in the memory of devices: made, given to programs, returned, given away, shared, refused."""

import os
import signal
import subprocess
import sys
import threading

import ml_dtypes
import numpy as np
import pytest

import mlir_xla
from mlir_xla import DeviceArray, device_put
from mlir_xla._mlir_libs._xla import compiler

EMULATED = "cuda-emulated"

AXPY = """
func.func @main(%a: tensor<f32>, %x: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> (tensor<5x7xf32>, tensor<5xf32>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<5x7xf32>
  %1 = stablehlo.multiply %0, %x : tensor<5x7xf32>
  %2 = stablehlo.add %1, %y : tensor<5x7xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  return %2, %3 : tensor<5x7xf32>, tensor<5xf32>
}
"""
NEGATE = """
func.func @main(%x: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %0 = stablehlo.negate %x : tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}
"""


@pytest.fixture(scope="module")
def axpy():
    return mlir_xla.compile(AXPY, target=EMULATED)


@pytest.fixture(scope="module")
def negate():
    return mlir_xla.compile(NEGATE, target=EMULATED)


def data(seed=0, shape=(5, 7)):
    return np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)


# === Devices ===


def test_devices():
    (device,) = mlir_xla.devices(EMULATED)
    assert device in mlir_xla.devices()
    assert isinstance(device, mlir_xla.Device)
    assert str(device) == "cuda-emulated:0" and device.kind == EMULATED and device.ordinal == 0
    assert repr(device) == f"<Device cuda-emulated:0: {device.name}>"
    assert device.compute_capability >= (8, 0) and device.multiprocessors > 0 and device.stream
    assert device == mlir_xla.devices(EMULATED)[0] and hash(device) == hash(mlir_xla.devices(EMULATED)[0])
    device.synchronize()


def test_devices_that_are_not_there():
    with pytest.raises(ValueError, match=r"unknown kind of devices 'cuda-emulatd'; .*did you mean 'cuda-emulated'\?"):
        mlir_xla.devices("cuda-emulatd")
    with pytest.raises(ValueError, match="'cuda:x' is no device"):
        device_put(1.0, "cuda:x")
    with pytest.raises(TypeError, match="neither a Device nor its name"):
        device_put(1.0, 0)
    with pytest.raises(RuntimeError, match=r"no device 7: '.*libcuda-emu.so' has 1"):
        device_put(1.0, "cuda-emulated:7")


# === Arrays ===


@pytest.mark.parametrize(
    "dtype",
    ["bool", "int8", "uint64", "float16", "float64", "complex128", ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, "int4"],
)
def test_arrays_come_back(dtype):
    dtype = np.dtype(getattr(ml_dtypes, dtype) if dtype == "int4" else dtype)
    for shape in [(), (0, 3), (4,), (3, 4, 5)]:
        array = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
        there = device_put(array, EMULATED)
        assert isinstance(there, DeviceArray)
        assert (there.shape, there.dtype, there.ndim, there.size) == (shape, dtype, len(shape), array.size)
        assert there.nbytes == array.nbytes and str(there.device) == "cuda-emulated:0"
        back = there.to_numpy()
        assert back.dtype == dtype and back.shape == shape and back.tobytes() == array.tobytes()
        back[...] = 0  # a copy
        assert there.to_numpy().tobytes() == array.tobytes()


def test_what_is_put():
    array = data(shape=(6, 8))
    assert np.array_equal(device_put(array[::2, ::-1], EMULATED).to_numpy(), array[::2, ::-1])
    assert np.array_equal(device_put(array.T, EMULATED).to_numpy(), array.T)
    assert np.array_equal(device_put(array.astype(">f4"), EMULATED).to_numpy(), array)
    assert device_put(3, EMULATED).to_numpy() == 3
    assert np.array_equal(device_put([1, 2], EMULATED).to_numpy(), [1, 2])
    there = device_put(array, mlir_xla.devices(EMULATED)[0])
    assert device_put(there, EMULATED) is there
    for wrong in ["text", None, np.array(["a"]), np.ma.masked_array([1.0], [True])]:
        with pytest.raises(TypeError):
            device_put(wrong, EMULATED)
    with pytest.raises(TypeError, match="no program computes with a datetime64"):
        device_put(np.array(["2020-01-01"], "M8[D]"), EMULATED)


def test_as_numpy():
    array = data()
    there = device_put(array, EMULATED)
    assert np.array_equal(np.asarray(there), array)
    assert np.asarray(there, np.float64).dtype == np.float64
    if int(np.__version__.split(".")[0]) >= 2:
        with pytest.raises(ValueError, match="without a copy"):
            np.asarray(there, copy=False)
    assert len(there) == 5
    with pytest.raises(TypeError):
        len(device_put(1.0, EMULATED))
    assert repr(there) == "DeviceArray(float32[5, 7] on cuda-emulated:0)"
    assert there.block_until_ready() is there


def test_a_deleted_array():
    there = device_put(data(), EMULATED)
    there.delete()
    assert there.is_deleted and repr(there) == "DeviceArray(float32[5, 7] on deleted)"
    for use in [there.to_numpy, there.block_until_ready, lambda: there.device, lambda: np.asarray(there)]:
        with pytest.raises(ValueError, match="the array is gone"):
            use()
    there.delete()


# === Programs ===


def test_results_stay(axpy, negate):
    x, y = data(1), data(2)
    expected = 2 * x + y
    first, second = axpy(2.0, device_put(x, EMULATED), y)
    assert isinstance(first, DeviceArray) and isinstance(second, DeviceArray)
    assert first.shape == (5, 7) and second.shape == (5,) and second.dtype == np.float32
    np.testing.assert_allclose(first.to_numpy(), expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(second.to_numpy(), expected.sum(1), rtol=1e-5)
    again = negate(negate(negate(first)))
    np.testing.assert_array_equal(again.to_numpy(), -first.to_numpy())
    # From the host to the host.
    result, _ = axpy(2.0, x, y)
    assert isinstance(result, np.ndarray) and np.array_equal(result, first.to_numpy())


def test_graphs_have_the_results(axpy):
    """The same addresses again and again: from the second time on, the program is launched as a graph."""
    x = device_put(data(1), EMULATED)
    for round in range(8):
        y = data(10 + round)
        first, second = axpy(float(round), x, y)
        expected = np.float32(round) * data(1) + y
        np.testing.assert_allclose(first.to_numpy(), expected, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(second.to_numpy(), expected.sum(1), rtol=1e-4, atol=1e-5)


def test_arrays_are_not_kept(negate):
    there = device_put(data(), EMULATED)
    result = negate(there)
    del there
    for _ in range(3):  # memory of what is gone
        negate(device_put(data(5), EMULATED))
    assert np.array_equal(result.to_numpy(), -data())


def test_donation(axpy, negate):
    x, y = device_put(data(1), EMULATED), device_put(data(2), EMULATED)
    first, _ = axpy(2.0, x, y, donate=[2])
    assert y.is_deleted and not x.is_deleted
    np.testing.assert_allclose(first.to_numpy(), 2 * data(1) + data(2), rtol=1e-6)
    with pytest.raises(ValueError, match="argument 0: the array is gone"):
        negate(y)
    state = x
    for _ in range(5):
        state = negate(state, donate=(0,))
    assert x.is_deleted and np.array_equal(state.to_numpy(), -data(1))
    # Nothing is taken of the host's arrays, on any target.
    array = data(3)
    assert np.array_equal(negate(array, donate=[0]), -array)
    for target in ("cpu", "reference"):
        assert np.array_equal(mlir_xla.compile(NEGATE, target=target)(array, donate=[0]), -array)
        with pytest.raises(ValueError, match="donate names argument 1 of 1 argument"):
            mlir_xla.compile(NEGATE, target=target)(array, donate=[1])
    for target in ("cpu", "reference"):
        with pytest.raises(TypeError, match="donate is 0, not a sequence of integers"):
            mlir_xla.compile(NEGATE, target=target)(array, donate=0)
    with pytest.raises(TypeError, match=r"donate\[0\] is 'x', not an integer"):
        negate(array, donate=["x"])


def test_what_does_not_fit(axpy, negate):
    x = device_put(data(), EMULATED)
    with pytest.raises(TypeError, match="takes 1 argument, got 2"):
        negate(x, x)
    with pytest.raises(TypeError, match=r"argument 0: expected a float32 array of shape \(5, 7\), got an int32"):
        negate(device_put(np.zeros((5, 7), np.int32), EMULATED))
    with pytest.raises(TypeError, match=r"argument 0: expected a float32 .*, got a float32 array of shape \(7, 5\)"):
        negate(device_put(data(shape=(7, 5)), EMULATED))
    with pytest.raises(TypeError, match="argument 2: expected a float32 array"):
        axpy(1.0, x, np.zeros((5, 7)))
    for target in ("cpu", "reference"):
        with pytest.raises(
            TypeError, match=r"argument 0: DeviceArray\(.* is not in the host's memory: give .*to_numpy"
        ):
            mlir_xla.compile(NEGATE, target=target)(x)
    with pytest.raises(TypeError, match="argument 0: the array is on cuda-emulated:0, and .* was compiled for cuda"):
        mlir_xla.compile(NEGATE, target="cuda")(x)


COLUMNS = "#xla.layout<minor_to_major = [0, 1]>"
PADDED = "#xla.layout<minor_to_major = [1, 0], padded = [4, 5]>"


@pytest.mark.parametrize("layout", [COLUMNS, PADDED])
def test_layouts(layout):
    """Results lie as their types say, and programs that want them so take them."""
    plain, laid = "tensor<3x4xf32>", f"tensor<3x4xf32, {layout}>"
    to = mlir_xla.compile(
        f"func.func @main(%x: {plain}) -> {laid} {{ %0 = xla.reshape %x : ({plain}) -> {laid} return %0 : {laid} }}",
        target=EMULATED,
    )
    back = mlir_xla.compile(
        f"func.func @main(%x: {laid}) -> {plain} {{ %0 = xla.reshape %x : ({laid}) -> {plain} return %0 : {plain} }}",
        target=EMULATED,
    )
    array = data(shape=(3, 4))
    there = to(device_put(array, EMULATED))
    assert there.strides == ((4, 12) if layout == COLUMNS else (20, 4))
    assert np.array_equal(there.to_numpy(), array) and there.to_numpy().strides == there.strides
    assert np.array_equal(back(there).to_numpy(), array)
    with pytest.raises(
        TypeError, match="argument 0: the elements lie in row-major order, and the program wants them at"
    ):
        back(device_put(array, EMULATED))
    with pytest.raises(TypeError, match="argument 0: the elements lie at the strides .* wants them in row-major order"):
        to(there)


def test_programs_with_checks():
    program = """
    func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %0 = stablehlo.add %x, %x : tensor<3xf32>
      check.expect_eq_const %0, dense<[2.0, 4.0, 6.0]> : tensor<3xf32>
      return %0 : tensor<3xf32>
    }
    """
    double = mlir_xla.compile(program, target=EMULATED)
    good = device_put(np.array([1, 2, 3], np.float32), EMULATED)
    assert np.array_equal(double(good).to_numpy(), [2, 4, 6])
    with pytest.raises(mlir_xla.reference.CheckError):
        double(device_put(np.array([1, 2, 4], np.float32), EMULATED))


LONG = """
func.func @main(%n: tensor<i64>) -> tensor<i64> {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %0 = stablehlo.while(%i = %zero) : tensor<i64>
  cond {
    %go = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i64>
    stablehlo.return %next : tensor<i64>
  }
  return %0 : tensor<i64>
}
"""


def test_an_interrupt():
    count = mlir_xla.compile(LONG, target=EMULATED)
    assert count(device_put(np.int64(7), EMULATED)).to_numpy() == 7

    def interrupt(number, frame):
        raise InterruptedError("enough")

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        endless = device_put(np.int64(2**62), EMULATED)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(InterruptedError, match="enough"):
            count(endless)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert count(device_put(np.int64(7), EMULATED)).to_numpy() == 7


def test_custom_calls():
    seen = []

    def function(array):
        seen.append(array.copy())
        if array[0] < 0:
            raise LookupError("negative")
        return array + 1

    mlir_xla.register_custom_call("test.device", function)
    try:
        program = mlir_xla.compile(
            """
            func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
              %0 = stablehlo.add %x, %x : tensor<3xf32>
              %1 = stablehlo.custom_call @test.device(%0) : (tensor<3xf32>) -> tensor<3xf32>
              %2 = stablehlo.add %1, %x : tensor<3xf32>
              return %2 : tensor<3xf32>
            }
            """,
            target=EMULATED,
        )
        for _ in range(3):
            result = program(device_put(np.array([1, 2, 3], np.float32), EMULATED))
            assert np.array_equal(result.to_numpy(), [4, 7, 10])
        assert len(seen) == 3 and np.array_equal(seen[0], [2, 4, 6])
        with pytest.raises(LookupError, match="negative"):
            program(device_put(np.array([-1, 2, 3], np.float32), EMULATED))
    finally:
        mlir_xla.register_custom_call("test.device", None)


def test_threads(axpy):
    shared = device_put(data(1), EMULATED)
    failures = []

    def run(seed):
        for round in range(10):
            y = data(100 * seed + round)
            first, _ = axpy(float(seed), shared, device_put(y, EMULATED), donate=[2])
            if not np.allclose(first.to_numpy(), seed * data(1) + y, rtol=1e-5, atol=1e-6):
                failures.append((seed, round))

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


LITTLE_MEMORY = """
import sys
import numpy as np
import mlir_xla
large = np.ones((100, 500), np.float32)
program = mlir_xla.compile(sys.argv[1], target="cuda-emulated")
assert program.arena_size > 1000000
there = mlir_xla.device_put(large, "cuda-emulated")
for arguments in (there, large):
    try:
        program(arguments)
    except MemoryError as error:
        assert "bytes of memory for what the program's kernels hand on, of which" in str(error), error
    else:
        raise AssertionError
assert np.array_equal(there.to_numpy(), large)
spread = mlir_xla.compile(sys.argv[2], target="cuda-emulated")
small, huge = mlir_xla.device_put(np.float32(1), "cuda-emulated"), np.ones((500, 500), np.float32)
for arguments, expected in (
    ((small, large[0]), "result 0: "),
    ((np.float32(1), large[0]), "result 0: "),
    ((small, huge), "argument 1: "),
    ((np.float32(1), huge), "argument 1: "),
):
    program = spread if "result" in expected else mlir_xla.compile(sys.argv[3], target="cuda-emulated")
    try:
        program(*arguments)
    except MemoryError as error:
        assert str(error).startswith(expected) and "cannot allocate 1000000 bytes of memory, of which" in str(error)
    else:
        raise AssertionError(expected)
print("ok")
"""
PRODUCTS = """
func.func @main(%x: tensor<100x500xf32>) -> tensor<f32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0]
      : (tensor<100x500xf32>, tensor<100x500xf32>) -> tensor<500x500xf32>
  %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0]
      : (tensor<500x500xf32>, tensor<500x500xf32>) -> tensor<500x500xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<500x500xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
"""

SPREAD = """
func.func @main(%a: tensor<f32>, %x: tensor<500xf32>) -> tensor<500x500xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<500xf32>) -> tensor<500x500xf32>
  %1 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<500x500xf32>
  %2 = stablehlo.add %0, %1 : tensor<500x500xf32>
  return %2 : tensor<500x500xf32>
}
"""
SHIFTED = """
func.func @main(%a: tensor<f32>, %x: tensor<500x500xf32>) -> tensor<500x500xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<500x500xf32>
  %1 = stablehlo.add %0, %x : tensor<500x500xf32>
  return %1 : tensor<500x500xf32>
}
"""


def test_too_little_memory():
    with pytest.raises(MemoryError, match=r"\(cuda:0\): cannot allocate \d+ bytes"):
        compiler.DeviceMemory(mlir_xla.devices(EMULATED)[0], 1 << 45)
    environment = {**os.environ, "CUDA_EMU_MEMORY": "900000"}
    command = [sys.executable, "-c", LITTLE_MEMORY, PRODUCTS, SPREAD, SHIFTED]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0 and run.stdout == "ok\n", run.stderr


# === Other libraries ===


def test_the_emulated_device_is_nobody_elses():
    there = device_put(data(), EMULATED)
    for share in [there.__dlpack__, there.__dlpack_device__]:
        with pytest.raises(BufferError, match=r"no other library knows the device cuda-emulated:0; use to_numpy\(\)"):
            share()
    assert not hasattr(there, "__cuda_array_interface__")
    assert np.array_equal(np.from_dlpack(HostOnly(there)), data())


class HostOnly:
    """Asks for a copy on the host, as `numpy.from_dlpack(x, device="cpu")` does."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **arguments):
        return self.array.__dlpack__(dl_device=(1, 0), **{k: v for k, v in arguments.items() if k == "max_version"})


# Run with a driver that is taken for NVIDIA's, so that what is shared can be looked at.
SHARING = """
import gc, sys
import ml_dtypes, numpy as np
import mlir_xla
from mlir_xla import _arrays, device_put

array = np.arange(35, dtype=np.float32).reshape(5, 7)
there = device_put(array)
assert str(there.device) == "cuda:0" and there.device in mlir_xla.devices("cuda")
assert there.__dlpack_device__() == (2, 0)

class Tensor:
    # A library's tensor that has only what DLPack asks for.
    def __init__(self, array, old=False):
        self.array, self.old, self.asked = array, old, []
    def __dlpack_device__(self):
        return self.array.__dlpack_device__()
    def __dlpack__(self, *, stream=None, **more):
        if self.old and more:
            raise TypeError("unexpected keyword")
        self.asked.append(stream)
        return self.array.__dlpack__(stream=stream, **more)

class Interface:
    def __init__(self, array, **changes):
        self.kept = array
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__, **changes}

negate = mlir_xla.compile('''
func.func @main(%x: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %0 = stablehlo.negate %x : tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}
''', target="cuda")
for old in (False, True):
    tensor = Tensor(there, old)
    result = negate(tensor)
    assert tensor.asked == [there.device.stream]
    assert np.array_equal(result.to_numpy(), -array)
    shared = device_put(tensor)
    assert shared._memory.address == there._memory.address
interface = there.__cuda_array_interface__
assert interface["shape"] == (5, 7) and interface["typestr"] == "<f4" and interface["version"] == 3
assert interface["data"] == (there._memory.address, False) and interface["strides"] is None
assert interface["stream"] == there.device.stream
assert np.array_equal(negate(Interface(there)).to_numpy(), -array)
assert np.array_equal(negate(Interface(there, strides=(28, 4), stream=1)).to_numpy(), -array)

def fails(kind, part, call):
    try:
        call()
    except kind as error:
        assert part in str(error), error
    else:
        raise AssertionError(part)

fails(TypeError, "argument 0: the array is not contiguous", lambda: negate(Interface(there, strides=(4, 20))))
fails(TypeError, "masked", lambda: negate(Interface(there, mask=there)))
integers = Interface(there, typestr="<i4")
fails(TypeError, "argument 0: expected a float32 array of shape (5, 7), got an int32", lambda: negate(integers))
crooked = Interface(there, data=(there._memory.address + 2, False))
fails(TypeError, "argument 0: the array's memory is not aligned", lambda: negate(crooked))
fails(BufferError, "not on DLPack's device (2, 1)", lambda: there.__dlpack__(dl_device=(2, 1)))
fails(BufferError, "shared, not copied", lambda: there.__dlpack__(copy=True))
nibbles = device_put(np.array([1, 2], ml_dtypes.int4))
fails(BufferError, "since version 1.1", nibbles.__dlpack__)
assert not hasattr(nibbles, "__cuda_array_interface__")
for dtype in (ml_dtypes.int4, ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, "complex64", "bool"):
    some = device_put(np.array([1, 0], dtype))
    memory = _arrays.Imported(some.__dlpack__(max_version=(1, 1)))
    assert memory.dtype() == np.dtype(dtype), (memory.dtype(), dtype)
on_host = mlir_xla.compile(sys.argv[1])
fails(TypeError, "on device (2, 0), not in the host's memory", lambda: on_host(Tensor(there)))

# Capsules keep the memory, used or not.
capsule = there.__dlpack__()
used = _arrays.Imported(there.__dlpack__())
address = there._memory.address
there.delete()
gc.collect()
assert device_put(array)._memory.address != address
del capsule, used, shared, tensor, result
gc.collect()
print("ok")
"""


def emulator():
    """The emulator's library: of a package, or of the build."""
    library = mlir_xla.__path__[0] + "/_mlir_libs/libcuda-emu.so"
    if not os.path.exists(library):
        library = os.path.join(os.path.dirname(loaded("libxla_rt_cuda.so")), "libcuda-emu.so")
    return library


@pytest.mark.parametrize("sync", ["0", "1"])
def test_sharing(sync):
    environment = {**os.environ, "XLA_RT_CUDA_LIBRARY": emulator(), "XLA_RT_CUDA_SYNC": sync}
    command = [sys.executable, "-c", SHARING, NEGATE]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0 and run.stdout == "ok\n", run.stderr


def loaded(name):
    with open("/proc/self/maps") as maps:
        return next(line.split(maxsplit=5)[5].strip() for line in maps if name in line)


def test_without_a_driver():
    script = """
from mlir_xla import device_put, devices
assert all(device.kind != "cuda" for device in devices())
for call in [lambda: devices("cuda"), lambda: device_put(1.0), lambda: device_put(1.0, "cuda:1")]:
    try:
        call()
    except RuntimeError as error:
        assert "libnobody-has-this.so" in str(error) and "no driver" in str(error), error
    else:
        raise AssertionError
print("ok")
"""
    environment = {**os.environ, "XLA_RT_CUDA_LIBRARY": "libnobody-has-this.so"}
    run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0 and run.stdout == "ok\n", run.stderr
