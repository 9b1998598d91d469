#===- in_numpy.py - The programs in numpy ---------------------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# A function for each program: the sizes, the result to be filled, the inputs.
# They are timed on arrays of the case's type, and on f64 (c128) they are what
# all results are compared with.
#
#===-----------------------------------------------------------------------===#
import functools
import math

import numpy as np

exact_erf = np.vectorize(math.erf, otypes=[float])


def erf(x):
    """numpy has none; Abramowitz and Stegun 7.1.26 is enough for f32."""
    if x.dtype != np.float32:
        return exact_erf(x)
    t = 1 / (1 + np.float32(0.3275911) * np.abs(x))
    p = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t
          - 0.284496736) * t + 0.254829592) * t
    return np.copysign(1 - p * np.exp(-x * x), x)


@functools.lru_cache(maxsize=None)
def find_path(string, *shapes):
    arrays = [np.broadcast_to(np.float32(0), shape) for shape in shapes]
    kind = "optimal" if len(arrays) <= 6 else "greedy"
    # Without the limit on intermediates that is numpy's default.
    return np.einsum_path(string, *arrays, optimize=(kind, 1e18))[0]


def einsum(string, *arrays, out=None):
    """By the best path, which is found in the first call."""
    path = find_path(string, *[array.shape for array in arrays])
    return np.einsum(string, *arrays, out=out, optimize=path)


def gelu(t):
    return 0.5 * t * (1 + np.tanh(0.7978845608 * (t + 0.044715 * t * t * t)))


def gelu_affine(n, Y, X, a, b):
    Y[:] = gelu(a * X + b)


def residual(n, Y, X, R, g):
    np.multiply(g, R, out=Y)
    Y += X


def swish_gate(n, Y, X, Z):
    np.negative(X, out=Y)
    np.exp(Y, out=Y)
    Y += 1
    np.divide(X, Y, out=Y)
    Y *= Z


def chain5(n, Y, X, b, s):
    np.add(X, b, out=Y)
    np.tanh(Y, out=Y)
    Y *= s
    Y += X
    np.maximum(Y, 0, out=Y)


def softmax_in_place(Y):
    Y -= Y.max(-1, keepdims=True)
    np.exp(Y, out=Y)
    Y /= Y.sum(-1, keepdims=True)


def softmax(n, Y, X):
    np.subtract(X, X.max(1, keepdims=True), out=Y)
    np.exp(Y, out=Y)
    Y /= Y.sum(1, keepdims=True)


def logsumexp(n, Y, X):
    top = X.max(1, keepdims=True)
    Y[:] = top[:, 0] + np.log(np.exp(X - top).sum(1))


def layernorm(n, Y, X, gain, bias):
    np.subtract(X, X.mean(1, keepdims=True), out=Y)
    variance = np.einsum("mn,mn->m", Y, Y) / X.shape[1]
    Y *= (1 / np.sqrt(variance + 1e-5))[:, None]
    Y *= gain
    Y += bias


def rmsnorm(n, Y, X, gain):
    square = np.einsum("mn,mn->m", X, X) / X.shape[1]
    np.multiply(X, (1 / np.sqrt(square + 1e-5))[:, None], out=Y)
    Y *= gain


def row_sum(n, Y, X):
    X.sum(1, out=Y)


def row_max(n, Y, X):
    X.max(1, out=Y)


def col_sum(n, Y, X):
    X.sum(0, out=Y)


def col_max(n, Y, X):
    X.max(0, out=Y)


def attend(O, Q, K, V, mask):
    scores = np.matmul(Q.transpose(1, 0, 2) * Q.dtype.type(Q.shape[2] ** -0.5),
                       K.transpose(1, 2, 0))
    if mask is not None:
        scores[:, mask] = -np.inf
    softmax_in_place(scores)
    O[:] = np.matmul(scores, V.transpose(1, 0, 2)).transpose(1, 0, 2)


def attention(n, O, Q, K, V):
    attend(O, Q, K, V, None)


def attention_causal(n, O, Q, K, V):
    attend(O, Q, K, V, np.triu(np.ones((n.S, n.S), bool), 1))


def dense_gelu(n, Y, X, W, b):
    np.matmul(X, W, out=Y)
    Y += b
    Y[:] = gelu(Y)


def mlp(n, Y, X, W1, b1, W2, b2):
    np.matmul(gelu(X @ W1 + b1), W2, out=Y)
    Y += b2


def get_windows(I, n, h, w):
    return I[:, h:h + n.s * n.H - n.s + 1:n.s, w:w + n.s * n.W - n.s + 1:n.s]


def conv(n, O, I, K):
    O[:] = 0
    for h in range(n.KH):
        for w in range(n.KW):
            O += get_windows(I, n, h, w) @ K[h, w]


def depthwise(n, O, I, K):
    O[:] = 0
    for h in range(n.KH):
        for w in range(n.KW):
            O += get_windows(I, n, h, w) * K[h, w]


def max_pool(n, O, I):
    O[:] = -np.inf
    for h in range(n.k):
        for w in range(n.k):
            np.maximum(O, get_windows(I, n, h, w), out=O)


def mean_pool(n, O, I):
    O[:] = 0
    for h in range(n.k):
        for w in range(n.k):
            O += get_windows(I, n, h, w)
    O /= n.k * n.k


def global_pool(n, O, I):
    I.mean((1, 2), out=O)


