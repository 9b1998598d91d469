# The code of `s` for each CPU computes, to the bit, what code for that CPU alone does.
set -e
for cpu in "$@"; do
  export EINC_CPU=$cpu
  ./s --describe | grep "that for $cpu runs"
  ./s A.npy B.npy -o several.$cpu.npz
  einc build s.ein --cpu $cpu -o one
  ./one A.npy B.npy -o one.$cpu.npz
  cmp several.$cpu.npz one.$cpu.npz
done
