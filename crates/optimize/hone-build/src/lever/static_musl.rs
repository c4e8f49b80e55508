use super::static_link::NEEDS_LOADER;
use super::{Flags, Forbidden, Lever, Need, Offer, Step, Toolchain};

/// Functions of glibc that musl does not have.
const OF_GLIBC: Forbidden = Forbidden {
    names: &[
        "argp_parse",
        "backtrace",
        "canonicalize_file_name",
        "drand48_r",
        "error",
        "error_at_line",
        "fts_open",
        "getcontext",
        "gnu_get_libc_version",
        "initstate_r",
        "lrand48_r",
        "makecontext",
        "mallinfo",
        "mallinfo2",
        "malloc_info",
        "malloc_stats",
        "malloc_trim",
        "mallopt",
        "obstack_free",
        "pthread_attr_setaffinity_np",
        "pthread_mutexattr_setprioceiling",
        "random_r",
        "rawmemchr",
        "register_printf_function",
        "srandom_r",
        "swapcontext",
    ],
    why: "which musl does not have",
};

/// Flags that make clang do the work of `musl-gcc`, which is gcc with a file of specs. The start and end objects come
/// after the program's own objects: no other object has code in `.init`.
const CLANG: Flags = Flags {
    compile: &["-nostdlibinc", "-isystem", "{musl-headers}"],
    link_program: &[
        "-nostdlib",
        "-static",
        "-L{musl}",
        "{musl}/crt1.o",
        "{musl}/crti.o",
        "-Wl,--start-group",
        "{musl}/libc.a",
        "-lgcc",
        "-lgcc_eh",
        "-Wl,--end-group",
        "{musl}/crtn.o",
    ],
    ..Flags::NONE
};

const GCC: Flags = Flags {
    compile: &["-specs={musl}/musl-gcc.specs"],
    link_program: &["-static"],
    ..Flags::NONE
};

pub(super) const LEVER: Lever = Lever {
    id: "static-musl",
    title: "Static linking with musl",
    what: "Compiles and links a C program with musl in place of glibc, as one file that needs no other.",
    step: Step::Linkage,
    offer: Offer::OnRequest,
    needs: &[Need::Musl],
    // The installed allocators and clang's library for profile counters were built for glibc.
    excludes: &[
        "static",
        "mimalloc",
        "jemalloc",
        "tcmalloc",
        "mimalloc-preload",
        "jemalloc-preload",
        "tcmalloc-preload",
        "pgo",
        "pgo-sampled",
    ],
    forbidden_imports: &[NEEDS_LOADER, OF_GLIBC],
    only_libraries: &[
        "libc.so",
        "libm.so",
        "libdl.so",
        "librt.so",
        "libpthread.so",
        "libutil.so",
        "libgcc_s.so",
        "ld-linux",
    ],
    flags: &[(Toolchain::Clang, CLANG), (Toolchain::Gcc, GCC)],
    deploy: "Build with musl-gcc -static, or with clang and the same files; rebuild for each security update of musl.",
    undo: "Build with the system's C library.",
    ..Lever::BASE
};
