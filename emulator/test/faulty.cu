// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that fail.

#define GLOBAL extern "C" __attribute__((global))
#define SHARED __attribute__((shared))

GLOBAL void store(float *out, int offset) { out[offset + __nvvm_read_ptx_sreg_tid_x()] = 1; }

GLOBAL void shared(int offset) {
  SHARED static volatile float s[64];
  s[offset + __nvvm_read_ptx_sreg_tid_x()] = 1;
  __syncthreads();
}

GLOBAL void trap(int n) {
  if (__nvvm_read_ptx_sreg_ctaid_x() * 64 + __nvvm_read_ptx_sreg_tid_x() == n)
    __builtin_trap();
}

GLOBAL void lonely() {
  if (__nvvm_read_ptx_sreg_tid_x() < 32)
    asm volatile("bar.sync 1, 64;");
  else
    asm volatile("bar.sync 0, 64;");
}
