//===- CompileTest.cpp - Compilation through the library ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>

using namespace ein::test;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Library, SaysItsVersions) {
  EXPECT_STREQ(einc_version(), EINC_VERSION);
  EXPECT_THAT(einc_llvm_version(), StartsWith("22."));
}

TEST(Library, DescribesAProgram) {
  Silence silence;
  auto result = compile("private def helper(x: f64) -> (y: f64) { y = 2 * x }\n"
                        "def f(s: f64, x: f32(2*N + 1)) -> (inout z: f64(N), "
                        "w: c64) {\n"
                        "  z(i) += s * x(2*i + 1)\n"
                        "  w = complex(x(0), x(0))\n"
                        "}\n");
  ASSERT_EQ(result.status, EINC_OK) << einc_last_message();
  const einc_program *program = result.value.get();
  ASSERT_EQ(einc_program_num_entries(program), 2u);
  EXPECT_EQ(einc_program_entry(program, 2), nullptr);
  EXPECT_STREQ(einc_entry_name(einc_program_entry(program, 0)), "helper");
  const einc_entry *f = einc_program_find(program, nullptr);
  EXPECT_EQ(f, einc_program_find(program, "f"));
  EXPECT_EQ(f, einc_program_entry(program, 1));
  ASSERT_EQ(einc_entry_num_arguments(f), 4u);
  EXPECT_EQ(einc_entry_argument(f, 4), nullptr);
  const einc_argument *x = einc_entry_argument(f, 1);
  EXPECT_STREQ(x->name, "x");
  EXPECT_EQ(x->role, EINC_INPUT);
  EXPECT_EQ(x->type, EINC_TYPE_F32);
  ASSERT_EQ(x->rank, 1u);
  EXPECT_STREQ(x->dims[0], "2*N + 1");
  EXPECT_EQ(einc_entry_argument(f, 2)->role, EINC_INOUT);
  EXPECT_EQ(einc_entry_argument(f, 3)->role, EINC_OUTPUT);
  EXPECT_EQ(einc_entry_argument(f, 3)->type, EINC_TYPE_C64);
  ASSERT_EQ(einc_entry_num_sizes(f), 1u);
  EXPECT_STREQ(einc_entry_size_name(f, 0), "N");
  EXPECT_EQ(einc_entry_size_name(f, 1), nullptr);
  EXPECT_THAT(einc_entry_signature(f),
              StartsWith("f<N>(s: f64, x: f32(2*N + 1)) -> (inout z: "));
  EXPECT_THAT(
      einc_entry_signature_json(f),
      StartsWith(R"({"name":"f","arguments":[{"name":"s","role":"input",)"
                 R"("type":"f64","dims":[]},{"name":"x","role":"input",)"
                 R"("type":"f32","dims":["2*N + 1"]},{"name":"z",)"
                 R"("role":"inout")"));
}

TEST(Library, NamesTypes) {
  EXPECT_STREQ(einc_type_name(EINC_TYPE_BF16), "bf16");
  EXPECT_EQ(einc_type_size(EINC_TYPE_C128), 16u);
  EXPECT_EQ(einc_type_size(EINC_TYPE_INDEX), 8u);
  EXPECT_EQ(einc_type_name(static_cast<einc_type>(99)), nullptr);
  EXPECT_EQ(einc_type_size(static_cast<einc_type>(-1)), 0u);
}

TEST(Library, SaysWhichDefThereIs) {
  auto result = compile(kMatmul);
  EXPECT_EQ(einc_program_find(result.value.get(), "nm"), nullptr);
  EXPECT_STREQ(einc_last_message(), "there is no def `nm`; there is `mm`");
  EXPECT_EQ(einc_program_find(nullptr, "mm"), nullptr);
}

