// Machines that LLVM does not know, and words that the pass does not.
// RUN: not ein-opt %s -ein-select-schedule="triple=nowhere-unknown-none" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TRIPLE
// RUN: not ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=cortex-a72" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CPU
// RUN: not ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu features=+sve" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FEATURE
// RUN: not ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu features=avx2" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SIGN
// RUN: not ein-opt %s -ein-select-schedule="packing=sometimes" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PACKING
// RUN: not ein-opt %s -ein-select-schedule="threads=sometimes" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=THREADS

// PACKING: error: packing is `auto`, `always`, `never`, `first`, `second`, `rows`, `versions` or `dots`, not `sometimes`
// THREADS: error: threads is `auto`, `always` or `outside`, not `sometimes`
// TRIPLE: error: unknown target `nowhere-unknown-none`
// CPU: error: unknown cpu `cortex-a72` for `x86_64`
// FEATURE: error: unknown feature `sve` for `x86_64`
// SIGN: error: feature `avx2` begins with neither + nor -
func.func @f() { return }
