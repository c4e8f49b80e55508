//! Labels of samples as rows of a table, and as the outermost frames of stacks.
//!
//! Both are asked for by keys, in any order; no keys stand for all labels.

use crate::stacks::{Frame, FrameId, Stack, Stacks};
use hone_profile::Label;
use rustc_hash::FxHashMap;

/// Binary of the frames that stand for labels.
pub(crate) const LABEL: &str = "[label]";

/// Returns the labels of a stack with these keys, in the order of the keys, as `key=value`; a text in brackets if there is none.
pub(crate) fn labels_of(stack: &Stack, keys: &[String]) -> Vec<String> {
    let own = stack.labels.iter();
    let mut named: Vec<String> = match keys {
        [] => own.map(Label::to_string).collect(),
        keys => keys
            .iter()
            .flat_map(|key| own.clone().filter(move |label| *label.key == **key))
            .map(Label::to_string)
            .collect(),
    };
    if named.is_empty() {
        named.push(match keys {
            [] => "[no labels]".to_owned(),
            keys => format!("[no label {}]", keys.join(" or ")),
        });
    }
    named
}

/// What a filter accepts, if there is one.
type LabelFilter<'f> = Option<&'f dyn Fn(&Label) -> bool>;

impl Stacks {
    /// Keeps the stacks with a label that `focus` accepts and without any label that `ignore` accepts.
    pub fn filter_labels(&mut self, focus: LabelFilter<'_>, ignore: LabelFilter<'_>) {
        self.retain(|stack| {
            let has = |accepts: &dyn Fn(&Label) -> bool| stack.labels.iter().any(accepts);
            focus.is_none_or(has) && !ignore.is_some_and(has)
        });
    }

    /// Makes the labels of each stack its outermost frames, the first key outermost.
    pub fn root_at_labels(&mut self, keys: &[String]) {
        let mut known: FxHashMap<String, FrameId> = FxHashMap::default();
        let Self { stacks, frames, .. } = self;
        for stack in stacks {
            let outermost_first = labels_of(stack, keys).into_iter();
            let roots = outermost_first.rev().map(|name| {
                *known.entry(name).or_insert_with_key(|name| {
                    frames.push(Frame {
                        function: name.clone(),
                        binary: LABEL.to_owned(),
                        file: String::new(),
                        line: 0,
                        is_inlined: false,
                    });
                    FrameId(frames.len() as u32 - 1)
                })
            });
            stack.frames.extend(roots);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stacks::testing::{labelled, stacks};
    use crate::{By, folded, table};

    fn of_two_methods() -> Stacks {
        let mut stacks = stacks(&[("main;f", 8), ("main;f", 4), ("main;g", 2), ("gc", 1)]);
        let shop = ("service", "Shop");
        labelled(&mut stacks, 0, &[("method", "find"), shop]);
        labelled(&mut stacks, 1, &[shop, ("method", "list all")]);
        labelled(&mut stacks, 2, &[("customer", "kim")]);
        stacks
    }

    fn keys(keys: &[&str]) -> Vec<String> {
        keys.iter().map(|&key| key.to_owned()).collect()
    }

    fn rows(by: &[&str]) -> Vec<(String, u64, u64)> {
        let keys = keys(by);
        let rows = table(&of_two_methods(), By::Label(&keys)).rows.into_iter();
        rows.map(|row| (row.name, row.self_weight, row.total_weight))
            .collect()
    }

    fn expected(rows: &[(&str, u64)]) -> Vec<(String, u64, u64)> {
        let row = |&(name, weight): &(&str, u64)| (name.to_owned(), weight, weight);
        rows.iter().map(row).collect()
    }

    #[test]
    fn each_set_of_labels_is_a_row_and_so_are_samples_without() {
        let all = [
            ("method=find service=Shop", 8),
            ("method=\"list all\" service=Shop", 4),
            ("customer=kim", 2),
            ("[no labels]", 1),
        ];
        assert_eq!(rows(&[]), expected(&all));
    }

    #[test]
    fn rows_have_the_keys_that_were_asked_for_in_their_order() {
        let services = [("service=Shop", 12), ("[no label service]", 3)];
        assert_eq!(rows(&["service"]), expected(&services));
        let both = [
            ("service=Shop method=find", 8),
            ("service=Shop method=\"list all\"", 4),
            ("[no label service or method]", 3),
        ];
        assert_eq!(rows(&["service", "method"]), expected(&both));
    }

    #[test]
    fn labels_are_the_outermost_frames_and_no_weight_is_lost() {
        let mut stacks = of_two_methods();
        stacks.root_at_labels(&keys(&["service", "method"]));
        assert_eq!(
            folded(&stacks),
            "[no label service or method];gc 1\n\
             [no label service or method];main;g 2\n\
             service=Shop;method=\"list all\";main;f 4\n\
             service=Shop;method=find;main;f 8\n"
        );
    }

    #[test]
    fn filters_keep_samples_by_their_labels() {
        let kept = |focus: LabelFilter<'_>, ignore: LabelFilter<'_>| {
            let mut stacks = of_two_methods();
            stacks.filter_labels(focus, ignore);
            stacks.weight()
        };
        let is_of_shop = |label: &Label| *label.value == *"Shop";
        let is_find = |label: &Label| *label.value == *"find";
        assert_eq!(kept(None, None), 15);
        assert_eq!(kept(Some(&is_of_shop), None), 12);
        assert_eq!(kept(Some(&is_of_shop), Some(&is_find)), 4);
        assert_eq!(kept(None, Some(&is_of_shop)), 3);
    }
}
