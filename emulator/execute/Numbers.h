// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small floats.

#ifndef CUDA_EMU_EXECUTE_NUMBERS_H
#define CUDA_EMU_EXECUTE_NUMBERS_H

#include <cstdint>

namespace cuda_emu {

/// `mode` as in translate/Translator.h. What is too large becomes an infinity, or the largest value where the rounding
/// goes to zero or `finite` is set. Not a number: all ones but the sign.
uint32_t roundSmall(double value, unsigned exponentBits, unsigned mantissaBits, uint32_t mode, bool finite);
double fromSmall(uint32_t bits, unsigned exponentBits, unsigned mantissaBits);
/// Format 0 is e4m3, 1 is e5m2.
float f8ToFloat(uint32_t bits, uint32_t format);

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_NUMBERS_H
