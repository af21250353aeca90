# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What README.md shows runs, and says what comes out."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_python_example_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "0.995" in done.stdout  # tanh(3)
    assert "20.08" in done.stdout  # exp(3)
    assert "['xla', 'legal', 'linalg', 'kernels', 'loops', 'llvm', 'binary']" in done.stdout


def test_links_lead_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md")]
    for page in pages:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.relative_to(ROOT)} links to {link}, which does not exist"
