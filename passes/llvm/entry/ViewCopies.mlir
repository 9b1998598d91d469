//===- ViewCopies.mlir - Copies of views ----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of each module that has view entries (see AddViewHelpers.cpp).
//
// One side of a copy is contiguous, the other in whatever order its owner likes.
// Going through either in order touches a cache line of the other per element;
// so the two dims along which elements are near each other, on one side or the
// other, are done in square blocks.
//
//===----------------------------------------------------------------------===//

// The strides of a copy that the kernel can read, and its bytes, rounded up to
// whole cache lines. Rows that are one row repeated stay that, but for the last
// dim. Sizes that no memory could hold give so many bytes that there are none.
func.func private @__ein_compact(%sizes: !llvm.ptr, %strides: !llvm.ptr, %rank: i64, %width: i64,
    %new_strides: !llvm.ptr) -> i64 attributes {ein.rare, llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c63 = arith.constant 63 : i64
  %mask = arith.constant -64 : i64
  %most = arith.constant 36028797018963968 : i64 // 2^55
  %elements = scf.for %i = %c0 to %rank step %c1 iter_args(%stride = %c1) -> (i64) : i64 {
    %behind = arith.subi %rank, %i : i64
    %d = arith.subi %behind, %c1 : i64
    %size_at = llvm.getelementptr %sizes[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %old_at = llvm.getelementptr %strides[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %new_at = llvm.getelementptr %new_strides[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %n = llvm.load %size_at : !llvm.ptr -> i64
    %old = llvm.load %old_at : !llvm.ptr -> i64
    %still = arith.cmpi eq, %old, %c0 : i64
    %outer = arith.cmpi ne, %i, %c0 : i64
    %repeats = arith.andi %still, %outer : i1
    %new = arith.select %repeats, %c0, %stride : i64
    llvm.store %new, %new_at : i64, !llvm.ptr
    %divisor = arith.maxsi %n, %c1 : i64
    %room = arith.divsi %most, %divisor : i64
    %fits = arith.cmpi sle, %stride, %room : i64
    %product = arith.muli %stride, %n : i64
    %full = arith.select %fits, %product, %most : i64
    %next = arith.select %repeats, %stride, %full : i64
    scf.yield %next : i64
  }
  %bytes = arith.muli %elements, %width : i64
  %above = arith.addi %bytes, %c63 : i64
  %rounded = arith.andi %above, %mask : i64
  return %rounded : i64
}

// A row of `n` elements of 1, 2, 4, 8 or 16 bytes; strides count elements.
func.func private @__ein_copy_row(%to: !llvm.ptr, %to_stride: i64, %from: !llvm.ptr,
    %from_stride: i64, %n: i64, %width: i64) attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %w1 = arith.constant 1 : i64
  %is1 = arith.cmpi eq, %width, %w1 : i64
  scf.if %is1 {
    scf.for %i = %c0 to %n step %c1 : i64 {
      %to_at = arith.muli %i, %to_stride : i64
      %from_at = arith.muli %i, %from_stride : i64
      %to_here = llvm.getelementptr %to[%to_at] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %from_here = llvm.getelementptr %from[%from_at] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %value = llvm.load %from_here : !llvm.ptr -> i8
      llvm.store %value, %to_here : i8, !llvm.ptr
    }
  }
  %w2 = arith.constant 2 : i64
  %is2 = arith.cmpi eq, %width, %w2 : i64
  scf.if %is2 {
    scf.for %i = %c0 to %n step %c1 : i64 {
      %to_at = arith.muli %i, %to_stride : i64
      %from_at = arith.muli %i, %from_stride : i64
      %to_here = llvm.getelementptr %to[%to_at] : (!llvm.ptr, i64) -> !llvm.ptr, i16
      %from_here = llvm.getelementptr %from[%from_at] : (!llvm.ptr, i64) -> !llvm.ptr, i16
      %value = llvm.load %from_here : !llvm.ptr -> i16
      llvm.store %value, %to_here : i16, !llvm.ptr
    }
  }
  %w4 = arith.constant 4 : i64
  %is4 = arith.cmpi eq, %width, %w4 : i64
  scf.if %is4 {
    scf.for %i = %c0 to %n step %c1 : i64 {
      %to_at = arith.muli %i, %to_stride : i64
      %from_at = arith.muli %i, %from_stride : i64
      %to_here = llvm.getelementptr %to[%to_at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %from_here = llvm.getelementptr %from[%from_at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %value = llvm.load %from_here : !llvm.ptr -> i32
      llvm.store %value, %to_here : i32, !llvm.ptr
    }
  }
  %w8 = arith.constant 8 : i64
  %is8 = arith.cmpi eq, %width, %w8 : i64
  scf.if %is8 {
    scf.for %i = %c0 to %n step %c1 : i64 {
      %to_at = arith.muli %i, %to_stride : i64
      %from_at = arith.muli %i, %from_stride : i64
      %to_here = llvm.getelementptr %to[%to_at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %from_here = llvm.getelementptr %from[%from_at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %value = llvm.load %from_here : !llvm.ptr -> i64
      llvm.store %value, %to_here : i64, !llvm.ptr
    }
  }
  %c2 = arith.constant 2 : i64
  %w16 = arith.constant 16 : i64
  %is16 = arith.cmpi eq, %width, %w16 : i64
  scf.if %is16 {
    scf.for %i = %c0 to %n step %c1 : i64 {
      %to_step = arith.muli %i, %to_stride : i64
      %from_step = arith.muli %i, %from_stride : i64
      %to_at = arith.muli %to_step, %c2 : i64
      %from_at = arith.muli %from_step, %c2 : i64
      %to_here = llvm.getelementptr %to[%to_at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %from_here = llvm.getelementptr %from[%from_at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %to_next = llvm.getelementptr %to_here[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %from_next = llvm.getelementptr %from_here[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %value = llvm.load %from_here : !llvm.ptr -> i64
      %other = llvm.load %from_next : !llvm.ptr -> i64
      llvm.store %value, %to_here : i64, !llvm.ptr
      llvm.store %other, %to_next : i64, !llvm.ptr
    }
  }
  return
}

// Dims from `k` on; the last dim and dim `j`, if there is one, are left to the
// end and done in blocks, because one side is contiguous along one of them and
// the other along the other.
func.func private @__ein_copy_dims(%to: !llvm.ptr, %to_strides: !llvm.ptr, %from: !llvm.ptr,
    %from_strides: !llvm.ptr, %sizes: !llvm.ptr, %k: i64, %last: i64, %j: i64, %width: i64)
    attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %is_end = arith.cmpi eq, %k, %last : i64
  scf.if %is_end {
    %n_at = llvm.getelementptr %sizes[%last] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %to_at = llvm.getelementptr %to_strides[%last] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %from_at = llvm.getelementptr %from_strides[%last] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %n = llvm.load %n_at : !llvm.ptr -> i64
    %to_stride = llvm.load %to_at : !llvm.ptr -> i64
    %from_stride = llvm.load %from_at : !llvm.ptr -> i64
    %has_j = arith.cmpi sge, %j, %c0 : i64
    scf.if %has_j {
      %rows:3 = func.call @__ein_get_dim(%to_strides, %from_strides, %sizes, %j, %width)
        : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64) -> (i64, i64, i64)
      scf.for %row_block = %c0 to %rows#0 step %c32 : i64 {
        %row_rest = arith.subi %rows#0, %row_block : i64
        %row_count = arith.minsi %row_rest, %c32 : i64
        %row_end = arith.addi %row_block, %row_count : i64
        scf.for %block = %c0 to %n step %c32 : i64 {
          %rest = arith.subi %n, %block : i64
          %count = arith.minsi %rest, %c32 : i64
          %to_skip = arith.muli %block, %to_stride : i64
          %to_bytes = arith.muli %to_skip, %width : i64
          %from_skip = arith.muli %block, %from_stride : i64
          %from_bytes = arith.muli %from_skip, %width : i64
          scf.for %row = %row_block to %row_end step %c1 : i64 {
            %to_row = arith.muli %row, %rows#1 : i64
            %to_offset = arith.addi %to_row, %to_bytes : i64
            %from_row = arith.muli %row, %rows#2 : i64
            %from_offset = arith.addi %from_row, %from_bytes : i64
            %to_here = llvm.getelementptr %to[%to_offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
            %from_here = llvm.getelementptr %from[%from_offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
            func.call @__ein_copy_row(%to_here, %to_stride, %from_here,
                                      %from_stride, %count, %width)
              : (!llvm.ptr, i64, !llvm.ptr, i64, i64, i64) -> ()
          }
        }
      }
    } else {
      func.call @__ein_copy_row(%to, %to_stride, %from, %from_stride, %n, %width)
        : (!llvm.ptr, i64, !llvm.ptr, i64, i64, i64) -> ()
    }
  } else {
    %next = arith.addi %k, %c1 : i64
    %is_j = arith.cmpi eq, %k, %j : i64
    scf.if %is_j {
      func.call @__ein_copy_dims(%to, %to_strides, %from, %from_strides, %sizes,
                                 %next, %last, %j, %width)
        : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64) -> ()
    } else {
      %dim:3 = func.call @__ein_get_dim(%to_strides, %from_strides, %sizes, %k, %width)
        : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64) -> (i64, i64, i64)
      scf.for %z = %c0 to %dim#0 step %c1 : i64 {
        %to_offset = arith.muli %z, %dim#1 : i64
        %from_offset = arith.muli %z, %dim#2 : i64
        %to_here = llvm.getelementptr %to[%to_offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %from_here = llvm.getelementptr %from[%from_offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        func.call @__ein_copy_dims(%to_here, %to_strides, %from_here, %from_strides, %sizes, %next,
                                   %last, %j, %width)
          : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64) -> ()
      }
    }
  }
  return
}

// What a copy has to do along an outer dim: how many steps (one, if all land on
// the same place), and the bytes of each on either side.
func.func private @__ein_get_dim(%to_strides: !llvm.ptr, %from_strides: !llvm.ptr,
    %sizes: !llvm.ptr, %d: i64, %width: i64) -> (i64, i64, i64)
    attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n_at = llvm.getelementptr %sizes[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %to_at = llvm.getelementptr %to_strides[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %from_at = llvm.getelementptr %from_strides[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %n = llvm.load %n_at : !llvm.ptr -> i64
  %to_stride = llvm.load %to_at : !llvm.ptr -> i64
  %from_stride = llvm.load %from_at : !llvm.ptr -> i64
  %once = arith.minsi %n, %c1 : i64
  %still = arith.cmpi eq, %to_stride, %c0 : i64
  %steps = arith.select %still, %once, %n : i64
  %to_bytes = arith.muli %to_stride, %width : i64
  %from_bytes = arith.muli %from_stride, %width : i64
  return %steps, %to_bytes, %from_bytes : i64, i64, i64
}

// Copies a view of rank 1 or more to another of the same sizes.
func.func private @__ein_copy(%to: !llvm.ptr, %to_strides: !llvm.ptr, %from: !llvm.ptr,
    %from_strides: !llvm.ptr, %sizes: !llvm.ptr, %rank: i64, %width: i64)
    attributes {ein.rare, llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %none = arith.constant -1 : i64
  %far = arith.constant 9223372036854775807 : i64
  %last = arith.subi %rank, %c1 : i64
  // Dim `j` is the one beside the last where the nearest elements lie.
  %best:2 = scf.for %d = %c0 to %last step %c1 iter_args(%j = %none, %least = %far)
      -> (i64, i64) : i64 {
    %dim:3 = func.call @__ein_get_dim(%to_strides, %from_strides, %sizes, %d, %width)
      : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64) -> (i64, i64, i64)
    %to_down = arith.subi %c0, %dim#1 : i64
    %to_step = arith.maxsi %dim#1, %to_down : i64
    %from_down = arith.subi %c0, %dim#2 : i64
    %from_step = arith.maxsi %dim#2, %from_down : i64
    %step = arith.minsi %to_step, %from_step : i64
    %many = arith.cmpi sgt, %dim#0, %c1 : i64
    %less = arith.cmpi slt, %step, %least : i64
    %better = arith.andi %many, %less : i1
    %new_j = arith.select %better, %d, %j : i64
    %new_least = arith.select %better, %step, %least : i64
    scf.yield %new_j, %new_least : i64, i64
  }
  func.call @__ein_copy_dims(%to, %to_strides, %from, %from_strides, %sizes,
                             %c0, %last, %best#0, %width)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64) -> ()
  return
}
