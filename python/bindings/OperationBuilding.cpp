// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creation of operations: `Operation.create`, the constructor of OpView that generated classes call, and parsing.

#include "mlir_xla/python/bindings/Parts.h"
#include "mlir_xla/python/bindings/TextChecks.h"

#include "nanobind/stl/variant.h"

using namespace mlir::xla::python;

namespace {

/// Everything for mlirOperationCreate, with the checks that keep it from crashing.
struct Builder {
  Builder(std::string_view name, const DefaultLoc &loc) : name(name), loc(loc.value) {}

  void addResult(MlirType type) {
    requireContext(mlirTypeGetContext(type), "result type", toString(type));
    results.push_back(type);
  }
  void addOperand(MlirValue value) {
    requireContext(mlirValueGetContext(value), "operand", "");
    operands.push_back(value);
  }
  void addAttributes(const nb::dict &dict);
  void addSegments(const char *attribute, const std::vector<int32_t> &lengths);
  nb::object create(const std::optional<std::vector<PyBlock *>> &successors, int regions, bool inferTypes,
                    nb::handle ip);

  std::string name;
  PyLocation loc;
  std::vector<MlirType> results;
  std::vector<MlirValue> operands;
  std::vector<MlirNamedAttribute> attributes;

private:
  void requireContext(MlirContext context, const char *what, const std::string &detail) {
    if (!mlirContextEqual(context, loc.ctx->get()))
      throwPy(PyExc_ValueError, "a(n) " + std::string(what) + " of operation \"" + name +
                                    "\" belongs to another context" + (detail.empty() ? "" : ": " + detail));
  }
  void addAttribute(std::string_view key, MlirAttribute attr) {
    attributes.push_back(mlirNamedAttributeGet(mlirIdentifierGet(*loc.ctx, toRef(key)), attr));
  }
};

} // namespace

static std::string text(nb::handle object) { return nb::cast<std::string>(nb::repr(object)); }

void Builder::addAttributes(const nb::dict &dict) {
  for (auto [key, value] : dict) {
    if (!nb::isinstance<nb::str>(key))
      throwPy(PyExc_TypeError, "Invalid attribute key (not a string) when attempting to create the operation \"" +
                                   name + "\" (got " + text(key) + ")");
    std::string keyText = nb::cast<std::string>(key);
    if (value.is_none())
      throwPy(PyExc_RuntimeError, "Found an invalid (`None`?) attribute value for the key \"" + keyText +
                                      "\" when attempting to create the operation \"" + name + "\"");
    MlirAttribute attr;
    if (!nb::try_cast<MlirAttribute>(value, attr))
      throwPy(PyExc_TypeError, "Invalid attribute value for the key \"" + keyText +
                                   "\" when attempting to create the operation \"" + name + "\" (got " + text(value) +
                                   ")");
    requireContext(mlirAttributeGetContext(attr), "attribute", keyText);
    addAttribute(keyText, attr);
  }
}

void Builder::addSegments(const char *attribute, const std::vector<int32_t> &lengths) {
  for (const MlirNamedAttribute &given : attributes)
    if (toView(mlirIdentifierStr(given.name)) == attribute)
      throwPy(PyExc_ValueError, std::string("Manually setting a '") + attribute +
                                    "' attribute is unsupported. Use Operation.create for such low-level access.");
  addAttribute(attribute, mlirDenseI32ArrayGet(*loc.ctx, lengths.size(), lengths.data()));
}

nb::object Builder::create(const std::optional<std::vector<PyBlock *>> &successors, int regions, bool inferTypes,
                           nb::handle ip) {
  if (regions < 0)
    throwPy(PyExc_ValueError, "number of regions must be >= 0");
  MlirOperationState state = mlirOperationStateGet(toRef(name), loc);
  mlirOperationStateAddOperands(&state, operands.size(), operands.data());
  if (inferTypes)
    mlirOperationStateEnableResultTypeInference(&state);
  else
    mlirOperationStateAddResults(&state, results.size(), results.data());
  mlirOperationStateAddAttributes(&state, attributes.size(), attributes.data());
  if (successors) {
    std::vector<MlirBlock> blocks;
    for (PyBlock *block : *successors) {
      if (!block)
        throwPy(PyExc_TypeError, "a successor of operation \"" + name + "\" is None");
      blocks.push_back(block->get());
    }
    mlirOperationStateAddSuccessors(&state, blocks.size(), blocks.data());
  }
  std::vector<MlirRegion> regionHandles(regions);
  for (MlirRegion &region : regionHandles)
    region = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&state, regionHandles.size(), regionHandles.data());

  ErrorCapture errors(loc.ctx);
  MlirOperation op = mlirOperationCreate(&state);
  if (mlirOperationIsNull(op))
    errors.fail("Operation creation failed");
  Ref<PyOperation> result = PyOperation::adopt(op);
  maybeInsert(*result, ip);
  return result.object();
}