TEST(Library, ReportsWhatIsWrongWithAText) {
  Silence silence;
  std::string text = "def f(A: f32(M, N)) -> (r: f32(M)) {\n"
                     "  r(i) = exp(A(i, j))\n"
                     "}\n";
  auto result = compile(text);
  EXPECT_EQ(result.status, EINC_WRONG_INPUT);
  EXPECT_EQ(result.value, nullptr);
  ASSERT_EQ(einc_diagnostics_count(result.found.get()), 1u);
  const einc_diagnostic &error = result.get();
  EXPECT_EQ(error.severity, EINC_SEVERITY_ERROR);
  EXPECT_STREQ(error.id, "SumWithoutReduction");
  EXPECT_STREQ(error.message, einc_last_message());
  EXPECT_STREQ(error.place.file, "<text>");
  EXPECT_EQ(error.place.line, 2u);
  EXPECT_EQ(error.place.column, 19u);
  EXPECT_EQ(error.place.end_line, 2u);
  EXPECT_EQ(error.place.end_column, 20u);
  ASSERT_EQ(error.num_fixits, 1u);
  EXPECT_STREQ(error.fixits[0].replacement, "+=!");
  EXPECT_EQ(error.fixits[0].place.column, 8u);
  ASSERT_GE(error.num_notes, 1u);
  EXPECT_EQ(error.notes[0].severity, EINC_SEVERITY_NOTE);
  EXPECT_EQ(error.notes[0].num_notes, 0u);
  EXPECT_THAT(einc_diagnostics_text(result.found.get()),
              HasSubstr("<text>:2:19: error: index `j`"));
  EXPECT_THAT(einc_diagnostics_text(result.found.get()), HasSubstr("^"));
  EXPECT_THAT(einc_diagnostics_json(result.found.get()),
              StartsWith(R"({"file":"<text>","line":2,"column":19,)"));
  EXPECT_EQ(einc_diagnostics_get(result.found.get(), 1), nullptr);
}

TEST(Library, KeepsWarningsOfWhatCompiles) {
  auto result = compile("def f(x: f32(N)) -> (y: f32(N)) { y(i) += x(i) }");
  EXPECT_EQ(result.status, EINC_OK);
  ASSERT_EQ(einc_diagnostics_count(result.found.get()), 1u);
  EXPECT_EQ(result.get().severity, EINC_SEVERITY_WARNING);
  auto strict = compile("def f(x: f32(N)) -> (y: f32(N)) { y(i) += x(i) }",
                        {"-W", "error"});
  EXPECT_EQ(strict.status, EINC_WRONG_INPUT);
  auto quiet = compile(kMatmul);
  EXPECT_EQ(quiet.found, nullptr);
  EXPECT_EQ(einc_diagnostics_count(nullptr), 0u);
  EXPECT_STREQ(einc_diagnostics_text(nullptr), "");
  EXPECT_STREQ(einc_diagnostics_json(nullptr), "");
}

TEST(Library, RefusesOptions) {
  Silence silence;
  auto expect = [](std::vector<const char *> options, const char *message) {
    auto result = compile(kMatmul, options);
    EXPECT_EQ(result.status, EINC_WRONG_OPTION);
    EXPECT_THAT(einc_last_message(), HasSubstr(message));
    ASSERT_EQ(einc_diagnostics_count(result.found.get()), 1u);
    EXPECT_STREQ(result.get().id, "WrongCommandLine");
    EXPECT_EQ(result.get().place.file, nullptr);
    EXPECT_EQ(result.get().place.line, 0u);
  };
  expect({"--bnd", "K=3"}, "did you mean `--bind`?");
  expect({"--cpu", "9000"}, "9000");
  expect({"-O7"}, "-O takes 0, 1, 2 or 3");
  expect({"--help"}, "does not print");
  expect({"--version"}, "");
  expect({"--time-passes"}, "does not print");
  expect({"--print-after", "ein-vectorize-tiles"}, "does not print");
  expect({"A.npy"}, "not files of them");
  expect({"-o", "C.npy"}, "not files of them");
  expect({"-e", "ij->ji"}, "");
  expect({"--target", "aarch64-linux-gnu"}, "cannot run on this machine");
  auto depfile = emit(kMatmul, "obj", {"--depfile", "x.d"});
  EXPECT_EQ(depfile.status, EINC_WRONG_OPTION);
  auto verified = emit(kMatmul, "obj", {"--verify-diagnostics"});
  EXPECT_EQ(verified.status, EINC_WRONG_OPTION);
}

