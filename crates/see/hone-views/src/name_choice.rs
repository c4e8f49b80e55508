//! Choice of a place's name: by the symbols of its file, or by the recording itself.
//!
//! Symbols come first, since they know inlined calls and lines. The recording's own names stand in where there are no symbols: the
//! file is not at hand, is stripped, or the recording has no address to look up. They also win where symbols may be of another
//! build: in the kernel, whose symbols are those of this machine, and in a file whose recorded build id is not known, if the two
//! name different functions.

use crate::names::{NamedFrame, Names, readable};
use crate::tally::Place;
use hone_profile::{BinaryKind, Profile};
use hone_symbols::section_of_made_name;
use std::borrow::Cow;

/// Source of a place's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// Symbols or debug information.
    Symbols,
    /// The recording itself.
    Recording,
    /// None: the place has no name, or one that was made for a function of a stripped file.
    Nothing,
}

/// Returns the frames of a place, innermost first, and the source of their names; no frames if nothing names the place.
pub(crate) fn chosen<'n>(
    profile: &Profile,
    names: &'n Names,
    place: &Place,
) -> (Cow<'n, [NamedFrame]>, Origin) {
    let found = names.get(place).map_or(&[][..], Vec::as_slice);
    let origin = |frames, named_by| match is_made(frames) {
        true => Origin::Nothing,
        false => named_by,
    };
    let of_symbols = origin(found, Origin::Symbols);
    let location = profile.location(place.location);
    if location.name.is_none() {
        return (found.into(), of_symbols);
    }
    let own = own_frames(profile, place);
    let binary = profile.binary(location.binary);
    let is_known_build = binary.build_id.is_some();
    let own_wins = of_symbols == Origin::Nothing
        || binary.kind == BinaryKind::Kernel
        || !is_known_build && name_of(found) != name_of(&own);
    match own_wins {
        true => {
            let of_recording = origin(&own, Origin::Recording);
            (own.into(), of_recording)
        }
        false => (found.into(), of_symbols),
    }
}

/// Returns the frames that the recording itself names.
fn own_frames(profile: &Profile, place: &Place) -> Vec<NamedFrame> {
    let names = profile.own_names(place.location);
    let mut frames: Vec<NamedFrame> = names
        .map(|name| NamedFrame {
            function: name.function.to_owned(),
            file: name.file.to_owned(),
            line: name.line,
            is_inlined: true,
        })
        .collect();
    if let Some(outermost) = frames.last_mut() {
        outermost.is_inlined = false;
    }
    frames
}

/// Returns the name of the function that the frames are of, for people.
fn name_of(frames: &[NamedFrame]) -> Option<String> {
    frames.last().map(|frame| readable(&frame.function))
}

/// True if no frame has a name, or the function only has a made name.
fn is_made(frames: &[NamedFrame]) -> bool {
    frames
        .last()
        .is_none_or(|frame| section_of_made_name(&frame.function).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_profile::{Binary, BinaryId, BuildId, FileOffset, Location, OwnName};

    fn binary(profile: &mut Profile, kind: BinaryKind, build_id: Option<&str>) -> BinaryId {
        profile.intern_binary(Binary {
            path: "/bin/a".into(),
            build_id: build_id.and_then(BuildId::from_hex),
            kind,
        })
    }

    /// Returns the functions that are chosen for a place that the recording calls `own`, with `step` inlined, and symbols `found`.
    fn names(kind: BinaryKind, build_id: Option<&str>, found: Option<&str>) -> (String, Origin) {
        let mut profile = Profile::default();
        let binary = binary(&mut profile, kind, build_id);
        let own = profile.intern_name(OwnName::function("own"), None);
        let step = profile.intern_name(OwnName::function("step"), Some(own));
        let location = profile.intern(Location {
            name: Some(step),
            ..Location::nameless(binary, FileOffset(8))
        });
        let place = Place {
            location,
            is_return: false,
        };
        let mut names = Names::default();
        if let Some(function) = found {
            let frame = NamedFrame {
                function: function.into(),
                ..NamedFrame::default()
            };
            names.insert(place, vec![frame]);
        }
        let (frames, origin) = chosen(&profile, &names, &place);
        let functions: Vec<&str> = frames.iter().map(|frame| frame.function.as_str()).collect();
        if let [step, own] = &*frames {
            assert!(step.is_inlined && !own.is_inlined);
        }
        (functions.join(" in "), origin)
    }

    #[test]
    fn symbols_come_first_and_the_recordings_own_names_where_there_are_none() {
        let own = ("step in own".to_owned(), Origin::Recording);
        let of_symbols = |name: &str| (name.to_owned(), Origin::Symbols);
        let file = |build_id, found| names(BinaryKind::File, build_id, found);
        assert_eq!(file(Some("0aff"), None), own);
        assert_eq!(file(Some("0aff"), Some("own")), of_symbols("own"));
        assert_eq!(file(Some("0aff"), Some("other")), of_symbols("other"));
        assert_eq!(file(None, None), own);
        assert_eq!(file(None, Some("own")), of_symbols("own"));
        assert_eq!(file(None, Some("own.part.0")), of_symbols("own.part.0"));
    }

    #[test]
    fn symbols_that_may_be_of_another_build_do_not_win() {
        let own = ("step in own".to_owned(), Origin::Recording);
        assert_eq!(names(BinaryKind::File, None, Some("other")), own);
        assert_eq!(names(BinaryKind::Kernel, None, Some("_einittext")), own);
        let kernel = names(BinaryKind::Kernel, Some("0aff"), Some("_einittext"));
        assert_eq!(kernel, own);
    }
}
