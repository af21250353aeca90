# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What dialect modules register: operation classes, casters, attribute builders, search prefixes."""

import gc

import pytest

from mlir_xla import ir
from mlir_xla._mlir_libs import _mlir


@pytest.fixture(scope="module")
def dialect():
    """A dialect class with an operation class; registrations last as long as the process."""

    @_mlir.register_dialect
    class _Dialect(ir.Dialect):
        DIALECT_NAMESPACE = "regtest"

    @_mlir.register_operation(_Dialect)
    class ValueOp(ir.OpView):
        OPERATION_NAME = "regtest.value"
        _ODS_REGIONS = (0, True)

        def __init__(self, results, *, loc=None, ip=None):
            super().__init__(
                self.OPERATION_NAME, self._ODS_REGIONS, None, None, results=results, operands=[], loc=loc, ip=ip
            )

        @property
        def answer(self):
            return 42

    return _Dialect


def test_operation_class_is_used(ctx, dialect, i32):
    assert ir.Operation.create("regtest.value", results=[i32]).answer == 42
    parsed = ir.Operation.parse('%0 = "regtest.value"() : () -> i32')
    assert type(parsed) is dialect.ValueOp
    assert dialect.ValueOp([i32]).operation.name == "regtest.value"
    assert dialect.ValueOp.parse('%0 = "regtest.value"() : () -> i32').answer == 42


def test_parse_of_another_class(ctx, dialect):
    with pytest.raises(ir.MLIRError, match="Expected a 'regtest.value' op, got: 'builtin.module'"):
        dialect.ValueOp.parse("module {}")


def test_registering_twice(dialect):
    with pytest.raises(RuntimeError, match="'regtest' is already registered"):
        _mlir.register_dialect(dialect)
    register = _mlir.register_operation(dialect)
    with pytest.raises(RuntimeError, match="'regtest.value' is already registered"):
        register(dialect.ValueOp)
    _mlir.register_operation(dialect, replace=True)(dialect.ValueOp)


def test_type_caster(ctx):
    class Special(ir.Type):
        pass

    type_ = ir.Type.parse("!quant.uniform<i8:f32, 0.5>")

    @ir.register_type_caster(type_.typeid, replace=True)
    def cast(value):
        return Special(value)

    assert type(ir.Type.parse("!quant.uniform<i8:f32, 0.5>")) is Special
    with pytest.raises(RuntimeError, match="already registered"):
        ir.register_type_caster(type_.typeid)(cast)
    with pytest.raises(TypeError, match="not callable"):
        ir.register_type_caster(type_.typeid, replace=True)(3)
    ir.register_type_caster(type_.typeid, replace=True)(lambda value: value)


def test_value_caster(ctx):
    class Wrapped(ir.OpResult):
        pass

    type_ = ir.Type.parse("!shape.witness")
    kinds = []

    @ir.register_value_caster(type_.typeid)
    def cast(value):
        kinds.append(type(value))
        return Wrapped(value) if isinstance(value, ir.OpResult) else value

    op = ir.Operation.create("custom.op", results=[type_], regions=1)
    assert type(op.result) is Wrapped
    use = ir.Operation.create("custom.use", operands=[op.result])
    use.operands[0]
    op.regions[0].blocks.append(type_).arguments[0]
    assert kinds[0] is ir.OpResult and kinds[-2:] == [ir.Value, ir.BlockArgument]
    with pytest.raises(RuntimeError, match="Value caster is already registered: <function"):
        ir.register_value_caster(type_.typeid)(cast)
    ir.register_value_caster(type_.typeid, replace=True)(lambda value: value)


def test_attribute_builder(ctx):
    @ir.register_attribute_builder("RegTestAttr")
    def build(value, context=None):
        return ir.Attribute.parse(f'"{value}"', context)

    assert ir.AttrBuilder.contains("RegTestAttr") and not ir.AttrBuilder.contains("NoSuchAttr")
    assert str(ir.AttrBuilder.get("RegTestAttr")("x", context=ctx)) == '"x"'
    with pytest.raises(KeyError):
        ir.AttrBuilder.get("NoSuchAttr")
    with pytest.raises(RuntimeError, match="already registered with func"):
        ir.register_attribute_builder("RegTestAttr")(build)
    ir.register_attribute_builder("RegTestAttr", replace=True)(build)


def test_search_prefix(ctx, tmp_path, monkeypatch):
    package = tmp_path / "regtest_dialects"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "prefixed.py").write_text(
        "from mlir_xla._mlir_libs import _mlir\n"
        "from mlir_xla import ir\n"
        "@_mlir.register_dialect\n"
        "class _Dialect(ir.Dialect):\n"
        "    DIALECT_NAMESPACE = 'prefixed'\n"
        "@_mlir.register_operation(_Dialect)\n"
        "class Op(ir.OpView):\n"
        "    OPERATION_NAME = 'prefixed.op'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    prefixes = _mlir.globals.dialect_search_modules
    assert type(ir.Operation.create("prefixed.op")) is ir.OpView
    assert not _mlir.globals._check_dialect_module_loaded("prefixed")
    _mlir.globals.append_dialect_search_prefix("regtest_dialects")
    assert _mlir.globals._check_dialect_module_loaded("prefixed")
    assert type(ir.Operation.create("prefixed.op")).__name__ == "Op"
    _mlir.globals.dialect_search_modules = prefixes
    gc.collect()


def test_broken_dialect_module_is_reported(ctx, tmp_path, monkeypatch):
    package = tmp_path / "regtest_broken"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "broken.py").write_text("import a_module_that_is_missing\n")
    monkeypatch.syspath_prepend(tmp_path)
    prefixes = _mlir.globals.dialect_search_modules
    _mlir.globals.append_dialect_search_prefix("regtest_broken")
    with pytest.raises(ModuleNotFoundError, match="a_module_that_is_missing"):
        ir.Operation.create("broken.op")
    _mlir.globals.dialect_search_modules = prefixes


def test_types_have_one_caster(ctx):
    register = ir.register_type_caster
    with pytest.raises(RuntimeError, match="Type caster is already registered"):
        register(ir.Float8E8M0FNUType.static_typeid)(lambda t: t)

    class Tiny(ir.Float8E8M0FNUType):
        pass

    try:
        register(ir.Float8E8M0FNUType.static_typeid, replace=True)(Tiny)
        assert type(ir.Type.parse("f8E8M0FNU")) is Tiny
    finally:
        register(ir.Float8E8M0FNUType.static_typeid, replace=True)(ir.Float8E8M0FNUType)
