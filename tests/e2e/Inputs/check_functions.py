"""Compares functions with numpy's, for tests/e2e/functions.test."""
import math
import subprocess
import numpy as np

random = np.random.default_rng(3)
edges = [0.0, 1e-9, -1e-9, 0.5, -0.5, 1.5, 2.5, -1.5, 1.0, -1.0]
x = np.concatenate([np.array(edges), random.uniform(-3, 3, 50)])
y = random.uniform(-3, 3, x.size)
unary = "exp2 expm1 log2 log10 log1p cbrt sin cos tan arcsin arccos arctan sinh cosh arcsinh arccosh arctanh ceil floor trunc rint square sqrt exp log tanh absolute negative".split()
binary = "arctan2 copysign fmax fmin maximum minimum add subtract multiply divide power hypot fmod nextafter".split()
outputs = [f"o_{name}" for name in unary + binary]
text = "def f(A: f64(N), B: f64(N)) -> (" + ", ".join(f"{o}: f64(N)" for o in outputs) + ") {\n"
text += "".join(f"  o_{name}(i) = {name}(A(i))\n" for name in unary)
text += "".join(f"  o_{name}(i) = {name}(A(i), B(i))\n" for name in binary) + "}\n"
open("f.ein", "w").write(text)
np.save("A.npy", x)
np.save("B.npy", y)
command = ["einc", "run", "f.ein", "-O0", "A=A.npy", "B=B.npy"]
for output in outputs:
    command += ["-o", f"{output}={output}.npy"]
subprocess.run(command, check=True)
with np.errstate(all="ignore"):
    for name in unary + binary:
        want = getattr(np, name)(x, y) if name in binary else getattr(np, name)(x)
        np.testing.assert_allclose(np.load(f"o_{name}.npy"), want, rtol=1e-14, atol=1e-300,
                                   err_msg=name)

# What numpy lacks, by what it inverts or by Python's.
special = {"lgamma": math.lgamma, "tgamma": math.gamma, "logb": lambda v: math.frexp(v)[1] - 1,
           "remainder": lambda v: math.remainder(v, 0.7),
           "erf_of_inverse": lambda v: v, "erfc_of_inverse": lambda v: v, "normcdf_of_inverse": lambda v: v,
           "erfcx": lambda v: math.exp(v * v) * math.erfc(v)}
calls = {"remainder": "remainder(A(i), 0.7)", "erf_of_inverse": "erf(erfinv(A(i)))",
         "erfc_of_inverse": "erfc(erfcinv(A(i)))", "normcdf_of_inverse": "normcdf(normcdfinv(A(i)))"}
x = random.uniform(0.01, 0.99, 50)
np.save("A.npy", x)
for name, function in special.items():
    call = calls.get(name, f"{name}(A(i))")
    text = f"def f(A: f64(N)) -> (B: f64(N)) {{ B(i) = {call} }}"
    subprocess.run(["einc", "run", "-O0", "-e", text, "A=A.npy", "-o", "B=B.npy"], check=True)
    want = [function(v) for v in x]
    np.testing.assert_allclose(np.load("B.npy"), want, rtol=1e-13, err_msg=name)
