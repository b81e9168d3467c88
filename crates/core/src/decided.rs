//! Where the paths of a call led when it was decided. Data that a host hands to a tool; looks at no file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where the paths of a call led when it was decided: what the call opens lies there, whatever was put in the way of a name
/// since. The default knows nothing: nobody decided, as where a tool is called without a host.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DecidedPaths(Option<Arc<[(PathBuf, PathBuf)]>>);

/// Where one path led.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Led {
    /// Nobody decided: it leads where it leads now.
    Unknown,
    /// There: a path without links, as far as it exists.
    To(PathBuf),
    /// The call was decided without this path.
    NotDecided,
}

impl DecidedPaths {
    /// Paths as the call names them, each with where it led. What is not among them, or below one of them, was not decided.
    pub fn new(paths: impl IntoIterator<Item = (PathBuf, PathBuf)>) -> Self {
        Self(Some(paths.into_iter().collect()))
    }

    /// The paths to which the call's paths led.
    pub fn real(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().flat_map(|decided| decided.iter()).map(|(_, real)| real.as_path())
    }

    /// Where `path` led; below a path that was decided, by name.
    #[must_use]
    pub fn led(&self, path: &Path) -> Led {
        let Some(decided) = &self.0 else { return Led::Unknown };
        let below = |(named, real): &(PathBuf, PathBuf)| {
            let rest = path.strip_prefix(named).ok()?;
            let real = if rest.as_os_str().is_empty() { real.clone() } else { real.join(rest) };
            Some((named.as_os_str().len(), real))
        };
        // The nearest of them knows most about what lies on the way.
        decided
            .iter()
            .filter_map(below)
            .max_by_key(|(length, _)| *length)
            .map_or(Led::NotDecided, |(_, real)| Led::To(real))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_led_where_the_nearest_decided_one_did() {
        let decided = DecidedPaths::new(
            [("/p", "/p"), ("/p/link", "/q"), ("/p/link/file", "/r/file")]
                .map(|(named, real)| (named.into(), real.into())),
        );
        let check = |path: &str, expect: Option<&str>| {
            let expect = expect.map_or(Led::NotDecided, |real| Led::To(real.into()));
            assert_eq!(decided.led(Path::new(path)), expect, "{path}");
            assert_eq!(DecidedPaths::default().led(Path::new(path)), Led::Unknown);
        };
        check("/p", Some("/p"));
        check("/p/a/b", Some("/p/a/b"));
        check("/p/link/a", Some("/q/a"));
        check("/p/link/file", Some("/r/file"));
        check("/p/links", Some("/p/links"));
        check("/", None);
        check("/q", None);
    }
}
