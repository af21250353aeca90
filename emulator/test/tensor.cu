// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor cores: fragments are loaded element by element, as the tables in PTX's manual say, and by ldmatrix behind cp.async.

#define GLOBAL extern "C" __attribute__((global))
#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))
typedef unsigned u32;
typedef unsigned short u16;
typedef unsigned char u8;

DEVICE static inline int lane() { return __nvvm_read_ptx_sreg_tid_x() % 32; }

/// a is 16 x 16, b is 16 x 8, both row by row; c is 16 x 8.
#define MMA_16(name, type)                                                                                             \
  GLOBAL void name(float *c, const u16 *a, const u16 *b) {                                                             \
    int g = lane() / 4, t = lane() % 4;                                                                                \
    u32 ra[4], rb[2];                                                                                                  \
    for (int i = 0; i < 8; i += 2) {                                                                                   \
      int row = i % 4 < 2 ? g : g + 8, column = t * 2 + (i < 4 ? 0 : 8);                                               \
      ra[i / 2] = a[row * 16 + column] | a[row * 16 + column + 1] << 16;                                               \
    }                                                                                                                  \
    for (int i = 0; i < 4; i += 2) {                                                                                   \
      int row = t * 2 + (i < 2 ? 0 : 8);                                                                               \
      rb[i / 2] = b[row * 8 + g] | b[(row + 1) * 8 + g] << 16;                                                         \
    }                                                                                                                  \
    float d[4];                                                                                                        \
    for (int i = 0; i < 4; ++i)                                                                                        \
      d[i] = c[(i < 2 ? g : g + 8) * 8 + t * 2 + i % 2];                                                               \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." type "." type ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "  \
                 "{%0,%1,%2,%3};"                                                                                      \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                                      \
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));                            \
    for (int i = 0; i < 4; ++i)                                                                                        \
      c[(i < 2 ? g : g + 8) * 8 + t * 2 + i % 2] = d[i];                                                               \
  }
MMA_16(mmaF16, "f16")
MMA_16(mmaBF16, "bf16")

/// a is 16 x 8, b is 8 x 8.
GLOBAL void mmaTF32(float *c, const u32 *a, const u32 *b) {
  int g = lane() / 4, t = lane() % 4;
  float d[4];
  for (int i = 0; i < 4; ++i)
    d[i] = c[(i < 2 ? g : g + 8) * 8 + t * 2 + i % 2];
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[g * 8 + t]), "r"(a[(g + 8) * 8 + t]), "r"(a[g * 8 + t + 4]), "r"(a[(g + 8) * 8 + t + 4]),
                 "r"(b[t * 8 + g]), "r"(b[(t + 4) * 8 + g]));
  for (int i = 0; i < 4; ++i)
    c[(i < 2 ? g : g + 8) * 8 + t * 2 + i % 2] = d[i];
}

/// a is 8 x 4, b is 4 x 8, c is 8 x 8.
GLOBAL void mmaF64(double *c, const double *a, const double *b) {
  int g = lane() / 4, t = lane() % 4;
  double *d = c + g * 8 + t * 2;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(d[0]), "+d"(d[1])
               : "d"(a[g * 4 + t]), "d"(b[t * 8 + g]));
}

