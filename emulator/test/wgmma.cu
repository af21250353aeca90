// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of warpgroups. The host lays out the matrices as they have to lie in shared memory; fragments of results
// are written as PTX's manual draws them.

#include "hopper.h"

// Registers of accumulators in the text of an instruction, and as operands.
#define REGISTERS_4 "%0, %1, %2, %3"
#define REGISTERS_8 "%0, %1, %2, %3, %4, %5, %6, %7"
#define REGISTERS_16 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define REGISTERS_32 \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
  "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define REGISTERS_64 \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
  "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, " \
  "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, " \
  "%62, %63"
#define REGISTERS_128 \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
  "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, " \
  "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, " \
  "%62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, " \
  "%82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, " \
  "%101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, " \
  "%117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define OPERANDS_4(c) \
  "+" c(d[0]), "+" c(d[1]), "+" c(d[2]), "+" c(d[3])
#define OPERANDS_8(c) \
  "+" c(d[0]), "+" c(d[1]), "+" c(d[2]), "+" c(d[3]), "+" c(d[4]), "+" c(d[5]), "+" c(d[6]), "+" c(d[7])
#define OPERANDS_16(c) \
  "+" c(d[0]), "+" c(d[1]), "+" c(d[2]), "+" c(d[3]), "+" c(d[4]), "+" c(d[5]), "+" c(d[6]), "+" c(d[7]), "+" \
  c(d[8]), "+" c(d[9]), "+" c(d[10]), "+" c(d[11]), "+" c(d[12]), "+" c(d[13]), "+" c(d[14]), "+" c(d[15])
#define OPERANDS_32(c) \
  "+" c(d[0]), "+" c(d[1]), "+" c(d[2]), "+" c(d[3]), "+" c(d[4]), "+" c(d[5]), "+" c(d[6]), "+" c(d[7]), "+" \
  c(d[8]), "+" c(d[9]), "+" c(d[10]), "+" c(d[11]), "+" c(d[12]), "+" c(d[13]), "+" c(d[14]), "+" c(d[15]), "+" \
  c(d[16]), "+" c(d[17]), "+" c(d[18]), "+" c(d[19]), "+" c(d[20]), "+" c(d[21]), "+" c(d[22]), "+" c(d[23]), "+" \
  c(d[24]), "+" c(d[25]), "+" c(d[26]), "+" c(d[27]), "+" c(d[28]), "+" c(d[29]), "+" c(d[30]), "+" c(d[31])
#define OPERANDS_64(c) \
  "+" c(d[0]), "+" c(d[1]), "+" c(d[2]), "+" c(d[3]), "+" c(d[4]), "+" c(d[5]), "+" c(d[6]), "+" c(d[7]), "+" \
  c(d[8]), "+" c(d[9]), "+" c(d[10]), "+" c(d[11]), "+" c(d[12]), "+" c(d[13]), "+" c(d[14]), "+" c(d[15]), "+" \
  c(d[16]), "+" c(d[17]), "+" c(d[18]), "+" c(d[19]), "+" c(d[20]), "+" c(d[21]), "+" c(d[22]), "+" c(d[23]), "+" \
  c(d[24]), "+" c(d[25]), "+" c(d[26]), "+" c(d[27]), "+" c(d[28]), "+" c(d[29]), "+" c(d[30]), "+" c(d[31]), "+" \
  c(d[32]), "+" c(d[33]), "+" c(d[34]), "+" c(d[35]), "+" c(d[36]), "+" c(d[37]), "+" c(d[38]), "+" c(d[39]), "+" \
  c(d[40]), "+" c(d[41]), "+" c(d[42]), "+" c(d[43]), "+" c(d[44]), "+" c(d[45]), "+" c(d[46]), "+" c(d[47]), "+" \
  c(d[48]), "+" c(d[49]), "+" c(d[50]), "+" c(d[51]), "+" c(d[52]), "+" c(d[53]), "+" c(d[54]), "+" c(d[55]), "+" \
  c(d[56]), "+" c(d[57]), "+" c(d[58]), "+" c(d[59]), "+" c(d[60]), "+" c(d[61]), "+" c(d[62]), "+" c(d[63])
