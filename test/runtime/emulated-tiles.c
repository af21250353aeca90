/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Instructions of AMX for processors without them: a handler of illegal instructions does what Intel's manual says that
 * they do, on registers of each thread. So compiled programs run as they are. Whatever the manual forbids (a shape that
 * does not fit, a register without one) ends the process. Processors that have some of the instructions do these
 * themselves, and the handler does the others on their registers. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <cpuid.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { kRegisters = 8, kMostRows = 16, kRowBytes = 64, kDescription = 64 };

static __thread struct {
  int isConfigured;
  int rows[kRegisters], rowBytes[kRegisters];
  uint8_t data[kRegisters][kMostRows][kRowBytes];
} tiles;

static int64_t products;
static int isReal; /* the processor has the registers */
static struct sigaction before;

/* Products of tiles since the start of the process that were emulated. */
__attribute__((visibility("default"))) int64_t emulated_tile_products(void) { return products; }
/* Whether this thread's registers are in use. */
__attribute__((visibility("default"))) int tiles_in_use(void) {
  enum { kInUse = 1, kTileStates = 3 << 17 };
  uint32_t low = 0, high = 0;
  if (!isReal)
    return tiles.isConfigured;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(kInUse));
  return (low & kTileStates) != 0;
}

static void check(int holds, const char *rule) {
  if (holds)
    return;
  fprintf(stderr, "emulated-tiles: %s\n", rule);
  abort();
}

/* --- Memory ------------------------------------------------------------------------------------------------------ */

/* Three bytes of a VEX prefix, the opcode, ModRM, and what an operand in memory needs. */
struct Instruction {
  const uint8_t *bytes;
  int length;
  int prefix; /* 0: none, 1: 66, 2: F3, 3: F2 */
  int extendR, extendX, extendB, v;
  int mod, reg, rm;
};

