//! Names of the objects that are kept of a service's regressions.

use sha2::{Digest, Sha256};

/// Name of a service whose bytes are longer is cut in names of objects.
const SERVICE_BYTES_MAX: usize = 100;

/// Returns the folder of a tenant's regressions.
pub(super) fn directory(tenant: &str) -> String {
    format!("{tenant}/regressions/")
}

/// Returns the folder of a service.
pub(super) fn service_directory(tenant: &str, service: &str) -> String {
    let mut name = hex::encode(&service.as_bytes()[..service.len().min(SERVICE_BYTES_MAX)]);
    if service.len() > SERVICE_BYTES_MAX {
        name += &hex::encode(&Sha256::digest(service)[..8]);
    }
    format!("{}{name}/", directory(tenant))
}

/// Returns the name of what is known of a service.
pub(super) fn state_name(tenant: &str, service: &str) -> String {
    format!("{}state.json", service_directory(tenant, service))
}

/// Returns the name of the courses of a service's findings.
pub(super) fn courses_name(tenant: &str, service: &str) -> String {
    format!("{}courses.json", service_directory(tenant, service))
}

/// Returns the name of a step.
pub(super) fn step_name(tenant: &str, service: &str, number: u64) -> String {
    format!("{}step-{number}", service_directory(tenant, service))
}

/// Returns the number of a step by the name of its object; `None` if it is none.
pub(super) fn number_of(object: &str) -> Option<u64> {
    let (_, name) = object.rsplit_once('/')?;
    name.strip_prefix("step-")?.parse().ok()
}
