//===- ProgramsTest.cpp - Every construct of the language, with numbers -===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One line per construct. Each program is compiled with all sizes open and run
// over awkward ones, at three levels of optimisation, then compiled with sizes
// of which some are 0 and 1. Sizes that a program refuses are part of the test:
// compiled code and reference have to refuse with the same code.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"

namespace ein::test {
namespace {

struct TestProgram {
  const char *name;
  const char *text;
};

const TestProgram contractions[] = {
    {"dot", "k,k->"},
    {"outer", "m,n->mn"},
    {"outer_transposed", "m,n->nm"},
    {"matvec", "mk,k->m"},
    {"matvec_transposed", "km,k->m"},
    {"vecmat", "k,kn->n"},
    {"vecmat_first_dim", "m,mk->k"},
    {"hadamard", "mn,mn->mn"},
    {"hadamard_transposed", "mn,nm->mn"},
    {"row_scaling", "mn,m->mn"},
    {"column_scaling", "mn,n->mn"},
    {"copy", "mn->mn"},
    {"transpose", "mn->nm"},
    {"permute3", "abc->cab"},
    {"permute4", "abcd->dbca"},
    {"sum_all", "mn->"},
    {"sum_rows", "mn->m"},
    {"sum_columns", "mn->n"},
    {"sum_middle", "abc->ac"},
    {"diagonal", "ii->i"},
    {"trace", "ii->"},
    {"output_diagonal", "i->ii"},
    {"output_diagonal_of_three", "ij->iji"},
    {"output_diagonal_summed", "ik,kj,i->iij"},
    {"output_diagonals", "ab->abba"},
    {"order_given", "(ab,bc),cd->ad"},
    {"order_nested", "a,((bc,cd),de),ea->b"},
    {"order_outer", "(a,b),ab,(ac,cb)->c"},
    {"diagonal_of_three", "iii->i"},
    {"diagonal_beside", "iij->ij"},
    {"diagonal_apart", "iji->ji"},
    {"diagonal_contracted", "iik,kj->ij"},
    {"sum_diagonals", "iijj->"},
    {"one_sided_sum_left", "mkp,kn->mn"},
    {"one_sided_sum_right", "mk,knp->mn"},
    {"one_sided_sum_both", "mkp,knq->mn"},
    {"two_scalars_of_sums", "ab,cd->"},
    {"sums_meet_in_output", "ab,cd->ac"},
    {"batched", "bmk,bkn->bmn"},
    {"batched_inside", "mbk,kbn->mbn"},
    {"batched_last", "mkb,knb->mnb"},
    {"batched_transposed", "bkm,bnk->bnm"},
    {"batch_on_left_only", "bmk,kn->bmn"},
    {"batch_on_right_only", "mk,bkn->bmn"},
    {"batch_permuted", "bmk,bkn->mbn"},
    {"two_batches", "abmk,abkn->abmn"},
    {"two_batches_crossed", "abmk,bakn->bamn"},
    {"two_k", "mkl,kln->mn"},
    {"two_k_crossed", "mkl,lkn->mn"},
    {"three_k", "mklp,pkln->mn"},
    {"two_m", "abk,kn->abn"},
    {"two_n", "mk,kab->mab"},
    {"two_m_interleaved", "akb,kn->anb"},
    {"tccg_abcd_aebf_dfce", "aebf,dfce->abcd"},
    {"tccg_abcd_dbea_ec", "dbea,ec->abcd"},
    {"tccg_abcde_efbad_cf", "efbad,cf->abcde"},
    {"tccg_abc_bda_dc", "bda,dc->abc"},
    {"tccg_abcdef_gdab_efgc", "gdab,efgc->abcdef"},
    {"scalar_result_of_rank4", "abcd,badc->"},
    {"all_dims_kept", "mk,kn->mkn"},
    {"chain", "ij,jk,kl,lm->im"},
    {"chain_of_vectors", "i,ij,j->"},
    {"triangle", "ab,bc,ca->"},
    {"mttkrp", "ikl,kj,lj->ij"},
    {"tucker", "abc,ai,bj,ck->ijk"},
    {"same_operand_shape_thrice", "i,i,i->i"},
    {"five_operands", "ab,bc,cd,de,ea->"},
    {"khatri_rao", "ir,jr->ijr"},
    {"bilinear", "bi,oij,bj->bo"},
    {"attention_scores", "bhqd,bhkd->bhqk"},
    {"implicit_output", "ba"},
    {"implicit_product", "ij,jk"},
    {"implicit_trace", "ii"},
};

const TestProgram programs[] = {
    // Types.
    {"mixed_into_f64", "def f(A: f32(M, K), B: f32(K, N)) -> (C: f64(M, N)) {\n"
                       "  C(m, n) +=! A(m, k) * B(k, n)\n}"},
    {"mixed_inputs", "def f(A: f32(M, K), B: f64(K, N)) -> (C: f64(M, N)) {\n"
                     "  C(m, n) +=! A(m, k) * B(k, n)\n}"},
    {"mixed_inputs_transposed",
     "def f(A: f64(K, M), B: f32(N, K)) -> (C: f64(N, M)) {\n"
     "  C = einsum(\"km,nk->nm\", A, B)\n}"},
    {"mixed_elementwise", "def f(A: f32(M, N), B: f64(M, N)) -> (C: f64(M, N)) "
                          "{\n  C(m, n) = A(m, n) + B(m, n)\n}"},
    {"mixed_three", "def f(A: f32(I, J), B: f64(J, K), C: f32(K, L))\n"
                    "    -> (D: f64(I, L)) {\n"
                    "  D = einsum(\"ij,jk,kl->il\", A, B, C)\n}"},
    {"mixed_one_sided_sums",
     "def f(A: f32(M, K, P), B: f32(K, N, Q)) -> (C: f64(M, N)) {\n"
     "  C = einsum(\"mkp,knq->mn\", A, B)\n}"},
    {"mixed_trace", "def f(A: f32(K, K), B: f64(M, N)) -> (C: f64(M, N)) {\n"
                    "  C(m, n) +=! A(k, k) * B(m, n)\n}"},
    {"mixed_sum", "def f(A: f32(M, N)) -> (c: f64) { c +=! A(m, n) }"},
    {"widening_copy", "def f(A: f32(M, N)) -> (C: f64(N, M)) {\n"
                      "  C(n, m) = A(m, n)\n}"},
    {"f64_matmul", "def f(A: f64(M, K), B: f64(K, N)) -> (C: f64(M, N)) {\n"
                   "  C(m, n) +=! A(m, k) * B(k, n)\n}"},

    // Updates.
    {"accumulate", "def f(A: f32(M, K), B: f32(K, N)) -> (inout C: f32(M, N)) "
                   "{\n  C(m, n) += A(m, k) * B(k, n)\n}"},
    {"accumulate_transposed",
     "def f(A: f32(M, K), B: f32(K, N)) -> (inout C: f32(N, M)) {\n"
     "  C(n, m) += A(m, k) * B(k, n)\n}"},
    {"accumulate_three", "def f(A: f32(M, K), B: f32(K, L), D: f32(L, N))\n"
                         "    -> (inout C: f32(M, N)) {\n"
                         "  C(m, n) += A(m, k) * B(k, l) * D(l, n)\n}"},
    {"accumulate_sum", "def f(A: f32(M, K)) -> (inout C: f32(M)) {\n"
                       "  C(m) += A(m, k)\n}"},
    {"accumulate_scalar", "def f(A: f32(M)) -> (inout c: f32) {\n"
                          "  c += A(m) * A(m)\n}"},
    {"accumulate_undeclared_inout",
     "def f(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N)) {\n"
     "  C(m, n) += A(m, k) * B(k, n)\n}"},
    {"max", "C(m, n) max=! A(m, k) + B(k, n)"},
    {"min", "C(m, n) min=! A(m, k) + B(k, n)"},
    {"product", "C(m) *=! A(m, k)"},
    {"max_of_product", "C(m, n) max=! A(m, k) * B(k, n)"},
    {"min_of_product_transposed", "C(n, m) min=! A(k, m) * B(n, k)"},
    {"product_of_product", "C(m, n) *=! A(m, k) * B(k, n)"},
    {"max_of_batch_product", "C(b, m, n) max=! A(b, m, k) * B(b, k, n)"},
    {"max_of_mixed_product",
     "def f(A: f32(M, K), B: f64(K, N)) -> (C: f64(M, N)) {\n"
     "  C(m, n) max=! A(m, k) * B(k, n)\n}"},
    {"max_matvec", "C(m) max=! A(m, k) * B(k)"},
    {"max_rows", "C(m) max=! A(m, k)"},
    {"min_columns", "C(k) min=! A(m, k)"},
    {"max_all", "C max=! A(m, k)"},
    {"max_continued", "def f(A: f32(M, K)) -> (inout C: f32(M)) {\n"
                      "  C(m) max= A(m, k)\n}"},
    {"min_continued", "def f(A: f32(M, K)) -> (inout C: f32(M)) {\n"
                      "  C(m) min= A(m, k)\n}"},
    {"product_continued", "def f(A: f32(M, K)) -> (inout C: f32(M)) {\n"
                          "  C(m) *= A(m, k)\n}"},
    {"sum_of_sum", "C(m, n) +=! A(m, k) + B(k, n)"},
    {"sum_of_difference_squared",
     "C(m, n) +=! (A(m, k) - B(n, k)) * (A(m, k) - B(n, k))"},
    {"update_without_reduction",
     "def f(A: f32(M, N)) -> (inout C: f32(M, N)) {\n"
     "  C(m, n) += A(m, n)\n}"},

    // Scalars and constants.
    {"gemm", "def f(A: f32(M, K), B: f32(K, N), alpha: f32, beta: f32)\n"
             "    -> (inout C: f32(M, N)) {\n"
             "  C(m, n) = beta * C(m, n)\n"
             "  C(m, n) += alpha * A(m, k) * B(k, n)\n}"},
    {"scale", "def f(A: f32(M, N), alpha: f32) -> (C: f32(M, N)) {\n"
              "  C(m, n) = alpha * A(m, n)\n}"},
    {"constant_factor", "C(m, n) +=! 2 * A(m, k) * B(k, n)"},
    {"scalar_to_scalar", "def f(a: f64, b: f64) -> (c: f64) { c = a * b - 1 }"},
    {"fill", "def f(a: f32) -> (C: f32(M, N)) { C(m, n) = a }"},
    {"fill_constant", "def f() -> (C: f32(M, N)) { C(m, n) = 0.5 }"},
    {"scalar_product_only",
     "def f(a: f32, A: f32(M)) -> (C: f32(M)) { C = einsum(\",m->m\", a, A) }"},
    {"rank0_result", "def f(A: f32(M), B: f32(M)) -> (c: f32) {\n"
                     "  c +=! A(m) * B(m)\n  c = c * c + 1\n}"},

    // Slices and `where`.
    {"slice_offset", "def f(A: f32(N)) -> (C: f32(N + 2)) { C(i + 1) = A(i) }"},
    {"slice_of_nothing",
     "def f(A: f32(0)) -> (inout C: f32(N)) { C(1) = A(i) }"},
    {"slice_interleaved", "def f(A: f32(N), B: f32(N)) -> (C: f32(2*N)) {\n"
                          "  C(2*i) = A(i)\n  C(2*i + 1) = B(i) * 2\n}"},
    {"slice_shifts_itself",
     "def f(A: f32(N)) -> (C: f32(N + 1)) {\n"
     "  C(i) = A(i) where i in 0:N\n  C(i + 1) = C(i) where i in 0:N\n}"},
    {"slice_of_product",
     "def f(A: f32(M, K), B: f32(K, N)) -> (C: f32(M + 3, N + 1)) {\n"
     "  C(m + 3, n + 1) +=! A(m, k) * B(k, n)\n}"},
    {"slice_of_narrow_product",
     "def f(A: i8(M, K), B: i8(K, N)) -> (inout C: i8(M + 3, N + 1)) {\n"
     "  C(m + 3, n + 1) += A(m, k) * B(k, n)\n}"},
    {"where_concat", "def f(A: f32(M, K), B: f32(N, K)) -> (C: f32(M + N, K)) {"
                     "\n  C(i, k) = A(i, k) where i in 0:M\n"
                     "  C(i, k) = B(i - M, k) where i in M:M + N\n}"},
    {"where_window", "def f(A: f32(2*H, 2*W)) -> (C) {\n"
                     "  C(h, w) max=! A(2*h + kh, 2*w + kw)\n"
                     "    where kh in 0:2, kw in 0:2, h in 0:H, w in 0:W\n}"},
    {"where_definitions",
     "def f(A: f32(M, K), B: f32(N, K)) -> (C) {\n"
     "  C(m, n) +=! d * e where e = d + 1, d = A(m, k) - B(n, k)\n}"},
    {"where_exists", "def f(A: f32(N), c: f32) -> (C) {\n"
                     "  C(i) = c where exists A(i)\n}"},
    {"where_triangle", "def f(A: f32(N, N)) -> (C: f32(N, N), s: f32(N)) {\n"
                       "  C(i, j) = A(i, j) where i >= j\n"
                       "  s(i) = A(i, j) where j <= i\n}"},
    {"where_keeps", "def f(A: f32(N)) -> (inout C: f32(N)) {\n"
                    "  C(i) = A(i) where A(i) > 0\n}"},
    {"where_updates", "def f(A: f32(M, N)) -> (a: f32(M), b: f32(M)) {\n"
                      "  a(m) max=! A(m, n) where n < m, A(m, n) > 0\n"
                      "  b(m) *=! A(m, n) where n < m || A(m, n) > 0.5\n}"},
    {"where_product", "def f(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N)) {\n"
                      "  C(m, n) +=! A(m, k) * B(k, n) where k <= m\n}"},
    {"where_guards_division", "def f(A: i32(N), B: i32(N)) -> (C: i32(N)) {\n"
                              "  C(i) = A(i) / (B(i) % 3) where B(i) % 3 != 0"
                              "\n}"},

    // Gathers, and accesses that may leave their tensor.
    {"gett", "def f(A: f32(V, D), I: u8(B, L)) -> (C) {\n"
             "  C(b, d) +=! A(I(b, l) % 3, d)\n}"},
    {"gather_unsafe", "def f(A: f32(N), I: i32(M)) -> (C) { C(m) = A(I(m)) }"},
    {"gather_guarded",
     "def f(A: f32(N), I: i64(M)) -> (C: f32(M)) {\n"
     "  C(m) = 0 <= I(m) % 5 && I(m) % 5 < N ? A(I(m) % 5) : -1\n}"},
    {"gather_where",
     "def f(A: f32(N), I: i16(M)) -> (C: f32(M)) {\n"
     "  C(m) = A(2*i + m) where i = I(m) % 4, 2*i + m >= 0, 2*i + m < N\n}"},
    {"gather_nested", "def f(A: f32(N), I: u8(M), J: u64(K)) -> (C: f32(K)) {\n"
                      "  C(k) = clamp(A(clamp(I(J(k)))))\n}"},
    {"gather_constant_dim", "def f(A: f32(5), I: u32(M)) -> (C: f32(M)) {\n"
                            "  C(m) = A(I(m) % 5) + A(min(I(m), 4))\n}"},
    {"quotient_place", "def f(A: f32(M, N)) -> (C) {\n"
                       "  C(i, j) = A(i / 2, (j + 1) / 3)\n}"},
    {"quotient_place_summed",
     "def f(A: f16(M, N), W: f32(K)) -> (C: f32(M)) {\n"
     "  C(i) +=! A((i + k) / 2, k / 3) * W(k)\n}"},
    {"remainder_place", "def f(A: f32(N), W: f32(K)) -> (C: f32(N)) {\n"
                        "  C(i) +=! A((i + k) % N) * W(k)\n}"},
    {"flat_place", "def f(A: f32(P)) -> (C: f32(M, N)) {\n"
                   "  C(i, j) = A(i*N + j)\n}"},
    {"product_place",
     "def f(A: f32(N)) -> (C: f32(M, N)) {\n"
     "  C(i, j) = pad(A(i*j - 1), 3) + clamp(A(j*j / 2)) + A(j - j % 4)\n}"},
    {"guarded_place", "def f(A: f32(N)) -> (C: f32(M)) {\n"
                      "  C(i) = i*i < N ? A(i*i) : A(0)\n}"},
    {"place_of_size", "def f(A: f32(N)) -> (C: f32(N + K, K + 1)) {\n"
                      "  C(i, K) = A(min(i, N - 1))\n  C(N, j) = 2\n}"},
    {"pad", "def f(A: f32(N)) -> (C: f32(N)) {\n"
            "  C(i) = pad(A(i - 1), 0) + pad(A(i + 1), 7)\n}"},
    {"neighbours_padded",
     "def f(A: f32(M, N)) -> (C: f32(M, N)) {\n"
     "  C(i, j) = pad(A(i - 1, j), 0) + 2 * pad(A(i + 1, j), 1) +\n"
     "            3 * pad(A(i, j - 2), 5) + A(i, j)\n}"},
    {"neighbours_clamped",
     "def f(A: f64(M, N), B: f64(M, N)) -> (C: f64(N, M)) {\n"
     "  C(j, i) = clamp(A(i - 1, j + 1)) - clamp(A(i + 3, j)) * B(i, j)\n}"},
    {"neighbours_in_place",
     "def f(A: f32(M, N)) -> (C: f32(M, N)) {\n"
     "  C(i, j) = A(i, j)\n"
     "  C(i, j) += clamp(A(i - 1, j)) + pad(A(i, j + 1), 2)\n}"},
    {"equal_statements",
     "def f(A: f32(M, M), B: f32(M, M)) -> (C: f32(M, M)) {\n"
     "  let X(i, j) +=! A(i, k) * B(k, j)\n"
     "  let Y(i, j) +=! X(i, k) * B(k, j)\n"
     "  let Z(i, j) +=! Y(i, k) * B(k, j)\n"
     "  C(i, j) +=! Z(i, k) * Z(k, j)\n}"},
    {"clamp", "def f(A: f32(M, N)) -> (C: f32(M, N)) {\n"
              "  C(i, j) = clamp(A(i - 1, j + 1)) - clamp(A(N - j, 2*i))\n}"},
    {"padded_convolution",
     "def f(A: f32(C, H, W), K: f32(F, C, 3, 3)) -> (O: f32(F, H, W)) {\n"
     "  O(f, h, w) +=! pad(A(c, h + i - 1, w + j - 1), 0) * K(f, c, i, j)\n}"},

    // Several statements.
    {"temporary", "def f(A: f32(M, K), B: f32(K, L), D: f32(L, N))\n"
                  "    -> (C: f32(M, N)) {\n"
                  "  T(m, l) +=! A(m, k) * B(k, l)\n"
                  "  C(m, n) +=! T(m, l) * D(l, n)\n}"},
    {"temporary_transposed",
     "def f(A: f32(M, N)) -> (C: f32(N, M)) {\n"
     "  let T(n, m) = A(m, n)\n  C(n, m) = T(n, m) * 2 + T(n, m)\n}"},
    {"rewrite", "def f(A: f32(N)) -> (C: f32(N)) {\n"
                "  t(i) = A(i)\n  t(i) = t(i) + 1\n  t(i) = t(N - 1 - i)\n"
                "  C(i) = t(i)\n  t(i) = C(i) * 2\n  C(i) += t(i)\n}"},
    {"rewrite_transposed_itself",
     "def f(A: f32(N, N)) -> (C: f32(N, N)) {\n"
     "  C(i, j) = A(i, j)\n  C(i, j) = C(j, i)\n}"},
    {"rewrite_reversed_itself", "def f(A: f32(N)) -> (C: f32(N)) {\n"
                                "  C(i) = A(i)\n  C(i) = C(N - 1 - i)\n}"},
    {"square_into_itself",
     "def f(A: f32(N, N)) -> (C: f32(N, N)) {\n"
     "  C(i, j) = A(i, j)\n  C(i, j) +=! C(i, k) * C(k, j)\n}"},
    {"square_onto_itself",
     "def f(A: f32(N, N)) -> (C: f32(N, N)) {\n"
     "  C(i, j) = A(i, j)\n  C(i, j) += C(i, k) * C(k, j)\n}"},
    {"inout_read_and_continued",
     "def f(A: f32(N, N)) -> (inout C: f32(N, N)) {\n"
     "  C(i, j) += C(i, k) * A(k, j)\n}"},
    {"inout_transposed", "def f(A: f32(N, N)) -> (inout C: f32(N, N)) {\n"
                         "  C(i, j) = C(j, i) + A(i, j)\n}"},
    {"inout_shifted", "def f(A: f32(N)) -> (inout C: f32(N + 1)) {\n"
                      "  T(i) = A(i) + C(i + 1)\n  C(j) = C(j) * 2\n"
                      "  C(j) += T(i)\n}"},
    {"read_output", "def f(A: f32(M, K), B: f32(K, N))\n"
                    "    -> (C: f32(M, N), D: f32(M)) {\n"
                    "  C(m, n) +=! A(m, k) * B(k, n)\n  D(m) +=! C(m, n)\n}"},
    {"diagonal_assigned", "def f(v: f32(N)) -> (D: f32(N, N)) {\n"
                          "  D(i, i) = v(i)\n}"},
    {"diagonal_of_scalar", "def f(s: f64) -> (D: f32(3, 3, 3)) {\n"
                           "  D(i, j, i) = f32(s)\n}"},
    {"diagonal_updates",
     "def f(A: f32(N, K), v: f32(N)) -> (D: f64(N, N), E: i32(N, N), F: f16(N, "
     "N), inout G: f32(N, N)) {\n"
     "  D(i, i) max=! A(i, k)\n  D(i, i) += 2 * v(i)\n"
     "  E(i, i) +=! i32(v(i))\n  E(i, i) *= 2\n"
     "  F(i, i) +=! f16(A(i, k))\n"
     "  G(i, i) min= A(i, k) + v(i)\n}"},
    {"diagonal_of_itself", "def f(A: f32(N, N)) -> (D: f32(N, N)) {\n"
                           "  D(i, j) = A(i, j)\n  D(i, i) = D(i, k)\n}"},
    {"dims_split", "def f(A: f32(12, N), B: f32(4)) -> (C) {\n"
                   "  C = einsum(\"(h w) n, w -> h w n\", A, B)\n}"},
    {"constant_subscripts", "def f(A: f32(3, M, 1), B: f32(M, N)) -> (C) {\n"
                            "  C(n) +=! A(2, m, 0) * B(m, n)\n}"},
    {"swap_outputs", "def f(A: f32(N), B: f32(N)) -> (C: f32(N), D: f32(N)) {\n"
                     "  C(i) = A(i)\n  D(i) = B(i)\n  T(i) = C(i)\n"
                     "  C(i) = D(i)\n  D(i) = T(i)\n}"},
    {"swap_inouts", "def f(A: f32(N)) -> (inout C: f32(N), inout D: f32(N)) {\n"
                    "  T(i) = C(i)\n  C(i) = D(i)\n  D(i) = T(i)\n"
                    "  C(i) += A(i)\n}"},
    {"two_outputs_of_one", "def f(A: f32(M, N)) -> (C: f32(M), D: f32(N)) {\n"
                           "  C(m) +=! A(m, n)\n  D(n) max=! A(m, n)\n}"},
    {"same_output_twice", "def f(A: f32(M, N)) -> (C: f32(M, N), D: f32(M, N)) "
                          "{\n  C(m, n) = A(m, n)\n  D(m, n) = C(m, n)\n}"},
    {"input_to_two_outputs",
     "def f(A: f32(M, N)) -> (C: f32(M, N), D: f32(N, M)) {\n"
     "  C(m, n) = A(m, n)\n  D(n, m) = A(m, n)\n}"},
    {"unused_input", "def f(A: f32(M), B: f32(M)) -> (C: f32(M)) {\n"
                     "  C(m) = B(m)\n}"},
    {"unused_temporary", "def f(A: f32(M)) -> (C: f32(M)) {\n"
                         "  T(m) = exp(A(m))\n  C(m) = A(m)\n}"},
    {"overwritten_output", "def f(A: f32(M), B: f32(M)) -> (C: f32(M)) {\n"
                           "  C(m) = A(m)\n  C(m) = B(m)\n}"},
    {"mlp", "def f(X: f32(B, I), W: f32(H, I), b: f32(H), V: f32(O, H))\n"
            "    -> (Y: f32(B, O)) {\n"
            "  Z(n, h) +=! X(n, i) * W(h, i)\n"
            "  R(n, h) = max(Z(n, h) + b(h), 0)\n"
            "  Y(n, o) +=! R(n, h) * V(o, h)\n}"},
    {"attention", "def f(Q: f32(H, S, D), K: f32(H, T, D), V: f32(H, T, D))\n"
                  "    -> (O: f32(H, S, D)) {\n"
                  "  X(h, s, t) +=! Q(h, s, d) * K(h, t, d)\n"
                  "  M(h, s) max=! X(h, s, t)\n"
                  "  E(h, s, t) = exp(X(h, s, t) - M(h, s))\n"
                  "  L(h, s) +=! E(h, s, t)\n"
                  "  P(h, s, d) +=! E(h, s, t) * V(h, t, d)\n"
                  "  O(h, s, d) = P(h, s, d) / L(h, s)\n}"},
    {"normalise", "def f(X: f32(M, N)) -> (Y: f32(M, N)) {\n"
                  "  S(m) +=! X(m, n) * X(m, n)\n"
                  "  Y(m, n) = X(m, n) / sqrt(S(m) + 0.001)\n}"},

    // Affine accesses.
    {"reversed", "def f(A: f32(N)) -> (C: f32(N)) { C(i) = A(N - 1 - i) }"},
    {"reversed_rows", "def f(A: f32(M, N)) -> (C: f32(M, N)) {\n"
                      "  C(m, n) = A(M - 1 - m, n)\n}"},
    {"reversed_product",
     "def f(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N)) {\n"
     "  C(m, n) +=! A(m, K - 1 - k) * B(k, n)\n}"},
    {"stride", "def f(A: f32(2*N + 1)) -> (C: f32(N)) { C(i) = A(2*i + 1) }"},
    {"conv1d", "C(i) +=! A(i + k) * W(k)"},
    {"conv1d_strided", "def f(A: f32(2*N + K), W: f32(K)) -> (C: f32(N)) {\n"
                       "  C(i) +=! A(2*i + k) * W(k)\n}"},
    {"conv1d_strided_inferred", "C(i) +=! A(3*i + k) * W(k)"},
    {"conv1d_strided_backwards", "C(i) +=! A(5 - 2*i + k) * W(k)"},
    {"pool_inferred", "def f(I: f32(C, H, W)) -> (O) {\n"
                      "  O(c, h, w) max=! I(c, 2*h + r, 3*w + s)\n"
                      "    where r in 0:2, s in 0:3\n}"},
    {"halves", "def f(A: f32(N)) -> (L: f32(N / 2), R: f32(N - N / 2)) {\n"
               "  L(i) = A(i) where i in 0:N / 2\n"
               "  R(i) = A(i + N / 2)\n}"},
    {"reversed_left",
     "def f(A: f32(N)) -> (C: f32(N)) { C(N - 1 - i) = A(i) }"},
    {"reversed_left_sum",
     "def f(A: f32(M, K), B: f32(K, N)) -> (C: f32(2*M, N)) {\n"
     "  C(2*M - 1 - 2*i, j) = A(i, k) * B(k, j)\n}"},
    {"reversed_left_pad", "def f(A: f32(N)) -> (C) {\n"
                          "  C(N - 1 - i) = pad(A(i + 1), 2) * f32(i)\n"
                          "    where i in 1:N, i < 5\n}"},
    {"borders", "def f(A: f32(M, N)) -> (C: f32(M + 1, N + 1)) {\n"
                "  C(i, j) = A(i, j) where i in 0:M, j in 0:N\n"
                "  C(M + 0, j) = 3\n"
                "  C(i, N + 0) +=! A(i, k) where i in 0:M\n"
                "  C(0, 0) = 5\n}"},
    {"every_third", "def f(A: f32(N)) -> (C: f32(N)) {\n"
                    "  C(i) = A(i) where i in 1:N step 3\n}"},
    {"blocks_and_rest", "def f(A: f32(N)) -> (B: f32(N / 4, 4), r: f32) {\n"
                        "  B(i, j) = A(4*i + j)\n"
                        "  r +=! A(N - N % 4 + i) where i in 0:N % 4\n}"},
    {"quotient_of_quotient", "def f(A: f32(N)) -> (C: f32) {\n"
                             "  let t(i) = A(2*i) where i in 0:N / 2\n"
                             "  let u(i) = t(2*i)\n  C +=! u(i) * u(i)\n}"},
    {"least_of_two", "def f(A: f32(N), B: f32(M)) -> (C) {\n"
                     "  C(i) = A(i + 1) * B(i + 2)\n}"},
    {"least_of_three", "def f(A: f32(N), B: f32(M), D: f32(2*K, P)) -> (C) {\n"
                       "  C(i, p) = A(i + 1) * D(2*i + 1, p) + B(i + 2)\n}"},
    {"least_summed", "def f(A: f32(M, K), B: f32(L, N)) -> (C) {\n"
                     "  C(m, n) +=! A(m, k + 1) * B(k + 2, n)\n}"},
    {"least_of_windows",
     "def f(I: f32(C, W), F: f32(D, C, R), J: f32(X)) -> (O) {\n"
     "  O(d, x) +=! I(c, 2*x + r) * F(d, c, r) * J(x + 1)\n}"},
    {"least_window", "def f(I: f32(W), F: f32(K), G: f32(L)) -> (O) {\n"
                     "  O(x) +=! I(x + k) * F(k + 1) * G(2*k)\n}"},
    {"least_in_temporaries",
     "def f(A: f32(N), B: f32(M), D: f32(P, K)) -> (C, m: f32, r) {\n"
     "  let t(i) = A(i + 1) - B(2*i)\n"
     "  C(i, p) +=! t(i + k) * D(p, k)\n"
     "  m max=! t(i)\n  r(i) = exp(t(t.0 - 1 - i)) where i in 0:t.0 / 2\n}"},
    {"least_of_leasts", "def f(A: f32(N), B: f32(M), D: f32(K)) -> (C) {\n"
                        "  let t(i) = A(i + 1) * B(i + 2)\n"
                        "  C(i) = t(i + 1) - D(i + 3)\n}"},
    {"least_recurrence", "def f(A: f32(N), B: f32(M)) -> (C) {\n"
                         "  C(i) = A(i + 1) + 0.5 * pad(C(i - 1), 1) * B(i + 2)"
                         "\n}"},
    {"least_written", "def f(A: f32(N), B: f32(M)) ->\n"
                      "    (inout C: f32(min(N, M)), D: f32(2*min(M, N))) "
                      "{\n  C(i) += A(i) * B(i) where i in 0:min(N, M)\n"
                      "  D(2*i) = C(i)\n}"},
    {"least_rows", "def f(A: f32(N, M), B: f32(K, M)) -> (S) {\n"
                   "  let t(i, m) = A(i + 1, m) + B(i + 2, m)\n"
                   "  let x(i) max=! t(i, m)\n"
                   "  let e(i, m) = exp(t(i, m) - x(i))\n"
                   "  let d(i) +=! e(i, m)\n  S(i, m) = e(i, m) / d(i)\n}"},
    {"least_of_both_dims",
     "def f(A: f32(M, N), B: f32(K, L)) -> (C, s: f32) {\n"
     "  C(i, j) = max(A(i + 1, j + 2), B(i + 2, j + 1)) where i < j\n"
     "  s +=! C(i, j)\n}"},
    {"conv1d_dilated", "def f(A: f32(N + 3*K), W: f32(K)) -> (C: f32(N)) {\n"
                       "  C(i) +=! A(i + 3*k) * W(k)\n}"},
    {"conv1d_reversed", "def f(A: f32(N + K), W: f32(K)) -> (C: f32(N)) {\n"
                        "  C(i) +=! A(i + k) * W(K - 1 - k)\n}"},
    {"conv2d", "def f(I: f32(N, C, H + R - 1, S + Q - 1), W: f32(F, C, R, S))\n"
               "    -> (O: f32(N, F, H, Q)) {\n"
               "  O(n, f, h, w) +=! I(n, c, h + r, w + s) * W(f, c, r, s)\n}"},
    {"depthwise", "def f(I: f32(C, H + 2), W: f32(C, 3)) -> (O: f32(C, H)) {\n"
                  "  O(c, h) +=! I(c, h + k) * W(c, k)\n}"},
    {"max_pool", "def f(I: f32(C, 2*H)) -> (O: f32(C, H)) {\n"
                 "  O(c, h) max=! max(I(c, 2*h), I(c, 2*h + 1))\n}"},
    {"shifted_difference", "def f(A: f32(N + 1)) -> (C: f32(N)) {\n"
                           "  C(i) = A(i + 1) - A(N - i)\n}"},
    {"constant_subscript", "def f(A: f32(M, 3)) -> (C: f32(M)) {\n"
                           "  C(m) = A(m, 0) + 2 * A(m, 2)\n}"},
    {"last_row", "def f(A: f32(M, N)) -> (C: f32(N)) { C(n) = A(M - 1, n) }"},
    {"antidiagonal", "def f(A: f32(N, N)) -> (C: f32(N)) {\n"
                     "  C(i) = A(i, N - 1 - i)\n}"},
    {"diagonal_access", "def f(A: f32(N, N)) -> (C: f32(N)) {\n"
                        "  C(i) = A(i, i) * A(0, i)\n}"},
    {"toeplitz", "def f(t: f32(M + N), x: f32(N)) -> (C: f32(M)) {\n"
                 "  C(m) +=! t(m - n + N) * x(n)\n}"},
    {"interleave", "def f(A: f32(2*M, K), B: f32(K, N)) -> (C: f32(M, N)) {\n"
                   "  C(m, n) +=! A(2*m, k) * B(k, n)\n}"},
    {"constant_dims", "def f(A: f32(3, 4), B: f32(4, 5)) -> (C: f32(3, 5)) {\n"
                      "  C(m, n) +=! A(m, k) * B(k, n)\n}"},
    {"unit_dims", "def f(A: f32(1, K), B: f32(K, 1)) -> (C: f32(1, 1)) {\n"
                  "  C(m, n) +=! A(m, k) * B(k, n)\n}"},
    {"empty_constant_dim", "def f(A: f32(M, 0), B: f32(0, N)) -> "
                           "(C: f32(M, N)) {\n"
                           "  C(m, n) +=! A(m, k) * B(k, n)\n}"},

    // Found by ein-fuzz: a result that is part of an input; sums in bytes.
    {"slice_of_words", "def f(A: u16(M, M + 1)) -> (C: u16(M, M)) {\n"
                       "  C(i, j) = A(i, j + 1)\n}"},
    {"sum_in_bytes", "def f(A: u8(K, M), B: i8(K, N)) -> (C: i32(M, N)) {\n"
                     "  C(m, n) +=! i8(A(k, m)) * B(k, n) acc = i8\n}"},

    // Comparisons, conditionals, bits, positions.
    {"relu_by_condition", "C(m, n) = A(m, n) > 0 ? A(m, n) : 0"},
    {"sum_where_positive", "C(m) +=! A(m, k) > B(k) ? A(m, k) : -B(k)"},
    {"count_less", "def f(A: f32(M, K), B: f32(K)) -> (C: i32(M)) {\n"
                   "  C(m) +=! A(m, k) < B(k) && A(m, k) > 0\n}"},
    {"any_and_all", "def f(A: f32(M, K)) -> (C: bool(M), D: bool(K)) {\n"
                    "  C(m) |=! A(m, k) > 0.9\n  D(k) &=! A(m, k) > 0.1\n}"},
    {"any_continued", "def f(A: bool(M, K)) -> (inout C: bool(M)) {\n"
                      "  C(m) |= A(m, k)\n}"},
    {"bits", "def f(A: i32(M), B: u8(N)) -> (C: i32(M, N), D: i32(N)) {\n"
             "  C(m, n) = (A(m) << B(n) % 9) ^ ~A(m) >> 3 | B(n)\n"
             "  D(n) &=! A(m) | B(n)\n}"},
    {"triangle_of_positions", "C(m, n) = m <= n ? A(m, n) : 0"},
    {"positions", "def f(A: f32(M, N)) -> (C: i64(N, M), D: f32(M)) {\n"
                  "  C(n, m) = m * N + n - M\n"
                  "  D(m) +=! A(m, n) * f32(n % 3 - m)\n}"},
    {"guarded_division", "def f(A: i32(M), B: u8(N)) -> (C: i32(M, N)) {\n"
                         "  C(m, n) = B(n) > 1 ? A(m) / (B(n) - 1) : 0\n}"},
    {"unguarded_division", "def f(A: i32(M), B: i32(N)) -> (C: bool(M, N)) {\n"
                           "  C(m, n) = A(m) > B(n) && A(m) % (m - 40) > 0\n}"},

    // Functions.
    {"exp", "C(m, n) = exp(A(m, n))"},
    {"log", "C(m, n) = log(abs(A(m, n)) + 0.01)"},
    {"sqrt", "C(m, n) = sqrt(abs(A(m, n)))"},
    {"tanh", "C(m, n) = tanh(A(m, n) * 3)"},
    {"abs_neg", "C(m, n) = abs(-A(m, n)) - -A(m, n)"},
    {"divide", "C(m, n) = A(m, n) / B(m, n)"},
    {"max_min", "C(m, n) = max(A(m, n), min(B(n), 0.25))"},
    {"expression", "C(m, n) = (A(m, n) - B(n)) / (1 + exp(-D(m))) * 0.5e-1"},
    {"sum_of_exp", "C(m, n) +=! exp(A(m, k) - B(k, n))"},
    {"gelu", "C(m) = 0.5 * A(m) * (1 + tanh(0.79788456 * (A(m) + 0.044715 * "
             "A(m) * A(m) * A(m))))"},
};

class Programs : public testing::TestWithParam<TestProgram> {};

void runDynamic(const char *text, ElementType type, unsigned optLevel,
                unsigned numRandom) {
  BuildOptions options;
  options.type = type;
  options.optLevel = optLevel;
  // The host's own code is made of f32.
  options.drawsCpu = type != ElementType::F32;
  Compiled compiled(text, options);
  Sweep sweep;
  sweep.choices = getTileSizes(type);
  sweep.base = 3;
  sweep.numRandom = numRandom;
  sweep.maxPoints = 50e3;
  runSweep(compiled, sweep);
}

TEST_P(Programs, DynamicSizes) {
  runDynamic(GetParam().text, ElementType::F32, 3, 30);
}

TEST_P(Programs, DynamicSizesUnoptimised) {
  runDynamic(GetParam().text, ElementType::F32, 0, 6);
  runDynamic(GetParam().text, ElementType::F64, 1, 6);
}

TEST_P(Programs, StaticSizes) {
  std::vector<std::string> symbols = getSymbols(GetParam().text);
  if (symbols.empty())
    return;
  int64_t wide = getTileSizes(ElementType::F64).back();
  // Read in turn by the symbols; -1 leaves one open.
  const std::vector<std::vector<int64_t>> choices = {
      {0}, {1}, {1, 6, 0}, {-1, 1}, {7, -1, 3}, {wide, 2, 9, 1}};
  for (const std::vector<int64_t> &choice : choices) {
    BuildOptions options;
    options.type = ElementType::F64;
    for (size_t i = 0; i < symbols.size(); ++i)
      if (choice[i % choice.size()] >= 0)
        options.bindings.push_back({symbols[i], choice[i % choice.size()]});
    // Sizes that contradict each other are refused when they are compiled in.
    testing::internal::CaptureStderr();
    Compiled compiled(GetParam().text, options);
    std::string errors = testing::internal::GetCapturedStderr();
    if (!compiled.isOk()) {
      EXPECT_EQ(errors.find("internal error"), std::string::npos)
          << errors << compiled.isOk();
      continue;
    }
    for (int64_t open : {0, 1, 5, 19}) {
      Sizes sizes;
      for (const std::string &symbol : compiled.getSymbols())
        sizes.push_back({symbol, open});
      EXPECT_TRUE(compiled.check(sizes));
      if (sizes.empty())
        break;
    }
  }
}

auto getTestName = [](const testing::TestParamInfo<TestProgram> &info) {
  return std::string(info.param.name);
};

INSTANTIATE_TEST_SUITE_P(Contractions, Programs,
                         testing::ValuesIn(contractions), getTestName);
INSTANTIATE_TEST_SUITE_P(Language, Programs, testing::ValuesIn(programs),
                         getTestName);

} // namespace
} // namespace ein::test
