//! The entry point of the crate, and its result.

use std::path::PathBuf;

use toolwright_bash_syntax::tree::Script;
use toolwright_core::{Effects, Reach, Subject};

use crate::Place;
use crate::walk::Walk;

/// Characters of a text above which it is not analysed for allowing; those of here-documents without expansions do not count.
const LONGEST: usize = 10_000;
/// Characters with these documents.
const LONGEST_WITH_DOCUMENTS: usize = 24_000;

/// What a shell text would do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Analysis {
    /// What it touches: command parts, paths, hosts, and what could not be understood.
    ///
    /// A path that the shell expands is given with its wildcards; one of which nothing is known as `/**`.
    pub subjects: Vec<Subject>,
    /// What it may do. Read-only only if every part is, and then never together with a write.
    pub effects: Effects,
    /// Why a person must see it whatever is allowed: it removes the root, home, the working directory or the like.
    pub critical: Option<String>,
    /// Folders in which a read-only git command would run: their configuration may name programs that git starts.
    pub git_folders: Vec<PathBuf>,
    /// The text that runs where nobody has seen the call: the same commands, so written that every bash reads them in the way
    /// they were read here. None where the text is not analysable.
    pub printed: Option<String>,
    /// Names of the programs that were looked up in the table: the text is read-only only where each name stands for the program of
    /// the system. Built-in commands of the shell are not among them.
    pub programs: Vec<String>,
    /// Globs among the arguments of read-only commands that may match a name with a leading dash, which the program would take for a
    /// flag: a folder and the pattern of a name in it. Where one matches such a name, the text is not read-only.
    pub globs: Vec<(PathBuf, String)>,
    /// Names that become words of a command unquoted, or through `xargs`: where one would be taken for several words, or leads
    /// elsewhere, the text is not read-only.
    pub names: Vec<Names>,
    /// Operands of git which are paths if something of that name is there, and to which what it shows is then limited. With those
    /// that are there in [`Place::there`] another analysis is as good, and may find less that is read.
    pub looked_for: Vec<PathBuf>,
    /// Files and folders that are read with everything below them, links followed: those that [`Place::links`] is about.
    pub followed: Vec<PathBuf>,
    /// Operands that read-only commands take for files: where one is a folder, what lies in it is opened as well, through links
    /// too, and the text is not read-only.
    pub files: Vec<PathBuf>,
}

/// Names of files that are taken for words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Names {
    /// Those that a pattern of the shell stands for, which it splits at blanks and expands once more.
    Meant(PathBuf),
    /// Those of all that lies below a folder, without following links.
    Below {
        /// The folder.
        folder: PathBuf,
        /// `xargs` splits them at blanks and reads quotes in them.
        split: bool,
        /// Links among them are followed.
        followed: bool,
    },
}

/// Reads `text` as bash would in `place`.
///
/// ```
/// use std::path::Path;
/// use toolwright_shell::{Place, analyse};
/// let place = Place::new(Path::new("/work"), None);
/// assert!(analyse("git log --oneline | head -3", &place).effects.is_read_only());
/// assert!(!analyse("git log --output=x", &place).effects.is_read_only());
/// ```
#[must_use]
pub fn analyse(text: &str, place: &Place) -> Analysis {
    let parsed = toolwright_bash_syntax::parse(text);
    let mut walk = Walk::new(place);
    if let Some(why) = unfit(text) {
        walk.unreadable(why);
    }
    if let Some(error) = &parsed.error {
        walk.unreadable(format!("it is not understood as bash: {error}"));
    }
    walk.script(&parsed.script);
    if let Some(why) = too_long(text, walk.document_characters) {
        walk.unreadable(why);
    }
    if parsed.error.is_some() {
        walk.parts.extend(crate::unread::parts(text));
    }
    finish(walk, text, &parsed.script)
}

