# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Columns of narrow arrays: vectors take them apart by shuffles and put them together by masked stores."""

import numpy as np
import pytest

import mlir_xla

TYPES = {"f32": np.float32, "f64": np.float64, "i8": np.int8, "i16": np.int16, "i64": np.int64}


@pytest.mark.parametrize("rows", [64, 67, 4096])
@pytest.mark.parametrize("columns", [2, 3, 4, 5])
@pytest.mark.parametrize("name", TYPES)
def test_columns_change_places(name, columns, rows):
    column, whole = f"tensor<{rows}x1x{name}>", f"tensor<{rows}x{columns}x{name}>"
    lines = []
    for i in range(columns):
        lines.append(f"%s{i} = xla.slice %x [0:{rows}, {i}:{i + 1}] : ({whole}) -> {column}")
    for i in range(columns):
        lines.append(f"%r{i} = xla.add %s{columns - 1 - i}, %s{i // 2} : {column}")
    parts = ", ".join(f"%r{i}" for i in range(columns))
    lines.append(f"%0 = xla.concatenate {parts}, dim = 1 : ({', '.join([column] * columns)}) -> {whole}")
    text = f"func.func @main(%x: {whole}) -> {whole} {{\n" + "\n".join(lines) + f"\nreturn %0 : {whole}\n}}"
    x = np.random.default_rng(columns).integers(-50, 50, (rows, columns)).astype(TYPES[name])
    want = np.stack([x[:, columns - 1 - i] + x[:, i // 2] for i in range(columns)], 1)
    for features in ("", "-avx512f", "-avx"):
        np.testing.assert_array_equal(np.asarray(mlir_xla.compile(text, features=features)(x)), want)


@pytest.mark.parametrize("size", [96, 101, 2048])
@pytest.mark.parametrize("step", [2, 3, 4, 5])
@pytest.mark.parametrize("name", TYPES)
def test_elements_apart_in_reverse(name, step, size):
    """Nothing before the first element is read, which is in the last lane, nor behind the last one."""
    count = (size - 1) // step + 1
    whole, part = f"tensor<3x{size}x{name}>", f"tensor<3x{count}x{name}>"
    text = f"""
    func.func @main(%x: {whole}) -> {part} {{
      %0 = xla.slice %x [0:3, 0:{size}:{step}] : ({whole}) -> {part}
      %1 = xla.reverse %0, dims = [1] : {part}
      %2 = xla.add %1, %1 : {part}
      return %2 : {part}
    }}"""
    x = np.random.default_rng(step).integers(-50, 50, (3, size)).astype(TYPES[name])
    for features in ("", "-avx512f", "-avx"):
        found = np.asarray(mlir_xla.compile(text, features=features)(x))
        np.testing.assert_array_equal(found, 2 * x[:, ::step][:, ::-1])


@pytest.mark.parametrize("columns", [2, 3, 4])
def test_a_column_is_written_alone(columns):
    rows = 4096
    whole, column = f"tensor<{rows}x{columns}xf32>", f"tensor<{rows}x1xf32>"
    text = f"""
    func.func @main(%x: {whole}, %y: {column}) -> {whole} {{
      %zero = xla.constant dense<0> : tensor<i32>
      %one = xla.constant dense<1> : tensor<i32>
      %0 = xla.dynamic_update_slice %x, %y, %zero, %one : ({whole}, {column}, tensor<i32>, tensor<i32>) -> {whole}
      return %0 : {whole}
    }}"""
    rng = np.random.default_rng(5)
    x, y = rng.random((rows, columns), np.float32), rng.random((rows, 1), np.float32)
    want = x.copy()
    want[:, 1:2] = y
    for threads, features in ((1, ""), (2, "-avx512f")):
        run = mlir_xla.compile(text, threads=threads, features=features)
        np.testing.assert_array_equal(np.asarray(run(x, y)), want)
