//! What an agent of this facade offers its tools.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use toolwright_config::Places;
use toolwright_core::{Cancel, Environment, Registry, Services, Unavailable};
use toolwright_model::{Abilities, Limits, Model, ModelError, ModelErrorKind, ModelStream, Request};
use toolwright_permissions::{Folder, HiddenPaths, Roots, RuleSet};
use toolwright_runtime::{RECOVERY, SessionRoots};
use toolwright_services::{AllowAllPaths, DeniedPaths, Files, PathPolicy, WorkingFolders};
use toolwright_workspace::LocalFiles;

pub(super) fn services(
    environment: &Environment,
    places: &Places,
    rules: &RuleSet,
    roots: &SessionRoots,
) -> Result<Services, Unavailable> {
    let mut services = Services::new(Arc::new(environment.clone()));
    let home = places.home.as_ref().map(|home| home.spelled.clone());
    let mut files = LocalFiles::of_settings(home, environment)?;
    if let Some(home) = &places.toolwright_home {
        files = files.recovering_in(home.join(RECOVERY));
    }
    let policy: Arc<dyn PathPolicy> =
        Arc::new(RulePolicy { rules: rules.clone(), roots: roots.clone(), last: Mutex::default() });
    let files = files.hiding(Arc::clone(&policy));
    services.offer_forked::<dyn Files>(Arc::new(files), Files::fork);
    let working = [&roots.start, &roots.project].into_iter().chain(&roots.additional);
    let working: Vec<PathBuf> =
        working.flat_map(|folder| [folder.spelled.clone(), folder.resolved.clone()]).collect();
    services.offer::<dyn WorkingFolders>(Arc::new(working));
    services.offer::<dyn PathPolicy>(policy);
    Ok(services)
}

/// Refuses a start with a setting that a tool cannot read, as with one that this crate cannot: the tool would be missing
/// without a word. Such is a tool that would be there without settings.
pub(super) fn check_settings(
    registry: &Registry,
    services: &Services,
    places: &Places,
) -> Result<(), Unavailable> {
    let missing = registry.build(services).unavailable;
    if missing.is_empty() {
        return Ok(());
    }
    let environment = services.environment();
    let mut plain =
        Services::new(Arc::new(Environment::new(environment.variables.clone(), Default::default())));
    let home = places.home.as_ref().map(|home| home.spelled.clone());
    plain.offer::<dyn Files>(Arc::new(LocalFiles::new(home)));
    plain.offer::<dyn PathPolicy>(Arc::new(AllowAllPaths));
    let bad = missing.into_iter().find(|(tool, _)| (tool.build)(&plain).is_ok());
    bad.map_or(Ok(()), |(_, reason)| Err(reason))
}

/// Hides what a deny rule hides. Rules that deny do not change while a session runs.
struct RulePolicy {
    rules: RuleSet,
    roots: SessionRoots,
    /// For the folder that was asked about last: most calls work in one.
    last: Mutex<Option<Arc<RulesThere>>>,
}

impl PathPolicy for RulePolicy {
    fn in_folder(&self, cwd: &Path) -> Arc<dyn DeniedPaths> {
        let roots = self.roots.seen_from(cwd);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let there = match last.take().filter(|last| last.cwd == roots.cwd) {
            Some(there) => there,
            None => Arc::new(RulesThere::new(&self.rules, roots)),
        };
        *last = Some(Arc::clone(&there));
        there
    }
}

/// The rules as they hold for an agent in one folder.
struct RulesThere {
    cwd: Folder,
    hidden: HiddenPaths,
    named: Vec<PathBuf>,
    named_for_changing: Vec<(PathBuf, String)>,
}

impl RulesThere {
    fn new(rules: &RuleSet, roots: Roots) -> Self {
        let mut named: Vec<PathBuf> = rules.literal_denied_paths(&roots).map(|(path, _)| path).collect();
        named.sort_unstable();
        named.dedup();
        let changing = rules.literal_unchangeable_paths(&roots);
        let mut named_for_changing: Vec<(PathBuf, String)> =
            changing.map(|(path, rule)| (path, rule.text().to_owned())).collect();
        named_for_changing.sort_unstable();
        Self { cwd: roots.cwd.clone(), hidden: HiddenPaths::new(rules, roots), named, named_for_changing }
    }
}

impl DeniedPaths for RulesThere {
    fn denies_read(&self, path: &Path) -> Option<String> {
        self.hidden.rule(path).map(str::to_owned)
    }

    fn named(&self) -> &[PathBuf] {
        &self.named
    }

    fn named_for_changing(&self) -> &[(PathBuf, String)] {
        &self.named_for_changing
    }
}

/// Stands where no model is needed.
pub(super) struct NoModel;

impl Model for NoModel {
    fn name(&self) -> &str {
        "none"
    }

    fn limits(&self) -> Limits {
        Limits { context_tokens: 200_000, max_output_tokens: 32_000 }
    }

    fn abilities(&self) -> Abilities {
        Abilities::TEXT
    }

    fn stream(&self, _: Request<'_>, _: Cancel) -> ModelStream {
        let text = "no model is configured for this; use `-p` with a model";
        Box::pin(futures_util::stream::iter([Err(ModelError::new(ModelErrorKind::NotConfigured, text))]))
    }
}