/// a is 16 x 32, b is 32 x 8.
#define MMA_32(name, typeA, typeB)                                                                                     \
  GLOBAL void name(int *c, const u8 *a, const u8 *b) {                                                                 \
    int g = lane() / 4, t = lane() % 4;                                                                                \
    u32 ra[4], rb[2];                                                                                                  \
    for (int i = 0; i < 16; ++i) {                                                                                     \
      int row = i < 4 || (i >= 8 && i < 12) ? g : g + 8, column = t * 4 + i % 4 + (i < 8 ? 0 : 16);                    \
      ra[i / 4] = (i % 4 ? ra[i / 4] : 0) | a[row * 32 + column] << 8 * (i % 4);                                       \
    }                                                                                                                  \
    for (int i = 0; i < 8; ++i) {                                                                                      \
      int row = t * 4 + i % 4 + (i < 4 ? 0 : 16);                                                                      \
      rb[i / 4] = (i % 4 ? rb[i / 4] : 0) | b[row * 8 + g] << 8 * (i % 4);                                             \
    }                                                                                                                  \
    int d[4];                                                                                                          \
    for (int i = 0; i < 4; ++i)                                                                                        \
      d[i] = c[(i < 2 ? g : g + 8) * 8 + t * 2 + i % 2];                                                               \
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32." typeA "." typeB ".s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "        \
                 "{%8,%9}, {%0,%1,%2,%3};"                                                                             \
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                                      \
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));                            \
    for (int i = 0; i < 4; ++i)                                                                                        \
      c[(i < 2 ? g : g + 8) * 8 + t * 2 + i % 2] = d[i];                                                               \
  }
MMA_32(mmaS8S8, "s8", "s8")
MMA_32(mmaS8U8, "s8", "u8")
MMA_32(mmaU8S8, "u8", "s8")
MMA_32(mmaU8U8, "u8", "u8")

/// c[64 x 16] = a[64 x k] * b[k x 16], bf16, k a multiple of 16: 128 threads, two stages. Rows of a tile have 24 elements,
/// so that 8 of them lie in different banks.
GLOBAL void pipeline(float *c, const u16 *a, const u16 *b, int k) {
  SHARED static u16 as[2][64][24] __attribute__((aligned(16))), bs[2][16][24] __attribute__((aligned(16)));
  int t = __nvvm_read_ptx_sreg_tid_x(), warp = t / 32;
  float d[2][4] = {};
  auto copy = [&](u16 *to, const u16 *from) {
    u32 address = (u32)(unsigned long long)(__attribute__((address_space(3))) void *)to;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
  };
  auto load = [&](int stage, int from) {
    copy(&as[stage][t / 2][t % 2 * 8], &a[t / 2 * k + from + t % 2 * 8]);
    if (t < 32)
      copy(&bs[stage][t / 2][t % 2 * 8], &b[(from + t / 2) * 16 + t % 2 * 8]);
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  load(0, 0);
  for (int i = 0; i < k; i += 16) {
    int stage = i / 16 % 2;
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    if (i + 16 < k)
      load(1 - stage, i + 16);
    u32 fa[4], fb[4];
    u32 from = (u32)(unsigned long long)(__attribute__((address_space(3))) void *)&as[stage][warp * 16 + lane() % 16]
                                                                                     [lane() / 16 * 8];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                 : "r"(from)
                 : "memory");
    from = (u32)(unsigned long long)(__attribute__((address_space(3))) void *)&bs[stage][lane() % 16][lane() / 16 * 8];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3])
                 : "r"(from)
                 : "memory");
    for (int n = 0; n < 2; ++n)
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                   "{%0,%1,%2,%3};"
                   : "+f"(d[n][0]), "+f"(d[n][1]), "+f"(d[n][2]), "+f"(d[n][3])
                   : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[2 * n]), "r"(fb[2 * n + 1]));
  }
  for (int n = 0; n < 2; ++n)
    for (int i = 0; i < 4; ++i)
      c[(warp * 16 + lane() / 4 + (i < 2 ? 0 : 8)) * 16 + n * 8 + lane() % 4 * 2 + i % 2] = d[n][i];
}

/// Copies of 4, of 8 and of 16 bytes, of a thread each: of four numbers the first `count`, or whole pairs, and zeros.
GLOBAL void copies(u32 *c, const u32 *a, int count) {
  SHARED static u32 to[3][32][4] __attribute__((aligned(16)));
  auto at = [&](int part, int i) {
    return (u32)(unsigned long long)(__attribute__((address_space(3))) void *)&to[part][lane()][i];
  };
  auto from = [&](int part, int i) { return &a[(part * 32 + lane()) * 4 + i]; };
  for (int i = 0; i < 4; ++i)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at(0, i)), "l"(from(0, i)), "r"(i < count ? 4 : 0)
                 : "memory");
  for (int i = 0; i < 4; i += 2)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(at(1, i)), "l"(from(1, i)), "r"(i < count ? 8 : 0)
                 : "memory");
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at(2, 0)), "l"(from(2, 0)), "r"(4 * count)
               : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  for (int part = 0; part < 3; ++part)
    for (int i = 0; i < 4; ++i)
      c[(part * 32 + lane()) * 4 + i] = to[part][lane()][i];
}
