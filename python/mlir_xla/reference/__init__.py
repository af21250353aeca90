# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference interpreter: evaluates a program op by op in NumPy, written for clarity from the specification.

It shares nothing with the compiler and is the oracle of its tests. ``run(module, args)`` evaluates ``@main``;
``Interpreter(module, custom_calls=...)`` keeps the module and takes implementations of custom calls.
"""

from ._interpreter import TOKEN, Interpreter, InterpreterError, run
from .checks import CheckError

__all__ = ["TOKEN", "CheckError", "Interpreter", "InterpreterError", "run"]