//===--- Operation.create
//--------------------------------------------------------------------------------------------===//

static nb::object createOperation(const std::string &name, const std::optional<nb::sequence> &results,
                                  const std::optional<nb::sequence> &operands,
                                  const std::optional<nb::dict> &attributes,
                                  const std::optional<std::vector<PyBlock *>> &successors, int regions, DefaultLoc loc,
                                  nb::object ip, bool inferType) {
  Builder builder(name, loc);
  size_t index = 0;
  if (operands)
    for (nb::handle operand : *operands) {
      MlirValue value;
      if (!tryToValue(operand, value))
        throwPy(PyExc_TypeError, "Operand " + std::to_string(index) + " of operation \"" + name +
                                     "\" must be a Value (got " + text(operand) + ")");
      builder.addOperand(value);
      ++index;
    }
  index = 0;
  if (results)
    for (nb::handle result : *results) {
      MlirType type;
      if (!nb::try_cast<MlirType>(result, type))
        throwPy(PyExc_TypeError, "Result " + std::to_string(index) + " of operation \"" + name +
                                     "\" must be a Type (got " + text(result) + ")");
      builder.addResult(type);
      ++index;
    }
  if (attributes)
    builder.addAttributes(*attributes);
  nb::object op = builder.create(successors, regions, inferType, ip);
  return nb::cast<PyOperation &>(op).opView();
}

//===--- OpView's constructor
//----------------------------------------------------------------------------------------===//

/// Flattens operands or results by ODS's segment specification: 1 is a single element, 0 an optional one (None where
/// absent) and -1 a variable number. `add(object)` is false for an object of the wrong kind.
template <typename Add>
static std::vector<int32_t> flatten(const nb::list &values, const std::optional<std::vector<int>> &spec,
                                    const std::string &name, const char *kind, const char *noun, const char *plural,
                                    Add add) {
  auto fail = [&](size_t index, const char *expected, const std::string &why) {
    throwPy(PyExc_ValueError, std::string(kind) + " " + std::to_string(index) + " of operation \"" + name +
                                  "\" must be a " + expected + " (" + why + ")");
  };
  std::vector<int32_t> lengths;
  if (!spec) {
    for (size_t i = 0; i != values.size(); ++i)
      if (!add(values[i]))
        fail(i, noun, "got " + text(values[i]));
    return lengths;
  }
  if (spec->size() != values.size())
    throwPy(PyExc_ValueError, "Operation \"" + name + "\" requires " + std::to_string(spec->size()) + " " +
                                  (kind[0] == 'O' ? "operand" : "result") + " segments but was provided " +
                                  std::to_string(values.size()));
  for (size_t i = 0; i != values.size(); ++i) {
    nb::object value = values[i];
    int segment = (*spec)[i];
    if (segment == 1 || segment == 0) {
      if (value.is_none()) {
        if (segment == 1)
          fail(i, noun, std::string("was None and ") + (kind[0] == 'O' ? "operand" : "result") + " is not optional");
        lengths.push_back(0);
        continue;
      }
      if (!add(value))
        fail(i, noun, "got " + text(value));
      lengths.push_back(1);
    } else if (segment == -1) {
      int32_t count = 0;
      if (!value.is_none()) {
        if (!nb::isinstance<nb::sequence>(value) || nb::isinstance<nb::str>(value))
          fail(i, plural, "got " + text(value));
        for (nb::handle element : value) {
          if (!add(element))
            fail(i, plural, element.is_none() ? "contained a None item" : "got " + text(element) + " in it");
          ++count;
        }
      }
      lengths.push_back(count);
    } else {
      throwPy(PyExc_ValueError, "Unexpected segment spec");
    }
  }
  return lengths;
}

static nb::object buildGeneric(const std::string &name, std::pair<int, bool> regionSpec,
                               const std::optional<std::vector<int>> &operandSpec,
                               const std::optional<std::vector<int>> &resultSpec,
                               const std::optional<nb::list> &results, const nb::list &operands,
                               const std::optional<nb::dict> &attributes,
                               const std::optional<std::vector<PyBlock *>> &successors, std::optional<int> regions,
                               DefaultLoc loc, nb::handle ip) {
  int minRegions = regionSpec.first;
  bool noVariadicRegions = regionSpec.second;
  int regionCount = regions.value_or(minRegions);
  auto regionError = [&](const char *bound) {
    throwPy(PyExc_ValueError, "Operation \"" + name + "\" requires a " + bound + " of " + std::to_string(minRegions) +
                                  " regions but was built with regions=" + std::to_string(regionCount));
  };
  if (regionCount < minRegions)
    regionError("minimum");
  if (noVariadicRegions && regionCount > minRegions)
    regionError("maximum");

  Builder builder(name, loc);
  std::vector<int32_t> operandSegments =
      flatten(operands, operandSpec, name, "Operand", "Value", "Sequence of Values", [&](nb::handle object) {
        MlirValue value;
        if (!tryToValue(object, value))
          return false;
        builder.addOperand(value);
        return true;
      });
  std::vector<int32_t> resultSegments;
  if (results)
    resultSegments = flatten(*results, resultSpec, name, "Result", "Type", "Sequence of Types", [&](nb::handle object) {
      MlirType type;
      if (!nb::try_cast<MlirType>(object, type))
        return false;
      builder.addResult(type);
      return true;
    });
  if (attributes)
    builder.addAttributes(*attributes);
  if (results && resultSpec)
    builder.addSegments("resultSegmentSizes", resultSegments);
  if (operandSpec)
    builder.addSegments("operandSegmentSizes", operandSegments);
  return builder.create(successors, regionCount, /*inferTypes=*/!results, ip);
}