/// `document_characters`: those of here-documents without expansions, which are data.
fn too_long(text: &str, document_characters: usize) -> Option<String> {
    if text.len() <= LONGEST {
        return None;
    }
    let characters = text.chars().count();
    let too_many = |most: usize| Some(format!("the command has more than {most} characters"));
    if characters.saturating_sub(document_characters) > LONGEST {
        return too_many(LONGEST);
    }
    if characters > LONGEST_WITH_DOCUMENTS { too_many(LONGEST_WITH_DOCUMENTS) } else { None }
}

fn unfit(text: &str) -> Option<String> {
    let mut before = None;
    let odd = text.chars().find(|character| match (before.replace(*character), *character) {
        (_, '\n' | '\t') => false,
        // A joiner between pictures makes one of them, and hides nothing.
        (Some('\u{2600}'..='\u{27bf}' | '\u{fe0f}' | '\u{1f300}'..='\u{1faff}'), '\u{200d}') => false,
        (_, character) => unseen(character),
    })?;
    Some(format!("the command holds the character U+{:04X}, which cannot be shown", u32::from(odd)))
}

/// Direction marks, line separators, zero-width and tag characters: what is shown would not be what runs.
fn unseen(character: char) -> bool {
    match character {
        '\u{2028}'
        | '\u{2029}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}' => true,
        '\u{e0000}'..='\u{e007f}' | '\u{ad}' => true,
        other => other.is_control(),
    }
}

fn finish(mut walk: Walk<'_>, text: &str, script: &Script) -> Analysis {
    let printed = if walk.unreadable.is_empty() {
        match toolwright_bash_syntax::print(script) {
            Ok(printed) => Some(printed),
            Err(error) => {
                walk.unreadable(format!("it has no form that every bash reads in the same way: {error}"));
                None
            }
        }
    } else {
        None
    };
    let Walk {
        mut parts,
        paths,
        hosts,
        unreadable,
        changes_state,
        moves,
        critical,
        git_folders,
        programs,
        globs,
        files,
        names,
        followed,
        looked_for,
        secret,
        lists_any,
        names_program,
        ..
    } = walk;
    let secret = secret || lists_any;
    parts.iter_mut().for_each(|part| part.runs_code |= names_program);
    if changes_state || secret || !unreadable.is_empty() {
        // A changed PATH, a function, a trap: what a later name runs is no longer what the table knows. A secret that a variable
        // was given may be shown by any command that follows.
        for part in &mut parts {
            if part.reach == Reach::ReadOnly {
                part.reach = Reach::Pattern;
            }
        }
    }
    let writes = paths.iter().any(|subject| match subject {
        Subject::Path { access, .. } => !access.is_read(),
        _ => true,
    });
    let reads_only = !changes_state
        && !secret
        && !writes
        && unreadable.is_empty()
        && hosts.is_empty()
        && parts.iter().all(|part| part.reach == Reach::ReadOnly);
    let commands = parts.len();
    let effects = match (reads_only, moves) {
        (true, false) => Effects::READ_ONLY,
        // A call that comes after may count on the new folder.
        (true, true) => Effects::READ_ONLY_ALONE,
        (false, _) => Effects::DESTROYS,
    };
    let mut subjects = vec![Subject::Text(text.into())];
    subjects.extend(unreadable.into_iter().map(Subject::Unreadable));
    subjects.extend(parts.into_iter().map(Subject::Command));
    subjects.extend(paths);
    subjects.extend(hosts.into_iter().map(Subject::Domain));
    let mut analysis = Analysis { subjects, effects, critical, printed, followed, ..Analysis::default() };
    // What another command of the text makes or removes is not as it is now.
    if reads_only || commands == 1 {
        analysis.looked_for = looked_for;
    }
    if reads_only {
        (analysis.git_folders, analysis.programs) = (git_folders, programs);
        (analysis.globs, analysis.files, analysis.names) = (globs, files, names);
    }
    analysis
}
