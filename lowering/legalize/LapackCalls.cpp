// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each routine takes and gives, and with which parameters the runtime's function for it is called.

#include "mlir_xla/lowering/legalize/LapackCalls.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::xla;

namespace {

/// The type that an operand or result must have: 'T' elements of the routine, 'R' real, 'C' complex, 'i' 32 bit
/// integers; the dimensions after those of the batch.
struct Expected {
  char element;
  SmallVector<int64_t, 2> dims;
};

/// Describes one call, once its target is known.
class Analysis {
public:
  Analysis(CustomCallOp op, StringRef routine, Type element, bool isNeutral)
      : op(op), routine(routine), element(element), isNeutral(isNeutral) {}
  FailureOr<LapackCall> run();

private:
  LogicalResult describe();
  LogicalResult describeFactorization();
  LogicalResult describeSpectral();
  LogicalResult describeSystem();
  LogicalResult checkTypes();
  LogicalResult setOrders();
  /// The order of the dimensions of a value in memory, by its layout.
  SmallVector<int64_t> orderOf(RankedTensorType type, std::optional<ArrayAttr> layouts, unsigned index);
  bool isColumnMajor(ArrayRef<int64_t> order);
  /// The dims of the matrix that says how large the problem is.
  LogicalResult readShape(unsigned operand);
  /// An attribute of the call that is a character out of `allowed`, as JAX writes it, or `otherwise` where it is not
  /// given.
  FailureOr<int64_t> character(StringRef name, StringRef allowed, char otherwise);
  FailureOr<int64_t> integer(StringRef name, int64_t low, int64_t high, int64_t otherwise);
  Attribute attribute(StringRef name);
  Type elementOf(char kind);
  InFlightDiagnostic error() { return op.emitOpError() << "@" << op.getCallTargetName() << ": "; }
  int64_t rank() const { return std::min(m, n); }
  RankedTensorType operandType(unsigned i) { return cast<RankedTensorType>(op.getInputs()[i].getType()); }

  CustomCallOp op;
  StringRef routine; // without its prefix: geqrf
  Type element;
  bool isNeutral; // XLA's own name: the matrices are what the types say, whatever their layouts
  SmallVector<int64_t> batch;
  int64_t m = 0, n = 0;
  double operations = 0; // floating-point, per item
  SmallVector<Expected> operands, results;
  LapackCall call;
};

} // namespace

/// s, d, c, z
static char prefixOf(Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  Type real = complex ? complex.getElementType() : element;
  return complex ? (real.isF32() ? 'c' : 'z') : (real.isF32() ? 's' : 'd');
}

static std::string functionName(Type element, StringRef routine) {
  return ("xla_rt_lapack_" + Twine(prefixOf(element)) + routine).str();
}

/// Nanoseconds on one core, roughly: four operations each, and what a call costs.
static int64_t costOf(int64_t work, double operations) {
  return std::max<int64_t>(1, static_cast<int64_t>(std::min(work * (operations / 4 + 500), 1e15)));
}

static int64_t lanesOf(Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  return 512 / (complex ? complex.getElementType() : element).getIntOrFloatBitWidth();
}

LapackCall mlir::xla::getCholeskyCall(RankedTensorType type, bool lower, bool zeros, bool info) {
  LapackCall call;
  Type element = type.getElementType();
  int64_t n = type.getShape().back(), matrices = ShapedType::getNumElements(type.getShape().drop_back(2));
  int64_t group = n <= kSmallMatrix ? lanesOf(element) : 1;
  call.function = functionName(element, "potrf");
  call.parameters = {n, matrices, lower, group, zeros + 2 * info};
  call.inits = {0};
  if (info)
    call.inits.push_back(-1);
  call.work = llvm::divideCeil(matrices, group);
  double each = static_cast<double>(n) * n * n / 3 * (isa<ComplexType>(element) ? 4 : 1);
  call.cost = costOf(call.work, n <= kSmallMatrix ? each * group / 4 : each / 4);
  return call;
}

LapackCall mlir::xla::getSolveCall(RankedTensorType a, RankedTensorType b, bool left, bool lower, char transpose,
                                   bool unit) {
  LapackCall call;
  Type element = a.getElementType();
  int64_t n = a.getShape().back(), count = b.getDimSize(b.getRank() - (left ? 1 : 2));
  int64_t systems = ShapedType::getNumElements(a.getShape().drop_back(2));
  // Few systems are cut, into parts of so many right-hand sides that reading the matrix again costs little.
  int64_t parts = systems < 8 ? std::clamp<int64_t>(count / 64, 1, 8) : 1;
  call.function = functionName(element, "solve");
  call.parameters = {n, count, left, lower, transpose, unit, parts};
  call.inputs = {0};
  call.inits = {1};
  call.work = systems * parts;
  call.cost = costOf(call.work, static_cast<double>(n) * n * count / parts * (isa<ComplexType>(element) ? 4 : 1) / 4);
  return call;
}

