# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checked mode reports every mutant: each barrier deleted in turn, and the first branch of some kernels, their guard.

    mutants.py <kernels.ptx> <kernels with a guard, by commas> <command that runs the PTX file named at its end>...

A mutant is killed if the emulator itself reports it; wrong results do not count. Exits with 1 if one survives.
"""

import os
import re
import subprocess
import sys
import tempfile

SYNC = re.compile(
    r"""^\s*(@!?%p\d+\s+)?(bar\.|barrier\.|cp\.async\.(bulk\.)?(wait|commit)|wgmma\.(fence|commit|wait)
    |mbarrier\.(init|arrive|expect_tx|test_wait|try_wait)|fence\.(proxy|mbarrier_init|acq_rel)|membar\.)""",
    re.VERBOSE,
)
#: Waits answer that there is nothing to wait for.
WAIT = re.compile(r"mbarrier\.(?:test|try)_wait\S*\s+(%?\w+),")


def main() -> int:
    path, guards, command = sys.argv[1], sys.argv[2].split(","), sys.argv[3:]
    with open(path) as file:
        lines = file.read().split("\n")
    kernel, guarded, survivors, tried = "", False, [], 0
    for number, line in enumerate(lines):
        found = re.search(r"\.(?:entry|func)\s+(?:\(.*\)\s*)?(\w+)\(", line)
        if found:
            kernel, guarded = found[1], found[1] in guards
        is_guard = guarded and re.match(r"\s*@!?%p\d+\s+bra", line)
        guarded = guarded and not is_guard
        if not SYNC.match(line) and not is_guard:
            continue
        tried += 1
        waits = WAIT.search(line)
        instead = f"setp.eq.u32 {waits[1]}, 0, 0;" if waits else "// deleted"
        mutant = [*lines[:number], instead, *lines[number + 1 :]]
        with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
            file.write("\n".join(mutant))
            file.flush()
            run = subprocess.run(
                [*command, file.name],
                capture_output=True,
                text=True,
                timeout=300,
                env=os.environ | {"CUDA_EMU_TEST_KERNEL": kernel},
            )
        if run.returncode == 0 or "cuda-emu: kernel" not in run.stderr:
            survivors.append(f"{kernel}, line {number + 1}: {line.strip()}")
    for survivor in survivors:
        print("survived:", survivor)
    print(f"{tried} mutants, {len(survivors)} survived")
    return bool(survivors) or not tried


if __name__ == "__main__":
    sys.exit(main())
