# Each program given, on one line, is laid out again and makes the same MLIR.
# Usage: fmt-samples.sh SCRATCH-DIR FILE.ein...
set -eu
scratch=$1
shift
for file; do
  einc build --emit mlir "$file" > "$scratch/before"
  grep -v '^#' "$file" | tr -s ' \n' ' ' | einc fmt - > "$scratch/again.ein"
  einc build --emit mlir "$scratch/again.ein" > "$scratch/after"
  cmp "$scratch/before" "$scratch/after"
done
