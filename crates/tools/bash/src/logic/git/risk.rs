//! Which settings of a repository make a reading command start another program, or read a file that is none of the repository.
//!
//! Settings that `variables` overrides for a reading call (`core.fsmonitor`, `core.hooksPath`, `diff.orderFile` ..) are among them
//! only in another repository than the one that the call starts in.

use std::path::Path;

use super::config::Setting;

/// A repository whose settings are judged.
pub(super) struct Repository<'a> {
    /// The folder of its files.
    pub(super) top: &'a Path,
    /// Git's own folder of it.
    pub(super) git: &'a Path,
    pub(super) counted: Settings,
}

/// Which settings count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settings {
    /// Those that nothing overrides for a reading call.
    InForce,
    /// The overridden ones too.
    All,
}

impl Repository<'_> {
    /// The name of the setting, where it may do so.
    pub(super) fn risk(&self, setting: &Setting) -> Option<String> {
        let Setting { section, subsection, key, value } = setting;
        let value = value.as_deref();
        let risky = match (section.as_str(), subsection.as_deref(), key.as_str()) {
            ("filter", Some("lfs"), key) => !is_lfs(key, value),
            ("filter" | "include" | "includeif" | "pretty" | "hook", ..) => true,
            // Programs that Git LFS starts in turn.
            ("lfs", _, "clean" | "smudge" | "path" | "args" | "standalonetransferagent") => true,
            ("diff", _, "command" | "textconv" | "external") => true,
            // Git looks into repositories that the history alone names.
            ("diff", None, "submodule") => value == Some("diff"),
            ("gpg", _, key) => key != "format",
            ("submodule", _, key) => !matches!(key, "url" | "active" | "branch" | "ignore" | "path"),
            ("core", None, "worktree") => !value.is_some_and(|value| self.leads_to_top(value)),
            (
                "core",
                None,
                "gitproxy" | "sshcommand" | "attributesfile" | "alternaterefscommand" | "excludesfile",
            )
            | ("mailmap", None, "file") => true,
            ("blame", None, "ignorerevsfile") => !value.is_some_and(|value| self.lists_revisions(value)),
            ("format", None, "pretty") => !value.is_some_and(is_plain_format),
            // Signatures are checked by a program.
            ("tag" | "branch", None, "sort") => {
                value.is_none_or(|value| value.to_ascii_lowercase().contains("signature"))
            }
            // An alias takes the place of a command that git calls deprecated.
            ("alias", None, "whatchanged") | ("alias", Some("whatchanged"), _) => true,
            // A partial clone fetches what it lacks.
            ("remote", _, "promisor" | "uploadpack" | "vcs") | ("extensions", None, "partialclone") => true,
            _ => self.counted == Settings::All && is_overridden(setting),
        };
        let subsection = subsection.as_ref().map(|name| format!(" \"{name}\"")).unwrap_or_default();
        risky.then(|| format!("{section}{subsection}.{key}"))
    }

    /// A repository within another always says where its files are.
    fn leads_to_top(&self, value: &str) -> bool {
        let real = |path: &Path| path.canonicalize().ok();
        real(self.top).is_some_and(|top| real(&self.git.join(value)) == Some(top))
    }

    /// The usual name for a list of revisions, at the top, and no link. `git blame` shows the first line of any other file.
    fn lists_revisions(&self, value: &str) -> bool {
        let usual = value.starts_with(".git-blame-ignore-revs") && !value.contains('/');
        usual && !self.top.join(value).is_symlink()
    }
}

/// Whether the setting would start a program or read a file, were it not overridden for a reading call.
fn is_overridden(setting: &Setting) -> bool {
    let value = setting.value.as_deref();
    match (setting.section.as_str(), setting.subsection.as_deref(), setting.key.as_str()) {
        ("core", None, "fsmonitor") => value.is_some_and(|value| !is_boolean(value)),
        ("core", None, "hookspath") | ("diff", None, "orderfile") => true,
        ("log", None, "diffmerges") => value.is_none_or(|value| value.starts_with('r')),
        ("log", None, "showsignature") => value.is_none_or(|value| !is_false(value)),
        _ => false,
    }
}

