# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small variants of the measured programs: the same operations, quick enough for a test."""

from __future__ import annotations

import dataclasses

import functions
import numpy as np
from networks import small_networks
from program import Program, spec
from programs import PROGRAMS


def _small(program: Program) -> Program:
    """The same program on shapes a reference interpreter can run, for testing. Divides every large dimension alike."""

    def shrink(dim: int) -> int:
        for limit, factor in ((20000, 4096), (2000, 128), (500, 32), (100, 8), (40, 4)):
            if dim > limit:
                return max(dim // factor, 3)
        return dim

    specs = []
    for each in program.specs:
        high = shrink(int(each.high)) if each.dtype == np.int32 and each.high and each.high > 40 else each.high
        specs.append(dataclasses.replace(each, shape=tuple(shrink(dim) for dim in each.shape), high=high))
    return dataclasses.replace(program, name=f"{program.name}_small", specs=tuple(specs), flops=0.0, bytes=0.0)


def small_programs() -> dict[str, Program]:
    """Small variants of the measured programs: the same operations, quick enough for a test."""
    own = {
        "transformer_block",
        "mlp_train_step",
        "cnn_train_step",
        "lstm_scan",
        "conv_depthwise",
        "conv_depthwise_nchw",
        *(name for name in PROGRAMS if name.startswith("conv_") and name.endswith("_gradient")),
    }
    found = small_networks()
    for program in PROGRAMS.values():
        if program.family not in ("tiny", "network") and program.name not in own:
            found[f"{program.name}_small"] = _small(program)

    def add(name, family, function, *inputs, **more):
        specs = tuple(spec(each) if isinstance(each, str) else each for each in inputs)
        found[name] = Program(name, family, function, specs, **more)

    add(
        "transformer_block_small",
        "attention",
        functions.transformer_block,
        "8x16xf32",
        spec("16x48xf32", -0.3, 0.3),
        spec("16x16xf32", -0.3, 0.3),
        spec("16x64xf32", -0.3, 0.3),
        spec("64x16xf32", -0.3, 0.3),
        "16xf32",
        "16xf32",
        atol=1e-4,
    )
    add(
        "mlp_train_step_small",
        "training",
        functions.mlp_train_step,
        "12x8xf32",
        "8xf32",
        "8x6xf32",
        "6xf32",
        "6x3xf32",
        "3xf32",
        "5x12xf32",
        spec("5xi32", 0, 3),
        atol=1e-4,
    )
    add(
        "cnn_train_step_small",
        "training",
        functions.cnn_train_step,
        "3x3x1x4xf32",
        "4xf32",
        "3x3x4x6xf32",
        "6xf32",
        "24x3xf32",
        "3xf32",
        "2x8x8x1xf32",
        spec("2xi32", 0, 3),
        atol=1e-4,
    )
    add(
        "lstm_scan_small",
        "loop",
        functions.lstm_scan,
        "5x2x4xf32",
        "2x4xf32",
        "2x4xf32",
        "8x16xf32",
        "16xf32",
        atol=1e-4,
    )
    add("conv_depthwise_small", "convolution", functions.conv(groups=8), "2x7x7x8xf32", "3x3x1x8xf32")
    add(
        "conv_depthwise_nchw_small",
        "convolution",
        functions.conv(layout="NCHW", groups=8),
        "2x8x7x7xf32",
        "8x1x3x3xf32",
    )
    for name, stride, layout in (("3x3", 1, "NHWC"), ("3x3_s2", 2, "NHWC"), ("3x3_nchw", 1, "NCHW")):
        how = {"strides": (stride, stride), "layout": layout}
        image, kernel, result = (2, 6, 6, 4), (3, 3, 4, 8), f"2x{6 // stride}x{6 // stride}x8xf32"
        if layout == "NCHW":
            image, kernel, result = (2, 4, 6, 6), (8, 4, 3, 3), "2x8x6x6xf32"
        shapes = ["x".join(map(str, each)) + "xf32" for each in (image, kernel)]
        back, sums = functions.conv_input_gradient(image, **how), functions.conv_kernel_gradient(kernel, **how)
        add(f"conv_{name}_input_gradient_small", "convolution", back, shapes[1], result)
        add(f"conv_{name}_kernel_gradient_small", "convolution", sums, shapes[0], result, atol=1e-4)
    return found
