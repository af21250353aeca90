// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sort family. A sort by keys becomes a call of the runtime, which makes one unsigned integer of the keys of an
// element; a sort by any other comparator stays one, with a comparator of scalars (docs/design/sort.md).

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/Comparator.h"
#include "mlir_xla/lowering/linalg/Patterns.h"
#include "mlir_xla/lowering/linalg/ScalarOps.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xla;

/// Lines up to this length are sorted by a network, several at a time: that is faster than sorting them one by one.
static constexpr int64_t kMostInNetwork = 256;
/// Elements that are worth an item of parallel work.
static constexpr int64_t kElementsPerItem = 16384;
/// Bytes of the lanes in which a network sorts.
static constexpr int64_t kNetworkBytes = 64;

/// A line from this length on is sorted by all cores; shorter ones are not worth the calls.
static constexpr int64_t kLongLine = 1 << 17;
/// It is done in pieces of at least so many elements, and at most so many pieces.
static constexpr int64_t kElementsPerPiece = 1 << 15, kMostPieces = 64;
/// Constants of runtime/library/sort/SortPieces.cpp.
static constexpr int64_t kBuckets = 16, kSamplesOfBucket = 64;

static RankedTensorType typeOf(Value tensor) { return cast<RankedTensorType>(tensor.getType()); }

static Value emptyOf(OpBuilder &b, Location loc, RankedTensorType type) {
  return tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
}

/// The type of a key that stands for floats of less than 16 bits; `order` becomes that of the key.
static Type narrowKeyType(Type element, KeyOrder &order) {
  if (order == KeyOrder::Number)
    return Float32Type::get(element.getContext());
  order = KeyOrder::Signed;
  return IntegerType::get(element.getContext(), 8);
}

static Value emitNarrowKey(OpBuilder &b, Location loc, Value scalar, Type element, KeyOrder order) {
  if (order == KeyOrder::Number)
    return emitScalarConvert(b, loc, scalar, element, b.getF32Type());
  ImplicitLocOpBuilder bits(loc, b);
  Value key = emitTotalOrderKey(bits, scalar);
  return key.getType().isInteger(8) ? key : Value(arith::ExtSIOp::create(bits, b.getI8Type(), key));
}

namespace {

/// A key as an array of elements that the runtime can order.
struct KeyArray {
  Value array;
  KeyOrder order;
  bool descending;

  Type element() const { return typeOf(array).getElementType(); }
  int64_t bits() const { return element().getIntOrFloatBitWidth(); }
  void appendTo(SmallVectorImpl<int64_t> &parameters, int64_t buffer) const {
    int64_t infinity = 0;
    if (auto type = dyn_cast<FloatType>(element()))
      infinity = APFloat::getInf(type.getFloatSemantics()).bitcastToAPInt().getSExtValue();
    llvm::append_values(parameters, buffer, elementStorageBytes(element()), static_cast<int64_t>(order), bits(),
                        static_cast<int64_t>(descending), infinity);
  }
};

/// An array to be permuted; null where it counts up along the sorted dimension.
struct Permuted {
  Value array;
  RankedTensorType type;
};

/// How the runtime sorts by keys: Plan in runtime/library/sort/SortPlan.h.
struct SortCall {
  int64_t length = 0, stride = 1, lines = 1, linesPerItem = 1, wordBytes = 8, indexBits = 32, lanes = 0;
  int64_t scratch = 0, work = 1, cost = 0;
  bool fits = true; // all keys, in one word

