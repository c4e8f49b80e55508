//! Any profile, written and read back by the independent reader.

use hone_fdo::check::{compare, read_extbinary, read_text};
use hone_fdo::{
    FunctionSamples, LineKey, LineSamples, ProfileSummary, SampleProfile, autofdo_text, extbinary,
};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

fn name() -> impl Strategy<Value = String> {
    "[_a-zA-Z][_a-zA-Z0-9.$]{0,12}"
}

fn key() -> impl Strategy<Value = LineKey> {
    (0u32..0x1_0000, 0u32..0x1000).prop_map(|(line_offset, discriminator)| LineKey {
        line_offset,
        discriminator,
    })
}

fn line() -> impl Strategy<Value = LineSamples> {
    (0u64..1 << 40, btree_map(name(), 0u64..1 << 40, 0..3))
        .prop_map(|(count, targets)| LineSamples { count, targets })
}

fn function() -> impl Strategy<Value = FunctionSamples> {
    let leaf =
        (0u64..1 << 50, btree_map(key(), line(), 0..5)).prop_map(|(total, body)| FunctionSamples {
            total,
            body,
            ..Default::default()
        });
    leaf.prop_recursive(3, 12, 3, |inner| {
        let callees = btree_map(name(), inner, 1..3);
        (
            0u64..1 << 50,
            btree_map(key(), line(), 0..4),
            btree_map(key(), callees, 0..3),
        )
            .prop_map(|(total, body, callsites)| FunctionSamples {
                total,
                body,
                callsites,
                ..Default::default()
            })
    })
}

fn profile() -> impl Strategy<Value = SampleProfile> {
    let with_head = (function(), 0u64..1 << 40)
        .prop_map(|(function, head)| FunctionSamples { head, ..function });
    btree_map(name(), with_head, 0..5).prop_map(|functions| SampleProfile { functions })
}

/// Gives every function and every inlined call a checksum, as in a profile keyed by pseudo probes.
fn with_checksums(mut profile: SampleProfile, seed: u64) -> SampleProfile {
    fn visit(function: &mut FunctionSamples, next: &mut u64) {
        function.checksum = Some(*next);
        *next = next.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let callees = function.callsites.values_mut();
        callees
            .flat_map(|callees| callees.values_mut())
            .for_each(|callee| visit(callee, next));
    }
    let mut next = seed;
    let functions = profile.functions.values_mut();
    functions.for_each(|function| visit(function, &mut next));
    profile
}

proptest! {
    #[test]
    fn both_forms_keep_checksums(profile in profile(), seed in any::<u64>()) {
        let profile = with_checksums(profile, seed);
        let text = read_text(&autofdo_text::write(&profile)).unwrap();
        prop_assert_eq!(compare(&profile, &text), []);
        let binary = read_extbinary(&extbinary::write(&profile, None)).unwrap();
        prop_assert_eq!(compare(&profile, &binary), []);
        prop_assert_eq!(&text.functions, &binary.functions);
        if let Some(function) = profile.functions.values().next() {
            let mut other = profile.clone();
            other.functions.values_mut().next().unwrap().checksum = function.checksum.map(|sum| !sum);
            prop_assert_eq!(compare(&other, &text).len(), 1);
        }
    }

    #[test]
    fn text_keeps_everything(profile in profile()) {
        let parsed = read_text(&autofdo_text::write(&profile)).unwrap();
        prop_assert_eq!(compare(&profile, &parsed), []);
    }

    #[test]
    fn extbinary_keeps_everything(profile in profile(), symbols in vec(name(), 0..5)) {
        let parsed = read_extbinary(&extbinary::write(&profile, Some(&symbols))).unwrap();
        prop_assert_eq!(compare(&profile, &parsed), []);
        let sorted: std::collections::BTreeSet<_> = symbols.into_iter().collect();
        prop_assert!(parsed.symbol_list.iter().eq(&sorted));
        let summary = ProfileSummary::of(&profile);
        let fields = [
            summary.total_count,
            summary.max_count,
            summary.max_function_count,
            summary.counts,
            summary.functions,
        ];
        prop_assert_eq!(parsed.summary, Some(fields));
    }

    #[test]
    fn damage_is_an_error_or_a_difference_but_no_panic(
        profile in profile(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let profile = if byte % 2 == 0 { profile } else { with_checksums(profile, 1) };
        let mut bytes = extbinary::write(&profile, None);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = read_extbinary(&bytes);
        let _ = read_extbinary(&bytes[..at]);
        let _ = read_text(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn a_changed_number_is_found(profile in profile()) {
        prop_assume!(!profile.functions.is_empty());
        let parsed = read_text(&autofdo_text::write(&profile)).unwrap();
        let mut changed = profile;
        changed.functions.values_mut().next().unwrap().total += 1;
        prop_assert_eq!(compare(&changed, &parsed).len(), 1);
    }
}