TEST(Library, TakesOptions) {
  auto bound = compile(kMatmul, {"--bind", "K=4,M=2", "-O1"});
  ASSERT_EQ(bound.status, EINC_OK) << einc_last_message();
  const einc_entry *mm = einc_program_find(bound.value.get(), "mm");
  EXPECT_EQ(einc_entry_num_sizes(mm), 1u);
  EXPECT_STREQ(einc_entry_argument(mm, 0)->dims[1], "4");
  auto unknown = compile(kMatmul, {"--bind", "Q=4"});
  EXPECT_EQ(unknown.status, EINC_WRONG_INPUT);
  auto entry = compile(std::string(kMatmul) +
                           "def f(x: f32(N)) -> (y: f32(N)) { y(i) = x(i) }",
                       {"--entry=mm"});
  ASSERT_EQ(entry.status, EINC_OK);
  EXPECT_STREQ(einc_entry_name(einc_program_find(entry.value.get(), "")), "mm");
  auto none = compile(kMatmul, {"--entry=mn"});
  EXPECT_EQ(none.status, EINC_WRONG_INPUT);
  EXPECT_THAT(einc_last_message(), HasSubstr("there is no def `mn`"));
}

TEST(Library, RefusesArgumentsThatAreNone) {
  einc_program *program = nullptr;
  einc_bytes *bytes = nullptr;
  std::string text = kMatmul;
  einc_source source = makeSource(text);
  einc_source nowhere = {nullptr, 4, nullptr, EINC_FORM_FILE};
  einc_source formless = makeSource(text, static_cast<einc_form>(9));
  const char *options[] = {nullptr};
  EXPECT_EQ(einc_compile(nullptr, nullptr, 0, &program, nullptr),
            EINC_WRONG_ARGUMENT);
  EXPECT_EQ(einc_compile(&nowhere, nullptr, 0, &program, nullptr),
            EINC_WRONG_ARGUMENT);
  EXPECT_EQ(einc_compile(&formless, nullptr, 0, &program, nullptr),
            EINC_WRONG_ARGUMENT);
  EXPECT_EQ(einc_compile(&source, nullptr, 1, &program, nullptr),
            EINC_WRONG_ARGUMENT);
  EXPECT_EQ(einc_compile(&source, options, 1, &program, nullptr),
            EINC_WRONG_ARGUMENT);
  EXPECT_EQ(einc_compile(&source, nullptr, 0, nullptr, nullptr),
            EINC_WRONG_ARGUMENT);
  EXPECT_EQ(einc_emit(&source, nullptr, 0, nullptr, &bytes, nullptr),
            EINC_WRONG_ARGUMENT);
  EXPECT_EQ(einc_emit(&source, nullptr, 0, "asm", nullptr, nullptr),
            EINC_WRONG_ARGUMENT);
  EXPECT_EQ(einc_explain(&source, nullptr, 0, nullptr, nullptr),
            EINC_WRONG_ARGUMENT);
  EXPECT_EQ(program, nullptr);
  EXPECT_EQ(einc_program_num_entries(nullptr), 0u);
  EXPECT_EQ(einc_entry_num_arguments(nullptr), 0u);
  EXPECT_EQ(einc_entry_num_sizes(nullptr), 0u);
  EXPECT_STREQ(einc_entry_name(nullptr), "");
  EXPECT_STREQ(einc_entry_signature(nullptr), "");
  EXPECT_STREQ(einc_entry_signature_json(nullptr), "");
  EXPECT_STREQ(einc_bytes_data(nullptr), "");
  EXPECT_EQ(einc_bytes_size(nullptr), 0u);
  einc_program_free(nullptr);
  einc_bytes_free(nullptr);
  einc_diagnostics_free(nullptr);
}

