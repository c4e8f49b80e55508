//! Regressions of a tenant's services: steps of time gathered once and kept, looks at them, and what was found.
//!
//! ```text
//! batches of six hours --[gather]--> TENANT/regressions/SERVICE/step-START   (eight days)
//!                                                     |
//!                                                  [look] --> TENANT/regressions/SERVICE/state.json, courses.json
//! ```
//!
//! Constraints that shaped this module:
//! - Hosts are kept for a week, and reading all of it for each look would cost more than compaction: so each step is
//!   gathered once. What comes later than [`SETTLE_S`] after its step does not count here.
//! - Any number of replicas may look: the state is replaced by compare-and-swap, and who loses has nothing to tell.
//! - What is told is in the state until it was delivered, so a hub that ends before has told nothing too few.

mod functions;
mod names;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io;
use std::sync::Arc;

use hone_batch::{Batch, EventIndex};
use hone_regressions::{
    Acknowledged, Courses, Filtered, History, NoClaim, Standing, Standings, Step, Thresholds,
    gather, look,
};
use hone_views::is_time;
use serde::{Deserialize, Serialize};

use self::names::{courses_name, directory, number_of, service_directory, state_name, step_name};
use crate::question::{NoAnswer, Question, answer};
use crate::store::error::Tried;
use crate::store::limits::TIME_S_MAX;
use crate::store::objects::{Objects, Version};
use crate::store::tables::Table;
use crate::store::time::day_of;
use crate::store::{Detail, Service, Store, StoreError, check_tenant};
use crate::symbols::Symbols;

/// Length of a step.
pub const STEP_S: u64 = 6 * 3_600;
/// Time after the end of a step for batches to come.
pub const SETTLE_S: u64 = 1_800;
/// Steps that a look needs: a day, and those of a week before.
const STEPS: u64 = 8 * 86_400 / STEP_S;
/// Looks that are made up if none was done in time. Two, since a finding is told after two in a row.
const LOOKS_MADE_UP: u64 = 2;
/// Increases that are no findings, of those a state tells.
const FILTERED_MAX: usize = 50;
/// Findings that wait to be delivered, the newest.
const WAITING_MAX: usize = 200;
/// Services of a tenant that are looked at, those with most bytes: each has a step every six hours, and hosts name services.
const SERVICES_MAX: usize = 1000;
/// Times that what is said of a finding is written while others write.
const ATTEMPTS_MAX: usize = 20;

/// What is known of a service.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The service.
    pub service: String,
    /// Findings over looks.
    pub standings: Standings,
    /// Number of shares that the last look tested.
    pub tested: usize,
    /// Why the last look says nothing over time.
    pub no_claim_over_time: Option<NoClaim>,
    /// Why the last look says nothing of builds that run side by side.
    pub no_claim_of_builds: Option<NoClaim>,
    /// Significant increases of the last look that are no findings, and why.
    pub filtered: Vec<Filtered>,
    /// Ids of the findings that were told and wait to be delivered.
    pub waiting: Vec<String>,
}

impl State {
    /// Returns the findings that wait to be delivered.
    pub fn to_deliver(&self) -> Vec<&Standing> {
        let told = self.standings.list.iter();
        told.filter(|standing| self.waiting.contains(&standing.id))
            .collect()
    }
}

/// Regressions of a tenant.
pub struct Regressions<'s> {
    store: &'s Store,
    objects: Arc<dyn Objects>,
    tenant: &'s str,
    /// Names of functions; without, code that hosts do not name counts as its file.
    symbols: Option<&'s Symbols>,
    thresholds: Thresholds,
    rows_max: usize,
}

impl<'s> Regressions<'s> {
    /// Begins; a step's answer has at most `rows_max` rows in memory.
    ///
    /// # Errors
    ///
    /// Returns an error if that is no tenant's name.
    pub fn of(
        store: &'s Store,
        tenant: &'s str,
        symbols: Option<&'s Symbols>,
        thresholds: Thresholds,
        rows_max: usize,
    ) -> Result<Self, StoreError> {
        check_tenant(tenant)?;
        Ok(Self {
            store,
            objects: store.objects(),
            tenant,
            symbols,
            thresholds,
            rows_max,
        })
    }

