//! Arguments of commands that take a function and a recording, in this order.

use std::path::Path;

use anyhow::{Result, anyhow};
use hone_files::advice::Advise;
use hone_inputs::recording::is_recording;

/// Path of the recording if none is named.
const DEFAULT: &str = "hone.data";

/// Returns an error with the right command line if a recording is in the function's place.
pub(crate) fn in_order(command: &str, function: &str, recording: &Path) -> Result<()> {
    let is_left_out = recording == Path::new(DEFAULT);
    if !is_recording(Path::new(function)) || !is_left_out && is_recording(recording) {
        return Ok(());
    }
    let wanted = match is_left_out {
        true => "FUNCTION".to_owned(),
        false => recording.display().to_string(),
    };
    Err(anyhow!(
        "{function} is a recording; the function comes first"
    ))
    .next(format!("hone {command} {wanted} {function}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapped_arguments_are_told_with_the_right_command() {
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path().join("a.data");
        std::fs::write(&data, b"PERFILE2........").unwrap();
        let data = data.to_str().unwrap();
        let said = |function: &str, recording: &str| {
            let order = in_order("callers", function, Path::new(recording));
            order.map_or_else(
                |error| hone_files::advice::render(&error),
                |()| String::new(),
            )
        };
        assert_eq!(
            said(data, "malloc"),
            format!(
                "hone: {data} is a recording; the function comes first\nnext: hone callers malloc {data}\n"
            )
        );
        assert_eq!(
            said(data, "hone.data"),
            format!(
                "hone: {data} is a recording; the function comes first\nnext: hone callers FUNCTION {data}\n"
            )
        );
        assert_eq!(said("malloc", data), "");
        assert_eq!(said("malloc", "missing.data"), "");
    }
}
