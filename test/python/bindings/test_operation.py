# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operation and OpView: creation, inspection, printing, moving, cloning, walking."""

import collections.abc
import io

import pytest

from mlir_xla import ir

ADD = """
func.func @f1(%arg0: i32) -> i32 {
  %0 = "custom.addi"(%arg0, %arg0) : (i32, i32) -> i32
  return %0 : i32
}
"""


@pytest.fixture
def module(ctx):
    return ir.Module.parse(ADD)


@pytest.fixture
def body(module):
    return module.body.operations[0].regions[0].blocks[0]


def i(width):
    return ir.Type.parse(f"i{width}")


# --- Traversal --------------------------------------------------------------------------------------------------------


def test_traverse_by_iteration(module):
    (region,) = module.operation.regions
    (block,) = region
    (func,) = block
    assert func.operation.name == "func.func"
    assert [op.operation.name for op in func.regions[0].blocks[0]] == ["custom.addi", "func.return"]


def test_traverse_by_index(module):
    region = module.operation.regions[0]
    assert len(region.blocks) == 1 and len(region.blocks[0].operations) == 1
    assert region.blocks[0].operations[-1].operation.name == "func.func"
    with pytest.raises(IndexError, match="out of bounds block"):
        region.blocks[1]
    with pytest.raises(IndexError, match="out of bounds operation"):
        region.blocks[0].operations[5]


def test_traversals_agree(module):
    op = module.operation
    assert list(op.regions)[0] == op.regions[0]
    assert list(op.regions[0])[0] == op.regions[0].blocks[0]
    assert list(op.regions[0].blocks[0]) == list(op.regions[0].blocks[0].operations)


def test_parent_and_owner(module, body):
    func = module.body.operations[0]
    assert func.operation.parent is module.operation
    assert module.operation.parent is None
    assert body.owner == func
    assert func.regions[0].owner == func
    assert body.operations[0].operation.block is body
    with pytest.raises(ValueError, match="Detached operation does not have a parent block"):
        module.operation.block


def test_operation_objects_are_unique(module):
    assert module.operation is module.operation
    assert module.body.operations[0].operation is module.body.operations[0].operation
    assert module.body.operations[0] == module.body.operations[0].operation
    assert hash(module.body.operations[0]) == hash(module.body.operations[0].operation)
    assert module.operation != None  # noqa: E711


# --- Operands, results, successors ------------------------------------------------------------------------------------


def test_operands(body):
    add = body.operations[0]
    assert len(add.operands) == 2
    assert [str(v.type) for v in add.operands] == ["i32", "i32"]
    assert add.operands[0] == body.arguments[0]
    assert type(add.operands[0]) is ir.Value


def test_operand_assignment(ctx):
    a, b = (ir.Operation.create(f"custom.{n}", results=[i(32)]) for n in "ab")
    use = ir.Operation.create("custom.use", operands=[a.result, a.result])
    use.operands[0] = b.result
    assert list(use.operands) == [b.result, a.result]
    use.operands[-1] = b
    assert list(use.operands) == [b.result, b.result]
    with pytest.raises(IndexError):
        use.operands[2] = b.result


def test_slices(ctx):
    op = ir.Operation.create("custom.many", results=[i(n) for n in range(1, 6)])
    assert [r.result_number for r in op.results[1:4]] == [1, 2, 3]
    assert [r.result_number for r in op.results[1::2]] == [1, 3]
    assert [r.result_number for r in op.results[-2:0:-2]] == [3, 1]
    assert [r.result_number for r in op.results[::-1][::-1]] == [0, 1, 2, 3, 4]
    assert [r.result_number for r in op.results[:1] + op.results[4:]] == [0, 4]
    assert [str(t) for t in op.results[1:3].types] == ["i2", "i3"]
    assert op.results.owner == op
    for bad in (5, -6):
        with pytest.raises(IndexError):
            op.results[bad]
    with pytest.raises(TypeError):
        op.results["0"]


def test_lists_are_sequences(module):
    op = module.operation
    for value in (op.results, op.operands, op.successors, op.regions, op.regions[0].blocks, module.body.operations):
        assert isinstance(value, collections.abc.Sequence)
    match op.regions:
        case [region]:
            assert region == op.regions[0]
        case _:
            pytest.fail("a RegionSequence must match a sequence pattern")


def test_single_result(ctx):
    none = ir.Operation.create("custom.none")
    two = ir.Operation.create("custom.two", results=[i(1), i(1)])
    with pytest.raises(ValueError, match="Cannot call .result on operation custom.none which has 0 results"):
        none.result
    with pytest.raises(ValueError, match="custom.two which has 2 results"):
        two.result


