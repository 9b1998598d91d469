// Calls products by SME at many sizes and compares with plain loops.
//
// qemu 7.2 computes the products of bytes wrong: of a tile only sums of even
// rows and columns. With the argument `emulate` these instructions are made
// illegal, by a bit, in all of the program's text, and what they do is done
// here, to the registers that the signal has (AAPCS64 and Linux,
// Documentation/arch/arm64/sme.rst): of sums of 32 bits, of a row of four bytes
// by a column of four, where the predicates of both say that they are there
// (Arm Architecture Reference Manual, SMOPA, "4-way").
#define _GNU_SOURCE
#include "sme.h"
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

extern char __executable_start[], etext[];
enum { kIllegal = 1 << 25 };
static const uint32_t kMask = 0xfec0001c, kProduct = 0xa0800000;
static volatile long emulated;

struct Head {
  uint32_t magic, size;
};

static void die(const char *text) {
  write(2, text, strlen(text));
  _exit(3);
}

static void emulate(int number, siginfo_t *info, void *data) {
  (void)number, (void)info;
  mcontext_t *context = &((ucontext_t *)data)->uc_mcontext;
  uint32_t code = *(uint32_t *)context->pc;
  if ((code & kMask) != (kProduct | kIllegal))
    die("an illegal instruction\n");
  uint8_t *vectors = NULL, *sums = NULL;
  uint8_t *at = (uint8_t *)context->__reserved;
  while (((struct Head *)at)->magic != 0) {
    struct Head *head = (struct Head *)at;
    at += head->size;
    if (head->magic == 0x53564501) // SVE_MAGIC
      vectors = (uint8_t *)head;
    if (head->magic == 0x54366345) // ZA_MAGIC
      sums = (uint8_t *)head;
    if (head->magic == 0x45585401) // EXTRA_MAGIC
      at = *(uint8_t **)(head + 1);
  }
  if (!vectors || !sums)
    die("a signal without ZA\n");
  // The length in bytes stands behind both heads, and what is in the registers
  // from byte 16 on: Z0 to Z31, then the predicates, a bit for each byte.
  unsigned length = *(uint16_t *)(vectors + 8);
  if ((*(uint16_t *)(vectors + 10) & 1) == 0 ||
      *(uint16_t *)(sums + 8) != length)
    die("not in streaming mode\n");
  const uint8_t *rows = vectors + 16 + (code >> 5 & 31) * length;
  const uint8_t *columns = vectors + 16 + (code >> 16 & 31) * length;
  const uint8_t *predicates = vectors + 16 + 32 * length;
  const uint8_t *isRow = predicates + (code >> 10 & 7) * (length / 8);
  const uint8_t *isColumn = predicates + (code >> 13 & 7) * (length / 8);
  int isUnsignedRow = code >> 24 & 1, isUnsignedColumn = code >> 21 & 1;
  unsigned tile = code & 3;
  for (unsigned r = 0; r < length / 4; ++r)
    for (unsigned c = 0; c < length / 4; ++c) {
      // A row of a tile is every fourth of ZA.
      uint8_t *place = sums + 16 + (4 * r + tile) * length + 4 * c;
      uint32_t sum;
      memcpy(&sum, place, sizeof sum);
      for (unsigned i = 0; i < 4; ++i) {
        unsigned x = 4 * r + i, y = 4 * c + i;
        if ((isRow[x / 8] >> x % 8 & 1) && (isColumn[y / 8] >> y % 8 & 1))
          sum +=
              (uint32_t)((isUnsignedRow ? rows[x] : (int8_t)rows[x]) *
                         (isUnsignedColumn ? columns[y] : (int8_t)columns[y]));
      }
      memcpy(place, &sum, sizeof sum);
    }
  context->pc += 4;
  ++emulated;
}