    /// Returns the services that have been used in the days of a look, with their days since the first step that it needs, and the
    /// number of those that are left out because others have more bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn services(&self, now_s: u64) -> Result<(Vec<Service>, usize), StoreError> {
        let from_s = now_s.saturating_sub(SETTLE_S + (STEPS + LOOKS_MADE_UP) * STEP_S);
        let mut services = self.store.services(self.tenant, from_s..now_s)?;
        let used_since = day_of(now_s.saturating_sub(2 * STEP_S));
        services.retain(|service| {
            let last = service.days.last();
            !service.name.is_empty() && last.is_some_and(|day| *day >= used_since)
        });
        let left_out = services.len().saturating_sub(SERVICES_MAX);
        keep_largest(&mut services, SERVICES_MAX);
        Ok((services, left_out))
    }

    /// Looks at one of [`Self::services`] as far as a look is due. Returns the number of looks, and the state after them.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn look_at(&self, service: &Service, now_s: u64) -> Result<(u64, State), StoreError> {
        let name = state_name(self.tenant, &service.name);
        let (mut state, version) = self.read(&name)?;
        let due = now_s.saturating_sub(SETTLE_S) / STEP_S;
        if state.standings.at_s >= due * STEP_S || due < STEPS {
            return Ok((0, state));
        }
        state.service.clone_from(&service.name);
        let steps = self.steps(service, due, now_s)?;
        let mut courses = self.courses(&service.name)?;
        let mut looks = 0;
        for end in due + 1 - LOOKS_MADE_UP..=due {
            if state.standings.at_s < end * STEP_S {
                looks += u64::from(self.look(&steps, end, &mut state, &mut courses));
            }
        }
        // Steps without samples are not looked at again.
        state.standings.at_s = due * STEP_S;
        if !self.save(&name, &state, version.as_ref())? {
            // Another hub was faster.
            return Ok((0, self.read(&name)?.0));
        }
        let name = courses_name(self.tenant, &service.name);
        let bytes = serde_json::to_vec(&courses).unwrap_or_default();
        self.objects.put(&name, &bytes).tried("write", &name)?;
        Ok((looks, state))
    }

    /// Returns those of a service's days that have to be gathered for the look that is due: their steps are not kept.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn to_gather(
        &self,
        service: &str,
        days: &[String],
        now_s: u64,
    ) -> Result<Vec<String>, StoreError> {
        let due = now_s.saturating_sub(SETTLE_S) / STEP_S;
        let (state, _) = self.read(&state_name(self.tenant, service))?;
        if state.standings.at_s >= due * STEP_S {
            return Ok(Vec::new());
        }
        let directory = service_directory(self.tenant, service);
        let listed = self.objects.list(&directory).tried("list", &directory)?;
        let kept: BTreeSet<u64> = listed
            .iter()
            .filter_map(|one| number_of(&one.name))
            .collect();
        let missing = wanted(due).filter(|number| !kept.contains(number));
        let missing: BTreeSet<String> = missing.map(|number| day_of(number * STEP_S)).collect();
        let is_missing = |day: &&String| missing.contains(*day);
        Ok(days.iter().filter(is_missing).cloned().collect())
    }

    /// Looks at the steps before an end; false if there is nothing in the last one.
    fn look(
        &self,
        steps: &BTreeMap<u64, Step>,
        end: u64,
        state: &mut State,
        courses: &mut Courses,
    ) -> bool {
        let steps: Vec<Step> = steps
            .range(end.saturating_sub(STEPS)..end)
            .map(|(_, step)| step.clone())
            .collect();
        if steps
            .last()
            .is_none_or(|step| (step.start_s / STEP_S) + 1 != end || step.cells.is_empty())
        {
            return false;
        }
        let history = History::new(&steps, STEP_S);
        let look = look(&history, self.thresholds);
        let told = state.standings.add(&look);
        courses.follow(&state.standings, &history);
        state
            .waiting
            .extend(told.into_iter().map(|standing| standing.id));
        let beyond = state.waiting.len().saturating_sub(WAITING_MAX);
        state.waiting.drain(..beyond);
        state.tested = look.tested;
        state.no_claim_over_time = look.no_claim_over_time;
        state.no_claim_of_builds = look.no_claim_of_builds;
        state.filtered = look.filtered;
        state.filtered.truncate(FILTERED_MAX);
        true
    }

    /// Notes findings as delivered.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn delivered(&self, service: &str, ids: &[String]) -> Result<(), StoreError> {
        let name = state_name(self.tenant, service);
        let (mut state, version) = self.read(&name)?;
        state.waiting.retain(|id| !ids.contains(id));
        // Whoever was faster has looked again: what was delivered is delivered once more.
        self.save(&name, &state, version.as_ref()).map(|_| ())
    }

    /// Notes what somebody says of a finding, or takes that back with `None`. Returns false if there is no such finding.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails, or others write all the time.
    pub fn acknowledge(
        &self,
        service: &str,
        id: &str,
        said: Option<&Acknowledged>,
    ) -> Result<bool, StoreError> {
        let name = state_name(self.tenant, service);
        for _ in 0..ATTEMPTS_MAX {
            let (mut state, version) = self.read(&name)?;
            let mut list = state.standings.list.iter_mut();
            let Some(standing) = list.find(|standing| standing.id == id) else {
                return Ok(false);
            };
            standing.acknowledged = said.cloned();
            if self.save(&name, &state, version.as_ref())? {
                return Ok(true);
            }
        }
        let source = io::Error::other("others write it all the time: try again");
        Err(StoreError::Storage {
            action: "replace",
            name,
            source,
        })
    }

    /// Returns what is known of services that were looked at, by name: of those that are named, or of all where none is.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn states(&self, services: &[String]) -> Result<Vec<State>, StoreError> {
        let names = match services {
            [] => {
                let directory = directory(self.tenant);
                let listed = self.objects.list(&directory).tried("list", &directory)?;
                let names = listed.into_iter().map(|listed| listed.name);
                names.filter(|name| name.ends_with("/state.json")).collect()
            }
            named => {
                let names = named.iter().map(|service| state_name(self.tenant, service));
                names.collect::<BTreeSet<String>>()
            }
        };
        let mut states = Vec::new();
        for name in names {
            let (state, version) = self.read(&name)?;
            states.extend(version.map(|_| state));
        }
        states.sort_by(|a, b| a.service.cmp(&b.service));
        Ok(states)
    }

    /// Returns the shares of a service's told findings over the weeks.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn courses(&self, service: &str) -> Result<Courses, StoreError> {
        let name = courses_name(self.tenant, service);
        let bytes = self.objects.get(&name).tried("read", &name)?;
        // Those that cannot be read begin anew with the steps that are kept.
        let courses = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Ok(courses.unwrap_or_default())
    }

    fn read(&self, name: &str) -> Result<(State, Option<Version>), StoreError> {
        let Some(object) = self.objects.get_versioned(name).tried("read", name)? else {
            return Ok((State::default(), None));
        };
        // A state that cannot be read is begun anew: steps are kept by themselves.
        let state = serde_json::from_slice(&object.bytes).unwrap_or_default();
        Ok((state, Some(object.version)))
    }

    fn save(
        &self,
        name: &str,
        state: &State,
        version: Option<&Version>,
    ) -> Result<bool, StoreError> {
        let bytes = serde_json::to_vec(state).unwrap_or_default();
        match version {
            Some(version) => self
                .objects
                .replace(name, &bytes, version)
                .tried("replace", name),
            None => self
                .objects
                .put_if_absent(name, &bytes)
                .tried("write", name),
        }
    }

    /// Returns the steps up to before a number: those that are kept, and the others gathered now. Those of days that the service
    /// does not have are empty, and not kept.
    fn steps(
        &self,
        service: &Service,
        due: u64,
        now_s: u64,
    ) -> Result<BTreeMap<u64, Step>, StoreError> {
        let wanted = wanted(due);
        let directory = service_directory(self.tenant, &service.name);
        let listed = self.objects.list(&directory).tried("list", &directory)?;
        let mut steps = BTreeMap::new();
        for listed in listed {
            let Some(number) = number_of(&listed.name) else {
                continue;
            };
            if number < wanted.start {
                self.objects
                    .delete(&listed.name)
                    .tried("remove", &listed.name)?;
                continue;
            }
            let bytes = self.objects.get(&listed.name).tried("read", &listed.name)?;
            // One that cannot be read is gathered anew.
            if let Some(Ok(step)) = bytes.map(|bytes| Step::from_bytes(&bytes)) {
                steps.insert(number, step);
            }
        }
        for number in wanted {
            if steps.contains_key(&number) {
                continue;
            }
            let start_s = number * STEP_S;
            if !service.days.contains(&day_of(start_s)) {
                steps.insert(number, Step::new(start_s));
                continue;
            }
            let step = self.gathered(&service.name, number, now_s)?;
            let name = step_name(self.tenant, &service.name, number);
            self.objects
                .put(&name, &step.to_bytes())
                .tried("write", &name)?;
            steps.insert(number, step);
        }
        Ok(steps)
    }

    fn gathered(&self, service: &str, number: u64, now_s: u64) -> Result<Step, StoreError> {
        let start_s = number * STEP_S;
        let question = Question {
            services: vec![service.to_owned()],
            span_s: start_s..start_s + STEP_S,
            tables: vec![Table::Samples],
            ..Question::default()
        };
        let empty = Ok(Step::new(start_s));
        match answer(self.store, self.tenant, &question, self.rows_max) {
            // Without hosts there are no units.
            Ok(answer) if answer.detail >= Detail::NoHosts => empty,
            Ok(answer) => {
                let Some(event) = heaviest(&answer.batch) else {
                    return empty;
                };
                let names = functions::named(self.symbols, self.tenant, &answer.batch, now_s)?;
                Ok(gather(&answer.batch, event, start_s, |place, is_return| {
                    names.at(place, is_return)
                }))
            }
            Err(NoAnswer::Store(error)) => Err(error),
            Err(_) => empty,
        }
    }
}

