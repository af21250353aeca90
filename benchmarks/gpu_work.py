# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel of the stage `kernels` reads, writes and computes: bytes of the parts of its operands that it needs,
instructions by kind, accesses of its threads to memory. Counted from its operations on tensors."""

from __future__ import annotations

import collections
import dataclasses
import math
import re

from mlir_xla import ir

# Instructions that a function takes, roughly, in terms of additions; whatever else is one.
FUNCTIONS = {
    **dict.fromkeys(("exp", "expm1", "exp2", "log", "log1p", "log2", "log10"), 14),
    **dict.fromkeys(("tanh", "sin", "cos", "erf", "atan", "sinh", "cosh"), 24),
    **dict.fromkeys(("powf", "atan2", "tan", "acos", "asin"), 40),
    **dict.fromkeys(("sqrt", "rsqrt", "cbrt"), 8),
    **dict.fromkeys(("divf", "divsi", "divui", "remsi", "remui", "remf"), 10),
    **dict.fromkeys(("shli", "ori"), 0),  # those of a rotation are one instruction with the shift to the right
}
FREE = {"linalg.yield", "scf.yield", "linalg.index", "arith.constant", "arith.index_cast", "tensor.extract"}
# Owners to whom index vectors are dealt, and of a thread of one the bytes of eight words of its tile.
OWNERS, PHASE_BYTES = 255, 32
# What hands on another view of the same elements.
VIEWS = {"tensor.expand_shape", "tensor.collapse_shape", "tensor.cast"}


@dataclasses.dataclass
class Work:
    """`read` and `written` in bytes; `slots`: instructions of threads, by the element type "f32" or "f64"; `products`:
    multiply-adds of sums of products by element type, with the sizes of what they walk; `wavefronts`: of 128 bytes that
    a multiprocessor's memory unit handles for accesses of single threads; `serial`: instructions of the loop of one
    element, each of which waits for the one before; `waits`: loads from memory that do so, of one
    of `group` threads; all others wait once; `phases` of the first
    blocks, as many as owners at most, in which a thread has `PHASE_BYTES`; `asked`: bytes that a thread loads before it
    needs them, if known; `cold`: of what is read, what no kernel of this execution has read or written, and the one
    before has not left in the L2 cache."""

    read: float = 0.0
    written: float = 0.0
    slots: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    products: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    wavefronts: float = 0.0
    serial: float = 0.0
    waits: float = 1.0
    group: float = 1.0
    phases: float = 0.0
    asked: float = 0.0
    cold: float = 0.0

    @property
    def bytes(self) -> float:
        return self.read + self.written

    def __add__(self, other: Work) -> Work:
        return Work(
            self.read + other.read,
            self.written + other.written,
            self.slots + other.slots,
            self.products + other.products,
            self.wavefronts + other.wavefronts,
            max(self.serial, other.serial),
            *max((self.waits, self.group), (other.waits, other.group)),
            max(self.phases, other.phases),
            max(self.asked, other.asked),
            self.cold + other.cold,
        )


def _bits(element: ir.Type) -> int:
    if isinstance(element, ir.ComplexType):
        return 2 * _bits(ir.ComplexType(element).element_type)
    return (
        max(8, ir.IntegerType(element).width) if isinstance(element, ir.IntegerType) else getattr(element, "width", 64)
    )


def _size(type_: ir.Type) -> float:
    if not isinstance(type_, ir.RankedTensorType):
        return 8.0
    tensor = ir.RankedTensorType(type_)
    return math.prod(tensor.shape) * _bits(tensor.element_type) / 8


def read_of(value: ir.Value) -> float:
    """Bytes of an operand that anybody reads."""
    most, total = _size(value.type), 0.0
    for use in value.uses:
        op = use.owner.operation if hasattr(use.owner, "operation") else use.owner
        if op.name in VIEWS:
            total += read_of(op.results[0])
        elif op.name == "tensor.extract_slice":
            total += _size(op.results[0].type)
        elif op.name == "tensor.insert_slice" and use.operand_number == 1:
            continue  # the rest stays where it is
        elif op.name == "tensor.extract":
            total += _times(op) * _bits(op.results[0].type) / 8
        elif op.name != "func.return":
            total += most * _needed(op)
    return min(most, total)


def _needed(op: ir.Operation, known: dict[ir.Value, float] | None = None) -> float:
    """The share of what an elementwise op computes that anybody needs: what is read at places that are data, or in
    slices, is computed there alone."""
    known = {} if known is None else known
    if op.name != "linalg.generic" or not all(
        "parallel" in str(each) for each in ir.ArrayAttr(op.attributes["iterator_types"])
    ):
        return 1.0
    most = 0.0
    for result in op.results:
        if result in known:
            most = max(most, known[result])
            continue
        total, size = 0.0, math.prod(ir.RankedTensorType(result.type).shape)
        for use in result.uses:
            if total >= 1:
                break
            user = use.owner.operation if hasattr(use.owner, "operation") else use.owner
            if user.name == "tensor.extract":
                total += _times(user) / max(1, size)
            elif user.name == "tensor.extract_slice":
                total += math.prod(ir.RankedTensorType(user.results[0].type).shape) / max(1, size)
            else:
                total += _needed(user, known)
        known[result] = min(1.0, total)
        most = max(most, known[result])
    return most


def _times(op: ir.Operation) -> int:
    """How often the generic op around an operation does it, at most."""
    while op is not None and op.name != "linalg.generic":
        op = op.parent
        op = op.operation if hasattr(op, "operation") else op
    return math.prod(_domain(op)) if op is not None else 1


def _written_of(value: ir.Value) -> float:
    """Bytes of a result that are written: a slice, if it is the rest of an operand."""
    owner = value.owner
    op = owner.operation if hasattr(owner, "operation") else owner
    if isinstance(owner, ir.Block):
        return 0.0
    if op.name in VIEWS:
        return _written_of(op.operands[0])
    if op.name == "tensor.insert_slice" and is_argument(op.operands[1]):
        return _size(op.operands[0].type)
    return _size(value.type)


def is_argument(value: ir.Value) -> bool:
    """Whether elements are in memory when the kernel begins."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return True
    op = owner.operation if hasattr(owner, "operation") else owner
    return op.name in VIEWS | {"tensor.extract_slice"} and is_argument(op.operands[0])


