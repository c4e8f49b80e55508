//! The real VictoriaMetrics of Debian.

use super::server::Server;

/// One with more arguments. `None` where it is not installed.
pub(crate) fn victoria_metrics(more: &[&str]) -> Option<Server> {
    let arguments = |address, data: &std::path::Path| {
        let own = [
            format!("-httpListenAddr={address}"),
            format!("-storageDataPath={}", data.display()),
        ];
        own.into_iter()
            .chain(more.iter().map(ToString::to_string))
            .collect()
    };
    Server::start("victoria-metrics", arguments, "/health")
}