#define OPERANDS_128(c) \
  "+" c(d[0]), "+" c(d[1]), "+" c(d[2]), "+" c(d[3]), "+" c(d[4]), "+" c(d[5]), "+" c(d[6]), "+" c(d[7]), \
  "+" c(d[8]), "+" c(d[9]), "+" c(d[10]), "+" c(d[11]), "+" c(d[12]), "+" c(d[13]), "+" c(d[14]), "+" c(d[15]), \
  "+" c(d[16]), "+" c(d[17]), "+" c(d[18]), "+" c(d[19]), "+" c(d[20]), "+" c(d[21]), "+" c(d[22]), "+" c(d[23]), \
  "+" c(d[24]), "+" c(d[25]), "+" c(d[26]), "+" c(d[27]), "+" c(d[28]), "+" c(d[29]), "+" c(d[30]), "+" c(d[31]), \
  "+" c(d[32]), "+" c(d[33]), "+" c(d[34]), "+" c(d[35]), "+" c(d[36]), "+" c(d[37]), "+" c(d[38]), "+" c(d[39]), \
  "+" c(d[40]), "+" c(d[41]), "+" c(d[42]), "+" c(d[43]), "+" c(d[44]), "+" c(d[45]), "+" c(d[46]), "+" c(d[47]), \
  "+" c(d[48]), "+" c(d[49]), "+" c(d[50]), "+" c(d[51]), "+" c(d[52]), "+" c(d[53]), "+" c(d[54]), "+" c(d[55]), \
  "+" c(d[56]), "+" c(d[57]), "+" c(d[58]), "+" c(d[59]), "+" c(d[60]), "+" c(d[61]), "+" c(d[62]), "+" c(d[63]), \
  "+" c(d[64]), "+" c(d[65]), "+" c(d[66]), "+" c(d[67]), "+" c(d[68]), "+" c(d[69]), "+" c(d[70]), "+" c(d[71]), \
  "+" c(d[72]), "+" c(d[73]), "+" c(d[74]), "+" c(d[75]), "+" c(d[76]), "+" c(d[77]), "+" c(d[78]), "+" c(d[79]), \
  "+" c(d[80]), "+" c(d[81]), "+" c(d[82]), "+" c(d[83]), "+" c(d[84]), "+" c(d[85]), "+" c(d[86]), "+" c(d[87]), \
  "+" c(d[88]), "+" c(d[89]), "+" c(d[90]), "+" c(d[91]), "+" c(d[92]), "+" c(d[93]), "+" c(d[94]), "+" c(d[95]), \
  "+" c(d[96]), "+" c(d[97]), "+" c(d[98]), "+" c(d[99]), "+" c(d[100]), "+" c(d[101]), "+" c(d[102]), \
  "+" c(d[103]), "+" c(d[104]), "+" c(d[105]), "+" c(d[106]), "+" c(d[107]), "+" c(d[108]), "+" c(d[109]), \
  "+" c(d[110]), "+" c(d[111]), "+" c(d[112]), "+" c(d[113]), "+" c(d[114]), "+" c(d[115]), "+" c(d[116]), \
  "+" c(d[117]), "+" c(d[118]), "+" c(d[119]), "+" c(d[120]), "+" c(d[121]), "+" c(d[122]), "+" c(d[123]), \
  "+" c(d[124]), "+" c(d[125]), "+" c(d[126]), "+" c(d[127])

INLINE void fenceWgmma() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
INLINE void commitWgmma() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int groups> INLINE void waitWgmma() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(groups) : "memory"); }
/// The compiler may not move what computes the registers over here.
template <int count> INLINE void pin(float (&d)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i)
    asm volatile("" : "+f"(d[i])::"memory");
}
template <int count> INLINE void pin(u32 (&d)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i)
    asm volatile("" : "+r"(d[i])::"memory");
}

/// `image` to shared memory, as it is.
INLINE void copy(u8 *to, const u8 *image, int bytes) {
  for (int i = tid() * 4; i < bytes; i += 512)
    *(u32 *)(to + i) = *(const u32 *)(image + i);
}

extern SHARED __attribute__((aligned(1024))) u8 memory[];

