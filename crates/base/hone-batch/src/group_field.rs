//! The parts of a group that are one text, by name: bytes of batches, columns of tables, filters, lines of charts and labels all go by one list.

use std::fmt;

use crate::batch::Group;

/// A part of a [`Group`] that is one text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GroupField {
    /// [`Group::host`].
    Host,
    /// [`Group::service`].
    Service,
    /// [`Group::container`].
    Container,
    /// [`Group::build`].
    Build,
    /// [`Group::thread`].
    Thread,
}

impl GroupField {
    /// All fields, in the order of their texts in the bytes of a batch.
    pub const ALL: [Self; 5] = [
        Self::Host,
        Self::Service,
        Self::Container,
        Self::Build,
        Self::Thread,
    ];

    /// The fields that the threads of a restored profile have as labels.
    pub const LABELS: [Self; 4] = [Self::Host, Self::Service, Self::Container, Self::Build];

    /// Returns the name: of the column, of the parameter of a question and of the label.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Service => "service",
            Self::Container => "container",
            Self::Build => "build",
            Self::Thread => "thread",
        }
    }

    /// Returns the field with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// Returns the text that a group has in this field.
    pub fn of(self, group: &Group) -> &str {
        match self {
            Self::Host => &group.host,
            Self::Service => &group.service,
            Self::Container => &group.container,
            Self::Build => &group.build,
            Self::Thread => &group.thread,
        }
    }

    /// Returns the place of the text that a group has in this field.
    pub fn of_mut(self, group: &mut Group) -> &mut String {
        match self {
            Self::Host => &mut group.host,
            Self::Service => &mut group.service,
            Self::Container => &mut group.container,
            Self::Build => &mut group.build,
            Self::Thread => &mut group.thread,
        }
    }
}

impl fmt::Display for GroupField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_field_has_a_name_and_a_place_of_its_own() {
        let mut group = Group::default();
        for field in GroupField::ALL {
            assert_eq!(GroupField::named(field.name()), Some(field));
            *field.of_mut(&mut group) = field.name().to_owned();
        }
        for field in GroupField::ALL {
            assert_eq!(field.of(&group), field.name());
        }
        assert_eq!(GroupField::named("labels"), None);
    }
}
