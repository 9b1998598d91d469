//===- ViewTables.mlir - Checks and copies of very many views -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of modules that have an entry of very many arguments (see
// TableHelpers.cpp). What other entries do with one argument after the other,
// in straight code, these do in loops over tables: LLVM takes more than twice
// as long for twice as much code, and pairs of arrays are four times as many.
//
// `views` has three slots of 8 bytes for an argument: data, where its sizes
// are, and where its strides are. A scalar lies in the first ones. `arguments`
// has a record for each that says what is known when it is compiled: rank,
// width, and the bits 1 (an array), 2 (written), 4 (read) and 8 (has to be
// contiguous). `extents` has the sizes that it has to have, one argument after
// the other.
//
//===----------------------------------------------------------------------===//

// Whether all views have these sizes.
func.func private @__ein_have_extents(%views: !llvm.ptr, %arguments: !llvm.ptr, %count: i64,
    %extents: !llvm.ptr) -> i1 attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %yes = arith.constant true
  %result:2 = scf.for %i = %c0 to %count step %c1 iter_args(%good = %yes, %wanted = %extents)
      -> (i1, !llvm.ptr) : i64 {
    %view = llvm.getelementptr %views[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i64>
    %argument = llvm.getelementptr %arguments[%i]
      : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i64>
    %rank = llvm.load %argument : !llvm.ptr -> i64
    %sizes_at = llvm.getelementptr %view[1] : (!llvm.ptr) -> !llvm.ptr, i64
    %sizes = llvm.load %sizes_at : !llvm.ptr -> !llvm.ptr
    %all = scf.for %d = %c0 to %rank step %c1 iter_args(%so_far = %good) -> (i1) : i64 {
      %size_at = llvm.getelementptr %sizes[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %wanted_at = llvm.getelementptr %wanted[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %size = llvm.load %size_at : !llvm.ptr -> i64
      %want = llvm.load %wanted_at : !llvm.ptr -> i64
      %same = arith.cmpi eq, %size, %want : i64
      %both = arith.andi %so_far, %same : i1
      scf.yield %both : i1
    }
    %next = llvm.getelementptr %wanted[%rank] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    scf.yield %all, %next : i1, !llvm.ptr
  }
  return %result#0 : i1
}

// Whether a written view overlaps itself or another view.
func.func private @__ein_any_overlap(%views: !llvm.ptr, %arguments: !llvm.ptr, %count: i64) -> i1
    attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %no = arith.constant false
  %result = scf.for %i = %c0 to %count step %c1 iter_args(%found = %no) -> (i1) : i64 {
    %view = llvm.getelementptr %views[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i64>
    %argument = llvm.getelementptr %arguments[%i]
      : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i64>
    %bits_at = llvm.getelementptr %argument[2] : (!llvm.ptr) -> !llvm.ptr, i64
    %bits = llvm.load %bits_at : !llvm.ptr -> i64
    %written = arith.andi %bits, %c2 : i64
    %is_written = arith.cmpi ne, %written, %c0 : i64
    %any = scf.if %is_written -> i1 {
      %rank = llvm.load %argument : !llvm.ptr -> i64
      %width_at = llvm.getelementptr %argument[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %width = llvm.load %width_at : !llvm.ptr -> i64
      %sizes_at = llvm.getelementptr %view[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %strides_at = llvm.getelementptr %view[2] : (!llvm.ptr) -> !llvm.ptr, i64
      %data = llvm.load %view : !llvm.ptr -> !llvm.ptr
      %sizes = llvm.load %sizes_at : !llvm.ptr -> !llvm.ptr
      %strides = llvm.load %strides_at : !llvm.ptr -> !llvm.ptr
      %has_dims = arith.cmpi ne, %rank, %c0 : i64
      %itself = scf.if %has_dims -> i1 {
        %twice = func.call @__ein_overlaps_itself(%sizes, %strides, %rank, %width)
          : (!llvm.ptr, !llvm.ptr, i64, i64) -> i1
        scf.yield %twice : i1
      } else {
        scf.yield %no : i1
      }
      %so_far = arith.ori %found, %itself : i1
      %others = scf.for %j = %c0 to %count step %c1 iter_args(%before = %so_far) -> (i1) : i64 {
        %other = llvm.getelementptr %arguments[%j]
          : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i64>
        %other_bits_at = llvm.getelementptr %other[2] : (!llvm.ptr) -> !llvm.ptr, i64
        %other_bits = llvm.load %other_bits_at : !llvm.ptr -> i64
        %array = arith.andi %other_bits, %c1 : i64
        %is_array = arith.cmpi ne, %array, %c0 : i64
        // A pair of which both are written is looked at once.
        %other_written = arith.andi %other_bits, %c2 : i64
        %only_read = arith.cmpi eq, %other_written, %c0 : i64
        %behind = arith.cmpi sgt, %j, %i : i64
        %is_due = arith.ori %only_read, %behind : i1
        %is_pair = arith.andi %is_array, %is_due : i1
        %is_open = arith.cmpi eq, %before, %no : i1
        %is_asked = arith.andi %is_pair, %is_open : i1
        %both = scf.if %is_asked -> i1 {
          %y = llvm.getelementptr %views[%j] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i64>
          %y_sizes_at = llvm.getelementptr %y[1] : (!llvm.ptr) -> !llvm.ptr, i64
          %y_strides_at = llvm.getelementptr %y[2] : (!llvm.ptr) -> !llvm.ptr, i64
          %y_data = llvm.load %y : !llvm.ptr -> !llvm.ptr
          %y_sizes = llvm.load %y_sizes_at : !llvm.ptr -> !llvm.ptr
          %y_strides = llvm.load %y_strides_at : !llvm.ptr -> !llvm.ptr
          %y_rank = llvm.load %other : !llvm.ptr -> i64
          %y_width_at = llvm.getelementptr %other[1] : (!llvm.ptr) -> !llvm.ptr, i64
          %y_width = llvm.load %y_width_at : !llvm.ptr -> i64
          %meet = func.call @__ein_overlap(%data, %sizes, %strides, %rank, %width,
                                           %y_data, %y_sizes, %y_strides, %y_rank, %y_width)
            : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64,
               !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64) -> i1
          scf.yield %meet : i1
        } else {
          scf.yield %before : i1
        }
        scf.yield %both : i1
      }
      scf.yield %others : i1
    } else {
      scf.yield %found : i1
    }
    scf.yield %any : i1
  }
  return %result : i1
}

// Whether the kernel cannot read a view as it is: a stride that it takes for
// granted, the last or all of them, is another one, and steps over something.
func.func private @__ein_has_other_strides(%view: !llvm.ptr, %argument: !llvm.ptr) -> i1
    attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %no = arith.constant false
  %rank = llvm.load %argument : !llvm.ptr -> i64
  %bits_at = llvm.getelementptr %argument[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %bits = llvm.load %bits_at : !llvm.ptr -> i64
  %contiguous = arith.andi %bits, %c8 : i64
  %takes_all = arith.cmpi ne, %contiguous, %c0 : i64
  %some = arith.minsi %rank, %c1 : i64
  %looked_at = arith.select %takes_all, %rank, %some : i64
  %sizes_at = llvm.getelementptr %view[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %strides_at = llvm.getelementptr %view[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %sizes = llvm.load %sizes_at : !llvm.ptr -> !llvm.ptr
  %strides = llvm.load %strides_at : !llvm.ptr -> !llvm.ptr
  %result:2 = scf.for %i = %c0 to %looked_at step %c1 iter_args(%so_far = %no, %wanted = %c1)
      -> (i1, i64) : i64 {
    %behind = arith.subi %rank, %i : i64
    %d = arith.subi %behind, %c1 : i64
    %size_at = llvm.getelementptr %sizes[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %stride_at = llvm.getelementptr %strides[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %size = llvm.load %size_at : !llvm.ptr -> i64
    %stride = llvm.load %stride_at : !llvm.ptr -> i64
    %other = arith.cmpi ne, %stride, %wanted : i64
    %steps = arith.cmpi sgt, %size, %c1 : i64
    %wrong = arith.andi %other, %steps : i1
    %any = arith.ori %so_far, %wrong : i1
    %next = arith.muli %wanted, %size : i64
    scf.yield %any, %next : i1, i64
  }
  return %result#0 : i1
}

// Makes the table of views that the kernel can read: a copy of a view that it
// cannot has strides of its own, which lie in `strides`, and as data where it
// begins behind the first one. Returns the bytes of all copies; -1 where there is none.
func.func private @__ein_plan_copies(%views: !llvm.ptr, %arguments: !llvm.ptr, %count: i64,
    %copies: !llvm.ptr, %strides: !llvm.ptr) -> i64
    attributes {llvm.linkage = #llvm.linkage<internal>} {
  %none = arith.constant -1 : i64
  %most = arith.constant 1152921504606846976 : i64 // 2^60
  %no = arith.constant false
  %yes = arith.constant true
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %result:3 = scf.for %i = %c0 to %count step %c1
      iter_args(%any = %no, %bytes = %c0, %place = %strides) -> (i1, i64, !llvm.ptr) : i64 {
    %view = llvm.getelementptr %views[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i64>
    %copy = llvm.getelementptr %copies[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i64>
    %argument = llvm.getelementptr %arguments[%i]
      : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i64>
    %slots = llvm.load %view : !llvm.ptr -> !llvm.array<3 x i64>
    llvm.store %slots, %copy : !llvm.array<3 x i64>, !llvm.ptr
    %is_copied = func.call @__ein_has_other_strides(%view, %argument) : (!llvm.ptr, !llvm.ptr) -> i1
    %next:3 = scf.if %is_copied -> (i1, i64, !llvm.ptr) {
      %rank = llvm.load %argument : !llvm.ptr -> i64
      %width_at = llvm.getelementptr %argument[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %width = llvm.load %width_at : !llvm.ptr -> i64
      %bits_at = llvm.getelementptr %argument[2] : (!llvm.ptr) -> !llvm.ptr, i64
      %bits = llvm.load %bits_at : !llvm.ptr -> i64
      %sizes_at = llvm.getelementptr %view[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %old_at = llvm.getelementptr %view[2] : (!llvm.ptr) -> !llvm.ptr, i64
      %new_at = llvm.getelementptr %copy[2] : (!llvm.ptr) -> !llvm.ptr, i64
      %sizes = llvm.load %sizes_at : !llvm.ptr -> !llvm.ptr
      %old = llvm.load %old_at : !llvm.ptr -> !llvm.ptr
      // Rows that are repeated are so in the copy, unless all have to be there:
      // no size is taken for a stride of zero but that of a dim without elements.
      %contiguous = arith.andi %bits, %c8 : i64
      %takes_all = arith.cmpi ne, %contiguous, %c0 : i64
      %repeats = arith.select %takes_all, %sizes, %old : !llvm.ptr
      %own = func.call @__ein_compact(%sizes, %repeats, %rank, %width, %place)
        : (!llvm.ptr, !llvm.ptr, i64, i64, !llvm.ptr) -> i64
      llvm.store %bytes, %copy : i64, !llvm.ptr
      llvm.store %place, %new_at : !llvm.ptr, !llvm.ptr
      // More than there is stays more, however many are added.
      %more = arith.addi %bytes, %own : i64
      %sum = arith.minsi %more, %most : i64
      %behind = llvm.getelementptr %place[%rank] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      scf.yield %yes, %sum, %behind : i1, i64, !llvm.ptr
    } else {
      scf.yield %any, %bytes, %place : i1, i64, !llvm.ptr
    }
    scf.yield %next#0, %next#1, %next#2 : i1, i64, !llvm.ptr
  }
  %all = arith.select %result#0, %result#1, %none : i64
  return %all : i64
}

// Has the copies begin at an address, and copies what is read.
func.func private @__ein_fill_copies(%views: !llvm.ptr, %arguments: !llvm.ptr, %count: i64,
    %copies: !llvm.ptr, %memory: !llvm.ptr) attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  scf.for %i = %c0 to %count step %c1 : i64 {
    %view = llvm.getelementptr %views[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i64>
    %copy = llvm.getelementptr %copies[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i64>
    %argument = llvm.getelementptr %arguments[%i]
      : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i64>
    %is_copied = func.call @__ein_has_other_strides(%view, %argument) : (!llvm.ptr, !llvm.ptr) -> i1
    scf.if %is_copied {
      %offset = llvm.load %copy : !llvm.ptr -> i64
      %to = llvm.getelementptr %memory[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %to, %copy : !llvm.ptr, !llvm.ptr
      %bits_at = llvm.getelementptr %argument[2] : (!llvm.ptr) -> !llvm.ptr, i64
      %bits = llvm.load %bits_at : !llvm.ptr -> i64
      %read = arith.andi %bits, %c4 : i64
      %is_read = arith.cmpi ne, %read, %c0 : i64
      scf.if %is_read {
        func.call @__ein_copy_argument(%copy, %view, %argument)
          : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
      }
    }
  }
  return
}

// Copies what is written back.
func.func private @__ein_return_copies(%views: !llvm.ptr, %arguments: !llvm.ptr, %count: i64,
    %copies: !llvm.ptr) attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  scf.for %i = %c0 to %count step %c1 : i64 {
    %view = llvm.getelementptr %views[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i64>
    %copy = llvm.getelementptr %copies[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i64>
    %argument = llvm.getelementptr %arguments[%i]
      : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i64>
    %bits_at = llvm.getelementptr %argument[2] : (!llvm.ptr) -> !llvm.ptr, i64
    %bits = llvm.load %bits_at : !llvm.ptr -> i64
    %written = arith.andi %bits, %c2 : i64
    %is_written = arith.cmpi ne, %written, %c0 : i64
    scf.if %is_written {
      %is_copied = func.call @__ein_has_other_strides(%view, %argument)
        : (!llvm.ptr, !llvm.ptr) -> i1
      scf.if %is_copied {
        func.call @__ein_copy_argument(%view, %copy, %argument)
          : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
      }
    }
  }
  return
}

func.func private @__ein_copy_argument(%to: !llvm.ptr, %from: !llvm.ptr, %argument: !llvm.ptr)
    attributes {llvm.linkage = #llvm.linkage<internal>} {
  %rank = llvm.load %argument : !llvm.ptr -> i64
  %width_at = llvm.getelementptr %argument[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %width = llvm.load %width_at : !llvm.ptr -> i64
  %to_data = llvm.load %to : !llvm.ptr -> !llvm.ptr
  %from_data = llvm.load %from : !llvm.ptr -> !llvm.ptr
  %sizes_at = llvm.getelementptr %from[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %to_strides_at = llvm.getelementptr %to[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %from_strides_at = llvm.getelementptr %from[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %sizes = llvm.load %sizes_at : !llvm.ptr -> !llvm.ptr
  %to_strides = llvm.load %to_strides_at : !llvm.ptr -> !llvm.ptr
  %from_strides = llvm.load %from_strides_at : !llvm.ptr -> !llvm.ptr
  func.call @__ein_copy(%to_data, %to_strides, %from_data, %from_strides, %sizes, %rank, %width)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64) -> ()
  return
}

// Whether a contiguous array that is written has a byte in common with another
// one. Each is a record of its address, its bytes, and whether it is written.
func.func private @__ein_any_span_overlaps(%spans: !llvm.ptr, %count: i64) -> i1
    attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %no = arith.constant false
  %result = scf.for %i = %c0 to %count step %c1 iter_args(%found = %no) -> (i1) : i64 {
    %x = llvm.getelementptr %spans[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i64>
    %x_bytes_at = llvm.getelementptr %x[1] : (!llvm.ptr) -> !llvm.ptr, i64
    %x_written_at = llvm.getelementptr %x[2] : (!llvm.ptr) -> !llvm.ptr, i64
    %x_begin = llvm.load %x : !llvm.ptr -> i64
    %x_bytes = llvm.load %x_bytes_at : !llvm.ptr -> i64
    %x_written = llvm.load %x_written_at : !llvm.ptr -> i64
    %x_end = arith.addi %x_begin, %x_bytes : i64
    %is_written = arith.cmpi ne, %x_written, %c0 : i64
    %has_elements = arith.cmpi ne, %x_bytes, %c0 : i64
    %is_asked = arith.andi %is_written, %has_elements : i1
    %any = scf.if %is_asked -> i1 {
      %others = scf.for %j = %c0 to %count step %c1 iter_args(%so_far = %found) -> (i1) : i64 {
        %y = llvm.getelementptr %spans[%j] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<3 x i64>
        %y_bytes_at = llvm.getelementptr %y[1] : (!llvm.ptr) -> !llvm.ptr, i64
        %y_begin = llvm.load %y : !llvm.ptr -> i64
        %y_bytes = llvm.load %y_bytes_at : !llvm.ptr -> i64
        %y_end = arith.addi %y_begin, %y_bytes : i64
        %is_other = arith.cmpi ne, %i, %j : i64
        %y_has_elements = arith.cmpi ne, %y_bytes, %c0 : i64
        %begins = arith.cmpi ult, %x_begin, %y_end : i64
        %ends = arith.cmpi ult, %y_begin, %x_end : i64
        %meet = arith.andi %begins, %ends : i1
        %are_two = arith.andi %is_other, %y_has_elements : i1
        %both = arith.andi %meet, %are_two : i1
        %sum = arith.ori %so_far, %both : i1
        scf.yield %sum : i1
      }
      scf.yield %others : i1
    } else {
      scf.yield %found : i1
    }
    scf.yield %any : i1
  }
  return %result : i1
}

// What the view helpers have (ViewOverlap.mlir, ViewCopies.mlir).
func.func private @__ein_overlaps_itself(!llvm.ptr, !llvm.ptr, i64, i64) -> i1
func.func private @__ein_overlap(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64,
                                 !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64) -> i1
func.func private @__ein_compact(!llvm.ptr, !llvm.ptr, i64, i64, !llvm.ptr) -> i64
func.func private @__ein_copy(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
