/*===- einc.h - einc in a program's own process -------------------*- C -*-===*\
|*                                                                            *|
|* Part of einc, under the Apache License v2.0 with LLVM Exceptions.          *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Compiles programs and calls what they become:                              *|
|*                                                                            *|
|*   einc_source source = {text, strlen(text), "mm.ein", EINC_FORM_FILE};     *|
|*   const char *options[] = {"--bind", "K=64"};                              *|
|*   einc_program *program = NULL;                                            *|
|*   einc_diagnostics *found = NULL;                                          *|
|*   if (einc_compile(&source, options, 2, &program, &found))                 *|
|*     puts(einc_diagnostics_text(found));                                    *|
|*   const einc_entry *mm = einc_program_find(program, "mm");                 *|
|*   einc_array arrays[] = {{a, sizeA, NULL, 2, EINC_TYPE_F32}, ...};         *|
|*   if (einc_call(mm, arrays, 3, NULL))                                      *|
|*     puts(einc_last_message());                                             *|
|*   einc_diagnostics_free(found);                                            *|
|*   einc_program_free(program);                                              *|
|*                                                                            *|
|* Ownership. What a function gives by a pointer to a pointer is the          *|
|* caller's, to be freed by the function of that name; NULL may be freed.     *|
|* Everything else that is returned belongs to what it was asked of, and      *|
|* lives as long. Arguments are not kept.                                     *|
|*                                                                            *|
|* Threads. All functions may be called from several threads at once, on the  *|
|* same objects too. An object is freed once, when nobody uses it.            *|
|*                                                                            *|
|* Errors. A status says what is wrong. Nothing is printed, and wrong input   *|
|* never ends the process. On an error no object is made, but diagnostics     *|
|* are. Text is UTF-8 and ends with a 0.                                      *|
|*                                                                            *|
|* Compatibility. Symbols have the version EINC_1. Later releases add         *|
|* functions, values of enums and, at their ends, members of the structs      *|
|* that the library returns.                                                  *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef EINC_EINC_H
#define EINC_EINC_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define EINC_API __attribute__((visibility("default")))
#else
#define EINC_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* -- What is said -------------------------------------------------------- */

/** How a function ended. The first eight are what compiled code returns
 *  everywhere (`EIN_OK` and its kin in generated headers). */
typedef enum {
  EINC_OK = 0,
  EINC_SHAPE_MISMATCH = 1,     /* sizes do not agree */
  EINC_INDEX_OUT_OF_RANGE = 2, /* an index is out of range */
  EINC_OUT_OF_MEMORY = 3,      /* there is no memory for temporaries */
  EINC_OVERLAP = 4,            /* an output overlaps another array */
  EINC_DOMAIN = 5,             /* an integer is divided by zero */
  EINC_VECTOR_LENGTH = 6,      /* Arm: SVE's vectors have another length */
  EINC_NO_TILES = 7,           /* x86: the system does not grant AMX's tiles */
  EINC_RANKS = 8,              /* MPI: there is another number of ranks */
  EINC_WRONG_INPUT = 16,       /* the program is wrong: see the diagnostics */
  EINC_WRONG_OPTION = 17,      /* an option is wrong: see the diagnostics */
  EINC_WRONG_ARGUMENT = 18,    /* an argument of the C function is */
  EINC_INTERNAL_ERROR = 70     /* a bug of einc */
} einc_status;

/** What went wrong in this thread's last call that returned neither EINC_OK
 *  nor a pointer, in a line of words; valid until the thread's next call. Never
 *  NULL. For the compiler's errors: the first of them. */
EINC_API const char *einc_last_message(void);

/** `0.1.0`, einc's version, and that of the LLVM that it holds. */
EINC_API const char *einc_version(void);
EINC_API const char *einc_llvm_version(void);

typedef enum {
  EINC_SEVERITY_ERROR = 0,
  EINC_SEVERITY_WARNING = 1,
  EINC_SEVERITY_REMARK = 2,
  EINC_SEVERITY_NOTE = 3
} einc_severity;

/** A place in a text. `file` is NULL for what is about no source, and `line` is
 *  0 where there is no place in it. Lines and columns count from 1, columns in
 *  bytes; the end is exclusive. */
typedef struct {
  const char *file;
  uint32_t line, column;
  uint32_t end_line, end_column;
} einc_place;

