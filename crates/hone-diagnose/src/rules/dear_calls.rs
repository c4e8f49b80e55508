//! Time in library functions that are dear for what most callers want of them, with all that they call.
//!
//! A new function is a line of [`DEAR`].

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::inspected::{Inspected, Where};

pub(super) const RULE: Rule = Rule {
    name: "dear-calls",
    title: "Much time goes into dear library functions",
    needs: &[],
    threshold: 0.04,
    source: source::GAIN,
    factor: 10.0,
    assumption: "if what takes its place took a tenth of the time",
    saves: Saves::Calls,
    confidence: Confidence::Medium,
    levers: &[],
    change: "Call them less often, or by cheaper functions.",
    not_when: "The function's whole result is needed at each call.",
    look,
};

/// A kind of functions.
struct Dear {
    functions: &'static [&'static str],
    title: &'static str,
    change: &'static str,
    not_when: &'static str,
    levers: &'static [&'static str],
}

const DEAR: &[Dear] = &[
    Dear {
        functions: &[
            "rand",
            "random",
            "__random",
            "__random_r",
            "random_r",
            "srand",
            "srandom",
            "__srandom*",
            "drand48",
            "lrand48",
            "mrand48",
            "erand48*",
            "nrand48*",
            "jrand48*",
            "__drand48_iterate",
            "__erand48_r",
            "__nrand48_r",
        ],
        title: "Much time goes into random numbers of libc",
        change: "Give each thread a generator of its own that is inlined (std::minstd_rand, a xorshift): libc's takes a lock that all threads share.",
        not_when: "The sequence of libc's generator must stay.",
        levers: &[],
    },
    Dear {
        functions: &[
            "std::random_device::*",
            "std::mersenne_twister_engine::seed*",
            "std::mersenne_twister_engine::mersenne_twister_engine*",
        ],
        title: "Random generators are made anew again and again",
        change: "Seed one generator for each thread, once, and keep it.",
        not_when: "Each number must come from the system.",
        levers: &[],
    },
    Dear {
        functions: &[
            "pow",
            "powf",
            "powl",
            "__pow",
            "__powf",
            "__pow_*",
            "__powf_*",
            "__ieee754_pow*",
            "__powl*",
            "std::pow",
            "checkint",
        ],
        title: "Much time goes into general powers",
        change: "Multiply where the exponent is a small whole number (x * x), use sqrt for a half and exp2 or ldexp for powers of two, or keep the powers in a table.",
        not_when: "Exponents are not known before.",
        levers: &[],
    },
    Dear {
        functions: &[
            "fmod",
            "fmodf",
            "fmodl",
            "__fmod*",
            "__ieee754_fmod*",
            "remainder",
            "remainderf",
            "__remainder*",
            "drem",
            "__ieee754_remainder*",
        ],
        title: "Much time goes into remainders of floating-point numbers",
        change: "Subtract the period once where the value is at most one period too large, or x - p * floor(x / p) where its rounding does.",
        not_when: "The exact remainder of large values is needed.",
        levers: &[],
    },
    Dear {
        functions: &[
            "floor",
            "floorf",
            "ceil",
            "ceilf",
            "trunc",
            "truncf",
            "rint",
            "rintf",
            "nearbyint*",
            "__floor*",
            "__ceil*",
            "__trunc*",
            "__rint*",
            "__nearbyint*",
            "fma",
            "fmaf",
            "__fma*",
        ],
        title: "Instructions of newer CPUs are called as functions",
        change: "Compile for a CPU that has them (-march=x86-64-v3: roundsd and vfmadd in place of calls).",
        not_when: "The program must run on CPUs without SSE 4.1 or FMA.",
        levers: &["x86-64-v3", "native"],
    },
    Dear {
        functions: &[
            "getenv",
            "secure_getenv",
            "__libc_secure_getenv",
            "__secure_getenv",
            "std::env::var*",
            "std::env::_var*",
        ],
        title: "The environment is searched again and again",
        change: "Read the variable once at the start and keep its value: getenv compares with every variable.",
        not_when: "The variable changes while the program runs.",
        levers: &[],
    },
    Dear {
        functions: &[
            "localtime*",
            "__localtime*",
            "gmtime*",
            "__gmtime*",
            "mktime",
            "__mktime*",
            "timelocal",
            "timegm",
            "ctime*",
            "asctime*",
            "strftime*",
            "__strftime*",
            "__tz_*",
            "__tzfile_*",
            "__tzset*",
            "tzset*",
            "__offtime*",
            "ranged_convert",
            "strptime*",
            "__strptime*",
        ],
        title: "Much time goes into calendars and time zones",
        change: "Convert once for each second or minute and keep the text; keep times as numbers inside; set TZ, so that libc does not look at /etc/localtime each time.",
        not_when: "Each time is of another day.",
        levers: &[],
    },
    Dear {
        functions: &[
            "fgetc",
            "getc",
            "getchar",
            "_IO_getc",
            "fputc",
            "putc",
            "putchar",
            "_IO_putc",
            "ungetc",
            "fgetc_unlocked",
            "getc_unlocked",
            "__uflow",
            "_IO_getline*",
            "fgets",
            "_IO_fgets",
            "fread",
            "_IO_fread",
            "fwrite",
            "_IO_fwrite",
            "_IO_sgetn",
            "_IO_sputn",
            "_IO_file_xsgetn*",
            "_IO_new_file_xsputn",
            "_IO_file_xsputn*",
            "fputs",
            "_IO_fputs",
            "puts",
            "_IO_puts",
        ],
        title: "Much time goes into single characters and small pieces of stdio streams",
        change: "Read and write blocks (fread or read into a buffer of 64 KiB) and go through the buffer; getc_unlocked and putc_unlocked take no lock for each character.",
        not_when: "The time is the device's: then larger pieces gain nothing.",
        levers: &[],
    },
    Dear {
        functions: &[
            "strcat*",
            "strncat*",
            "__strcat*",
            "__strncat*",
            "__strcat_chk",
            "wcscat",
        ],
        title: "Strings are lengthened by searching for their end",
        change: "Keep the end (stpcpy returns it) or use std::string::append: each strcat goes through all that is there.",
        not_when: "The strings are short.",
        levers: &[],
    },
    Dear {
        functions: &[
            "strtok*",
            "__strtok*",
            "strspn*",
            "__strspn*",
            "strcspn*",
            "__strcspn*",
            "strpbrk*",
            "__strpbrk*",
            "strsep",
            "__strsep",
        ],
        title: "Much time goes into sets of separators",
        change: "Search for one separator (memchr, std::string_view::find), or look characters up in a table made once: strtok and strspn make one at each call.",
        not_when: "The pieces are long.",
        levers: &[],
    },
    Dear {
        functions: &[
            "strstr*",
            "__strstr*",
            "strcasestr*",
            "__strcasestr*",
            "memmem*",
            "__memmem*",
            "two_way_*",
        ],
        title: "Much time goes into searching text in text",
        change: "Search for all words at once (Aho-Corasick), keep an index, or search by vectors (memchr for the rarest byte first).",
        not_when: "Each text is searched once for one word.",
        levers: &[],
    },
    Dear {
        functions: &[
            "toupper",
            "tolower",
            "isalpha",
            "isdigit",
            "isspace",
            "isalnum",
            "isupper",
            "islower",
            "ispunct",
            "isxdigit",
            "__ctype_*_loc",
            "std::toupper",
            "std::tolower",
            "std::ctype::*",
            "std::isspace",
            "std::isalpha",
            "strcoll*",
            "__strcoll*",
            "strxfrm*",
            "__strxfrm*",
            "wcscoll*",
            "mbrtowc",
            "__mbrtowc",
            "wcrtomb",
            "__wcrtomb",
            "mbstowcs",
            "mbsrtowcs*",
            "btowc",
            "towupper",
            "towlower",
            "iswalpha",
            "iswspace",
            "strcasecmp*",
            "__strcasecmp*",
            "strncasecmp*",
            "__strncasecmp*",
        ],
        title: "Much time goes into characters by the rules of a locale",
        change: "Where text is ASCII or UTF-8 that is passed through, compare and change bytes by a table of 256 entries or by arithmetic.",
        not_when: "The user's language decides.",
        levers: &[],
    },
    Dear {
        functions: &[
            "setlocale",
            "newlocale",
            "__newlocale",
            "uselocale",
            "__uselocale",
            "iconv_open",
            "iconv_close",
            "nl_langinfo*",
            "localeconv",
            "std::locale::locale",
            "std::locale::global",
        ],
        title: "Locales and converters are made again and again",
        change: "Make them once and keep them.",
        not_when: "Each request has a locale of its own.",
        levers: &[],
    },
    Dear {
        functions: &[
            "dlsym",
            "__dlsym*",
            "dlvsym",
            "dladdr*",
            "__dladdr*",
            "_dl_lookup_symbol_x",
            "do_lookup_x",
            "backtrace",
            "__backtrace",
            "backtrace_symbols*",
        ],
        title: "Much time goes into looking up symbols",
        change: "Look a symbol up once and keep its address; take backtraces only where they are read.",
        not_when: "The recording is of the start, where the dynamic linker looks up every symbol once.",
        levers: &[],
    },
    Dear {
        functions: &[
            "pthread_getspecific",
            "___pthread_getspecific",
            "__pthread_getspecific",
            "pthread_setspecific",
            "___pthread_setspecific",
        ],
        title: "Much time goes into thread-specific values by key",
        change: "Use thread_local variables, which are reached by one instruction in programs.",
        not_when: "Keys are made at run time.",
        levers: &[],
    },
    Dear {
        functions: &[
            "pthread_create*",
            "__pthread_create*",
            "___pthread_create",
            "allocate_stack*",
            "__nptl_create_event",
            "__clone3",
            "__clone",
            "__clone_internal*",
            "copy_process",
            "kernel_clone",
            "__do_sys_clone3",
            "__x64_sys_clone*",
            "do_exit",
            "do_group_exit",
            "__x64_sys_exit",
            "__nptl_free_stacks",
            "__nptl_deallocate_stack",
            "pthread_join",
            "__pthread_clockjoin_ex",
            "std::thread::_M_start_thread",
            "fork",
            "__libc_fork",
            "vfork",
            "__vfork",
            "posix_spawn*",
            "__spawni*",
            "__x64_sys_execve*",
            "do_execveat_common*",
            "bprm_execve",
        ],
        title: "Threads or processes are started again and again",
        change: "Keep a pool of threads or of processes and give them work.",
        not_when: "Each piece of work is long, or must be kept apart from the others.",
        levers: &[],
    },
];

