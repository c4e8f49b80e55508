//! `default.pgo` for Go's compiler, from a native recording of a Go program.
//!
//! Go's compiler reads a pprof profile and takes one thing from it: edges of calls, each from a line of a
//! caller (as an offset from the first line of the caller) to a callee, with a weight. The compiler looks at the
//! last two places of every stack, and within a place at the inlined functions. `docs/internals/pprof.md`
//! describes the rules.
//!
//! A recording with call chains becomes stacks of places with inlined functions, just as Go's own
//! runtime profiler writes them ([`stacks`]). Branch records are better: they count the calls themselves.
//! They become one stack of two frames for each edge ([`calls`]), and the entries of inlined functions are
//! counted where control runs into their code ([`inlined`]).
//!
//! Wrappers that the compiler generates (a method of `T` called through `*T` in an interface) are no
//! functions of the source: Go's profiler leaves them out, and its compiler finds nothing under their names. A wrapper
//! that passes a call on to a method of an embedded field is kept all the same ([`wrappers`]): without it the compiler
//! would take the method's type for the type in the interface, or use the next best target if that type does not fit.

mod calls;
mod emit;
mod inlined_calls;
mod leaf;
mod stacks;
mod wrappers;

use crate::address_counts::{Counted, count_binary};
use crate::aggregate::{Evidence, find_binaries};
use crate::code::Code;
use crate::convert::{Warning, no_debug_info, unread};
use crate::error::FdoError;
use crate::location_counts::Recorded;
use hone_profile::{BranchStacks, Svma};
use hone_symbols::{Binary, DebugInfo, Image, SourceFrame};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};

pub use stacks::Stacks;

/// Reason why no profile for Go could be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GoPgoError {
    /// The recording and the binary do not match, or one of them is unusable.
    #[error(transparent)]
    Fdo(#[from] FdoError),
    /// The binary is no Go program.
    #[error("the binary was not built by Go: it has no .gopclntab section")]
    NotGo,
    /// The debug info lacks the first lines of functions, which Go's compiler needs.
    #[error("the debug info does not say on which lines functions start")]
    NoStartLines,
    /// The samples are single instructions, which say nothing about calls.
    #[error("the {samples} samples have neither call chains nor branch records")]
    NoCalls {
        /// Number of samples in the recordings.
        samples: u64,
    },
    /// There are samples, but no call in the binary.
    #[error("no call in the binary was recorded")]
    NoEdges,
    /// Compression of the profile failed.
    #[error("writing it failed: {0}")]
    Write(String),
}

/// Kind of records that the edges were made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Basis {
    /// Branch records: weights are calls.
    Branches,
    /// Call chains: weights are samples of the callee.
    CallChains,
}

/// Numbers of records that were read and edges that were made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GoPgoReport {
    /// Kind of records that the edges were made from.
    pub basis: Basis,
    /// Number of samples in the recordings.
    pub samples: u64,
    /// Number of edges of calls.
    pub edges: u64,
    /// Number of edges whose calls the compiler had inlined.
    pub inlined_edges: u64,
    /// Weight of all edges.
    pub weight: u64,
    /// Weight of edges into wrappers whose method is not known.
    pub unresolved_wrappers: u64,
    /// Number of samples without any frame in the binary.
    pub samples_outside: u64,
    /// Number of samples whose chain had lost the caller of a leaf, and the caller could be put in again.
    pub callers_mended: u64,
    /// Number of samples whose chain had lost the caller of a leaf, and the caller is not known.
    pub callers_unknown: u64,
    /// Number of samples whose stack was cut at a frame outside the binary, such as a frame of C code.
    pub stacks_cut: u64,
}

/// A profile for Go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GoPgo {
    /// Content of the file `default.pgo`.
    pub bytes: Vec<u8>,
    /// Report on the records and edges.
    pub report: GoPgoReport,
    /// Facts that make the profile worse.
    pub warnings: Vec<Warning>,
}

/// Recordings of one build of a program. Each recording comes with its stacks.
#[derive(Clone, Copy)]
pub struct Build<'b> {
    /// The build.
    pub image: Image<'b>,
    /// Recordings.
    pub recordings: &'b [Recorded],
    /// Call chains of each recording.
    pub stacks: &'b [Stacks],
}

