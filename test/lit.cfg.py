# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configuration of the lit tests.

A tool or package that the build is asked for is there, or its tests fail. `xla-run` is a feature of builds with the
Python package. LLVM's own tools (FileCheck, not, split-file, mlir-opt) come from the LLVM that the project was built
with.
"""

import glob
import os
import shutil
import sysconfig

import lit.formats

# Both are put into this file's namespace by lit.
config: "lit.TestingConfig.TestingConfig"
lit_config: "lit.LitConfig.LitConfig"

config.name = "mlir-xla"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
# Inputs are read by tests; `python` is pytest's.
config.excludes = ["Inputs", "programs", "python"]
config.test_source_root = os.path.join(config.xla_source_dir, "test")
config.test_exec_root = os.path.join(config.xla_build_dir, "test")

# A Python that is not instrumented loads an extension that is: the sanitizers' runtime has to be there first.
if config.sanitizer_runtime:
    config.python_executable = f"env LD_PRELOAD={config.sanitizer_runtime} {config.python_executable}"

# `make test-gpu-checked`: programs of the emulated GPU run in checked mode, and what was looked at is written down.
CHECKED = ("CUDA_EMU_CHECK", "CUDA_EMU_JOURNAL")

bin_dir = os.path.join(config.xla_build_dir, "bin")
config.environment["PATH"] = os.pathsep.join([bin_dir, config.llvm_tools_dir, config.environment.get("PATH", "")])
for name in ("HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "LD_PRELOAD", "MLIR_XLA_CACHE_DIR", *CHECKED):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# Compilations verify the IR after each pass, as xla-opt does anyway.
config.environment["MLIR_XLA_VERIFY_EACH"] = os.environ.get("MLIR_XLA_VERIFY_EACH", "1")

if config.has_python_package:
    config.environment["PYTHONPATH"] = os.path.join(config.xla_build_dir, "python")
    # A script of the package, which needs no installation.
    config.available_features.add("xla-run")
    config.substitutions.append((r"\bxla-run\b", f"{config.python_executable} -m mlir_xla.tools.run"))

# NVIDIA's declarations of the driver, of the package nvidia-cuda-runtime.
for header in glob.glob(os.path.join(sysconfig.get_path("purelib"), "nvidia", "*", "include", "cuda.h")):
    config.available_features.add("cuda-header")
    config.substitutions.append(("%cuda_header", os.path.dirname(header)))

# NVIDIA's assembler, which takes the tests' PTX too where it is.
ptxas = glob.glob(os.path.join(sysconfig.get_path("purelib"), "nvidia", "*", "bin", "ptxas"))
for path in [*ptxas, shutil.which("ptxas")]:
    if path and os.access(path, os.X_OK) and "ptxas" not in config.available_features:
        config.available_features.add("ptxas")
        config.substitutions.append(("%ptxas", path))

# `lit -Dcuda=1`: the programs that tests run on the emulated GPU run on a real one.
if lit_config.params.get("cuda"):
    config.substitutions.append(("--target=cuda-emulated", "--target=cuda"))
    for name in ("XLA_RT_CUDA_LIBRARY", "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH"):
        if name in os.environ:
            config.environment[name] = os.environ[name]

config.substitutions.append(("%PYTHON", config.python_executable))
config.substitutions.append(("%source", config.xla_source_dir))
config.substitutions.append(("%build", config.xla_build_dir))
