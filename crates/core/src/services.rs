//! What a host offers to tools: the environment snapshot and capabilities by type. Knows no capability itself.

use std::any::{Any, TypeId, type_name};
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::Unavailable;

/// A snapshot of variables and settings, taken once at start: the only door to either.
///
/// `Debug` prints the names and never the values: variables hold keys.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Environment {
    /// The process's variables, as far as they are text.
    pub variables: BTreeMap<String, String>,
    /// The merged settings.
    pub settings: Map<String, Value>,
}

impl Environment {
    /// A snapshot of the given variables and merged settings.
    #[must_use]
    pub fn new(variables: BTreeMap<String, String>, settings: Map<String, Value>) -> Self {
        Self { variables, settings }
    }

    /// A snapshot of the variables that are text, such as `std::env::vars_os()` gives them, without settings.
    #[must_use]
    pub fn of(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let text =
            |(name, value): (OsString, OsString)| name.into_string().ok().zip(value.into_string().ok());
        Self::new(variables.into_iter().filter_map(text).collect(), Map::new())
    }

    /// The variable `name`; an empty one counts as not set.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Whether `name` is set to something other than `0`, `false`, `no` or `off`.
    #[must_use]
    pub fn switched_on(&self, name: &str) -> bool {
        self.variable(name).is_some_and(|value| {
            !["0", "false", "no", "off"].iter().any(|off| value.eq_ignore_ascii_case(off))
        })
    }

    /// The settings under `key`, typed; absent means the type's default.
    ///
    /// # Errors
    /// When the value does not fit `T`: the text names the setting, its value and what would fit.
    pub fn settings<T: DeserializeOwned + Default>(&self, key: &str) -> Result<T, Unavailable> {
        self.settings.get(key).map_or_else(
            || Ok(T::default()),
            |value| {
                serde_path_to_error::deserialize(value).map_err(|error| {
                    let path = error.path().to_string();
                    let path = if path == "." { String::new() } else { format!(".{path}") };
                    let at = path.split('.').skip(1).try_fold(value, |value, step| value.get(step));
                    let is = at.map(|at| format!(" is {}", shortened(at))).unwrap_or_default();
                    let inner = error.inner().to_string();
                    let wanted =
                        crate::lenient::wanted(&inner).map_or(inner, |wanted| format!("give {wanted}"));
                    Unavailable(format!("the setting `{key}{path}`{is}: {wanted}"))
                })
            },
        )
    }
}

/// A value as JSON, the beginning of a long one.
fn shortened(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    if text.len() <= MOST {
        return text;
    }
    let cut = text.floor_char_boundary(MOST);
    format!("{} ..", text.get(..cut).unwrap_or_default())
}

impl fmt::Debug for Environment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Environment")
            .field("variables", &self.variables.keys())
            .field("settings", &self.settings.keys())
            .finish()
    }
}

type Shared = Arc<dyn Any + Send + Sync>;
type Fork = Arc<dyn Fn(&Shared) -> Shared + Send + Sync>;

#[derive(Clone)]
struct Offer {
    service: Shared,
    fork: Option<Fork>,
}

/// What the host offers to tools, by type (`Arc<dyn Files>`, ..). One `Services` an agent: [`fork`](Services::fork) gives a
/// subagent its own.
///
/// ```
/// use std::sync::Arc;
/// use toolwright_core::Services;
/// trait Clock: Send + Sync { fn hour(&self) -> u8; }
/// struct Noon;
/// impl Clock for Noon { fn hour(&self) -> u8 { 12 } }
///
/// let mut services = Services::default();
/// assert!(services.require::<dyn Clock>().is_err());
/// services.offer::<dyn Clock>(Arc::new(Noon));
/// assert_eq!(services.require::<dyn Clock>().map(|clock| clock.hour()), Ok(12));
/// ```
#[derive(Default, Clone)]
pub struct Services {
    offered: HashMap<TypeId, Offer>,
    names: BTreeMap<&'static str, TypeId>,
    environment: Arc<Environment>,
}

impl Services {
    /// No capability, and this environment.
    #[must_use]
    pub fn new(environment: Arc<Environment>) -> Self {
        Self { environment, ..Self::default() }
    }

    /// The snapshot of variables and settings.
    #[must_use]
    pub fn environment(&self) -> &Arc<Environment> {
        &self.environment
    }

    /// Offers a capability that every agent of the session shares. The last offer of a type counts.
    pub fn offer<T: ?Sized + Send + Sync + 'static>(&mut self, service: Arc<T>) {
        self.insert::<T>(Offer { service: Arc::new(service), fork: None });
    }

    /// Offers a capability that is copied by `fork` when an agent is spawned (the read state).
    pub fn offer_forked<T: ?Sized + Send + Sync + 'static>(
        &mut self,
        service: Arc<T>,
        fork: impl Fn(&T) -> Arc<T> + Send + Sync + 'static,
    ) {
        let fork = move |held: &Shared| -> Shared {
            match held.downcast_ref::<Arc<T>>() {
                Some(own) => Arc::new(fork(own)),
                None => Arc::clone(held),
            }
        };
        self.insert::<T>(Offer { service: Arc::new(service), fork: Some(Arc::new(fork)) });
    }

    /// Takes an offer back: tools that require it are then not offered.
    pub fn withdraw<T: ?Sized + Send + Sync + 'static>(&mut self) {
        self.offered.remove(&TypeId::of::<Arc<T>>());
        self.names.remove(type_name::<T>());
    }

    /// The services of a spawned agent: what is shared stays shared, what was offered with a fork is copied.
    #[must_use]
    pub fn fork(&self) -> Self {
        let copy = |offer: &Offer| Offer {
            service: offer
                .fork
                .as_ref()
                .map_or_else(|| Arc::clone(&offer.service), |fork| fork(&offer.service)),
            fork: offer.fork.clone(),
        };
        Self {
            offered: self.offered.iter().map(|(id, offer)| (*id, copy(offer))).collect(),
            names: self.names.clone(),
            environment: Arc::clone(&self.environment),
        }
    }

    /// The capability of type `T`.
    ///
    /// # Errors
    /// When the host offers none: the tool is then not offered either, with this reason.
    pub fn require<T: ?Sized + Send + Sync + 'static>(&self) -> Result<Arc<T>, Unavailable> {
        let offer = self.offered.get(&TypeId::of::<Arc<T>>());
        offer.and_then(|offer| offer.service.downcast_ref::<Arc<T>>()).cloned().ok_or_else(|| {
            let name = type_name::<T>();
            let short = name.rsplit("::").next().unwrap_or(name);
            Unavailable(format!("this host offers no {short}"))
        })
    }

    fn insert<T: ?Sized + Send + Sync + 'static>(&mut self, offer: Offer) {
        self.names.insert(type_name::<T>(), TypeId::of::<Arc<T>>());
        self.offered.insert(TypeId::of::<Arc<T>>(), offer);
    }
}

impl fmt::Debug for Services {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Services").field("offered", &self.names.keys()).finish_non_exhaustive()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt as _;

    use super::*;

    #[test]
    fn variables_that_are_no_text_are_left_out() {
        let odd = || OsString::from_vec(vec![0xff]);
        let variables = [("A".into(), "1".into()), ("B".into(), odd()), (odd(), "2".into())];
        assert_eq!(Environment::of(variables).variables, BTreeMap::from([("A".into(), "1".into())]));
    }
}