  SortCall(ArrayRef<int64_t> shape, int64_t dimension, ArrayRef<KeyArray> keys, bool keysAlone)
      : length(shape[dimension]) {
    for (auto [d, size] : llvm::enumerate(shape)) {
      if (static_cast<int64_t>(d) > dimension)
        stride *= size;
      if (static_cast<int64_t>(d) != dimension)
        lines *= size;
    }
    int64_t bits = 0;
    for (const KeyArray &key : keys)
      bits += key.bits();
    if (keysAlone) {
      indexBits = 0;
      wordBytes = bits <= 32 ? 4 : 8;
    } else {
      bool isShort = length <= 1 << 16;
      indexBits = isShort ? 16 : 32;
      wordBytes = isShort && bits + indexBits <= 32 ? 4 : 8;
      if (bits + indexBits > 64 || length > int64_t(1) << 32) {
        wordBytes = 16;
        indexBits = 64;
      }
    }
    int64_t lanesOfWord = kNetworkBytes / wordBytes;
    if (wordBytes <= 8 && length <= kMostInNetwork && lines >= lanesOfWord / 2)
      lanes = lanesOfWord;
    linesPerItem = std::max<int64_t>(1, kElementsPerItem / length);
    if (lanes)
      linesPerItem = llvm::alignTo(linesPerItem, lanes);
    work = llvm::divideCeil(lines, linesPerItem);
    scratch = length * (lanes ? kNetworkBytes : wordBytes);
    if (bits > 64)
      scratch += 2 * 8 * length; // two permutations
    if (keysAlone && !lanes && stride == 1 && elementStorageBytes(keys[0].element()) == wordBytes)
      scratch = 0;
    cost = lines * length * (wordBytes == 16 ? 30 : 10);
    fits = bits + indexBits <= 8 * wordBytes;
  }

  /// Whether one line is work for several cores.
  bool isLong() const { return lines == 1 && length >= kLongLine && fits; }

  /// What leads the parameters of a call.
  SmallVector<int64_t> plan(int64_t numKeys, int64_t numArrays) const {
    return {length, stride, lines, linesPerItem, wordBytes, indexBits, lanes, numKeys, numArrays};
  }
};

/// Builds the calls of the runtime that sort by keys.
class CallBuilder {
public:
  CallBuilder(OpBuilder &b, Location loc, const SortCall &call, ArrayRef<KeyArray> keys, ArrayRef<Permuted> permuted)
      : b(b), loc(loc), call(call), keys(keys), permuted(permuted) {}

  /// One call, whose items of work are lines. In place, if words may be where their only array is.
  ResultRange build(bool mayOverwrite) {
    SmallVector<Value> inputs, outs;
    SmallVector<int64_t> parameters = call.plan(keys.size(), permuted.size());
    appendKeys(parameters, inputs);
    if (mayOverwrite && call.scratch == 0) {
      llvm::append_values(parameters, -1, call.wordBytes, 0);
      std::swap(inputs, outs);
    } else {
      outs = appendArrays(parameters, inputs);
    }
    return build("xla_rt_sort", inputs, outs, parameters, call.work, call.cost, call.scratch);
  }

