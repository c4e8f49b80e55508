//! The page of flame graph, sandwich and table over what hosts sent, of one question or of two beside each other.

use std::collections::BTreeMap;
use std::ops::Range;

use hone_batch::{BUCKET_S, Batch, Restored, restore, whole_buckets};
use hone_diagnose::{Diagnosis, Inspected, Sums, diagnose, page_findings};
use hone_profile::{BinaryId, EventId, Profile};
use hone_views::{
    Names, PageCode, PageFindings, PageRecording, Place, StackTally, Stacks, Timeline, align,
    is_time, page,
};

/// Places of a profile whose names are asked for, by file.
pub type Places = BTreeMap<BinaryId, Vec<Place>>;

/// Answer to a question, with its name on the page.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'b> {
    /// Name, such as `checkout, build 4f2a`.
    pub name: &'b str,
    /// The answer.
    pub batch: &'b Batch,
    /// Seconds of the steps of time in which its samples were added up, at least [`BUCKET_S`].
    pub step_s: u64,
    /// Time that was asked for, in seconds since 1970.
    pub span_s: &'b Range<u64>,
}

/// A page, and what has no names on it.
#[derive(Clone, Debug)]
pub struct View {
    /// The page.
    pub page: String,
    /// Weight of the samples whose own instruction has no name, by the path of its file, in all answers.
    pub unknown: BTreeMap<String, u64>,
    /// Weight of all samples.
    pub weight: u64,
}