def test_successors(ctx):
    func = ir.Operation.create("custom.func", regions=1)
    first, second, third = (func.regions[0].blocks.append() for _ in range(3))
    with ir.InsertionPoint(first):
        branch = ir.Operation.create("custom.br", successors=[second, third])
    assert list(branch.successors) == [second, third]
    branch.successors[0] = third
    assert list(branch.successors) == [third, third]


def test_replace_uses_of_with(ctx):
    a, b = (ir.Operation.create(f"custom.{n}", results=[i(32)]).result for n in "ab")
    use = ir.Operation.create("custom.use", operands=[a, b])
    use.replace_uses_of_with(a, b)
    assert list(use.operands) == [b, b]


# --- Attributes -------------------------------------------------------------------------------------------------------


@pytest.fixture
def with_attributes(ctx):
    return ir.Operation.parse('"some.op"() {a = 1 : i8, b.c = 3.0, d = "text"} : () -> ()')


def test_attribute_map(with_attributes):
    attributes = with_attributes.attributes
    assert len(attributes) == 3
    assert str(attributes["a"]) == "1 : i8"
    assert "d" in attributes and "e" not in attributes
    assert list(attributes) == attributes.keys() == ["a", "b.c", "d"]
    assert dict(attributes.items())["d"] == attributes["d"] == attributes.values()[2]
    assert attributes.get("e") is None and attributes.get("e", 7) == 7
    assert str(attributes[0]) == "NamedAttribute(a=1 : i8)"
    assert attributes[0].name == "a" and attributes[0].attr == attributes["a"]


def test_attribute_errors(with_attributes):
    attributes = with_attributes.attributes
    with pytest.raises(KeyError):
        attributes["does_not_exist"]
    with pytest.raises(IndexError):
        attributes[42]
    with pytest.raises(KeyError):
        del attributes["does_not_exist"]
    with pytest.raises(TypeError):
        None in attributes  # noqa: B015
    with pytest.raises(TypeError):
        attributes["a"] = None


def test_attribute_changes(with_attributes):
    with_attributes.attributes["new"] = ir.Attribute.parse("true")
    del with_attributes.attributes["a"]
    assert list(with_attributes.attributes) == ["b.c", "d", "new"]


def test_attribute_map_is_a_mapping(with_attributes):
    assert isinstance(with_attributes.attributes, collections.abc.Mapping)
    match with_attributes.attributes:
        case {"a": value}:
            assert str(value) == "1 : i8"
        case _:
            pytest.fail("an OpAttributeMap must match a mapping pattern")


# --- Creation ---------------------------------------------------------------------------------------------------------


def test_create_detached(ctx):
    op = ir.Operation.create(
        "custom.op1", results=[i(32), i(32)], regions=1, attributes={"foo": ir.Attribute.parse('"value"')}
    )
    assert str(op) == '%0:2 = "custom.op1"() ({\n}) {foo = "value"} : () -> (i32, i32)\n'
    assert not op.operation.attached


def test_create_infers_types(ctx):
    value = ir.Operation.create("custom.value", results=[i(32)]).result
    op = ir.Operation.create("arith.addi", operands=[value, value], infer_type=True)
    assert op.result.type == i(32)
    with pytest.raises(ir.MLIRError, match="Operation creation failed"):
        ir.Operation.create("custom.value", infer_type=True)


def test_create_accepts_operations_as_operands(ctx):
    value = ir.Operation.create("custom.value", results=[i(32)])
    assert ir.Operation.create("custom.use", operands=[value]).operands[0] == value.result


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"attributes": {None: "unit"}}, 'Invalid attribute key .* the operation "custom.op"'),
        ({"attributes": {42: "unit"}}, 'Invalid attribute key .* the operation "custom.op"'),
        ({"attributes": {"key": "text"}}, 'Invalid attribute value for the key "key"'),
        ({"attributes": {"key": None}}, r'Found an invalid \(`None`\?\) attribute value for the key "key"'),
        ({"operands": [1]}, 'Operand 0 of operation "custom.op" must be a Value'),
        ({"results": ["i32"]}, 'Result 0 of operation "custom.op" must be a Type'),
        ({"regions": -1}, "number of regions must be >= 0"),
        ({"ip": 3}, "ip must be an InsertionPoint"),
    ],
)
def test_create_rejects(ctx, arguments, message):
    with pytest.raises((TypeError, RuntimeError, ValueError), match=message):
        ir.Operation.create("custom.op", **arguments)


