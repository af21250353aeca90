# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference interpreter as a program: arguments, errors, checks, custom calls, and how regions are evaluated."""

import tracemalloc

import ml_dtypes
import numpy as np
import pytest

import mlir_xla
from mlir_xla import ir
from mlir_xla.reference import TOKEN, CheckError, Interpreter, InterpreterError, run

ADD = """func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = xla.add %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


def parse(text, **options):
    with ir.Context() as context:
        context.allow_unregistered_dialects = options.get("unregistered", False)
        return ir.Module.parse(text)


def evaluate(text, *args, **options):
    return run(parse(text, **options), args)


def check_module(check, actual, expected, element="f32"):
    return f"""func.func @main() {{
  %a = xla.constant dense<{actual}> : tensor<2x{element}>
  %b = xla.constant dense<{expected}> : tensor<2x{element}>
  xla.custom_call @check.{check}(%a, %b) : (tensor<2x{element}>, tensor<2x{element}>) -> ()
  return
}}"""


# ---- Calling ---------------------------------------------------------------------------------------------------------


def test_run_returns_a_list_of_arrays():
    (result,) = evaluate(ADD, np.float32([1, 2]), np.float32([10, 20]))
    np.testing.assert_array_equal(result, np.float32([11, 22]))


def test_named_function_and_python_scalars():
    module = parse("""
      func.func @main() { return }
      func.func @twice(%x: tensor<i32>) -> tensor<i32> {
        %0 = xla.add %x, %x : tensor<i32>
        return %0 : tensor<i32>
      }""")
    assert run(module, [21], "twice") == [42]


def test_tuples_go_in_and_out():
    pair = "tuple<tensor<i32>, tensor<2xf32>>"
    (result,) = evaluate(f"func.func @main(%t: {pair}) -> {pair} {{ return %t : {pair} }}", (1, np.float32([2, 3])))
    assert result[0] == 1
    np.testing.assert_array_equal(result[1], np.float32([2, 3]))


def test_results_share_no_memory_with_arguments():
    x = np.float32([1, 2])
    (result,) = evaluate("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }", x)
    result[0] = 9
    assert x[0] == 1


def test_arguments_of_any_strides():
    x = np.arange(8, dtype=np.float32)[::4]
    (result,) = evaluate(ADD, x, x)
    np.testing.assert_array_equal(result, np.float32([0, 8]))


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([np.float32([1, 2])], "takes 2 arguments, 1 given"),
        ([np.float32([1, 2]), np.float64([1, 2])], r"argument 1 must be tensor<2xf32>, not float64\[2\]"),
        ([np.float32([1, 2]), np.float32([1])], r"argument 1 must be tensor<2xf32>, not float32\[1\]"),
    ],
)
def test_unfit_arguments(args, message):
    with pytest.raises(InterpreterError, match=message):
        evaluate(ADD, *args)


def test_unknown_function():
    with pytest.raises(InterpreterError, match="no function @other; the module has @main"):
        run(parse(ADD), [], "other")


def test_errors_name_op_and_location():
    with pytest.raises(InterpreterError, match=r"2:\d+: 'foo.bar': has no reference semantics"):
        evaluate('func.func @main() {\n  "foo.bar"() : () -> ()\n  return\n}', unregistered=True)


# ---- Checks and custom calls -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "actual", "expected"),
    [
        ("expect_eq", "[1.0, 0x7FC00000]", "[1.0, 0xFFC00001]"),
        ("expect_close", "[1.0, -0.0]", "[1.0000003, 0.0]"),
        ("expect_almost_eq", "[1.0, 0x7F800000]", "[1.00009, 0x7F800000]"),
    ],
)
def test_checks_that_hold(check, actual, expected):
    assert evaluate(check_module(check, actual, expected)) == []


@pytest.mark.parametrize(
    ("check", "actual", "expected", "where"),
    [
        ("expect_eq", "[1.0, 0.0]", "[1.0, -0.0]", "1"),
        ("expect_eq", "[1.0, 2.0]", "[1.5, 2.0]", "0"),
        ("expect_close", "[1.0, 2.0]", "[1.0, 2.000001]", "1"),
        ("expect_close", "[0x7F800000, 2.0]", "[3.0e38, 2.0]", "0"),
        ("expect_almost_eq", "[1.0, 2.0]", "[1.0, 2.001]", "1"),
        ("expect_almost_eq", "[1.0, 0x7FC00000]", "[1.0, 2.0]", "1"),
    ],
)
def test_checks_that_fail_name_the_first_element(check, actual, expected, where):
    with pytest.raises(CheckError, match=rf"4:\d+: check.{check}: element \[{where}\] is "):
        evaluate(check_module(check, actual, expected))


def test_checks_as_ops():
    text = """func.func @main(%x: tensor<2xi32>) {{
      "check.expect_eq_const"(%x) {{value = dense<[1, {}]> : tensor<2xi32>}} : (tensor<2xi32>) -> ()
      return
    }}"""
    assert evaluate(text.format(2), np.int32([1, 2]), unregistered=True) == []
    with pytest.raises(CheckError, match=r"element \[1\] is 2, expected 3"):
        evaluate(text.format(3), np.int32([1, 2]), unregistered=True)


def test_custom_calls_are_given_by_the_user():
    module = parse("""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = xla.custom_call @negative(%x) : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }""")
    with pytest.raises(InterpreterError, match="custom call target 'negative' is not registered"):
        run(module, [np.float32([1, 2])])
    (result,) = Interpreter(module, {"negative": lambda op, x: -x}).run([np.float32([1, 2])])
    np.testing.assert_array_equal(result, np.float32([-1, -2]))


def test_a_wrong_result_is_noticed_at_its_op():
    module = parse("""func.func @main() -> tensor<2xf32> {
      %0 = xla.custom_call @short() : () -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }""")
    with pytest.raises(InterpreterError, match=r"result 0 is declared as tensor<2xf32> but its value is float32\[1\]"):
        Interpreter(module, {"short": lambda op: np.zeros(1, np.float32)}).run()


def test_tokens():
    assert evaluate("""func.func @main() -> !xla.token {
      %0 = xla.create_token : !xla.token
      %1 = xla.after_all %0, %0 : !xla.token
      return %1 : !xla.token
    }""") == [TOKEN]


# ---- Regions ---------------------------------------------------------------------------------------------------------


def reduce(body, x, init, extra=""):
    n, dtype = x.shape[0], "i32"
    return evaluate(
        f"""func.func @main(%x: tensor<{n}x{dtype}>, %init: tensor<{dtype}>, %k: tensor<{dtype}>) -> tensor<{dtype}> {{
      %0 = "xla.reduce"(%x, %init) ({{
      ^bb0(%a: tensor<{dtype}>, %b: tensor<{dtype}>):
        {body}
      }}) {{dimensions = array<i64: 0>}} : (tensor<{n}x{dtype}>, tensor<{dtype}>) -> tensor<{dtype}>
      return %0 : tensor<{dtype}>
    }}
    {extra}""",
        x,
        init,
        np.int32(3),
    )[0]


@pytest.mark.parametrize("count", [0, 1, 255, 256, 257, 5000])
def test_folds_of_any_length_keep_the_order_of_elements(count):
    """x, y -> y, which is associative and not commutative, gives the last element."""
    x = np.arange(count, dtype=np.int32)
    assert reduce('"xla.return"(%b) : (tensor<i32>) -> ()', x, np.int32(-1)) == (x[-1] if count else -1)


def _padding(count, is_reversed):
    return [0, count - 1] if is_reversed else [count - 1, 0]


def _windows(body, element, count, padding):
    return f"""func.func @main(%x: tensor<{count}x{element}>, %init: tensor<{element}>) -> tensor<{count}x{element}> {{
      %0 = "xla.reduce_window"(%x, %init) ({{
      ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
        {body}
      }}) {{window_dimensions = array<i64: {count}>, padding = dense<[{padding}]> : tensor<1x2xi64>}}
        : (tensor<{count}x{element}>, tensor<{element}>) -> tensor<{count}x{element}>
      return %0 : tensor<{count}x{element}>
    }}"""


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("element", ["i32", "f32"])
@pytest.mark.parametrize("op", ["add", "maximum"])
def test_cumulative_windows_take_memory_for_their_results(op, element, is_reversed):
    count, dtype = 8191, np.dtype(f"{element[0]}4")
    body = f'%c = xla.{op} %a, %b : tensor<{element}>\n        "xla.return"(%c) : (tensor<{element}>) -> ()'
    module = parse(_windows(body, element, count, _padding(count, is_reversed)))
    x = np.random.default_rng(0).integers(-1000, 1000, count).astype(dtype)
    tracemalloc.start()
    (result,) = run(module, [x, dtype.type(5)])
    memory = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    ufunc, turn = {"add": np.add, "maximum": np.maximum}[op], slice(None, None, -1 if is_reversed else 1)
    np.testing.assert_array_equal(result, ufunc(ufunc.accumulate(x[turn]), dtype.type(5))[turn])
    assert memory < 100 * x.nbytes  # n^2 would be 8191 times as much


@pytest.mark.parametrize("count", [257, 1000])
@pytest.mark.parametrize("is_reversed", [False, True])
def test_long_cumulative_windows_keep_the_order_of_elements(count, is_reversed):
    """x, y -> y, which is associative and not commutative, gives the last element of every window."""
    x = np.arange(count, dtype=np.int32)
    text = _windows('"xla.return"(%b) : (tensor<i32>) -> ()', "i32", count, _padding(count, is_reversed))
    (result,) = evaluate(text, x, np.int32(-1))
    np.testing.assert_array_equal(result, np.full(count, count - 1) if is_reversed else x)


def test_a_region_may_use_outer_values():
    body = """%c = xla.minimum %b, %k : tensor<i32>
        %d = xla.add %a, %c : tensor<i32>
        "xla.return"(%d) : (tensor<i32>) -> ()"""
    assert reduce(body, np.int32([1, 2, 3, 4, 5]), np.int32(0)) == 12


def test_a_region_that_is_not_elementwise_runs_element_by_element():
    body = """%p = xla.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c = "xla.if"(%p) ({
          "xla.return"(%b) : (tensor<i32>) -> ()
        }, {
          "xla.return"(%a) : (tensor<i32>) -> ()
        }) : (tensor<i1>) -> tensor<i32>
        "xla.return"(%c) : (tensor<i32>) -> ()"""
    assert reduce(body, np.int32([3, 9, 4]), np.int32(-5)) == 9


@pytest.mark.parametrize("body", ["xla.subtract %b, %a : {t}", "func.call @difference(%b, %a) : ({t}, {t}) -> {t}"])
@pytest.mark.parametrize("limit", [9, np.iinfo(np.int64).max])
def test_updates_of_a_place_are_made_in_their_order(body, limit):
    """Those of all places at once; of windows what is inside. The operand is in memory column by column."""
    draw = np.random.default_rng(3)
    x, updates = draw.integers(-9, 9, (5, 6)).T, draw.integers(-9, 9, (40, 3))
    indices = draw.choice([-limit, *range(-3, 7), limit], (40, 2))
    (have,) = evaluate(
        f"""
      func.func private @difference(%a: tensor<i64>, %b: tensor<i64>) -> tensor<i64> {{
        %0 = xla.subtract %a, %b : tensor<i64>
        return %0 : tensor<i64>
      }}
      func.func @main(%x: tensor<6x5xi64>, %i: tensor<40x2xi64>, %u: tensor<40x3xi64>) -> tensor<6x5xi64> {{
        %0 = "xla.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
            inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}}> ({{
        ^bb0(%a: tensor<i64>, %b: tensor<i64>):
          %r = {body.format(t="tensor<i64>")}
          xla.return %r : tensor<i64>
        }}) : (tensor<6x5xi64>, tensor<40x2xi64>, tensor<40x3xi64>) -> tensor<6x5xi64>
        return %0 : tensor<6x5xi64>
      }}""",
        x,
        indices,
        updates,
    )
    want = x.copy()
    for (row, column), window in zip(indices.tolist(), updates, strict=True):
        for place, update in enumerate(window, column):
            if 0 <= row < 6 and 0 <= place < 5:
                want[row, place] = update - want[row, place]
    np.testing.assert_array_equal(have, want)


def test_sums_of_small_floats_are_rounded_once():
    ones = np.ones(1000, ml_dtypes.bfloat16)
    (result,) = evaluate(
        """func.func @main(%x: tensor<1000xbf16>) -> tensor<bf16> {
      %init = xla.constant dense<0.0> : tensor<bf16>
      %0 = xla.reduce(%x init: %init) applies xla.add across dimensions = [0]
         : (tensor<1000xbf16>, tensor<bf16>) -> tensor<bf16>
      return %0 : tensor<bf16>
    }""",
        ones,
    )
    assert float(result) == 1000  # one by one the sum would stop at 256


# ---- Constants -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("literal", "type_", "expected"),
    [
        ("dense<[1, -2]>", "tensor<2xi4>", np.array([1, -2], ml_dtypes.int4)),
        ("dense<[1, 3]>", "tensor<2xui2>", np.array([1, 3], ml_dtypes.uint2)),
        ("dense<[true, false]>", "tensor<2xi1>", np.array([True, False])),
        ("dense<1.5>", "tensor<2xbf16>", np.array([1.5, 1.5], ml_dtypes.bfloat16)),
        ("dense<[0x7E, 0x38]>", "tensor<2xf8E4M3FN>", np.array([448, 1], ml_dtypes.float8_e4m3fn)),
        (
            "dense<[(1.0, -2.0), (0.5, 0x7F800000)]>",
            "tensor<2xcomplex<f32>>",
            np.array([1 - 2j, complex(0.5, np.inf)], np.complex64),
        ),
        ('dense<"0x0000803F00000040">', "tensor<2xf32>", np.float32([1, 2])),
        ("dense_resource<data>", "tensor<2xf32>", np.float32([1, 2])),
        ("dense<>", "tensor<0x2xf32>", np.zeros((0, 2), np.float32)),
    ],
)
def test_constants(literal, type_, expected):
    (result,) = evaluate(f"""func.func @main() -> {type_} {{
      %0 = xla.constant {literal} : {type_}
      return %0 : {type_}
    }}
    {{-# dialect_resources: {{ builtin: {{ data: "0x040000000000803F00000040" }} }} #-}}""")
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("init", [0.0, -0.0])
def test_a_sum_of_negative_zeros_has_the_sign_of_its_init(init):
    text = f"""func.func @main(%x: tensor<9x300xf32>) -> (tensor<f32>, tensor<9xf32>) {{
      %init = xla.constant dense<{init}> : tensor<f32>
      %0 = xla.reduce(%x init: %init) applies xla.add across dimensions = [0, 1]
          : (tensor<9x300xf32>, tensor<f32>) -> tensor<f32>
      %1 = xla.reduce(%x init: %init) applies xla.add across dimensions = [1]
          : (tensor<9x300xf32>, tensor<f32>) -> tensor<9xf32>
      return %0, %1 : tensor<f32>, tensor<9xf32>
    }}"""
    results = mlir_xla.compile(text, target="reference")(np.full((9, 300), -0.0, np.float32))
    for result in results:
        np.testing.assert_array_equal(np.signbit(result), np.signbit(init))