/// Returns the page of one answer, or of two with the older one first, with the findings about the last one. Its samples are
/// those of the event of time that weighs most in the last answer. `names` gives the names of places, as far as they are known, beside those that hosts sent. `None` if
/// there is no such event, or a former answer has no samples of it.
pub fn view(asked: &[Asked<'_>], names: impl Fn(&Profile, &Places) -> Names) -> Option<View> {
    let restored: Vec<Taken> = asked.iter().map(|asked| Taken::of(asked.batch)).collect();
    let event = restored.last()?.heaviest()?;
    let mut seen: Vec<(Stacks, Timeline)> = asked
        .iter()
        .zip(&restored)
        .map(|(asked, taken)| taken.seen(&event, asked.step_s, &names))
        .collect::<Option<_>>()?;
    if let [(old, _), (new, _)] = &mut seen[..] {
        align(old, new);
    }
    let findings = asked.last().zip(seen.last_mut());
    let findings = findings.map(|(asked, (stacks, _))| findings_of(stacks, asked.span_s));
    let recordings = asked.iter().zip(&seen);
    let recordings: Vec<PageRecording<'_>> = recordings
        .map(|(asked, (stacks, timeline))| PageRecording {
            name: asked.name,
            stacks,
            timeline,
        })
        .collect();
    let mut unknown: BTreeMap<String, u64> = BTreeMap::new();
    for (path, weight) in seen
        .iter()
        .flat_map(|(stacks, _)| &stacks.unknown.by_binary)
    {
        *unknown.entry(path.clone()).or_default() += weight;
    }
    Some(View {
        page: page(&recordings, findings.as_ref(), &PageCode::default()),
        unknown,
        weight: seen.iter().map(|(stacks, _)| stacks.weight()).sum(),
    })
}

/// Returns the stacks of an answer, of the event of time that weighs most in it; `None` if there is no such event.
pub fn stacks(batch: &Batch, names: impl Fn(&Profile, &Places) -> Names) -> Option<Stacks> {
    let taken = Taken::of(batch);
    let event = taken.heaviest()?;
    let (stacks, _) = taken.seen(&event, BUCKET_S, names)?;
    Some(stacks)
}

/// Returns the findings about an answer to a question for a time, in seconds since 1970; `None` if there is no event of time.
pub fn findings(
    batch: &Batch,
    span_s: &Range<u64>,
    names: impl Fn(&Profile, &Places) -> Names,
) -> Option<Diagnosis> {
    let stacks = stacks(batch, names)?;
    Some(diagnose(&Inspected::of_sums(stacks, sums(span_s))))
}

/// Returns the findings for the page.
fn findings_of(stacks: &mut Stacks, span_s: &Range<u64>) -> PageFindings {
    let inspected = Inspected::of_sums(std::mem::take(stacks), sums(span_s));
    let samples = inspected.samples();
    let findings = page_findings(&inspected, &format!("{samples} samples of CPU time"));
    *stacks = inspected.stacks;
    findings
}

/// Returns what samples of a time are sums of: of whole buckets, as cores over time are.
fn sums(span_s: &Range<u64>) -> Sums {
    let Range { start, end } = whole_buckets(span_s).unwrap_or_else(|| span_s.clone());
    Sums {
        seconds: end.saturating_sub(start),
    }
}

/// A batch whose samples are counted.
struct Taken {
    profile: Profile,
    tally: StackTally,
}

impl Taken {
    fn of(batch: &Batch) -> Self {
        let mut tally = StackTally::with_times();
        let profile = restore(batch, |_, row| {
            if let Restored::Samples { sample, .. } = row {
                tally.add(sample);
            }
        });
        Self { profile, tally }
    }

    /// Returns the name of the event of time with the largest weight.
    fn heaviest(&self) -> Option<String> {
        let events = self.profile.events.iter().zip(0..);
        let weights = events
            .filter(|(event, _)| is_time(&event.name))
            .map(|(event, id)| (self.tally.weight(EventId(id)), event));
        let (_, event) = weights.max_by_key(|(weight, _)| *weight)?;
        Some(event.name.clone())
    }

    fn seen(
        &self,
        event: &str,
        step_s: u64,
        names: impl Fn(&Profile, &Places) -> Names,
    ) -> Option<(Stacks, Timeline)> {
        let mut events = self.profile.events.iter();
        let event = EventId(events.position(|known| known.name == event)? as u32);
        let places = self.tally.places(&self.profile, event);
        let names = names(&self.profile, &places);
        let stacks = Stacks::new(&self.profile, &self.tally, event, &names);
        let mut timeline = Timeline::new(&self.tally, event, &stacks);
        timeline.step_ns = step_s.max(BUCKET_S) * 1_000_000_000;
        Some((stacks, timeline))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_batch::{BinaryIndex, EventIndex, Frame, FrameIndex, Group, GroupIndex};
    use hone_batch::{NameIndex, PlaceIndex, Samples};
    use hone_profile::{Binary, BinaryKind, BranchStacks, Event};
    use testkit::view_page::names;

    /// Names every place by its offset.
    fn by_offset(profile: &Profile, places: &Places) -> Names {
        let name = |place: &Place| {
            let offset = profile.location(place.location).offset.0;
            let frame = hone_views::NamedFrame {
                function: format!("function_{offset}"),
                ..hone_views::NamedFrame::default()
            };
            (*place, vec![frame])
        };
        places.values().flatten().map(name).collect()
    }

    /// A batch with one stack: `outer`, which its sender named, calls what lies at `offset`.
    fn batch(event: &str, offset: u64, times: u64) -> Batch {
        let binary = Binary {
            path: "checkout".into(),
            build_id: None,
            kind: BinaryKind::File,
        };
        let place = |place| Frame {
            place: PlaceIndex(place),
            caller: (place == 1).then_some(FrameIndex(0)),
        };
        Batch {
            events: vec![Event {
                name: event.into(),
                branches: BranchStacks::None,
            }],
            binaries: vec![binary],
            names: vec!["outer".into()],
            places: vec![
                hone_batch::Place::Named {
                    binary: BinaryIndex(0),
                    name: NameIndex(0),
                },
                hone_batch::Place::Code {
                    binary: BinaryIndex(0),
                    offset,
                },
            ],
            frames: vec![place(0), place(1)],
            groups: vec![Group::default()],
            samples: vec![Samples {
                event: EventIndex(0),
                group: GroupIndex(0),
                stack: FrameIndex(1),
                ip: None,
                is_leaf_only: false,
                has_branches: false,
                bucket: 7,
                times,
                weight: times * 50_000_000,
            }],
            ..Batch::default()
        }
    }

    fn asked<'b>(name: &'b str, batch: &'b Batch) -> Asked<'b> {
        Asked {
            name,
            batch,
            step_s: 60,
            span_s: &(0..600),
        }
    }

    #[test]
    fn findings_about_the_last_answer_are_on_the_page_and_have_cores() {
        let by_kind = |profile: &Profile, places: &Places| -> Names {
            let name = |(place, mut frames): (Place, Vec<hone_views::NamedFrame>)| {
                frames[0].function = "malloc".into();
                (place, frames)
            };
            by_offset(profile, places).into_iter().map(name).collect()
        };
        let allocating = batch("cpu-clock", 0x10, 1200);
        let found = findings(&allocating, &(0..600), by_kind).unwrap();
        assert_eq!(found.findings[0].rule, "allocator");
        // 1,200 samples of 50 ms in 600 s.
        let cores = found.findings[0].cores.unwrap();
        assert!((cores.value - 0.1).abs() < 1e-9, "{cores:?}");
        let page = view(&[asked("checkout", &allocating)], by_kind)
            .unwrap()
            .page;
        let page = names(&page);
        assert!(
            page.contains("\"rule\":\"allocator\"")
                && page.contains("\"cores\":\"0.1000 ± 0.0029\"")
        );
        let clean = findings(&allocating, &(0..600), by_offset).unwrap();
        assert!(clean.findings.is_empty() && !clean.not_looked.is_empty());
        let cycles = batch("cycles", 1, 1000);
        assert!(findings(&cycles, &(0..600), by_kind).is_none());
    }

    #[test]
    fn the_page_has_what_senders_and_symbols_name() {
        let batch = batch("cpu-clock", 0x10, 3);
        let page = view(&[asked("checkout", &batch)], by_offset).unwrap().page;
        let page = format!("{page}{}", names(&page));
        for text in [
            "outer",
            "function_16",
            "\"step\":60000000",
            "<title>checkout</title>",
        ] {
            assert!(page.contains(text), "no {text}");
        }
    }

    #[test]
    fn what_has_no_name_is_told_by_its_file() {
        let batch = batch("cpu-clock", 0x10, 3);
        let asked = [asked("checkout", &batch)];
        let named = view(&asked, by_offset).unwrap();
        assert!(named.unknown.values().all(|weight| *weight == 0));
        let nameless = view(&asked, |_, _| Names::default()).unwrap();
        let unknown: Vec<_> = nameless.unknown.into_values().collect();
        assert_eq!(unknown, [150_000_000]);
        assert_eq!(nameless.weight, 150_000_000);
    }

    #[test]
    fn two_answers_are_beside_each_other() {
        let (old, new) = (batch("cpu-clock", 0x10, 3), batch("cpu-clock", 0x20, 4));
        let page = view(&[asked("old", &old), asked("new", &new)], by_offset)
            .unwrap()
            .page;
        let page = format!("{page}{}", names(&page));
        for text in ["function_16", "function_32", "<title>old and new</title>"] {
            assert!(page.contains(text), "no {text}");
        }
    }

    #[test]
    fn without_an_event_of_time_there_is_no_page() {
        let cycles = batch("cycles", 1, 1);
        let clock = batch("cpu-clock", 1, 1);
        assert!(view(&[], by_offset).is_none());
        assert!(view(&[asked("a", &cycles)], by_offset).is_none());
        assert!(view(&[asked("a", &cycles), asked("b", &clock)], by_offset).is_none());
    }
}
