# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels have no function left that is no instruction: on GPUs, LLVM would abort. No GPU is needed."""

import re
import subprocess
import sys

import pytest

REAL = """abs cbrt ceil cosine digamma erf erf_inv erfc exponential exponential_minus_one floor lgamma log log_plus_one
logistic bessel_i1e round_nearest_afz round_nearest_even rsqrt sign sine sinh cosh sqrt tan tanh asin acos atan asinh
acosh atanh""".split()
REAL_PAIRS = "atan2 divide maximum minimum next_after power remainder zeta polygamma".split()
COMPLEX = """sign sqrt rsqrt cbrt exponential exponential_minus_one log log_plus_one logistic sine cosine tan sinh cosh
tanh asin acos atan asinh acosh atanh""".split()
COMPLEX_PAIRS = "multiply divide power".split()
# math.round and math.rsqrt become a few instructions.
INSTRUCTIONS = "fma absf absi sqrt rsqrt floor ceil trunc round roundeven copysign ctpop ctlz cttz".split()
SCRIPT = """
import sys
import mlir_xla
stages = mlir_xla.compile(sys.stdin.read(), target=sys.argv[1]).stages
print(stages["loops"])
if sys.argv[1] == "cuda":
    print(stages["binary"])
"""


def check_kernels(text, target):
    """In a process of its own, which an abort would end."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, target], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    left = set(re.findall(r"\bmath\.(\w+)", done.stdout)) - set(INSTRUCTIONS)
    assert not left and "arith.remf" not in done.stdout and "xla_rt.zeta" not in done.stdout
    if target == "cuda":
        assert re.search(r"\.visible \.entry", done.stdout) and ".extern .func" not in done.stdout


@pytest.mark.parametrize("target", ["cpu", "cuda"])
@pytest.mark.parametrize("element", ["f32", "f64", "f16", "bf16", "complex<f32>", "complex<f64>"])
def test_functions(element, target):
    is_complex = element.startswith("complex")
    tensor, lines, results = f"tensor<37x{element}>", [], []
    for op in [*(COMPLEX if is_complex else REAL), *(COMPLEX_PAIRS if is_complex else REAL_PAIRS)]:
        operands = "%x, %y" if op in REAL_PAIRS + COMPLEX_PAIRS else "%x"
        results.append(f"%r{len(results)}")
        lines.append(f"  {results[-1]} = xla.{op} {operands} : {tensor}")
    types = ", ".join([tensor] * len(results))
    check_kernels(
        f"func.func @main(%x: {tensor}, %y: {tensor}) -> ({types}) {{\n"
        + "\n".join(lines)
        + f"\n  return {', '.join(results)} : {types}\n}}\n",
        target,
    )


BODY = """^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.sine %a : tensor<f64>
    %t = stablehlo.remainder %s, %b : tensor<f64>
"""
YIELD = BODY + "    stablehlo.return %t : tensor<f64>\n"
COMPARE = (
    BODY
    + """    %u = stablehlo.compare LT, %s, %t : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %u : tensor<i1>
"""
)
SCATTER = """%r = "stablehlo.scatter"(%x, %i, %y) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}>"""
PROGRAMS = {
    "sort": f"""%r = "stablehlo.sort"(%x) <{{dimension = 0 : i64}}> ({{ {COMPARE} }})
      : (tensor<37xf64>) -> tensor<37xf64>""",
    "scatter": f"""{SCATTER} ({{ {YIELD} }})
      : (tensor<37xf64>, tensor<37x1xi32>, tensor<37xf64>) -> tensor<37xf64>""",
    "reduce": f"""%z = stablehlo.constant dense<0.0> : tensor<f64>
      %0 = "stablehlo.reduce"(%x, %z) <{{dimensions = array<i64: 0>}}> ({{ {YIELD} }})
      : (tensor<37xf64>, tensor<f64>) -> tensor<f64>
      %r = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<37xf64>""",
}


@pytest.mark.parametrize("target", ["cpu", "cuda"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_bodies(name, target):
    text = f"""func.func @main(%x: tensor<37xf64>, %y: tensor<37xf64>, %i: tensor<37x1xi32>) -> tensor<37xf64> {{
      {PROGRAMS[name]}
      return %r : tensor<37xf64>
    }}"""
    check_kernels(text, target)
