// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts and top-k on a GPU: words are made and sorted in short runs, which of long lines blocks of threads merge to
// tiles; runs are merged, a step for each time that their length doubles, and elements are gathered. The functions and
// their parameters: runtime/cuda/device/Sort.cpp.

#include "mlir_xla/lowering/gpu/LibrarySteps.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xla;

/// Constants of runtime/cuda/device/Sort.cpp and Merge.h.
static constexpr int64_t kRun = 16, kChunk = 16, kPositionBits = 32;
/// Words of a line from which on blocks of threads sort tiles.
static constexpr int64_t kLongLine = 512;
/// Runs that a thread looks at when it keeps the least words of one: the more, the fewer steps, but there should be
/// items for so many threads.
static constexpr int64_t kFewRunsOfItem = 4, kMostRunsOfItem = 16, kManyItems = 1 << 16;

namespace {

/// A key as in runtime/library/sort/SortKeys.h.
struct KeyParameters {
  static constexpr size_t kSize = 6;
  ArrayRef<int64_t> values;
  int64_t buffer() const { return values[0]; }
  int64_t bytes() const { return values[1]; }
  bool isNumber() const { return values[2] == 3; }
  int64_t bits() const { return values[3]; }
};

struct Output {
  int64_t source, bytes, result;
};

/// Lines of words in the scratch memory, on their way to being sorted.
class Words {
public:
  Words(LibrarySteps &steps, int64_t length, int64_t stride, int64_t lines, int64_t wordBytes, int64_t indexBits)
      : steps(steps), length(length), stride(stride), lines(lines), wordBytes(wordBytes), indexBits(indexBits) {}

  /// Makes sorted words of keys, of which the last groups are sorted by first, or the least `count` of them.
  void sort(ArrayRef<SmallVector<KeyParameters>> groups, int64_t count) {
    int64_t bytes = 0;
    for (const SmallVector<KeyParameters> &group : llvm::reverse(groups)) {
      runsOfItem = count <= kRun ? chooseRuns(length) : 1;
      int64_t keep = std::min(count, kRun);
      int64_t first = resultLength(length, runsOfItem * kRun, keep);
      if (bytes == 0) {
        bytes = lines * first * wordBytes;
        places[0] = steps.allocate(bytes);
        places[1] = first <= keep && groups.size() == 1 ? -1 : steps.allocate(bytes);
      }
      pack(group, keep);
      run = keep;
      int64_t chunks = llvm::divideCeil(count, kChunk);
      if (length >= kLongLine && count == length)
        sortTiles();
      else if (length >= kLongLine && count > kRun && chunks * kChunk <= tile() / 2)
        keepOfTiles(chunks * kChunk);
      while (current > run)
        count <= kRun ? select(count) : merge(std::min(2 * run, count));
    }
  }

  void unpack(ArrayRef<int64_t> key, ArrayRef<Output> outputs, int64_t count) {
    SmallVector<int64_t> parameters{
        length, stride, count, current, places[now], indexBits, static_cast<int64_t>(outputs.size())};
    llvm::append_range(parameters, key);
    for (const Output &output : outputs)
      llvm::append_values(parameters, output.source, output.bytes, output.result);
    int64_t bytes = 0;
    for (const Output &output : outputs)
      bytes += lines * count * output.bytes;
    // Elements are where words say.
    steps.add("xla_rt_gpu_sort_unpack_" + Twine(wordBytes), parameters, lines * count, 1,
              {lines * count * wordBytes + bytes, bytes, /*asked=*/16, 0, 0, indexBits ? 2 : 1});
  }

private:
  /// If of each `group` words as many are kept as there are, up to `keep`.
  static int64_t resultLength(int64_t length, int64_t group, int64_t keep) {
    return length / group * keep + std::min(length % group, keep);
  }

  int64_t chooseRuns(int64_t words) const {
    int64_t most = std::min<int64_t>(llvm::divideCeil(words, kRun), kMostRunsOfItem);
    return std::clamp<int64_t>(lines * words / kRun / kManyItems, std::min(kFewRunsOfItem, most), most);
  }

