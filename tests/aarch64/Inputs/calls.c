/* Calls all functions of types.ein on data of its own, for sizes round the
 * vectors. Without an argument it writes the outputs; with one it compares with
 * the outputs in that file, which another machine's code wrote. */
#include "types.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFS(X)                                                                \
  X(mm_f32), X(mm_f64), X(mm_f16), X(mm_bf16), X(mm_i8), X(mm_u8), X(mm_i16),  \
      X(mm_i64), X(mm_c64), X(mm_c128), X(mm_static), X(mm_nt), X(mm_tn),      \
      X(mv), X(mv_f16), X(vm), X(minplus), X(dense), X(softmax),               \
      X(softmax_f64), X(softmax_f16), X(gelu), X(functions), X(half),          \
      X(half_product), X(half_only), X(brain), X(narrow), X(complex_1),        \
      X(complex_2), X(sums), X(places), X(transposes), X(conv), X(channels),   \
      X(pool), X(running), X(strided), X(conditions), X(parts)
#define ROW(NAME) {NAME##_metadata, NAME##_packed}
static const struct {
  const ein_metadata *(*describe)(void);
  int (*call)(void **);
} defs[] = {DEFS(ROW)};

static const int widths[] = {4, 8, 2, 2, 8, 16, 1, 2, 4, 8, 1, 2, 4, 8, 1, 8};
static unsigned state = 1;

/* A sixty-fourth of -64 to 64, which all floats have. */
static int draw(void) {
  state = state * 1664525u + 1013904223u;
  return (int)(state >> 8) % 129 - 64;
}
static uint32_t bits(float number) {
  uint32_t result;
  memcpy(&result, &number, 4);
  return result;
}
static uint16_t toHalf(float number) {
  uint32_t all = bits(number);
  if ((all & 0x7fffffff) == 0)
    return (uint16_t)(all >> 16);
  return (uint16_t)((all >> 16 & 0x8000) | (((all >> 23 & 0xff) - 112) << 10) |
                    (all >> 13 & 0x3ff));
}
static double fromHalf(uint16_t half) {
  int exponent = half >> 10 & 31, fraction = half & 1023;
  double value = exponent == 31  ? (fraction ? NAN : INFINITY)
                 : exponent == 0 ? ldexp(fraction, -24)
                                 : ldexp(1024 + fraction, exponent - 25);
  return half & 0x8000 ? -value : value;
}
static double fromBrain(uint16_t brain) {
  uint32_t all = (uint32_t)brain << 16;
  float number;
  memcpy(&number, &all, 4);
  return number;
}

static void fill(char *data, int64_t count, int type) {
  int parts = type == EIN_TYPE_C64 || type == EIN_TYPE_C128 ? 2 : 1;
  for (int64_t i = 0; i < count * parts; ++i) {
    int number = draw();
    float real = (float)number / 64;
    double wide = real;
    int64_t whole = number / 4;
    switch (type) {
    case EIN_TYPE_F32:
    case EIN_TYPE_C64:
      memcpy(data + 4 * i, &real, 4);
      break;
    case EIN_TYPE_F64:
    case EIN_TYPE_C128:
      memcpy(data + 8 * i, &wide, 8);
      break;
    case EIN_TYPE_F16:
      ((uint16_t *)data)[i] = toHalf(real);
      break;
    case EIN_TYPE_BF16:
      ((uint16_t *)data)[i] = (uint16_t)(bits(real) >> 16);
      break;
    case EIN_TYPE_BOOL:
      data[i] = number & 1;
      break;
    default: /* the low bytes come first, also on big machines' tests */
      memcpy(data + widths[type] * i, &whole, (size_t)widths[type]);
    }
  }
}

static double get(const char *data, int64_t i, int type) {
  float real;
  double wide;
  switch (type) {
  case EIN_TYPE_F32:
  case EIN_TYPE_C64:
    memcpy(&real, data + 4 * i, 4);
    return real;
  case EIN_TYPE_F64:
  case EIN_TYPE_C128:
    memcpy(&wide, data + 8 * i, 8);
    return wide;
  case EIN_TYPE_F16:
    return fromHalf(((const uint16_t *)data)[i]);
  default:
    return fromBrain(((const uint16_t *)data)[i]);
  }
}