/// Removes steps and states of services of which the store has nothing any more; returns the names of the others.
///
/// # Errors
///
/// Returns an error if that is no tenant's name, or if the storage fails.
pub fn retain(store: &Store, tenant: &str) -> Result<BTreeSet<String>, StoreError> {
    check_tenant(tenant)?;
    let (objects, directory) = (store.objects(), directory(tenant));
    // Listed first: a service that comes meanwhile has nothing here that goes.
    let listed = objects.list(&directory).tried("list", &directory)?;
    let services = store.services(tenant, 0..TIME_S_MAX)?;
    let names: BTreeSet<String> = services.into_iter().map(|service| service.name).collect();
    let kept = names.iter().map(|name| service_directory(tenant, name));
    let kept: HashSet<String> = kept.collect();
    for listed in listed {
        let end = listed.name.rfind('/').map_or(0, |at| at + 1);
        if !kept.contains(&listed.name[..end]) {
            let name = &listed.name;
            objects.delete(name).tried("remove", name)?;
        }
    }
    Ok(names)
}

/// Returns the numbers of the steps that looks up to the one that is due need.
fn wanted(due: u64) -> std::ops::Range<u64> {
    due.saturating_sub(STEPS + LOOKS_MADE_UP - 1)..due
}

/// Keeps so many services, those with most bytes, in the order of their names.
fn keep_largest(services: &mut Vec<Service>, most: usize) {
    services.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
    services.truncate(most);
    services.sort_by(|a, b| a.name.cmp(&b.name));
}

/// Returns the event of time that weighs most.
fn heaviest(batch: &Batch) -> Option<EventIndex> {
    let mut weights: BTreeMap<u32, u64> = BTreeMap::new();
    for row in &batch.samples {
        if is_time(&batch.events[row.event.index()].name) {
            let weight = weights.entry(row.event.0).or_default();
            *weight = weight.saturating_add(row.weight);
        }
    }
    let (event, _) = weights.into_iter().max_by_key(|(_, weight)| *weight)?;
    Some(EventIndex(event))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_services_are_looked_at_in_the_order_of_names() {
        let service = |name: &str, bytes| Service {
            name: name.to_owned(),
            days: Vec::new(),
            bytes,
        };
        let mut services = vec![
            service("a", 1),
            service("b", 3),
            service("c", 1),
            service("d", 2),
        ];
        keep_largest(&mut services, 3);
        let names: Vec<&str> = services.iter().map(|service| &*service.name).collect();
        assert_eq!(names, ["a", "b", "d"]);
    }
}
