// RUN: ein-opt %s -split-input-file -verify-diagnostics

func.func @lanes(%x: vector<10xi8>, %s: vector<4xi32>) {
  // expected-error@+1 {{adds 10 elements to 4 lanes}}
  %0 = ein.wide_sum %x, %s : vector<10xi8>, vector<4xi32>
  return
}

// -----

func.func @narrower(%x: vector<8xi32>, %s: vector<4xi16>) {
  // expected-error@+1 {{does not extend 'i32' to 'i16'}}
  %0 = ein.wide_sum %x, %s : vector<8xi32>, vector<4xi16>
  return
}

// -----

func.func @kinds(%x: vector<8xi16>, %s: vector<4xf32>) {
  // expected-error@+1 {{does not extend 'i16' to 'f32'}}
  %0 = ein.wide_sum %x, %s : vector<8xi16>, vector<4xf32>
  return
}

// -----

func.func @unsigned(%x: vector<8xbf16>, %s: vector<4xf32>) {
  // expected-error@+1 {{has no unsigned numbers}}
  %0 = ein.wide_sum %x, %s unsigned : vector<8xbf16>, vector<4xf32>
  return
}
