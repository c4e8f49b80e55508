//! The levers `static` and `static-musl` on real C programs.

use crate::common::has_tools;
use crate::optimize::wrapped::Builds;
use hone_build::{Inputs, Purpose, VariantFlags};
use hone_files::libraries::headers_of_musl;
use std::fs;
use std::process::Command;

#[test]
fn a_library_that_is_named_by_its_path_is_linked_from_its_archive() {
    if !has_tools(&["clang-19", "ld.lld-19"]) {
        return;
    }
    let builds = Builds::new(
        &[
            ("answer.c", "int answer(void) { return 42; }\n"),
            (
                "main.c",
                "int answer(void);\nint main(void) { return answer(); }\n",
            ),
        ],
        // CMake links so: by the whole path of the shared library that it found.
        "$CC -c -fPIC answer.c && ar rcs libanswer.a answer.o && $CC -shared answer.o -o libanswer.so && \
        $CC main.c $PWD/libanswer.so -o prog",
    );
    let flags = Builds::flags(&["static"], Purpose::Use, &Inputs::default());
    for (name, flags, needs_library) in [
        ("baseline", VariantFlags::default(), true),
        ("static", flags, false),
    ] {
        builds.build(name, &flags, false);
        let bytes = fs::read(builds.program(name)).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert_eq!(text.contains("libanswer.so"), needs_library, "{name}");
    }
    let status = Command::new(builds.program("static")).status().unwrap();
    assert_eq!(status.code(), Some(42));
}

#[test]
fn a_c_program_becomes_one_file_with_musl() {
    if !has_tools(&["clang-19", "ld.lld-19"]) {
        return;
    }
    let program = "#include <stdio.h>\n#ifdef __GLIBC__\nconst char libc[] = \"libc: glibc\";\n#else\n\
        const char libc[] = \"libc: another\";\n#endif\nint main(void) { return puts(libc) < 0; }\n";
    let builds = Builds::new(
        &[("main.c", program)],
        "$CC -O2 -c main.c && $CC main.o -o prog",
    );
    let Some(musl) = &builds.tools().musl else {
        println!("skipped: musl-tools is not installed");
        return;
    };
    let library = musl.path.parent().unwrap().to_owned();
    let libraries = [
        ("musl-headers", headers_of_musl(&library)),
        ("musl", library),
    ];
    let inputs = Inputs {
        libraries: libraries.into(),
        ..Inputs::default()
    };
    let flags = Builds::flags(&["static-musl"], Purpose::Use, &inputs);
    for (name, flags, libc, has_loader) in [
        ("baseline", VariantFlags::default(), "libc: glibc", true),
        ("static-musl", flags, "libc: another", false),
    ] {
        builds.build(name, &flags, false);
        let bytes = fs::read(builds.program(name)).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains(libc), "{name}");
        assert_eq!(text.contains("ld-linux"), has_loader, "{name}");
    }
}