//===- Attributes, types and layouts ------------------------------------------------------------------------------===//

Attribute Analysis::attribute(StringRef name) {
  auto config = dyn_cast_or_null<DictionaryAttr>(op.getBackendConfig().value_or(nullptr));
  if (!config)
    config = op->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  return config ? config.get(name) : nullptr;
}

FailureOr<int64_t> Analysis::integer(StringRef name, int64_t low, int64_t high, int64_t otherwise) {
  Attribute value = attribute(name);
  if (!value)
    return otherwise;
  auto number = dyn_cast<IntegerAttr>(value);
  if (number && number.getValue().getActiveBits() <= 32) {
    int64_t found = static_cast<int64_t>(number.getValue().getZExtValue());
    if (found >= low && found <= high)
      return found;
  }
  return error() << "the attribute " << name << " = " << value << " is not in [" << low << ", " << high << "]";
}

FailureOr<int64_t> Analysis::character(StringRef name, StringRef allowed, char otherwise) {
  FailureOr<int64_t> found = integer(name, 0, 255, otherwise);
  if (succeeded(found) && !allowed.contains(static_cast<char>(*found)))
    return error() << "the attribute " << name << " = " << *found << " is none of the characters " << allowed;
  return found;
}

Type Analysis::elementOf(char kind) {
  auto complex = dyn_cast<ComplexType>(element);
  switch (kind) {
  case 'R':
    return complex ? complex.getElementType() : element;
  case 'C':
    return complex ? complex : ComplexType::get(element);
  case 'i':
    return IntegerType::get(op.getContext(), 32);
  default:
    return element;
  }
}

LogicalResult Analysis::readShape(unsigned operand) {
  if (operand >= op.getInputs().size())
    return error() << "takes more than " << op.getInputs().size() << " operands";
  auto type = dyn_cast<RankedTensorType>(op.getInputs()[operand].getType());
  if (!type || type.getRank() < 2 || !type.hasStaticShape())
    return error() << "operand " << operand << " is " << op.getInputs()[operand].getType()
                   << ", no matrix or batch of matrices";
  batch = llvm::to_vector(type.getShape().drop_back(2));
  m = type.getDimSize(type.getRank() - 2);
  n = type.getShape().back();
  // LAPACK counts in 32 bits.
  if (std::max(m, n) > (int64_t(1) << 30) / 64)
    return error() << "operand " << operand << " is " << type << ", larger than LAPACK takes";
  return success();
}

LogicalResult Analysis::checkTypes() {
  auto check = [&](StringRef what, TypeRange found, ArrayRef<Expected> wanted) -> LogicalResult {
    if (found.size() != wanted.size())
      return error() << "has " << found.size() << " " << what << "s, expected " << wanted.size();
    for (auto [i, type, expected] : llvm::enumerate(found, wanted)) {
      SmallVector<int64_t> shape = batch;
      llvm::append_range(shape, expected.dims);
      auto tensor = dyn_cast<RankedTensorType>(type);
      auto right = RankedTensorType::get(shape, elementOf(expected.element));
      if (!tensor || tensor.getShape() != ArrayRef(shape) || tensor.getElementType() != right.getElementType())
        return error() << what << " " << i << " is " << type << ", expected " << right;
    }
    return success();
  };
  return failure(failed(check("operand", op.getInputs().getTypes(), operands)) ||
                 failed(check("result", op.getResultTypes(), results)));
}

SmallVector<int64_t> Analysis::orderOf(RankedTensorType type, std::optional<ArrayAttr> layouts, unsigned index) {
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  if (isNeutral) {
    if (type.getRank() == static_cast<int64_t>(batch.size()) + 2)
      std::swap(order[type.getRank() - 2], order[type.getRank() - 1]);
  } else if (layouts) {
    // Layouts go from minor to major.
    order.clear();
    for (const APInt &dim : cast<DenseIntElementsAttr>((*layouts)[index]).getValues<APInt>())
      order.push_back(dim.getSExtValue());
    std::reverse(order.begin(), order.end());
  }
  return order;
}

bool Analysis::isColumnMajor(ArrayRef<int64_t> order) {
  SmallVector<int64_t> wanted = llvm::to_vector(llvm::seq<int64_t>(0, order.size()));
  std::swap(wanted[order.size() - 2], wanted[order.size() - 1]);
  return order == ArrayRef(wanted);
}