static void makeIllegal(void) {
  long page = sysconf(_SC_PAGESIZE);
  uintptr_t first = (uintptr_t)__executable_start & ~(uintptr_t)(page - 1);
  uintptr_t end = ((uintptr_t)etext + page - 1) & ~(uintptr_t)(page - 1);
  if (mprotect((void *)first, end - first, PROT_READ | PROT_WRITE | PROT_EXEC))
    die("text is not to be written\n");
  for (uint32_t *word = (uint32_t *)first; word < (uint32_t *)etext; ++word)
    if ((*word & kMask) == kProduct)
      *word |= kIllegal;
  __builtin___clear_cache((char *)first, (char *)end);
  struct sigaction action = {.sa_flags = SA_SIGINFO};
  action.sa_sigaction = emulate;
  sigaction(SIGILL, &action, NULL);
}

static unsigned long long state = 1;
static unsigned next(void) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(state >> 33);
}

enum { kMost = 3 * 140 * 700 };
static uint8_t a[kMost], b[kMost];
static uint16_t x[kMost], y[kMost];
static int32_t c[3 * 140 * 140], wanted[3 * 140 * 140];
static float f[140 * 140];
static int calls;

static float fromBFloat(uint16_t half) {
  uint32_t bits = (uint32_t)half << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static float fromHalf(uint16_t half) {
  _Float16 value;
  memcpy(&value, &half, sizeof value);
  return (float)value;
}

static int get(const uint8_t *bytes, int at, int isUnsigned) {
  return isUnsigned ? bytes[at] : (int8_t)bytes[at];
}

static void fail(const char *name, int m, int n, int k, int code) {
  printf("%s is wrong at %d x %d x %d (code %d)\n", name, m, n, k, code);
  exit(1);
}

#define EIN_BYTES(NAME, BATCH, UNSIGNED_A, UNSIGNED_B, AT_A, AT_B, START,      \
                  FINISH, ...)                                                 \
  for (int p = 0; p < BATCH; ++p)                                              \
    for (int i = 0; i < m; ++i)                                                \
      for (int j = 0; j < n; ++j) {                                            \
        uint32_t sum = START;                                                  \
        for (int l = 0; l < k; ++l)                                            \
          sum += (uint32_t)(get(a, p * m * k + (AT_A), UNSIGNED_A) *           \
                            get(b, p * k * n + (AT_B), UNSIGNED_B));           \
        wanted[(p * m + i) * n + j] = FINISH;                                  \
        c[(p * m + i) * n + j] = 7;                                            \
      }                                                                        \
  {                                                                            \
    int code = NAME(__VA_ARGS__);                                              \
    ++calls;                                                                   \
    if (code != 0 ||                                                           \
        memcmp(c, wanted, sizeof(int32_t) * (size_t)(BATCH * m * n)) != 0)     \
      fail(#NAME, m, n, k, code);                                              \
  }

static int getMost(int m, int n, int k) {
  return m * k > k * n ? m * k : k * n;
}

static void runBytes(int m, int n, int k) {
  for (int i = 0; i < 3 * getMost(m, n, k); ++i) {
    // The extremes are frequent.
    unsigned kind = next() % 4;
    a[i] = (uint8_t)(kind == 0 ? 0x80 : kind == 1 ? 0xff : next());
    b[i] = (uint8_t)(kind == 2 ? 0x80 : kind == 3 ? 0x7f : next());
  }
  EIN_BYTES(ss, 1, 0, 0, i * k + l, l * n + j, 0, (int32_t)sum, (int8_t *)a,
            (int8_t *)b, c, m, k, n)
  EIN_BYTES(uu, 1, 1, 1, l * m + i, j * k + l, 0, (int32_t)sum, a, b,
            (uint32_t *)c, k, m, n)
  EIN_BYTES(us, 1, 1, 0, i * k + l, j * k + l, 0,
            ((int32_t)sum > 0 ? (int32_t)sum : 0) + 7, a, (int8_t *)b, c, m, k,
            n)
  EIN_BYTES(su, 1, 0, 1, l * m + i, l * n + j, 7, (int32_t)sum, (int8_t *)a, b,
            c, k, m, n)
  EIN_BYTES(batch, 3, 0, 0, i * k + l, l * n + j, 0, (int32_t)sum, (int8_t *)a,
            (int8_t *)b, c, m, k, n)
}

#define EIN_HALVES(NAME, FROM, AT_A, AT_B, START, FINISH, ...)                 \
  {                                                                            \
    for (int i = 0; i < m * n; ++i)                                            \
      f[i] = START;                                                            \
    int code = NAME(__VA_ARGS__);                                              \
    ++calls;                                                                   \
    for (int i = 0; i < m; ++i)                                                \
      for (int j = 0; j < n; ++j) {                                            \
        double sum = START, mass = fabs(sum);                                  \
        for (int l = 0; l < k; ++l) {                                          \
          double product = (double)FROM(x[AT_A]) * FROM(y[AT_B]);              \
          sum += product;                                                      \
          mass += fabs(product);                                               \
        }                                                                      \
        if (code != 0 || !(fabs(f[i * n + j] - FINISH(sum)) <=                 \
                           mass * (k + 6) * 0x1p-24 + 0x1p-21))                \
          fail(#NAME, m, n, k, code);                                          \
      }                                                                        \
  }

static double same(double value) { return value; }

static void runHalves(int m, int n, int k) {
  for (int i = 0; i < getMost(m, n, k); ++i) {
    // Of magnitudes from 1/8 to 8.
    x[i] =
        (uint16_t)(next() % 2 << 15 | (124 + next() % 6) << 7 | next() % 128);
    y[i] =
        (uint16_t)(next() % 2 << 15 | (124 + next() % 6) << 7 | next() % 128);
  }
  EIN_HALVES(bb, fromBFloat, i * k + l, l * n + j, 0, same, (void *)x,
             (void *)y, f, m, k, n)
  EIN_HALVES(bt, fromBFloat, l * m + i, j * k + l, 0.5f, same, (void *)x,
             (void *)y, f, k, m, n)
  if (n == 10) {
    EIN_HALVES(high, fromBFloat, i * k + l, l * n + j, 0, same, (void *)x,
               (void *)y, f, m, k)
  }
  if (m == 7) {
    EIN_HALVES(wide, fromBFloat, i * k + l, l * n + j, 0, same, (void *)x,
               (void *)y, f, k, n)
  }
  // Of magnitudes from 1/16 to 1.
  for (int i = 0; i < getMost(m, n, k); ++i) {
    x[i] =
        (uint16_t)(next() % 2 << 15 | (11 + next() % 4) << 10 | next() % 1024);
    y[i] =
        (uint16_t)(next() % 2 << 15 | (11 + next() % 4) << 10 | next() % 1024);
  }
  EIN_HALVES(hh, fromHalf, i * k + l, j * k + l, 0, same, (void *)x, (void *)y,
             f, m, k, n)
  EIN_HALVES(ht, fromHalf, l * m + i, l * n + j, 0, tanh, (void *)x, (void *)y,
             f, k, m, n)
}

int main(int argc, char **argv) {
  // Around a vector's length, of 128 and of 512 bits, and tiles of two; all of
  // k in several blocks.
  static const int sizes[] = {0, 1, 3, 7, 10, 16, 31, 33, 67};
  static const int large[][3] = {
      {130, 10, 5}, {7, 129, 64}, {64, 64, 64}, {35, 33, 600}, {97, 65, 601}};
  enum { kCount = sizeof sizes / sizeof *sizes };
  int isOfBytes = argc > 1 && strcmp(argv[1], "emulate") == 0;
  void (*run)(int, int, int) = isOfBytes ? runBytes : runHalves;
  if (isOfBytes)
    makeIllegal();
  for (int i = 0; i < kCount; ++i)
    for (int j = 0; j < kCount; ++j)
      for (int l = 0; l < kCount; l += 1 + (sizes[i] > 30 && sizes[j] > 30))
        run(sizes[i], sizes[j], sizes[l]);
  for (unsigned i = 0; i < sizeof large / sizeof *large; ++i)
    run(large[i][0], large[i][1], large[i][2]);
  printf("%d calls agree\n", calls);
  if (isOfBytes)
    printf("%s emulated\n", emulated ? "some products are" : "nothing is");
  return 0;
}