/// c = a * b + c: 64 x N, of `words` accumulators that have `each` elements. Descriptors come without their addresses.
#define PRODUCT(name, C, constraint, words, each, N, type, signs)                                                      \
  GLOBAL void name(C *c, const u8 *a, int bytesA, const u8 *b, int bytesB, u64 placeA, u64 placeB) {                   \
    copy(memory, a, bytesA);                                                                                           \
    copy(memory + bytesA, b, bytesB);                                                                                  \
    fenceAsync();                                                                                                      \
    __syncthreads();                                                                                                   \
    C d[words];                                                                                                        \
    u32 t = tid(), row = t / 32 * 16 + t % 32 / 4, column = t % 4 * 2;                                                 \
    _Pragma("unroll") for (int i = 0; i < words; ++i)                                                                  \
      d[i] = c[((row + 8 * (i * each / 2 % 2)) * N + column + i * each / 4 * 8) / each + i * each % 2 / each];         \
    pin(d);                                                                                                            \
    fenceWgmma();                                                                                                      \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %[scale], 0;\nwgmma.mma_async.sync.aligned.m64n" #N type             \
                 " {" REGISTERS_##words "}, %[a], %[b], p" signs ";\n}"                                                \
                 : OPERANDS_##words(constraint)                                                                        \
                 : [a] "l"(placeA | shared(memory) >> 4), [b] "l"(placeB | (shared(memory) + bytesA) >> 4),            \
                   [scale] "r"(1)                                                                                      \
                 : "memory");                                                                                          \
    commitWgmma();                                                                                                     \
    waitWgmma<0>();                                                                                                    \
    pin(d);                                                                                                            \
    _Pragma("unroll") for (int i = 0; i < words; ++i)                                                                  \
      c[((row + 8 * (i * each / 2 % 2)) * N + column + i * each / 4 * 8) / each + i * each % 2 / each] = d[i];         \
  }
PRODUCT(bf16, float, "f", 32, 1, 64, "k16.f32.bf16.bf16", ", 1, 1, 0, 0")
PRODUCT(bf16B, float, "f", 64, 1, 128, "k16.f32.bf16.bf16", ", 1, 1, 0, 1")
PRODUCT(bf16Wide, float, "f", 128, 1, 256, "k16.f32.bf16.bf16", ", 1, 1, 0, 0")
PRODUCT(bf16A, float, "f", 32, 1, 64, "k16.f32.bf16.bf16", ", 1, -1, 1, 0")
PRODUCT(f16AB, float, "f", 4, 1, 8, "k16.f32.f16.f16", ", -1, 1, 1, 1")
PRODUCT(f16Half, u32, "r", 4, 2, 16, "k16.f16.f16.f16", ", 1, 1, 0, 0")
PRODUCT(tf32, float, "f", 8, 1, 16, "k8.f32.tf32.tf32", ", 1, 1")
PRODUCT(s8, u32, "r", 16, 1, 32, "k32.s32.s8.u8", "")
PRODUCT(e4m3, float, "f", 4, 1, 8, "k32.f32.e4m3.e5m2", ", 1, 1")

/// a from registers: two products of 64 x 16 and 16 x 64. The first result is stored while the second is being made.
GLOBAL void registers(float *c, const u16 *a, const u8 *b, u64 place) {
  copy(memory, b, 4096);
  fenceAsync();
  __syncthreads();
  u32 t = tid(), row = t / 32 * 16 + t % 32 / 4, column = t % 4 * 2;
  u32 fragment[2][4];
#pragma unroll
  for (int n = 0; n < 2; ++n)
#pragma unroll
    for (int r = 0; r < 4; ++r)
      fragment[n][r] = *(const u32 *)&a[(row + 8 * (r & 1)) * 32 + n * 16 + column + 8 * (r / 2)];
  pin(fragment[0]);
  pin(fragment[1]);
  float first[32], second[32];
  pin(first);
  pin(second);
  fenceWgmma();
  auto multiply = [&](float (&d)[32], int n) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %[scale], 0;\nwgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16"
                 " {" REGISTERS_32 "}, {%[a0], %[a1], %[a2], %[a3]}, %[b], p, 1, 1, 0;\n}"
                 : OPERANDS_32("f")
                 : [a0] "r"(fragment[n][0]), [a1] "r"(fragment[n][1]), [a2] "r"(fragment[n][2]), [a3] "r"(fragment[n][3]),
                   [b] "l"(place | (shared(memory) + n * 2048) >> 4), [scale] "r"(0)
                 : "memory");
    commitWgmma();
  };
  auto store = [&](float (&d)[32], int n) {
    pin(d);
#pragma unroll
    for (int i = 0; i < 32; ++i)
      c[n * 4096 + (row + 8 * (i / 2 % 2)) * 64 + column + i / 4 * 8 + i % 2] = d[i];
  };
  multiply(first, 0);
  multiply(second, 1);
  waitWgmma<1>();
  store(first, 0);
  waitWgmma<0>();
  store(second, 1);
}

