//! How long a command may take and how long it may be.

use std::time::Duration;

use serde::Deserialize;
use toolwright_core::{Environment, Unavailable};

/// Linux takes no argument above 128 KiB; a script that long comes to bash as one argument.
const LONGEST_COMMAND: usize = 120_000;

/// Time limits in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    default: u64,
    most: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Settings {
    default_timeout_ms: Option<u64>,
    max_timeout_ms: Option<u64>,
}

impl Limits {
    /// From the settings under `bash`, then the variables people know, then the defaults.
    pub(crate) fn of(environment: &Environment) -> Result<Self, Unavailable> {
        let settings: Settings = environment.settings("bash")?;
        let variable = |name| -> Result<Option<u64>, Unavailable> {
            let Some(text) = environment.variable(name) else { return Ok(None) };
            let whole = text.trim().parse().map(Some);
            whole.map_err(|_| Unavailable(format!("{name} is `{text}`; give whole milliseconds")))
        };
        let most = settings.max_timeout_ms.or(variable("BASH_MAX_TIMEOUT_MS")?).unwrap_or(600_000).max(1);
        let default = settings.default_timeout_ms.or(variable("BASH_DEFAULT_TIMEOUT_MS")?).unwrap_or(120_000);
        Ok(Self { default: default.clamp(1, most), most })
    }

    pub(crate) fn time_limit(&self, asked: Option<u64>) -> Duration {
        Duration::from_millis(asked.unwrap_or(self.default).clamp(1, self.most))
    }
}

/// What the schema cannot say.
pub(crate) fn validate(command: &str, timeout: Option<u64>, limits: &Limits) -> Result<(), String> {
    let most = limits.most;
    if command.trim().is_empty() {
        return Err("Bash: `command` is empty; give the command to run".into());
    }
    if command.contains('\0') {
        return Err(
            "Bash: `command` holds a NUL character, which no command can; write \\0 in quotes instead".into(),
        );
    }
    if command.len() > LONGEST_COMMAND {
        return Err(format!(
            "Bash: `command` has {} bytes and may have {LONGEST_COMMAND}; write a script file and run that",
            command.len()
        ));
    }
    match timeout {
        Some(0) => Err(format!("Bash: `timeout` is 0; give 1 to {most} milliseconds, or leave it out")),
        Some(asked) if asked > most => Err(format!(
            "Bash: `timeout` is {asked} and may be {most} milliseconds at most; start what takes longer with `nohup .. &`, \
             its output in a file, and look at that later"
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(command: &str, timeout: Option<u64>, expect: Option<&str>) {
        let limits = Limits::of(&Environment::default()).unwrap();
        let error = validate(command, timeout, &limits).err();
        match (expect, &error) {
            (None, None) => {}
            (Some(words), Some(error)) => assert!(error.contains(words), "{error}"),
            _ => panic!("{command:?} {timeout:?}: {error:?}"),
        }
    }

    #[test]
    fn what_is_refused_and_what_to_do() {
        check("true", None, None);
        check("true", Some(600_000), None);
        check(" \n", None, Some("is empty"));
        check("a\0b", None, Some("NUL"));
        check("true", Some(0), Some("1 to 600000"));
        check("true", Some(600_001), Some("may be 600000"));
        check(&"x".repeat(120_001), None, Some("script file"));
    }

    #[test]
    fn variables_and_settings_set_the_limits() {
        let variables = [("BASH_MAX_TIMEOUT_MS".into(), "900000".into())].into();
        let mut environment = Environment::new(variables, Default::default());
        assert_eq!(Limits::of(&environment), Ok(Limits { default: 120_000, most: 900_000 }));
        environment.variables.insert("BASH_MAX_TIMEOUT_MS".into(), "ten".into());
        assert!(Limits::of(&environment).unwrap_err().0.contains("BASH_MAX_TIMEOUT_MS is `ten`"));
    }
}