static const int kGeneral[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                               REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

/* The address without its index, which is a stride for tiles; the index times its scale. */
static uint8_t *addressOf(struct Instruction *in, const greg_t *registers, int64_t *index) {
  const uint8_t *at = in->bytes + 5;
  int base = in->rm, sib = -1;
  if (in->rm == 4) {
    sib = *at++;
    base = sib & 7;
  }
  int64_t address = 0, displacement = 0;
  *index = 0;
  int isAbsolute = in->mod == 0 && base == 5;
  if (!isAbsolute)
    address = registers[kGeneral[base | in->extendB << 3]];
  if (sib >= 0) {
    int number = (sib >> 3 & 7) | in->extendX << 3;
    if (number != 4)
      *index = (int64_t)registers[kGeneral[number]] << (sib >> 6);
  }
  if (in->mod == 1) {
    displacement = (int8_t)*at++;
  } else if (in->mod == 2 || isAbsolute) {
    int32_t value;
    memcpy(&value, at, 4);
    displacement = value;
    at += 4;
  }
  in->length = (int)(at - in->bytes);
  if (isAbsolute && sib < 0)
    address = (int64_t)in->bytes + in->length;
  return (uint8_t *)(address + displacement);
}

/* --- Instructions ------------------------------------------------------------------------------------------------ */

static void configure(const uint8_t *description) {
  check(description[0] == 1, "the description of the registers has another format than 1");
  for (int i = 1; i < 16; ++i)
    check(description[i] == 0, "bytes 1 to 15 of the description are not zero");
  memset(&tiles, 0, sizeof(tiles));
  for (int i = 0; i < kRegisters; ++i) {
    tiles.rowBytes[i] = description[16 + 2 * i] | description[17 + 2 * i] << 8;
    tiles.rows[i] = description[48 + i];
    check(tiles.rowBytes[i] <= kRowBytes && tiles.rows[i] <= kMostRows, "a register is larger than they are");
    check(!tiles.rowBytes[i] == !tiles.rows[i], "a register has rows and no bytes, or bytes and no rows");
  }
  for (int i = 32; i < kDescription; ++i)
    check(description[i] == 0 || (i >= 48 && i < 56), "a reserved byte of the description is not zero");
  tiles.isConfigured = 1;
}

static void needsShape(int tile) {
  check(tiles.isConfigured && tile < kRegisters && tiles.rows[tile], "a register without a shape is used");
}

static void load(int tile, const uint8_t *from, int64_t stride) {
  needsShape(tile);
  memset(tiles.data[tile], 0, sizeof(tiles.data[tile]));
  for (int row = 0; row < tiles.rows[tile]; ++row)
    memcpy(tiles.data[tile][row], from + row * stride, tiles.rowBytes[tile]);
}

static void store(int tile, uint8_t *to, int64_t stride) {
  needsShape(tile);
  for (int row = 0; row < tiles.rows[tile]; ++row)
    memcpy(to + row * stride, tiles.data[tile][row], tiles.rowBytes[tile]);
}

static float flushed(float x) { return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x; }

static float fromBfloat16(const uint8_t *bytes) {
  uint32_t bits = (uint32_t)(bytes[0] | bytes[1] << 8) << 16;
  float value;
  memcpy(&value, &bits, 4);
  return flushed(value);
}

static float fromHalf(const uint8_t *bytes) {
  int bits = bytes[0] | bytes[1] << 8, exponent = bits >> 10 & 31, fraction = bits & 1023;
  float value = exponent == 31 ? (fraction ? NAN : INFINITY)
                : exponent     ? ldexpf((float)(fraction | 1024), exponent - 25)
                               : ldexpf((float)fraction, -24);
  return bits >> 15 ? -value : value;
}

static void multiply(int opcode, int prefix, int sum, int left, int right) {
  needsShape(sum), needsShape(left), needsShape(right);
  check(sum != left && sum != right && left != right, "a register is used twice in a product");
  check(tiles.rows[sum] == tiles.rows[left] && tiles.rowBytes[sum] == tiles.rowBytes[right] &&
            tiles.rowBytes[left] == 4 * tiles.rows[right],
        "shapes do not fit in a product");
  __atomic_fetch_add(&products, 1, __ATOMIC_RELAXED);
  for (int m = 0; m < tiles.rows[sum]; ++m)
    for (int n = 0; n < tiles.rowBytes[sum] / 4; ++n) {
      uint8_t *target = &tiles.data[sum][m][4 * n];
      if (opcode == 0x5e) {
        int leftIsSigned = prefix >= 2, rightIsSigned = prefix & 1; /* ssd F2, sud F3, usd 66, uud none */
        uint32_t value;
        memcpy(&value, target, 4);
        for (int k = 0; k < tiles.rows[right]; ++k)
          for (int i = 0; i < 4; ++i) {
            uint8_t x = tiles.data[left][m][4 * k + i], y = tiles.data[right][k][4 * n + i];
            value += (uint32_t)((leftIsSigned ? (int8_t)x : x) * (rightIsSigned ? (int8_t)y : y));
          }
        memcpy(target, &value, 4);
        continue;
      }
      float parts[2] = {0, 0}, value;
      memcpy(&value, target, 4);
      for (int k = 0; k < tiles.rows[right]; ++k)
        for (int i = 0; i < 2; ++i) {
          const uint8_t *x = &tiles.data[left][m][4 * k + 2 * i], *y = &tiles.data[right][k][4 * n + 2 * i];
          float product =
              prefix == 2 ? fmaf(fromBfloat16(x), fromBfloat16(y), parts[i]) : fmaf(fromHalf(x), fromHalf(y), parts[i]);
          parts[i] = flushed(product);
        }
      value = flushed(flushed(value) + flushed(parts[0] + parts[1]));
      memcpy(target, &value, 4);
    }
}

/* --- Decoding ---------------------------------------------------------------------------------------------------- */

/* Returns the length of the instruction, or 0 if it is another one. */
static int execute(const uint8_t *bytes, const greg_t *registers) {
  enum { kMap = 2, kVex = 0xc4 };
  if (bytes[0] != kVex || (bytes[1] & 31) != kMap || bytes[2] & 0x84)
    return 0;
  struct Instruction in = {.bytes = bytes,
                           .length = 5,
                           .prefix = bytes[2] & 3,
                           .extendR = !(bytes[1] & 0x80),
                           .extendX = !(bytes[1] & 0x40),
                           .extendB = !(bytes[1] & 0x20),
                           .v = ~(bytes[2] >> 3) & 15,
                           .mod = bytes[4] >> 6,
                           .reg = bytes[4] >> 3 & 7,
                           .rm = bytes[4] & 7};
  int opcode = bytes[3];
  int64_t stride;
  switch (opcode) {
  case 0x49:
    if (in.mod == 3 && in.prefix == 0 && in.rm == 0) {
      memset(&tiles, 0, sizeof(tiles));
      return in.length;
    }
    if (in.mod == 3 && in.prefix == 3 && in.rm == 0) {
      needsShape(in.reg);
      memset(tiles.data[in.reg], 0, sizeof(tiles.data[in.reg]));
      return in.length;
    }
    if (in.mod == 3 || in.prefix != 0)
      return 0;
    configure(addressOf(&in, registers, &stride) + stride);
    return in.length;
  case 0x4b: {
    if (in.mod == 3 || in.rm != 4 || in.prefix == 0)
      return 0;
    uint8_t *address = addressOf(&in, registers, &stride);
    in.prefix == 2 ? store(in.reg, address, stride) : load(in.reg, address, stride);
    return in.length;
  }
  case 0x5c:
    if (in.prefix < 2)
      return 0;
    /* fall through */
  case 0x5e:
    if (in.mod != 3)
      return 0;
    multiply(opcode, in.prefix, in.reg, in.rm, in.v);
    return in.length;
  default:
    return 0;
  }
}

/* A state of the processor in the frame of a signal, from where it comes back when the handler returns. */
static uint8_t *stateIn(ucontext_t *context, int component) {
  uint32_t size, offset, c, d;
  __cpuid_count(0xd, component, size, offset, c, d);
  return (uint8_t *)context->uc_mcontext.fpregs + offset;
}

static void onIllegal(int number, siginfo_t *info, void *context) {
  enum { kShapes = 17, kData = 18 };
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  if (isReal) {
    configure(stateIn(context, kShapes));
    memcpy(tiles.data, stateIn(context, kData), sizeof(tiles.data));
  }
  int length = execute((const uint8_t *)registers[REG_RIP], registers);
  if (isReal && length)
    memcpy(stateIn(context, kData), tiles.data, sizeof(tiles.data));
  registers[REG_RIP] += length;
  if (length)
    return;
  (void)number, (void)info;
  sigaction(SIGILL, &before, NULL); /* which gets the instruction again */
}

/* From now on; `hasRegisters` says whether the processor does a part of it. */
__attribute__((visibility("default"))) void emulate_tiles(int hasRegisters) {
  isReal = hasRegisters;
  struct sigaction action = {.sa_sigaction = onIllegal, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigaction(SIGILL, &action, &before);
}