  /// Several calls for one long line, whose items of work are pieces of it: runtime/library/sort/SortPieces.cpp.
  ResultRange buildByPieces() {
    int64_t pieceLength = std::max<int64_t>(kElementsPerPiece, llvm::divideCeil(call.length, kMostPieces));
    int64_t pieces = llvm::divideCeil(call.length, pieceLength), length = call.length;
    // Words that are as wide as elements become these where they are, and the halves of others are where two of the
    // results go. The rest leave room in the results for the buckets that they go to, which take longer to find than to
    // read.
    bool inPlace = call.indexBits == 0 && elementStorageBytes(permuted[0].type.getElementType()) == call.wordBytes;
    std::optional<std::array<size_t, 2>> halves = arraysForHalves();
    bool keepsBuckets = !inPlace && !halves;
    auto wordsOf = [&](int64_t count) {
      Type word = call.wordBytes == 4 ? b.getI32Type() : b.getI64Type();
      return RankedTensorType::get(count * std::max<int64_t>(1, call.wordBytes / 8), word);
    };
    auto plan = [&](int64_t arrays, int64_t numKeys, int64_t numArrays) {
      SmallVector<int64_t> parameters{pieceLength, arrays, keepsBuckets};
      llvm::append_range(parameters, call.plan(numKeys, numArrays));
      return parameters;
    };

    SmallVector<Value> inputs;
    SmallVector<int64_t> keyParameters, pack;
    appendKeys(keyParameters, inputs);
    auto keyBuffers = static_cast<int64_t>(inputs.size());
    pack = plan(keyBuffers, keys.size(), 0);
    llvm::append_range(pack, keyParameters);
    Value splitters =
        build("xla_rt_sort_split", inputs, empty(wordsOf(kBuckets)), pack, 1, kBuckets * kSamplesOfBucket * 30)[0];
    inputs.push_back(splitters);
    SmallVector<Value> counted = {empty(RankedTensorType::get(pieces * (kBuckets + 1), b.getI32Type()))};
    if (keepsBuckets)
      counted.push_back(empty(RankedTensorType::get(length, b.getI8Type())));
    ResultRange classified = build("xla_rt_sort_count", inputs, counted, pack, pieces, 2 * length);
    llvm::append_range(inputs, classified);
    Value counts = classified[0];
    if (halves)
      return buildFromHalves(*halves, inputs, counts, plan(keyBuffers, keys.size(), halves->size()), keyParameters,
                             plan((*halves)[0], keys.size(), permuted.size()), pieces);
    Value words = build("xla_rt_sort_distribute", inputs, empty(inPlace ? permuted[0].type : wordsOf(length)), pack,
                        pieces, 3 * length)[0];
    words = build("xla_rt_sort_buckets", counts, words, plan(0, 0, 0), kBuckets,
                  length * (call.wordBytes == 16 ? 25 : 8))[0];

    inputs.assign({words});
    SmallVector<int64_t> unpack = plan(0, call.indexBits ? 0 : 1, permuted.size());
    if (call.indexBits == 0)
      llvm::append_range(unpack, keyParameters);
    SmallVector<Value> outs;
    if (inPlace) {
      llvm::append_values(unpack, -1, call.wordBytes, 0);
      std::swap(inputs, outs);
    } else {
      outs = appendArrays(unpack, inputs);
    }
    ResultRange results = build("xla_rt_sort_unpack", inputs, outs, unpack, pieces, (inPlace ? 1 : 5) * length);
    if (call.indexBits != 0 || keys[0].order != KeyOrder::Number)
      return results;
    SmallVector<int64_t> restore = plan(0, 1, 0);
    llvm::append_range(restore, keyParameters);
    return build("xla_rt_sort_restore", {keys[0].array, counts}, results[0], restore, 1, length / 4);
  }

private:
  /// The results in whose memory both halves of all words have room, if there are two.
  std::optional<std::array<size_t, 2>> arraysForHalves() const {
    SmallVector<size_t> wide;
    for (auto [number, array] : llvm::enumerate(permuted))
      if (elementStorageBytes(array.type.getElementType()) >= 4)
        wide.push_back(number);
    if (call.wordBytes != 8 || call.indexBits != 32 || wide.size() < 2)
      return std::nullopt;
    return std::array<size_t, 2>{wide[0], wide[1]};
  }

  /// The last calls of `buildByPieces`: words go to two of the results in halves, and those of a bucket are joined in
  /// memory of whoever sorts it.
  ResultRange buildFromHalves(std::array<size_t, 2> halves, SmallVector<Value> inputs, Value counts,
                              SmallVector<int64_t> distribute, ArrayRef<int64_t> keyParameters,
                              SmallVector<int64_t> sort, int64_t pieces) {
    SmallVector<Value> outs;
    llvm::append_range(distribute, keyParameters);
    for (size_t number : halves) {
      RankedTensorType type = permuted[number].type;
      llvm::append_values(distribute, -1, elementStorageBytes(type.getElementType()),
                          static_cast<int64_t>(inputs.size() + outs.size()));
      outs.push_back(empty(type));
    }
    ResultRange words = build("xla_rt_sort_distribute_halves", inputs, outs, distribute, pieces, 3 * call.length);
    // No buffers of keys come first and no buckets are kept: the places of both say where the halves are.
    sort[2] = static_cast<int64_t>(halves[1]);
    inputs.assign({counts});
    appendKeys(sort, inputs);
    outs = appendArrays(sort, inputs);
    for (auto [number, half] : llvm::zip_equal(halves, words))
      outs[number] = half;
    return build("xla_rt_sort_buckets_of_halves", inputs, outs, sort, kBuckets, 13 * call.length);
  }

