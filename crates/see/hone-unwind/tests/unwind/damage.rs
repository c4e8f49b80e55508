//! Damaged files and arbitrary stacks: an answer, never a panic, and never a frame outside of the code.

use hone_unwind::{Image, Place, Process, Registers, Start, Unwinder};
use std::io::Cursor;
use testkit::by_chance_of;

/// One file, mapped at an address of its own.
struct One {
    image: Option<Image>,
    len: u64,
}

const BASE: u64 = 0x5555_0000_0000;

impl Process for One {
    fn find(&self, address: u64) -> Option<Place> {
        let offset = address
            .checked_sub(BASE)
            .filter(|offset| *offset < self.len)?;
        Some(Place {
            file: Some(0),
            offset,
        })
    }

    fn load(&mut self, _: u32) -> Option<Image> {
        self.image.take()
    }
}

/// A small program with unwind information: the loader's, or any other that is there.
fn program() -> Vec<u8> {
    let files = ["/lib64/ld-linux-x86-64.so.2", "/bin/true", "/bin/sh"];
    let found = files.iter().find_map(|file| std::fs::read(file).ok());
    found.unwrap_or_default()
}

#[test]
fn damaged_files_and_arbitrary_stacks() {
    let bytes = program();
    if Image::read(Cursor::new(&bytes)).is_err() {
        println!("skipped: no program to damage");
        return;
    }
    by_chance_of(1 << 12, |u| {
        let mut damaged = bytes.clone();
        for _ in 0..u.int_in_range(0..=64)? {
            let at = u.choose_index(damaged.len())?;
            damaged[at] = u.arbitrary()?;
        }
        let mut process = One {
            image: Image::read(Cursor::new(&damaged)).ok(),
            len: damaged.len() as u64,
        };
        let sp = 0x7fff_0000_0000;
        let mut registers = Registers {
            ip: BASE + u.int_in_range(0..=process.len)?,
            ..Registers::default()
        };
        for register in &mut registers.general {
            *register = Some(sp + 8 * u.int_in_range(0..=64)?);
        }
        registers.general[7] = Some(sp);
        let mut stack = Vec::new();
        for _ in 0..64 {
            let word = match u.arbitrary()? {
                true => BASE + u.int_in_range(0..=process.len)?,
                false => sp + 8 * u.int_in_range(0..=64)?,
            };
            stack.extend_from_slice(&word.to_le_bytes());
        }
        let start = Start {
            registers,
            stack: &stack,
            wanted: stack.len(),
        };
        let mut unwinder = Unwinder::default();
        let mut frames = Vec::new();
        let _ = unwinder.unwind(&start, &mut process, &mut frames);
        assert_eq!(frames[0], registers.ip);
        for frame in &frames[1..] {
            assert!(process.find(frame - 1).is_some() || process.find(*frame).is_some());
        }
        Ok(())
    });
}

#[test]
fn other_files_are_refused() {
    for bytes in [&b""[..], b"\x7fELF", b"#!/bin/sh\n"] {
        assert!(Image::read(Cursor::new(bytes)).is_err());
    }
}
