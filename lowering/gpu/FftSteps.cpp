// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fourier transforms on a GPU: a step for each dimension, or for each radix of one. The functions and their parameters:
// runtime/cuda/device/Fft.cpp.

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/gpu/LibrarySteps.h"
#include "mlir_xla/lowering/gpu/TransformEnds.h"

#include "llvm/ADT/bit.h"

#include <cmath>
#include <functional>

using namespace mlir;
using namespace mlir::xla;

/// The odd radices, of which a thread has a butterfly in registers. Lengths with other prime factors become
/// convolutions.
static constexpr int64_t kRadices[] = {31, 29, 23, 19, 17, 13, 11, 7, 5, 3};

/// Elements of a block of threads, and of each thread, in runtime/cuda/device/Fft.cpp; blocks that keep a device busy.
static constexpr int64_t kElementsOfThread = 16, kManyBlocks = GpuMachine::someBlocks;

namespace {

/// As in runtime/library/fft/Transforms.h and runtime/cuda/device/Fft.cpp.
enum Kind : int64_t { Forward, Inverse, RealToComplex, ComplexToReal };
enum Form : int64_t { Plain, RealPart, HalfSpectrum, Pairs };

struct Place {
  int64_t buffer = -1, offset = 0; // in the scratch memory if there is no buffer
  int64_t function = -1;           // a buffer that elements come from, or are given to, instead
};

/// The transforms along a dimension of an array.
struct Transform {
  int64_t length, outer, inner;
  Form fromForm = Plain, toForm = Plain;
  bool swapsFrom = false, swapsTo = false;
  double factor = 1;

  int64_t elements() const { return outer * length * inner; }
};

/// Reads what the one before has written, and writes somewhere else, or in place: if its items are whole transforms.
struct Action {
  std::function<void(Place from, Place to, const StepCost &cost)> emit;
  StepCost cost;
  int64_t bytes; // that it writes
  bool mayBeInPlace = false;
};

class FftPlanner {
public:
  FftPlanner(rt::LibraryCallOp op)
      : suffix(op.getFunction().take_back(4)), part(suffix == "_f32" ? 4 : 8), ends(TransformEnds::of(op)) {
    auto bytesOf = [&](Value value) {
      auto type = cast<RankedTensorType>(value.getType());
      return type.getNumElements() * (isa<ComplexType>(type.getElementType()) ? 2 : 1) * part;
    };
    ArrayRef<int64_t> p = op.getParameters();
    kind = static_cast<Kind>(p[0]);
    outer = p[1];
    inner = p[2];
    inPlace = p[4];
    lengths = p.drop_front(6);
    resultBytes = ends.stores ? ends.written : bytesOf(op.getOuts()[0]);
  }

  std::optional<LibraryFacts> plan() {
    int64_t last = lengths.back(), rows = 1, transforms = 1;
    for (int64_t length : lengths.drop_back())
      rows *= length;
    transforms = rows * last;
    bool forward = kind == Forward || kind == RealToComplex, isReal = kind == RealToComplex || kind == ComplexToReal;
    double factor = forward ? 1 : 1 / static_cast<double>(transforms);
    int64_t columns = isReal ? last / 2 + 1 : last;
    auto addOthers = [&] {
      int64_t behind = columns * inner, before = outer * rows;
      for (int64_t length : llvm::reverse(lengths.drop_back())) {
        before /= length;
        if (length > 1)
          add({length, before, behind, Plain, Plain, !forward, !forward});
        behind *= length;
      }
    };
    if (kind == ComplexToReal) {
      addOthers();
      addToReal(last, outer * rows, factor);
    } else {
      if (kind == RealToComplex)
        addFromReal(last, outer * rows);
      else
        add({last, outer * rows, inner, Plain, Plain, !forward, !forward, factor});
      addOthers();
    }
    if (!isPossible)
      return std::nullopt;
    emit();
    return steps.take();
  }

private:
  //===- What is to be done ---------------------------------------------------------------------------------------===//

