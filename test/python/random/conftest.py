# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many random cases run: few and always the same by default, many with HYPOTHESIS_PROFILE=deep."""

import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "vectors"))

_COMMON = {"deadline": None, "suppress_health_check": list(HealthCheck), "print_blob": True}
settings.register_profile("default", max_examples=15, derandomize=True, database=None, **_COMMON)
settings.register_profile("deep", max_examples=500, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
