// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conversion patterns from xla to structured ops, by op family.

#ifndef MLIR_XLA_LOWERING_LINALG_PATTERNS_H
#define MLIR_XLA_LOWERING_LINALG_PATTERNS_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::xla {

/// Drops signs and layouts from tensor types.
struct SignlessTypeConverter : TypeConverter {
  SignlessTypeConverter();
};

void populateElementwisePatterns(const TypeConverter &converter, RewritePatternSet &patterns);
void populateShapePatterns(const TypeConverter &converter, RewritePatternSet &patterns);
void populateIndexingPatterns(const TypeConverter &converter, RewritePatternSet &patterns);
void populateScatterPatterns(const TypeConverter &converter, RewritePatternSet &patterns);
void populateReductionPatterns(const TypeConverter &converter, RewritePatternSet &patterns);
void populateWindowPatterns(const TypeConverter &converter, RewritePatternSet &patterns);
void populateSelectAndScatterPatterns(const TypeConverter &converter, RewritePatternSet &patterns);
void populateContractionPatterns(const TypeConverter &converter, RewritePatternSet &patterns);
void populateConvolutionPatterns(const TypeConverter &converter, RewritePatternSet &patterns, bool device);
void populateFftPatterns(const TypeConverter &converter, RewritePatternSet &patterns, bool inPieces);
void populateSolvePatterns(const TypeConverter &converter, RewritePatternSet &patterns);
/// `inPieces`: a long line is sorted by several calls, which divide it among the cores of a CPU.
void populateSortPatterns(const TypeConverter &converter, RewritePatternSet &patterns, bool inPieces);
void populateRandomPatterns(const TypeConverter &converter, RewritePatternSet &patterns);
void populateControlPatterns(const TypeConverter &converter, RewritePatternSet &patterns);

// Loops whose iterations can be counted when the program is compiled (CountedLoops.cpp).

/// Their number, on a loop that is being converted.
inline constexpr StringLiteral kCountedTrips = "trips";
void noteTripCounts(Operation *program);
/// Makes `scf.for` of those: for a device of all, for a CPU of those that compute element by element, which may become
/// loops for each element.
void writeCountedLoops(Operation *program, bool device);

/// Notes on slices which of their starts are known to lie inside, before the conversion of what they follow from
/// (Indexing.cpp). Those need not be clamped.
void noteStartsInside(Operation *program);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LINALG_PATTERNS_H
