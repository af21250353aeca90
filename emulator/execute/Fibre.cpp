// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Switching saves what a callee has to: six registers and the stack pointer.

#include "Fibre.h"

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace cuda_emu {

#if defined(__x86_64__)

asm(R"(
.text
.globl emu_switch
.hidden emu_switch
.type emu_switch,@function
emu_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size emu_switch,.-emu_switch
.globl emu_fibre_start
.hidden emu_fibre_start
.type emu_fibre_start,@function
emu_fibre_start:
  movq %r12, %rdi
  callq *%rbx
  ud2
.size emu_fibre_start,.-emu_fibre_start
)");

extern "C" void emu_fibre_start();

void *prepareStack(char *top, void (*entry)(void *), void *argument) {
  auto *sp = reinterpret_cast<uint64_t *>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t(15));
  *--sp = 0; // emu_fibre_start begins with an aligned stack
  *--sp = 0;
  *--sp = reinterpret_cast<uint64_t>(&emu_fibre_start);
  *--sp = 0;                                    // rbp
  *--sp = reinterpret_cast<uint64_t>(entry);    // rbx
  *--sp = reinterpret_cast<uint64_t>(argument); // r12
  *--sp = 0;
  *--sp = 0;
  *--sp = 0;
  return sp;
}

#else

namespace {
struct Context {
  ucontext_t state;
  void (*entry)(void *);
  void *argument;
};
void start(unsigned high, unsigned low) {
  auto *context = reinterpret_cast<Context *>(uintptr_t(high) << 32 | low);
  context->entry(context->argument);
}
} // namespace

extern "C" void emu_switch(void **from, void *to) {
  ucontext_t here;
  *from = &here;
  swapcontext(&here, static_cast<ucontext_t *>(to));
}

void *prepareStack(char *top, void (*entry)(void *), void *argument) {
  // The context lies at the top of its own stack.
  auto *context = reinterpret_cast<Context *>((reinterpret_cast<uintptr_t>(top) - sizeof(Context)) & ~uintptr_t(63));
  getcontext(&context->state);
  constexpr size_t used = 32 * 1024;
  context->state.uc_stack.ss_sp = reinterpret_cast<char *>(context) - used;
  context->state.uc_stack.ss_size = used;
  context->state.uc_link = nullptr;
  context->entry = entry;
  context->argument = argument;
  uintptr_t bits = reinterpret_cast<uintptr_t>(context);
  makecontext(&context->state, reinterpret_cast<void (*)()>(start), 2, unsigned(bits >> 32), unsigned(bits));
  return &context->state;
}

#endif

static size_t pageSize() {
  static const size_t size = sysconf(_SC_PAGESIZE);
  return size;
}

Stacks::~Stacks() {
  if (memory)
    munmap(memory, count * bytes);
}

bool Stacks::reserve(size_t wanted, size_t wantedBytes) {
  wantedBytes = (wantedBytes + 2 * pageSize() - 1) / pageSize() * pageSize() + pageSize();
  if (wanted <= count && wantedBytes <= bytes)
    return true;
  if (memory)
    munmap(memory, count * bytes);
  count = wanted > count ? wanted : count;
  bytes = wantedBytes > bytes ? wantedBytes : bytes;
  void *map = mmap(nullptr, count * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) {
    memory = nullptr;
    count = bytes = 0;
    return false;
  }
  memory = static_cast<char *>(map);
  for (size_t i = 0; i < count; ++i)
    mprotect(memory + i * bytes, pageSize(), PROT_NONE);
  return true;
}

char *Stacks::top(size_t index) const {
  // Not all at the same place of a page: they would compete for the same lines of the cache.
  return memory + (index + 1) * bytes - (index % 31) * 128;
}

} // namespace cuda_emu
