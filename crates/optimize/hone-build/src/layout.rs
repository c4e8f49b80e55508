//! Another layout of the same code: the order in which objects are linked, and a gap before the first.
//!
//! A binary is one sample of the layouts that its source could have had, and the luck of the draw can be
//! as large as a lever's effect (Mytkowicz, Diwan, Hauswirth, Sweeney, "Producing wrong data without
//! doing anything obviously wrong!", ASPLOS 2009). Building a variant several times with different seeds
//! shows how much of a difference is luck.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng, rngs::StdRng};

/// Bytes in the gap before the program's code: a multiple of 16 below 4,096.
pub fn gap_bytes(seed: u64) -> u32 {
    StdRng::seed_from_u64(seed).random_range(0..256) * 16
}

/// Assembler source of the gap. It is linked in front of the program's own objects. Nothing refers to it, so it is
/// marked to be retained (`R`, SHF_GNU_RETAIN) where the linker collects sections.
pub fn gap_source(seed: u64) -> String {
    format!(
        "    .section .text.gap,\"axR\",@progbits\n    .balign 16\n    .skip {}, 0xcc\n    .section .note.GNU-stack,\"\",@progbits\n",
        gap_bytes(seed)
    )
}

/// Shuffles the object files among a link's arguments. All other arguments, including libraries, keep their
/// places.
pub fn shuffle_objects(arguments: &mut [String], seed: u64) {
    let places: Vec<usize> = (0..arguments.len())
        .filter(|&index| is_object(arguments, index))
        .collect();
    let mut objects: Vec<String> = places
        .iter()
        .map(|&index| arguments[index].clone())
        .collect();
    objects.shuffle(&mut StdRng::seed_from_u64(seed));
    for (place, object) in places.into_iter().zip(objects) {
        arguments[place] = object;
    }
}

fn is_object(arguments: &[String], index: usize) -> bool {
    let is_output = index > 0 && arguments[index - 1] == "-o";
    arguments[index].ends_with(".o") && !arguments[index].starts_with('-') && !is_output
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_objects_move() {
        let before: Vec<String> = "-o out.o a.o b.o -la c.o d.o e.o x.a f.o"
            .split(' ')
            .map(Into::into)
            .collect();
        let mut moved = false;
        for seed in 0..20 {
            let mut after = before.clone();
            shuffle_objects(&mut after, seed);
            for (index, argument) in before.iter().enumerate() {
                if !is_object(&before, index) {
                    assert_eq!(argument, &after[index]);
                }
            }
            moved |= after != before;
            after.sort();
            let mut sorted = before.clone();
            sorted.sort();
            assert_eq!(after, sorted);
        }
        assert!(moved);
    }

    #[test]
    fn gaps_keep_the_alignment_of_functions() {
        assert!((0..100).all(|seed| gap_bytes(seed).is_multiple_of(16) && gap_bytes(seed) < 4096));
        assert!(
            (0..100)
                .map(gap_bytes)
                .collect::<std::collections::BTreeSet<_>>()
                .len()
                > 30
        );
    }
}
