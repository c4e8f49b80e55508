//! Changes to a call of Bazel, so that its compilations and links go through the wrappers.
//!
//! Like other build systems, Bazel finds its compiler in PATH. But Bazel hides environment variables from the compiler,
//! lets it write only where Bazel expects files, and reuses earlier results if the command looks the same.

use std::path::Path;

/// Names of the program Bazel.
pub const NAMES: &[&str] = &["bazel", "bazelisk"];

/// Commands of Bazel that compile.
const BUILDING: [&str; 4] = ["build", "test", "run", "coverage"];

/// Returns true if a build command calls Bazel by name.
pub fn is_called_by(command: &str) -> bool {
    let words = command.split(|c: char| c.is_whitespace() || ";&|()".contains(c));
    let mut names = words.filter_map(|word| word.rsplit('/').next());
    names.any(|name| NAMES.contains(&name))
}

/// Returns the arguments of a call of Bazel with the options that the wrappers need.
///
/// `variant` names the flags: another name makes another action, so that nothing is taken from a cache that was made
/// with other flags. `output_base` is the directory for Bazel's outputs, if not the default one.
pub fn rewrite(arguments: &[String], variant: &str, output_base: Option<&Path>) -> Vec<String> {
    let command = arguments.iter().position(|word| !word.starts_with('-'));
    let Some(command) = command else {
        return arguments.to_vec();
    };
    let mut rewritten = arguments[..command].to_vec();
    if let Some(output_base) = output_base {
        rewritten.push(format!("--output_base={}", output_base.display()));
    }
    rewritten.push(arguments[command].clone());
    if BUILDING.contains(&arguments[command].as_str()) {
        rewritten.extend([
            format!("--action_env=HONE_VARIANT={variant}"),
            "--spawn_strategy=local".into(),
            "--strategy=CppCompile=local".into(),
            "--strategy=CppLink=local".into(),
            "--noremote_upload_local_results".into(),
        ]);
    }
    rewritten.extend_from_slice(&arguments[command + 1..]);
    rewritten
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(arguments: &str, output_base: Option<&str>) -> String {
        let list: Vec<String> = arguments.split(' ').map(Into::into).collect();
        rewrite(&list, "v1", output_base.map(Path::new)).join(" ")
    }

    #[test]
    fn commands_that_call_it() {
        for command in ["bazel build //:p", "cd a&&/usr/bin/bazelisk build //:p"] {
            assert!(is_called_by(command), "{command}");
        }
        assert!(!is_called_by("make -C bazel-like"));
    }

    #[test]
    fn options_stand_behind_the_command_and_before_its_targets() {
        assert_eq!(
            rewritten("--batch build -c opt //:p", Some("/h/bazel")),
            "--batch --output_base=/h/bazel build --action_env=HONE_VARIANT=v1 --spawn_strategy=local \
             --strategy=CppCompile=local --strategy=CppLink=local --noremote_upload_local_results -c opt //:p"
        );
    }

    #[test]
    fn other_commands_find_the_same_place_and_no_options() {
        assert_eq!(rewritten("info bazel-bin", None), "info bazel-bin");
        assert_eq!(
            rewritten("info bazel-bin", Some("/o")),
            "--output_base=/o info bazel-bin"
        );
        assert_eq!(rewritten("--version", Some("/o")), "--version");
    }
}
