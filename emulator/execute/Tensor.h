// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix instructions, apart from who calls them.

#ifndef CUDA_EMU_EXECUTE_TENSOR_H
#define CUDA_EMU_EXECUTE_TENSOR_H

#include <cstdint>

namespace cuda_emu {

enum class MatrixType : uint8_t { F16, BF16, TF32, F32, F64, E4M3, E5M2, S8, U8, S32 };

constexpr unsigned elementBytes(MatrixType type) {
  switch (type) {
  case MatrixType::F64:
    return 8;
  case MatrixType::F16:
  case MatrixType::BF16:
    return 2;
  case MatrixType::TF32:
  case MatrixType::F32:
  case MatrixType::S32:
    return 4;
  default:
    return 1;
  }
}
/// Element `index` of a register.
double elementValue(MatrixType type, uint64_t word, unsigned index);

/// d = a * b + c with n = 8. In compiled code the eight bytes are one number.
struct Mma {
  uint8_t m, k;
  MatrixType d, a, b, c;
  uint8_t saturates, unused;
};

/// The registers of each lane: those of a, b and c follow each other.
void multiply(const Mma &mma, const uint64_t *const operands[32], uint64_t *const results[32]);
/// `rows[8 * m + r]` is where row r of matrix m lies: 8 elements of 16 bits.
void loadMatrices(unsigned count, bool transposed, char *const rows[32], uint64_t *const results[32]);
void storeMatrices(unsigned count, bool transposed, char *const rows[32], const uint64_t *const operands[32]);

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_TENSOR_H
