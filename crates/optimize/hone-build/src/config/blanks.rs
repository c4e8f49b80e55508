//! Blanks in a `hone.toml`: `hone init` leaves them for values that only the user can know.

use super::{Project, Ready, Stop, Workload};

/// Text in a value that the user has to fill in.
pub const FILL_IN: &str = "FILL_IN";

impl Project {
    /// Returns the keys whose values are still to be filled in, in the order of the file.
    #[must_use]
    pub fn left_to_fill_in(&self) -> Vec<String> {
        let mut values = vec![
            ("program.name".to_owned(), self.name.clone()),
            (
                "program.binary".to_owned(),
                self.binary.display().to_string(),
            ),
            ("build.command".to_owned(), self.build_command.clone()),
        ];
        if let Some(check) = &self.check {
            values.push(("check.command".to_owned(), check.command.clone()));
        }
        if let Some(server) = &self.server {
            values.push(("server.start".to_owned(), server.start.clone()));
            if let Ready::Command(command) = &server.ready {
                values.push(("server.ready".to_owned(), command.clone()));
            }
            if let Stop::Command(command) = &server.stop {
                values.push(("server.stop_command".to_owned(), command.clone()));
            }
            let backends = server.backends.iter();
            values.extend(
                backends.map(|one| (format!("backend.{}.start", one.name), one.start.clone())),
            );
        }
        values.extend(self.train.iter().map(|workload| command("train", workload)));
        values.extend(
            self.measure
                .iter()
                .map(|workload| command("measure", workload)),
        );
        let blanks = values
            .into_iter()
            .filter(|(_, value)| value.contains(FILL_IN));
        blanks.map(|(key, _)| key).collect()
    }
}

fn command(table: &str, workload: &Workload) -> (String, String) {
    (
        format!("{table}.{}.command", workload.name),
        workload.command.clone(),
    )
}

#[cfg(test)]
mod tests {
    use crate::config::Project;

    #[test]
    fn blanks_are_named_by_their_keys() {
        let text = "[program]\nname = 'a'\nbinary = 'FILL_IN'\n[build]\ncommand = 'make'\n\
                    [[train]]\nname = 't'\ncommand = '{binary} FILL_IN'\n[[measure]]\nname = 'm'\ncommand = '{binary} 1'\n";
        let project = Project::parse(text).unwrap();
        assert_eq!(
            project.left_to_fill_in(),
            ["program.binary", "train.t.command"]
        );
        let whole = text.replace("FILL_IN", "x");
        assert!(Project::parse(&whole).unwrap().left_to_fill_in().is_empty());
    }
}
