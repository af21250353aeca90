// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for the emulator's tests, compiled to PTX by clang without CUDA's headers.

#define GLOBAL extern "C" __attribute__((global))
#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))
#define CONSTANT __attribute__((constant))
typedef unsigned u32;
typedef unsigned long long u64;

DEVICE static inline int tidX() { return __nvvm_read_ptx_sreg_tid_x(); }
DEVICE static inline int globalX() {
  return __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
}

GLOBAL void vadd(float *out, const float *a, const float *b, int n) {
  int i = globalX();
  if (i < n)
    out[i] = a[i] + b[i];
}

/// Grid-stride, with four floats at a time.
GLOBAL void saxpy4(float *out, const float *x, float a, int n) {
  typedef float float4 __attribute__((ext_vector_type(4)));
  for (int i = globalX(); i < n / 4; i += __nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_ntid_x())
    ((float4 *)out)[i] = ((const float4 *)x)[i] * a + 1.0f;
}

/// A 32x33 tile: 32x8 threads.
GLOBAL void transpose(float *out, const float *in, int rows, int columns) {
  SHARED static float tile[32][33];
  int x = tidX(), y = __nvvm_read_ptx_sreg_tid_y();
  int bx = __nvvm_read_ptx_sreg_ctaid_x() * 32, by = __nvvm_read_ptx_sreg_ctaid_y() * 32;
  for (int j = 0; j < 32; j += 8)
    if (by + y + j < rows && bx + x < columns)
      tile[y + j][x] = in[(by + y + j) * columns + bx + x];
  __syncthreads();
  for (int j = 0; j < 32; j += 8)
    if (bx + y + j < columns && by + x < rows)
      out[(bx + y + j) * rows + by + x] = tile[x][y + j];
}

extern SHARED float dynamic[];

/// One block for each row.
GLOBAL void rowsum(float *out, const float *in, int columns) {
  int t = tidX(), threads = __nvvm_read_ptx_sreg_ntid_x();
  float sum = 0;
  for (int i = t; i < columns; i += threads)
    sum += in[__nvvm_read_ptx_sreg_ctaid_x() * columns + i];
  for (int d = 16; d; d /= 2)
    sum += __nvvm_shfl_sync_bfly_f32(~0u, sum, d, 31);
  if (t % 32 == 0)
    dynamic[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = t < threads / 32 ? dynamic[t] : 0;
    for (int d = 16; d; d /= 2)
      sum += __nvvm_shfl_sync_down_f32(~0u, sum, d, 31);
    if (t == 0)
      out[__nvvm_read_ptx_sreg_ctaid_x()] = sum;
  }
}

DEVICE u32 arrived;

/// Each block leaves a part for each of its threads; the last one to come adds them up, and leaves the counter at zero.
GLOBAL void lastBlock(float *out, float *parts, const float *in, int n) {
  SHARED static u32 before;
  int t = tidX(), threads = __nvvm_read_ptx_sreg_ntid_x(), blocks = __nvvm_read_ptx_sreg_nctaid_x();
  float sum = 0;
  for (int i = globalX(); i < n; i += blocks * threads)
    sum += in[i];
  parts[globalX()] = sum;
  __syncthreads();
  if (t == 0) {
    asm volatile("fence.acq_rel.gpu;" ::: "memory"); // as LLVM spells it
    before = __nvvm_atom_inc_gen_ui(&arrived, blocks - 1);
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
  }
  __syncthreads();
  if (before < blocks - 1)
    return;
  sum = 0;
  for (int i = 0; i < blocks; ++i) // of the threads of each block in another order
    sum += parts[i * threads + threads - 1 - t];
  out[t] = sum;
}

GLOBAL void matmul(float *c, const float *a, const float *b, int n) {
  SHARED static float as[16][16], bs[16][16];
  int x = tidX(), y = __nvvm_read_ptx_sreg_tid_y();
  int row = __nvvm_read_ptx_sreg_ctaid_y() * 16 + y, column = __nvvm_read_ptx_sreg_ctaid_x() * 16 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    as[y][x] = row < n && k + x < n ? a[row * n + k + x] : 0;
    bs[y][x] = column < n && k + y < n ? b[(k + y) * n + column] : 0;
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum = __builtin_fmaf(as[y][j], bs[j][x], sum);
    __syncthreads();
  }
  if (row < n && column < n)
    c[row * n + column] = sum;
}

GLOBAL void histogram(u32 *bins, const unsigned char *in, int n) {
  SHARED static u32 local[256];
  for (int i = tidX(); i < 256; i += __nvvm_read_ptx_sreg_ntid_x())
    local[i] = 0;
  __syncthreads();
  for (int i = globalX(); i < n; i += __nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_ntid_x())
    __atomic_fetch_add(&local[in[i]], 1, __ATOMIC_RELAXED);
  __syncthreads();
  for (int i = tidX(); i < 256; i += __nvvm_read_ptx_sreg_ntid_x())
    __atomic_fetch_add(&bins[i], local[i], __ATOMIC_RELAXED);
}

/// Inclusive, by one block.
GLOBAL void scan(int *out, const int *in, int n) {
  SHARED static int buffer[2][1024];
  int t = tidX(), now = 0;
  buffer[0][t] = t < n ? in[t] : 0;
  for (int d = 1; d < 1024; d *= 2) {
    __syncthreads();
    buffer[1 - now][t] = buffer[now][t] + (t >= d ? buffer[now][t - d] : 0);
    now = 1 - now;
  }
  if (t < n)
    out[t] = buffer[now][t];
}

