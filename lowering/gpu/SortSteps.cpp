// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts and top-k on a GPU: words are made and sorted in short runs, which of long lines blocks of threads merge to
// tiles; runs are merged, a step for each time that their length doubles, and elements are gathered. Rows that are
// longer than tiles may be sorted by digits instead. The functions and their parameters: runtime/cuda/device/Sort.cpp.

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/gpu/LibrarySteps.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xla;

/// Constants of runtime/cuda/device/Sort.cpp and Merge.h.
static constexpr int64_t kRun = 16, kChunk = 16, kPositionBits = 32, kFinishTeam = 128;
/// Words of a line from which on blocks of threads sort tiles of words that are there.
static constexpr int64_t kLongLine = 512;
/// Neighbouring lines that are neighbours in memory, of which a block has so many if there are.
static constexpr int64_t kNeighbours = 8;
/// Of Radix.h: bits of a digit, and digits of which a block finds the places.
static constexpr int64_t kDigitBits = 8, kDigitsOfBlock = 32;
/// Roughly the microseconds of a pass over a digit, of a merge, and of sorting tiles and making results, on an H100.
static constexpr int64_t kPassTime = 12, kMergeTime = 9, kOtherTime = 25;
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
      : steps(steps), length(length), stride(stride), lines(lines), wordBytes(wordBytes), indexBits(indexBits),
        orderedBits(indexBits) {}

  /// So many low bits of words that are keys ascend already.
  void setOrderedBits(int64_t bits) { orderedBits = bits; }

  /// Sorts lines by keys, of which the last groups are sorted by first, and makes the first `count` elements of the
  /// results of each.
  void sort(ArrayRef<SmallVector<KeyParameters>> groups, int64_t count, ArrayRef<Output> outputs) {
    int64_t chunks = llvm::divideCeil(count, kChunk);
    bool isWhole = count == length, mayKeepOfTiles = count > kRun && chunks * kChunk <= tile() / 2;
    bool areLines = isWhole || count > kRun || areInOneRound();
    if (groups.size() == 1 && length <= tile() && areLines) {
      addLines(groups[0], count, outputs);
      return;
    }
    if (groups.size() == 1 && isWhole && areDigitsFaster(groups[0])) {
      sortByDigits(groups[0], outputs);
      return;
    }
    if (groups.size() == 1 && length > tile() && (isWhole || mayKeepOfTiles)) {
      int64_t keep = isWhole ? tile() : chunks * kChunk;
      allocate(resultLength(length, tile(), keep), /*isLast=*/false);
      addLines(groups[0], keep, {});
      isWhole ? mergeTiles() : keepOfTiles(keep);
    } else {
      sortRuns(groups, count);
      if (run < current)
        return finish(groups[0][0].values, outputs, count);
    }
    unpack(groups[0][0].values, outputs, count);
  }