TEST(Library, SurvivesAnyText) {
  Silence silence;
  for (const std::string &text :
       {std::string(), std::string(3, '\0'), std::string("\xff\xfe{"),
        std::string(100000, '('), std::string("def f("),
        "x = " + std::string(50000, '-') + "1"})
    for (einc_form form :
         {EINC_FORM_FILE, EINC_FORM_TEXT, EINC_FORM_OPDSL, EINC_FORM_MLIR})
      if (!text.empty() || form != EINC_FORM_TEXT) // an einsum of no labels
        EXPECT_EQ(compile(text, {}, form).status, EINC_WRONG_INPUT)
            << text.substr(0, 20) << " as form " << form;
  einc_source empty = {nullptr, 0, nullptr, EINC_FORM_FILE};
  einc_program *program = nullptr;
  EXPECT_EQ(einc_compile(&empty, nullptr, 0, &program, nullptr),
            EINC_WRONG_INPUT);
  std::string large((64u << 20) + 1, ' ');
  EXPECT_EQ(compile(large).status, EINC_WRONG_INPUT);
}

TEST(Library, SurvivesLLVMsFatalErrors) {
  Silence silence;
  // No machine of this target has that instruction; LLVM would end the process.
  auto module = emit("def f(x: f32(N)) -> (y: f32) { y +=! x(i) }",
                     "llvm-dialect", {"-O0", "--target", "x86_64-linux-gnu"});
  ASSERT_EQ(module.status, EINC_OK);
  std::string text = toString(module.value);
  text.insert(text.find("llvm.return"),
              "%zz = llvm.mlir.constant(1.0 : f32) : f32\n"
              "%zy = llvm.call_intrinsic \"llvm.aarch64.neon.frecpe.f32\"(%zz) "
              ": (f32) -> f32\n"
              "llvm.inline_asm has_side_effects \"nop\", \"r\" %zy : (f32) -> "
              "()\n");
  for (int round = 0; round < 2; ++round) {
    auto result =
        emit(text, "obj", {"--target", "x86_64-linux-gnu"}, EINC_FORM_MLIR);
    EXPECT_EQ(result.status, EINC_INTERNAL_ERROR);
    EXPECT_THAT(einc_last_message(), HasSubstr("Cannot select: intrinsic"));
    EXPECT_STREQ(result.get().id, "InternalError");
    EXPECT_EQ(emit(kMatmul, "obj").status, EINC_OK);
  }
}

TEST(Library, TakesEachForm) {
  Silence silence;
  auto einsum = compile("ij,jk->ik", {}, EINC_FORM_TEXT);
  ASSERT_EQ(einsum.status, EINC_OK) << einc_last_message();
  EXPECT_EQ(einc_entry_num_arguments(einc_program_find(einsum.value.get(), "")),
            3u);
  auto module = emit(kMatmul, "linalg");
  ASSERT_EQ(module.status, EINC_OK);
  auto mlir = compile(toString(module.value), {}, EINC_FORM_MLIR);
  ASSERT_EQ(mlir.status, EINC_OK) << einc_last_message();
  EXPECT_NE(einc_program_find(mlir.value.get(), "mm"), nullptr);
  auto yaml = emit(kMatmul, "opdsl");
  ASSERT_EQ(yaml.status, EINC_OK) << einc_last_message();
  auto opdsl = compile(toString(yaml.value), {}, EINC_FORM_OPDSL);
  ASSERT_EQ(opdsl.status, EINC_OK) << einc_last_message();
}

