//! Effects of each lever: size, build time, and the indirect calls that were executed.
//!
//! Promotion keeps the fallback call in the code, so counting call instructions in the binary would show
//! nothing. The figures here come from branch records: calls that really happened.

use super::markup::{Attributes, Html};
use super::{empty, plot, scrolling_table, section};
use crate::model::{CallSite, IndirectCalls, LadderReport, Rung};
use crate::{number, sentences};
use std::fmt::Display;

/// Number of call sites shown per rung; the embedded JSON has all of them.
const SITES_SHOWN: usize = 8;
/// Number of targets named per call site.
const TARGETS_SHOWN: usize = 3;

/// Writes the section.
pub(super) fn levers(html: &mut Html, report: &LadderReport) {
    section(html, "levers", "What each lever did", |html| {
        let built = |rung: &Rung| rung.file_bytes.is_some() || rung.build_s > 0.0;
        if !report.rungs.iter().any(built) {
            empty(html, "Nothing was built.");
        } else {
            sizes(html, report);
        }
        html.leaf("h3", &[], "Indirect calls executed");
        if report
            .rungs
            .iter()
            .all(|rung| rung.indirect_calls.is_none())
        {
            empty(html, "No branch records were counted in this run.");
            return;
        }
        html.leaf(
            "p",
            &[("class", &"aside")],
            "Per 1,000 instructions executed in the program's own binary, PLT apart, counted in branch \
             records. The count beside each figure is the sample it rests on; a small difference between \
             two samples means nothing. Of call sites and targets only the hottest are kept.",
        );
        rates(html, report);
        for (index, rung) in report.rungs.iter().enumerate() {
            if let Some(calls) = rung.indirect_calls.as_ref().filter(|c| !c.sites.is_empty()) {
                sites(html, report, index, rung, calls);
            }
        }
    });
}

fn sizes(html: &mut Html, report: &LadderReport) {
    let headings = [
        "Rung",
        "Build",
        "Binary file",
        "Loaded of it",
        "Machine code",
        "Set against",
        "Flags it added",
    ];
    scrolling_table(html, "stacked", &headings, |html| {
        for (index, rung) in report.rungs.iter().enumerate() {
            let base = sentences::base_of(report, index);
            html.inside("tr", &[], |html| {
                html.leaf("th", &[("scope", &"row")], &rung.title);
                let build = if rung.build_s > 0.0 {
                    number::seconds(rung.build_s)
                } else {
                    "–".to_owned()
                };
                let labelled = [
                    ("class", &"nowrap" as &dyn Display),
                    ("data-label", &"Build"),
                ];
                html.leaf("td", &labelled, build);
                let before = (
                    base.and_then(|base| base.loaded_bytes),
                    base.and_then(|base| base.text_bytes),
                );
                // Debug information makes the file larger, but not the program.
                size(html, "Binary file", None, rung.file_bytes);
                size(html, "Loaded of it", before.0, rung.loaded_bytes);
                size(html, "Machine code", before.1, rung.text_bytes);
                html.leaf(
                    "td",
                    &[("data-label", &"Set against")],
                    base.filter(|_| rung.file_bytes.is_some())
                        .map_or("–", |base| &base.title),
                );
                html.inside(
                    "td",
                    &[("class", &"flags"), ("data-label", &"Flags")],
                    |html| {
                        chips(html, &sentences::added_flags(report, index));
                    },
                );
            });
        }
    });
}

fn size(html: &mut Html, label: &'static str, before: Option<u64>, after: Option<u64>) {
    html.inside(
        "td",
        &[("class", &"nowrap"), ("data-label", &label)],
        |html| {
            let Some(after) = after else {
                html.text("–");
                return;
            };
            html.text(number::bytes(after));
            if let Some(change) = before.and_then(|before| number::change(before, after)) {
                html.leaf("span", &[("class", &"change")], change);
            }
        },
    );
}

fn chips(html: &mut Html, words: &[String]) {
    if words.is_empty() {
        html.text("–");
    }
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            html.text(" ");
        }
        html.leaf("code", &[], word);
    }
}

