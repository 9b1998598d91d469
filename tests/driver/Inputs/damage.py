# Usage: damage.py FILE COUNT
#
# Has `einc inspect` read FILE with bytes changed or missing: it says what it
# found, or that it cannot.
import random
import subprocess
import sys

file, count = sys.argv[1], int(sys.argv[2])
whole = open(file, "rb").read()
draw = random.Random(1)
for round in range(count):
    data = bytearray(whole)
    if round % 4 == 0:
        data = data[:draw.randrange(len(data))]
    # The first bytes and the last say where things are.
    places = {1: range(64), 2: range(len(data) // 2, len(data))}.get(
        round % 4, range(len(data)))
    for _ in range(draw.randrange(1, 8)):
        if round % 4:
            data[draw.choice(places)] = draw.randrange(256)
    with open("damaged", "wb") as output:
        output.write(data)
    run = subprocess.run(["einc", "inspect", "damaged"], capture_output=True,
                         text=True, errors="replace")
    refused = run.stderr.startswith("einc: error: cannot inspect `damaged`: ")
    if (run.returncode, bool(run.stderr), refused) not in (
            (0, False, False), (1, True, True)):
        sys.exit(f"{file}, round {round}: {run.returncode}: {run.stderr}")