LogicalResult Analysis::setOrders() {
  for (auto [i, value] : llvm::enumerate(op.getInputs()))
    call.operandOrders.push_back(orderOf(cast<RankedTensorType>(value.getType()), op.getOperandLayouts(), i));
  for (auto [i, type] : llvm::enumerate(op.getResultTypes()))
    call.resultOrders.push_back(orderOf(cast<RankedTensorType>(type), op.getResultLayouts(), i));
  for (auto [i, init] : llvm::enumerate(call.inits))
    if (init >= 0 && call.operandOrders[init] != call.resultOrders[i])
      return error() << "the layouts of operand " << init << " and result " << i << ", which replaces it, differ";
  return success();
}

//===- Routines ---------------------------------------------------------------------------------------------------===//

LogicalResult Analysis::describeFactorization() {
  if (routine == "ormqr") {
    if (failed(readShape(2)))
      return failure();
    FailureOr<int64_t> left = integer("left", 0, 1, 1), transpose = integer("transpose", 0, 1, 0);
    if (failed(left) || failed(transpose))
      return failure();
    auto a = dyn_cast<RankedTensorType>(op.getInputs()[0].getType());
    auto tau = dyn_cast<RankedTensorType>(op.getInputs()[1].getType());
    int64_t columns = a && a.getRank() > 0 ? a.getShape().back() : 0, rows = *left ? m : n;
    int64_t reflectors = tau && tau.getRank() > 0 ? tau.getShape().back() : 0;
    if (reflectors > std::min(columns, rows))
      return error() << reflectors << " reflectors are more than matrices of " << rows << "x" << columns << " have";
    operands = {{'T', {rows, columns}}, {'T', {reflectors}}, {'T', {m, n}}};
    results = {{'T', {m, n}}};
    call.parameters = {m, n, reflectors, *left, *transpose, columns};
    call.inputs = {0, 1};
    call.inits = {2};
    operations = 4.0 * m * n * reflectors;
    return success();
  }
  if (failed(readShape(0)))
    return failure();
  operations = 2.0 * m * n * rank();
  call.parameters = {m, n};
  operands = {{'T', {m, n}}};
  if (routine == "geqrf") {
    results = {{'T', {m, n}}, {'T', {rank()}}};
    call.inits = {0, -1};
  } else if (routine == "geqp3") {
    operands.push_back({'i', {n}});
    results = {{'T', {m, n}}, {'i', {n}}, {'T', {rank()}}};
    call.inits = {0, 1, -1};
  } else if (routine == "orgqr") {
    auto tau = op.getInputs().size() > 1 ? dyn_cast<RankedTensorType>(op.getInputs()[1].getType()) : nullptr;
    int64_t reflectors = tau && tau.getRank() > 0 ? tau.getShape().back() : 0;
    if (reflectors > n || n > m)
      return error() << reflectors << " reflectors do not make matrices of " << m << "x" << n;
    operands.push_back({'T', {reflectors}});
    results = {{'T', {m, n}}};
    call.parameters.push_back(reflectors);
    call.inputs = {1};
    call.inits = {0};
  } else if (routine == "getrf" || routine == "lu") {
    results = {{'T', {m, n}}, {'i', {rank()}}, {'i', {}}};
    call.inits = {0, -1, -1};
    if (routine == "lu")
      results.back().dims = {m};
  } else { // gehrd
    FailureOr<int64_t> low = integer("low", 1, std::max<int64_t>(1, n), 1), high = integer("high", 0, n, n);
    if (failed(low) || failed(high))
      return failure();
    results = {{'T', {n, n}}, {'T', {std::max<int64_t>(n - 1, 0)}}, {'i', {}}};
    operands = {{'T', {n, n}}};
    call.parameters = {n, *low, *high};
    call.inits = {0, -1, -1};
    operations *= 5.0 / 3;
  }
  return success();
}

