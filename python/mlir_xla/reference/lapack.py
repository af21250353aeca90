# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The custom calls by which JAX calls LAPACK, matrix by matrix, from LAPACK's documentation.

A routine takes the attributes of the call and the matrices and vectors of one item of the batch, in float64 or
complex128, and returns its results. Reflectors are chosen as LAPACK does, so that factors are unique.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._numerics import narrow, widen
from ._program import Op
from .solve import factor, solve

Array = np.ndarray
Attributes = dict[str, Any]


def _letter(attributes: Attributes, name: str, otherwise: str) -> str:
    return chr(attributes[name]) if name in attributes else otherwise


# Reflectors.


def _reflector(x: Array) -> tuple[Any, Array, Any]:
    """beta, v and tau with v[0] = 1 and (1 - conj(tau) v v^H) x = beta e1, for a real beta."""
    v = x.copy()
    alpha, rest = x[0], np.linalg.norm(x[1:])
    v[0] = 1
    if rest == 0 and alpha.imag == 0:
        v[1:] = 0
        return alpha, v, x.dtype.type(0)
    beta = -np.copysign(np.hypot(np.abs(alpha), rest), alpha.real)
    v[1:] = x[1:] / (alpha - beta)
    return beta, v, x.dtype.type((beta - alpha) / beta)


def _reflect(a: Array, v: Array, tau: Any) -> None:
    """(1 - tau v v^H) a, in place."""
    a -= tau * np.outer(v, np.conj(v) @ a)


def _geqrf(_: Attributes, a: Array) -> list[Any]:
    a = a.copy()
    taus = np.zeros(min(a.shape), a.dtype)
    for k in range(len(taus)):
        beta, v, taus[k] = _reflector(a[k:, k])
        _reflect(a[k:, k + 1 :], v, np.conj(taus[k]))
        a[k, k], a[k + 1 :, k] = beta, v[1:]
    return [a, taus]


def _geqp3(_: Attributes, a: Array, pivots: Array) -> list[Any]:
    """Columns whose pivot is not 0 come first; then always the one of the largest norm that is left."""
    order = [j for j, pivot in enumerate(pivots) if pivot] + [j for j, pivot in enumerate(pivots) if not pivot]
    fixed = int(np.count_nonzero(pivots))
    a = a[:, order].copy()
    taus = np.zeros(min(a.shape), a.dtype)
    for k in range(len(taus)):
        if k >= fixed:
            j = k + int(np.argmax(np.linalg.norm(a[k:, k:], axis=0)))
            a[:, [k, j]] = a[:, [j, k]]
            order[k], order[j] = order[j], order[k]
        beta, v, taus[k] = _reflector(a[k:, k])
        _reflect(a[k:, k + 1 :], v, np.conj(taus[k]))
        a[k, k], a[k + 1 :, k] = beta, v[1:]
    return [a, np.array(order, np.int32) + 1, taus]


def _apply(a: Array, taus: Array, c: Array, transpose: bool) -> Array:
    """q c or q^H c, for the product q of the reflectors below the diagonal of a."""
    c = c.copy()
    for k in range(len(taus)) if transpose else range(len(taus) - 1, -1, -1):
        v = np.concatenate([[1], a[k + 1 :, k]])
        _reflect(c[k:], v, np.conj(taus[k]) if transpose else taus[k])
    return c


def _orgqr(_: Attributes, a: Array, taus: Array) -> list[Any]:
    return [_apply(a, taus, np.eye(*a.shape, dtype=a.dtype), False)]


def _ormqr(attributes: Attributes, a: Array, taus: Array, c: Array) -> list[Any]:
    transpose = bool(attributes.get("transpose", False))
    if attributes.get("left", True):
        return [_apply(a, taus, c, transpose)]
    return [np.conj(_apply(a, taus, np.conj(c.T), not transpose)).T]


def _gehrd(attributes: Attributes, a: Array) -> list[Any]:
    n = len(a)
    low, high = attributes.get("low", 1) - 1, attributes.get("high", n)
    a = a.copy()
    taus = np.zeros(max(n - 1, 0), a.dtype)
    for k in range(low, high - 1):
        beta, v, taus[k] = _reflector(a[k + 1 : high, k])
        right = a[:high, k + 1 : high]
        right -= taus[k] * np.outer(right @ v, np.conj(v))
        _reflect(a[k + 1 : high, k + 1 :], v, np.conj(taus[k]))
        a[k + 1, k], a[k + 2 : high, k] = beta, v[1:]
    return [a, taus, 0]


