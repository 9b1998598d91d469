// `ein.online_reduce` is printed as it is read, in both forms.
// RUN: ein-opt %s | FileCheck %s
// RUN: ein-opt %s | ein-opt | FileCheck %s
// RUN: ein-opt %s -mlir-print-op-generic | ein-opt | FileCheck %s

#x = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#i = affine_map<(m) -> (m)>

// The maximum of each row, and the sum of what is above it.
// CHECK-LABEL: func @sums
// CHECK: ein.online_reduce ins(%{{.*}} : tensor<4x?xf32>) along [1] relative_to(%{{.*}} : tensor<4xf32>) outs(%{{.*}} : tensor<4xf32>) step 8 init {
// CHECK: ein.yield %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>
// CHECK: } advance {
// CHECK: ^bb0(%{{.*}}: index, %{{.*}}: tensor<4x?xf32>, %{{.*}}: tensor<4xf32>):
// CHECK: ein.yield %{{.*}} : tensor<4xf32>
// CHECK: } rescale {
// CHECK: ^bb0(%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>):
// CHECK: } combine {
// CHECK: ^bb0(%{{.*}}: index, %{{.*}}: tensor<4x?xf32>, %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>):
// CHECK: } -> tensor<4xf32>, tensor<4xf32>
func.func @sums(%x: tensor<4x?xf32>, %m0: tensor<4xf32>, %s0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2 = ein.online_reduce ins(%x : tensor<4x?xf32>) along [1]
      relative_to(%m0 : tensor<4xf32>) outs(%s0 : tensor<4xf32>) step 8
    init {
    ^bb0(%m: tensor<4xf32>, %s: tensor<4xf32>):
      ein.yield %m, %s : tensor<4xf32>, tensor<4xf32>
    } advance {
    ^bb0(%at: index, %b: tensor<4x?xf32>, %m: tensor<4xf32>):
      %0 = linalg.generic {indexing_maps = [#x, #m], iterator_types = ["parallel", "reduction"]}
           ins(%b : tensor<4x?xf32>) outs(%m : tensor<4xf32>) {
      ^bb0(%a: f32, %o: f32):
        %1 = arith.maximumf %o, %a : f32
        linalg.yield %1 : f32
      } -> tensor<4xf32>
      ein.yield %0 : tensor<4xf32>
    } rescale {
    ^bb0(%old: tensor<4xf32>, %new: tensor<4xf32>, %s: tensor<4xf32>):
      ein.yield %s : tensor<4xf32>
    } combine {
    ^bb0(%at: index, %b: tensor<4x?xf32>, %new: tensor<4xf32>, %s: tensor<4xf32>):
      ein.yield %s : tensor<4xf32>
    } -> tensor<4xf32>, tensor<4xf32>
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// Two inputs, from a place on, at once; what `advance` has computed goes on to
// `combine`; a running value alone is an accumulator as well.
// CHECK-LABEL: func @extras
// CHECK: ein.online_reduce ins(%{{.*}}, %{{.*}} : tensor<9xf32>, tensor<3x9xf32>) along [0, 1] from %{{.*}} relative_to(%{{.*}} : tensor<f32>) attributes {some} init {
// CHECK: ^bb0(%{{.*}}: index, %{{.*}}: tensor<?xf32>, %{{.*}}: tensor<3x?xf32>, %{{.*}}: tensor<f32>, %{{.*}}: i1):
func.func @extras(%x: tensor<9xf32>, %y: tensor<3x9xf32>, %m0: tensor<f32>, %first: index) -> tensor<f32> {
  %r = ein.online_reduce ins(%x, %y : tensor<9xf32>, tensor<3x9xf32>) along [0, 1] from %first
      relative_to(%m0 : tensor<f32>) attributes {some}
    init {
    ^bb0(%m: tensor<f32>):
      ein.yield %m : tensor<f32>
    } advance {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<3x?xf32>, %m: tensor<f32>):
      %true = arith.constant true
      ein.yield %m, %true : tensor<f32>, i1
    } rescale {
    ^bb0(%old: tensor<f32>, %new: tensor<f32>):
      ein.yield
    } combine {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<3x?xf32>, %new: tensor<f32>, %e: i1):
      ein.yield
    } -> tensor<f32>
  return %r : tensor<f32>
}