GLOBAL void bitonic(int *data) {
  SHARED static int s[512];
  int t = tidX();
  s[t] = data[t];
  __syncthreads();
  for (int k = 2; k <= 512; k *= 2)
    for (int j = k / 2; j; j /= 2) {
      int other = t ^ j;
      if (other > t && (s[t] > s[other]) == ((t & k) == 0)) {
        int x = s[t];
        s[t] = s[other];
        s[other] = x;
      }
      __syncthreads();
    }
  data[t] = s[t];
}

GLOBAL void floatAtomics(float *sum, double *wide, int *least, u64 *both, int n) {
  int i = globalX();
  if (i >= n)
    return;
  __nvvm_atom_add_gen_f(sum, (float)i);
  __nvvm_atom_add_gen_d(wide, (double)i);
  __nvvm_atom_min_gen_i(least, 100 - i);
  __nvvm_atom_or_gen_ll((long long *)both, 1ll << (i % 64));
  // A lock-free update by compare-and-swap.
  u32 *word = (u32 *)(both + 1), old = *(volatile u32 *)word, seen;
  while ((seen = __nvvm_atom_cas_gen_i((int *)word, old, old + 3)) != old)
    old = seen;
}

DEVICE int table[4] = {1, 2, 3, 4};
DEVICE int *pointers[2] = {&table[1], table};
CONSTANT float constants[3] = {1.f, 2.f, 4.f};
DEVICE __attribute__((noinline)) float sumOf(float start, const float *p, int n) {
  for (int i = 0; i < n; i++)
    start += p[i];
  return start;
}
DEVICE __attribute__((noinline)) int twice(int x) { return 2 * x; }
DEVICE __attribute__((noinline)) int square(int x) { return x * x; }
DEVICE int (*functions[2])(int) = {twice, square};
struct Big {
  float values[5];
  double scale;
};

/// Calls, addresses in variables, parameters by value, local memory, switches.
GLOBAL void mixture(float *out, const float *x, int n, Big big) {
  SHARED static float t[256];
  int i = globalX();
  t[tidX()] = x[i];
  dynamic[tidX()] = x[i];
  __syncthreads();
  float v = sumOf(t[0], dynamic, n) + *pointers[i & 1] + constants[i % 3] + big.values[i % 5];
  int local[8];
  for (int j = 0; j < 8; j++)
    local[j] = j * i;
  switch (i % 7) {
  case 0: v += 1; break;
  case 1: v *= 3; break;
  case 2: v = -v; break;
  case 3: v = v * v; break;
  case 4: v = v / 3; break;
  case 5: v += local[n & 7]; break;
  default: v = 7;
  }
  v += local[(int)__builtin_fabsf(v) & 7] + functions[i & 1](i);
  out[i] = v * (float)big.scale;
}

/// Integer divisions, shifts, 64 bits, conversions.
GLOBAL void integers(long long *out, const long long *a, const long long *b) {
  int i = globalX();
  long long x = a[i], y = b[i];
  int p = (int)x, q = (int)y;
  u32 up = p, uq = q;
  out += 16 * i;
  out[0] = y ? x / y : 0;
  out[1] = y ? x % y : 0;
  out[2] = q && !(q == -1) ? p / q : 0;
  out[3] = uq ? up % uq : 0;
  out[4] = __nvvm_mulhi_i(p, q);
  out[5] = __nvvm_mulhi_ull(x, y);
  out[6] = x >> (y & 63);
  out[7] = up << (uq & 31);
  out[8] = __builtin_popcountll(x) + __builtin_clz(up | 1) + __builtin_ctz(uq | 8);
  out[9] = (short)x * (signed char)y;
  out[10] = p < q ? -1 : up < uq ? 1 : 0;
  out[11] = __builtin_bitreverse32(up) ^ __builtin_bswap32(uq);
  out[12] = (long long)((float)x * 0.5f);
  out[13] = (u32)(double)up + (unsigned char)q;
  out[14] = (x ^ y) & ~(x | 3);
  out[15] = x < y ? x : y;
}

GLOBAL void halves(_Float16 *out, const _Float16 *a, const _Float16 *b) {
  int i = globalX();
  out[4 * i] = a[i] + b[i];
  out[4 * i + 1] = a[i] * b[i];
  out[4 * i + 2] = (_Float16)((float)a[i] / (float)b[i]);
  out[4 * i + 3] = a[i] < b[i] ? a[i] : -b[i];
}

GLOBAL void warps(u32 *out) {
  int t = tidX();
  u32 odd = __nvvm_vote_ballot_sync(~0u, t & 1);
  u32 all = __nvvm_vote_all_sync(~0u, t >= 0), any = __nvvm_vote_any_sync(~0u, t == 40);
  u32 sum = __nvvm_redux_sync_add(t, ~0u);
  int most = __nvvm_redux_sync_max(t ^ 5, ~0u);
  u32 same = __nvvm_match_any_sync_i32(~0u, t % 3);
  int up = __nvvm_shfl_sync_up_i32(~0u, t, 3, 0), idx = __nvvm_shfl_sync_idx_i32(~0u, t, 9, 31);
  // Two halves of a warp, each in a collective of its own.
  u32 half = t % 32 < 16 ? __nvvm_redux_sync_add(t, 0xffff) : __nvvm_redux_sync_add(1, 0xffff0000);
  u32 *mine = out + 9 * t;
  mine[0] = odd, mine[1] = all, mine[2] = any, mine[3] = sum, mine[4] = most, mine[5] = same, mine[6] = up;
  mine[7] = idx, mine[8] = half;
}

GLOBAL void count(float *out, int n) {
  float x = globalX();
  for (int i = 0; i < n; ++i)
    x = x * 0.5f + 1;
  out[globalX()] = x;
}
