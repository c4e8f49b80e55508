//! Code without names: time that rules cannot examine. Findings about other code hold all the same.

use crate::finding::Unseen;
use crate::subject::Inspected;
use hone_views::KERNEL;

/// Share of the time up to which code without names is not reported.
const SHARE_MIN: f64 = 0.05;

/// Returns the share of the time in code without names, and the binary with most of it.
pub(crate) fn unseen(inspected: &Inspected) -> Option<Unseen> {
    let unknown = inspected.stacks.unknown.by_binary.iter();
    // Findings about the program hold without the kernel's names, and libgcc_s does one thing only.
    let unknown =
        unknown.filter(|(path, _)| !matches!(path.as_str(), KERNEL | "[vdso]") && !is_libgcc(path));
    let unknown: Vec<(&String, u64)> = unknown.map(|(path, weight)| (path, *weight)).collect();
    let share = inspected.share(unknown.iter().map(|(_, weight)| weight).sum());
    let (binary, _) = unknown.into_iter().max_by_key(|(_, weight)| *weight)?;
    (share.low > SHARE_MIN).then(|| Unseen {
        share,
        binary: binary.clone(),
    })
}

/// True for the file of libgcc_s. A hub knows the last part of its path alone.
fn is_libgcc(path: &str) -> bool {
    let file_name = path.rsplit('/').next();
    file_name.is_some_and(|name| name.starts_with("libgcc_s.so"))
}

/// Returns the share of the time in optimised code whose inlined calls have no names, for want of debug information,
/// and the binary with most of it.
pub(crate) fn inlined_unseen(inspected: &Inspected) -> Option<Unseen> {
    let unknown = &inspected.stacks.unknown.by_binary;
    let without = inspected
        .binaries
        .iter()
        .filter(|binary| !binary.has_debug_info && !binary.is_system());
    let weights = without.map(|binary| {
        let nameless = unknown.get(&binary.path).copied().unwrap_or(0);
        (binary, binary.optimisation.with.saturating_sub(nameless))
    });
    let weights: Vec<_> = weights.collect();
    let share = inspected.share(weights.iter().map(|(_, weight)| weight).sum());
    let (binary, _) = weights.into_iter().max_by_key(|(_, weight)| *weight)?;
    (share.low > SHARE_MIN).then(|| Unseen {
        share,
        binary: binary.path.clone(),
    })
}

#[cfg(test)]
mod tests {
    use crate::diagnose;
    use crate::testing::inspected;

    /// Diagnoses a recording of `main` with 1,000 samples, an allocator with `allocating` samples and a library without names.
    fn diagnosis(allocating: u64, nameless: u64) -> crate::Diagnosis {
        let mut inspected = inspected(&[
            ("main;malloc", allocating),
            ("main", 1000),
            ("main;[libx.so]", nameless),
        ]);
        let unknown = &mut inspected.stacks.unknown.by_binary;
        unknown.insert("/usr/lib/libx.so".to_owned(), nameless);
        diagnose(&inspected)
    }

    #[test]
    fn what_is_found_beside_code_without_names_holds() {
        let found = diagnosis(900, 1000);
        assert!(found.is_fit());
        assert_eq!(found.findings[0].rule, "allocator");
        let unseen = found.unseen.unwrap();
        assert_eq!(unseen.binary, "/usr/lib/libx.so");
        assert!((unseen.share.share - 1000.0 / 2900.0).abs() < 1e-9);
        assert_eq!(diagnosis(900, 50).unseen, None);
    }

    #[test]
    fn inlined_calls_without_names_are_told() {
        let mut inspected = inspected(&[("main;f", 900), ("main", 100)]);
        let optimisation = crate::Optimisation {
            without: 0,
            with: 950,
        };
        inspected.binaries = vec![crate::BinaryFacts {
            path: "/p".to_owned(),
            role: crate::Role::Program,
            is_static: false,
            marks: Default::default(),
            has_debug_info: false,
            weight: 1000,
            functions: Vec::new(),
            optimisation,
            layout: None,
        }];
        let unseen = diagnose(&inspected).inlined_unseen.unwrap();
        assert_eq!(unseen.binary, "/p");
        assert!((unseen.share.share - 0.95).abs() < 1e-9);
        inspected.binaries[0].has_debug_info = true;
        assert_eq!(diagnose(&inspected).inlined_unseen, None);
    }

    #[test]
    fn silence_about_mostly_nameless_code_is_no_verdict() {
        assert!(diagnosis(0, 500).findings.is_empty());
        let found = diagnosis(0, 5000);
        assert!(!found.is_fit());
        assert_eq!(found.findings.len(), 1);
    }
}