/** Replaces what is there; inserts, if that is nothing. */
typedef struct {
  einc_place place;
  const char *replacement;
} einc_fixit;

/** An error, a warning, a remark, or a note of one of these. Its fix-its are
 * one change, to be made as a whole; those of a note are another one. `id` is a
 *  name for programs, such as `UnknownName`. */
typedef struct einc_diagnostic {
  einc_severity severity;
  const char *id;
  const char *message;
  einc_place place;
  const einc_fixit *fixits;
  size_t num_fixits;
  const struct einc_diagnostic *notes; /* without notes of their own */
  size_t num_notes;
} einc_diagnostic;

/** What the compiler said, in the order of places. */
typedef struct einc_diagnostics einc_diagnostics;

/** 0 of NULL. */
EINC_API size_t einc_diagnostics_count(const einc_diagnostics *diagnostics);
/** NULL if there are fewer. */
EINC_API const einc_diagnostic *
einc_diagnostics_get(const einc_diagnostics *diagnostics, size_t index);
/** As `einc` prints them, with lines and carets; empty of NULL. */
EINC_API const char *einc_diagnostics_text(const einc_diagnostics *diagnostics);
/** As `einc --diagnostics json` prints them, an object to a line. */
EINC_API const char *einc_diagnostics_json(const einc_diagnostics *diagnostics);
EINC_API void einc_diagnostics_free(einc_diagnostics *diagnostics);

/* -- Compilation --------------------------------------------------------- */

typedef enum {
  EINC_FORM_FILE = 0, /* a program, as in a file `.ein` */
  EINC_FORM_TEXT = 1, /* what `einc -e` takes: a program, or an einsum string */
  EINC_FORM_OPDSL = 2, /* OpDSL, `.yaml` */
  EINC_FORM_MLIR = 3   /* `.mlir` */
} einc_form;

/** A program. Any bytes are one, if a wrong one. `name` is for messages, and
 *  where it is a path, imports are looked for beside it; NULL: `<text>`. */
typedef struct {
  const char *text;
  size_t size; /* in bytes */
  const char *name;
  einc_form form;
} einc_source;

/** Compiled code, ready to be called. */
typedef struct einc_program einc_program;

/** Compiles for this machine.
 *
 *  Options are those that all of einc's commands take, as on the command line
 *  (`--bind`, `K=64`, `-O2`, `--entry=mm`), without those that print: see
 *  docs/reference/c-api.md. `*diagnostics` gets what was said, warnings of a
 *  program that compiles too, and is NULL where there is nothing;
 *  `diagnostics` itself may be NULL. */
EINC_API einc_status einc_compile(const einc_source *source,
                                  const char *const *options,
                                  size_t num_options, einc_program **program,
                                  einc_diagnostics **diagnostics);
/** No entry of the program may be used from here on. */
EINC_API void einc_program_free(einc_program *program);

/** Bytes that the library made. */
typedef struct einc_bytes einc_bytes;

/** The program in the form that `einc build --emit KIND` writes: `asm`, `obj`,
 *  `shared`, `tiled`, ... Options are those of `einc build`, `-o` aside. */
EINC_API einc_status einc_emit(const einc_source *source,
                               const char *const *options, size_t num_options,
                               const char *kind, einc_bytes **bytes,
                               einc_diagnostics **diagnostics);
/** What `einc explain --json` prints. */
EINC_API einc_status einc_explain(const einc_source *source,
                                  const char *const *options,
                                  size_t num_options, einc_bytes **json,
                                  einc_diagnostics **diagnostics);
/** A 0, which `size` does not count, follows them. */
EINC_API const char *einc_bytes_data(const einc_bytes *bytes);
EINC_API size_t einc_bytes_size(const einc_bytes *bytes);
EINC_API void einc_bytes_free(einc_bytes *bytes);

/* -- Signatures ---------------------------------------------------------- */

/** Element types, numbered as in generated headers (`EIN_TYPE_F32`, ...). */
typedef enum {
  EINC_TYPE_F32 = 0,
  EINC_TYPE_F64 = 1,
  EINC_TYPE_F16 = 2,
  EINC_TYPE_BF16 = 3,
  EINC_TYPE_C64 = 4,
  EINC_TYPE_C128 = 5,
  EINC_TYPE_I8 = 6,
  EINC_TYPE_I16 = 7,
  EINC_TYPE_I32 = 8,
  EINC_TYPE_I64 = 9,
  EINC_TYPE_U8 = 10,
  EINC_TYPE_U16 = 11,
  EINC_TYPE_U32 = 12,
  EINC_TYPE_U64 = 13,
  EINC_TYPE_BOOL = 14,
  EINC_TYPE_INDEX = 15 /* an int64_t */
} einc_type;