def test_create_rejects_another_context(ctx):
    with ir.Context():
        foreign = ir.Type.parse("i32")
        foreign_attribute = ir.Attribute.parse("1 : i32")
    with pytest.raises(ValueError, match="another context"):
        ir.Operation.create("custom.op", results=[foreign])
    with pytest.raises(ValueError, match="another context"):
        ir.Operation.create("custom.op", attributes={"a": foreign_attribute})
    with pytest.raises(ValueError, match="another context"):
        ir.Operation.create("custom.op").attributes["a"] = foreign_attribute


def test_insertion_is_suppressed_by_false(ctx):
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        ir.Operation.create("custom.in")
        ir.Operation.create("custom.out", ip=False)
    assert [op.operation.name for op in module.body] == ["custom.in"]


# --- OpView -----------------------------------------------------------------------------------------------------------


class TwoSegments(ir.OpView):
    """What mlir-tblgen generates, in short: an optional, a single and a variadic operand and result group."""

    OPERATION_NAME = "custom.segments"
    _ODS_REGIONS = (1, True)
    _ODS_OPERAND_SEGMENTS = [0, 1, -1]
    _ODS_RESULT_SEGMENTS = [-1, 1]

    def __init__(self, results, operands, *, attributes=None, regions=None, loc=None, ip=None):
        super().__init__(
            self.OPERATION_NAME,
            self._ODS_REGIONS,
            self._ODS_OPERAND_SEGMENTS,
            self._ODS_RESULT_SEGMENTS,
            attributes=attributes or {},
            results=results,
            operands=operands,
            regions=regions,
            loc=loc,
            ip=ip,
        )


def test_op_view_segments(ctx):
    value = ir.Operation.create("custom.value", results=[i(32)]).result
    op = TwoSegments([[i(1), i(2)], i(3)], [None, value, [value, value]])
    assert str(op.attributes["operandSegmentSizes"]) == "array<i32: 0, 1, 2>"
    assert str(op.attributes["resultSegmentSizes"]) == "array<i32: 2, 1>"
    assert (len(op.operands), len(op.results), len(op.regions)) == (3, 3, 1)
    assert isinstance(op, TwoSegments) and op.opview is op


@pytest.mark.parametrize(
    ("results", "operands", "extra", "message"),
    [
        ([[]], [None, "v", []], {}, "requires 2 result segments but was provided 1"),
        ([[], "t"], [None, "v"], {}, "requires 3 operand segments but was provided 2"),
        ([[], "t"], [None, None, []], {}, "Operand 1 .* must be a Value .*not optional"),
        ([[], None], [None, "v", []], {}, "Result 1 .* must be a Type .*not optional"),
        ([[], "t"], [None, "v", "v"], {}, "Operand 2 .* must be a Sequence of Values"),
        (["t", "t"], [None, "v", []], {}, "Result 0 .* must be a Sequence of Types"),
        ([[], "t"], [None, "t", []], {}, "Operand 1 .* must be a Value"),
        ([[], "t"], [None, "v", []], {"regions": 0}, "requires a minimum of 1 regions but was built with regions=0"),
        ([[], "t"], [None, "v", []], {"regions": 2}, "requires a maximum of 1 regions but was built with regions=2"),
        ([[], "t"], [None, "v", []], {"segments": True}, "Manually setting a 'operandSegmentSizes' attribute"),
    ],
)
def test_op_view_rejects(ctx, results, operands, extra, message):
    known = {"v": ir.Operation.create("custom.value", results=[i(32)]).result, "t": i(32)}
    results, operands = ([known.get(x, x) if isinstance(x, str) else x for x in xs] for xs in (results, operands))
    extra = dict(extra)
    if extra.pop("segments", False):
        extra["attributes"] = {"operandSegmentSizes": ir.Attribute.parse("array<i32: 0, 1, 0>")}
    with pytest.raises(ValueError, match=message):
        TwoSegments(results, operands, **extra)


def test_build_generic(ctx):
    value = ir.Operation.create("custom.value", results=[i(32)]).result
    op = TwoSegments.build_generic(results=[[], i(3)], operands=[value, value, []])
    assert type(op) is TwoSegments
    assert str(op.attributes["operandSegmentSizes"]) == "array<i32: 1, 1, 0>"


def test_unknown_operation_is_an_op_view(body):
    assert type(body.operations[0]) is ir.OpView


