// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lowering knows of the processor. Every size of a register, a cache or a page that decides something comes
// from here.

#ifndef MLIR_XLA_LOWERING_MACHINE_H
#define MLIR_XLA_LOWERING_MACHINE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class MLIRContext;
}

namespace mlir::xla {

/// Sizes in bytes if their names do not say otherwise. Those of caches are what common processors have at least: one
/// plan serves them all. How many threads there will be is the runtime's business.
struct Machine {
  unsigned vectorBits = 512;
  unsigned vectorRegisters = 32;
  unsigned chunkBits = 128; // within which shuffles of a vector register take one step
  // Instructions that multiply narrow numbers and add neighbouring products, by the names of x86 processors.
  bool hasPmaddwd = false, hasVpdpbusd = false, hasVdpbf16ps = false;
  // A product of floats and its sum are two instructions, by way of a register: there are no fused multiply-adds.
  bool hasMulps = false;

  int64_t cacheLine = 64;
  int64_t l1Bytes = 32 << 10, l1Ways = 8;
  int64_t l2Bytes = 512 << 10;
  int64_t l2Sets = 2048, l2Ways = 8; // of a cache of 1 MiB, as processors with vectors of 512 bits have
  int64_t lastLevelBytes = 8 << 20;  // for each core
  int64_t pageBytes = 4096;
  int64_t tlbPages = 64; // whose addresses the first level of translation holds

  /// Elements of simple work that take one core as long as it takes to wake another.
  int64_t elementsPerCore = 32 << 10;
  /// Waking other cores takes some microseconds; less work than this is done by one.
  int64_t nanosecondsToWake = 20000;
  /// Items of parallel work that keep the cores of most machines busy, and those from which on more gain nothing.
  int64_t fewItems = 64, enoughItems = 256;

  // Instructions that do the same with tile registers (AMX).
  bool hasTdpbssd = false, hasTdpbf16ps = false, hasTdpfp16ps = false;

  /// A processor with vectors of 128, 256 or 512 bits, and with `instructions`, such as "pmaddwd,vpdpbusd,tdpbssd".
  static Machine withVectors(unsigned bits, StringRef instructions = "");
  /// Reports any other width or instruction. Both are options of several passes.
  static LogicalResult checkVectors(unsigned bits, MLIRContext *context, StringRef instructions = "");

  /// Lanes of elements of `bits` in a vector register.
  unsigned lanes(unsigned bits) const { return vectorBits / bits; }
  /// Does `vdpbf16ps` add up so many sums?
  bool hasPairs(int64_t count) const { return hasVdpbf16ps && count * 32 <= vectorBits && count * 32 >= 256; }
  /// Elements of 4 bytes of a vector register that one instruction permutes as another one says; 0 if none does.
  int64_t permutedElements() const { return vectorBits >= 256 ? vectorBits / 32 : 0; }
  /// Registers for the running values of a reduction. The others hold what is multiplied, and products.
  unsigned accumulators() const { return hasMulps ? vectorRegisters * 5 / 8 : vectorRegisters * 3 / 4; }
  /// Vectors of columns that a tile has at most, beside which there are registers for several rows.
  int64_t vectorsOfTile() const { return vectorRegisters == 32 ? 4 : 2; }
  /// Does a step of a tile read no more of its columns than a line of the cache?
  bool hasNarrowTiles() const { return vectorsOfTile() * vectorBits <= 8 * cacheLine; }
  /// Columns of a panel of a packed operand: those of a tile of f32.
  int64_t panelColumns() const { return vectorsOfTile() * lanes(32); }
  /// Bytes of memory that may be walked across, a page for each step, without waiting for addresses.
  int64_t tlbReach() const { return tlbPages * pageBytes; }
  /// Neighbouring bytes from which on the prefetcher reads ahead.
  int64_t longRun() const { return 8 * cacheLine; }
  /// Elements of a long stretch of a row, which is at most a page.
  int64_t longRow() const { return pageBytes / 8; }
  /// Bytes from one row to the next from which on they are in different pages, or nearly so.
  int64_t farApart() const { return pageBytes / 2; }
  /// What is read again and again stays in the second-level cache: all of it, or beside an operand that streams by.
  int64_t l2Share() const { return l2Bytes / 2; }
  /// For packed columns that many items share. Processors with vectors of 512 bits have caches of 1 MiB and more.
  int64_t l2ShareOfColumns() const { return vectorBits == 512 ? l2Bytes : l2Share(); }
  /// Processors with tile registers have caches of 2 MiB.
  int64_t l2ShareOfTiles() const { return 1 << 20; }
  int64_t l2ShareOfStream() const { return l2Bytes * 3 / 8; }
  /// How many rows `pitch` bytes apart have a line of each in the first-level cache at the same time: those a multiple
  /// of a page apart fall on the same lines.
  int64_t rowsInL1(int64_t pitch) const;
  /// What a load of a tile costs beside a product: hardly anything, unless its columns, of so many steps, each `pitch`
  /// bytes from the one before, push each other out of the first-level cache, where vectors may be in two lines, too.
  double costOfLoad(int64_t pitch, int64_t steps) const;
  static constexpr double kCostOfLoad = 0.1;
  /// The time that a tile of so many rows and vectors takes for `rows` of them, in steps of which none is shorter: what
  /// it multiplies, and what it loads for that.
  static double timeOfTiles(int64_t rows, int64_t rowsOfTile, int64_t vectors, double costOfLoad = kCostOfLoad);
  /// At most so many rows of a tile: fewer load more for what they multiply, but may compute fewer in vain.
  static int64_t rowsOfTile(int64_t rows, int64_t most, int64_t vectors, double costOfLoad = kCostOfLoad);
  /// The same for the second-level cache.
  int64_t rowsInL2(int64_t pitch) const;
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_MACHINE_H
