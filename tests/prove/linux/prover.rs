//! One place with what decides in it: a text is decided there and, where it is let through, run under trace.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::io::{self, Read as _};
use std::os::fd::AsRawFd as _;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use crate::linux::arguments::Arguments;
use crate::linux::decide::{Allowed, Decider, Form, Named, form};
use crate::linux::generate::Case;
use crate::linux::other::Other;
use crate::linux::place::{Place, Seen};
use crate::linux::resolve::Resolved;
use crate::linux::trace::{End, Start, Watchdog, run as run_traced};
use crate::linux::verdict::{Found, Judge};

/// How long one command may take.
const LIMIT: Duration = Duration::from_millis(1_500);

/// Decides and runs.
pub(crate) struct Prover {
    place: Place,
    decider: Decides,
    form: Form,
    watchdog: Watchdog,
    output: io::PipeWriter,
    before: BTreeMap<PathBuf, Seen>,
    resolved: Resolved,
    /// How long it decided, and how long what was let through ran.
    pub(crate) took: (Duration, Duration),
}

/// Whose decision it is.
enum Decides {
    Own(Box<Decider>),
    Other(Other),
}

impl Prover {
    pub(crate) fn new(arguments: &Arguments) -> io::Result<Self> {
        let place = Place::new()?;
        let form = form(&place)?;
        let decider = match &arguments.decider {
            Some(program) => Decides::Other(Other::start(program, &place)?),
            None => Decides::Own(Box::new(Decider::new(&place)?)),
        };
        let (mut reader, output) = io::pipe()?;
        thread::spawn(move || {
            let mut bytes = vec![0; 65_536];
            while reader.read(&mut bytes).is_ok_and(|read| read > 0) {}
        });
        let before = place.snapshot();
        let resolved = Resolved::new(place.root(), &place.temporary());
        Ok(Self {
            place,
            decider,
            form,
            watchdog: Watchdog::start(),
            output,
            before,
            resolved,
            took: <_>::default(),
        })
    }

    /// Whether what the analysis named is known.
    pub(crate) fn is_strict(&self) -> bool {
        matches!(self.decider, Decides::Own(_))
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.place.project()
    }

    fn decide(&mut self, case: &Case) -> io::Result<Option<Allowed>> {
        let folder = self.place.project().join(case.folder);
        let text = case.text.replace("@ROOT@", &self.place.root().to_string_lossy());
        match &mut self.decider {
            Decides::Own(decider) => Ok(decider.decide(&text, &folder)),
            Decides::Other(other) => {
                let allows = other.allows(&text, &folder)?;
                Ok(allows.then(|| Allowed { runs: text, named: Named::default() }))
            }
        }
    }

    /// What it did that it may not.
    pub(crate) fn run(&self, case: &Case, allowed: &Allowed) -> io::Result<(End, Option<Found>)> {
        let folder = self.place.project().join(case.folder);
        let text = |text: String| CString::new(text).map_err(io::Error::other);
        let script = format!("{}{}", self.form.prologue, allowed.runs);
        let words = ["bash"].into_iter().chain(self.form.arguments.iter().map(String::as_str));
        let arguments: io::Result<Vec<CString>> = words.map(Into::into).chain([script]).map(text).collect();
        let shown = folder.to_string_lossy().into_owned();
        let variables: io::Result<Vec<CString>> = self
            .form
            .variables
            .iter()
            .map(
                |(name, value)| {
                    if name == "PWD" { format!("PWD={shown}") } else { format!("{name}={value}") }
                },
            )
            .map(text)
            .collect();
        let start = Start {
            program: c"/bin/bash".into(),
            arguments: arguments?,
            variables: variables?,
            folder: text(shown.clone())?,
            output: self.output.as_raw_fd(),
            report: report(&self.form.prologue),
            user: self.place.user,
        };
        let mut judge = Judge::new(&self.place, &allowed.named, &self.resolved, self.is_strict());
        let end = run_traced(&start, LIMIT, &self.watchdog, |event| judge.allows(event))?;
        Ok((end, judge.found))
    }

    /// What it did that it may not, where it is let through.
    pub(crate) fn try_case(&mut self, case: &Case) -> io::Result<Option<(Allowed, End, Option<Found>)>> {
        let began = Instant::now();
        let decided = self.decide(case)?;
        self.took.0 += began.elapsed();
        let Some(allowed) = decided.filter(|allowed| !allowed.runs.contains('\0')) else { return Ok(None) };
        let began = Instant::now();
        let (end, found) = self.run(case, &allowed)?;
        self.took.1 += began.elapsed();
        Ok(Some((allowed, end, found)))
    }

    /// What is not as it was, after temporary files were removed.
    pub(crate) fn compare(&self) -> Option<String> {
        self.place.clear_temporary();
        self.changed()
    }

    fn changed(&self) -> Option<String> {
        let now = self.place.snapshot();
        let differs = self
            .before
            .iter()
            .find(|(path, seen)| now.get(*path) != Some(*seen))
            .map(|(path, _)| path)
            .or_else(|| now.keys().find(|path| !self.before.contains_key(*path)));
        differs.map(|path| path.display().to_string())
    }
}

/// The descriptor that the report of the last folder goes to: what stands behind `>&` in the prologue.
fn report(prologue: &str) -> Option<i32> {
    let (_, behind) = prologue.split_once("2>/dev/null >&")?;
    let digits: String = behind.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
