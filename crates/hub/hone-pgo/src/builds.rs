//! Binaries of builds, which the caller has.

use hone_fdo::FdoError;
use hone_profile::BuildId;
use hone_symbols::{Binary, Image};

use crate::error::PgoError;

/// Returns the binary of a build with its debug files; `None` if it is not at hand.
pub type Builds<'b> = &'b dyn Fn(&BuildId) -> Option<Image<'b>>;

/// Reads the binary of a build.
pub(crate) fn open<'b>(
    build: &str,
    builds: Builds<'b>,
) -> Result<(Binary<'b>, Image<'b>), PgoError> {
    let id = BuildId::from_hex(build);
    let image = id.and_then(|id| builds(&id)).ok_or(PgoError::NoBinary {
        build: build.to_owned(),
    })?;
    let binary = Binary::parse(image).map_err(|error| failed(build)(error.into()))?;
    let found = binary.build_id().map(BuildId::to_string);
    if found.as_deref() != Some(build) {
        return Err(PgoError::OtherBinary {
            build: build.to_owned(),
            found: found.unwrap_or("none".to_owned()),
        });
    }
    Ok((binary, image))
}

/// Returns what makes an error of a build from an error of its conversion.
pub(crate) fn failed(build: &str) -> impl Fn(FdoError) -> PgoError {
    move |error| PgoError::Convert {
        build: build.to_owned(),
        error,
    }
}
