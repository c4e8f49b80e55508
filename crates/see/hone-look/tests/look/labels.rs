//! CPU profiles split by labels: a profile of Go with the labels that `hone/go/rpc` sets.

use hone_look::selection::Selection;
use hone_views::{By, Table, folded, table};
use testkit::{fixture, recorded};

use crate::common::{pattern, row, stacks_of};

fn by(selection: &Selection, keys: &[&str]) -> Table {
    let named = stacks_of(&recorded("labels.pprof"), selection).unwrap();
    let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
    table(&named.stacks, By::Label(&keys))
}

#[test]
fn the_methods_of_a_service_are_told_apart() {
    let all = Selection::default();
    for (keys, heavy, light) in [
        (
            &[][..],
            "method=Heavy service=shop.Shop",
            "method=Light service=shop.Shop",
        ),
        (&["method"], "method=Heavy", "method=Light"),
        (
            &["service", "method"],
            "service=shop.Shop method=Heavy",
            "service=shop.Shop method=Light",
        ),
    ] {
        let table = by(&all, keys);
        let [heavy, light] = [heavy, light].map(|name| row(&table, name).self_weight);
        assert!(heavy > 2 * light, "{keys:?}: {table:#?}");
        let sum: u64 = table.rows.iter().map(|row| row.self_weight).sum();
        assert_eq!(sum, table.weight);
        let others = table.rows.iter().filter(|row| !row.name.contains('='));
        assert_eq!(others.count(), 1, "{table:#?}");
    }
    let services = by(&all, &["service"]);
    assert_eq!(services.rows[0].name, "service=shop.Shop");

    // Filters leave what the row of the label has.
    let light = row(&by(&all, &["method"]), "method=Light").self_weight;
    let focused = Selection {
        focus_label: pattern("^method=Light$"),
        ..Selection::default()
    };
    assert_eq!(by(&focused, &["method"]).weight, light);
    let without = Selection {
        ignore_label: pattern("^method=Light$"),
        ..Selection::default()
    };
    assert_eq!(by(&without, &["method"]).weight + light, services.weight);

    // Labels are the outermost frames.
    let mut named = stacks_of(&recorded("labels.pprof"), &all).unwrap();
    named
        .stacks
        .root_at_labels(&["service".into(), "method".into()]);
    let text = folded(&named.stacks);
    let weight = |line: &str| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap();
    let of_light = text
        .lines()
        .filter(|line| line.starts_with("service=shop.Shop;method=Light;"));
    assert_eq!(of_light.map(weight).sum::<u64>(), light);
    assert_eq!(text.lines().map(weight).sum::<u64>(), services.weight);
}

#[test]
fn a_recording_without_labels_has_none() {
    let named = stacks_of(&fixture("test.lbr"), &Selection::default()).unwrap();
    let table = table(&named.stacks, By::Label(&[]));
    assert_eq!(table.rows.len(), 1, "{table:#?}");
    assert!(!table.rows[0].name.contains('='));
}