/// c = a * b^T: tensors of rows of bf16, products of 64 x 64; 64 of k at a time, in a ring of three buffers. Warp 4
/// fetches, the warpgroup of the first four multiplies and stores through shared memory.
GLOBAL void gemm(CONSTANT_PARAMETER TensorMap a, CONSTANT_PARAMETER TensorMap b, CONSTANT_PARAMETER TensorMap c, int k) {
  constexpr int stages = 3;
  SHARED static u64 full[stages], empty[stages];
  u8 *bufferA = memory, *bufferB = memory + stages * 8192;
  float *out = (float *)(memory + stages * 16384);
  u32 t = tid();
  int x = __nvvm_read_ptx_sreg_ctaid_x() * 64, y = __nvvm_read_ptx_sreg_ctaid_y() * 64;
  if (t == 0) {
    for (int i = 0; i < stages; ++i) {
      init(&full[i], 1);
      init(&empty[i], 4);
    }
    fenceInit();
  }
  __syncthreads();
  int rounds = (k + 63) / 64;
  if (t >= 128) {
    if (t == 128)
      for (int i = 0; i < rounds; ++i) {
        int stage = i % stages;
        wait(&empty[stage], i / stages % 2 ^ 1);
        expect(&full[stage], 16384);
        int atA[] = {i * 64, y}, atB[] = {i * 64, x};
        load<2>(bufferA + stage * 8192, a, &full[stage], atA);
        load<2>(bufferB + stage * 8192, b, &full[stage], atB);
      }
    return;
  }
  float d[32];
  for (int i = 0; i < rounds; ++i) {
    int stage = i % stages;
    wait(&full[stage], i / stages % 2);
    pin(d);
    fenceWgmma();
#pragma unroll
    for (int n = 0; n < 4; ++n) { // 128 bytes swizzled; 1024 bytes from 8 rows to the next
      u64 place = u64(1) << 62 | u64(64) << 32 | u64(1) << 16;
      asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %[scale], 0;\nwgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16"
                   " {" REGISTERS_32 "}, %[a], %[b], p, 1, 1, 0, 0;\n}"
                   : OPERANDS_32("f")
                   : [a] "l"(place | (shared(bufferA) + stage * 8192 + n * 32) >> 4),
                     [b] "l"(place | (shared(bufferB) + stage * 8192 + n * 32) >> 4), [scale] "r"(i + n)
                   : "memory");
    }
    commitWgmma();
    waitWgmma<0>();
    pin(d);
    if (t % 32 == 0)
      arrive(&empty[stage]);
  }
  // Two boxes of 64 rows of 32 floats, 128 bytes swizzled.
  u32 row = t / 32 * 16 + t % 32 / 4, column = t % 4 * 2;
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    u32 r = row + 8 * (i / 2 % 2), at = column + i / 4 * 8 + i % 2;
    *(float *)((u8 *)out + at / 32 * 8192 + swizzled(r * 128 + at % 32 * 4, 3)) = d[i];
  }
  fenceAsync();
  asm volatile("bar.sync 1, 128;" ::: "memory");
  if (t == 0) {
    store2d(c, x, y, out);
    store2d(c, x + 32, y, (u8 *)out + 8192);
    commitBulk();
    waitBulkRead();
  }
}
