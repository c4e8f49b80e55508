//! Paths below `.hone` in reports: they begin with a variable, so that a report can be shown to others and its shell lines
//! work wherever the project is moved to.

use anyhow::Result;
use hone_report::model::{CallSite, Flags, IndirectCalls, Outcome, Rung};

use crate::workspace::{Workspace, utf8};

/// Variable that replaces the path of `.hone` in reports.
pub const HOME_VARIABLE: &str = "$HONE";

/// The path of `.hone`.
pub(super) struct Home(String);

impl Home {
    pub(super) fn of(workspace: &Workspace) -> Result<Self> {
        let path = workspace.path("");
        Ok(Self(utf8(&path)?.trim_end_matches('/').into()))
    }

    /// Replaces the path in a flag, a path or a sentence.
    pub(super) fn movable(&self, text: &str) -> String {
        text.replace(&self.0, HOME_VARIABLE)
    }

    /// Replaces the path in all flags.
    pub(super) fn movable_flags(&self, flags: Flags) -> Flags {
        let all = |list: Vec<String>| list.iter().map(|word| self.movable(word)).collect();
        let env = flags.env.into_iter();
        Flags {
            compile: all(flags.compile),
            link: all(flags.link),
            env: env
                .map(|(name, value)| (name, self.movable(&value)))
                .collect(),
            post_link: all(flags.post_link),
        }
    }

    fn movable_site(&self, site: CallSite) -> CallSite {
        CallSite {
            place: self.movable(&site.place),
            ..site
        }
    }

    /// Replaces the path in all that a rung has of it: flags, places in sources, and the reason why it was not measured.
    pub(super) fn movable_rung(&self, rung: Rung) -> Rung {
        let outcome = match rung.outcome {
            Outcome::Failed { reason } => Outcome::Failed {
                reason: self.movable(&reason),
            },
            Outcome::Skipped { reason } => Outcome::Skipped {
                reason: self.movable(&reason),
            },
            outcome => outcome,
        };
        let indirect_calls = rung.indirect_calls.map(|calls| IndirectCalls {
            sites: calls
                .sites
                .into_iter()
                .map(|site| self.movable_site(site))
                .collect(),
            ..calls
        });
        Rung {
            outcome,
            indirect_calls,
            flags: self.movable_flags(rung.flags),
            profile: rung.profile.map(|profile| self.movable(&profile)),
            ..rung
        }
    }
}

#[cfg(test)]
mod tests {
    use hone_build::Variant;
    use hone_report::model::IndirectCalls;

    use super::*;
    use crate::ladder::rung;

    #[test]
    fn nothing_of_a_rung_names_the_users_directory() {
        let home = Home("/home/u/p/.hone".into());
        let path = || "/home/u/p/.hone/build/a.c".to_owned();
        let reason = path();
        let words = || vec![path()];
        let site = CallSite {
            place: format!("f ({}:7)", path()),
            per_1000_instructions: 1.0,
            targets: Vec::new(),
        };
        let rung = Rung {
            profile: Some(path()),
            indirect_calls: Some(IndirectCalls {
                per_1000_instructions: 1.0,
                instructions: 1,
                sites: vec![site],
            }),
            flags: Flags {
                compile: words(),
                link: words(),
                env: [("LD_PRELOAD".into(), path())].into(),
                post_link: words(),
            },
            ..rung::unbuilt(&Variant::default(), Outcome::Failed { reason })
        };
        let text = serde_json::to_string(&home.movable_rung(rung)).unwrap();
        assert!(
            !text.contains("/home/u") && text.contains("$HONE/build/a.c:7"),
            "{text}"
        );
        assert_eq!(text.matches("$HONE/build/a.c").count(), 7);
    }
}
