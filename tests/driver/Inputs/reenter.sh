# Usage: reenter.sh SAMPLES
# Compiles each def of each sample through the text of its levels, and compares.
set -eu
samples=$1
checked=0

check() { # FILE NAME LEVEL
  einc build "$1" --emit "$3" -o "$2.$3.mlir"
  einc build --llvm-opt 0 "$2.$3.mlir" -o "$2.$3.exe"
  for entry in $(sed -n 's/^def \([a-z0-9_]*\).*/\1/p' "$1"); do
    # `name<M, K>(...)`: 7, 9, ... for its sizes.
    sizes=$("./$2.$3.exe" --entry "$entry" --describe |
      sed -n "s/^$entry<\([^>]*\)>.*/\1/p" | tr -d ' ' | tr ',' '\n' |
      awk '{ printf "%s%s=%d", (NR > 1 ? "," : ""), $1, 5 + 2 * NR }')
    "./$2.$3.exe" --entry "$entry" --random 1 ${sizes:+--bind "$sizes"} -o out.npy
    einc verify "$1" --entry "$entry" --seed 1 ${sizes:+--sizes "$sizes"} \
      --outputs out.npy > result.txt || echo FAILED
    echo "$entry through $3: $(sed -n 's/^[a-z0-9_]*: \([A-Za-z]*\).*/\1/p' result.txt)"
    checked=$((checked + 1))
  done
}

# Each sample through one of three forms: `einc verify --levels` executes all.
forms=(loops affine parallel)
number=0
for file in "$samples"/*.ein; do
  check "$file" "$(basename "$file" .ein)" "${forms[number++ % 3]}"
done
for name in matmul softmax; do
  for level in loops affine parallel mlir linalg contract fused scheduled tiled vector memref; do
    check "$samples/$name.ein" "$name" "$level"
  done
done
echo "checked $checked programs"