def stencil5(n, V, U):
    np.add(U[1:-1, 1:-1], U[:-2, 1:-1], out=V)
    V += U[2:, 1:-1]
    V += U[1:-1, :-2]
    V += U[1:-1, 2:]
    V *= 0.2


def stencil9(n, V, U, W):
    V[:] = 0
    for a in range(3):
        for b in range(3):
            V += U[a:a + n.M, b:b + n.N] * W[a, b]


def heat(n, V, U):
    V[:] = U * 0.6
    V[1:] += 0.1 * U[:-1]
    V[0] += 0.1 * U[0]
    V[:-1] += 0.1 * U[1:]
    V[-1] += 0.1 * U[-1]
    V[:, 1:] += 0.1 * U[:, :-1]
    V[:, 0] += 0.1 * U[:, 0]
    V[:, :-1] += 0.1 * U[:, 1:]
    V[:, -1] += 0.1 * U[:, -1]


def transformer_block(n, Y, X, gain1, bias1, Wq, Wk, Wv, Wo, gain2, bias2, W1,
                      b1, W2, b2):
    N = np.empty_like(X)
    layernorm(n, N, X, gain1, bias1)
    Q, K, V = ((N @ W.reshape(n.E, -1)).reshape(n.S, n.H, n.D)
               for W in (Wq, Wk, Wv))
    head = np.empty_like(Q)
    attention_causal(n, head, Q, K, V)
    R = X + head.reshape(n.S, -1) @ Wo.reshape(-1, n.E)
    layernorm(n, N, R, gain2, bias2)
    g = N @ W1 + b1
    active = 0.5 * g * (1 + erf(g * 0.70710678))
    np.matmul(active, W2, out=Y)
    Y += R
    Y += b2


def small_cnn(n, Y, I, K1, b1, K2, b2, D):
    windows = np.lib.stride_tricks.sliding_window_view
    x = einsum("nchwkl,fckl->nfhw", windows(I, (3, 3), (2, 3)), K1)
    x = np.maximum(x + b1[:, None, None], 0)
    x = x.reshape(n.N, n.F, n.H + 1, 2, n.W + 1, 2).max((3, 5))
    x = einsum("nfhwkl,gfkl->nghw", windows(x, (2, 2), (2, 3)), K2)
    x = np.maximum(x + b2[:, None, None], 0)
    np.matmul(x.mean((2, 3)), D, out=Y)


def fock(n, G, D, V):
    np.matmul(V.reshape(n.N * n.N, -1), D.reshape(-1), out=G.reshape(-1))
    G -= 0.5 * np.einsum("mlns,ls->mn", V, D)


def ring(n, R, T, V):
    einsum("ikac,klcd,ljdb->ijab", T, V, T, out=R)


def amplitude(n, a, zero, H, G, R0, R1, R2, R3, o0, o1, o2, o3):
    einsum("a,b,c,d,ea,fb,gc,hd,ijef,klgh,mi,nj,ok,pl,qrno,m,q,r,p->", zero,
           zero, zero, zero, H, H, H, H, G, G, R0, R1, R2, R3, G, o0, o1, o2,
           o3, out=a)


def mps_apply(n, S, L, M, N, R, T):
    einsum("awb,wxst,xyuv,cyd,btvd->asuc", L, M, N, R, T, out=S)


def mps_move(n, E, L, B, M):
    einsum("awb,asc,wxst,btd->cxd", L, B, M, B, out=E)


def matmul(n, Y, X, W):
    np.matmul(X, W, out=Y, dtype=Y.dtype, casting="unsafe")


matmul_u8i8 = matmul_i8 = matmul_bf16 = matmul_f16 = matmul
bmm_u8i8 = bmm_bf16 = matmul


def dense_u8i8(n, Y, X, W, b, s):
    total = np.matmul(X.astype(s.dtype) - 121, W.astype(s.dtype)) + b
    Y[:] = np.clip(np.rint(total * (s * s.dtype.type(2.0 ** -13))) + 119, 0, 255)


dense_bf16 = dense_gelu
softmax_f64, layernorm_f64, rmsnorm_f64 = softmax, layernorm, rmsnorm
logsumexp_f64, chain5_f64 = logsumexp, chain5
gelu_affine_f64, swish_gate_f64 = gelu_affine, swish_gate


def exp_f64(n, Y, X):
    np.exp(X, out=Y)


def log_f64(n, Y, X):
    np.log(X + 2, out=Y)


def sin_f64(n, Y, X):
    np.sin(10 * X, out=Y)


def tanh_f64(n, Y, X):
    np.tanh(X, out=Y)


def erf_f64(n, Y, X):
    Y[:] = exact_erf(X)


def pow_f64(n, Y, X, Z):
    np.power(X + 2, Z, out=Y)


def affine(n, Y, X, Z, a):
    np.multiply(a, X, out=Y)
    Y += Z


def turn(n, Y, X, P):
    np.conj(P, out=Y)
    Y *= X
    Y *= Y.real.dtype.type(0.5)


def abs2(n, Y, X):
    Y[:] = X.real ** 2 + X.imag ** 2


def row_dot(n, y, X, Z):
    np.einsum("mn,mn->m", X.conj(), Z, out=y)


affine_c64 = affine_c128 = affine
turn_c64 = turn_c128 = turn
abs2_c64 = abs2_c128 = abs2
row_sum_c64 = row_sum_c128 = row_sum
row_dot_c64 = row_dot_c128 = row_dot
