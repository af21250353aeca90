# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans near a plan, by the decision that they change. The compiler refuses those that do not fit their nest."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

from .plans import Nest, Plan, Tiles

#: Vectors that a step takes along the lanes, and iterations along the jammed dimension.
VECTORS = (1, 2, 3, 4, 6, 8)
#: Lanes of a vector: of 512 bits for elements of 8 to 64.
WIDTHS = (4, 8, 16, 32, 64)
JAMS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14)
#: Register tiles of products: rows by vectors. 24 running values and 12 others leave registers for what is multiplied.
REGISTERS = ((1, 8), (2, 8), (4, 4), (4, 6), (5, 4), (6, 4), (8, 3), (12, 2), (14, 2), (16, 1), (24, 1))


def neighbours(plan: Plan) -> Iterator[list[Plan]]:
    """Groups of plans that differ from `plan` in one decision each."""
    groups = _of_nest(plan) if isinstance(plan, Nest) else _of_tiles(plan)
    for group in groups:
        others = [each for each in group if str(each) != str(plan)]
        if others:
            yield others


def _changed(plan: Plan, **values: object) -> Plan:
    copy = deepcopy(plan)
    for name, value in values.items():
        setattr(copy, name, value)
    return copy


def _blocks(block: int, size: int, least: int) -> list[int]:
    """Other sizes of a block: halves, doubles, and the whole dimension."""
    sizes = {block // 4, block // 2, block * 2, block * 4, size}
    return sorted(each for each in sizes if least <= each <= size)


def _of_nest(plan: Nest) -> Iterator[list[Plan]]:
    if plan.lanes:
        dim, width, vectors = plan.lanes
        # A cut stays a multiple of what a step takes.
        yield [_resized(plan, dim, width * vectors, width * each, lanes=(dim, width, each)) for each in VECTORS]
        yield [_resized(plan, dim, width * vectors, each * vectors, lanes=(dim, each, vectors)) for each in WIDTHS]
        others = [each for each in (*plan.work, *plan.loop, *plan.reduce) if plan.sizes[each] >= width]
        yield [each for other in others for each in _along(plan, other)]
    if plan.jam:
        dim, iterations = plan.jam
        tiles = [
            _resized(plan, dim, iterations, each, jam=(dim, each) if each > 1 else None)
            for each in JAMS
            if each <= plan.sizes[dim]
        ]
        yield [each for each in tiles if each.jam or dim not in each.cut]
    elif plan.lanes:
        yield [
            _changed(plan, jam=(dim, each), work=[d for d in plan.work if d != dim])
            for dim in plan.work
            for each in (2, 4, 6)
            if each <= plan.sizes[dim]
        ]
    for dim, block in plan.cut.items():
        step = plan.lanes[1] * plan.lanes[2] if plan.lanes and plan.lanes[0] == dim else plan.jam[1] if plan.jam else 1
        others = [each for each in _blocks(block, plan.sizes[dim] - 1, step) if each % step == 0]
        yield [_changed(plan, cut={**plan.cut, dim: each}) for each in others]
    # How a remainder is treated; `stream` is about what the program does with the result, which nobody sees here.
    yield [
        _changed(plan, flags=plan.flags ^ {flag}) for flag in ("masked", "overlap", "in_memory", "slide", "partition")
    ]
    if plan.loop:
        yield [_changed(plan, work=plan.work + plan.loop[:1], loop=plan.loop[1:])]
    if len(plan.reduce) > 1:
        yield [_changed(plan, reduce=plan.reduce[::-1])]
    if plan.transpose > 1:
        yield [_changed(plan, transpose=each) for each in (1, 2, 4, 8, 16)]
    if plan.lookup:
        yield [_changed(plan, lookup=0)]
    if plan.distribute:
        yield [_changed(plan, distribute=0)]
    if plan.lanes and plan.jam and len(plan.reduce) == 1 and not plan.flags & {"in_memory", "stream"}:
        yield [_in_tiles(plan, pack) for pack in (["b"], ["a", "b"])]


def _in_tiles(plan: Nest, pack: list[str]) -> Tiles:
    """A product walked in blocks, if the nest is one: the jammed dimension for rows, that in lanes for columns."""
    assert plan.lanes and plan.jam
    dims = {"m": plan.jam[0], "n": plan.lanes[0], "k": plan.reduce[0]}
    _, width, vectors = plan.lanes
    sizes = {name: plan.sizes[dim] for name, dim in dims.items()}
    steps = {"m": plan.jam[1], "n": width * vectors, "k": 1}
    blocks = {
        name: max(min(most, sizes[name]) // steps[name], 1) * steps[name]
        for name, most in {"m": 240, "n": 128, "k": 512}.items()
    }
    register = plan.jam[1], vectors
    return Tiles(plan.sizes, dims, blocks, register, width, pack=pack, prefetch=16, work=plan.work + plan.loop)


def _resized(plan: Nest, dim: int, old: int, new: int, **values: object) -> Nest:
    """The plan with another step along a dimension, and a cut of about the same size."""
    cut = dict(plan.cut)
    if dim in cut:
        cut[dim] = max(cut[dim] // new, 1) * new
    changed = _changed(plan, cut=cut, **values)
    assert isinstance(changed, Nest)
    if changed.jam is None and plan.jam and dim == plan.jam[0]:
        changed.cut.pop(dim, None)
        changed.work = [*changed.work, dim]
        changed.flags.discard("overlap")
    return changed


def _along(plan: Nest, dim: int) -> Iterator[Nest]:
    """Plans with the lanes along another dimension. Whether the one before is parallel or reduced is not known here."""
    assert plan.lanes
    old, width, vectors = plan.lanes
    cut = {each: block for each, block in plan.cut.items() if each not in (old, dim)}
    kept = {name: [each for each in getattr(plan, name) if each != dim] for name in ("work", "loop", "reduce")}
    for name in ("work", "reduce"):
        changed = _changed(plan, lanes=(dim, width, vectors), cut=cut, **kept)
        assert isinstance(changed, Nest)
        getattr(changed, name).append(old)
        yield changed


def _of_tiles(plan: Tiles) -> Iterator[list[Plan]]:
    yield [_retiled(plan, *register) for register in REGISTERS]
    rows, vectors = plan.register
    for name, step in {"m": rows, "n": vectors * plan.lanes, "k": 4}.items():
        sizes = _blocks(plan.blocks[name], plan.sizes[plan.dims[name]], step)
        yield [
            _changed(plan, blocks={**plan.blocks, name: max(each // step, 1) * step if name != "k" else each})
            for each in sizes
        ]
    if plan.instruction == "fma":
        yield [_changed(plan, pack=pack) for pack in ([], ["b"], ["a", "b"])]
    if "b" in plan.pack:
        yield [_changed(plan, prefetch=each) for each in (0, 4, 8, 16, 32)]


def _retiled(plan: Tiles, rows: int, vectors: int) -> Plan:
    """The plan with another register tile, and blocks that are multiples of it."""
    blocks = dict(plan.blocks)
    for name, step in {"m": rows, "n": vectors * plan.lanes}.items():
        blocks[name] = max(blocks[name] // step, 1) * step
    return _changed(plan, register=(rows, vectors), blocks=blocks)
