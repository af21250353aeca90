// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks, and switching between them: in assembly on x86-64, by ucontext elsewhere.

#ifndef CUDA_EMU_EXECUTE_FIBRE_H
#define CUDA_EMU_EXECUTE_FIBRE_H

#include <cstddef>

namespace cuda_emu {

/// Continues at `to`, a stack pointer that a switch or `prepareStack` has left, and leaves one in `from`.
extern "C" void emu_switch(void **from, void *to);

/// Makes a stack that ends at `top` begin with `entry(argument)`, which must not return. Gives its stack pointer.
void *prepareStack(char *top, void (*entry)(void *), void *argument);

/// Stacks of equal size, each above a page that is never there. Their memory is not used before it is touched.
class Stacks {
public:
  Stacks() = default;
  Stacks(const Stacks &) = delete;
  ~Stacks();
  /// At least `count` of at least `bytes`. False if the host has no memory for them.
  bool reserve(size_t count, size_t bytes);
  char *top(size_t index) const;
  bool contains(const void *address) const { return address >= memory && address < memory + count * bytes; }

private:
  char *memory = nullptr;
  size_t count = 0, bytes = 0;
};

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_FIBRE_H
