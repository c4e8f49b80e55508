//! What is done for symbols by time: builds of samples are noted as seen, files are fetched, tables made, old ones removed.

use std::collections::HashMap;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use hone_hub::symbols::Debuginfod;
use hone_hub::symbols::limits::{ABSENT_S, FAILED_S};
use hone_profile::BuildId;

use crate::log;
use crate::run::{Hub, now_s};
use crate::settings::Every;
use crate::upkeep::{attempt, for_tenants, is_over, moment};

/// Builds that servers are asked for in one round of a tenant: hosts may send ids of builds that are nowhere.
const ASKED_MAX: usize = 200;
/// Builds that are remembered as looked at.
const LOOKED_MAX: usize = 1 << 17;

/// Servers, and when they are to be asked again.
struct Fetching {
    servers: Debuginfod,
    /// Times before which a build of a tenant is not looked at again, in seconds since 1970.
    until_s: HashMap<(String, BuildId), u64>,
}

/// Does it until the hub ends.
pub(crate) fn work(hub: &Hub, every: Every, is_ending: &Receiver<()>) {
    let settings = &hub.symbols.settings;
    let servers = Debuginfod::new(&settings.servers, &settings.limits);
    let mut fetching = servers.map(|servers| Fetching {
        servers,
        until_s: HashMap::new(),
    });
    for_tenants(hub, every, is_ending, |tenant, retains| {
        round(hub, tenant, retains, fetching.as_mut(), is_ending);
    });
}

/// Does everything for a tenant.
fn round(
    hub: &Hub,
    tenant: &str,
    retains: bool,
    fetching: Option<&mut Fetching>,
    is_ending: &Receiver<()>,
) {
    let library = &hub.symbols.library;
    let figures = &hub.figures.symbols;
    let builds = hub.symbols.seen_of(tenant);
    attempt(hub, &format!("note builds of {tenant}"), |_| {
        library.seen(tenant, &builds, now_s())
    });
    if retains && let Some(moment) = moment(hub, tenant) {
        let removed = attempt(hub, &format!("remove old symbols of {tenant}"), |_| {
            library.retain(tenant, moment.confirmed_s())
        });
        removed.iter().for_each(|done| figures.retained(done));
        let goes_on = || !is_over(is_ending, Duration::ZERO);
        attempt(hub, &format!("make tables of names of {tenant}"), |_| {
            library.make_tables(tenant, now_s(), goes_on)
        });
    }
    if let Some(fetching) = fetching {
        fetching.fetch(hub, tenant, &builds, is_ending);
    }
    let used = attempt(hub, &format!("look at symbols of {tenant}"), |_| {
        library.usage(tenant)
    });
    used.into_iter().for_each(|used| figures.uses(tenant, used));
}

impl Fetching {
    /// Fetches what builds lack, one after the other. Those beyond the limit come again with the next batch of their hosts.
    fn fetch(&mut self, hub: &Hub, tenant: &str, builds: &[BuildId], is_ending: &Receiver<()>) {
        let now = now_s();
        self.until_s.retain(|_, until_s| now < *until_s);
        let mut asked = 0;
        for build in builds {
            let key = (tenant.to_owned(), build.clone());
            if self.until_s.contains_key(&key) {
                continue;
            }
            let is_enough = asked == ASKED_MAX;
            if is_enough || is_over(is_ending, Duration::ZERO) || !has_room(hub, tenant) {
                return;
            }
            let fetched = attempt(hub, &format!("fetch symbols for {tenant}"), |hub| {
                let builds = std::slice::from_ref(build);
                let library = &hub.symbols.library;
                library.fetch(tenant, builds, &self.servers, now_s())
            });
            let Some(fetched) = fetched else {
                return;
            };
            hub.figures.symbols.fetched(&fetched);
            for (build, artifact, why) in &fetched.failed {
                let what = artifact.name();
                log::say_often(
                    "fetch",
                    format!("{what} of the build {build} is not fetched: {why}"),
                );
            }
            let pause_s = match fetched.failed.is_empty() {
                true => ABSENT_S,
                false => FAILED_S,
            };
            // One that lacks nothing, or that was asked for a short time ago, is no question to servers.
            let files = fetched.found.len() + fetched.absent.len() + fetched.failed.len();
            asked += usize::from(files > 0);
            if self.until_s.len() < LOOKED_MAX {
                self.until_s.insert(key, now_s().saturating_add(pause_s));
            }
        }
    }
}

/// True if a tenant's symbols may grow by what is fetched.
fn has_room(hub: &Hub, tenant: &str) -> bool {
    let used = attempt(hub, &format!("look at symbols of {tenant}"), |hub| {
        hub.symbols.library.usage(tenant)
    });
    let Some(used) = used else {
        return false;
    };
    let max = hub.symbols.settings.fetch_bytes;
    if used.bytes >= max {
        let why = format!(
            "nothing is fetched for {tenant}, whose symbols have {max} bytes or more: raise symbols.fetch_bytes"
        );
        log::say_often("fetch", why);
    }
    used.bytes < max
}
