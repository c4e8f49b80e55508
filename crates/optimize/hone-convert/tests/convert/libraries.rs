//! One profile of a program and of a library that was built with it.

use std::path::PathBuf;

use hone_convert::{Form, Request};
use hone_fdo::Evidence;
use hone_profile::Avma;
use testkit::recording::Recording;

use crate::common::{Case, program, refusal, text, try_convert};

/// Writes a recording with so many samples in the program and in the library.
fn recorded(case: &Case, name: &str, own: u64, of_library: u64) -> PathBuf {
    let (user, library) = (program("user"), program("libmix.so"));
    let mut recording = Recording::of(&user);
    let main = recording.at(user.function("main"));
    let mix = Avma(recording.also(&library) + library.function("mix").0);
    recording.stack(own, &[main]);
    recording.stack(of_library, &[mix]);
    recording.write(&case.path(name));
    case.path(name)
}

/// A conversion by plain samples.
fn request(case: &Case, recordings: &[PathBuf], form: Form, library: Option<&str>) -> Request {
    let mut request = case.request("", form);
    request.recordings = recordings.to_vec();
    request.evidence = Evidence::IpSamples;
    let libraries = library.iter().map(|name| program(name).path().to_owned());
    request.program.libraries = libraries.collect();
    request
}

#[test]
fn a_profile_holds_the_functions_of_a_library_too() {
    let case = Case::of("user");
    let both = recorded(&case, "both.data", 3, 4);
    let alone = recorded(&case, "alone.data", 5, 0);
    let thin = recorded(&case, "thin.data", 0, 6);
    let library = Some("libmix.so");
    for (recordings, functions) in [
        (&[both.clone()][..], &["main:3", "mix:4"][..]),
        // Not every recording needs to have seen the library, nor one the program.
        (&[alone.clone(), both.clone()], &["main:8", "mix:4"]),
        (&[thin], &["mix:6"]),
    ] {
        let request = request(&case, recordings, Form::AutofdoText, library);
        let (profile, said) = text(try_convert(&request));
        for function in functions {
            let (name, times) = function.split_once(':').unwrap();
            let weight = times.parse::<u64>().unwrap() * testkit::recording::SAMPLE_NS;
            let expected = format!("{name}:{weight}:");
            let is_there = profile.lines().any(|line| line.starts_with(&expected));
            assert!(is_there, "{expected} {recordings:?} {profile}{said}");
        }
    }
    let own = std::slice::from_ref(&both);
    let program_alone = request(&case, own, Form::AutofdoText, None);
    assert!(!text(try_convert(&program_alone)).0.contains("mix:"));
    let of_one_file = request(&case, own, Form::BoltFdata, library);
    let refused = refusal(try_convert(&of_one_file));
    assert!(refused.contains("next: leave --library out"), "{refused}");
    let unseen = request(&case, &[alone], Form::AutofdoText, library);
    let (_, said) = text(try_convert(&unseen));
    let left_out = "libmix.so is left out of the profile: none of the";
    assert!(said.contains(left_out), "{said}");
}
