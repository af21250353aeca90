# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random programs with elementwise code around Fourier transforms, and compares their results with the
interpreter's: `transforms.py --programs 1000 --seed 1`. Program i is that of the seed `--seed` + i; every one that
fails, also by a crash of the compiler, is printed with its seed. `CUDA_EMU_CHECK=1` runs them in the emulator's checked
mode."""

import argparse
import sys

import fuse
import transform_programs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", default="cuda-emulated")
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.programs)
    return (
        fuse.report(seeds, lambda seed: transform_programs.verdict(transform_programs.program(seed), options.target))
        > 0
    )


if __name__ == "__main__":
    sys.exit(main())