/// Makes the profile of the Go binary. Each recording comes with its stacks.
///
/// `path_hint` is the path of the binary as the caller knows it; it decides if there are no build ids.
pub fn write<'a>(
    recordings: &[Recorded],
    stacks: &[Stacks],
    evidence: Evidence,
    path_hint: Option<&str>,
    image: impl Into<Image<'a>>,
) -> Result<GoPgo, GoPgoError> {
    let build = Build {
        image: image.into(),
        recordings,
        stacks,
    };
    write_builds(&[build], evidence, path_hint)
}

/// Makes one profile of several builds of a Go program, the first of which gives the profile its build id. Go's compiler finds
/// calls by the names of functions and by lines from their first ones, so the builds add up.
///
/// The builds' recordings must be of one kind: if some have branch records, nothing is taken from those that have none.
pub fn write_builds(
    builds: &[Build<'_>],
    evidence: Evidence,
    path_hint: Option<&str>,
) -> Result<GoPgo, GoPgoError> {
    let binaries = builds.iter().map(|build| go_binary(build.image));
    let binaries: Vec<Binary<'_>> = binaries.collect::<Result<_, _>>()?;
    let debug_infos: Vec<DebugInfo<'_>> =
        binaries.iter().map(debug_info).collect::<Result<_, _>>()?;
    let codes: Vec<Code<'_>> = binaries.iter().map(Code::new).collect();
    let parsed = binaries.iter().zip(&debug_infos).zip(&codes);
    let sources = parsed.map(|((binary, debug), code)| Source {
        binary,
        code,
        debug,
        has_start_lines: Cell::new(false),
        promotions: RefCell::default(),
    });
    let sources: Vec<Source<'_>> = sources.collect();
    let counted = builds.iter().zip(&sources);
    let counted =
        counted.map(|(build, source)| count(build.recordings, evidence, path_hint, source.code));
    let counted: Vec<Counted> = counted.collect::<Result<_, _>>()?;
    let mut warnings: Vec<Warning> = Vec::new();
    for (counted, debug) in counted.iter().zip(&debug_infos) {
        let of_build = counted.warnings.iter().cloned().chain(unread(debug));
        // Blocks need not be told apart here, and call chains are as good as Go's own.
        warnings.extend(of_build.filter(|warning| !matches!(warning, Warning::NoBranches)));
    }
    let recordings = builds.iter().flat_map(|build| build.recordings);
    let samples = recordings.map(|recorded| recorded.tally.samples).sum();
    let build_id = binaries.first().and_then(Binary::build_id);
    let mut out = emit::Table::new(path_hint.unwrap_or(""), build_id);
    let report = if counted.iter().any(|counted| counted.counts.has_branches()) {
        let mut edges = calls::Edges::default();
        for (counted, source) in counted.iter().zip(&sources) {
            edges.take_in(calls::edges(&counted.counts, source));
        }
        out.edges(&edges, samples)?
    } else {
        let mut stacks = builds.iter().flat_map(|build| build.stacks);
        if stacks.all(|stacks| !stacks.has_chains()) {
            return Err(GoPgoError::NoCalls { samples });
        }
        for (build, source) in builds.iter().zip(&sources) {
            for (recorded, stacks) in build.recordings.iter().zip(build.stacks) {
                let ids = find_binaries(recorded, source.binary, path_hint)?;
                stacks.add_to(&mut out, &recorded.profile, &ids, source);
            }
        }
        out.stacks_report(samples)
    };
    if !sources.iter().any(|source| source.has_start_lines.get()) {
        return Err(GoPgoError::NoStartLines);
    }
    if report.edges == 0 {
        return Err(GoPgoError::NoEdges);
    }
    let bytes = out
        .bytes()
        .map_err(|error| GoPgoError::Write(error.to_string()))?;
    Ok(GoPgo {
        bytes,
        report,
        warnings,
    })
}

fn go_binary(image: Image<'_>) -> Result<Binary<'_>, GoPgoError> {
    let binary = Binary::parse(image).map_err(FdoError::from)?;
    let mut sections = binary.sections().iter();
    if sections.any(|section| section.name.ends_with("gopclntab")) {
        Ok(binary)
    } else {
        Err(GoPgoError::NotGo)
    }
}

fn debug_info<'b>(binary: &'b Binary<'_>) -> Result<DebugInfo<'b>, GoPgoError> {
    let debug = DebugInfo::parse(binary).map_err(FdoError::from)?;
    if debug.has_debug_info() {
        Ok(debug)
    } else {
        Err(no_debug_info(&debug).into())
    }
}

fn count(
    recordings: &[Recorded],
    evidence: Evidence,
    path_hint: Option<&str>,
    code: &Code<'_>,
) -> Result<Counted, FdoError> {
    match count_binary(recordings, evidence, path_hint, code) {
        // Only callers and callees are needed here, and such stacks hold nothing else.
        Err(FdoError::PartialBranches {
            stacks: BranchStacks::CallStack,
            ..
        }) => count_binary(recordings, Evidence::IpSamples, path_hint, code),
        counted => counted,
    }
}

/// Name that Go gives to the file of functions that its compiler made.
const GENERATED: &str = "<autogenerated>";

/// A function of the source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Function<'s> {
    name: &'s str,
    start_line: u32,
    file: &'s str,
}

/// A line of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Frame<'s> {
    function: Function<'s>,
    line: u32,
}

