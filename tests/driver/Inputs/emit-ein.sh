# Prints each program again and compares the MLIR that it compiles to.
# usage: emit-ein.sh SAMPLES INPUTS
set -euo pipefail
number=0
# compare ARGUMENTS…: of a compilation whose normalised form compiles alike
compare() {
  number=$((number + 1))
  einc build "$@" --emit mlir -o expected.mlir 2>/dev/null
  einc build "$@" --emit ein -o "$number.ein" 2>/dev/null
  einc build "$number.ein" --emit mlir -o actual.mlir 2>/dev/null
  cmp expected.mlir actual.mlir || echo "FAILED: $*"
  # What is normal stays as it is.
  einc build "$number.ein" --emit ein 2>/dev/null | cmp - "$number.ein" ||
    echo "FAILED: $* again"
}
for file in "$1"/*.ein; do
  compare "$file"
  sizes=$(einc build "$file" --emit program | awk '$1 == "size" { print $2 }' | sort -u)
  all=
  for size in $sizes; do
    compare "$file" --bind "$size=6"
    all+=${all:+,}$size=6
  done
  compare "$file" --bind "$all"
done
compare "$2/odd.ein"
for binding in M=5 N=4 P=3,Q=2 m=3,k=4 p=2 min=3; do
  compare "$2/odd.ein" --bind "$binding"
done
compare -e 'mk,kn->mn'
compare -e 'mk,kn->mn' --bind k=4
compare -e 'ii' --dtype f64
compare -e 'y = 2.5' --dtype f64
compare -e 'C(N) = A(N) + B(2*N)'
compare -e 'C(N) = A(N) + B(2*N)' --bind N=4
compare -e 'let t(i) = exp(A(i)); C(i) = t(i) / B(i + 1); D += C(j)'
echo "compared $number programs"
