//! What the harness is told to do.

use std::path::PathBuf;
use std::time::Duration;

/// When it stops, and what it starts from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Arguments {
    /// Stops after so much time.
    pub(crate) time: Option<Duration>,
    /// Stops after so many allowed commands.
    pub(crate) commands: Option<u64>,
    pub(crate) seed: Option<u64>,
    /// How many processes share the texts; twice as many as there are processors where it is not said.
    pub(crate) jobs: Option<u64>,
    /// Which of these processes this one is.
    pub(crate) worker: Option<u64>,
    /// Another program that decides in the place of this one's code.
    pub(crate) decider: Option<PathBuf>,
    /// Adds finds to the file of seeds.
    pub(crate) keep: Option<PathBuf>,
    /// Shows each generated text instead of running it.
    pub(crate) show: bool,
    /// Goes on behind a find, up to so many.
    pub(crate) finds: usize,
    /// One text of its own.
    pub(crate) text: Option<String>,
    /// The one text of the seed that has this number.
    pub(crate) number: Option<u64>,
}

impl Arguments {
    pub(crate) fn read(words: &[String]) -> Result<Self, String> {
        let mut arguments = Self { finds: 20, ..Self::default() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--show" {
                arguments.show = true;
                continue;
            }
            let value = words.next().ok_or_else(|| format!("{word} wants a value"))?;
            let number =
                || value.parse::<u64>().map_err(|_| format!("{word} wants a number, and got `{value}`"));
            match word.as_str() {
                "--minutes" => arguments.time = Some(Duration::from_secs(number()?.saturating_mul(60))),
                "--commands" => arguments.commands = Some(number()?),
                "--seed" => arguments.seed = Some(number()?),
                "--jobs" => arguments.jobs = Some(number()?.clamp(1, 256)),
                "--worker" => arguments.worker = Some(number()?),
                "--finds" => arguments.finds = usize::try_from(number()?).unwrap_or(usize::MAX),
                "--decider" => arguments.decider = Some(value.into()),
                "--keep" => arguments.keep = Some(value.into()),
                "--text" => arguments.text = Some(value.clone()),
                "--number" => arguments.number = Some(number()?),
                _ => return Err(format!("there is no flag `{word}`")),
            }
        }
        if arguments.time.is_none() && arguments.commands.is_none() {
            arguments.commands = Some(2_000);
        }
        if arguments.number.is_some() && arguments.seed.is_none() {
            return Err("--number is the number of a text of a seed: --seed says which".into());
        }
        Ok(arguments)
    }
}