fn is_boolean(value: &str) -> bool {
    is_false(value) || ["true", "yes", "on", "1"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

fn is_false(value: &str) -> bool {
    ["", "false", "no", "off", "0"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Git LFS, as it sets itself up in every repository that uses it.
fn is_lfs(key: &str, value: Option<&str>) -> bool {
    match key {
        "required" => true,
        "clean" => value == Some("git-lfs clean -- %f"),
        "smudge" => matches!(value, Some("git-lfs smudge -- %f" | "git-lfs smudge --skip -- %f")),
        "process" => matches!(value, Some("git-lfs filter-process" | "git-lfs filter-process --skip")),
        _ => false,
    }
}

fn is_plain_format(value: &str) -> bool {
    ["oneline", "short", "medium", "full", "fuller", "reference", "email", "raw"].contains(&value)
}

#[cfg(test)]
mod tests {
    use super::super::config::settings;
    use super::*;

    fn check(config: &str, expect: Option<&str>) {
        check_in(Settings::InForce, config, expect);
    }

    fn check_in(counted: Settings, config: &str, expect: Option<&str>) {
        let repository = Repository { top: Path::new("/"), git: Path::new("/usr"), counted };
        let found = settings(config.as_bytes()).unwrap().iter().find_map(|setting| repository.risk(setting));
        assert_eq!(found.as_deref(), expect, "{config}");
    }

    #[test]
    fn settings_that_start_programs_or_read_elsewhere() {
        check("[core]\n\trepositoryformatversion = 0\n\tbare = false\n[user]\n\tname = Dev\n", None);
        check("[remote \"origin\"]\n\turl = https://x\n[branch \"main\"]\n\tremote = origin\n", None);
        check("[filter \"x\"]\n\tclean = ./evil\n", Some("filter \"x\".clean"));
        check("[filter \"lfs\"]\n\tclean = git-lfs clean -- %f\n\trequired = true\n", None);
        check("[filter \"lfs\"]\nclean = git-lfs x || touch y\n", Some("filter \"lfs\".clean"));
        check("[filter \"LFS\"]\nclean = git-lfs clean -- %f\n", Some("filter \"LFS\".clean"));
        check("[filter \"alfs\"]\nprocess = git-lfs filter-process\n", Some("filter \"alfs\".process"));
        check("[diff]\nexternal=./evil\n", Some("diff.external"));
        check("[DIFF \"a\"] TextConv = ./evil #]\n", Some("diff \"a\".textconv"));
        check("\u{feff}[diff \"a\"] textconv = ./evil\n", Some("diff \"a\".textconv"));
        check("[diff.a]\ntextconv = ./evil\n", Some("diff \"a\".textconv"));
        check("[diff]\nsubmodule = log\norderFile = /x\n[core]\nfsmonitor = x\n", None);
        check("[diff]\nsubmodule = diff\n", Some("diff.submodule"));
        check("[include]\n\tpath = ../other\n", Some("include.path"));
        check("[core]\n\tx = a \\\n[include]\n", None);
        check("[submodule \"a\"]\n\tactive = true\n\turl = https://x\n", None);
        check("[submodule \"a\"]\n\tupdate = !x\n", Some("submodule \"a\".update"));
        check("[core]\n\tworktree = ../x\n", Some("core.worktree"));
        check("[core]\n\tworktree = ..\n", None);
        check("[core]\nexcludesFile = ../x\n", Some("core.excludesfile"));
        check("[mailmap]\nfile = ../x\n", Some("mailmap.file"));
        check("[blame]\nignoreRevsFile = ../x\n", Some("blame.ignorerevsfile"));
        check("[blame]\nignoreRevsFile = .git-blame-ignore-revs\n", None);
        check("[format]\npretty = %G?\n", Some("format.pretty"));
        check("[format]\npretty = oneline\n", None);
        check("[tag]\nsort = -signature:key\n", Some("tag.sort"));
        check("[branch]\nsort = -committerdate\n", None);
        check("[gpg \"ssh\"]\nprogram = x\n", Some("gpg \"ssh\".program"));
        check("[gpg]\nformat = ssh\n", None);
        check("[lfs \"extension.x\"]\nclean = x\n", Some("lfs \"extension.x\".clean"));
        check("[lfs]\nrepositoryformatversion = 0\n", None);
        check("[hook \"x\"]\ncommand = y\n", Some("hook \"x\".command"));
        check("[alias]\nwhatchanged = !x\n", Some("alias.whatchanged"));
        check("[alias \"whatchanged\"]\ncommand = !x\n", Some("alias \"whatchanged\".command"));
        check("[alias]\nst = status\n", None);
    }

    #[test]
    fn in_another_repository_overridden_settings_count() {
        let check = |config: &str, expect: Option<&str>| check_in(Settings::All, config, expect);
        check("[core]\nfsmonitor = touch x;\n", Some("core.fsmonitor"));
        check("[core]\nfsmonitor = true\n[log]\nshowSignature = false\n", None);
        check("[core]\nfsmonitor\n[diff]\nsubmodule = log\n", None);
        check("[core]\nhooksPath = x\n", Some("core.hookspath"));
        check("[diff]\norderFile = x\n", Some("diff.orderfile"));
        check("[log]\ndiffMerges = remerge\n", Some("log.diffmerges"));
        check("[log]\ndiffMerges = first-parent\n", None);
        check("[log]\nshowSignature\n", Some("log.showsignature"));
    }
}