  ResultRange build(StringRef function, ValueRange inputs, ValueRange outs, ArrayRef<int64_t> parameters, int64_t work,
                    int64_t cost, int64_t scratch = 0) {
    return rt::LibraryCallOp::create(b, loc, TypeRange(outs), function, inputs, outs, parameters, work, cost, scratch)
        .getResults();
  }
  Value empty(RankedTensorType type) { return emptyOf(b, loc, type); }

  static int64_t bufferOf(Value array, SmallVectorImpl<Value> &inputs) {
    int64_t number = llvm::find(inputs, array) - inputs.begin();
    if (number == static_cast<int64_t>(inputs.size()))
      inputs.push_back(array);
    return number;
  }
  void appendKeys(SmallVectorImpl<int64_t> &parameters, SmallVectorImpl<Value> &inputs) {
    for (const KeyArray &key : keys)
      key.appendTo(parameters, bufferOf(key.array, inputs));
  }
  /// The outs of the arrays.
  SmallVector<Value> appendArrays(SmallVectorImpl<int64_t> &parameters, SmallVectorImpl<Value> &inputs) {
    SmallVector<int64_t> sources;
    for (const Permuted &array : permuted)
      sources.push_back(!array.array || call.indexBits == 0 ? -1 : bufferOf(array.array, inputs));
    SmallVector<Value> outs;
    for (auto [array, source] : llvm::zip_equal(permuted, sources)) {
      llvm::append_values(parameters, source, elementStorageBytes(array.type.getElementType()),
                          static_cast<int64_t>(inputs.size() + outs.size()));
      outs.push_back(empty(array.type));
    }
    return outs;
  }

  OpBuilder &b;
  Location loc;
  const SortCall &call;
  ArrayRef<KeyArray> keys;
  ArrayRef<Permuted> permuted;
};

/// xla.sort by keys      ->  xla_rt.library_call "xla_rt_sort"
/// xla.sort by another comparator  ->  xla_rt.sort
struct SortLowering : OpConversionPattern<SortOp> {
  SortLowering(const TypeConverter &converter, MLIRContext *context, bool inPieces)
      : OpConversionPattern(converter, context), inPieces(inPieces) {}

  LogicalResult matchAndRewrite(SortOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = typeOf(adaptor.getInputs()[0]);
    if (type.getNumElements() == 0 || type.getDimSize(op.getSortedDimension()) == 1) {
      rewriter.replaceOp(op, adaptor.getInputs());
      return success();
    }
    FailureOr<SmallVector<SortKey>> keys = readComparator(op.getComparator());
    FailureOr<SmallVector<Value>> results =
        failed(keys) ? buildSort(op, adaptor, rewriter) : buildKeySort(op, adaptor, rewriter, std::move(*keys));
    if (failed(results))
      return failure();
    rewriter.replaceOp(op, *results);
    return success();
  }

private:
  /// Whether an operand is computed for this sort alone.
  static bool isOwn(Value operand) {
    while (operand.hasOneUse()) {
      auto reshape = operand.getDefiningOp<ReshapeOp>();
      if (!reshape)
        return operand.getDefiningOp() && operand.getDefiningOp()->hasTrait<IsElementwise>();
      operand = reshape.getOperand();
    }
    return false;
  }

  /// Whether an operand counts up from 0 along the sorted dimension.
  static bool isIota(SortOp op, unsigned operand) {
    auto iota = op.getInputs()[operand].getDefiningOp<IotaOp>();
    return iota && isa<IntegerType>(elementTypeOf(iota)) && elementTypeOf(iota).getIntOrFloatBitWidth() >= 8 &&
           static_cast<int64_t>(iota.getIotaDimension()) == op.getSortedDimension();
  }

