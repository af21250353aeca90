# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configuration of the lit tests.

Tools that were built are found in the build's bin folder and are features of the same name, so that a test can say
`REQUIRES: xla-reduce`. `python-bindings` and `xla-run` are features when the package was built. LLVM's own tools
(FileCheck, not, split-file, mlir-opt) come from the LLVM that the project was built with.
"""

import os
import platform
import shutil

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
    config.available_features.add("sanitizers")

bin_dir = os.path.join(config.xla_build_dir, "bin")
config.environment["PATH"] = os.pathsep.join([bin_dir, config.llvm_tools_dir, config.environment.get("PATH", "")])
for name in ("HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "LD_PRELOAD", "MLIR_XLA_CACHE_DIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

for tool in sorted(os.listdir(bin_dir)) if os.path.isdir(bin_dir) else []:
    if tool.startswith("xla-"):
        config.available_features.add(tool)

package_dir = os.path.join(config.xla_build_dir, "python")
if os.path.isdir(os.path.join(package_dir, "mlir_xla")):
    config.available_features.add("python-bindings")
    config.environment["PYTHONPATH"] = package_dir
    # A script of the package, which needs no installation.
    config.available_features.add("xla-run")
    config.substitutions.append((r"\bxla-run\b", f"{config.python_executable} -m mlir_xla.tools.run"))

if shutil.which("nvidia-smi") and os.path.exists("/dev/nvidia0"):
    config.available_features.add("gpu")
config.available_features.add(f"host-{platform.machine()}")

config.substitutions.append(("%PYTHON", config.python_executable))
config.substitutions.append(("%source", config.xla_source_dir))