private:
  /// Is there a block for all lines that it has room for, at once? Then it sorts them faster than threads look for the
  /// least words of theirs, which takes a launch for each step.
  bool areInOneRound() const {
    int64_t padded = llvm::alignTo(length, kChunk);
    return length <= tile() && lines <= GpuMachine::multiprocessors * (tile() / padded);
  }

  /// Bits of words that are to be sorted by, from `orderedBits` on.
  int64_t bitsToSort(ArrayRef<KeyParameters> keys) const {
    int64_t bits = indexBits - orderedBits;
    for (const KeyParameters &key : keys)
      bits += key.bits();
    return bits;
  }

  bool areDigitsFaster(ArrayRef<KeyParameters> keys) const {
    if (length <= tile() || stride != 1 || wordBytes > 8)
      return false;
    int64_t passes = llvm::divideCeil(bitsToSort(keys), kDigitBits);
    int64_t merges = llvm::Log2_64_Ceil(llvm::divideCeil(length, tile()));
    return passes * kPassTime < merges * kMergeTime + kOtherTime;
  }

  /// From the least significant digit on, from the keys to the results.
  void sortByDigits(ArrayRef<KeyParameters> keys, ArrayRef<Output> outputs) {
    int64_t all = bitsToSort(keys), passes = std::max<int64_t>(1, llvm::divideCeil(all, kDigitBits));
    int64_t perLine = llvm::divideCeil(length, tile()), bits = llvm::divideCeil(all, passes),
            digits = int64_t(1) << bits;
    if (passes > 1)
      allocate(length, /*isLast=*/passes == 2);
    int64_t counts = steps.allocate(lines * perLine * digits * 4), totals = steps.allocate(lines * digits * 4);
    int64_t read = 0, written = 0;
    for (const KeyParameters &key : keys)
      read += length * key.bytes();
    for (const Output &output : outputs) {
      read += output.source < 0 || indexBits == 0 ? 0 : length * output.bytes;
      written += length * output.bytes;
    }
    for (int64_t pass = 0; pass < passes; ++pass) {
      int64_t shift = orderedBits + pass * bits;
      bool isFirst = pass == 0, isLast = pass + 1 == passes;
      int64_t from = isFirst ? -1 : places[(pass - 1) % 2], to = isLast ? -1 : places[pass % 2];
      SmallVector<int64_t> parameters{length, perLine, shift, bits, counts, totals};
      SmallVector<int64_t> ofScan(parameters);
      llvm::append_values(parameters, from, to, indexBits, static_cast<int64_t>(keys.size()));
      llvm::append_range(parameters, resultParameters(keys[0].values, outputs.size(), length));
      for (const KeyParameters &key : keys)
        llvm::append_range(parameters, key.values);
      for (const Output &output : outputs)
        llvm::append_values(parameters, output.source, output.bytes, output.result);
      int64_t in = lines * (isFirst ? read : length * wordBytes), out = lines * (isLast ? written : length * wordBytes);
      int64_t ofCounts = lines * perLine * (int64_t(4) << bits);
      steps.add("xla_rt_gpu_sort_count_" + Twine(wordBytes), parameters, lines * perLine, tileThreads(),
                {in, ofCounts, kChunk * wordBytes, 0, 2, 1}, /*isGeneral=*/true);
      steps.add("xla_rt_gpu_sort_scan", ofScan, lines * llvm::divideCeil(int64_t(1) << bits, kDigitsOfBlock),
                tileThreads(), {2 * ofCounts, ofCounts, 32, 0, 2, 2}, /*isGeneral=*/true);
      // Each half of a digit takes about as long as twelve phases.
      steps.add("xla_rt_gpu_sort_place_" + Twine(wordBytes), parameters, lines * perLine, tileThreads(),
                {in + ofCounts, out, kChunk * wordBytes, 0, 8 + 12 * (bits > 4 ? 2 : 1), isLast && indexBits ? 3 : 2},
                /*isGeneral=*/true);
    }
  }

  /// The steps of groups of keys, and of few elements that are kept: words are made in sorted runs. Of these few, what
  /// `finish` can do is left.
  void sortRuns(ArrayRef<SmallVector<KeyParameters>> groups, int64_t count) {
    isDealt = count <= kRun && count < length;
    for (const SmallVector<KeyParameters> &group : llvm::reverse(groups)) {
      runsOfItem = count <= kRun ? chooseRuns(length) : 1;
      int64_t keep = std::min(count, kRun), ofGroup = runsOfItem * kRun;
      int64_t first = isDealt ? llvm::divideCeil(length, ofGroup) * keep : resultLength(length, ofGroup, keep);
      if (!isMade)
        allocate(first, /*isLast=*/first <= keep && groups.size() == 1);
      pack(group, keep);
      run = keep;
      if (length >= kLongLine && count == length) {
        addTiles(length, tile(), places[now]);
        mergeTiles();
      }
      while (current > run && !mayFinish(count))
        count <= kRun ? select(count) : merge(std::min(2 * run, count));
    }
  }

  /// Can each line have a block, which has a thread for all that is to be looked at together, and are there as many
  /// blocks at the same time? That is one launch, and not one for each selection.
  bool mayFinish(int64_t count) const {
    return isDealt && lines * kFinishTeam <= GpuMachine::multiprocessors * GpuMachine::threads &&
           llvm::divideCeil(current, chooseRuns(current) * kRun) <= kFinishTeam;
  }

  /// Memory for lines of so many words, and, unless they are what is wanted, for those of the next step.
  void allocate(int64_t words, bool isLast) {
    int64_t bytes = lines * words * wordBytes;
    places[0] = steps.allocate(bytes);
    places[1] = isLast ? -1 : steps.allocate(bytes);
  }

  /// How results are made of words.
  SmallVector<int64_t> resultParameters(ArrayRef<int64_t> key, int64_t numOutputs, int64_t count) const {
    SmallVector<int64_t> parameters{length, stride, count, indexBits, numOutputs};
    llvm::append_range(parameters, key);
    return parameters;
  }

  SmallVector<int64_t> unpackParameters(ArrayRef<int64_t> key, ArrayRef<Output> outputs, int64_t count) const {
    SmallVector<int64_t> parameters = resultParameters(key, outputs.size(), count);
    llvm::append_values(parameters, current, places[now]);
    for (const Output &output : outputs)
      llvm::append_values(parameters, output.source, output.bytes, output.result);
    return parameters;
  }

  int64_t bytesOf(ArrayRef<Output> outputs, int64_t count) const {
    int64_t bytes = 0;
    for (const Output &output : outputs)
      bytes += lines * count * output.bytes;
    return bytes;
  }

  void unpack(ArrayRef<int64_t> key, ArrayRef<Output> outputs, int64_t count) {
    int64_t bytes = bytesOf(outputs, count);
    // Elements are where words say.
    steps.add("xla_rt_gpu_sort_unpack_" + Twine(wordBytes), unpackParameters(key, outputs, count), lines * count, 1,
              {lines * count * wordBytes + bytes, bytes, /*asked=*/16, 0, 0, indexBits ? 2 : 1});
  }

  /// The selections that are left, and `unpack`. Each has a place of its own, as nobody waits for other lines.
  void finish(ArrayRef<int64_t> key, ArrayRef<Output> outputs, int64_t count) {
    SmallVector<int64_t> parameters{0};
    int64_t bytes = bytesOf(outputs, count), words = current, runs = 0;
    for (; current > run; ++parameters[0]) {
      int64_t left = llvm::divideCeil(current, chooseRuns(current) * kRun) * count;
      places[1 - now] = steps.allocate(lines * left * wordBytes);
      llvm::append_range(parameters, nextSelection(count));
      runs += runsOfItem;
      words += 2 * current;
    }
    llvm::append_range(parameters, unpackParameters(key, outputs, count));
    steps.add("xla_rt_gpu_sort_finish_" + Twine(wordBytes), parameters, lines, kFinishTeam,
              {lines * words * wordBytes + bytes, lines * (words - current) / 2 * wordBytes + bytes, kRun * wordBytes,
               0, 8 * runs, 2 + parameters[0]});
  }

  /// Blocks that sort whole lines, from the keys to the results, or, without outputs, tiles, of which they keep words.
  void addLines(ArrayRef<KeyParameters> keys, int64_t keep, ArrayRef<Output> outputs) {
    bool isWhole = !outputs.empty();
    int64_t perLine = llvm::divideCeil(length, tile());
    int64_t pitch = isWhole ? llvm::alignTo(length, kChunk) : tile();
    auto padded = [&](int64_t words) { return words + words / (wordBytes == 4 ? 2 * kChunk : kChunk); };
    int64_t linePitch = padded(pitch);
    int64_t most = tile() / pitch;
    int64_t fewest = std::min({stride, kNeighbours, most});
    int64_t ofBlock = std::clamp<int64_t>(llvm::divideCeil(lines, GpuMachine::someBlocks), fewest, most);
    if (stride > 1) {
      // Neighbours of some lines are written at a time, all to different banks.
      constexpr int64_t wavefront = 128;
      int64_t together = wavefront / wordBytes;
      auto apart = [&](int64_t count) {
        int64_t least = std::max<int64_t>(1, together / count);
        return padded(pitch) + (least - padded(pitch) % together + together) % together;
      };
      ofBlock = llvm::bit_floor<uint64_t>(ofBlock);
      int64_t room = padded(tile()) + kNeighbours * together;
      while (ofBlock > 1 && ofBlock * apart(ofBlock) > room)
        ofBlock /= 2;
      if (ofBlock > 1)
        linePitch = apart(ofBlock);
    }
    now = 0;
    isMade = true;
    current = resultLength(length, pitch, keep);
    SmallVector<int64_t> parameters{length, stride, lines, perLine, ofBlock, pitch, linePitch, keep};
    llvm::append_values(parameters, isWhole ? -1 : places[now], current, indexBits, static_cast<int64_t>(keys.size()));
    llvm::append_range(parameters, resultParameters(keys[0].values, outputs.size(), keep));
    int64_t read = 0, written = isWhole ? 0 : current * wordBytes;
    for (const KeyParameters &key : keys) {
      llvm::append_range(parameters, key.values);
      read += length * key.bytes();
    }
    for (const Output &output : outputs) {
      llvm::append_values(parameters, output.source, output.bytes, output.result);
      read += output.source < 0 || indexBits == 0 ? 0 : keep * output.bytes;
      written += keep * output.bytes;
    }
    // Sorting a run in registers takes about as long as eight phases.
    steps.add("xla_rt_gpu_sort_lines_" + Twine(wordBytes), parameters, llvm::divideCeil(lines, ofBlock) * perLine,
              tileThreads(),
              {lines * read, lines * written, kChunk * keys[0].bytes(), 0,
               8 + 12 * static_cast<int64_t>(llvm::Log2_64_Ceil(pitch / kChunk)), isWhole && indexBits ? 2 : 1});
  }

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
    current = isDealt ? items * keep : resultLength(from, group, keep);
    return {from, current, runsOfItem, keep, places[now], items, isDealt};
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

  SmallVector<int64_t> nextSelection(int64_t keep) {
    int64_t from = places[now];
    now = 1 - now;
    runsOfItem = chooseRuns(current);
    SmallVector<int64_t> parameters = selection(current, keep);
    parameters.push_back(from);
    return parameters;
  }

  void select(int64_t keep) {
    SmallVector<int64_t> parameters = nextSelection(keep);
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

  /// Of sorted tiles, of which all is kept.
  void mergeTiles() {
    int64_t perLine = llvm::divideCeil(length, tile());
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
    while (current > keep) {
      int64_t from = current;
      current = resultLength(from, tile(), keep);
      addTiles(from, keep, places[1 - now]);
      now = 1 - now;
    }
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
  int64_t length, stride, lines, wordBytes, indexBits, orderedBits;
  int64_t places[2] = {0, 0}, now = 0;
  int64_t current = 0; // words of a line
  int64_t run = 0;     // of which so many are sorted
  int64_t runsOfItem = 1, items = 0;
  bool isMade = false, isDealt = false;
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
  words.sort(groups, length, outputs);
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
  words.sort(SmallVector<KeyParameters>{key}, count,
             {{valueSource, valueBytes, values}, {-1, sizeof(int32_t), indices}});
  return steps.take();
}

/// Parameters: the number of words, their bytes, their bits, and how many low ones of these ascend already.
std::optional<LibraryFacts> mlir::xla::getSortWordsSteps(rt::LibraryCallOp op) {
  ArrayRef<int64_t> parameters = op.getParameters();
  int64_t length = parameters[0], bytes = parameters[1], bits = parameters[2], ordered = parameters[3];
  constexpr int64_t unsignedOrder = 0;
  int64_t key[KeyParameters::kSize] = {/*buffer=*/0,     bytes,         unsignedOrder, bits,
                                       /*descending=*/0, /*infinity=*/0};
  LibrarySteps steps;
  Words words(steps, length, /*stride=*/1, /*lines=*/1, bytes, /*indexBits=*/0);
  words.setOrderedBits(ordered);
  words.sort(SmallVector<KeyParameters>{{key}}, length, Output{-1, bytes, 1});
  return steps.take();
}
