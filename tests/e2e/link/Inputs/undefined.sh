# Usage: undefined.sh SAMPLES SCRATCH
# The undefined symbols of every sample's object, optimised and not.
set -e
for program in "$1"/*.ein; do
  for level in -O3 -O0; do
    einc build $level "$program" -o "$2/a.o"
    nm -u "$2/a.o"
  done
done
