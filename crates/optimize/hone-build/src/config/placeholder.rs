//! `{port:NAME}` in the commands of a project must name a backend or a port of the server: a misspelt name would reach
//! the shell.

use super::{ConfigError, Project, Ready, Stop};

/// Checks every command that may contain ports.
pub(super) fn check(project: &Project) -> Result<(), ConfigError> {
    let Some(server) = &project.server else {
        return Ok(());
    };
    let mut commands = vec![("server.start".to_string(), &server.start)];
    if let Ready::Command(command) = &server.ready {
        commands.push(("server.ready".into(), command));
    }
    if let Stop::Command(command) = &server.stop {
        commands.push(("server.stop_command".into(), command));
    }
    for backend in &server.backends {
        commands.push((format!("backend.{}.start", backend.name), &backend.start));
        if let Ready::Command(command) = &backend.ready {
            commands.push((format!("backend.{}.ready", backend.name), command));
        }
    }
    if let Some(check) = &project.check {
        commands.push(("check.command".into(), &check.command));
    }
    for (table, workloads) in [("train", &project.train), ("measure", &project.measure)] {
        for workload in workloads {
            let key = |key: &str| format!("{table}.{}.{key}", workload.name);
            commands.push((key("command"), &workload.command));
            commands.extend(workload.warm_up.as_ref().map(|line| (key("warm_up"), line)));
        }
    }
    let is_known = |name: &&str| {
        let mut backends = server.backends.iter();
        server.ports.iter().any(|port| port == name)
            || backends.any(|backend| backend.name == **name)
    };
    for (key, command) in commands {
        if let Some(name) = names(command).find(|name| !is_known(name)) {
            let name = name.into();
            return Err(ConfigError::UnknownBackend { key, name });
        }
    }
    Ok(())
}

/// Returns the names in the `{port:NAME}` placeholders of a command.
fn names(command: &str) -> impl Iterator<Item = &str> {
    let after = command.split("{port:").skip(1);
    after.filter_map(|rest| Some(rest.split_once('}')?.0))
}