impl Function<'_> {
    /// Returns true if the compiler made the function, so that the source has no such function.
    fn is_wrapper(&self) -> bool {
        let is_numbered = |mark: &str| {
            let number = self.name.rsplit_once(mark).map_or("", |(_, number)| number);
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        };
        // Functions for == and hash of a type are generated but are no wrappers.
        self.file.ends_with(GENERATED) && !self.name.starts_with("type:")
            || self.name.ends_with("-fm")
            || is_numbered(".gowrap")
            || is_numbered(".deferwrap")
    }
}

impl<'s> From<&SourceFrame<'s>> for Frame<'s> {
    fn from(frame: &SourceFrame<'s>) -> Self {
        // A function of the source has a first line. (Assembly has one too.)
        let is_generated = frame.start_line == 0;
        Self {
            function: Function {
                name: frame.function,
                start_line: frame.start_line,
                file: if is_generated { GENERATED } else { frame.file },
            },
            line: frame.line,
        }
    }
}

/// Code and debug info of the binary.
struct Source<'s> {
    binary: &'s Binary<'s>,
    code: &'s Code<'s>,
    debug: &'s DebugInfo<'s>,
    /// True if debug info stated the first line of any function.
    has_start_lines: Cell<bool>,
    promotions: RefCell<FxHashMap<&'s str, bool>>,
}

impl<'s> Source<'s> {
    /// Returns the inlined functions at an address, innermost first; one frame from the symbol table if debug
    /// info has none (assembly).
    fn frames(&self, svma: Svma) -> Vec<Frame<'s>> {
        let stack = self.debug.inline_stack(svma);
        if !stack.is_empty() && stack.iter().all(|frame| !frame.function.is_empty()) {
            if stack.iter().any(|frame| frame.start_line != 0) {
                self.has_start_lines.set(true);
            }
            return stack.iter().map(Frame::from).collect();
        }
        let function = self.binary.function_at(svma).map(|function| Function {
            name: function.name,
            start_line: 0,
            file: "",
        });
        function
            .map(|function| Frame { function, line: 0 })
            .into_iter()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrappers_are_known_by_file_or_name() {
        let is_wrapper = |name, file| {
            let function = Function {
                name,
                start_line: 0,
                file,
            };
            function.is_wrapper()
        };
        assert!(is_wrapper("main.(*T).Foo", "/src/<autogenerated>"));
        assert!(is_wrapper("main.T.Foo-fm", "/src/a.go"));
        assert!(is_wrapper("main.main.gowrap12", "/src/a.go"));
        assert!(is_wrapper("main.main.deferwrap1", "/src/a.go"));
        assert!(!is_wrapper("main.main.func1", "/src/a.go"));
        assert!(!is_wrapper("main.main.gowrap", "/src/a.go"));
        assert!(!is_wrapper("main.gowrapper", "/src/a.go"));
    }
}
