"""A library of a thousand ops, of which all but one cannot be parsed."""

with open("ops.ein", "w") as file:
    for i in range(1000):
        factor = "U(B(k, n))" if i == 3 else "U(B(k, n)"
        file.write(
            f"def op{i}<T1, T2, U>(A: T1(M, {i} + K), B: T2({i} + K, N))\n"
            f"    -> (C: U(M, N)) attr(s: 2xindex = [1, 1]) {{\n"
            f"  C(m, n) +=! U(A(m, k)) * {factor}\n}}\n"
        )
for i in (3, 4):
    with open(f"f{i}.ein", "w") as file:
        file.write('import "ops.ein"\n')
        file.write(f"def f(A: f32(8, 9), B: f32(9, 7)) -> (C) {{ C = op{i}(A, B) }}\n")
