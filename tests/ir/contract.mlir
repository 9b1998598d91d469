// ein.contract as it is written and read: kind, cast and iterator types only
// where they are not what goes without saying.
// RUN: ein-opt %s | ein-opt | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @sum
// CHECK: ein.contract indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}] ins(%{{.*}}, %{{.*}} : tensor<?x?xf32>, tensor<?x?xf32>) outs(%{{.*}} : tensor<?x?xf32>) -> tensor<?x?xf32>
func.func @sum(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = ein.contract indexing_maps = [#mk, #kn, #mn] kind = <add>
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @everything
// CHECK: ein.contract {{.*}} iterator_types = ["parallel", "parallel", "reduction"] kind = <maxui> cast = <cast_unsigned> ins(
func.func @everything(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = ein.contract indexing_maps = [#mk, #kn, #mn]
         iterator_types = ["parallel", "parallel", "reduction"] kind = <maxui> cast = <cast_unsigned>
         ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// CHECK-LABEL: func @buffers
// CHECK: ein.contract {{.*}} outs(%{{.*}} : memref<?x?xf32>){{$}}
func.func @buffers(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  ein.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// Nothing has to be reduced, and a reduced dim may be in one input only.
// CHECK-LABEL: func @wider_than_upstream
// CHECK-COUNT-2: ein.contract
func.func @wider_than_upstream(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?x?xf32>, %d: tensor<f32>)
    -> (tensor<?x?xf32>, tensor<f32>) {
  %0 = ein.contract indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>]
         ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = ein.contract indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>]
         ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%d : tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<?x?xf32>, tensor<f32>
}
