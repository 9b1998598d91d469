# kept-times.py TIMES FILE: what `einc tune --list --json` says of one op, as if
# its first ways had taken so many seconds; `-` is a way that was not measured.
import json
import sys

with open(sys.argv[2]) as file:
    ops = json.load(file)
times = sys.argv[1].split(",")
for op in ops:
    assert len(op["ways"]) >= len(times)
    op["ways"] = [{**way, "seconds": float(time)}
                  for way, time in zip(op["ways"], times) if time != "-"]
print(json.dumps(ops))
