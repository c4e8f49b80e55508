//! Texts of nearly right words, in the forms of other tools: an error or a value, never a panic.
//!
//! Damage to sample profiles is in `read.rs`; to BOLT's aggregated samples, beside their reader.

use hone_fdo::merge::{Fdata, is_fdata};
use hone_fdo::{counters, llvm_unsymbolized_reader};
use hone_symbols::Binary;
use testkit::arbitrary::{Result, Unstructured};
use testkit::by_chance;

/// Joins words, until the input of chance ends.
fn text(u: &mut Unstructured<'_>, words: &[&str]) -> Result<String> {
    let mut text = String::new();
    while !u.is_empty() {
        text += u.choose(words)?;
    }
    Ok(text)
}

#[test]
fn damaged_counts_of_bolt() {
    by_chance(|u| {
        let words = [
            "1 ",
            "0 ",
            "3 ",
            "6 ",
            "main ",
            "main/a.c/1 ",
            "\\ ",
            "ff ",
            "-1",
            "4\n",
            "\n",
            " ",
            "no_lbr",
            " cycles",
            "boltedcollection\n",
            "99999999999999999999 ",
            "é",
        ];
        let text = text(u, &words)?;
        let _ = is_fdata(text.as_bytes());
        if let Ok(counts) = Fdata::read(&text) {
            counts.total();
        }
        Ok(())
    });
}

#[test]
fn damaged_offsets_of_llvm_profgen() {
    let bytes = std::fs::read("/proc/self/exe").unwrap();
    let binary = Binary::parse(&bytes).unwrap();
    by_chance(|u| {
        let words = [
            "[main:3 @ f]\n",
            "[",
            "]",
            "2\n",
            "149",
            "14f",
            "-",
            "->",
            ":5\n",
            ":",
            "\n",
            "é",
            "ffffffffffffffff",
            "99999999999999999999",
            "0-0:18446744073709551615\n",
        ];
        let text = text(u, &words)?;
        let _ = llvm_unsymbolized_reader::recorded(&text, &binary, "/p");
        Ok(())
    });
}

#[test]
fn damaged_code_of_opt() {
    by_chance(|u| {
        let words = [
            "; *** IR Dump After x\n",
            "source_filename = \"a.c\"\n",
            "@__profn_f = ",
            "c\"f\\",
            "\"\n",
            "define i32 @f(",
            "define ",
            "@\"",
            ") {\n",
            "}\n",
            "%cmp = ",
            "br i1 ",
            "label %a, ",
            "switch i32 %x, ",
            "[\n",
            "]\n",
            "a:\n",
            "select ",
            "!dbg !",
            "3",
            "99999999999999999999",
            "call void @llvm.pseudoprobe(i64 ",
            "-9, i64 1, ",
            "i32 0, i64 -1)",
            "!3 = ",
            "!{",
            "\n",
            "é",
        ];
        let text = text(u, &words)?;
        counters::read(text.as_bytes()).unwrap();
        Ok(())
    });
}
