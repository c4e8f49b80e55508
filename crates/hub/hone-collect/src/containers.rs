//! The containers of the host: what their runtimes say of them.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hone_host::container::{self, Labels};

/// Bytes of a runtime's file that are read: larger ones are nobody's description of a container.
const FILE_BYTES_MAX: u64 = 4 << 20;
/// Directories that are looked through for one `*` of a path.
const DIRECTORIES_MAX: usize = 100;

/// Labels of the containers that were asked for.
#[derive(Debug)]
pub(crate) struct Containers {
    /// Root of the host's files.
    root: PathBuf,
    known: HashMap<String, Arc<Labels>>,
}

impl Containers {
    /// Looks for what runtimes write below the root of a host's files.
    pub(crate) fn of(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            known: HashMap::new(),
        }
    }

    /// Returns the labels of a container by its id in hexadecimal digits; none if its runtime is not known.
    pub(crate) fn labels(&mut self, id: &str) -> Arc<Labels> {
        if let Some(known) = self.known.get(id) {
            return known.clone();
        }
        let paths = container::PATHS.iter();
        let mut paths = paths.flat_map(|path| self.found(&path.replace("{id}", id)));
        let text = paths.find_map(|path| read(&path));
        let labels = Arc::new(text.map_or_else(Labels::new, |text| container::labels(&text)));
        self.known.insert(id.to_owned(), labels.clone());
        labels
    }

    /// Forgets the containers that are not among these.
    pub(crate) fn keep(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.known.retain(|id, _| is_kept(id));
    }

    /// Returns the paths that a pattern with at most one `*` stands for.
    fn found(&self, pattern: &str) -> Vec<PathBuf> {
        let Some((above, below)) = pattern.split_once("/*/") else {
            return vec![self.root.join(pattern)];
        };
        let Ok(entries) = fs::read_dir(self.root.join(above)) else {
            return Vec::new();
        };
        let entries = entries.flatten().take(DIRECTORIES_MAX);
        entries.map(|entry| entry.path().join(below)).collect()
    }
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let file = File::open(path).ok()?;
    let mut text = Vec::new();
    file.take(FILE_BYTES_MAX).read_to_end(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_found_where_runtimes_write_them_and_read_once() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            "var/lib/docker/containers/aa/config.v2.json",
            r#"{"Config":{"Labels":{"com.docker.compose.service":"till"}}}"#,
        );
        write(
            "run/containerd/io.containerd.runtime.v2.task/k8s.io/bb/config.json",
            r#"{"annotations":{"io.kubernetes.cri.sandbox-name":"redis-0"}}"#,
        );
        let mut containers = Containers::of(root.path());
        let mut service = |id: &str| container::service(&containers.labels(id)).map(str::to_owned);
        assert_eq!(service("aa").as_deref(), Some("till"));
        assert_eq!(service("bb").as_deref(), Some("redis"));
        assert_eq!(service("cc"), None);
        fs::remove_dir_all(root.path().join("var")).unwrap();
        assert_eq!(service("aa").as_deref(), Some("till"));
        containers.keep(|id| id != "aa");
        assert!(containers.labels("aa").is_empty());
    }
}
