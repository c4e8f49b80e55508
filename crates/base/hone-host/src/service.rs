//! Service of a cgroup, and a short name for the service.
//!
//! A service is something that is started, stopped and limited as a whole: a unit of systemd, or a container. Cgroups
//! within a service count for the service. Names must stay few and short, since each name is a series; random parts of
//! names are cut.

/// Limit on bytes of a name.
const NAME_BYTES_MAX: usize = 100;
/// Least number of hexadecimal digits of a container's id, and number of digits that are kept: as many as `docker ps`
/// shows.
const ID_DIGITS: usize = 32;
const ID_DIGITS_KEPT: usize = 12;

/// A service.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Service {
    /// Name.
    pub name: String,
    /// Number of bytes of the path that are the service's own cgroup.
    pub path_bytes: usize,
}

/// Returns the service of the cgroup with this path.
///
/// | path | name |
/// |---|---|
/// | `/system.slice/nginx.service/worker` | `nginx.service` |
/// | `/system.slice/docker-0123...ef.scope` | `docker-0123456789ab.scope` |
/// | `/kubepods.slice/.../kubepods-pod1234.slice/cri-containerd-0123...ef.scope` | `pod1234/cri-containerd-0123456789ab.scope` |
/// | `/docker/0123...ef/system.slice/nginx.service` | `docker/0123456789ab/nginx.service` |
/// | `/batch/nightly` | `batch/nightly` |
/// | `/` | `/` |
pub fn service(path: &str) -> Service {
    let (parts, ends) = parts(path);
    let container = parts.iter().rposition(|part| id_digits(part).is_some());
    let after = container.map_or(0, |at| at + 1);
    let unit = parts[after..]
        .iter()
        .rposition(|part| is_unit(part))
        .map(|at| at + after);
    let Some(last) = unit.or(container).or_else(|| parts.len().checked_sub(1)) else {
        return Service {
            name: "/".into(),
            path_bytes: path.len(),
        };
    };
    let mut words: Vec<&str> = Vec::new();
    if let Some(at) = container {
        words.extend(parts[..at].iter().rev().find_map(|part| pod(part)));
        let is_bare =
            id_digits(parts[at]).is_some_and(|(start, end)| end - start == parts[at].len());
        if is_bare && words.is_empty() {
            words.extend(at.checked_sub(1).map(|before| parts[before]));
        }
        words.push(parts[at]);
    } else if unit.is_none() {
        words.extend(last.checked_sub(1).map(|before| parts[before]));
    }
    if container != Some(last) {
        words.push(parts[last]);
    }
    let shortened: Vec<String> = words.into_iter().map(shortened).collect();
    let mut name = shortened.join("/");
    // Only ASCII is left.
    name.truncate(NAME_BYTES_MAX);
    Service {
        name,
        path_bytes: ends[last],
    }
}

/// Splits a path; returns the parts, and the position where each part ends.
fn parts(path: &str) -> (Vec<&str>, Vec<usize>) {
    let mut end = 0;
    let parts = path.split('/').map(|part| {
        end += part.len() + 1;
        (part, end - 1)
    });
    parts.filter(|(part, _)| !part.is_empty()).unzip()
}

fn is_unit(part: &str) -> bool {
    part.ends_with(".service") || part.ends_with(".scope")
}

/// Returns the id of the innermost container that the cgroup with this path belongs to, in hexadecimal digits; `None` outside of
/// containers.
pub fn container(path: &str) -> Option<&str> {
    let mut parts = path.rsplit('/');
    parts.find_map(|part| id_digits(part).map(|(start, end)| &part[start..end]))
}

/// Returns `pod1234...` for `pod1234...` and for `kubepods-burstable-pod1234....slice`.
fn pod(part: &str) -> Option<&str> {
    let bare = part.strip_suffix(".slice").unwrap_or(part);
    let pod = bare.rfind("pod").map(|at| &bare[at..])?;
    pod.bytes().any(|byte| byte.is_ascii_digit()).then_some(pod)
}

