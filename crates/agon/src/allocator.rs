//! Where the program's memory comes from.

use std::alloc::{GlobalAlloc, Layout, System};

use mimalloc::MiMalloc;

/// From this size on memory comes from the C library, in bytes.
const LARGE: usize = 16 << 10;

/// The server allocates for every move of every game, and for such small pieces mimalloc takes about a tenth less CPU time of a move than
/// the C library. It keeps large pieces for long after they were freed, though: files that many read and records that are uploaded left
/// a server with 730 MB that needs 240 MB. The C library gives those back.
pub(crate) struct Allocator;

fn is_large(size: usize) -> bool {
    size >= LARGE
}

// SAFETY: both allocators keep the contract, and which of them a piece came from is known by its size, which the caller gives back.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe { if is_large(layout.size()) { System.alloc(layout) } else { MiMalloc.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe {
            if is_large(layout.size()) { System.alloc_zeroed(layout) } else { MiMalloc.alloc_zeroed(layout) }
        }
    }

    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises, and `layout` is the one that it was allocated with.
        unsafe {
            if is_large(layout.size()) {
                System.dealloc(piece, layout)
            } else {
                MiMalloc.dealloc(piece, layout)
            }
        }
    }

    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises. A piece that changes its allocator is copied, as far as both sizes go.
        unsafe {
            match (is_large(layout.size()), is_large(size)) {
                (true, true) => System.realloc(piece, layout, size),
                (false, false) => MiMalloc.realloc(piece, layout, size),
                _ => {
                    let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
                    if !moved.is_null() {
                        std::ptr::copy_nonoverlapping(piece, moved, layout.size().min(size));
                        self.dealloc(piece, layout);
                    }
                    moved
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_stay_when_a_piece_grows_and_shrinks_across_the_border() {
        let sizes = [10, LARGE - 1, LARGE, 3 * LARGE, LARGE + 1, LARGE - 1, 10];
        for align in [1, 64] {
            let layout = |size| Layout::from_size_align(size, align).expect("a layout");
            // SAFETY: every piece is written within its size, and given back with the layout that it has.
            unsafe {
                let mut piece = Allocator.alloc_zeroed(layout(sizes[0]));
                piece.write_bytes(7, sizes[0]);
                for pair in sizes.windows(2) {
                    piece = Allocator.realloc(piece, layout(pair[0]), pair[1]);
                    assert!(piece.addr().is_multiple_of(align));
                    assert_eq!(std::slice::from_raw_parts(piece, 10), [7; 10]);
                }
                Allocator.dealloc(piece, layout(10));
            }
        }
    }
}
