// Blocks follow from the caches of a machine's file.
// RUN: einc targets --target x86_64-linux-gnu --cpu haswell --model \
// RUN:   | sed 's/^l2.bytes = .*/l2.bytes = 2 MiB/' > %t.machine
// RUN: ein-opt %s --ein-select-schedule='triple=x86_64-linux-gnu cpu=haswell' | FileCheck %s
// RUN: ein-opt %s --ein-select-schedule='triple=x86_64-linux-gnu cpu=haswell machine=%t.machine' \
// RUN:   | FileCheck %s --check-prefix=MINE
// CHECK: loops = [d1: {{[0-9]+}}, d2: 256, d0: 126]
// MINE: loops = [d1{{.*}}, d2: 512, d0{{.*}}]
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @matmul(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>,
                  %c: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %r = linalg.contract indexing_maps = [#a, #b, #c]
      ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32>)
      outs(%c : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %r : tensor<1024x1024xf32>
}

// RUN: not ein-opt %s --ein-select-schedule='cpu=native machine=%t.none' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// NONE: error: cannot read `{{.*}}.none`: No such file or directory
// RUN: echo 'fmas = many' > %t.bad
// RUN: not ein-opt %s --ein-select-schedule='machine=%t.bad' 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: {{.*}}.bad:1:8: `fmas` is a number, not `many`