fn rates(html: &mut Html, report: &LadderReport) {
    let counted = || {
        let rungs = report.rungs.iter();
        rungs.filter_map(|rung| Some((rung, rung.indirect_calls.as_ref()?)))
    };
    let most = counted()
        .map(|(_, calls)| calls.per_1000_instructions)
        .filter(|rate| rate.is_finite())
        .fold(0.0, f64::max);
    html.inside("div", &[("class", &"rates")], |html| {
        for (rung, calls) in counted() {
            let rate = calls.per_1000_instructions;
            html.inside("div", &[("class", &"rate")], |html| {
                html.leaf("span", &[("class", &"what")], &rung.title);
                plot::amount(html, if most > 0.0 { rate / most } else { 0.0 }, "calls");
                html.inside("span", &[("class", &"value")], |html| {
                    html.leaf("b", &[], number::fixed(rate, 2));
                    let count = number::count(calls.instructions);
                    html.leaf(
                        "span",
                        &[("class", &"against")],
                        format_args!("in {count} instructions"),
                    );
                });
            });
        }
    });
}

fn sites(html: &mut Html, report: &LadderReport, index: usize, rung: &Rung, calls: &IndirectCalls) {
    let before = sentences::counted_before(report, index);
    let winner = report
        .recipe
        .as_ref()
        .is_some_and(|recipe| recipe.rung == rung.id);
    let open: Attributes<'_> = if winner { &[("open", &"open")] } else { &[] };
    html.inside("details", open, |html| {
        html.inside("summary", &[], |html| {
            html.text(format_args!("Call sites of {}", rung.title));
            if let Some(before) = before {
                html.text(format_args!(", beside {}", before.title));
            }
        });
        let calls_before = before.and_then(|before| before.indirect_calls.as_ref());
        let (headings, rows): (&[&'static str], Vec<Pair>) = match calls_before {
            Some(before) => (
                &["Call site", "Before", "After", "Targets"],
                paired(before, calls),
            ),
            None => (
                &["Call site", "Per 1,000", "Targets"],
                by_place(&calls.sites)
                    .into_iter()
                    .map(|site| (None, Some(site)))
                    .collect(),
            ),
        };
        scrolling_table(html, "stacked", headings, |html| {
            for (earlier, later) in rows.iter().take(SITES_SHOWN) {
                site_row(html, before.is_some(), earlier.as_ref(), later.as_ref());
            }
        });
        let more = rows.len().saturating_sub(SITES_SHOWN);
        if more > 0 {
            html.leaf(
                "p",
                &[("class", &"aside")],
                format_args!("{more} more in the embedded JSON."),
            );
        }
    });
}

/// A call site before and after, if it was counted.
type Pair = (Option<CallSite>, Option<CallSite>);

/// Pairs the call sites of two rungs: the sites of the earlier rung in their order, then new sites.
fn paired(before: &IndirectCalls, after: &IndirectCalls) -> Vec<Pair> {
    let mut after = by_place(&after.sites);
    let mut pairs: Vec<Pair> = Vec::new();
    for site in by_place(&before.sites) {
        let same = after.iter().position(|later| later.place == site.place);
        pairs.push((Some(site), same.map(|index| after.remove(index))));
    }
    pairs.extend(after.into_iter().map(|site| (None, Some(site))));
    pairs
}

/// Merges the call sites of each place. A compiler makes copies of a call; the copies in one build cannot be matched
/// with those in another, so only their sums can be compared.
fn by_place(sites: &[CallSite]) -> Vec<CallSite> {
    let mut out: Vec<CallSite> = Vec::new();
    for site in sites {
        match out.iter_mut().find(|known| known.place == site.place) {
            Some(known) => add(known, site),
            None => out.push(site.clone()),
        }
    }
    out.sort_by(|a, b| b.per_1000_instructions.total_cmp(&a.per_1000_instructions));
    out
}

fn add(to: &mut CallSite, copy: &CallSite) {
    let sum = to.per_1000_instructions + copy.per_1000_instructions;
    let weight = |rate: f64| if sum > 0.0 { rate / sum } else { 0.5 };
    let (old, new) = (
        weight(to.per_1000_instructions),
        weight(copy.per_1000_instructions),
    );
    to.targets.iter_mut().for_each(|(_, share)| *share *= old);
    for (target, share) in &copy.targets {
        match to.targets.iter_mut().find(|(name, _)| name == target) {
            Some((_, known)) => *known += share * new,
            None => to.targets.push((target.clone(), share * new)),
        }
    }
    to.targets.sort_by(|a, b| b.1.total_cmp(&a.1));
    to.per_1000_instructions = sum;
}

fn site_row(
    html: &mut Html,
    with_before: bool,
    earlier: Option<&CallSite>,
    later: Option<&CallSite>,
) {
    let rate = |site: Option<&CallSite>| {
        let rate = site.map(|site| number::fixed(site.per_1000_instructions, 2));
        rate.unwrap_or("–".to_owned())
    };
    let Some(site) = later.or(earlier) else {
        return;
    };
    html.inside("tr", &[], |html| {
        html.inside("th", &[("scope", &"row"), ("class", &"place")], |html| {
            html.leaf("code", &[], &site.place);
        });
        if with_before {
            html.leaf("td", &[("data-label", &"Before")], rate(earlier));
        }
        let label = if with_before { "After" } else { "Per 1,000" };
        html.leaf("td", &[("data-label", &label)], rate(later));
        html.inside("td", &[("class", &"targets")], |html| {
            if later.is_none() {
                let words = "before; not among the hottest after";
                html.leaf("span", &[("class", &"against")], words);
            }
            if site.targets.is_empty() {
                html.text("–");
                return;
            }
            let shares: Vec<f64> = site.targets.iter().map(|(_, share)| *share).collect();
            plot::shares(html, &shares);
            html.inside("ul", &[], |html| targets(html, site));
        });
    });
}

fn targets(html: &mut Html, site: &CallSite) {
    for (target, share) in site.targets.iter().take(TARGETS_SHOWN) {
        html.inside("li", &[], |html| {
            html.leaf("b", &[], number::share(*share));
            html.text(" ");
            html.leaf("code", &[], target);
        });
    }
    let others = site.targets.len().saturating_sub(TARGETS_SHOWN);
    if others > 0 {
        let targets = sentences::plural(others, "target", "targets");
        html.leaf(
            "li",
            &[("class", &"against")],
            format_args!("and {others} more {targets}"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(place: &str, rate: f64, targets: &[(&str, f64)]) -> CallSite {
        let targets = targets.iter();
        CallSite {
            place: place.to_owned(),
            per_1000_instructions: rate,
            targets: targets
                .map(|(name, share)| ((*name).to_owned(), *share))
                .collect(),
        }
    }

    #[test]
    fn copies_of_a_call_are_summed_and_compared_once() {
        let calls = |sites: Vec<CallSite>| IndirectCalls {
            per_1000_instructions: 1.0,
            instructions: 1000,
            sites,
        };
        let before = calls(vec![
            site("only before", 0.5, &[]),
            site("free", 0.3, &[("a", 1.0)]),
            site("free", 0.1, &[("b", 1.0)]),
            site("free", 0.4, &[("a", 0.5), ("b", 0.5)]),
        ]);
        let after = calls(vec![site("free", 0.2, &[]), site("only after", 0.1, &[])]);
        let rows = paired(&before, &after);
        let places = |(before, after): &Pair| {
            let place = |site: &Option<CallSite>| site.as_ref().map(|site| site.place.clone());
            (place(before), place(after))
        };
        let some = |place: &str| Some(place.to_owned());
        let places: Vec<_> = rows.iter().map(places).collect();
        let expected = [
            (some("free"), some("free")),
            (some("only before"), None),
            (None, some("only after")),
        ];
        assert_eq!(places, expected);
        let free = rows[0].0.as_ref().unwrap();
        assert!((free.per_1000_instructions - 0.8).abs() < 1e-12);
        assert_eq!(free.targets[0].0, "a");
        assert!((free.targets[0].1 - 0.5 / 0.8).abs() < 1e-12);
        assert!((free.targets[1].1 - 0.3 / 0.8).abs() < 1e-12);
    }
}