  FailureOr<SmallVector<Value>> buildKeySort(SortOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter,
                                             SmallVector<SortKey> keys) const {
    Location loc = op.getLoc();
    ArrayRef<int64_t> shape = typeOf(adaptor.getInputs()[0]).getShape();
    int64_t dimension = op.getSortedDimension();
    SmallVector<Value> results(adaptor.getInputs()); // of which nobody uses those that are not sorted
    // Positions break ties anyway.
    if (auto last = dyn_cast<BlockArgument>(keys.back().value);
        last && !keys.back().descending && isIota(op, last.getArgNumber() / 2) &&
        shape[dimension] <= int64_t(1) << std::min(62u, elementTypeOf(last).getIntOrFloatBitWidth() - 1))
      keys.pop_back();
    if (keys.empty())
      return results;

    SmallVector<KeyArray> arrays;
    for (const SortKey &key : keys) {
      FailureOr<KeyArray> array = buildKey(op, adaptor, rewriter, key);
      if (failed(array))
        return failure();
      arrays.push_back(*array);
    }
    SmallVector<Permuted> permuted;
    SmallVector<unsigned> numbers;
    for (auto [i, input] : llvm::enumerate(adaptor.getInputs()))
      if (!op.getResult(i).use_empty()) {
        permuted.push_back({isIota(op, i) ? Value() : input, typeOf(input)});
        numbers.push_back(i);
      }
    if (permuted.empty())
      return results;
    bool keysAlone = arrays.size() == 1 && permuted.size() == 1 && permuted[0].array == arrays[0].array;
    SortCall call(shape, dimension, arrays, keysAlone);
    CallBuilder calls(rewriter, loc, call, arrays, permuted);
    ResultRange sorted =
        inPieces && call.isLong() ? calls.buildByPieces() : calls.build(inPieces && isOwn(op.getInputs()[numbers[0]]));
    for (auto [number, result] : llvm::zip_equal(numbers, sorted))
      results[number] = result;
    return results;
  }

  static FailureOr<KeyArray> buildKey(SortOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter,
                                      const SortKey &key) {
    Type element = elementTypeOf(key.value);
    auto argument = dyn_cast<BlockArgument>(key.value);
    bool isNarrow = isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 16;
    if (argument && argument.getOwner()->getParent() == &op.getComparator() && !isNarrow)
      return KeyArray{adaptor.getInputs()[argument.getArgNumber() / 2], key.order, key.descending};

    Location loc = op.getLoc();
    KeyOrder order = key.order;
    Type result = isNarrow ? narrowKeyType(element, order) : signlessElementType(element);
    auto isParameter = [&](Value value) { return value.getParentRegion() == &op.getComparator(); };
    SmallVector<Value> leaves = getSortKeyInputs(key.value, op.getComparator()), inputs;
    for (Value leaf : leaves)
      inputs.push_back(isParameter(leaf) ? adaptor.getInputs()[cast<BlockArgument>(leaf).getArgNumber() / 2]
                                         : rewriter.getRemappedValue(leaf));
    auto type = RankedTensorType::get(typeOf(adaptor.getInputs()[0]).getShape(), result);
    Value array = buildElementwise(
        rewriter, loc, type, inputs, [&](OpBuilder &b, Location at, ValueRange scalars) -> SmallVector<Value> {
          auto lookup = [&](Value value) -> Value { return scalars[llvm::find(leaves, value) - leaves.begin()]; };
          Value scalar = emitSortKey(b, key.value, op.getComparator(), lookup);
          if (!scalar)
            return {};
          if (isNarrow)
            scalar = emitNarrowKey(b, at, scalar, element, key.order);
          return {scalar};
        });
    if (!array)
      return failure();
    return KeyArray{array, order, key.descending};
  }

