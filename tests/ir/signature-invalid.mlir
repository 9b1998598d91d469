// `ein.signature` is read by the passes that need it, and its form is checked.
// RUN: ein-opt %s -ein-return-to-destination -verify-diagnostics -split-input-file

// A function without the attribute is nobody's entry, and left alone.
func.func @none() { return }

// -----

// expected-error @+1 {{has an `ein.signature` that is not a dictionary}}
func.func @not_a_dictionary() attributes {ein.signature = 3} { return }

// -----

// expected-error @+1 {{has a malformed `ein.signature`}}
func.func @no_checks() attributes {ein.signature = {arguments = [], symbols = []}} { return }

// -----

// expected-error @+1 {{has a malformed `ein.signature`}}
func.func @symbol_is_no_string() attributes {
  ein.signature = {arguments = [], symbols = [1], checks = []}} { return }

// -----

// expected-error @+1 {{has a malformed `ein.signature`}}
func.func @argument_is_no_dictionary() attributes {
  ein.signature = {arguments = ["A"], symbols = [], checks = []}} { return }

// -----

// expected-error @+1 {{has a malformed `ein.signature`}}
func.func @argument_without_name(%a: tensor<3xf32>) attributes {
  ein.signature = {arguments = [{role = "input", type = "f32", dims = affine_map<() -> (3)>}],
                   symbols = [], checks = []}} { return }

// -----

// expected-error @+1 {{has a malformed `ein.signature`}}
func.func @unknown_role(%a: tensor<3xf32>) attributes {
  ein.signature = {arguments = [{name = "A", role = "in", type = "f32", dims = affine_map<() -> (3)>}],
                   symbols = [], checks = []}} { return }

// -----

// expected-error @+1 {{has a malformed `ein.signature`}}
func.func @unknown_type(%a: tensor<3xf32>) attributes {
  ein.signature = {arguments = [{name = "A", role = "input", type = "f31", dims = affine_map<() -> (3)>}],
                   symbols = [], checks = []}} { return }

// -----

// Dims are over the symbols: there is one here, and the map has none.
// expected-error @+1 {{has a malformed `ein.signature`}}
func.func @other_symbols(%a: tensor<3xf32>, %n: index) attributes {
  ein.signature = {arguments = [{name = "A", role = "input", type = "f32", dims = affine_map<() -> (3)>}],
                   symbols = ["N"], checks = []}} { return }

// -----

// expected-error @+1 {{has a malformed `ein.signature`}}
func.func @dims_in_map(%a: tensor<3xf32>) attributes {
  ein.signature = {arguments = [{name = "A", role = "input", type = "f32", dims = affine_map<(i) -> (i)>}],
                   symbols = [], checks = []}} { return }

// -----

// expected-error @+1 {{has a malformed `ein.signature`}}
func.func @check_is_no_dictionary() attributes {
  ein.signature = {arguments = [], symbols = [], checks = [1]}} { return }

// -----

// expected-error @+1 {{has a malformed `ein.signature`}}
func.func @unknown_check() attributes {
  ein.signature = {arguments = [], symbols = [],
    checks = [{kind = "even", expr = affine_map<() -> (2)>, unless_empty = affine_map<() -> ()>}]}} { return }

// -----

// expected-error @+1 {{has a malformed `ein.signature`}}
func.func @check_of_two_values() attributes {
  ein.signature = {arguments = [], symbols = [],
    checks = [{kind = "equal", expr = affine_map<() -> (2, 3)>, unless_empty = affine_map<() -> ()>}]}} { return }

// -----

// expected-error @+1 {{has a malformed `ein.signature`}}
func.func @scalars_that_are_none() attributes {
  ein.signature = {arguments = [], symbols = [], checks = [], scalars = array<i64: 0>}} { return }

// -----

// expected-error @+1 {{has a malformed `ein.signature`}}
func.func @check_without_its_scalar(%x: i64) attributes {
  ein.signature = {arguments = [{name = "x", role = "input", type = "i64", dims = affine_map<() -> ()>}], symbols = [], scalars = array<i64: 0>,
    checks = [{kind = "equal", expr = affine_map<() -> (2)>, unless_empty = affine_map<() -> ()>}]}} { return }

// -----

// The least of one is none.
// expected-error @+1 {{has a malformed `ein.signature`}}
func.func @minimum_of_one(%n: index) attributes {
  ein.signature = {arguments = [], symbols = ["N"], minima = [affine_map<()[s0] -> (s0)>],
                   checks = []}} { return }

// -----

// A minimum is of the sizes and of those before it: the second is of three.
// expected-error @+1 {{has a malformed `ein.signature`}}
func.func @minimum_of_itself(%n: index) attributes {
  ein.signature = {arguments = [], symbols = ["N"],
                   minima = [affine_map<()[s0] -> (s0, 3)>, affine_map<()[s0, s1, s2] -> (s2, 4)>],
                   checks = []}} { return }

// -----

// expected-error @+1 {{has a malformed `ein.signature`}}
func.func @minima_are_no_array(%n: index) attributes {
  ein.signature = {arguments = [], symbols = ["N"], minima = 1, checks = []}} { return }
