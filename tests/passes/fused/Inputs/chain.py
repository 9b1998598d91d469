"""A def of thirty statements, each of which reads the two before it."""
statements = ["A(i) * 2", "t0(i) + A(i)"]
statements += [f"t{k - 1}(i) - t{k - 2}(i)" for k in range(2, 30)]
print("def f(A: f32(N)) -> (B: f32(N)) {")
for k, value in enumerate(statements):
    print(f"  let t{k}(i) = {value}")
print("  B(i) = t29(i)\n}")