  /// What leads the parameters of `pack` and `select`; the words go to the other place.
  SmallVector<int64_t> selection(int64_t from, int64_t keep) {
    int64_t group = runsOfItem * kRun;
    items = llvm::divideCeil(from, group);
    current = resultLength(from, group, keep);
    return {from, current, runsOfItem, keep, places[now], items};
  }

  void pack(ArrayRef<KeyParameters> keys, int64_t keep) {
    int64_t from = isMade ? places[now] : -1;
    now = isMade ? 1 - now : 0;
    isMade = true;
    SmallVector<int64_t> parameters = selection(length, keep);
    llvm::append_values(parameters, stride, from, indexBits, static_cast<int64_t>(keys.size()));
    for (const KeyParameters &key : keys)
      llvm::append_range(parameters, key.values);
    int64_t bytes = 0;
    for (const KeyParameters &key : keys)
      bytes += key.bytes();
    addItems("pack", parameters, items, lines * length * bytes, runsOfItem * kRun * std::max(bytes, wordBytes));
  }

  void select(int64_t keep) {
    int64_t from = places[now];
    now = 1 - now;
    runsOfItem = chooseRuns(current);
    SmallVector<int64_t> parameters = selection(current, keep);
    parameters.push_back(from);
    addItems("select", parameters, items, lines * parameters[0] * wordBytes, kRun * wordBytes);
  }

  void merge(int64_t keep) {
    int64_t from = current, chunks = llvm::divideCeil(keep, kChunk);
    current = resultLength(from, 2 * run, keep);
    items = (llvm::divideCeil(from, 2 * run)) * chunks;
    steps.add("xla_rt_gpu_sort_merge_" + Twine(wordBytes),
              {from, current, run, keep, places[now], places[1 - now], chunks, items}, lines * items, 1,
              {lines * from * wordBytes, lines * current * wordBytes, 2 * wordBytes, 0, 0,
               static_cast<int64_t>(llvm::Log2_64_Ceil(run)) + kChunk});
    now = 1 - now;
    run = keep;
  }

  int64_t tileThreads() const { return wordBytes == 16 ? 128 : 256; }
  int64_t tile() const { return tileThreads() * kChunk; }

  /// All of a line is kept.
  void sortTiles() {
    int64_t perLine = llvm::divideCeil(length, tile());
    addTiles(length, tile(), places[now]);
    for (run = tile(); run < length; run *= 2) {
      addBlocks("merge_tiles", {length, run, places[now], places[1 - now], perLine}, perLine, length, length,
                /*merges=*/1,
                /*bisections=*/llvm::divideCeil(llvm::Log2_64_Ceil(run), llvm::Log2_64(tileThreads() / 2)));
      now = 1 - now;
    }
    run = length;
  }

  /// Of each tile the least words, until there is one tile of them. They are whole chunks, as runs are to begin at
  /// such.
  void keepOfTiles(int64_t keep) {
    do {
      int64_t from = current;
      current = resultLength(from, tile(), keep);
      addTiles(from, keep, places[1 - now]);
      now = 1 - now;
    } while (current > keep);
    run = current;
  }

  void addTiles(int64_t from, int64_t keep, int64_t to) {
    int64_t perLine = llvm::divideCeil(from, tile());
    int64_t toLength = resultLength(from, tile(), keep);
    addBlocks("tiles", {from, toLength, keep, places[now], to, perLine}, perLine, from, toLength,
              /*merges=*/llvm::Log2_64(tileThreads()), /*bisections=*/0);
  }

  /// A step whose threads have some runs each, in registers; sorting one takes about as long as eight phases.
  void addItems(StringRef step, ArrayRef<int64_t> parameters, int64_t items, int64_t read, int64_t asked) {
    steps.add("xla_rt_gpu_sort_" + step + "_" + Twine(wordBytes), parameters, lines * items, 1,
              {read, lines * current * wordBytes, asked, 0, 8 * runsOfItem, 1});
  }

