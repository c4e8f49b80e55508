//! Names of two recordings that are compared.

use std::path::Path;

/// Names for the recordings
#[derive(clap::Args)]
pub(crate) struct SideNames {
    /// What to call the old recording [default: what tells its path from the other]
    #[arg(long, value_name = "NAME")]
    old_name: Option<String>,
    /// What to call the new recording
    #[arg(long, value_name = "NAME")]
    new_name: Option<String>,
}

impl SideNames {
    /// Returns the names given, or `old` and `new`.
    pub(crate) fn or(&self, old: &str, new: &str) -> [String; 2] {
        [(&self.old_name, old), (&self.new_name, new)]
            .map(|(given, default)| given.clone().unwrap_or_else(|| default.to_owned()))
    }

    /// Returns the names given, or as much of the end of each path as distinguishes the paths.
    pub(crate) fn or_of_paths(&self, old: &Path, new: &Path) -> [String; 2] {
        let parts = old.components().count().max(new.components().count());
        let ends = |count| [old, new].map(|path| end_of(path, count));
        let told = (1..=parts).map(ends).find(|[old, new]| old != new);
        let [old, new] = told.unwrap_or_else(|| ends(1));
        self.or(&old, &new)
    }
}

/// Returns the last `count` components of a path.
fn end_of(path: &Path, count: usize) -> String {
    let all = path.components().count();
    let end = path.components().skip(all.saturating_sub(count));
    end.collect::<std::path::PathBuf>().display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_name_are_called_by_what_tells_them_apart() {
        let given = SideNames {
            old_name: None,
            new_name: None,
        };
        let names = |old: &str, new: &str| given.or_of_paths(old.as_ref(), new.as_ref());
        assert_eq!(names("x/a.data", "x/b.data"), ["a.data", "b.data"]);
        assert_eq!(
            names("/x/1/p/hone.data", "/x/2/p/hone.data"),
            ["1/p/hone.data", "2/p/hone.data"]
        );
        assert_eq!(
            names("hone.data", "new/hone.data"),
            ["hone.data", "new/hone.data"]
        );
        assert_eq!(names("hone.data", "hone.data"), ["hone.data", "hone.data"]);
    }
}
