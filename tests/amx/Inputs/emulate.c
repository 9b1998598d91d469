//===- emulate.c - AMX on machines that have none -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linked into a program, or loaded before it (LD_PRELOAD), this runs AMX's
// instructions one by one where the processor finds them illegal, as the SDM,
// vol. 2, describes them. So layouts, edges, shapes and the configuration are
// those of the code as it is. What the SDM makes a fault is an error here:
// tiles that do not fit together, or are not configured.
//
// It also grants the tiles, by a filter on the system call that asks for them,
// unless EMULATED_AMX is `refused`. A machine that has AMX is left alone.
// Linux and x86-64 only.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include <cpuid.h>
#include <dlfcn.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { NumTiles = 8, MaxRows = 16, MaxBytes = 64 };

struct Tile {
  int rows, bytes;
  uint8_t data[MaxRows][MaxBytes];
};

/// Of a thread. `uses` counts instructions, of all.
static __thread struct Tile tiles[NumTiles];
static __thread uint8_t config[64];
static long uses;

static void fail(const char *what) {
  // The processor's own verdict would be a signal as well.
  dprintf(2, "emulated AMX: %s\n", what);
  _exit(3);
}

static struct Tile *getTile(unsigned number) {
  if (number >= NumTiles)
    fail("there is no such tile");
  if (config[0] != 1 || tiles[number].rows == 0 || tiles[number].bytes == 0)
    fail("a tile that is not configured");
  return &tiles[number];
}

static void loadConfig(const uint8_t *from) {
  if (from[0] > 1 || from[1] != 0)
    fail("a palette or a start row that is not supported");
  for (int i = 2; i < 16; ++i)
    if (from[i] != 0)
      fail("a reserved byte that is set");
  memcpy(config, from, sizeof(config));
  memset(tiles, 0, sizeof(tiles));
  for (int i = 0; i < NumTiles; ++i) {
    uint16_t bytes;
    memcpy(&bytes, from + 16 + 2 * i, sizeof(bytes));
    if (from[48 + i] > MaxRows || bytes > MaxBytes)
      fail("a tile that is too large");
    tiles[i].rows = from[48 + i];
    tiles[i].bytes = bytes;
  }
}

/// Subnormal numbers count as zero, and become zero.
static float flush(float x) {
  return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

static float fromBF16(uint16_t bits) {
  uint32_t wide = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &wide, sizeof(value));
  return flush(value);
}

/// Of f16 they do not.
static float fromF16(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float value = exponent == 0    ? ldexpf(fraction, -24)
                : exponent == 31 ? (fraction ? NAN : INFINITY)
                                 : ldexpf(fraction + 1024, exponent - 25);
  return bits >> 15 ? -value : value;
}

static void checkShapes(struct Tile *c, struct Tile *a, struct Tile *b) {
  if (c == a || c == b || a == b)
    fail("a product of a tile with itself");
  if (c->rows != a->rows || c->bytes != b->bytes || a->bytes != 4 * b->rows ||
      c->bytes % 4 != 0)
    fail("tiles that do not fit together");
}

static void multiplyBytes(struct Tile *c, struct Tile *a, struct Tile *b,
                          int isUnsignedA, int isUnsignedB) {
  checkShapes(c, a, b);
  for (int m = 0; m < c->rows; ++m)
    for (int k = 0; k < a->bytes / 4; ++k)
      for (int n = 0; n < c->bytes / 4; ++n) {
        int32_t sum;
        memcpy(&sum, &c->data[m][4 * n], 4);
        for (int i = 0; i < 4; ++i) {
          uint8_t x = a->data[m][4 * k + i], y = b->data[k][4 * n + i];
          int left = isUnsignedA ? x : (int8_t)x;
          int right = isUnsignedB ? y : (int8_t)y;
          sum = (int32_t)((uint32_t)sum + (uint32_t)(left * right));
        }
        memcpy(&c->data[m][4 * n], &sum, 4);
      }
}

static void multiplyHalves(struct Tile *c, struct Tile *a, struct Tile *b,
                           float (*convert)(uint16_t)) {
  checkShapes(c, a, b);
  for (int m = 0; m < c->rows; ++m)
    for (int n = 0; n < c->bytes / 4; ++n) {
      float sums[2] = {0, 0}, sum;
      for (int k = 0; k < a->bytes / 4; ++k)
        for (int i = 0; i < 2; ++i) {
          uint16_t x, y;
          memcpy(&x, &a->data[m][4 * k + 2 * i], 2);
          memcpy(&y, &b->data[k][4 * n + 2 * i], 2);
          sums[i] = flush(fmaf(convert(x), convert(y), sums[i]));
        }
      memcpy(&sum, &c->data[m][4 * n], 4);
      sum = flush(flush(sum) + flush(sums[0] + sums[1]));
      memcpy(&c->data[m][4 * n], &sum, 4);
    }
}

/// What an instruction of 0F38 with VEX says.
struct Instruction {
  int prefix; // 0 none, 1 66, 2 F3, 3 F2
  int opcode, reg, rm, other;
  int isMemory, length;
  uint8_t *address;
  int64_t stride;
};