/** `f32`, as programs spell it; NULL if there is no such type. */
EINC_API const char *einc_type_name(einc_type type);
/** In bytes; 0 if there is no such type. */
EINC_API size_t einc_type_size(einc_type type);

typedef enum {
  EINC_INPUT = 0,
  EINC_OUTPUT = 1,
  EINC_INOUT = 2 /* read and written */
} einc_role;

/** A parameter or result. `dims` are formulas of the sizes, as `2*N + 1`. */
typedef struct {
  const char *name;
  einc_role role;
  einc_type type;
  size_t rank;
  const char *const *dims;
} einc_argument;

/** A def that can be called. */
typedef struct einc_entry einc_entry;

EINC_API size_t einc_program_num_entries(const einc_program *program);
/** In the order of the program; NULL if there are fewer. */
EINC_API const einc_entry *einc_program_entry(const einc_program *program,
                                              size_t index);
/** By name. NULL or the empty name is the one that `--entry` named, else the
 *  last that is not private. NULL if there is none, which
 *  `einc_last_message` explains. */
EINC_API const einc_entry *einc_program_find(const einc_program *program,
                                             const char *name);

EINC_API const char *einc_entry_name(const einc_entry *entry);
/** Inputs, then outputs, each in order of declaration. */
EINC_API size_t einc_entry_num_arguments(const einc_entry *entry);
EINC_API const einc_argument *einc_entry_argument(const einc_entry *entry,
                                                  size_t index);
/** The sizes that are not bound, in order of first appearance. */
EINC_API size_t einc_entry_num_sizes(const einc_entry *entry);
EINC_API const char *einc_entry_size_name(const einc_entry *entry,
                                          size_t index);
/** `mm(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N))`. */
EINC_API const char *einc_entry_signature(const einc_entry *entry);
/** The same as a JSON object: `name`, `arguments` (each with `name`, `role`,
 *  `type`, `dims`), `sizes`, and `checks`, what a call checks, in words. */
EINC_API const char *einc_entry_signature_json(const einc_entry *entry);

/* -- Calls --------------------------------------------------------------- */

/** An array, or with rank 0 a scalar, of which `data` is where the value is.
 *  `data` is the element whose subscripts are all zero; `sizes` and `strides`
 *  have `rank` elements, strides in elements, of any sign or zero. NULL
 *  strides: contiguous, row-major. Elements are aligned as C aligns them. */
typedef struct {
  void *data;
  const int64_t *sizes;
  const int64_t *strides;
  size_t rank;
  einc_type type;
} einc_array;

/** Finds sizes: `sizes[i]` is that of `einc_entry_size_name(entry, i)`. Those
 *  that are not negative are given; the others are found from the arrays that
 *  have `sizes`, of one array per argument. EINC_SHAPE_MISMATCH if
 *  they do not agree, EINC_WRONG_ARGUMENT if a size is found nowhere, or a rank
 *  or type is wrong. `data` and `strides` are not looked at. */
EINC_API einc_status einc_infer_sizes(const einc_entry *entry,
                                      const einc_array *arrays,
                                      size_t num_arrays, int64_t *sizes);
/** The extents of an argument, `rank` of them, at these sizes. */
EINC_API einc_status einc_infer_shape(const einc_entry *entry, size_t argument,
                                      const int64_t *sizes, int64_t *shape);

/** Calls it on one array per argument.
 *
 *  Before anything is written it checks numbers, ranks, types, sizes, and that
 *  no output overlaps itself or another array. Inputs may overlap each other.
 *  `sizes`, one per size, matter only where no array's dim says the size, and
 *  may be NULL if there is none such. On EINC_INDEX_OUT_OF_RANGE and
 *  EINC_DOMAIN outputs may have been written; what they hold means nothing. */
EINC_API einc_status einc_call(const einc_entry *entry,
                               const einc_array *arrays, size_t num_arrays,
                               const int64_t *sizes);

#ifdef __cplusplus
}
#endif

#endif /* EINC_EINC_H */
