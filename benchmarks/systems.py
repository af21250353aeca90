# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The systems that are compared, behind one face: compile a program's StableHLO text, then call it.

Compile times exclude tracing: every system starts from StableHLO and ends with something that can be called.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

import jax
import numpy as np
from program import Program


class System(Protocol):
    """A way to run StableHLO."""

    name: str

    def compile(self, program: Program, text: str, arguments: Sequence[np.ndarray]) -> float:
        """Compiles from nothing, as no earlier compilation had happened; returns seconds."""

    def on_device(self) -> Callable[[], object]:
        """A call on inputs that are already where the system wants them; results are finished, but stay there."""

    def from_numpy(self) -> Callable[[], object]:
        """A call from NumPy arrays to NumPy arrays."""

    def results(self) -> list[np.ndarray]:
        """The results of one call."""


class MlirXla:
    """This project. Its inputs are NumPy arrays, read in place, so both ways of calling are one."""

    name = "mlir_xla"

    def __init__(self) -> None:
        import mlir_xla

        self._package = mlir_xla
        self._executable = None
        self._arguments: Sequence[np.ndarray] = ()

    def version(self) -> str:
        """The package's version."""
        return str(getattr(self._package, "__version__", "unknown"))

    def compile(self, program: Program, text: str, arguments: Sequence[np.ndarray]) -> float:
        self._arguments = arguments
        start = time.perf_counter()
        self._executable = self._package.compile(text)
        return time.perf_counter() - start

    def on_device(self) -> Callable[[], object]:
        executable, arguments = self._executable, self._arguments
        return lambda: executable(*arguments)

    def from_numpy(self) -> Callable[[], object]:
        executable, arguments = self._executable, self._arguments
        return lambda: jax.tree.map(np.asarray, executable(*arguments))

    def results(self) -> list[np.ndarray]:
        found = self._executable(*self._arguments)
        return [np.asarray(each) for each in (found if isinstance(found, (list, tuple)) else [found])]


class Xla:
    """XLA:CPU as JAX users meet it: `jax.jit` of the function, lowered by JAX for the CPU."""

    name = "xla"

    def __init__(self) -> None:
        self._function: Callable[..., object] = lambda: None
        self._arrays: list[jax.Array] = []
        self._numpy: Sequence[np.ndarray] = ()
        self._x64 = False

    def version(self) -> str:
        """The version of the library that holds XLA."""
        import jaxlib

        return f"jaxlib {jaxlib.__version__}"

    def compile(self, program: Program, text: str, arguments: Sequence[np.ndarray]) -> float:
        jax.clear_caches()
        self._numpy, self._x64 = arguments, program.x64
        with jax.enable_x64(program.x64):
            self._arrays = [jax.device_put(each) for each in arguments]
            self._function = program.jitted()
            lowered = self._function.lower(*self._arrays)
            start = time.perf_counter()
            lowered.compile()
            seconds = time.perf_counter() - start
            jax.block_until_ready(self._function(*self._arrays))
        return seconds

    def on_device(self) -> Callable[[], object]:
        function, arrays = self._function, self._arrays
        return self._scoped(lambda: jax.block_until_ready(function(*arrays)))

    def from_numpy(self) -> Callable[[], object]:
        function, arrays = self._function, self._numpy
        return self._scoped(lambda: jax.tree.map(np.asarray, function(*arrays)))

    def _scoped(self, call: Callable[[], object]) -> Callable[[], object]:
        if not self._x64:
            return call

        def scoped() -> object:
            with jax.enable_x64(True):
                return call()

        return scoped

    def results(self) -> list[np.ndarray]:
        return [np.asarray(each) for each in jax.tree.leaves(self.on_device()())]


class XlaText:
    """XLA:CPU on the very text that this project gets, through JAX's private client.

    Differs from `Xla` where JAX lowers a primitive otherwise for the CPU than for a platform it does not know (a
    cumulative sum, for one), and serves as a null experiment: against `xla` its ratios must be near one.
    """

    name = "xla-text"

    def __init__(self) -> None:
        self._executable = None
        self._arrays: list[jax.Array] = []
        self._numpy: Sequence[np.ndarray] = ()

    def version(self) -> str:
        """The version of the library that holds XLA."""
        return Xla().version()

    def compile(self, program: Program, text: str, arguments: Sequence[np.ndarray]) -> float:
        from jax._src import xla_bridge
        from jax._src.lib import xla_client

        client = xla_bridge.get_backend("cpu")
        devices = xla_client.DeviceList(tuple(client.local_devices()[:1]))
        self._numpy = arguments
        with jax.enable_x64(program.x64):
            self._arrays = [jax.device_put(each) for each in arguments]
        start = time.perf_counter()
        self._executable = client.compile_and_load(text, devices, xla_client.CompileOptions())
        return time.perf_counter() - start

    def on_device(self) -> Callable[[], object]:
        executable, arrays = self._executable, self._arrays
        return lambda: jax.block_until_ready(executable.execute(arrays))

    def from_numpy(self) -> Callable[[], object]:
        executable, arrays = self._executable, self._numpy
        return lambda: [np.asarray(each) for each in executable.execute([jax.device_put(each) for each in arrays])]

    def results(self) -> list[np.ndarray]:
        return [np.asarray(each) for each in self.on_device()()]


SYSTEMS: dict[str, Callable[[], System]] = {"mlir_xla": MlirXla, "xla": Xla, "xla-text": XlaText}
