"""Usage: cache_entry.py DIR flip|truncate OFFSET | age | is-used

Changes the one entry of a cache: a bit of a byte, the length, or the time of its last
use; `is-used` fails unless its contents are as `age` found them and its time is not."""
import os
import pathlib
import sys

(entry,) = pathlib.Path(sys.argv[1]).iterdir()
copy = pathlib.Path(sys.argv[1] + ".copy")
what = sys.argv[2]
data = bytearray(entry.read_bytes())
if what == "flip":
    data[int(sys.argv[3])] ^= 4
    entry.write_bytes(data)
elif what == "truncate":
    assert int(sys.argv[3]) < len(data)
    os.truncate(entry, int(sys.argv[3]))
elif what == "age":
    copy.write_bytes(data)
    os.utime(entry, (1, 1))
else:
    assert entry.stat().st_mtime > 1, "it was not used"
    assert copy.read_bytes() == data, "it was made anew"
