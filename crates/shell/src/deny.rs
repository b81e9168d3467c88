//! Every form of a command that a deny or ask rule may match: with and without what only starts it.

use crate::simple::{Word, bare_text, raw_text};
use crate::starters::runs_others;
use crate::wrapper::{base_name, one_off};

/// The forms.
#[derive(Debug, Default)]
pub(crate) struct Forms {
    pub(crate) texts: Vec<String>,
    /// There are more than are followed, so rules may miss one.
    pub(crate) cut: bool,
}

/// More places than these where a command may begin behind one that runs it are not followed.
const MOST_STARTS: usize = 64;
/// Bytes of forms of one command: each wrapper adds the whole rest.
const MOST_TEXT: usize = 200_000;

pub(crate) fn forms(words: &[Word]) -> Forms {
    let mut forms = Forms::default();
    let mut starts = Vec::new();
    let mut rest = words;
    while let Some(after) = one_off(rest) {
        starts.push(words.len() - rest.len());
        rest = after;
    }
    let first = words.len() - rest.len();
    starts.push(first);
    if runs_others(rest) {
        starts.extend((first + 1..words.len()).filter(|start| words.get(*start).is_some_and(may_be_program)));
    }
    for start in essential(words, &starts) {
        forms.add_from(words.get(start..).unwrap_or_default());
    }
    forms
}

/// Of a program that is named again and again (`env env env ..`), the first and the last place.
fn essential(words: &[Word], starts: &[usize]) -> Vec<usize> {
    let name = |start: &usize| words.get(*start).and_then(Word::literal).map(base_name).unwrap_or_default();
    let mut kept: Vec<usize> = Vec::new();
    for (index, start) in starts.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| starts.get(index)).map(name);
        let after = starts.get(index + 1).map(name);
        let here = name(start);
        let between = before == Some(here) && after == Some(here) && !here.is_empty();
        if !between {
            kept.push(*start);
        }
    }
    kept
}

/// A flag, an assignment or a number is no program.
fn may_be_program(word: &Word) -> bool {
    let Some(text) = word.literal() else { return true };
    let assignment = text.split_once('=').is_some_and(|(name, _)| crate::names::is_name(name));
    let number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    !text.is_empty() && !text.starts_with(['-', '{', ';']) && !assignment && !number
}

impl Forms {
    fn add_from(&mut self, words: &[Word]) {
        let made: usize = self.texts.iter().map(String::len).sum();
        if self.texts.len() >= 3 * MOST_STARTS || made > MOST_TEXT {
            self.cut = true;
            return;
        }
        let bare = bare_text(words);
        let short = base_name(&bare).to_owned();
        match words.first().and_then(Word::literal).map(base_name) {
            Some("git" | "git.exe" | "hub" | "yadm" | "dotbare" | "gita" | "mr") => self.git(words),
            // `etckeeper vcs push`, `vcsh repository push`
            Some("etckeeper" | "vcsh") => self.git(words.get(1..).unwrap_or_default()),
            Some("nix") => self.nix(words),
            // Sub-commands of git that lie as programs of their own beside it.
            Some(name) if name.starts_with("git-") => {
                let arguments = short.get(name.len()..).unwrap_or_default();
                self.add(format!("git {}{arguments}", name.trim_start_matches("git-")));
            }
            _ => {}
        }
        // `environment:program`, `npm:program`
        let behind_colon = short.split(' ').next().and_then(|name| name.find(':'));
        let named = behind_colon.and_then(|at| short.get(at + 1..)).map(str::to_owned);
        [raw_text(words), bare, short].into_iter().chain(named).for_each(|form| self.add(form));
    }

    fn add(&mut self, form: String) {
        if !form.is_empty() && !self.texts.contains(&form) {
            self.texts.push(form);
        }
    }

    /// `nix run nixpkgs#git -- push` as `git push`.
    fn nix(&mut self, words: &[Word]) {
        let name = |word: &Word| word.literal()?.split_once('#').map(|(_, name)| name.to_owned());
        let Some((at, name)) = words.iter().enumerate().find_map(|(at, word)| Some((at, name(word)?))) else {
            return;
        };
        let rest = words.get(at + 1..).unwrap_or_default();
        let from = rest.iter().position(|word| word.literal() == Some("--")).map_or(0, |at| at + 1);
        self.add(format!("{name} {}", bare_text(rest.get(from..).unwrap_or_default())));
    }