/// Returns the finding about the kind that takes the most time.
fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let kinds = DEAR.iter();
    let groups = kinds.map(|dear| (dear, inspected.named(Where::Anywhere, dear.functions)));
    let (dear, group) = groups.max_by_key(|(_, group)| group.weight)?;
    let rule = Rule {
        title: dear.title,
        change: dear.change,
        not_when: dear.not_when,
        levers: dear.levers,
        ..*rule
    };
    rule.of_group(inspected, &group)
}

#[cfg(test)]
mod tests {
    use crate::diagnose;
    use crate::testing::inspected;

    #[test]
    fn each_kind_is_named_by_itself_with_what_it_calls() {
        let found = diagnose(&inspected(&[
            ("main;draw;rand;__random;__lll_lock_wait_private", 300),
            ("main;log;localtime;__tz_convert", 200),
            ("main;x2;pow@plt", 100),
            ("main;small;getenv", 20),
            ("main;rest", 380),
        ]));
        let titles: Vec<&str> = found.findings.iter().map(|finding| finding.title).collect();
        assert_eq!(
            titles,
            [
                "Much time goes into random numbers of libc",
                "Much time goes into calendars and time zones",
                "Much time goes into general powers",
            ],
            "the lock of rand is no finding beside it, and 2 % of getenv is none"
        );
        assert_eq!(found.findings[0].place.as_ref().unwrap().function, "draw");
        assert!((found.together.unwrap().share - 0.6).abs() < 1e-9);
    }

    #[test]
    fn whole_sentences_say_what_to_do() {
        for dear in super::DEAR {
            assert!(!dear.functions.is_empty() && !dear.title.ends_with('.'));
            for text in [dear.change, dear.not_when] {
                assert!(text.ends_with('.') && !text.contains("  "), "{text}");
            }
        }
    }
}