/// OpView.build_generic: the class says how.
static nb::object buildGenericOfClass(nb::handle cls, std::optional<nb::list> results, std::optional<nb::list> operands,
                                      std::optional<nb::dict> attributes,
                                      std::optional<std::vector<PyBlock *>> successors, std::optional<int> regions,
                                      DefaultLoc loc, nb::object ip) {
  auto optionalSpec = [&](const char *name) -> std::optional<std::vector<int>> {
    nb::object spec = cls.attr(name);
    if (spec.is_none())
      return std::nullopt;
    return nb::cast<std::vector<int>>(spec);
  };
  nb::object op = buildGeneric(nb::cast<std::string>(cls.attr("OPERATION_NAME")),
                               nb::cast<std::pair<int, bool>>(cls.attr("_ODS_REGIONS")),
                               optionalSpec("_ODS_OPERAND_SEGMENTS"), optionalSpec("_ODS_RESULT_SEGMENTS"), results,
                               operands ? *operands : nb::list(), attributes, successors, regions, loc, ip);
  return makeOpView(cls, Ref<PyOperation>(&nb::cast<PyOperation &>(op)));
}

//===--- Parsing
//-----------------------------------------------------------------------------------------------------===//

Ref<PyOperation> mlir::xla::python::parseOperation(const Ref<Ctx> &ctx, nb::handle source,
                                                   const std::string &sourceName, const char *failure) {
  std::string_view text;
  if (nb::isinstance<nb::bytes>(source)) {
    nb::bytes bytes = nb::borrow<nb::bytes>(source);
    text = {bytes.c_str(), bytes.size()};
  } else if (!nb::try_cast<std::string_view>(source, text)) {
    throwPy(PyExc_TypeError, "expected str or bytes, got " + nb::cast<std::string>(nb::repr(source.type())));
  }
  ErrorCapture errors(ctx);
  MlirOperation op{};
  {
    nb::gil_scoped_release release;
    if (checkText(*ctx, text, sourceName.empty() ? "-" : sourceName))
      op = mlirOperationCreateParse(*ctx, toRef(text), toRef(sourceName));
  }
  if (mlirOperationIsNull(op))
    errors.fail(failure);
  return PyOperation::adopt(op);
}

//===--- Bindings
//----------------------------------------------------------------------------------------------------===//

