//! How a binary knows its tools: each tool crate submits a registration at link time, a registry checks and sorts them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::{DynTool, Example, Services, Unavailable};

/// One tool crate's entry.
#[derive(Clone, Copy)]
pub struct Registration {
    /// The tool's name.
    pub name: &'static str,
    /// The crate's package name.
    pub package: &'static str,
    /// Builds the tool, or says why it is not offered.
    pub build: fn(&Services) -> Result<Arc<dyn DynTool>, Unavailable>,
    /// Its example calls: known without building it, for documentation and for the contract suite.
    pub examples: fn() -> &'static [Example],
}

impl fmt::Debug for Registration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Registration")
            .field("name", &self.name)
            .field("package", &self.package)
            .finish()
    }
}

inventory::collect!(Registration);

/// The tools of a binary, sorted by name, each name once.
#[derive(Debug, Clone, Default)]
pub struct Registry(BTreeMap<&'static str, Registration>);

impl Registry {
    /// All tools linked into this binary, checked against the names it was built to have.
    ///
    /// # Errors
    /// When a name is there twice, or an expected one is missing (its crate was dropped by the linker, or its feature is off).
    pub fn linked(expected: &[&str]) -> Result<Self, RegistryError> {
        let registry = Self::collect(inventory::iter::<Registration>().copied())?;
        match expected.iter().find(|name| !registry.0.contains_key(**name)) {
            Some(missing) => Err(RegistryError::Missing { name: (*missing).into() }),
            None => Ok(registry),
        }
    }

    /// The tools listed by hand: the door that needs no linker.
    ///
    /// # Errors
    /// When a name is there twice.
    pub fn of(registrations: &[Registration]) -> Result<Self, RegistryError> {
        Self::collect(registrations.iter().copied())
    }

    /// Puts a tool in the place of the one of the same name.
    ///
    /// # Errors
    /// When there is none of that name: replacing is never an accident.
    pub fn replace(mut self, registration: Registration) -> Result<Self, RegistryError> {
        match self.0.insert(registration.name, registration) {
            Some(_) => Ok(self),
            None => Err(RegistryError::NothingToReplace { name: registration.name.into() }),
        }
    }

    /// Adds a tool of a new name.
    ///
    /// # Errors
    /// When the name is taken.
    pub fn with(mut self, registration: Registration) -> Result<Self, RegistryError> {
        match self.0.insert(registration.name, registration) {
            None => Ok(self),
            Some(first) => Err(RegistryError::doubled(first, registration)),
        }
    }

    /// Keeps the tools whose name `keep` accepts.
    #[must_use]
    pub fn only(mut self, keep: impl Fn(&str) -> bool) -> Self {
        self.0.retain(|name, _| keep(name));
        self
    }

    /// The entries, sorted by name.
    pub fn registrations(&self) -> impl Iterator<Item = &Registration> {
        self.0.values()
    }

    /// Builds every tool for one agent: those offered, and those not with the reason.
    #[must_use]
    pub fn build(&self, services: &Services) -> Built {
        let mut built = Built::default();
        for registration in self.0.values() {
            match (registration.build)(services) {
                Ok(tool) => built.tools.push(tool),
                Err(reason) => built.unavailable.push((*registration, reason)),
            }
        }
        built
    }

    fn collect(registrations: impl Iterator<Item = Registration>) -> Result<Self, RegistryError> {
        registrations.into_iter().try_fold(Self::default(), Self::with)
    }
}

/// The tools of one agent.
#[derive(Default)]
#[non_exhaustive]
pub struct Built {
    /// Offered, sorted by name.
    pub tools: Vec<Arc<dyn DynTool>>,
    /// Not offered, and why.
    pub unavailable: Vec<(Registration, Unavailable)>,
}

impl fmt::Debug for Built {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.tools.iter().map(|tool| tool.definition().name.as_str()).collect();
        formatter
            .debug_struct("Built")
            .field("tools", &names)
            .field("unavailable", &self.unavailable)
            .finish()
    }
}

/// Why a registry cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// Two crates registered one name.
    #[error(
        "two tools are called `{name}`: one of {first}, one of {second}; leave one out, or put yours in place with \
         Registry::replace and `registration!` instead of `register!`"
    )]
    Doubled {
        /// The name.
        name: String,
        /// One package.
        first: String,
        /// The other package.
        second: String,
    },
    /// A tool this binary was built to have is not linked.
    #[error(
        "the tool `{name}` is not linked into this binary although its feature is on; name its crate (`extern crate .. as _;`)"
    )]
    Missing {
        /// The name.
        name: String,
    },
    /// There is no tool of that name.
    #[error("there is no tool `{name}` to replace; use Registry::with for a new one")]
    NothingToReplace {
        /// The name.
        name: String,
    },
}

impl RegistryError {
    fn doubled(first: Registration, second: Registration) -> Self {
        // Link order is no promise: the packages are named in one order always.
        let (first, second) = if first.package <= second.package { (first, second) } else { (second, first) };
        Self::Doubled { name: first.name.into(), first: first.package.into(), second: second.package.into() }
    }
}

/// Checks a tool's name when it is compiled: what every provider accepts.
///
/// # Panics
/// In constant evaluation only, which makes a bad name a compile error.
#[doc(hidden)]
#[must_use]
pub const fn checked_name(name: &'static str) -> &'static str {
    let bytes = name.as_bytes();
    assert!(
        !bytes.is_empty() && bytes.len() <= 64 && bytes[0].is_ascii_alphabetic(),
        "a tool's NAME starts with a letter and has at most 64 characters"
    );
    let mut index = 0;
    while index < bytes.len() {
        let byte = bytes[index];
        assert!(
            byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-',
            "a tool's NAME has letters, digits, `_` and `-` alone"
        );
        index += 1;
    }
    name
}

/// Makes `REGISTRATION`, the entry of a tool for hosts that list or replace their tools by hand, and links nothing.
#[macro_export]
macro_rules! registration {
    ($tool:ty) => {
        /// This tool's entry, for hosts that list or replace their tools by hand.
        pub const REGISTRATION: $crate::Registration = {
            static SCHEMAS: $crate::__private::Schemas = $crate::__private::Schemas::new();
            $crate::Registration {
                name: $crate::__private::checked_name(<$tool as $crate::Tool>::NAME),
                package: env!("CARGO_PKG_NAME"),
                build: |services| {
                    $crate::__private::build::<$tool>(services, env!("CARGO_PKG_NAME"), &SCHEMAS)
                },
                examples: <$tool as $crate::Prompt>::examples,
            }
        };
    };
}

/// Makes `REGISTRATION` and submits it, so that every binary that links this crate has the tool.
#[macro_export]
macro_rules! register {
    ($tool:ty) => {
        $crate::registration!($tool);
        $crate::__private::inventory::submit! { REGISTRATION }
    };
}
