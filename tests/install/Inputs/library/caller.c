#include <einc/einc.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  const char *text = "def mm(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N)) {\n"
                     "  C(m, n) +=! A(m, k) * B(k, n)\n"
                     "}\n";
  einc_source source = {text, strlen(text), "mm.ein", EINC_FORM_FILE};
  const char *options[] = {"--bind", "K=2"};
  einc_program *program = NULL;
  einc_diagnostics *found = NULL;
  einc_bytes *header = NULL;
  float a[] = {1, 2, 3, 4}, b[] = {5, 6}, c[] = {0, 0};
  int64_t sizeA[] = {2, 2}, sizeB[] = {2, 1}, sizeC[] = {2, 1};
  int64_t columns[] = {1, 2};
  einc_array arrays[] = {{a, sizeA, columns, 2, EINC_TYPE_F32},
                         {b, sizeB, NULL, 2, EINC_TYPE_F32},
                         {c, sizeC, NULL, 2, EINC_TYPE_F32}};
  if (einc_compile(&source, options, 2, &program, &found) != EINC_OK) {
    fputs(einc_diagnostics_text(found), stderr);
    return 1;
  }
  printf("%s\n", einc_entry_signature(einc_program_find(program, "mm")));
  if (einc_call(einc_program_find(program, NULL), arrays, 3, NULL) != EINC_OK) {
    fprintf(stderr, "%s\n", einc_last_message());
    return 1;
  }
  printf("%g %g\n", c[0], c[1]);
  einc_program_free(program);

  source.text = "def f(";
  source.size = 6;
  printf("%d\n", einc_compile(&source, NULL, 0, &program, &found));
  printf("%s", einc_diagnostics_text(found));
  einc_diagnostics_free(found);

  /* What it links into executables is beside it. */
  source.text = text;
  source.size = strlen(text);
  printf("%d\n", einc_emit(&source, NULL, 0, "exe", &header, NULL));
  printf("%d\n", einc_bytes_size(header) > 1000);
  einc_bytes_free(header);
  return 0;
}
