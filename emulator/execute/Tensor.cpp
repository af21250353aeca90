// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix instructions of a warp: ldmatrix, stmatrix, mma.sync. Each lane's registers are 64-bit words in its mailbox's
// operands; fragments are laid out as PTX's manual draws them. Products are exact; sums of f16, bf16, tf32 and 8-bit
// floats are made in f64 and rounded once, where hardware rounds in ways that are not documented.

#include "Tensor.h"
#include "Collectives.h"
#include "Numbers.h"

#include "llvm/ADT/bit.h"

#include <cmath>
#include <cstring>

namespace cuda_emu {

double elementValue(MatrixType type, uint64_t word, unsigned index) {
  switch (type) {
  case MatrixType::F16:
    return fromSmall(word >> 16 * index & 0xffff, 5, 10);
  case MatrixType::BF16:
    return fromSmall(word >> 16 * index & 0xffff, 8, 7);
  case MatrixType::TF32: // the lower bits do not count
    return llvm::bit_cast<float>(uint32_t(word) & 0xffffe000u);
  case MatrixType::F32:
    return llvm::bit_cast<float>(uint32_t(word));
  case MatrixType::F64:
    return llvm::bit_cast<double>(word);
  case MatrixType::E4M3:
    return f8ToFloat(word >> 8 * index, 0);
  case MatrixType::E5M2:
    return f8ToFloat(word >> 8 * index, 1);
  case MatrixType::S8:
    return int8_t(word >> 8 * index);
  case MatrixType::U8:
    return uint8_t(word >> 8 * index);
  case MatrixType::S32:
    return int32_t(word);
  }
  return 0;
}

static unsigned elementsOfWord(MatrixType type) { return elementBytes(type) < 4 ? 4 / elementBytes(type) : 1; }

void multiply(const Mma &mma, const uint64_t *const operands[32], uint64_t *const results[32]) {
  static thread_local double a[16][32], b[32][8];
  unsigned perA = elementsOfWord(mma.a), perB = elementsOfWord(mma.b);
  unsigned wordsA = mma.m * mma.k / 32 / perA, wordsB = mma.k * 8 / 32 / perB;
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned group = lane / 4, inGroup = lane % 4;
    for (unsigned r = 0; r < wordsA; ++r)
      for (unsigned j = 0; j < perA; ++j) {
        unsigned row = group + (mma.m == 16 ? 8 * (r & 1) : 0), block = mma.m == 16 ? r / 2 : r;
        a[row][inGroup * perA + j + 4 * perA * block] = elementValue(mma.a, operands[lane][r], j);
      }
    for (unsigned r = 0; r < wordsB; ++r)
      for (unsigned j = 0; j < perB; ++j)
        b[inGroup * perB + j + 4 * perB * r][group] = elementValue(mma.b, operands[lane][wordsA + r], j);
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    const uint64_t *c = operands[lane] + wordsA + wordsB;
    uint64_t *d = results[lane];
    for (unsigned i = 0; i < mma.m * 8 / 32; ++i) {
      unsigned row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
      bool isHalf = mma.c == MatrixType::F16;
      if (mma.d == MatrixType::S32) {
        int64_t sum = int32_t(c[i]);
        for (unsigned k = 0; k < mma.k; ++k)
          sum += int64_t(a[row][k]) * int64_t(b[k][column]);
        if (mma.saturates)
          sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        d[i] = uint32_t(sum);
        continue;
      }
      double sum = elementValue(mma.c, c[isHalf ? i / 2 : i], isHalf ? i % 2 : 0);
      if (mma.d == MatrixType::F64) {
        for (unsigned k = 0; k < mma.k; ++k)
          sum = std::fma(a[row][k], b[k][column], sum);
        d[i] = llvm::bit_cast<uint64_t>(sum);
        continue;
      }
      for (unsigned k = 0; k < mma.k; ++k)
        sum += a[row][k] * b[k][column];
      if (mma.d == MatrixType::F16) {
        uint64_t bits = roundSmall(sum, 5, 10, 0, false);
        d[i / 2] = i % 2 ? (d[i / 2] & 0xffff) | bits << 16 : bits;
      } else {
        float rounded = float(sum);
        d[i] = std::isnan(rounded) ? 0x7fffffffu : llvm::bit_cast<uint32_t>(rounded);
      }
    }
  }
}

void loadMatrices(unsigned count, bool transposed, char *const rows[32], uint64_t *const results[32]) {
  for (unsigned m = 0; m < count; ++m)
    for (unsigned lane = 0; lane < 32; ++lane) {
      uint16_t pair[2];
      for (unsigned j = 0; j < 2; ++j) {
        unsigned row = lane / 4, column = lane % 4 * 2 + j;
        if (transposed)
          std::swap(row, column);
        memcpy(&pair[j], rows[8 * m + row] + 2 * column, 2);
      }
      results[lane][m] = pair[0] | uint32_t(pair[1]) << 16;
    }
}

void storeMatrices(unsigned count, bool transposed, char *const rows[32], const uint64_t *const operands[32]) {
  for (unsigned m = 0; m < count; ++m)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned j = 0; j < 2; ++j) {
        unsigned row = lane / 4, column = lane % 4 * 2 + j;
        if (transposed)
          std::swap(row, column);
        uint16_t element = operands[lane][m] >> 16 * j;
        memcpy(rows[8 * m + row] + 2 * column, &element, 2);
      }
}

} // namespace cuda_emu