def _conditions_of_padding(value: ir.Value) -> int:
    """Of an element of padding that readers choose where they read it, how many indices are compared; 0 of others."""
    owner = value.owner
    op = owner.operation if hasattr(owner, "operation") else owner
    if isinstance(owner, ir.Block) or op.name != "linalg.generic" or len(op.operands) != 1:
        return 0
    users = [use.owner.operation if hasattr(use.owner, "operation") else use.owner for use in value.uses]
    names = [each.operation.name for each in op.regions[0].blocks[0].operations]
    is_read = all(user.name == "linalg.generic" for user in users)
    return names.count("arith.cmpi") if is_read and "scf.if" in names else 0


def _maps(op: ir.Operation) -> list[ir.AffineMap]:
    return [ir.AffineMapAttr(each).value for each in ir.ArrayAttr(op.attributes["indexing_maps"])]


def _domain(op: ir.Operation) -> list[int]:
    """How often each loop of a generic op turns."""
    maps = _maps(op)
    sizes = [1] * maps[0].n_dims
    for map_, operand in zip(maps, op.operands, strict=True):
        if not isinstance(operand.type, ir.RankedTensorType):
            continue
        for expression, size in zip(map_.results, ir.RankedTensorType(operand.type).shape, strict=True):
            if isinstance(expression, ir.AffineDimExpr):
                sizes[ir.AffineDimExpr(expression).position] = size
    return sizes


def _dims(expression: ir.AffineExpr) -> set[int]:
    return {int(number) for number in re.findall(r"d(\d+)", str(expression))}