  /// Nothing if there is a prime factor that is no radix.
  static std::optional<SmallVector<int64_t>> radicesOf(int64_t length) {
    SmallVector<int64_t> radices;
    int64_t twos = llvm::countr_zero(static_cast<uint64_t>(length));
    length >>= twos;
    for (; twos >= 6 || twos == 4; twos -= 4)
      radices.push_back(16);
    // What is left: 0, 1, 2, 3 or 5.
    if (twos == 5)
      radices.append({8, 4});
    else if (twos > 0)
      radices.push_back(1 << twos);
    for (int64_t radix : kRadices)
      for (; length % radix == 0; length /= radix)
        radices.push_back(radix);
    if (length > 1)
      return std::nullopt;
    if (radices.empty())
      radices.push_back(1);
    return radices;
  }

  int64_t complexBytes(int64_t elements) const { return 2 * part * elements; }
  std::string name(StringRef step) const { return ("xla_rt_gpu_fft_" + step + suffix).str(); }

  /// PassPlan
  static SmallVector<int64_t> describe(const Transform &t, int64_t done, Place from, Place to) {
    return {
        t.length,  t.inner,     done,       from.buffer, from.offset, from.function, to.buffer,
        to.offset, to.function, t.fromForm, t.toForm,    t.swapsFrom, t.swapsTo,     llvm::bit_cast<int64_t>(t.factor)};
  }

  int64_t team() const { return part == 4 ? 256 : 128; }
  /// What a block has to read of neighbouring lines, so that it makes use of all that memory gives at a time.
  int64_t fewestLines() const { return 32 / (2 * part); }

  /// The radices of a pass by a block of threads.
  struct BlockRadices {
    int64_t sixteens = 0, rest = 1, odd[3] = {0, 0, 0};
    int64_t passes = 0;
    /// Elements that a block has room for: threads have whole butterflies.
    int64_t room = 0;
  };

  /// Nothing if there are other prime factors, or no more than one butterfly.
  std::optional<BlockRadices> blockRadicesOf(int64_t length) const {
    BlockRadices found;
    int64_t ofThread = kElementsOfThread;
    int64_t twos = llvm::countr_zero(static_cast<uint64_t>(length));
    length >>= twos;
    found.sixteens = twos / 4;
    found.rest = int64_t(1) << twos % 4;
    found.passes = found.sixteens + (twos % 4 ? 1 : 0);
    constexpr int64_t odd[] = {3, 5, 7};
    for (auto [count, radix] : llvm::zip_equal(found.odd, odd))
      for (; length % radix == 0; length /= radix, ++found.passes) {
        ++count;
        ofThread = std::min(ofThread, kElementsOfThread / radix * radix);
      }
    found.room = team() * ofThread;
    if (length > 1 || found.passes < 2)
      return std::nullopt;
    return found;
  }

  /// The radices of as few passes by blocks as there may be; none if there are prime factors that they do not have, or
  /// one butterfly is all.
  SmallVector<int64_t> blockPassesOf(const Transform &t) const {
    std::optional<BlockRadices> whole = blockRadicesOf(t.length);
    if (!whole)
      return {};
    int64_t most = whole->room / fewestLines();
    if (t.length <= (t.inner == 1 ? whole->room : most))
      return {t.length};
    // Two or three of about the same size.
    for (int64_t count : {2, 3}) {
      SmallVector<int64_t> passes;
      int64_t rest = t.length;
      for (int64_t left = count; left > 1; --left) {
        double even = std::pow(static_cast<double>(rest), 1.0 / static_cast<double>(left));
        auto radix = static_cast<int64_t>(std::ceil(even - 1e-6));
        while (radix <= most && (rest % radix || !blockRadicesOf(radix)))
          ++radix;
        if (radix > most)
          break;
        passes.push_back(radix);
        rest /= radix;
      }
      if (static_cast<int64_t>(passes.size()) == count - 1 && rest <= most && blockRadicesOf(rest)) {
        passes.push_back(rest);
        return passes;
      }
    }
    return {};
  }