    /// `git -C . push` as `git push`, and an alias that the call gives itself as what it stands for.
    fn git(&mut self, words: &[Word]) {
        let mut rest = words.get(1..).unwrap_or_default();
        let mut aliases: Vec<(&str, &str)> = Vec::new();
        while let Some(flag) = rest.first().and_then(Word::literal).filter(|flag| flag.starts_with('-')) {
            let valued = matches!(
                flag,
                "-C" | "-c"
                    | "--git-dir"
                    | "--work-tree"
                    | "--namespace"
                    | "--exec-path"
                    | "--config-env"
                    | "--super-prefix"
                    | "--attr-source"
                    | "--list-cmds"
            );
            if flag == "-c"
                && let Some((key, value)) =
                    rest.get(1).and_then(Word::literal).and_then(|text| text.split_once('='))
                && let Some(name) = key
                    .get(6..)
                    .filter(|_| key.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("alias.")))
            {
                aliases.push((name, value));
            }
            // `--exec-path` alone prints; with its value in the next word it would be none of git's.
            let step = if valued && flag != "--exec-path" { 2 } else { 1 };
            rest = rest.get(step..).unwrap_or_default();
        }
        let called = words.first().and_then(Word::literal).map(base_name);
        if rest.len() + 1 < words.len() || called != Some("git") {
            self.add(format!("git {}", raw_text(rest)));
            self.add(format!("git {}", bare_text(rest)));
        }
        if let Some((stands_for, after)) = stands_for(rest) {
            self.add(format!("git {stands_for} {}", bare_text(after)).trim_end().to_owned());
        }
        let name = rest.first().and_then(Word::literal);
        let after = rest.get(1..).unwrap_or_default();
        for (_, value) in
            aliases.iter().filter(|(alias, value)| Some(*alias) == name && !value.starts_with('!'))
        {
            self.add(format!("git {value} {}", bare_text(after)).trim_end().to_owned());
        }
    }
}

/// Commands of git that do what another does: what pushes, above all.
const STAND_FOR: &[(&[&str], &str)] = &[
    (&["send-pack"], "push"),
    (&["http-push"], "push"),
    (&["subtree", "push"], "push"),
    (&["lfs", "push"], "push"),
    (&["annex", "push"], "push"),
    (&["annex", "sync"], "push"),
    (&["annex", "copy"], "push"),
    (&["flow", "publish"], "push"),
    (&["svn", "dcommit"], "push"),
    (&["svn", "commit-diff"], "push"),
    (&["svn", "set-tree"], "push"),
    (&["svn", "branch"], "push"),
    (&["svn", "tag"], "push"),
    (&["p4", "submit"], "push"),
    (&["cvsexportcommit"], "push"),
    (&["remote-http"], "push"),
    (&["remote-https"], "push"),
    (&["remote-ftp"], "push"),
    (&["remote-ftps"], "push"),
    (&["remote-ext"], "push"),
    (&["remote-fd"], "push"),
    (&["stage"], "add"),
    (&["init-db"], "init"),
    (&["annotate"], "blame"),
    (&["fetch-pack"], "fetch"),
    (&["http-fetch"], "fetch"),
    (&["remote", "update"], "fetch"),
    (&["fsck-objects"], "fsck"),
    (&["merge-subtree"], "merge"),
];

/// What the words behind `git` stand for, and what follows. `for-each-repo` runs the command that it is given.
fn stands_for(words: &[Word]) -> Option<(&str, &[Word])> {
    let plain = |word: &&Word| word.literal().is_some_and(|text| !text.starts_with('-'));
    if words.first().and_then(Word::literal) == Some("for-each-repo") {
        let at = words.iter().skip(1).position(|word| plain(&word))? + 1;
        return Some((words.get(at)?.literal()?, words.get(at + 1..)?));
    }
    STAND_FOR.iter().find_map(|(names, stands_for)| {
        let begin = words.get(..names.len())?.iter().map(Word::literal).eq(names.iter().copied().map(Some));
        begin.then_some((*stands_for, words.get(names.len()..)?))
    })
}
