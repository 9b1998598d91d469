#!/usr/bin/env bash
#===- tests/install/bare-root.sh - The packages on a bare Debian ----------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: bare-root.sh BUILD SOURCE DIR
#
# Makes the packages, installs them into a fresh Debian 12 below DIR, and uses
# each of them there: nothing of this machine is in the way. Exits with 77, which
# ctest takes for "skipped", where there is no root, no mmdebstrap or no network.
#
#===-----------------------------------------------------------------------===#
set -euo pipefail
build=$(realpath "$1") source=$(realpath "$2") directory=$3

skip() {
  echo "skipped: $*"
  exit 77
}
[[ $EUID -eq 0 ]] || skip "this test needs root"
command -v mmdebstrap >/dev/null || skip "there is no mmdebstrap"
unshare -m true 2>/dev/null || skip "this machine does not let a test mount"
timeout 5 bash -c ': < /dev/tcp/deb.debian.org/80' 2>/dev/null ||
  skip "deb.debian.org does not answer"

rm -rf "$directory"
mkdir -p "$directory"
directory=$(realpath "$directory")
root=$directory/root
trap 'rm -rf "$directory"' EXIT

# Compressed for speed; the tree is what the tarball holds.
(cd "$build" && cpack -G DEB -B "$directory/packages" \
  -D CPACK_DEBIAN_COMPRESSION_TYPE=zstd) >"$directory/cpack.log" 2>&1 || {
  cat "$directory/cpack.log"
  exit 1
}
mmdebstrap --quiet --variant=apt bookworm "$root" \
  "deb http://deb.debian.org/debian bookworm main"
cp /etc/resolv.conf "$root/etc/resolv.conf"
mkdir -p "$root/work"
mv "$directory"/packages/*.deb "$root/work"
cmake --install "$build" --strip --prefix "$root/work/tree" >"$directory/tree.log"
cp -r "$source/tests/install/Inputs/library" "$root/work/library"

cat >"$root/work/use" <<'END'
set -euo pipefail
cd /work
export DEBIAN_FRONTEND=noninteractive
install() {
  apt-get install -y -q "$@" >apt.log 2>&1 || { cat apt.log; exit 1; }
}
apt-get update -q >/dev/null

begin=$SECONDS
install ./einc_*.deb
installed=$SECONDS
cat >mm.ein <<'EIN'
def mm(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N)) {
  C(m, n) +=! A(m, k) * B(k, n)
}
EIN
einc verify mm.ein
echo "from apt install to the first result: $((SECONDS - begin)) s," \
  "of which apt takes $((installed - begin)) s"
einc build mm.ein -o mm
./mm --random 1 --bind M=2,K=3,N=2 --time
einc build mm.ein -o libmm.so
[[ $(dpkg-query -W -f='${Package}\n' 'libllvm*' 'libmlir*' 2>/dev/null | wc -l) -eq 0 ]]

install --no-install-recommends ./libeinc1_*.deb ./python3-einc_*.deb
python3 -c '
import einc, importlib.metadata, numpy
print(einc.version(), importlib.metadata.version("einc"), einc.library_path())
a = numpy.arange(6.0).reshape(2, 3)
print(einc.einsum("ij,kj->ik", a, a).tolist(), len(einc.emit("ij->i", "exe")) > 1000)
mm = einc.load("libmm.so").mm
print(mm(numpy.ones((1, 2), "f4"), numpy.ones((2, 1), "f4")).tolist())'
[[ -e $(echo /usr/lib/python3/dist-packages/einc/__pycache__/_core.*.pyc) ]]

install --no-install-recommends ./libeinc-dev_*.deb pkg-config cmake make
cc library/caller.c $(pkg-config --cflags --libs einc) -o caller
./caller
cmake -S library -B cmake-build >cmake.log
cmake --build cmake-build >>cmake.log
cmake-build/cpp-caller

tree=/work/tree
apt-get remove -y -q einc libeinc1 >apt.log
[[ ! -e /usr/bin/einc && ! -e /usr/lib/python3/dist-packages/einc ]]
"$tree"/bin/einc build mm.ein -o mm2
./mm2 --random 1 --bind M=2,K=3,N=2 --time
cmake -S library -B tree-build -DCMAKE_PREFIX_PATH="$tree" >cmake.log
cmake --build tree-build >>cmake.log
tree-build/c-caller

install ./einc-tools_*.deb
"$tree"/bin/einc build mm.ein --emit linalg | ein-opt --ein-to-contract >contract.mlir
grep -q linalg.contract contract.mlir
echo "every package works"
END
# `exec` gives the signal to stop to the one who mounts.
unshare -m --propagation private bash -c '
  mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" &&
  exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin bash /work/use' "$root"
