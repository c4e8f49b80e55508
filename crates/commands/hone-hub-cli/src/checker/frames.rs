//! What the hub and a checker say to each other: frames of a length and so many bytes.

use std::io::{self, Read, Write};

use hone_batch::{Origin, TEXT_BYTES_MAX};
use hone_hub::check::{BUILDS_MAX, Checked, SERVICES_BYTES_MAX};
use hone_hub::other_tools::{LeftOut, Refusal, Sent};
use hone_profile::BuildId;
use serde::{Deserialize, Serialize};

/// Bytes of a build id in JSON: up to 64 bytes in hexadecimal, quotes and a comma.
const BUILD_BYTES_MAX: usize = 131;
/// Bytes of the longest answer of a checker: in JSON a byte of a text becomes at most six.
pub(super) const ANSWER_BYTES_MAX: usize =
    6 * (SERVICES_BYTES_MAX + TEXT_BYTES_MAX) + BUILDS_MAX * BUILD_BYTES_MAX + 4096;

/// First frame of a checker.
#[derive(Serialize, Deserialize)]
pub(crate) struct Hello {
    /// Reason why the checker is not confined; `None` if it is.
    pub(crate) not_confined: Option<String>,
}

/// What a checker is to do with the bytes of the next frame.
#[derive(Serialize, Deserialize)]
pub(super) enum Job {
    /// To check a batch.
    Check,
    /// To make a batch of what another tool has sent.
    Take(Sent),
}

/// What a checker says of a batch that can be read.
#[derive(Serialize, Deserialize)]
pub(super) struct Told {
    host: String,
    /// In hexadecimal, as JSON's numbers have 53 bits elsewhere.
    run: String,
    number: u64,
    start_s: u64,
    end_s: u64,
    services: Vec<String>,
    /// Build ids of files, in hexadecimal.
    builds: Vec<String>,
}

impl Told {
    pub(super) fn of(checked: Checked) -> Self {
        Self {
            host: checked.origin.host,
            run: format!("{:032x}", checked.origin.run),
            number: checked.origin.number,
            start_s: checked.span_s.start,
            end_s: checked.span_s.end,
            services: checked.services,
            builds: checked.builds.iter().map(BuildId::to_string).collect(),
        }
    }

    /// Returns what was said; `None` if a part of it makes no sense.
    pub(super) fn meant(self) -> Option<Checked> {
        Some(Checked {
            origin: Origin {
                host: self.host,
                run: u128::from_str_radix(&self.run, 16).ok()?,
                number: self.number,
            },
            span_s: self.start_s..self.end_s,
            services: self.services,
            builds: (self.builds.iter())
                .map(|id| BuildId::from_hex(id))
                .collect::<Option<_>>()?,
        })
    }
}

/// What a checker says of a batch.
#[derive(Serialize, Deserialize)]
pub(super) enum Verdict {
    /// The batch can be read.
    Good(Told),
    /// The batch cannot be read, and why.
    Bad(String),
}

impl Verdict {
    pub(super) fn of(checked: Result<Checked, String>) -> Self {
        match checked {
            Ok(checked) => Self::Good(Told::of(checked)),
            Err(why) => Self::Bad(why),
        }
    }

    /// Returns what was said; `None` if a part of it makes no sense.
    pub(super) fn meant(self) -> Option<Result<Checked, String>> {
        match self {
            Self::Good(told) => Some(Ok(told.meant()?)),
            Self::Bad(why) => Some(Err(why)),
        }
    }
}

/// What a checker says of what another tool has sent.
#[derive(Serialize, Deserialize)]
pub(super) enum Made {
    /// What was told of the batch, which is the next frame; `None` for no batch and no frame.
    Batch(Option<Told>, LeftOut),
    /// It is refused.
    Refused(Refusal),
}

/// Bytes of frames that are copied, so that they are written together: less than another write costs.
pub(super) const TOGETHER_BYTES_MAX: usize = 64 << 10;

/// Writes a frame.
pub(crate) fn write(output: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    let length = length.to_le_bytes();
    if bytes.len() <= TOGETHER_BYTES_MAX {
        output.write_all(&[&length, bytes].concat())?;
    } else {
        output.write_all(&length)?;
        output.write_all(bytes)?;
    }
    output.flush()
}

/// Writes a value as a frame of JSON.
pub(crate) fn write_json(output: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    write(output, &serde_json::to_vec(value)?)
}

/// Reads a frame; memory grows with the bytes that come.
pub(crate) fn read(input: &mut impl Read, bytes_max: usize) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length as usize > bytes_max {
        let what = format!("a frame of {length} bytes, where {bytes_max} are allowed");
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    let mut bytes = Vec::with_capacity(TOGETHER_BYTES_MAX.min(length as usize));
    input.take(length.into()).read_to_end(&mut bytes)?;
    if bytes.len() < length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}

/// Reads a value from a frame of JSON.
pub(crate) fn read_json<T: serde::de::DeserializeOwned>(input: &mut impl Read) -> io::Result<T> {
    Ok(serde_json::from_slice(&read(input, ANSWER_BYTES_MAX)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_arrives() {
        let checked = Checked {
            origin: Origin {
                host: "häst \"1\"".to_owned(),
                run: u128::MAX - 1,
                number: u64::MAX,
            },
            span_s: 3..u64::MAX,
            services: vec![String::new(), "web".to_owned()],
            builds: vec![BuildId::new(&[7; 64]).unwrap()],
        };
        for said in [Ok(checked), Err("no batch".to_owned())] {
            let mut bytes = Vec::new();
            write_json(&mut bytes, &Verdict::of(said.clone())).unwrap();
            let heard: Verdict = read_json(&mut bytes.as_slice()).unwrap();
            assert_eq!(heard.meant(), Some(said));
            for cut in 0..bytes.len() {
                assert!(read_json::<Verdict>(&mut &bytes[..cut]).is_err());
            }
        }
    }

    #[test]
    fn a_frame_that_claims_too_much_is_refused() {
        let mut bytes = Vec::new();
        write(&mut bytes, b"four").unwrap();
        assert_eq!(read(&mut bytes.as_slice(), 4).unwrap(), b"four");
        let refused = read(&mut bytes.as_slice(), 3).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::InvalidData);
        let endless = u32::MAX.to_le_bytes();
        assert!(read(&mut endless.as_slice(), usize::MAX).is_err());
    }
}