  static FailureOr<SmallVector<Value>> buildSort(SortOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    Region &region = op.getComparator();
    SmallVector<Value> outs, captured, captures = getScalarCaptures(region);
    for (Value input : adaptor.getInputs())
      outs.push_back(emptyOf(rewriter, loc, typeOf(input)));
    for (Value capture : captures)
      captured.push_back(rewriter.getRemappedValue(capture));
    auto sort = rt::SortOp::create(rewriter, loc, TypeRange(ValueRange(outs)), adaptor.getInputs(), captured, outs,
                                   op.getSortedDimension());
    OpBuilder::InsertionGuard guard(rewriter);
    Block *body = rewriter.createBlock(&sort.getComparator());
    for (Value input : adaptor.getInputs())
      body->addArguments({getElementTypeOrSelf(input), getElementTypeOrSelf(input)}, {loc, loc});
    size_t count = body->getNumArguments();
    for (Value value : captured)
      body->addArgument(getElementTypeOrSelf(value), loc);
    auto capture = [&](Value value) -> Value {
      return body->getArgument(count + (llvm::find(captures, value) - captures.begin()));
    };
    SmallVector<Value> before;
    if (failed(emitScalarRegion(rewriter, region, body->getArguments().take_front(count), capture, before)))
      return failure();
    rt::YieldOp::create(rewriter, loc, before);
    return SmallVector<Value>(sort.getResults());
  }

  bool inPieces;
};

/// xla.top_k  ->  xla_rt.library_call "xla_rt_sort_top_k"
struct TopKLowering : OpConversionPattern<TopKOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(TopKOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value operand = adaptor.getOperand(), array = operand;
    SmallVector<Value> outs;
    for (Value result : op.getResults())
      outs.push_back(emptyOf(rewriter, loc, signlessTensorType(typeOf(result))));
    if (typeOf(outs[0]).getNumElements() == 0) {
      rewriter.replaceOp(op, outs);
      return success();
    }
    Type element = elementTypeOf(op.getOperand());
    KeyOrder order = isa<FloatType>(element)                               ? KeyOrder::Total
                     : element.isUnsignedInteger() || element.isInteger(1) ? KeyOrder::Unsigned
                                                                           : KeyOrder::Signed;
    if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 16) {
      bool hasSign = APFloat::semanticsHasSignedRepr(cast<FloatType>(element).getFloatSemantics());
      auto type = typeOf(operand).clone(narrowKeyType(element, order));
      array = buildElementwise(rewriter, loc, type, operand, [&](OpBuilder &b, Location at, ValueRange x) {
        return SmallVector<Value>{hasSign ? emitNarrowKey(b, at, x[0], element, KeyOrder::Total)
                                          : Value(arith::BitcastOp::create(b, at, b.getI8Type(), x[0]))};
      });
      if (!hasSign)
        order = KeyOrder::Unsigned;
    }
    KeyArray key{array, order, /*descending=*/true};

    // Parameters: Plan in runtime/library/sort/TopK.cpp. Beyond the best so far there is room for what may be better.
    constexpr int64_t room = 384;
    int64_t length = typeOf(operand).getShape().back(), count = op.getK();
    int64_t lines = typeOf(operand).getNumElements() / length;
    int64_t linesPerItem = std::max<int64_t>(1, kElementsPerItem / length);
    int64_t wordBytes = key.bits() <= 32 ? 8 : 16, capacity = std::min(length, count + std::max(count, room));
    SmallVector<Value> inputs{operand};
    if (array != operand)
      inputs.push_back(array);
    int64_t firstResult = inputs.size();
    SmallVector<int64_t> parameters{
        length,      count,          lines, linesPerItem,
        wordBytes,   capacity,       0,     elementStorageBytes(typeOf(operand).getElementType()),
        firstResult, firstResult + 1};
    key.appendTo(parameters, firstResult - 1);
    int64_t cost = lines * (length + capacity * 20);
    auto call =
        rt::LibraryCallOp::create(rewriter, loc, TypeRange(ValueRange(outs)), "xla_rt_sort_top_k", inputs, outs,
                                  parameters, llvm::divideCeil(lines, linesPerItem), cost, wordBytes * capacity);
    rewriter.replaceOp(op, call);
    return success();
  }
};

} // namespace

void mlir::xla::populateSortPatterns(const TypeConverter &converter, RewritePatternSet &patterns, bool inPieces) {
  patterns.add<SortLowering>(converter, patterns.getContext(), inPieces);
  patterns.add<TopKLowering>(converter, patterns.getContext());
}
