//===- ViewOverlap.mlir - Whether views overlap ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of each module that has view entries (see AddViewHelpers.cpp).
//
// Whether two views share an address is a bounded linear Diophantine problem:
// is there z, 0 <= z_i < n_i, with lo <= sum c_i z_i <= hi? In general that is
// NP-hard. The layouts that programs have nest (each stride is larger than what
// the smaller ones span), and for those a depth-first search from the largest
// stride down finds at most two candidates per dim. The search gives up after
// 16384 steps and reports an overlap: refusing is safe, accepting is not.
//
// Most views that are passed lie apart as a whole, and their strides nest. Both
// take a few instructions to see, which is all that a small product has time
// for; the search is for the others.
//
//===----------------------------------------------------------------------===//

// A term c * z, 0 <= z < n, is four integers: c, n, and over it and all terms
// after it the span (the largest sum) and the greatest common divisor. A record
// with a span of zero ends the list.

// Whether lo <= sum of the terms <= hi has a solution; or "yes", when the
// budget is used up.
func.func private @__ein_find(%term: !llvm.ptr, %lo: i64, %hi: i64, %budget: !llvm.ptr) -> i1
    attributes {ein.rare, llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %yes = arith.constant true
  %no = arith.constant false
  %span_at = llvm.getelementptr %term[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %span = llvm.load %span_at : !llvm.ptr -> i64
  %below = arith.cmpi slt, %hi, %c0 : i64
  %above = arith.cmpi sgt, %lo, %span : i64
  %outside = arith.ori %below, %above : i1
  %result = scf.if %outside -> i1 {
    scf.yield %no : i1
  } else {
    %has_zero = arith.cmpi sle, %lo, %c0 : i64
    %inside = scf.if %has_zero -> i1 {
      scf.yield %yes : i1
    } else {
      // 0 < lo <= span: there are terms left.
      %gcd_at = llvm.getelementptr %term[3] : (!llvm.ptr) -> !llvm.ptr, i64
      %gcd = llvm.load %gcd_at : !llvm.ptr -> i64
      %left = llvm.load %budget : !llvm.ptr -> i64
      %less = arith.subi %left, %c1 : i64
      llvm.store %less, %budget : i64, !llvm.ptr
      %spent = arith.cmpi slt, %less, %c0 : i64
      %whole = arith.divsi %hi, %gcd : i64
      %multiple = arith.muli %whole, %gcd : i64
      %possible = arith.cmpi sge, %multiple, %lo : i64
      %search = scf.if %spent -> i1 {
        scf.yield %yes : i1
      } else {
        %deep = scf.if %possible -> i1 {
          %c = llvm.load %term : !llvm.ptr -> i64
          %n_at = llvm.getelementptr %term[1] : (!llvm.ptr) -> !llvm.ptr, i64
          %n = llvm.load %n_at : !llvm.ptr -> i64
          %next = llvm.getelementptr %term[4] : (!llvm.ptr) -> !llvm.ptr, i64
          %rest_at = llvm.getelementptr %term[6] : (!llvm.ptr) -> !llvm.ptr, i64
          %rest = llvm.load %rest_at : !llvm.ptr -> i64
          // z from ceil((lo - rest) / c) to floor(hi / c), within its range.
          %need = arith.subi %lo, %rest : i64
          %some = arith.maxsi %need, %c0 : i64
          %up = arith.subi %c, %c1 : i64
          %rounded = arith.addi %some, %up : i64
          %first = arith.divsi %rounded, %c : i64
          %most = arith.divsi %hi, %c : i64
          %bound = arith.subi %n, %c1 : i64
          %last = arith.minsi %most, %bound : i64
          %end:2 = scf.while (%z = %first, %found = %no) : (i64, i1) -> (i64, i1) {
            %more = arith.cmpi sle, %z, %last : i64
            %open = arith.xori %found, %yes : i1
            %go = arith.andi %more, %open : i1
            scf.condition(%go) %z, %found : i64, i1
          } do {
          ^bb0(%z: i64, %found: i1):
            %taken = arith.muli %c, %z : i64
            %lo_rest = arith.subi %lo, %taken : i64
            %hi_rest = arith.subi %hi, %taken : i64
            %hit = func.call @__ein_find(%next, %lo_rest, %hi_rest, %budget)
              : (!llvm.ptr, i64, i64, !llvm.ptr) -> i1
            %following = arith.addi %z, %c1 : i64
            scf.yield %following, %hit : i64, i1
          }
          scf.yield %end#1 : i1
        } else {
          scf.yield %no : i1
        }
        scf.yield %deep : i1
      }
      scf.yield %search : i1
    }
    scf.yield %inside : i1
  }
  return %result : i1
}

// Adds |c| * z, 0 <= z < n, to `count` terms, which lie in descending order of
// their coefficients; terms of the same coefficient become one.
func.func private @__ein_add_term(%terms: !llvm.ptr, %count: i64, %stride: i64, %n: i64) -> i64
    attributes {ein.rare, llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %yes = arith.constant true
  %negated = arith.subi %c0, %stride : i64
  %c = arith.maxsi %stride, %negated : i64
  %still = arith.cmpi eq, %c, %c0 : i64
  %single = arith.cmpi sle, %n, %c1 : i64
  %nothing = arith.ori %still, %single : i1
  %result = scf.if %nothing -> i64 {
    scf.yield %count : i64
  } else {
    // The first term that is not larger.
    %place = scf.while (%i = %c0) : (i64) -> i64 {
      %inside = arith.cmpi slt, %i, %count : i64
      %larger = scf.if %inside -> i1 {
        %at = arith.muli %i, %c4 : i64
        %other_at = llvm.getelementptr %terms[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
        %other = llvm.load %other_at : !llvm.ptr -> i64
        %is_larger = arith.cmpi sgt, %other, %c : i64
        scf.yield %is_larger : i1
      } else {
        scf.yield %inside : i1
      }
      scf.condition(%larger) %i : i64
    } do {
    ^bb0(%i: i64):
      %following = arith.addi %i, %c1 : i64
      scf.yield %following : i64
    }
    %at = arith.muli %place, %c4 : i64
    %here = llvm.getelementptr %terms[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %here_n = llvm.getelementptr %here[1] : (!llvm.ptr) -> !llvm.ptr, i64
    %exists = arith.cmpi slt, %place, %count : i64
    %same = scf.if %exists -> i1 {
      %other = llvm.load %here : !llvm.ptr -> i64
      %is_same = arith.cmpi eq, %other, %c : i64
      scf.yield %is_same : i1
    } else {
      scf.yield %exists : i1
    }
    %new_count = scf.if %same -> i64 {
      %old = llvm.load %here_n : !llvm.ptr -> i64
      %sum = arith.addi %old, %n : i64
      %merged = arith.subi %sum, %c1 : i64
      llvm.store %merged, %here_n : i64, !llvm.ptr
      scf.yield %count : i64
    } else {
      scf.for %i = %place to %count step %c1 : i64 {
        %moved = arith.subi %count, %i : i64
        %before = arith.addi %place, %moved : i64
        %source = arith.subi %before, %c1 : i64
        %source_at = arith.muli %source, %c4 : i64
        %from = llvm.getelementptr %terms[%source_at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
        %from_n = llvm.getelementptr %from[1] : (!llvm.ptr) -> !llvm.ptr, i64
        %to = llvm.getelementptr %from[4] : (!llvm.ptr) -> !llvm.ptr, i64
        %to_n = llvm.getelementptr %from[5] : (!llvm.ptr) -> !llvm.ptr, i64
        %moved_c = llvm.load %from : !llvm.ptr -> i64
        %moved_n = llvm.load %from_n : !llvm.ptr -> i64
        llvm.store %moved_c, %to : i64, !llvm.ptr
        llvm.store %moved_n, %to_n : i64, !llvm.ptr
      }
      llvm.store %c, %here : i64, !llvm.ptr
      llvm.store %n, %here_n : i64, !llvm.ptr
      %more = arith.addi %count, %c1 : i64
      scf.yield %more : i64
    }
    scf.yield %new_count : i64
  }
  return %result : i64
}

// Ends the list, fills in spans and divisors, and searches.
func.func private @__ein_solve(%terms: !llvm.ptr, %count: i64, %lo: i64, %hi: i64) -> i1
    attributes {ein.rare, llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %limit = arith.constant 16384 : i64
  %end_at = arith.muli %count, %c4 : i64
  %end = llvm.getelementptr %terms[%end_at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %end_span = llvm.getelementptr %end[2] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %c0, %end_span : i64, !llvm.ptr
  scf.for %i = %c0 to %count step %c1 iter_args(%span = %c0, %gcd = %c0) -> (i64, i64) : i64 {
    %behind = arith.subi %count, %i : i64
    %place = arith.subi %behind, %c1 : i64
    %at = arith.muli %place, %c4 : i64
    %term = llvm.getelementptr %terms[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %term_n = llvm.getelementptr %term[1] : (!llvm.ptr) -> !llvm.ptr, i64
    %term_span = llvm.getelementptr %term[2] : (!llvm.ptr) -> !llvm.ptr, i64
    %term_gcd = llvm.getelementptr %term[3] : (!llvm.ptr) -> !llvm.ptr, i64
    %c = llvm.load %term : !llvm.ptr -> i64
    %n = llvm.load %term_n : !llvm.ptr -> i64
    %steps = arith.subi %n, %c1 : i64
    %reach = arith.muli %c, %steps : i64
    %new_span = arith.addi %span, %reach : i64
    %new_gcd:2 = scf.while (%a = %c, %b = %gcd) : (i64, i64) -> (i64, i64) {
      %go = arith.cmpi ne, %b, %c0 : i64
      scf.condition(%go) %a, %b : i64, i64
    } do {
    ^bb0(%a: i64, %b: i64):
      %r = arith.remsi %a, %b : i64
      scf.yield %b, %r : i64, i64
    }
    llvm.store %new_span, %term_span : i64, !llvm.ptr
    llvm.store %new_gcd#0, %term_gcd : i64, !llvm.ptr
    scf.yield %new_span, %new_gcd#0 : i64, i64
  }
  %budget = llvm.alloca %c1 x i64 : (i64) -> !llvm.ptr
  llvm.store %limit, %budget : i64, !llvm.ptr
  %result = func.call @__ein_find(%terms, %lo, %hi, %budget)
    : (!llvm.ptr, i64, i64, !llvm.ptr) -> i1
  return %result : i1
}

// Adds the terms of a view, whose strides count elements of `width` bytes; the
// new count.
func.func private @__ein_add_view(%terms: !llvm.ptr, %count: i64,
    %sizes: !llvm.ptr, %strides: !llvm.ptr, %rank: i64, %width: i64) -> i64
    attributes {ein.rare, llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %result = scf.for %d = %c0 to %rank step %c1 iter_args(%so_far = %count) -> (i64) : i64 {
    %size_at = llvm.getelementptr %sizes[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %stride_at = llvm.getelementptr %strides[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %n = llvm.load %size_at : !llvm.ptr -> i64
    %stride = llvm.load %stride_at : !llvm.ptr -> i64
    %bytes = arith.muli %stride, %width : i64
    %more = func.call @__ein_add_term(%terms, %so_far, %bytes, %n)
      : (!llvm.ptr, i64, i64, i64) -> i64
    scf.yield %more : i64
  }
  return %result : i64
}

// The addresses of a view's lowest and highest elements, if it has any.
func.func private @__ein_get_bounds(%x: !llvm.ptr, %sizes: !llvm.ptr, %strides: !llvm.ptr,
    %rank: i64, %width: i64) -> (i64, i64) attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %first = llvm.ptrtoint %x : !llvm.ptr to i64
  %result:2 = scf.for %d = %c0 to %rank step %c1
      iter_args(%low = %first, %high = %first) -> (i64, i64) : i64 {
    %size_at = llvm.getelementptr %sizes[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %stride_at = llvm.getelementptr %strides[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %n = llvm.load %size_at : !llvm.ptr -> i64
    %stride = llvm.load %stride_at : !llvm.ptr -> i64
    %bytes = arith.muli %stride, %width : i64
    %steps = arith.subi %n, %c1 : i64
    %reach = arith.muli %bytes, %steps : i64
    %down = arith.minsi %reach, %c0 : i64
    %up = arith.maxsi %reach, %c0 : i64
    %lower = arith.addi %low, %down : i64
    %higher = arith.addi %high, %up : i64
    scf.yield %lower, %higher : i64, i64
  }
  return %result#0, %result#1 : i64, i64
}

// Whether each stride is at least what the dims after it span, as in the usual
// layouts: no two elements then meet.
func.func private @__ein_nests(%sizes: !llvm.ptr, %strides: !llvm.ptr, %rank: i64,
    %width: i64) -> i1 attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %yes = arith.constant true
  %result:2 = scf.for %i = %c0 to %rank step %c1
      iter_args(%so_far = %yes, %span = %width) -> (i1, i64) : i64 {
    %behind = arith.subi %rank, %i : i64
    %d = arith.subi %behind, %c1 : i64
    %size_at = llvm.getelementptr %sizes[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %stride_at = llvm.getelementptr %strides[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %n = llvm.load %size_at : !llvm.ptr -> i64
    %stride = llvm.load %stride_at : !llvm.ptr -> i64
    %negated = arith.subi %c0, %stride : i64
    %c = arith.maxsi %stride, %negated : i64
    %bytes = arith.muli %c, %width : i64
    %less = arith.subi %n, %c1 : i64
    %steps = arith.maxsi %less, %c0 : i64
    %single = arith.cmpi eq, %steps, %c0 : i64
    %apart = arith.cmpi sge, %bytes, %span : i64
    %good = arith.ori %single, %apart : i1
    %all = arith.andi %so_far, %good : i1
    %reach = arith.muli %bytes, %steps : i64
    %more = arith.addi %span, %reach : i64
    scf.yield %all, %more : i1, i64
  }
  return %result#0 : i1
}

func.func private @__ein_is_empty(%sizes: !llvm.ptr, %rank: i64) -> i1
    attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %no = arith.constant false
  %result = scf.for %d = %c0 to %rank step %c1 iter_args(%so_far = %no) -> (i1) : i64 {
    %size_at = llvm.getelementptr %sizes[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %n = llvm.load %size_at : !llvm.ptr -> i64
    %empty = arith.cmpi sle, %n, %c0 : i64
    %any = arith.ori %so_far, %empty : i1
    scf.yield %any : i1
  }
  return %result : i1
}

// Whether two views have a byte in common.
func.func private @__ein_overlap(
    %x: !llvm.ptr, %x_sizes: !llvm.ptr, %x_strides: !llvm.ptr, %x_rank: i64, %x_width: i64,
    %y: !llvm.ptr, %y_sizes: !llvm.ptr, %y_strides: !llvm.ptr, %y_rank: i64, %y_width: i64) -> i1
    attributes {llvm.linkage = #llvm.linkage<internal>} {
  %no = arith.constant false
  %x_bounds:2 = func.call @__ein_get_bounds(%x, %x_sizes, %x_strides, %x_rank, %x_width)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64) -> (i64, i64)
  %y_bounds:2 = func.call @__ein_get_bounds(%y, %y_sizes, %y_strides, %y_rank, %y_width)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64) -> (i64, i64)
  %x_end = arith.addi %x_bounds#1, %x_width : i64
  %y_end = arith.addi %y_bounds#1, %y_width : i64
  %before = arith.cmpi ule, %x_end, %y_bounds#0 : i64
  %behind = arith.cmpi ule, %y_end, %x_bounds#0 : i64
  %apart = arith.ori %before, %behind : i1
  %result = scf.if %apart -> i1 {
    scf.yield %no : i1
  } else {
    %found = func.call @__ein_search_overlap(%x_bounds#0, %x_sizes, %x_strides, %x_rank, %x_width,
                                             %y_bounds#1, %y_sizes, %y_strides, %y_rank, %y_width)
      : (i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64) -> i1
    scf.yield %found : i1
  }
  return %result : i1
}

// The same, of views that lie between each other: sum s_i a_i - sum t_j b_j lies
// between first y - first x - (width x - 1) and first y - first x + width y - 1.
// Counted from the lowest address of x and the highest of y, which are passed,
// all terms of the difference are positive.
func.func private @__ein_search_overlap(
    %x_low: i64, %x_sizes: !llvm.ptr, %x_strides: !llvm.ptr, %x_rank: i64, %x_width: i64,
    %y_high: i64, %y_sizes: !llvm.ptr, %y_strides: !llvm.ptr, %y_rank: i64, %y_width: i64) -> i1
    attributes {ein.rare, llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %no = arith.constant false
  %x_empty = func.call @__ein_is_empty(%x_sizes, %x_rank) : (!llvm.ptr, i64) -> i1
  %y_empty = func.call @__ein_is_empty(%y_sizes, %y_rank) : (!llvm.ptr, i64) -> i1
  %empty = arith.ori %x_empty, %y_empty : i1
  %result = scf.if %empty -> i1 {
    scf.yield %no : i1
  } else {
    %ranks = arith.addi %x_rank, %y_rank : i64
    %records = arith.addi %ranks, %c1 : i64
    %words = arith.muli %records, %c4 : i64
    %terms = llvm.alloca %words x i64 : (i64) -> !llvm.ptr
    %for_x = func.call @__ein_add_view(%terms, %c0, %x_sizes, %x_strides, %x_rank, %x_width)
      : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr, i64, i64) -> i64
    %count = func.call @__ein_add_view(%terms, %for_x, %y_sizes, %y_strides, %y_rank, %y_width)
      : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr, i64, i64) -> i64
    %distance = arith.subi %y_high, %x_low : i64
    %x_bytes = arith.subi %x_width, %c1 : i64
    %y_bytes = arith.subi %y_width, %c1 : i64
    %lo = arith.subi %distance, %x_bytes : i64
    %hi = arith.addi %distance, %y_bytes : i64
    %found = func.call @__ein_solve(%terms, %count, %lo, %hi) : (!llvm.ptr, i64, i64, i64) -> i1
    scf.yield %found : i1
  }
  return %result : i1
}

// Whether two elements of one view have a byte in common.
func.func private @__ein_overlaps_itself(%sizes: !llvm.ptr, %strides: !llvm.ptr, %rank: i64,
    %width: i64) -> i1 attributes {llvm.linkage = #llvm.linkage<internal>} {
  %no = arith.constant false
  %nests = func.call @__ein_nests(%sizes, %strides, %rank, %width)
    : (!llvm.ptr, !llvm.ptr, i64, i64) -> i1
  %result = scf.if %nests -> i1 {
    scf.yield %no : i1
  } else {
    %found = func.call @__ein_search_itself(%sizes, %strides, %rank, %width)
      : (!llvm.ptr, !llvm.ptr, i64, i64) -> i1
    scf.yield %found : i1
  }
  return %result : i1
}

// The same, of strides that do not nest: for each dim k, with the dims before it
// equal and at least one step apart along k.
func.func private @__ein_search_itself(%sizes: !llvm.ptr, %strides: !llvm.ptr, %rank: i64,
    %width: i64) -> i1 attributes {ein.rare, llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %no = arith.constant false
  %records = arith.addi %rank, %c1 : i64
  %words = arith.muli %records, %c4 : i64
  %terms = llvm.alloca %words x i64 : (i64) -> !llvm.ptr
  %empty = func.call @__ein_is_empty(%sizes, %rank) : (!llvm.ptr, i64) -> i1
  %result = scf.for %k = %c0 to %rank step %c1 iter_args(%so_far = %no) -> (i1) : i64 {
    %n_at = llvm.getelementptr %sizes[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %stride_at = llvm.getelementptr %strides[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %n = llvm.load %n_at : !llvm.ptr -> i64
    %stride = llvm.load %stride_at : !llvm.ptr -> i64
    %single = arith.cmpi sle, %n, %c1 : i64
    %done = arith.ori %so_far, %empty : i1
    %skip = arith.ori %single, %done : i1
    %found = scf.if %skip -> i1 {
      scf.yield %so_far : i1
    } else {
      %negated = arith.subi %c0, %stride : i64
      %c = arith.maxsi %stride, %negated : i64
      %base = arith.muli %c, %width : i64
      %steps = arith.subi %n, %c1 : i64
      %count = func.call @__ein_add_term(%terms, %c0, %base, %steps)
        : (!llvm.ptr, i64, i64, i64) -> i64
      %after = arith.addi %k, %c1 : i64
      %all:2 = scf.for %d = %after to %rank step %c1
          iter_args(%terms_so_far = %count, %low = %base) -> (i64, i64) : i64 {
        %m_at = llvm.getelementptr %sizes[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
        %t_at = llvm.getelementptr %strides[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
        %m = llvm.load %m_at : !llvm.ptr -> i64
        %t = llvm.load %t_at : !llvm.ptr -> i64
        %t_negated = arith.subi %c0, %t : i64
        %t_abs = arith.maxsi %t, %t_negated : i64
        %t_bytes = arith.muli %t_abs, %width : i64
        // From -(m - 1) to m - 1.
        %m_steps = arith.subi %m, %c1 : i64
        %m_sum = arith.addi %m, %m_steps : i64
        %more = func.call @__ein_add_term(%terms, %terms_so_far, %t_bytes, %m_sum)
          : (!llvm.ptr, i64, i64, i64) -> i64
        %down = arith.muli %t_bytes, %m_steps : i64
        %lower = arith.subi %low, %down : i64
        scf.yield %more, %lower : i64, i64
      }
      %bytes = arith.subi %width, %c1 : i64
      %sum = arith.addi %all#1, %bytes : i64
      %lo = arith.subi %c0, %sum : i64
      %hi = arith.subi %bytes, %all#1 : i64
      %hit = func.call @__ein_solve(%terms, %all#0, %lo, %hi) : (!llvm.ptr, i64, i64, i64) -> i1
      scf.yield %hit : i1
    }
    scf.yield %found : i1
  }
  return %result : i1
}
