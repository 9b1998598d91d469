# Usage: rnn.py
#
# A recurrent network by loops, compared with einc's recurrence that is a sum.
import math
import re
import subprocess
import sys

T, E, H = 5, 3, 4
PROGRAM = """def rnn() -> (h: f64(5, 4)) {
  let x: f64(5, 3)(t, e) = sin(f64(3*t + e))
  let U: f64(4, 3)(i, e) = cos(f64(3*i + e))
  let W: f64(4, 4)(i, j) = sin(f64(i - 4*j))
  let u(t, i) +=! U(i, e) * x(t, e)
  let a(t, i) +=! W(i, j) * tanh(pad(a(t - 1, j), 0)) + (j == 0 ? u(t, i) : 0)
  h(t, i) = tanh(a(t, i))
}"""

before, wanted = [0.0] * H, []
for t in range(T):
    before = [math.tanh(sum(math.cos(3 * i + e) * math.sin(3 * t + e) for e in range(E))
                        + sum(math.sin(i - 4 * j) * before[j] for j in range(H)))
              for i in range(H)]
    wanted += before
run = subprocess.run(["einc", "run", "-e", PROGRAM] + sys.argv[1:],
                     capture_output=True, text=True)
found = [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", run.stdout)]
if len(found) != T * H or max(abs(a - b) for a, b in zip(found, wanted)) > 1e-7:
    sys.exit(f"{found}\n{wanted}\n{run.stderr}")