/// Returns the range of the digits of a container's id.
fn id_digits(part: &str) -> Option<(usize, usize)> {
    let mut start = 0;
    for piece in part.as_bytes().split(|byte| !byte.is_ascii_hexdigit()) {
        if piece.len() >= ID_DIGITS {
            return Some((start, start + piece.len()));
        }
        start += piece.len() + 1;
    }
    None
}

/// Cuts most of an id, and keeps only characters that mean nothing to any protocol.
pub fn shortened(part: &str) -> String {
    let kept = match id_digits(part) {
        Some((start, end)) => [&part[..start + ID_DIGITS_KEPT], &part[end..]].concat(),
        None => part.to_owned(),
    };
    plain(&kept, "._-@:")
}

/// Returns a text as the value of a tag: ASCII letters and digits and the characters in `others` stay, all else becomes
/// `_`.
pub fn plain(text: &str, others: &str) -> String {
    let stays = |c: char| c.is_ascii_alphanumeric() || others.contains(c);
    let plain = text.chars().map(|c| if stays(c) { c } else { '_' });
    plain.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "2a2de1c219f20988e2fc29509a0a24342a2de1c219f20988e2fc29509a0a2434";

    #[track_caller]
    fn is(path: &str, name: &str, of: &str) {
        let found = service(path);
        assert_eq!(found.name, name);
        assert_eq!(&path[..found.path_bytes], of);
    }

    #[test]
    fn units_of_systemd_have_their_names_and_all_below_them() {
        let nginx = "/system.slice/nginx.service";
        is(nginx, "nginx.service", nginx);
        is(&format!("{nginx}/worker/1"), "nginx.service", nginx);
        let own = "/user.slice/user-1000.slice/user@1000.service/app.slice/app-x.scope";
        is(own, "app-x.scope", own);
        let odd = "/system.slice/a\\x2db\"c.service";
        is(odd, "a_x2db_c.service", odd);
    }

    #[test]
    fn containers_have_twelve_digits_of_their_ids_and_their_pods() {
        let docker = format!("/system.slice/docker-{ID}.scope");
        is(&docker, "docker-2a2de1c219f2.scope", &docker);
        is(
            &format!("{docker}/init"),
            "docker-2a2de1c219f2.scope",
            &docker,
        );
        let bare = format!("/docker/{ID}");
        is(&bare, "docker/2a2de1c219f2", &bare);
        let unit = format!("{bare}/system.slice/nginx.service");
        is(&unit, "docker/2a2de1c219f2/nginx.service", &unit);
        let pod = format!("/kubepods/burstable/pod12ab-34/{ID}");
        is(&pod, "pod12ab-34/2a2de1c219f2", &pod);
        let slices = format!(
            "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod12ab_34.slice/cri-containerd-{ID}.scope"
        );
        is(
            &slices,
            "pod12ab_34/cri-containerd-2a2de1c219f2.scope",
            &slices,
        );
    }

    #[test]
    fn processes_in_containers_know_the_innermost() {
        let inner = ID.replace('2', "3");
        let path = format!("/kubepods/pod1/{ID}/docker-{inner}.scope/init.scope");
        assert_eq!(container(&path), Some(inner.as_str()));
        assert_eq!(container("/system.slice/nginx.service"), None);
    }

    #[test]
    fn others_are_named_by_the_end_of_their_path() {
        is("/", "/", "/");
        is("", "/", "");
        is("/batch", "batch", "/batch");
        is("/a/b/c", "b/c", "/a/b/c");
        is("/../../ü", "../_", "/../../ü");
        let odd = format!("/ü{ID}ü");
        is(&odd, "_2a2de1c219f2_", &odd);
        let long = format!("/{}", "x".repeat(300));
        assert_eq!(service(&long).name.len(), NAME_BYTES_MAX);
    }
}