void mlir::xla::python::populateOperationBuilding(nb::module_ &m) {
  auto op = nb::borrow<nb::class_<PyOperation>>(nb::type<PyOperation>());
  op.def_static(
        "create", createOperation, nb::arg("name"), nb::arg("results") = nb::none(), nb::arg("operands") = nb::none(),
        nb::arg("attributes") = nb::none(), nb::arg("successors") = nb::none(), nb::arg("regions") = 0,
        nb::arg("loc") = nb::none(), nb::arg("ip") = nb::none(), nb::arg("infer_type") = false,
        nb::sig("def create(name: str, results: Sequence[Type] | None = None, operands: Sequence[Value | "
                "_OperationBase] | None = None, attributes: dict[str, Attribute] | None = None, successors: "
                "Sequence[Block] | None = None, regions: int = 0, loc: Location | None = None, ip: InsertionPoint "
                "| Literal[False] | None = None, infer_type: bool = False) -> OpView"),
        "Creates an operation by name and inserts it at `ip` or at the current insertion point.\n\n"
        "`infer_type` infers the result types, for operations that can; ValueError if that fails. With "
        "`ip=False` the operation stays detached.")
      .def_static(
          "parse",
          [](nb::object source, const std::string &sourceName, DefaultCtx ctx) {
            return OpViewObject(
                parseOperation(ctx.ctx, source, sourceName, "Unable to parse operation assembly")->opView());
          },
          nb::arg("source"), nb::kw_only(), nb::arg("source_name") = "", nb::arg("context") = nb::none(),
          nb::sig("def parse(source: str | bytes, *, source_name: str = '', context: Context | None = None) -> OpView"),
          "Parses one operation from its assembly form or bytecode; MLIRError on failure.");

  auto view = nb::borrow<nb::class_<PyOpView>>(nb::type<PyOpView>());
  view.def(
          "__init__", [](PyOpView *self, PyOperationBase &op) { new (self) PyOpView(Ref<PyOperation>(&op.state())); },
          nb::arg("operation"), nb::sig("def __init__(self, operation: _OperationBase) -> None"),
          "A view of an existing operation.")
      .def(
          "__init__",
          [](PyOpView *self, const std::string &name, std::pair<int, bool> regionSpec,
             std::optional<std::vector<int>> operandSpec, std::optional<std::vector<int>> resultSpec,
             std::optional<nb::list> results, std::optional<nb::list> operands, std::optional<nb::dict> attributes,
             std::optional<std::vector<PyBlock *>> successors, std::optional<int> regions, DefaultLoc loc,
             nb::object ip) {
            nb::object op = buildGeneric(name, regionSpec, operandSpec, resultSpec, results,
                                         operands ? *operands : nb::list(), attributes, successors, regions, loc, ip);
            new (self) PyOpView(Ref<PyOperation>(&nb::cast<PyOperation &>(op)));
          },
          nb::arg("name"), nb::arg("opRegionSpec"), nb::arg("operandSegmentSpecObj") = nb::none(),
          nb::arg("resultSegmentSpecObj") = nb::none(), nb::arg("results") = nb::none(),
          nb::arg("operands") = nb::none(), nb::arg("attributes") = nb::none(), nb::arg("successors") = nb::none(),
          nb::arg("regions") = nb::none(), nb::arg("loc") = nb::none(), nb::arg("ip") = nb::none(),
          nb::sig("def __init__(self, name: str, opRegionSpec: tuple[int, bool], operandSegmentSpecObj: Sequence[int] "
                  "| None "
                  "= None, resultSegmentSpecObj: Sequence[int] | None = None, results: Sequence[Any] | None = None, "
                  "operands: Sequence[Any] | None = None, attributes: dict[str, Attribute] | None = None, successors: "
                  "Sequence[Block] | None = None, regions: int | None = None, loc: Location | None = None, ip: "
                  "InsertionPoint | Literal[False] | None = None) -> None"),
          "Builds an operation as its ODS definition says; what generated classes call.");
  view.attr("_ODS_REGIONS") = nb::make_tuple(0, true);
  view.attr("_ODS_OPERAND_SEGMENTS") = nb::none();
  view.attr("_ODS_RESULT_SEGMENTS") = nb::none();

  // nanobind has no class methods: bind them as Python's classmethod over plain functions.
  auto classMethod = [&](const char *name, nb::object function) {
    view.attr(name) = nb::steal(PyClassMethod_New(function.ptr()));
  };
  classMethod("build_generic",
              nb::cpp_function(buildGenericOfClass, nb::name("build_generic"), nb::arg("cls"),
                               nb::arg("results") = nb::none(), nb::arg("operands") = nb::none(),
                               nb::arg("attributes") = nb::none(), nb::arg("successors") = nb::none(),
                               nb::arg("regions") = nb::none(), nb::arg("loc") = nb::none(), nb::arg("ip") = nb::none(),
                               nb::sig("def build_generic(cls, results: Sequence[Any] | None = None, operands: "
                                       "Sequence[Any] | None = None, attributes: dict[str, Attribute] | None = None, "
                                       "successors: Sequence[Block] | None = None, regions: int | None = None, loc: "
                                       "Location | None = None, ip: InsertionPoint | Literal[False] | None = None) -> "
                                       "Self"),
                               "Builds an operation of the class from flat or segmented operands and result types."));
  classMethod(
      "parse",
      nb::cpp_function(
          [](nb::handle cls, nb::object source, const std::string &sourceName, DefaultCtx ctx) {
            Ref<PyOperation> op = parseOperation(ctx.ctx, source, sourceName, "Unable to parse operation assembly");
            nb::object view = op->opView();
            if (!PyObject_IsInstance(view.ptr(), cls.ptr()))
              throw MLIRError("Expected a '" + nb::cast<std::string>(cls.attr("OPERATION_NAME")) + "' op, got: '" +
                                  std::string(toView(mlirIdentifierStr(mlirOperationGetName(*op)))) + "'",
                              {});
            return view;
          },
          nb::name("parse"), nb::arg("cls"), nb::arg("source"), nb::kw_only(), nb::arg("source_name") = "",
          nb::arg("context") = nb::none(),
          nb::sig("def parse(cls, source: str | bytes, *, source_name: str = '', context: Context | None = None) -> "
                  "Self"),
          "Parses an operation of this class from its assembly form or bytecode."));
}
