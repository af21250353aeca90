# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The systems that are compared, behind one face: load a program, compile it, call it.

Compile times exclude tracing: every system starts from StableHLO and ends with something that can be called.
"""

from __future__ import annotations

import functools
import platform
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Protocol

import isa
import jax
import ml_dtypes
import numpy as np
from environment import Unavailable, cuda_environment, newest_environment, torch_environment
from measure import aligned, sample
from program import Program
from programs import PROGRAMS
from torch_forms import FORMS
from worker import Remote


class System(Protocol):
    """A way to run a program, in this process or in another."""

    name: str

    def version(self) -> str:
        """The version of what is measured, and of the Python it runs under."""

    def load(self, name: str, text: str, arguments: Sequence[np.ndarray]) -> None:
        """Forgets the program before and takes the next one, by its name and as text, with its inputs."""

    def compile(self) -> float:
        """Compiles from nothing, as no earlier compilation had happened; returns seconds."""

    def results(self) -> list[np.ndarray]:
        """The results of one call."""

    def sample(self, repeats: int, numpy: bool = False) -> float:
        """Seconds per call, the mean of so many.

        Inputs are where the system wants them and finished results stay there, or (`numpy`) both are NumPy arrays.
        """

    def streamed(self, repeats: int) -> float:
        """Seconds per call of so many, of which only the last is waited for: on a GPU, the time of its kernels, or of
        enqueuing them if that is longer."""

    def memory(self) -> int | None:
        """Bytes for intermediate values, beside arguments and results; none if the system does not tell."""

    def close(self) -> None:
        """Lets go of what the system holds."""


class Local(ABC):
    """A system in this process."""

    _name = ""
    _text = ""
    _arguments: Sequence[np.ndarray] = ()

    def load(self, name: str, text: str, arguments: Sequence[np.ndarray]) -> None:
        self._name, self._text, self._arguments = name, text, [aligned(each) for each in arguments]

    @abstractmethod
    def on_device(self) -> Callable[[], object]:
        """A call on inputs that are already where the system wants them; results are finished, but stay there."""

    @abstractmethod
    def from_numpy(self) -> Callable[[], object]:
        """A call from NumPy arrays to NumPy arrays."""

    def results(self) -> list[np.ndarray]:
        return [np.asarray(each) for each in jax.tree.leaves(self.on_device()())]

    def sample(self, repeats: int, numpy: bool = False) -> float:
        return sample(self.from_numpy() if numpy else self.on_device(), repeats)

    def enqueued(self) -> tuple[Callable[[], object], Callable[[object], object]]:
        """A call that may return before its results are there, and what waits for those."""
        return self.on_device(), lambda results: results

    def streamed(self, repeats: int) -> float:
        call, wait = self.enqueued()

        def all_calls() -> None:
            for _ in range(repeats - 1):
                call()
            wait(call())

        return sample(all_calls, 1) / repeats

    def memory(self) -> int | None:
        return None

    def close(self) -> None:
        self._text, self._arguments = "", ()


class MlirXla(Local):
    """This project. Its inputs are NumPy arrays, read in place, so both ways of calling are one."""

    name = "mlir_xla"

    def __init__(self) -> None:
        import mlir_xla

        self._package = mlir_xla
        self._executable = None

    def version(self) -> str:
        return str(getattr(self._package, "__version__", "unknown"))

    def compile(self) -> float:
        start = time.perf_counter()
        self._executable = self._package.compile(self._text, **isa.options())
        return time.perf_counter() - start

    def memory(self) -> int | None:
        return self._executable.arena_size

    def on_device(self) -> Callable[[], object]:
        executable, arguments = self._executable, self._arguments
        return lambda: executable(*arguments)

    def from_numpy(self) -> Callable[[], object]:
        executable, arguments = self._executable, self._arguments
        return lambda: jax.tree.map(np.asarray, executable(*arguments))


class MlirXlaCuda(MlirXla):
    """This project on a GPU, whose memory has the inputs and keeps the results."""

    name = "mlir_xla-cuda"

    def __init__(self) -> None:
        super().__init__()
        self._device = self._package.devices("cuda")[0]
        self._arrays: list = []

    def version(self) -> str:
        return f"{super().version()} on {self._device.name}"

    def load(self, name: str, text: str, arguments: Sequence[np.ndarray]) -> None:
        super().load(name, text, arguments)
        self._arrays = [self._package.device_put(each, self._device) for each in self._arguments]

    def compile(self) -> float:
        """As far as code that the GPU has: the first execution loads it."""
        start = time.perf_counter()
        self._executable = self._package.compile(self._text, target="cuda")
        self.on_device()()
        return time.perf_counter() - start

    def on_device(self) -> Callable[[], object]:
        executable, arrays, device = self._executable, self._arrays, self._device

        def call() -> object:
            results = executable(*arrays)
            device.synchronize()
            return results

        # Without arguments, nothing says that results are to stay there.
        return call if arrays else self.from_numpy()

    def enqueued(self) -> tuple[Callable[[], object], Callable[[object], object]]:
        executable, arrays, device = self._executable, self._arrays, self._device
        return lambda: executable(*arrays), lambda results: device.synchronize()

    def close(self) -> None:
        super().close()
        self._arrays = []


class Xla(Local):
    """XLA as JAX users meet it: `jax.jit` of the function, lowered by JAX for the CPU, or for whatever `JAX_PLATFORMS`
    names where this is a process of its own."""

    name = "xla"

    def __init__(self) -> None:
        self._function: Callable[..., object] = lambda: None
        self._arrays: list[jax.Array] = []
        self._x64 = False
        self._memory: int | None = None

    def version(self) -> str:
        import jaxlib

        return f"jaxlib {jaxlib.__version__} (Python {platform.python_version()})"

    def load(self, name: str, text: str, arguments: Sequence[np.ndarray]) -> None:
        super().load(name, text, arguments)
        self._x64 = PROGRAMS[name].x64
        with jax.enable_x64(self._x64):
            self._arrays = [jax.device_put(each) for each in self._arguments]

    def compile(self) -> float:
        jax.clear_caches()
        with jax.enable_x64(self._x64):
            self._function = PROGRAMS[self._name].jitted()
            lowered = self._function.lower(*self._arrays)
            start = time.perf_counter()
            compiled = lowered.compile()
            seconds = time.perf_counter() - start
            self._memory = compiled.memory_analysis().temp_size_in_bytes
            jax.block_until_ready(self._function(*self._arrays))
        return seconds

    def memory(self) -> int | None:
        return self._memory

    def on_device(self) -> Callable[[], object]:
        function, arrays = self._function, self._arrays
        return self._scoped(lambda: jax.block_until_ready(function(*arrays)))

    def enqueued(self) -> tuple[Callable[[], object], Callable[[object], object]]:
        function, arrays = self._function, self._arrays
        return self._scoped(lambda: function(*arrays)), jax.block_until_ready

    def from_numpy(self) -> Callable[[], object]:
        function, arrays = self._function, self._arguments
        return self._scoped(lambda: jax.tree.map(np.asarray, function(*arrays)))

    def _scoped(self, call: Callable[[], object]) -> Callable[[], object]:
        if not self._x64:
            return call

        def scoped() -> object:
            with jax.enable_x64(True):
                return call()

        return scoped


class XlaText(Local):
    """XLA:CPU on the very text that this project gets, through JAX's private client.

    Differs from `Xla` where JAX lowers a primitive otherwise for the CPU than for a platform it does not know (a
    cumulative sum, for one), and serves as a null experiment: against `xla` its ratios must be near one.
    """

    name = "xla-text"

    def __init__(self) -> None:
        self._executable = None
        self._arrays: list[jax.Array] = []

    def version(self) -> str:
        return Xla().version()

    def load(self, name: str, text: str, arguments: Sequence[np.ndarray]) -> None:
        super().load(name, text, arguments)
        with jax.enable_x64(PROGRAMS[name].x64):
            self._arrays = [jax.device_put(each) for each in self._arguments]

    def compile(self) -> float:
        from jax._src import xla_bridge
        from jax._src.lib import xla_client

        client = xla_bridge.get_backend("cpu")
        devices = xla_client.DeviceList(tuple(client.local_devices()[:1]))
        start = time.perf_counter()
        self._executable = client.compile_and_load(self._text, devices, xla_client.CompileOptions())
        return time.perf_counter() - start

    def on_device(self) -> Callable[[], object]:
        executable, arrays = self._executable, self._arrays
        return lambda: jax.block_until_ready(executable.execute(arrays))

    def from_numpy(self) -> Callable[[], object]:
        executable, arrays = self._executable, self._arguments
        return lambda: [np.asarray(each) for each in executable.execute([jax.device_put(each) for each in arrays])]


class NumPy(Local):
    """NumPy with its OpenBLAS, for programs that say what they are in NumPy."""

    name = "numpy"

    def version(self) -> str:
        blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
        return f"{np.__version__} with {blas['name']} {blas['version']} (Python {platform.python_version()})"

    def compile(self) -> float:
        return 0.0

    def on_device(self) -> Callable[[], object]:
        function, arguments = PROGRAMS[self._name].numpy, self._arguments
        return lambda: function(*arguments)

    from_numpy = on_device


class Torch(Local):
    """PyTorch on the CPU as its users call it, for programs that have a form there (`torch_forms.py`)."""

    name = "torch"

    def __init__(self) -> None:
        import torch

        self._torch = torch
        self._function: Callable[..., object] = lambda: None
        self._tensors: list = []

    def version(self) -> str:
        return f"{self._torch.__version__} (Python {platform.python_version()})"

    def load(self, name: str, text: str, arguments: Sequence[np.ndarray]) -> None:
        super().load(name, text, arguments)
        self._tensors = [self._tensor(each) for each in self._arguments]

    def compile(self) -> float:
        self._function = functools.partial(FORMS[self._name], self._torch)
        return 0.0

    def results(self) -> list[np.ndarray]:
        return [self._array(each) for each in jax.tree.leaves(self.on_device()())]

    def on_device(self) -> Callable[[], object]:
        function, tensors, torch = self._function, self._tensors, self._torch

        def call() -> object:
            with torch.inference_mode():
                return function(*tensors)

        return call

    # Tensors are where NumPy's arrays are.
    from_numpy = on_device

    def _tensor(self, array: np.ndarray):
        if array.dtype == ml_dtypes.bfloat16:
            return self._torch.from_numpy(array.view(np.int16)).view(self._torch.bfloat16)
        return self._torch.from_numpy(array)

    def _array(self, tensor) -> np.ndarray:
        """As the others have it: numbers of elements and places are of 32 bits there."""
        if tensor.dtype == self._torch.bfloat16:
            return tensor.contiguous().view(self._torch.int16).numpy().view(ml_dtypes.bfloat16)
        return tensor.to(self._torch.int32).numpy() if tensor.dtype == self._torch.int64 else tensor.numpy()


class TorchCompiled(Torch):
    """The same by `torch.compile`."""

    name = "torch-compiled"

    def version(self) -> str:
        return f"{super().version()}, torch.compile"

    def compile(self) -> float:
        self._torch._dynamo.reset()
        self._function = self._torch.compile(functools.partial(FORMS[self._name], self._torch), dynamic=False)
        start = time.perf_counter()
        self.on_device()()
        return time.perf_counter() - start


_environment = functools.cache(newest_environment)


def _newest_numpy() -> Remote:
    """In a process of its own, with threads of its own; the newest one if there is a place for it."""
    try:
        return Remote("numpy", "numpy", _environment())
    except Unavailable:
        return Remote("numpy", "numpy")


def _xla_cuda() -> Remote:
    # Sums of f32 products as everybody else has them, not of tf32; memory is left for others.
    settings = {
        "JAX_PLATFORMS": "cuda",
        "JAX_DEFAULT_MATMUL_PRECISION": "highest",
        "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
    }
    return Remote("xla-cuda", "xla", cuda_environment(), settings)


def _torch(name: str) -> Remote:
    # GNU's threads spin after a loop, by default for about a millisecond in which the next system is measured.
    return Remote(name, name, torch_environment(), {"GOMP_SPINCOUNT": "20000"})


#: Which programs a system can run; one that is not here runs all.
CAN_RUN: dict[str, Callable[[Program], bool]] = {
    "numpy": lambda program: program.numpy is not None,
    "torch": lambda program: program.name in FORMS,
    "torch-compiled": lambda program: program.name in FORMS,
}

# What a process can be, this one or a worker.
LOCAL: dict[str, Callable[[], System]] = {
    each.name: each for each in (MlirXla, MlirXlaCuda, Xla, XlaText, NumPy, Torch, TorchCompiled)
}
SYSTEMS: dict[str, Callable[[], System]] = LOCAL | {
    "xla-newest": lambda: Remote("xla-newest", "xla", _environment()),
    "xla-cuda": _xla_cuda,
    "xla-process": lambda: Remote("xla-process", "xla"),
    "numpy": _newest_numpy,
    "torch": lambda: _torch("torch"),
    "torch-compiled": lambda: _torch("torch-compiled"),
}
