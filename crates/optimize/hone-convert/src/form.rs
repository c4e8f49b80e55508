//! The forms of profiles: one list, of which the command line's help is made too.

/// Declares the forms; the documentation of each is what help says of it.
macro_rules! forms {
    ($($(#[doc = $help:literal])+ $form:ident = $name:literal,)+) => {
        /// The form that a recording is converted to.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Form {
            $($(#[doc = $help])+ $form,)+
        }

        impl Form {
            /// All forms, in the order in which help lists them.
            pub const ALL: &[Self] = &[$(Self::$form),+];

            /// The name on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$form => $name,)+
                }
            }

            /// What the form is and who reads it, in one line.
            pub fn help(self) -> &'static str {
                match self {
                    $(Self::$form => concat!($($help),+).trim_ascii(),)+
                }
            }
        }
    };
}

forms! {
    /// LLVM sample profile, text
    AutofdoText = "autofdo-text",
    /// LLVM sample profile, extended binary
    AutofdoExtbinary = "autofdo-extbinary",
    /// Counters of instrumented PGO for -fprofile-use, from a recording of a build with probes; needs --probes and --ir. Use
    /// it with -mllvm -disable-preinline
    Profdata = "profdata",
    /// GCC's profile for -fauto-profile, made for GCC 12
    GccGcov = "gcc-gcov",
    /// BOLT's fdata, for llvm-bolt -data; also from plain samples
    BoltFdata = "bolt-fdata",
    /// BOLT's pre-aggregated branches and ranges, for perf2bolt -pa
    BoltPreaggregated = "bolt-preaggregated",
    /// Functions in the order in which they should lie, for lld's --symbol-ordering-file
    SymbolOrder = "symbol-order",
    /// The same as sections, for gold's --section-ordering-file
    SectionOrder = "section-order",
    /// Blocks and functions in the order in which they should lie, for clang and lld: a directory of two files. The
    /// binary must be built with -fbasic-block-address-map
    Propeller = "propeller",
    /// default.pgo for Go, from a recording with branch records or call chains of a Go program
    GoPgo = "go-pgo",
    /// Sizes of memcpy, memmove, memset and memcmp by place, from walked branches
    Memops = "memops",
    /// The same as headers that compare with the usual sizes first, for -isystem DIR
    MemopsHeaders = "memops-headers",
    /// Functions, hottest branches and losses as JSON
    Json = "json",
    /// The same as a table
    Text = "text",
}