  /// What a pass by blocks does as it loads and stores: pairs of real numbers come from a spectrum, or become one;
  /// lines of a convolution come from elements of an array, are products, or become elements.
  struct Ends {
    bool joins = false, splits = false, begins = false, convolves = false, ends = false;
    std::optional<Transform> array = std::nullopt; // that the convolution transforms
  };

  void addBlocks(const Transform &pass, int64_t radix, int64_t done, const Ends &with) {
    BlockRadices radices = *blockRadicesOf(radix);
    int64_t all = pass.elements() / radix, most = radices.room / radix;
    int64_t fewest = std::min<int64_t>(radix == pass.length && pass.inner == 1 ? 1 : fewestLines(), most);
    int64_t lines = std::clamp<int64_t>(llvm::divideCeil(all, kManyBlocks), fewest, most);
    int64_t spectrum = complexBytes(pass.outer * (pass.length + 1));
    int64_t bytes = with.splits ? spectrum : with.ends ? bytesOf(*with.array) : bytesOf(pass);
    StepCost cost = costOf(pass, radix, true);
    cost.read = with.joins       ? spectrum
                : with.begins    ? bytesOf(*with.array, with.array->fromForm)
                : with.convolves ? cost.read + complexBytes(pass.length)
                                 : cost.read;
    cost.written = bytes;
    cost.asked = complexBytes(lines * radix) / team();
    constexpr int64_t ofRoot = 30, ofProduct = 6;
    int64_t loading = (done > 1 || with.begins ? ofRoot : 0) + (with.convolves ? ofProduct : 0);
    cost.products = pass.elements() * (4 * llvm::Log2_64_Ceil(radix) + 20 * (radices.passes - 1) / 4 + loading) +
                    (with.ends ? ofRoot * with.array->elements() : 0);
    cost.phases = 2 + 4 * radices.passes;
    bool isPlain = !with.joins && !with.splits && !with.begins && !with.convolves && !with.ends &&
                   pass.fromForm == Plain && pass.toForm == Plain;
    actions.push_back({[=](Place from, Place to, const StepCost &cost) {
                         SmallVector<int64_t> parameters = describe(pass, done, from, to);
                         llvm::append_values(parameters, radix, lines, all, radices.sixteens, radices.rest,
                                             radices.odd[0], radices.odd[1], radices.odd[2],
                                             static_cast<int64_t>(with.joins), static_cast<int64_t>(with.splits),
                                             static_cast<int64_t>(with.begins), static_cast<int64_t>(with.convolves),
                                             static_cast<int64_t>(with.ends));
                         Transform array = with.array.value_or(Transform{1, 1, 1});
                         llvm::append_range(parameters, describe(array, 0, Place(), Place()));
                         llvm::append_values(parameters, pass.length, array.outer * array.inner);
                         addStep("block", parameters, llvm::divideCeil(all, lines), team(), cost, from, to);
                       },
                       cost, bytes, isPlain && radix == pass.length});
  }

  /// The transform's pass `i` of so many: only the first one finds another form, only the last one makes one.
  static Transform passOf(const Transform &transform, size_t i, size_t count) {
    Transform pass = transform;
    if (i > 0) {
      pass.fromForm = Plain;
      pass.swapsFrom = false;
    }
    if (i + 1 < count) {
      pass.toForm = Plain;
      pass.swapsTo = false;
      pass.factor = 1;
    }
    return pass;
  }