LogicalResult Analysis::describeSpectral() {
  if (failed(readShape(0)))
    return failure();
  operands = {{'T', {n, n}}};
  operations = 10.0 * m * n * rank();
  bool isComplex = isa<ComplexType>(element);
  call.inits = {0};
  if (routine == "syevd") {
    FailureOr<int64_t> mode = character("mode", "NV", 'V'), uplo = character("uplo", "LU", 'L');
    if (failed(mode) || failed(uplo))
      return failure();
    results = {{'T', {n, n}}, {'R', {n}}, {'i', {}}};
    call.parameters = {n, *mode, *uplo};
  } else if (routine == "gesdd" || routine == "gesvd") {
    FailureOr<int64_t> mode = character("mode", "ASN", 'S');
    if (failed(mode))
      return failure();
    // Without vectors their arrays are of either size.
    auto isWhole = [&](unsigned result, unsigned dimFromEnd, int64_t size) {
      auto type = op.getNumResults() > result ? dyn_cast<RankedTensorType>(op.getResult(result).getType()) : nullptr;
      return *mode == 'A' || (*mode == 'N' && type && type.getRank() >= dimFromEnd &&
                              type.getDimSize(type.getRank() - dimFromEnd) == size);
    };
    int64_t columns = isWhole(2, 1, m) ? m : rank(), rows = isWhole(3, 2, n) ? n : rank();
    operands = {{'T', {m, n}}};
    results = {{'T', {m, n}}, {'R', {rank()}}, {'T', {m, columns}}, {'T', {rows, n}}, {'i', {}}};
    call.parameters = {m, n, *mode, columns, rows};
  } else if (routine == "geev") {
    FailureOr<int64_t> left = character("compute_left", "NV", 'N'), right = character("compute_right", "NV", 'V');
    if (failed(left) || failed(right))
      return failure();
    results = {{'T', {n}}, {'C', {n, n}}, {'C', {n, n}}, {'i', {}}};
    call.parameters = {n, *left, *right};
    call.inputs = {0};
    call.inits.clear();
  } else if (routine == "gees") {
    FailureOr<int64_t> mode = character("mode", "NV", 'V'), sort = character("sort", "N", 'N');
    if (failed(mode) || failed(sort))
      return failure();
    results = {{'T', {n, n}}, {'T', {n, n}}, {'T', {n}}, {'i', {}}, {'i', {}}};
    call.parameters = {n, *mode};
  } else { // sytrd
    FailureOr<int64_t> uplo = character("uplo", "LU", 'L');
    if (failed(uplo))
      return failure();
    int64_t others = std::max<int64_t>(n - 1, 0);
    results = {{'T', {n, n}}, {'R', {n}}, {'R', {others}}, {'T', {others}}, {'i', {}}};
    call.parameters = {n, *uplo};
  }
  // The imaginary parts of the eigenvalues of a real matrix.
  if (!isComplex && (routine == "geev" || routine == "gees"))
    results.insert(results.begin() + (routine == "geev" ? 1 : 3), {'T', {n}});
  call.inits.resize(results.size(), -1);
  return success();
}

LogicalResult Analysis::describeSystem() {
  if (routine == "potrf") {
    FailureOr<int64_t> uplo = character("uplo", "LU", 'L');
    if (failed(uplo) || failed(readShape(0)))
      return failure();
    operands = {{'T', {n, n}}};
    results = {{'T', {n, n}}, {'i', {}}};
    call.parameters = {*uplo};
    call.inits = {0, -1};
    return success();
  }
  if (routine == "trsm") {
    FailureOr<int64_t> side = character("side", "LR", 'L'), uplo = character("uplo", "LU", 'L'),
                       transpose = character("trans_x", "NTC", 'N'), diagonal = character("diag", "NU", 'N');
    if (failed(side) || failed(uplo) || failed(transpose) || failed(diagonal) || failed(readShape(1)))
      return failure();
    int64_t order = *side == 'L' ? m : n;
    operands = {{'T', {order, order}}, {'T', {m, n}}};
    results = {{'T', {m, n}}};
    call.parameters = {*side, *uplo, *transpose, *diagonal};
    call.inits = {1};
    return success();
  }
  if (failed(readShape(3)))
    return failure();
  operands = {{'T', {m}}, {'T', {m}}, {'T', {m}}, {'T', {m, n}}};
  call.parameters = {m, n};
  operations = 10.0 * m * (n + 1);
  if (routine == "gtsv") {
    results = operands;
    results.push_back({'i', {}});
    call.inits = {0, 1, 2, 3, -1};
  } else { // perturbed
    results = {{'T', {m, n}}};
    call.inputs = {0, 1, 2, 3};
    call.inits = {-1};
  }
  return success();
}

LogicalResult Analysis::describe() {
  if (llvm::is_contained({"geqrf", "geqp3", "orgqr", "ormqr", "getrf", "lu", "gehrd"}, routine))
    return describeFactorization();
  if (llvm::is_contained({"potrf", "trsm", "gtsv", "perturbed"}, routine))
    return describeSystem();
  return describeSpectral();
}

