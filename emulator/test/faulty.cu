// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that fail, or are slow.

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

__attribute__((device, noinline)) int descend(int *out, int n) {
  volatile int here[16];
  here[n % 16] = n;
  __syncthreads();
  out[__nvvm_read_ptx_sreg_tid_x()] = n;
  return n ? descend(out, n - 1) + here[n % 16] : 0;
}

GLOBAL void deep(int *out, int n) { out[__nvvm_read_ptx_sreg_tid_x()] = descend(out, n); }

GLOBAL void lonely() {
  if (__nvvm_read_ptx_sreg_tid_x() < 32)
    asm volatile("bar.sync 1, 64;");
  else
    asm volatile("bar.sync 0, 64;");
}

/// Both blocks write the same places.
GLOBAL void blocks(float *out) { out[__nvvm_read_ptx_sreg_tid_x()] = 1; }

/// A block reads what the other writes.
GLOBAL void readOther(float *data, float *out) {
  int t = __nvvm_read_ptx_sreg_tid_x();
  if (__nvvm_read_ptx_sreg_ctaid_x() == 0)
    out[t] = data[t];
  else
    data[t] = 2;
}

GLOBAL void neighbours(float *out) {
  SHARED static float s[64];
  int t = __nvvm_read_ptx_sreg_tid_x();
  s[t] = t;
  __syncthreads();
  float next = s[(t + 1) % 64];
  s[t] = next;
  __syncthreads();
  out[t] = s[63 - t];
}

GLOBAL void unwritten(float *out) {
  SHARED static float s[64];
  int t = __nvvm_read_ptx_sreg_tid_x();
  if (t < 32)
    s[t] = t;
  __syncthreads();
  out[t] = s[63 - t];
}

GLOBAL void misaligned(char *out, int offset) {
  typedef int int4 __attribute__((ext_vector_type(4)));
  *(int4 *)(out + offset) = 1;
}

GLOBAL void divergent() {
  if (__nvvm_read_ptx_sreg_tid_x() % 2)
    asm volatile("bar.sync 0; // odd");
  else
    asm volatile("bar.sync 0; // even");
}

GLOBAL void plainRead(int *data) {
  __nvvm_atom_add_gen_i(data, 1);
  data[__nvvm_read_ptx_sreg_tid_x() + 1] = data[0];
}

/// The last block to arrive sees what all others wrote.
GLOBAL void lastBlock(int *counter, float *partial) {
  SHARED static int last;
  int t = __nvvm_read_ptx_sreg_tid_x(), block = __nvvm_read_ptx_sreg_ctaid_x();
  if (t == 0) {
    partial[block] = block;
    __nvvm_membar_gl();
    last = __nvvm_atom_add_gen_i(counter, 1) == 3;
    __nvvm_membar_gl();
  }
  __syncthreads();
  if (last && t < 4)
    partial[8 + t] = partial[t];
}

/// The last block waits for all others, and overwrites what they have read. One of them may not say so.
GLOBAL void overwrite(int *counter, float *data, float *out, int silent) {
  int t = __nvvm_read_ptx_sreg_tid_x(), block = __nvvm_read_ptx_sreg_ctaid_x();
  int others = __nvvm_read_ptx_sreg_nctaid_x() - 1, told = silent < others ? others - 1 : others;
  if (block < others) {
    out[block * 32 + t] = data[t];
    __syncthreads();
    if (t == 0 && block != silent) {
      __nvvm_membar_gl();
      __nvvm_atom_add_gen_i(counter, 1);
    }
    return;
  }
  if (t == 0) {
    while (*(volatile int *)counter < told)
      ;
    __nvvm_membar_gl();
  }
  __syncthreads();
  data[t] = 2;
}

/// Badly: all lanes in one bank, each in a sector of its own.
GLOBAL void strided(float *out) {
  SHARED static volatile float s[1024];
  int t = __nvvm_read_ptx_sreg_tid_x();
  for (int i = t; i < 1024; i += 32)
    s[i] = i;
  __syncthreads();
  out[t * 8] = s[t * 32];
}

/// Reads what nobody has written: memory that was allocated for `out` alone.
GLOBAL void copyFresh(float *out, const float *fresh) { out[__nvvm_read_ptx_sreg_tid_x()] = fresh[__nvvm_read_ptx_sreg_tid_x()]; }
