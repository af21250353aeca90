// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handler of SIGSEGV and SIGBUS does not return into the kernel, but to a function that leaves the block.

#include "Faults.h"

#include <mutex>
#include <ucontext.h>

namespace cuda_emu {

namespace {

thread_local Worker *running = nullptr;
alignas(64) thread_local char signalStack[64 * 1024];
struct sigaction previousSegv, previousBus;

[[noreturn]] void leave() { running->leaveAfterFault(); }

void handle(int signal, siginfo_t *info, void *state) {
#if defined(__x86_64__) && defined(__linux__)
  auto *context = static_cast<ucontext_t *>(state);
  if (running) {
    greg_t *registers = context->uc_mcontext.gregs;
    running->noteFault(reinterpret_cast<uint64_t>(info->si_addr), registers[REG_RIP], registers[REG_RSP]);
    // As if `leave` had been called on a stack of its own: the kernel's may be what is used up.
    registers[REG_RIP] = reinterpret_cast<greg_t>(&leave);
    registers[REG_RSP] = reinterpret_cast<greg_t>(running->exitStackTop()) - 8;
    return;
  }
#endif
  // Not ours: let the former handler, or none, see it again.
  sigaction(signal, signal == SIGSEGV ? &previousSegv : &previousBus, nullptr);
}

} // namespace

CatchFaults::CatchFaults(Worker &worker) {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &previousSegv);
    sigaction(SIGBUS, &action, &previousBus);
  });
  stack_t stack = {};
  stack.ss_sp = signalStack;
  stack.ss_size = sizeof signalStack;
  sigaltstack(&stack, &before);
  running = &worker;
}

CatchFaults::~CatchFaults() {
  running = nullptr;
  if (!(before.ss_flags & SS_DISABLE))
    sigaltstack(&before, nullptr);
}

} // namespace cuda_emu