def test_view_of_an_operation(body):
    view = ir.OpView(body.operations[0].operation)
    assert view == body.operations[0]
    assert view.operation.opview == view


# --- Parsing, printing, verification ----------------------------------------------------------------------------------


def test_parse(ctx):
    op = ir.Operation.parse("module { }", source_name="some-source")
    assert op.operation.name == "builtin.module"
    with pytest.raises(ir.MLIRError, match='"some-source":1:1'):
        ir.Operation.parse("func.func foo", source_name="some-source")
    with pytest.raises(TypeError):
        ir.Operation.parse(3)


def test_print_to_files(module, capsys, tmp_path):
    module.operation.print()
    assert "func.func @f1" in capsys.readouterr().out
    text = io.StringIO()
    module.operation.print(file=text)
    assert text.getvalue() == str(module)
    binary = io.BytesIO()
    module.operation.print(file=binary, binary=True)
    assert binary.getvalue() == str(module).encode()
    module.operation.print(file=str(tmp_path / "out.mlir"))
    assert (tmp_path / "out.mlir").read_text() == str(module)


def test_print_flags(ctx):
    module = ir.Module.parse('%0 = arith.constant {a} dense<[1, 2, 3, 4]> : tensor<4xi32> loc("nom")')
    op = module.operation
    assert 'loc("nom")' in op.get_asm(enable_debug_info=True, use_local_scope=True)
    assert '"arith.constant"()' in op.get_asm(print_generic_op_form=True)
    assert "dense_resource<__elided__>" in op.get_asm(large_elements_limit=2)
    assert "arith.constant" not in op.get_asm(skip_regions=True)
    assert "%nom = " in op.get_asm(use_name_loc_as_prefix=True)
    assert isinstance(op.get_asm(binary=True), bytes)


def test_print_with_state(body, capsys):
    state = ir.AsmState(body.owner, use_local_scope=True)
    body.operations[0].operation.print(state)
    assert '%0 = "custom.addi"(%arg0, %arg0)' in capsys.readouterr().out


def test_invalid_operation_prints_generically(ctx):
    op = ir.Operation.create("builtin.module", regions=2)
    op.regions[0].blocks.append()
    with pytest.raises(ir.MLIRError, match="requires one region"):
        op.verify()
    assert '"builtin.module"() ({' in str(op)


def test_bytecode(module, tmp_path):
    buffer = io.BytesIO()
    module.operation.write_bytecode(buffer)
    assert buffer.getvalue().startswith(b"ML\xefR")
    assert str(ir.Module.parse(buffer.getvalue(), module.context)) == str(module)
    module.operation.write_bytecode(tmp_path / "out.mlirbc", desired_version=1)
    assert str(ir.Module.parseFile(tmp_path / "out.mlirbc", module.context)) == str(module)
    with pytest.raises(ValueError, match="bytecode version 100"):
        module.operation.write_bytecode(buffer, desired_version=100)


def test_verify(module):
    assert module.operation.verify() is True


# --- Moving, cloning, erasing -----------------------------------------------------------------------------------------


def names(block):
    return [op.operation.name for op in block]


@pytest.fixture
def abc(ctx):
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        ops = [ir.Operation.create(f"custom.{n}") for n in "abc"]
    return module, ops


def test_move_in_a_block(abc):
    module, (a, b, c) = abc
    c.move_before(a)
    assert names(module.body) == ["custom.c", "custom.a", "custom.b"]
    a.move_after(b)
    assert names(module.body) == ["custom.c", "custom.b", "custom.a"]
    assert c.operation.is_before_in_block(a.operation)
    a.move_after(a)
    assert names(module.body) == ["custom.c", "custom.b", "custom.a"]


def test_move_between_modules(abc):
    module, (a, b, c) = abc
    other = ir.Module.parse('"other.op"() : () -> ()', module.context)
    b.move_before(other.body.operations[0])
    assert names(other.body) == ["custom.b", "other.op"]
    assert b.operation.parent is other.operation
    assert names(module.body) == ["custom.a", "custom.c"]


def test_move_detached(abc):
    module, (a, b, c) = abc
    new = ir.Operation.create("custom.new")
    new.move_after(a)
    assert names(module.body) == ["custom.a", "custom.new", "custom.b", "custom.c"]
    assert new.operation.attached
    with pytest.raises(ValueError, match="detached"):
        a.move_after(ir.Operation.create("custom.new2"))


