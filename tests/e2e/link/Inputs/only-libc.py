"""Fails for an undefined symbol that is not in libc or libm."""
import ctypes
import sys

libraries = [ctypes.CDLL("libc.so.6"), ctypes.CDLL("libm.so.6")]
unknown = []
with open(sys.argv[1]) as file:
    names = [line.split()[1] for line in file if line.strip()]
for name in names:
    if name != "_GLOBAL_OFFSET_TABLE_" and not any(
            hasattr(library, name) for library in libraries):
        unknown.append(name)
print(f"{len(names)} undefined: {' '.join(sorted(set(names)))}")
sys.exit(f"not in libc or libm: {unknown}" if unknown else 0)