FailureOr<LapackCall> Analysis::run() {
  if (failed(describe()) || failed(checkTypes()) || failed(setOrders()))
    return failure();
  if (routine != "potrf" && routine != "trsm") {
    call.function = functionName(element, routine);
    call.work = ShapedType::getNumElements(batch);
    call.cost = costOf(call.work, operations * (isa<ComplexType>(element) ? 4 : 1));
    return call;
  }
  // These functions take row-major matrices. What LAPACK finds column-major is one as it is; else the function is
  // given what is in memory, the transposed matrix.
  bool isRight = llvm::all_of(call.operandOrders, [&](ArrayRef<int64_t> order) { return isColumnMajor(order); });
  LapackCall given = call;
  if (routine == "potrf") {
    call = getCholeskyCall(operandType(0), (given.parameters[0] == 'L') == isRight, /*zeros=*/false, /*info=*/true);
  } else {
    bool left = given.parameters[0] == 'L', lower = given.parameters[1] == 'L';
    auto b = operandType(1);
    if (!isRight) {
      SmallVector<int64_t> shape(batch);
      llvm::append_range(shape, ArrayRef{n, m});
      b = RankedTensorType::get(shape, element);
    }
    call = getSolveCall(operandType(0), b, left == isRight, lower == isRight, static_cast<char>(given.parameters[2]),
                        given.parameters[3] == 'U');
  }
  call.operandOrders = given.operandOrders;
  call.resultOrders = given.resultOrders;
  if (isRight)
    for (SmallVector<int64_t> &order : llvm::concat<SmallVector<int64_t>>(call.operandOrders, call.resultOrders))
      llvm::sort(order);
  return call;
}

//===- Targets ----------------------------------------------------------------------------------------------------===//

/// lapack_sgeqrf_ffi  ->  geqrf and f32; empty if there is no such routine. Real and complex routines that do the same
/// share the real one's name.
static StringRef parseTarget(StringRef target, MLIRContext *context, Type &element) {
  StringRef name = target;
  if (!name.consume_front("lapack_") || !name.consume_back("_ffi") || name.empty())
    return {};
  Builder b(context);
  bool isComplex = name[0] == 'c' || name[0] == 'z';
  element = llvm::StringSwitch<Type>(name.take_front())
                .Case("s", b.getF32Type())
                .Case("d", b.getF64Type())
                .Case("c", ComplexType::get(b.getF32Type()))
                .Case("z", ComplexType::get(b.getF64Type()))
                .Default(Type());
  if (!element)
    return {};
  name = name.drop_front();
  StringRef both = llvm::StringSwitch<StringRef>(name)
                       .Cases({"potrf", "trsm", "getrf", "geqrf", "geqp3", "gesdd", "gesvd"}, name)
                       .Cases({"geev", "gees", "gehrd", "gtsv"}, name)
                       .Default({});
  if (!both.empty())
    return both;
  if (isComplex)
    return llvm::StringSwitch<StringRef>(name)
        .Case("ungqr", "orgqr")
        .Case("unmqr", "ormqr")
        .Case("heevd", "syevd")
        .Case("hetrd", "sytrd")
        .Default({});
  return llvm::StringSwitch<StringRef>(name).Cases({"orgqr", "ormqr", "syevd", "sytrd"}, name).Default({});
}

/// The names that do not say their type.
static StringRef parseNeutralTarget(StringRef target) {
  return llvm::StringSwitch<StringRef>(target)
      .Case("Qr", "geqrf")
      .Case("ProductOfElementaryHouseholderReflectors", "orgqr")
      .Case("LuDecomposition", "lu")
      .Case("tridiagonal_solve_perturbed_ffi", "perturbed")
      .Default({});
}

bool mlir::xla::isLapackCall(CustomCallOp op) {
  Type element;
  return !parseNeutralTarget(op.getCallTargetName()).empty() ||
         !parseTarget(op.getCallTargetName(), op.getContext(), element).empty();
}

FailureOr<LapackCall> mlir::xla::analyzeLapackCall(CustomCallOp op) {
  Type element;
  StringRef target = op.getCallTargetName(), neutral = parseNeutralTarget(target);
  if (neutral.empty())
    return Analysis(op, parseTarget(target, op.getContext(), element), element, /*isNeutral=*/false).run();
  auto first = op.getInputs().empty() ? nullptr : dyn_cast<RankedTensorType>(op.getInputs()[0].getType());
  element = first ? first.getElementType() : Type();
  auto complex = dyn_cast_or_null<ComplexType>(element);
  Type real = complex ? complex.getElementType() : element;
  if (!real || !(real.isF32() || real.isF64()))
    return op.emitOpError() << "@" << target << ": operand 0 is no array of f32, f64 or their complex numbers";
  return Analysis(op, neutral, element, neutral != "perturbed").run();
}
