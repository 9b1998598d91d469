// What a function that multiplies by SME owes to its callers (AAPCS64): a ZA
// that is to be kept is in memory afterwards, where TPIDR2_EL0 said, as far as
// it said; registers d8 to d15 are what they were; and ZA and the mode are off.
#include "half-product.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kSize = 64 };
static uint16_t a[kSize * kSize], b[kSize * kSize];
static float c[kSize * kSize];
static uint8_t za[256 * 256], saved[256 * 256 + 1];
static struct {
  void *buffer;
  uint16_t slices;
  uint8_t reserved[6];
} block;

static void setRow(unsigned row, const void *from) {
  register unsigned index __asm__("w12") = row;
  __asm__ volatile(".arch_extension sme\nldr za[w12, 0], [%1]"
                   :
                   : "r"(index), "r"(from)
                   : "memory");
}

static void start(void) {
  __asm__ volatile(".arch_extension sme\nsmstart za\nmsr TPIDR2_EL0, %0"
                   :
                   : "r"(&block));
}

static int multiply(void) {
  return half((void *)a, (void *)b, c, kSize, kSize, kSize);
}

/// The call, with numbers in the registers that are kept.
static int multiplyWithNumbers(void) {
  register double d8 __asm__("d8") = 8, d9 __asm__("d9") = 9;
  register double d14 __asm__("d14") = 14, d15 __asm__("d15") = 15;
  __asm__ volatile("" : "+w"(d8), "+w"(d9), "+w"(d14), "+w"(d15));
  int code = multiply();
  __asm__ volatile("" : "+w"(d8), "+w"(d9), "+w"(d14), "+w"(d15));
  return code == 0 && d8 == 8 && d9 == 9 && d14 == 14 && d15 == 15;
}

static void check(const char *what, int isGood) {
  printf("%s: %s\n", what, isGood ? "good" : "bad");
}

int main(void) {
  uint64_t length, state, pointer;
  __asm__(".arch_extension sme\nrdsvl %0, #1" : "=r"(length));
  for (int i = 0; i < kSize * kSize; ++i)
    a[i] = b[i] = 0x3f80; // 1
  for (unsigned i = 0; i < length * length; ++i)
    za[i] = (uint8_t)rand();

  // Nothing is to be kept.
  check("registers", multiplyWithNumbers());
  int isRight = 1;
  for (int i = 0; i < kSize * kSize; ++i)
    isRight &= c[i] == kSize;
  check("sums", isRight);

  // All of ZA is, and then some of it.
  for (unsigned slices = (unsigned)length;; slices /= 2) {
    memset(saved, 0, sizeof saved);
    memset(c, 0, sizeof c);
    block.buffer = saved;
    block.slices = (uint16_t)slices;
    start();
    for (unsigned row = 0; row < length; ++row)
      setRow(row, za + row * length);
    int code = multiply();
    __asm__ volatile(".arch_extension sme\nmrs %0, TPIDR2_EL0\nmrs %1, SVCR"
                     : "=r"(pointer), "=r"(state));
    size_t size = slices * length;
    check("saved", code == 0 && c[0] == kSize && memcmp(za, saved, size) == 0 &&
                       saved[size] == 0);
    check("state", pointer == 0 && state == 0);
    if (slices == 0)
      break;
    if (slices == 1)
      slices = 0;
  }
  return 0;
}
