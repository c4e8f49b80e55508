//! The dynamic linker, which the kernel starts: nobody called it, and it need not say so.

use hone_unwind::{Ended, Image, Place, Process, Registers, Start, Unwinder};
use object::Object;
use std::fs::{self, File};

const LINKER: &str = "/lib64/ld-linux-x86-64.so.2";

/// The linker, mapped as its file is.
struct Linker;

impl Process for Linker {
    fn find(&self, address: u64) -> Option<Place> {
        Some(Place {
            file: Some(1),
            offset: address,
        })
    }

    fn load(&mut self, _: u32) -> Option<Image> {
        Image::read(File::open(LINKER).ok()?).ok()
    }
}

#[test]
fn where_the_kernel_starts_is_the_root() {
    let Ok(bytes) = fs::read(LINKER) else {
        println!("skipped: no {LINKER} here");
        return;
    };
    // Its code has the same addresses as offsets, in all releases of glibc so far.
    let entry = object::File::parse(&*bytes).unwrap().entry();
    let ended = |ip| {
        let mut registers = Registers {
            ip,
            ..Registers::default()
        };
        registers.general[7] = Some(0x7000);
        let start = Start {
            registers,
            stack: &[0; 64],
            wanted: 128,
        };
        let mut frames = Vec::new();
        Unwinder::default()
            .unwind(&start, &mut Linker, &mut frames)
            .ended
    };
    assert_eq!(ended(entry), Ended::Root);
    // Behind its first call.
    assert_eq!(ended(entry + 8), Ended::Root);
    // Padding before it is not the start.
    assert_ne!(ended(entry - 1), Ended::Root);
}