  void add(const Transform &transform) {
    std::optional<SmallVector<int64_t>> radices = radicesOf(transform.length);
    if (!radices)
      return addChirp(transform);
    SmallVector<int64_t> blocks = blockPassesOf(transform);
    int64_t done = 1;
    for (auto [i, radix] : llvm::enumerate(blocks)) {
      addBlocks(passOf(transform, i, blocks.size()), radix, done, {});
      done *= radix;
    }
    if (!blocks.empty())
      return;
    for (auto [i, radix] : llvm::enumerate(*radices)) {
      Transform pass = passOf(transform, i, radices->size());
      actions.push_back({[=, radix = radix](Place from, Place to, const StepCost &cost) {
                           addStep("pass_" + std::to_string(radix), describe(pass, done, from, to),
                                   pass.elements() / radix, 1, cost, from, to);
                         },
                         costOf(pass, radix, done > 1), bytesOf(pass),
                         pass.fromForm == Plain && pass.toForm == Plain && radix == pass.length});
      done *= radix;
    }
  }
  int64_t bytesOf(const Transform &t, Form form) const {
    return form == RealPart       ? part * t.elements()
           : form == HalfSpectrum ? complexBytes(t.outer * (t.length / 2 + 1))
                                  : complexBytes(t.elements());
  }
  int64_t bytesOf(const Transform &t) const { return bytesOf(t, t.toForm); }

  /// Of butterflies of `radix` elements, each a few additions and products for each time that the radix halves; a root
  /// is some twenty in double precision.
  StepCost costOf(const Transform &t, int64_t radix, bool hasRoots) const {
    int64_t halvings = llvm::Log2_64_Ceil(radix);
    return {bytesOf(t, t.fromForm),
            bytesOf(t),
            complexBytes(radix),
            t.elements() * (4 * halvings + (hasRoots ? 20 : 0)),
            halvings,
            1};
  }
  /// Of items that are a few elements each.
  static StepCost costOf(int64_t read, int64_t written) { return {read, written, 16, 0, 1, 1}; }

  /// A length for a convolution.
  static int64_t smoothLength(int64_t least) {
    int64_t best = llvm::PowerOf2Ceil(least);
    for (int64_t odd : {3, 5, 9, 15})
      if (int64_t twos = llvm::PowerOf2Ceil(llvm::divideCeil(least, odd)); twos * odd < best)
        best = twos * odd;
    return best;
  }

  /// Bluestein's: a transform is a convolution with e^(pi i k^2 / n), of lines of zeros behind the elements. Blocks
  /// begin and end it as they load and store.
  void addChirp(const Transform &transform) {
    int64_t size = smoothLength(2 * transform.length - 1), lines = transform.outer * transform.inner;
    Transform forward{size, lines + 1, 1}, backward{size, lines, 1}, end = transform;
    end.factor /= static_cast<double>(size);
    SmallVector<int64_t> passes = blockPassesOf(forward);
    if (passes.empty()) { // gigabytes
      isPossible = false;
      return;
    }
    for (bool back : {false, true}) {
      int64_t done = 1;
      for (auto [i, radix] : llvm::enumerate(passes)) {
        Ends with;
        with.begins = !back && i == 0;
        with.convolves = back && i == 0;
        with.ends = back && i + 1 == passes.size();
        with.array = back ? end : transform;
        addBlocks(back ? backward : forward, radix, done, with);
        done *= radix;
      }
    }
  }

  bool isOneBlock(int64_t length, int64_t lines) const { return blockPassesOf({length, lines, 1}).size() == 1; }

  /// Whether one launch is all, with a butterfly for each thread, or a line in a block.
  bool isOneStep(const Transform &transform) const {
    size_t blocks = blockPassesOf(transform).size();
    std::optional<SmallVector<int64_t>> radices = radicesOf(transform.length);
    return radices && (blocks == 1 || (blocks == 0 && radices->size() == 1));
  }

  /// Of lines of even length half are transformed, and taken apart into the spectrum by the same launch. If that would
  /// be another one, short lines are transformed as a whole, in one: twice the arithmetic is less than the launch.
  void addFromReal(int64_t length, int64_t lines) {
    Transform whole{length, lines, 1, RealPart, HalfSpectrum};
    if (length % 2)
      return add(whole);
    // Neighbouring numbers are complex ones.
    Transform pairs{length / 2, lines, 1, ends.loads ? Pairs : Plain};
    if (isOneBlock(length / 2, lines))
      return addBlocks(pairs, length / 2, 1, {/*joins=*/false, /*splits=*/true});
    if (isOneStep(whole))
      return add(whole);
    if (length > 2)
      add(pairs);
    addPairs("split", length, lines, complexBytes(lines * (length / 2 + 1)));
  }