TEST(Library, EmitsEachKind) {
  Silence silence;
  for (const char *kind : {
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT) NAME,
#include "driver/EmissionKinds.def"
       }) {
    auto result = emit(kMatmul, kind);
    EXPECT_EQ(result.status, EINC_OK) << kind << ": " << einc_last_message();
    EXPECT_GT(einc_bytes_size(result.value.get()), 2u) << kind;
    EXPECT_EQ(einc_bytes_data(
                  result.value.get())[einc_bytes_size(result.value.get())],
              '\0');
  }
  EXPECT_THAT(toString(emit(kMatmul, "shared").value), StartsWith("\177ELF"));
  EXPECT_THAT(toString(emit(kMatmul, "static").value), StartsWith("!<arch>"));
  EXPECT_THAT(toString(emit(kMatmul, "header", {"--prefix", "p_"}).value),
              HasSubstr("p_mm("));
  EXPECT_THAT(
      toString(
          emit(kMatmul, "asm", {"--target", "aarch64-linux-gnu", "-O0"}).value),
      HasSubstr("aarch64"));
}

TEST(Library, RefusesKinds) {
  Silence silence;
  EXPECT_EQ(emit(kMatmul, "linagl").status, EINC_WRONG_OPTION);
  EXPECT_THAT(einc_last_message(), HasSubstr("did you mean `linalg`?"));
  EXPECT_EQ(emit("def", "asm").status, EINC_WRONG_INPUT);
  EXPECT_EQ(emit(kMatmul, "asm", {"--entry", "nn"}).status, EINC_WRONG_INPUT);
  EXPECT_EQ(emit(kMatmul, "asm", {"--emit", "obj"}).status, EINC_WRONG_OPTION);
  EXPECT_EQ(emit(kMatmul, "shared", {"--link", "/none.o"}).status,
            EINC_WRONG_INPUT);
  EXPECT_THAT(einc_last_message(), HasSubstr("linking failed"));
}

TEST(Library, Explains) {
  Silence silence;
  std::string program = kMatmul;
  einc_source source = makeSource(program);
  const char *options[] = {"--bind", "M=64,K=32,N=16"};
  einc_bytes *json = nullptr;
  ASSERT_EQ(einc_explain(&source, options, 2, &json, nullptr), EINC_OK);
  Owned<einc_bytes> owned(json);
  std::string text = toString(owned);
  EXPECT_THAT(
      text, StartsWith(R"({"defs":[{"def":"mm","sizes":{"M":64,"K":32,"N":16},)"
                       R"("assumed":false,"statements":[{"line":2,)"));
  EXPECT_THAT(text, HasSubstr(R"("operations":65536,"bytes":14336,)"));
  EXPECT_THAT(text, HasSubstr("[strategy] linalg.contract: "));
  const char *wrong[] = {"--entry", "nn"};
  EXPECT_EQ(einc_explain(&source, wrong, 2, &json, nullptr), EINC_WRONG_INPUT);
  EXPECT_EQ(json, nullptr);
  const char *page[] = {"--html", "x.html"},
             *measured[] = {"--json", "--measure"};
  EXPECT_EQ(einc_explain(&source, page, 2, &json, nullptr), EINC_WRONG_OPTION);
  EXPECT_EQ(einc_explain(&source, measured, 2, &json, nullptr),
            EINC_WRONG_OPTION);
}

TEST(Library, FindsImportsBesideTheFile) {
  std::string directory = testing::TempDir();
  std::ofstream(directory + "/library-import.ein")
      << "def twice(x: f32(N)) -> (y: f32(N)) { y(i) = 2 * x(i) }\n";
  std::string text = "import \"library-import.ein\"\n"
                     "def f(x: f32(N)) -> (y: f32(N)) { y = twice(x) }\n";
  std::string name = directory + "/main.ein";
  einc_source source = makeSource(text, EINC_FORM_FILE, name.c_str());
  einc_program *program = nullptr;
  EXPECT_EQ(einc_compile(&source, nullptr, 0, &program, nullptr), EINC_OK)
      << einc_last_message();
  einc_program_free(program);
  EXPECT_EQ(compile(text).status, EINC_WRONG_INPUT);
}
