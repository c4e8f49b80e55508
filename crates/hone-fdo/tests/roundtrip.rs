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
            head: 0,
            body,
            callsites: Default::default(),
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
                head: 0,
                body,
                callsites,
            })
    })
}

fn profile() -> impl Strategy<Value = SampleProfile> {
    let with_head = (function(), 0u64..1 << 40)
        .prop_map(|(function, head)| FunctionSamples { head, ..function });
    btree_map(name(), with_head, 0..5).prop_map(|functions| SampleProfile { functions })
}

proptest! {
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