  /// A step whose blocks merge in shared memory: a thread looks for where its chunk begins, and then at word by word.
  void addBlocks(StringRef step, ArrayRef<int64_t> parameters, int64_t perLine, int64_t from, int64_t to,
                 int64_t merges, int64_t bisections) {
    steps.add("xla_rt_gpu_sort_" + step + "_" + Twine(wordBytes), parameters, lines * perLine, tileThreads(),
              {lines * from * wordBytes, lines * to * wordBytes, kChunk * wordBytes, 0, merges * 12, 1 + bisections});
  }

  LibrarySteps &steps;
  int64_t length, stride, lines, wordBytes, indexBits;
  int64_t places[2] = {0, 0}, now = 0;
  int64_t current = 0; // words of a line
  int64_t run = 0;     // of which so many are sorted
  int64_t runsOfItem = 1, items = 0;
  bool isMade = false;
};

} // namespace

/// Parameters: Plan in runtime/library/sort/SortPlan.h. How wide words are is decided anew: they have positions also
/// where -0 and NaN are no other keys than +0 and other NaNs, which the CPU puts back afterwards.
std::optional<LibraryFacts> mlir::xla::getSortSteps(rt::LibraryCallOp op) {
  ArrayRef<int64_t> parameters = op.getParameters();
  int64_t length = parameters[0], stride = parameters[1], lines = parameters[2];
  bool isAlone = parameters[5] == 0;
  int64_t numKeys = parameters[7], numArrays = parameters[8];
  parameters = parameters.drop_front(9);
  SmallVector<KeyParameters> keys;
  int64_t bits = 0;
  for (int64_t k = 0; k < numKeys; ++k) {
    keys.push_back({parameters.take_front(KeyParameters::kSize)});
    parameters = parameters.drop_front(KeyParameters::kSize);
    bits += keys.back().bits();
  }
  SmallVector<Output> outputs;
  for (int64_t i = 0; i < numArrays; ++i)
    outputs.push_back({parameters[3 * i], parameters[3 * i + 1], parameters[3 * i + 2]});
  if (length > int64_t(1) << kPositionBits)
    return std::nullopt;

  int64_t indexBits = length <= 1 << 16 ? 16 : kPositionBits;
  if (isAlone && keys[0].isNumber()) {
    isAlone = false;
    outputs[0].source = keys[0].buffer();
  }
  if (isAlone)
    indexBits = 0;
  int64_t wordBytes = bits + indexBits <= 32 ? 4 : bits + indexBits <= 64 ? 8 : 16;
  if (wordBytes == 16)
    indexBits = kPositionBits;
  // As many keys at once as a word has room for.
  int64_t room = wordBytes == 16 ? 64 : 8 * wordBytes - indexBits;
  SmallVector<SmallVector<KeyParameters>> groups(1);
  int64_t used = 0;
  for (const KeyParameters &key : llvm::reverse(keys)) {
    if (used + key.bits() > room) {
      groups.emplace_back();
      used = 0;
    }
    groups.back().insert(groups.back().begin(), key);
    used += key.bits();
  }
  std::reverse(groups.begin(), groups.end());

  LibrarySteps steps;
  Words words(steps, length, stride, lines, wordBytes, indexBits);
  words.sort(groups, length);
  words.unpack(keys[0].values, outputs, length);
  return steps.take();
}

/// Parameters: Plan in runtime/library/sort/TopK.cpp.
std::optional<LibraryFacts> mlir::xla::getTopKSteps(rt::LibraryCallOp op) {
  ArrayRef<int64_t> parameters = op.getParameters();
  int64_t length = parameters[0], count = parameters[1], lines = parameters[2];
  int64_t valueSource = parameters[6], valueBytes = parameters[7], values = parameters[8], indices = parameters[9];
  KeyParameters key{parameters.drop_front(10)};
  if (length > int64_t(1) << kPositionBits)
    return std::nullopt;
  int64_t wordBytes = key.bits() <= 32 ? 8 : 16;
  LibrarySteps steps;
  Words words(steps, length, /*stride=*/1, lines, wordBytes, kPositionBits);
  words.sort(SmallVector<KeyParameters>{key}, count);
  words.unpack(key.values, {{valueSource, valueBytes, values}, {-1, sizeof(int32_t), indices}}, count);
  return steps.take();
}