  void addToReal(int64_t length, int64_t lines, double factor) {
    Transform whole{length, lines, 1, HalfSpectrum, RealPart, true, true, factor};
    if (length % 2)
      return add(whole);
    Transform pairs{length / 2, lines, 1, Plain, ends.stores ? Pairs : Plain, false, true, factor};
    if (isOneBlock(length / 2, lines))
      return addBlocks(pairs, length / 2, 1, {/*joins=*/true});
    if (isOneStep(whole))
      return add(whole);
    addPairs("join", length, lines, complexBytes(lines * (length / 2)));
    add(pairs);
  }

  void addPairs(StringRef step, int64_t length, int64_t lines, int64_t bytes) {
    actions.push_back({[=](Place from, Place to, const StepCost &cost) {
                         addStep(step,
                                 {length, from.buffer, from.offset, from.function, to.buffer, to.offset, to.function},
                                 lines * (length / 4 + 1), 1, cost, from, to);
                       },
                       costOf(bytes, bytes), bytes});
  }

  /// A step whose function calls others has a kernel of its own: there they are inlined.
  void addStep(const Twine &function, ArrayRef<int64_t> parameters, int64_t work, int64_t team, const StepCost &cost,
               Place from, Place to) {
    steps.add(name(function.str()), parameters, work, team, cost, /*isGeneral=*/false,
              /*callsOthers=*/from.function >= 0 || to.function >= 0);
  }

  //===- Where ----------------------------------------------------------------------------------------------------===//

  /// Chooses memory for what each action writes, the last one first: that of the next one, if that may be in place, or
  /// another one: the result if it fits, or one of two areas in the scratch memory.
  void emit() {
    constexpr int result = 0;
    // A function stores other elements than those at the places that it is called for.
    if (ends.stores)
      actions.back().mayBeInPlace = false;
    SmallVector<int> areas(actions.size(), result);
    int64_t bytes[3] = {0, 0, 0};
    for (int i = static_cast<int>(actions.size()) - 2; i >= 0; --i) {
      bool fits = actions[i].bytes <= resultBytes && (!inPlace || i > 0 || actions[i].mayBeInPlace);
      int &area = areas[i];
      if (actions[i + 1].mayBeInPlace && (areas[i + 1] != result || fits)) {
        area = areas[i + 1];
        continue;
      }
      area = areas[i + 1] != result && fits ? result : areas[i + 1] == 1 ? 2 : 1;
      if (area != result)
        bytes[area] = std::max(bytes[area], actions[i].bytes);
    }
    Place places[3] = {{inPlace ? 0 : 1, 0}, {-1, steps.allocate(bytes[1])}, {-1, steps.allocate(bytes[2])}};
    Place from{0, 0};
    if (ends.loads) {
      from.function = TransformEnds::kLoad;
      actions.front().cost.read = ends.read;
      actions.front().cost.products += ends.loading;
    }
    if (ends.stores) {
      places[result].function = TransformEnds::kStore;
      actions.back().cost.written = ends.written;
      actions.back().cost.read += ends.readBehind;
      actions.back().cost.products += ends.storing;
    }
    for (auto [i, action] : llvm::enumerate(actions)) {
      Place to = places[areas[i]];
      if (i + 1 < actions.size())
        to.function = -1;
      action.emit(from, to, action.cost);
      from = to;
    }
  }

  StringRef suffix;
  int64_t part; // bytes of a real number
  TransformEnds ends;
  Kind kind;
  int64_t outer, inner;
  bool inPlace;
  ArrayRef<int64_t> lengths;
  int64_t resultBytes;
  bool isPossible = true;

  SmallVector<Action> actions;
  LibrarySteps steps;
};

} // namespace

/// Parameters: runtime/library/fft/Fft.cpp.
std::optional<LibraryFacts> mlir::xla::getFftSteps(rt::LibraryCallOp op) { return FftPlanner(op).plan(); }