static int decode(const uint8_t *code, greg_t *registers,
                  struct Instruction *result) {
  static const int order[16] = {
      REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
      REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  // VEX, map 0F38, W0, 128 bits.
  if (code[0] != 0xc4 || (code[1] & 31) != 2 || (code[2] & 0x84) != 0)
    return 0;
  int r = !(code[1] & 0x80), x = !(code[1] & 0x40), b = !(code[1] & 0x20);
  const uint8_t *next = code + 5;
  int mod = code[4] >> 6, rm = code[4] & 7;
  result->prefix = code[2] & 3;
  result->other = ~(code[2] >> 3) & 15;
  result->opcode = code[3];
  result->reg = (code[4] >> 3 & 7) | r << 3;
  result->isMemory = mod != 3;
  result->rm = rm | b << 3;
  result->stride = 0;
  if (result->isMemory) {
    int64_t address = 0;
    int isRelative = 0;
    if (rm == 4) {
      int sib = *next++;
      int index = (sib >> 3 & 7) | x << 3, base = (sib & 7) | b << 3;
      if (index != 4)
        result->stride = registers[order[index]] << (sib >> 6);
      if ((base & 7) == 5 && mod == 0) {
        int32_t far;
        memcpy(&far, next, 4);
        next += 4;
        address = far;
      } else {
        address = registers[order[base]];
      }
    } else if (rm == 5 && mod == 0) {
      int32_t far;
      memcpy(&far, next, 4);
      next += 4;
      address = far;
      isRelative = 1;
    } else {
      address = registers[order[rm | b << 3]];
    }
    if (mod == 1) {
      address += (int8_t)*next++;
    } else if (mod == 2) {
      int32_t far;
      memcpy(&far, next, 4);
      next += 4;
      address += far;
    }
    if (isRelative)
      address += (int64_t)next;
    result->address = (uint8_t *)address;
  }
  result->length = next - code;
  return 1;
}

static int execute(struct Instruction *op) {
  enum { None, P66, F3, F2 };
  switch (op->opcode) {
  case 0x49:
    if (op->isMemory && op->prefix == None)
      loadConfig(op->address + op->stride);
    else if (op->isMemory && op->prefix == P66)
      memcpy(op->address + op->stride, config, sizeof(config));
    else if (!op->isMemory && op->prefix == None) {
      memset(config, 0, sizeof(config));
      memset(tiles, 0, sizeof(tiles));
    } else if (!op->isMemory && op->prefix == F2)
      memset(getTile(op->reg)->data, 0, MaxRows * MaxBytes);
    else
      return 0;
    return 1;
  case 0x4b: {
    if (!op->isMemory || op->prefix == None)
      return 0;
    struct Tile *tile = getTile(op->reg);
    if (op->prefix != F3)
      memset(tile->data, 0, sizeof(tile->data));
    for (int row = 0; row < tile->rows; ++row) {
      uint8_t *memory = op->address + row * op->stride;
      if (op->prefix == F3)
        memcpy(memory, tile->data[row], tile->bytes);
      else
        memcpy(tile->data[row], memory, tile->bytes);
    }
    return 1;
  }
  case 0x5e:
  case 0x5c: {
    if (op->isMemory)
      return 0;
    struct Tile *c = getTile(op->reg), *a = getTile(op->rm),
                *b = getTile(op->other);
    if (op->opcode == 0x5e)
      multiplyBytes(c, a, b, op->prefix == None || op->prefix == P66,
                    op->prefix == None || op->prefix == F3);
    else if (op->prefix == F3)
      multiplyHalves(c, a, b, fromBF16);
    else if (op->prefix == F2)
      multiplyHalves(c, a, b, fromF16);
    else
      return 0;
    return 1;
  }
  }
  return 0;
}

static void onIllegal(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  struct Instruction op;
  if (!decode((const uint8_t *)registers[REG_RIP], registers, &op) ||
      !execute(&op))
    fail("an instruction that is illegal, and none of AMX's");
  registers[REG_RIP] += op.length;
  __atomic_add_fetch(&uses, 1, __ATOMIC_RELAXED);
}

/// The request for tiles, to which the answer is yes.
static void onRequest(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  const char *mode = getenv("EMULATED_AMX");
  int isRefused = mode && strcmp(mode, "refused") == 0;
  ((ucontext_t *)context)->uc_mcontext.gregs[REG_RAX] = isRefused ? -EPERM : 0;
}

/// A program's own handlers of these signals are not installed.
int sigaction(int number, const struct sigaction *action,
              struct sigaction *old) {
  static int (*real)(int, const struct sigaction *, struct sigaction *);
  if (!real)
    *(void **)&real = dlsym(RTLD_NEXT, "sigaction");
  int isOurs = number == SIGILL || number == SIGSYS;
  return real(number,
              isOurs && action && action->sa_sigaction != onIllegal &&
                      action->sa_sigaction != onRequest
                  ? NULL
                  : action,
              old);
}

static int hasAMX(void) {
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d >> 24 & 1);
}

__attribute__((constructor)) static void install(void) {
  if (hasAMX())
    return;
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  // Between two instructions on tiles the stack is the code's own.
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  action.sa_sigaction = onIllegal;
  sigaction(SIGILL, &action, NULL);
  action.sa_sigaction = onRequest;
  sigaction(SIGSYS, &action, NULL);
  enum { ReqXcompPerm = 0x1023 };
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_arch_prctl, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ReqXcompPerm, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    fail("the system call that asks for tiles cannot be emulated");
}

/// So that a test sees that there was something to emulate.
__attribute__((destructor)) static void report(void) {
  if (!getenv("EMULATED_AMX"))
    return;
  if (hasAMX())
    dprintf(2, "emulated AMX: nothing, the machine has it\n");
  else
    dprintf(2, "emulated AMX: %ld instructions\n", uses);
}