def _sytrd(attributes: Attributes, a: Array) -> list[Any]:
    n = len(a)
    lower = _letter(attributes, "uplo", "L") == "L"
    triangle = np.tril(a) if lower else np.triu(a)
    whole = triangle + np.conj(triangle - np.diag(np.diag(triangle))).T
    np.fill_diagonal(whole, np.diag(whole).real)
    kept = a.copy()
    others, taus = np.zeros(max(n - 1, 0)), np.zeros(max(n - 1, 0), a.dtype)
    for k in range(n - 1) if lower else range(n - 2, -1, -1):
        # The reflector acts on the rows below k, or on those down to k; its 1 is next to the diagonal.
        column, rows, step = (k, slice(k + 1, n), 1) if lower else (k + 1, slice(0, k + 1), -1)
        others[k], v, taus[k] = _reflector(whole[rows, column][::step])
        v = v[::step]
        kept[rows, column] = np.where(np.arange(len(v))[::step] == 0, others[k], v)
        _reflect(whole[rows], v, np.conj(taus[k]))
        left = whole[:, rows]
        left -= taus[k] * np.outer(left @ v, np.conj(v))
    np.fill_diagonal(kept, np.diag(whole))
    return [kept, np.diag(whole).real.copy(), others, taus, 0]


# Systems.


def _potrf(attributes: Attributes, a: Array) -> list[Any]:
    lower = _letter(attributes, "uplo", "L") == "L"
    found, failed = factor(a if lower else np.conj(a.T))
    return [found + np.triu(a, 1) if lower else np.conj(found.T) + np.tril(a, -1), failed]


def _trsm(attributes: Attributes, a: Array, b: Array) -> list[Any]:
    left, lower = _letter(attributes, "side", "L") == "L", _letter(attributes, "uplo", "L") == "L"
    unit, transpose = _letter(attributes, "diag", "N") == "U", _letter(attributes, "trans_x", "N")
    return [solve(a, b, left, lower, unit, transpose)]


def _size(x: Array) -> Array:
    """What pivots are chosen by."""
    return np.abs(x.real) + np.abs(x.imag)


def _getrf(_: Attributes, a: Array) -> list[Any]:
    a = a.copy()
    pivots = np.zeros(min(a.shape), np.int32)
    info = 0
    for k in range(len(pivots)):
        j = k + int(np.argmax(_size(a[k:, k])))
        pivots[k] = j + 1
        a[[k, j]] = a[[j, k]]
        if a[k, k] == 0:
            info = info or k + 1
            continue
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return [a, pivots, info]


def _lu(attributes: Attributes, a: Array) -> list[Any]:
    a, pivots, _ = _getrf(attributes, a)
    rows = np.arange(len(a), dtype=np.int32)
    for k, j in enumerate(pivots - 1):
        rows[[k, j]] = rows[[j, k]]
    return [a, pivots - 1, rows]


def _eliminate(
    lower: Array, main: Array, upper: Array, b: Array, size: Callable[[Any], Any]
) -> tuple[Array, Array, Array, Array]:
    """The three diagonals of the upper factor of a tridiagonal matrix, and what becomes of b."""
    n = len(main)
    main, above, second, b = main.copy(), upper.copy(), np.zeros_like(main), b.copy()
    for k in range(n - 1):
        below = lower[k + 1]
        if size(below) > size(main[k]):
            ratio = main[k] / below
            main[k], above[k], main[k + 1] = below, main[k + 1], above[k] - ratio * main[k + 1]
            if k + 2 < n:
                second[k], above[k + 1] = above[k + 1], -ratio * above[k + 1]
            b[k], b[k + 1] = b[k + 1].copy(), b[k] - ratio * b[k + 1]
        elif main[k] != 0:
            ratio = below / main[k]
            main[k + 1] -= ratio * above[k]
            b[k + 1] -= ratio * b[k]
    return main, above, second, b


