//! Damaged files: an error or fewer answers, never a panic and never a long wait.

mod common;

use common::{LAYOUTS, PROFILING, compile, have};
use hone_profile::{FileOffset, Svma};
use hone_symbols::{Binary, BlockMap, DebugInfo};

/// Asks everything once.
fn ask(bytes: &[u8]) -> usize {
    let Ok(binary) = Binary::parse(bytes) else {
        return 0;
    };
    let mut answers = binary.functions().len() + binary.plt().entries().len();
    answers += (0..bytes.len() as u64)
        .step_by(101)
        .filter_map(|offset| binary.svma_of(FileOffset(offset)))
        .filter(|&svma| binary.bytes_at(svma, 16).is_some())
        .count();
    let map = BlockMap::parse(&binary).ok().flatten().unwrap_or_default();
    answers += map
        .functions()
        .iter()
        .map(|f| f.blocks.len())
        .sum::<usize>();
    let Ok(debug) = DebugInfo::parse(&binary) else {
        return answers;
    };
    answers += usize::from(debug.was_built_for_profiling());
    let starts = binary.functions().iter().map(|function| function.start);
    for start in starts.take(200).chain([Svma(0), Svma(u64::MAX)]) {
        answers += debug.inline_stack(start).len();
    }
    answers
}

#[test]
fn damaged_binaries_do_not_panic() {
    if !have(&["clang++-19", "ld.lld-19"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for layout in [&LAYOUTS[0], &LAYOUTS[1], &LAYOUTS[3]] {
        let map = ["-fbasic-block-address-map"];
        let path = compile(dir.path(), &[layout.flags, &PROFILING, &map].concat());
        let whole = std::fs::read(path).unwrap();
        let answers = ask(&whole);
        assert!(answers > 50, "{answers} answers of the whole file");
        arbtest::arbtest(|u| {
            let mut bytes = whole.clone();
            for _ in 0..u.int_in_range(1..=20)? {
                // Headers and tables are small: aim at the start, the end, or anywhere.
                let last = bytes.len() - 1;
                let at = match u.int_in_range(0..=2)? {
                    0 => u.int_in_range(0..=1023)?,
                    1 => last - u.int_in_range(0..=4095)?,
                    _ => u.int_in_range(0..=last)?,
                };
                bytes[at] = u.arbitrary()?;
            }
            bytes.truncate(u.int_in_range(0..=bytes.len() * 4)?.max(64));
            ask(&bytes);
            Ok(())
        })
        .budget_ms(3_000);
    }
}
