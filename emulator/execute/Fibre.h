// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks, and switching between them: in assembly on x86-64, by ucontext elsewhere.

#ifndef CUDA_EMU_EXECUTE_FIBRE_H
#define CUDA_EMU_EXECUTE_FIBRE_H

#include <cstddef>
#include <cstdint>

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
  size_t size() const { return bytes; }
  /// The stack that an address lies in, or -1.
  int indexOf(uint64_t address) const {
    uint64_t offset = address - reinterpret_cast<uint64_t>(memory);
    return offset < count * bytes ? int(offset / bytes) : -1;
  }

private:
  char *memory = nullptr;
  size_t count = 0, bytes = 0;
};

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_FIBRE_H
