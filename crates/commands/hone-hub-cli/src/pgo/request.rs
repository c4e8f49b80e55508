//! What a request asks for, parsed.

use hone_hub::pgo::object_name;
use hone_pgo::{Form, manifest_path};
use hone_profile::BuildId;

/// Bytes of the longest name of a service or a file.
const NAME_BYTES_MAX: usize = 4096;

/// Bytes of a file's name in file systems: a service has a directory, in which bytes that are no letters or digits take three.
const FILE_NAME_BYTES_MAX: usize = 255;

/// A profile that is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Asked {
    pub(crate) service: String,
    pub(crate) form: Form,
    /// Build that the profile shall be for; `None` for the newest that runs.
    pub(crate) binary: Option<BuildId>,
    /// Name of that build's file, by which it is known if it was never recorded.
    pub(crate) name: String,
}

impl Asked {
    /// Reads the part of a path after `/v1/pgo/`, and the parameters.
    ///
    /// # Errors
    ///
    /// The text says what is wrong, and what to do.
    pub(crate) fn parse(service: &str, query: Option<&str>) -> Result<Self, String> {
        let service = percent_encoding::percent_decode_str(service).decode_utf8();
        let service = service.map_err(|_| "the name of the service is no UTF-8".to_owned())?;
        if service.is_empty() || service.len() > NAME_BYTES_MAX {
            return Err("name a service: /v1/pgo/SERVICE; /v1/services lists names".to_owned());
        }
        let path = manifest_path(&service, Form::AutofdoExtbinary);
        let directory_bytes = path.find('/').unwrap_or(path.len());
        if directory_bytes > FILE_NAME_BYTES_MAX {
            return Err(format!(
                "the name of the service is too long for profiles: with %XX for all but letters and digits it has {directory_bytes} bytes, and may have {FILE_NAME_BYTES_MAX}"
            ));
        }
        let mut asked = Self {
            service: service.into_owned(),
            form: Form::AutofdoExtbinary,
            binary: None,
            name: String::new(),
        };
        let mut has_form = false;
        for (key, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            match &*key {
                "form" => {
                    asked.form = form(&value)?;
                    has_form = true;
                }
                "binary" => asked.binary = Some(build(&value)?),
                "name" if value.len() <= NAME_BYTES_MAX => asked.name = value.into_owned(),
                "name" => return Err("the name of the file is too long".to_owned()),
                key => {
                    return Err(format!(
                        "there is no parameter {key:?}; there are form, binary and name"
                    ));
                }
            }
        }
        match has_form {
            true => Ok(asked),
            false => Err(format!(
                "no form is asked for: add form=NAME, one of {}",
                forms()
            )),
        }
    }

    /// Returns the name of the object with the published profile. A profile for a named build has one of its own.
    pub(crate) fn object(&self, tenant: &str) -> String {
        let path = manifest_path(&self.service, self.form);
        let path = path.strip_suffix(".json").unwrap_or(&path);
        object_name(tenant, path, self.binary.as_ref())
    }
}

/// Returns the form of a name, or what there is instead.
pub(crate) fn form(name: &str) -> Result<Form, String> {
    Form::named(name).map_err(|why| match why {
        Some(why) => format!("a hub makes no {name}: {why}"),
        None => format!("there is no form {name:?}; there are {}", forms()),
    })
}

fn forms() -> String {
    Form::ALL.map(Form::name).join(", ")
}

fn build(text: &str) -> Result<BuildId, String> {
    BuildId::from_hex(text)
        .ok_or_else(|| format!("binary={text:?} is no build id: give all its hexadecimal digits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_names_service_form_and_build() {
        let asked = Asked::parse("shop%2Fa+b", Some("form=go-pgo&binary=AB12&name=a%20b")).unwrap();
        assert_eq!(asked.service, "shop/a+b");
        assert_eq!((asked.form, &*asked.name), (Form::GoPgo, "a b"));
        let build = asked.binary.clone().unwrap();
        assert_eq!(build.to_string(), "ab12");
        assert_eq!(
            asked.object("acme"),
            "acme/pgo/shop%2fa%2bb/ab12/go-pgo.tar"
        );
        let newest = Asked {
            binary: None,
            ..asked
        };
        assert_eq!(newest.object("acme"), "acme/pgo/shop%2fa%2bb/go-pgo.tar");
    }

    #[test]
    fn a_service_whose_directory_no_file_system_takes_is_refused() {
        let parse = |service: &str| Asked::parse(service, Some("form=go-pgo"));
        assert!(parse(&"a".repeat(255)).is_ok() && parse(&"%2F".repeat(85)).is_ok());
        for service in ["a".repeat(256), "%2F".repeat(86)] {
            let why = parse(&service).unwrap_err();
            assert!(why.contains("is too long for profiles"), "{why}");
        }
    }

    #[test]
    fn what_cannot_be_asked_says_what_can() {
        for (service, query, said) in [
            ("", "form=go-pgo", "name a service"),
            ("%ff", "form=go-pgo", "no UTF-8"),
            ("x", "", "add form=NAME, one of autofdo-text"),
            ("x", "form=profdata", "no profdata: it needs the IR"),
            ("x", "form=zip", "there is no form \"zip\""),
            ("x", "form=go-pgo&binary=xyz", "is no build id"),
            ("x", "form=go-pgo&from=1", "there are form, binary and name"),
        ] {
            let why = Asked::parse(service, Some(query)).unwrap_err();
            assert!(why.contains(said), "{query}: {why}");
        }
    }
}