def _back(main: Array, above: Array, second: Array, b: Array) -> Array:
    x = b.copy()
    for k in range(len(main) - 1, -1, -1):
        for d, diagonal in ((1, above), (2, second)):
            if k + d < len(main):
                x[k] -= diagonal[k] * x[k + d]
        x[k] /= main[k]
    return x


def _gtsv(_: Attributes, lower: Array, main: Array, upper: Array, b: Array) -> list[Any]:
    main, above, second, b = _eliminate(lower, main, upper, b, _size)
    singular = np.flatnonzero(main == 0)
    info = int(singular[0]) + 1 if len(singular) else 0
    kept = np.concatenate([lower[:1], second[:-1]]) if len(main) else lower
    return [kept, main, above, b if info else _back(main, above, second, b), info]


def _perturbed(info: np.finfo[Any], lower: Array, main: Array, upper: Array, b: Array) -> list[Any]:
    """A pivot by which dividing would overflow in the type of the program is moved away from 0, by steps that double;
    the first is the rounding error of the largest element of the upper factor."""
    upper = np.where(np.arange(len(main)) == len(main) - 1, 0, upper)
    main, above, second, x = _eliminate(lower, main, upper, b, np.abs)
    least = float(info.tiny)
    first = max(float(info.eps) * max((np.abs(d).max(initial=0) for d in (main, above, second)), default=0), least)
    for k in range(len(main) - 1, -1, -1):
        for d, diagonal in ((1, above), (2, second)):
            if k + d < len(main):
                x[k] -= diagonal[k] * x[k + d]
        pivot, step = main[k], np.copysign(first, main[k].real)
        while abs(pivot) < 1 and (pivot == 0 or np.abs(x[k]).max(initial=0) * least > abs(pivot)):
            pivot, step = pivot + step, step * 2
        x[k] /= pivot
    return [x]


# Eigenvalues and singular values.


def _syevd(attributes: Attributes, a: Array) -> list[Any]:
    w, v = np.linalg.eigh(a, "L" if _letter(attributes, "uplo", "L") == "L" else "U")
    return [v, w, 0]


def _gesdd(attributes: Attributes, a: Array) -> list[Any]:
    mode = _letter(attributes, "mode", "S")
    u, s, vt = np.linalg.svd(a, full_matrices=mode != "S")
    return [a, s, 0, 0, 0] if mode == "N" else [a, s, u, vt, 0]


def _geev(attributes: Attributes, a: Array) -> list[Any]:
    w, right = np.linalg.eig(a)
    right = right.astype(np.complex128)
    left = np.linalg.pinv(right).conj().T
    left /= np.linalg.norm(left, axis=0)
    vectors = [
        v * (_letter(attributes, name, otherwise) == "V")
        for v, name, otherwise in ((left, "compute_left", "N"), (right, "compute_right", "V"))
    ]
    return [w, *vectors, 0] if np.iscomplexobj(a) else [w.real, w.imag, *vectors, 0]


def _gees(attributes: Attributes, a: Array) -> list[Any]:
    """One invariant subspace after another: of an eigenvector, or, for a conjugate pair of a real matrix, of two."""
    t, q = a.copy(), np.eye(len(a), dtype=a.dtype)
    k = 0
    while k < len(a):
        w, vectors = np.linalg.eig(t[k:, k:])
        basis = vectors[:, :1]
        if not np.iscomplexobj(a):
            basis = basis.real if w[0].imag == 0 else np.hstack([basis.real, basis.imag])
        whole = np.eye(len(a), dtype=a.dtype)
        whole[k:, k:] = np.linalg.qr(np.hstack([basis, np.eye(len(basis))]))[0][:, : len(basis)]
        t, q = np.conj(whole.T) @ t @ whole, q @ whole
        size = basis.shape[1]
        if size == 2:  # a rotation makes the diagonal of the block equal
            block = t[k : k + 2, k : k + 2]
            angle = 0.5 * np.arctan2(block[0, 0] - block[1, 1], block[0, 1] + block[1, 0])
            turn = np.eye(len(a))
            turn[k : k + 2, k : k + 2] = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
            t, q = turn.T @ t @ turn, q @ turn
        k += size
        t[k:, :k] = 0
    values = np.diag(t).copy()
    others = [np.zeros(len(a))]
    for k in range(len(a) - 1):
        if not np.iscomplexobj(a) and t[k + 1, k] != 0:
            others[0][k] = np.sqrt(np.abs(t[k, k + 1] * t[k + 1, k]))
            others[0][k + 1] = -others[0][k]
    q = q * (_letter(attributes, "mode", "V") == "V")
    return [t, q, values, *([] if np.iscomplexobj(a) else others), 0, 0]


