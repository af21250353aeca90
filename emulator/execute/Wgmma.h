// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products that a warpgroup starts and the tensor cores make on their own: what compiled code hands over, and where
// elements lie in shared memory.

#ifndef CUDA_EMU_EXECUTE_WGMMA_H
#define CUDA_EMU_EXECUTE_WGMMA_H

#include "Tensor.h"
#include "TensorMap.h"

#include <array>
#include <vector>

namespace cuda_emu {

constexpr unsigned warpgroupSize = 128;

/// d = a * b + d with m = 64. In compiled code the eight bytes are one number.
struct Wgmma {
  uint8_t n8; // n / 8
  MatrixType d, a, b;
  uint8_t isARegisters : 1, transposesA : 1, transposesB : 1, negatesA : 1, negatesB : 1, saturates : 1;
  uint8_t registersA, registersD, unused;

  unsigned n() const { return 8 * n8; }
  unsigned k() const { return 32 / elementBytes(a); }
};

/// A register that such an instruction reads or writes lives in memory. Compiled code reads and writes `value`.
struct WgmmaRegister {
  uint32_t value;
  uint32_t flags;
  uint32_t result; // while the instruction is going on
  uint32_t job;    // the last that has it
};
enum WgmmaRegisterFlags : uint32_t { WgmmaTouched = 1, WgmmaAccumulates = 2, WgmmaReads = 4 };

/// What the 64 bits that describe a matrix in shared memory say.
struct MatrixPlace {
  uint32_t start, leading, stride;
  unsigned swizzle; // as of tensor maps
  bool hasBase;     // the pattern of the swizzle does not begin where its alignment says
  static MatrixPlace unpack(uint64_t bits) {
    unsigned mode = bits >> 62; // none, 128, 64, 32 bytes
    return {uint32_t(bits & 0x3fff) << 4, uint32_t(bits >> 16 & 0x3fff) << 4, uint32_t(bits >> 32 & 0x3fff) << 4,
            mode ? 4 - mode : 0, (bits >> 49 & 7) != 0};
  }
  /// Where 16 bytes lie that begin with an element: `row` is one of a's m or b's n, `byte` counts along k; or, if the
  /// matrix is transposed, `row` is one of k, and `byte` counts along m or n.
  uint32_t address(unsigned row, unsigned byte, bool isTransposed) const {
    unsigned span = 16u << swizzle; // bytes of a row of the pattern
    uint32_t at = start;
    if (!isTransposed)
      at += row / 8 * stride + row % 8 * span + (swizzle ? byte : byte / 16 * leading);
    else if (swizzle)
      at += row / 8 * stride + row % 8 * span + byte / span * leading + byte % span;
    else
      at += row / 8 * leading + row % 8 * 16 + byte / 16 * stride;
    return swizzled(at, swizzle);
  }
};

/// An instruction that is going on, of all threads of a warpgroup.
struct WgmmaJob {
  Wgmma code;
  uint64_t a, b; // matrices in shared memory
  bool accumulates;
  unsigned line, serial;
  bool isDone = false;
  unsigned waited = 0; // threads
  const char *shared;
  std::array<std::vector<WgmmaRegister *>, warpgroupSize> registers; // of d, then of a
  std::array<uint32_t, 4> times = {};                                // of the agents in whose names each warp reads
};

/// Computes the results of all threads, from and to `result` of the registers.
void multiply(const WgmmaJob &job);
/// Calls `body` with the address of each 16 bytes of shared memory that are read.
template <typename Body> void forEachChunk(const WgmmaJob &job, Body body) {
  auto visit = [&](uint64_t bits, unsigned rows, bool isTransposed) {
    MatrixPlace place = MatrixPlace::unpack(bits);
    unsigned bytes = 32; // of k
    if (isTransposed) {
      bytes = rows * elementBytes(job.code.a);
      rows = job.code.k();
    }
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned byte = 0; byte < bytes; byte += 16)
        body(place.address(row, byte, isTransposed));
  };
  if (!job.code.isARegisters)
    visit(job.a, 64, job.code.transposesA);
  visit(job.b, job.code.n(), job.code.transposesB);
}

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_WGMMA_H
