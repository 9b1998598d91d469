# Compares Diagnostics.def with the table of the language's page.
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
text = (root / "frontend/source/Diagnostics.def").read_text()
names = re.findall(r"^EIN(?:_TOOL)?_DIAG\((\w+),\s+Warning", text, re.MULTILINE)
flags = {re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower() for name in names}
page = (root / "docs/reference/language.md").read_text()
table = page.split("| warning | of |")[1].split("\n\n")[0]
listed = set()
for row in table.splitlines():
    if row.startswith("| `"):
        listed |= set(re.findall(r"`([\w-]+)`", row.split("|")[1]))
for flag in sorted(flags ^ listed):
    print(f"{flag} is in {'Diagnostics.def' if flag in flags else 'the table'} only")
assert len(flags) > 10
if flags == listed:
    print(f"{len(flags)} warnings, all in the table")