def _element(value: ir.Value) -> str:
    type_ = value.type
    return str(ir.RankedTensorType(type_).element_type if isinstance(type_, ir.RankedTensorType) else type_)


def _is_constant(value: ir.Value) -> bool:
    return not isinstance(value.owner, ir.Block) and value.owner.operation.name == "arith.constant"


def _instructions(block: ir.Block, times: float, is_product: bool, work: Work, fixed: set[ir.Value]) -> None:
    """Adds those of a body, and of loops in it. What depends on `fixed` values alone is known beforehand."""
    for each in block.operations:
        op = each.operation
        if op.results and not op.regions and all(value in fixed or _is_constant(value) for value in op.operands):
            fixed.update(op.results)
            continue
        if op.name == "arith.select" and op.operands[0] in fixed:
            continue
        if op.name == "scf.for":
            bounds = [ir.IntegerAttr(bound.owner.attributes["value"]).value for bound in list(op.operands)[:3]]
            turns = -(-(bounds[1] - bounds[0]) // bounds[2])
            before = sum(work.slots.values())
            _instructions(op.regions[0].blocks[0], times * turns, is_product, work, fixed)
            work.serial = max(work.serial, (sum(work.slots.values()) - before) / times)
        elif op.name not in FREE and not (is_product and op.name.startswith("arith.")):
            kind = "f64" if op.results and str(op.results[0].type) == "f64" else "f32"
            work.slots[kind] += times * FUNCTIONS.get(op.name.rpartition(".")[2], 1)


def _generic(op: ir.Operation, work: Work, has_teams: bool, shared_by: int, seen: set[tuple[ir.Value, str]]) -> None:
    """`shared_by`: as many products with tiles use an element that a thread brings. `seen`: what has been loaded, and
    where: a thread that has an element to itself loads it once, however many operations read it (the PTX of
    `polynomial_4m`, 32 operations of one array, has one load)."""
    if op.results and _conditions_of_padding(op.results[0]):
        return  # where it is read
    sizes, needed = _domain(op), _needed(op)
    times = math.prod(sizes) * needed
    body = [each.operation for each in op.regions[0].blocks[0].operations]
    parallel = ["parallel" in str(each) for each in ir.ArrayAttr(op.attributes["iterator_types"])]
    names = collections.Counter(each.name for each in body)
    is_product = not all(parallel) and names["arith.mulf"] + names["arith.muli"] == 1 and len(op.operands) == 3
    is_product &= names["arith.addf"] + names["arith.addi"] == 1
    if is_product:
        work.products[_element(op.operands[0])] += times
    inner = op.regions[0].blocks[0]
    fixed = {inner.arguments[number] for number, each in enumerate(op.operands) if _is_constant(each)}
    _instructions(inner, times, is_product, work, fixed)
    fastest = max((dim for dim, each in enumerate(parallel) if each and sizes[dim] > 1), default=-1)
    for map_, operand in zip(_maps(op), op.operands, strict=True):
        conditions = _conditions_of_padding(operand)
        if not is_argument(operand) and not conditions:
            continue
        if not has_teams and shared_by == 1:
            if (operand, str(map_)) in seen:
                continue
            seen.add((operand, str(map_)))
        depends = set().union(*map(_dims, map_.results)) if map_.results else set()
        # A thread keeps what none of its own loops changes.
        loads = needed * math.prod(size for dim, size in enumerate(sizes) if parallel[dim] or dim in depends)
        bytes_ = _bits(ir.RankedTensorType(operand.type).element_type) / 8
        # A conjunction; in tiles, for 16 bytes at a time, an index and half of a comparison too, which the elements of
        # a window that one thread sums up have in common.
        is_tile = shared_by > 1
        neighbours = 16 / bytes_ if is_tile and isinstance(map_.results[-1], ir.AffineDimExpr) else 1
        work.slots["f32"] += (2 if is_tile else 1) * conditions * loads / shared_by / neighbours
        if fastest not in depends and not has_teams:
            work.wavefronts += loads / 32
        elif has_teams or fastest in _dims(map_.results[-1]):
            work.wavefronts += loads * bytes_ / 128
        else:
            work.wavefronts += loads


def _owned(op: ir.Operation, lanes: int) -> tuple[float, float]:
    """Loads that wait for each other, and phases, of an owner to whom index vectors were dealt
    (lowering/xla_rt/DealtPlaces.h): it takes 2048 words at a time and sorts them by four bits of places at a time. Its
    threads make all updates of places, eight at a time."""
    shape = ir.RankedTensorType(op.operands[1].type).shape
    vectors = math.prod(shape[dim] for dim in ir.DenseI64ArrayAttr(op.attributes["batch"]))
    window = math.prod(shape) / vectors
    places = math.prod(ir.RankedTensorType(op.results[0].type).shape) / window
    owned, threads = math.ceil(vectors / OWNERS), 256
    turns = math.ceil(min(owned, places / OWNERS) * window / lanes / threads)
    rounds = math.ceil(owned / 2048)
    parts = math.ceil(math.log2(max(2, math.ceil(places / OWNERS))) / 4)
    return rounds * (2 + turns * (1 + math.ceil(vectors / places / rounds / 8))), rounds * (20 + 12 * parts)


def _waits_of_scatter(op: ir.Operation, plans: tuple[str, ...]) -> tuple[float, float]:
    """Loads that wait for each other, and of how many threads one does so.

    What plans do is in docs/design/gpu/scans-scatters-sorts.md.
    """
    indices, updates, results = (math.prod(ir.RankedTensorType(each.type).shape) for each in list(op.operands)[:3])
    found = next(filter(None, (re.search(r"updates<(\w+) (\d+)>", plan) for plan in plans)), None)
    how, count = (found[1], int(found[2])) if found else ("each", 1)
    if how == "tables":  # an index, then the table
        return math.ceil(indices / (256 * count)), 1
    if how == "owners":  # 2048 index vectors at a time: they, the notes on them, updates
        return 3 * math.ceil(indices / 2048), 1
    if "ordered" in op.attributes:  # words, and the updates of a place, eight at a time
        return 2 + math.ceil(updates / results / 8), updates / indices / count * updates / results
    return 2, 1  # an index, an update


def work_of(kernel: ir.Operation, plans: tuple[str, ...]) -> Work:
    """The work of one launch."""
    work = Work()
    if not kernel.regions or not list(kernel.regions[0].blocks):
        return work
    block = kernel.regions[0].blocks[0]
    has_teams = any(re.search(r"\bthreads\b", plan) for plan in plans)
    tiles = r"#xla_rt\.blocks<.*?\bm (?:[d\d, ]*? )?(\d+), n (?:[d\d, ]*? )?(\d+),"
    found = next(filter(None, (re.search(tiles, plan) for plan in plans)), None)
    shared_by = min(int(found[1]), int(found[2])) if found else 1
    seen: set[tuple[ir.Value, str]] = set()
    for argument in block.arguments:
        work.read += read_of(argument)
    for each in block.operations:
        op = each.operation
        if op.name == "func.return":
            work.written += sum(map(_written_of, op.operands))
        elif op.name == "linalg.generic":
            _generic(op, work, has_teams, shared_by, seen)
        elif op.name == "xla_rt.scatter":
            work.waits, work.group = _waits_of_scatter(op, plans)
            if found := next(filter(None, (re.search(r"updates<dealt (\d+)>", plan) for plan in plans)), None):
                work.waits, work.phases = _owned(op, int(found[1]))
                # Updates of a place, eight at a time at most, each as many neighbours as an access has.
                updates, places = (math.prod(ir.RankedTensorType(each.type).shape) for each in list(op.operands)[1:3])
                size = _bits(ir.RankedTensorType(op.operands[1].type).element_type) / 8
                work.asked = min(8, max(1, updates / places)) * int(found[1]) * size
    work.wavefronts += work.written / 128
    return work