_ROUTINES: dict[str, Callable[..., list[Any]]] = {
    "potrf": _potrf,
    "trsm": _trsm,
    "getrf": _getrf,
    "geqrf": _geqrf,
    "geqp3": _geqp3,
    "gesdd": _gesdd,
    "gesvd": _gesdd,
    "geev": _geev,
    "gees": _gees,
    "gehrd": _gehrd,
    "gtsv": _gtsv,
}
_REAL: dict[str, Callable[..., list[Any]]] = {"orgqr": _orgqr, "ormqr": _ormqr, "syevd": _syevd, "sytrd": _sytrd}
_COMPLEX: dict[str, Callable[..., list[Any]]] = {"ungqr": _orgqr, "unmqr": _ormqr, "heevd": _syevd, "hetrd": _sytrd}

#: Names that do not say their element type; whether their matrices are as the types say, whatever their layouts.
_NEUTRAL: dict[str, tuple[Callable[..., list[Any]], bool]] = {
    "Qr": (_geqrf, True),
    "ProductOfElementaryHouseholderReflectors": (_orgqr, True),
    "LuDecomposition": (_lu, True),
    "tridiagonal_solve_perturbed_ffi": (_perturbed, False),
}


def custom_call(target: str) -> Callable[..., Any] | None:
    """The function that serves a target, with the op before the operands; None for other targets."""
    if target in _NEUTRAL:
        routine, as_typed = _NEUTRAL[target]
        return lambda op, *arrays: _batched(op, routine, as_typed, arrays)
    name = target.removeprefix("lapack_").removesuffix("_ffi")
    if target != f"lapack_{name}_ffi" or name[:1] not in "sdcz":
        return None
    of_type: dict[str, Callable[..., list[Any]]] = _ROUTINES | (_REAL if name[0] in "sd" else _COMPLEX)
    if name[1:] not in of_type:
        return None
    return lambda op, *arrays: _batched(op, of_type[name[1:]], False, arrays)


def _batched(op: Op, routine: Callable[..., list[Any]], as_typed: bool, arrays: tuple[Array, ...]) -> list[Array]:
    config = op.attributes.get("backend_config")
    attributes: Any = config if isinstance(config, dict) else op.attributes.get("mhlo.backend_config", {})
    if routine is _perturbed:
        attributes = np.finfo(arrays[0].dtype)
    rank = max(x.ndim for x in arrays)
    batch = next(x.shape for x in arrays if x.ndim == rank)[:-2]

    def order(kind: str, index: int, dims: int) -> list[int]:
        """From the dimensions as the types have them to those in memory, where LAPACK finds columns."""
        layouts = op.attributes.get(kind)
        if as_typed:
            return [*range(dims - 2), dims - 1, dims - 2]
        return [int(d) for d in layouts[index][::-1]] if layouts else list(range(dims))

    items = []
    for i, x in enumerate(arrays):
        if x.ndim == len(batch) + 2:
            rows, columns = x.shape[-2:]
            x = x.transpose(order("operand_layouts", i, x.ndim)).reshape(*batch, columns, rows).swapaxes(-1, -2)
        items.append(widen(x))
    types: list[Any] = list(op.result_types)
    wide = {"complex": np.complex128}
    results = [np.zeros(type_.shape, wide.get(type_.element.kind, np.float64)) for type_ in types]
    with np.errstate(all="ignore"):
        for index in np.ndindex(batch):
            for result, value in zip(results, routine(attributes, *(x[index] for x in items)), strict=True):
                result[index] = value
    finished = []
    for i, (result, type_) in enumerate(zip(results, types, strict=True)):
        if result.ndim == len(batch) + 2:
            memory = order("result_layouts", i, result.ndim)
            inside = result.swapaxes(-1, -2).reshape([result.shape[d] for d in memory])
            result = inside.transpose(np.argsort(memory))
        element = type_.element
        finished.append(result.astype(np.int32) if element.kind == "sint" else narrow(result, element))
    return finished
