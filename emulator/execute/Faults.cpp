// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handler of SIGSEGV and SIGBUS does not return into the kernel, but to a function that leaves the block. It may
// not do much: a thread that fails may be anywhere, such as in the middle of an allocation of memory. So it looks at no
// variable of the thread, which might have to be made first, but knows whose stack it runs on.

#include "Faults.h"

#include <mutex>
#include <ucontext.h>

namespace cuda_emu {

namespace {

struct sigaction previousSegv, previousBus;

[[noreturn]] void leave(Worker *worker) { worker->leaveAfterFault(); }

void handle(int signal, siginfo_t *info, void *state) {
#if defined(__x86_64__) && defined(__linux__)
  auto *context = static_cast<ucontext_t *>(state);
  auto *stack = static_cast<SignalStack *>(context->uc_stack.ss_sp);
  if (!(context->uc_stack.ss_flags & SS_DISABLE) && stack && stack->isOurs()) {
    Worker *worker = stack->worker;
    greg_t *registers = context->uc_mcontext.gregs;
    worker->noteFault(reinterpret_cast<uint64_t>(info->si_addr), registers[REG_RIP], registers[REG_RSP]);
    // As if `leave` had been called on a stack of its own: the kernel's may be what is used up.
    registers[REG_RIP] = reinterpret_cast<greg_t>(&leave);
    registers[REG_RDI] = reinterpret_cast<greg_t>(worker);
    registers[REG_RSP] = reinterpret_cast<greg_t>(worker->exitStackTop()) - 8;
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
  worker.signalStack.worker = &worker;
  stack_t stack = {};
  stack.ss_sp = &worker.signalStack;
  stack.ss_size = sizeof worker.signalStack;
  sigaltstack(&stack, &before);
}

CatchFaults::~CatchFaults() { sigaltstack(&before, nullptr); }

} // namespace cuda_emu
