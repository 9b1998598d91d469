"""What the applications are for, on numbers such as people have, for
tests/driver/samples-applications.test: numpy's layer in 8 bits, a block in f32 beside the
one in bf16 with bounds that say something, and a wave packet that keeps its norm."""
import subprocess
import sys
import numpy as np

SAMPLES = sys.argv[1]
random = np.random.default_rng(3)


def run(sample, entry, **given):
    words = [f"--entry={entry}"]
    for name, value in given.items():
        if np.ndim(value):
            np.save(f"{name}.npy", value)
            words.append(f"{name}={name}.npy")
        else:
            words.append(f"{name}={value}")
    result = subprocess.run(["einc", "run", "--llvm-opt", "0", f"{SAMPLES}/{sample}.ein", *words,
                             "-o", "out.npz"], text=True, capture_output=True)
    assert result.returncode == 0, result.stderr
    return np.load("out.npz")


# Quantised from real numbers, it is near the layer in real numbers; and it is what
# numpy makes of the same integers, to the last bit.
x = random.standard_normal((24, 96)).astype("f4")
w = (random.standard_normal((96, 40)) / 10).astype("f4")
real = x @ w
scale_x, zero_x = np.float32((x.max() - x.min()) / 255), np.uint8(round(-x.min() * 255 / (x.max() - x.min())))
scale_w = np.abs(w).max(0) / 127
zero_w = np.zeros(40, "i1")
W = np.rint(w / scale_w).astype("i1")
scale_y, zero_y = np.float32((real.max() - real.min()) / 255), np.uint8(120)
M = (scale_x * scale_w / scale_y).astype("f4")
bias = random.integers(-50, 50, 40).astype("i4")
X = run("quantised_linear", "quantise", x=x, scale=scale_x, zero=zero_x)["X"]
assert X.dtype == "u1" and np.abs((X - float(zero_x)) * scale_x - x).max() < 1.01 * scale_x
Y = run("quantised_linear", "quantised_linear", X=X, zeroX=zero_x, W=W, zeroW=zero_w, bias=bias,
        M=M, zeroY=zero_y)["Y"]
total = (X.astype("i4") - int(zero_x)) @ W.astype("i4") + bias
want = np.clip(np.rint(total.astype("f4") * M) + np.float32(zero_y), 0, 255).astype("u1")
assert Y.dtype == "u1" and (Y == want).all()
inside = (Y > 0) & (Y < 255)
layer = real + bias * scale_x * scale_w
assert inside.mean() > 0.9
assert np.abs((Y - float(zero_y)) * scale_y - layer)[inside].max() < 0.05 * np.ptp(real)

# The block in bf16 beside that in f64.
S, E, H, D, F = 17, 32, 2, 16, 48
shapes = {"X": (S, E), "gain1": (E,), "bias1": (E,), "Wq": (E, H, D), "Wk": (E, H, D),
          "Wv": (E, H, D), "Wo": (H, D, E), "gain2": (E,), "bias2": (E,), "W1": (E, F),
          "b1": (F,), "W2": (F, E), "b2": (E,)}
bits, wide = {}, {}
for name, shape in shapes.items():
    value = random.standard_normal(shape)
    if name[0] == "W":
        value /= np.sqrt(F if name == "W2" else E)
    if name.startswith("gain"):
        value = 1 + value / 10
    bits[name] = (value.astype("f4").view("u4") >> 16).astype("u2")
    wide[name] = (bits[name].astype("u4") << 16).view("f4").astype("f8")
out = run("bf16_transformer", "bf16_transformer", **bits)["Y"].view("u2")
got = (out.astype("u4") << 16).view("f4")


def normalise(x, gain, bias):
    c = x - x.mean(1, keepdims=True)
    return c / np.sqrt((c * c).mean(1, keepdims=True) + 1e-5) * gain + bias


v = wide
N = normalise(v["X"], v["gain1"], v["bias1"])
q, k, value = (np.einsum("se,ehd->hsd", N, v[w]) for w in ("Wq", "Wk", "Wv"))
scores = np.einsum("hsd,htd->hst", q, k) / np.sqrt(D)
scores[:, np.triu(np.ones((S, S), bool), 1)] = -np.inf
P = np.exp(scores - scores.max(2, keepdims=True))
P /= P.sum(2, keepdims=True)
R = v["X"] + np.einsum("hst,htd,hde->se", P, value, v["Wo"])
g = normalise(R, v["gain2"], v["bias2"]) @ v["W1"] + v["b1"]
want = R + 0.5 * g * (1 + np.tanh(0.7978845608 * (g + 0.044715 * g ** 3))) @ v["W2"] + v["b2"]
assert np.abs(got - want).max() < 0.05 * np.abs(want).max(), np.abs(got - want).max()

# A packet in a harmonic potential: after many steps it has its norm and its energy, and
# the centre has gone where a classical particle's would.
N, length, dt = 64, 16.0, 0.02
h = length / N
grid = (np.arange(N) - N // 2) * h
k = 2 * np.pi * np.fft.fftfreq(N, h)
V = 0.5 * grid ** 2
psi = np.stack([np.exp(-(grid - c) ** 2 / 2) for c in (0, 1.5)]).astype("c16")
psi /= np.sqrt((np.abs(psi) ** 2).sum(1) * h)[:, None]
first = run("schroedinger", "observe", psi=psi, V=V, h=h)
reference = psi
for _ in range(5):
    psi = run("schroedinger", "split_step", psi=psi, V=V, k=k, dt=dt)["next"]
    reference = reference * np.exp(-0.5j * dt * V)
    reference = np.fft.ifft(np.fft.fft(reference) * np.exp(-0.5j * dt * k * k))
    reference = reference * np.exp(-0.5j * dt * V)
assert np.abs(psi - reference).max() < 1e-12
last = run("schroedinger", "observe", psi=psi, V=V, h=h)
assert np.abs(last["norm"] - 1).max() < 1e-12
assert np.abs(last["energy"] - first["energy"]).max() < 1e-3
centre = (np.abs(psi) ** 2 * grid).sum(1) * h
assert np.abs(centre - np.array([0, 1.5]) * np.cos(5 * dt)).max() < 1e-3, centre