def test_no_operation_moves_into_itself(ctx):
    op = ir.Operation.create("custom.region", regions=1)
    block = op.regions[0].blocks.append()
    with pytest.raises(ValueError, match="into itself"):
        block.append(op)
    with pytest.raises(ValueError, match="into itself"):
        ir.InsertionPoint(block).insert(op)
    with ir.InsertionPoint(block):
        inner = ir.Operation.create("custom.inner")
    with pytest.raises(ValueError, match="into itself"):
        op.move_before(inner)


def test_detach(abc):
    module, (a, b, c) = abc
    assert b.detach_from_parent() == b
    assert not b.operation.attached and b.operation.parent is None
    assert names(module.body) == ["custom.a", "custom.c"]
    with pytest.raises(ValueError, match="has no parent"):
        b.detach_from_parent()
    module.body.append(b)
    assert names(module.body) == ["custom.a", "custom.c", "custom.b"]


def test_is_before_needs_one_block(abc):
    module, (a, b, c) = abc
    b.detach_from_parent()
    with pytest.raises(ValueError, match="same block"):
        b.is_before_in_block(a)


def test_clone(abc):
    module, (a, b, c) = abc
    copy = b.operation.clone()
    assert not copy.operation.attached and copy != b and str(copy).strip() == str(b)
    inserted = b.clone(ip=ir.InsertionPoint(a))
    assert names(module.body)[0] == "custom.b" and inserted.operation.attached


def test_erase(abc):
    module, (a, b, c) = abc
    b.erase()
    assert names(module.body) == ["custom.a", "custom.c"]
    with pytest.raises(RuntimeError, match="invalidated"):
        b.operation.name


def test_location_property(ctx):
    op = ir.Operation.create("custom.op", loc=ir.Location.name("first"))
    assert op.location == ir.Location.name("first")
    op.location = ir.Location.name("second")
    assert str(op.operation.location) == 'loc("second")'


def test_capsule(ctx):
    op = ir.Operation.create("custom.op").operation
    assert '"mlir_xla.ir.Operation._CAPIPtr"' in repr(op._CAPIPtr)
    assert ir.Operation._CAPICreate(op._CAPIPtr) is op


# --- Walking ----------------------------------------------------------------------------------------------------------


def walked(module, order, decide=lambda op: ir.WalkResult.ADVANCE):
    seen = []

    def callback(op):
        seen.append(op.name)
        return decide(op)

    module.operation.walk(callback, order)
    return seen


def test_walk_orders(module):
    inner = ["custom.addi", "func.return"]
    assert walked(module, ir.WalkOrder.POST_ORDER) == [*inner, "func.func", "builtin.module"]
    assert walked(module, ir.WalkOrder.PRE_ORDER) == ["builtin.module", "func.func", *inner]


def test_walk_skip_and_interrupt(module):
    def skip(op):
        return ir.WalkResult.SKIP if op.name == "func.func" else ir.WalkResult.ADVANCE

    def interrupt(op):
        return ir.WalkResult.INTERRUPT if op.name == "custom.addi" else None

    assert walked(module, ir.WalkOrder.PRE_ORDER, skip) == ["builtin.module", "func.func"]
    assert walked(module, ir.WalkOrder.POST_ORDER, interrupt) == ["custom.addi"]


def test_walk_passes_exceptions_on(module):
    with pytest.raises(RuntimeError, match="Exception raised in callback: ZeroDivisionError") as error:
        module.operation.walk(lambda op: 1 / 0)
    assert isinstance(error.value.__cause__, ZeroDivisionError)

    def interrupt(op):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        module.operation.walk(interrupt)


def test_search_by_class(module):
    from mlir_xla.dialects import builtin, func

    add = module.body.operations[0].regions[0].blocks[0].operations[0]
    assert ir.get_parent_of_type(add, func.FuncOp) == module.body.operations[0]
    assert isinstance(ir.get_parent_of_type(add, func.FuncOp), func.FuncOp)
    assert ir.get_parent_of_type(module.body.operations[0], func.FuncOp) is None
    with pytest.raises(TypeError, match="must be an OpView subclass"):
        ir.get_parent_of_type(add, int)
    assert ir.get_ops_of_type(module, func.FuncOp) == [module.body.operations[0]]
    every = ir.get_ops_of_type(module)
    assert every[0] == add and isinstance(every[-1], builtin.ModuleOp)


def test_walk_may_erase(abc):
    module, (a, b, c) = abc

    def callback(op):
        if op.name == "custom.a":
            op.erase()
            b.erase()
        return ir.WalkResult.ADVANCE

    module.operation.walk(callback, ir.WalkOrder.PRE_ORDER)
    assert names(module.body) == ["custom.c"]