/* Sums are taken in another order, and functions are other formulas. */
static int agrees(const char *got, const char *want, int64_t i, int type) {
  static const double bounds[] = {1e-5, 1e-13, 1e-3, 8e-3, 1e-5, 1e-13};
  if (type > EIN_TYPE_C128)
    return memcmp(got + widths[type] * i, want + widths[type] * i,
                  (size_t)widths[type]) == 0;
  double a = get(got, i, type), b = get(want, i, type);
  return (isnan(a) && isnan(b)) || a == b ||
         fabs(a - b) <= bounds[type] * (1 + fabs(b));
}

static int64_t measure(const char *dim, const ein_metadata *about,
                       const int64_t *sizes) {
  for (int i = 0; i < about->num_sizes; ++i)
    if (strcmp(dim, about->sizes[i]) == 0)
      return sizes[i];
  return atoll(dim);
}

int main(int argc, char **argv) {
  enum { kRounds = 9, kMost = 16 };
  static const int64_t choices[] = {5, 17, 1, 33, 8, 64, 0, 31, 13, 16, 67};
  FILE *wanted = argc > 1 ? fopen(argv[1], "rb") : NULL;
  int calls = 0;
  if (argc > 1 && !wanted)
    return 2;
  for (size_t f = 0; f < sizeof defs / sizeof *defs; ++f)
    for (int round = 0; round < kRounds; ++round) {
      const ein_metadata *about = defs[f].describe();
      int64_t sizes[kMost];
      void *pointers[2 * kMost];
      int64_t counts[kMost];
      for (int i = 0; i < about->num_sizes; ++i) {
        sizes[i] = choices[(round + 3 * i) % 11];
        pointers[about->num_arguments + i] = &sizes[i];
      }
      for (int i = 0; i < about->num_arguments; ++i) {
        const ein_argument *argument = &about->arguments[i];
        counts[i] = 1;
        for (int d = 0; d < argument->rank; ++d)
          counts[i] *= measure(argument->dims[d], about, sizes);
        /* What is behind the array stays as it is. */
        pointers[i] = malloc((size_t)(counts[i] + 8) * 16);
        memset(pointers[i], 0x5a, (size_t)(counts[i] + 8) * 16);
        if (argument->role == EIN_INPUT)
          fill(pointers[i], counts[i], argument->type);
      }
      /* Sizes may be wrong, as for the largest of no numbers. */
      int32_t code = defs[f].call(pointers), other = code;
      if (wanted ? fread(&other, 4, 1, wanted) != 1
                 : fwrite(&code, 4, 1, stdout) != 1)
        return 2;
      if (code != other) {
        printf("%s: %s\n", about->name, ein_strerror(code));
        return 1;
      }
      for (int i = 0; i < about->num_arguments; ++i) {
        const ein_argument *argument = &about->arguments[i];
        int type = argument->type;
        int64_t bytes = counts[i] * widths[type];
        char *data = pointers[i];
        for (int64_t b = bytes; b < bytes + 64; ++b)
          if (data[b] != 0x5a) {
            printf("%s: writes behind `%s`\n", about->name, argument->name);
            return 1;
          }
        if (argument->role == EIN_INPUT || code != EIN_OK) {
          free(data);
          continue;
        }
        if (!wanted) {
          fwrite(data, 1, (size_t)bytes, stdout);
          free(data);
          continue;
        }
        char *want = malloc((size_t)bytes + 1);
        if (fread(want, 1, (size_t)bytes, wanted) != (size_t)bytes)
          return 2;
        int parts = type == EIN_TYPE_C64 || type == EIN_TYPE_C128 ? 2 : 1;
        for (int64_t e = 0; e < counts[i] * parts; ++e)
          if (!agrees(data, want, e, type)) {
            printf("%s, round %d: element %lld of `%s` is wrong", about->name,
                   round, (long long)e, argument->name);
            if (type <= EIN_TYPE_C128)
              printf(": %g and not %g", get(data, e, type), get(want, e, type));
            printf("\n");
            return 1;
          }
        free(want);
        free(data);
      }
      ++calls;
    }
  if (wanted)
    printf("%d calls agree\n", calls);
  return 0;
}
