//! Folders of this machine that a container or a sandbox is given: what runs there reads everything below.

use toolwright_core::PathAccess;

use crate::word::Token;

/// Flags of some programs whose value begins with such a folder.
struct Row {
    programs: &'static [&'static str],
    flags: &'static [&'static str],
    /// A letter for the same, alone or at the end of a cluster, or with its value glued.
    letter: Option<char>,
}

const ROWS: &[Row] = &[
    Row {
        programs: &["docker", "podman", "nerdctl", "docker-compose", "finch", "buildah", "udocker"],
        flags: &["--volume", "--mount"],
        letter: Some('v'),
    },
    Row { programs: &["singularity", "apptainer"], flags: &["--bind", "--mount"], letter: Some('B') },
    Row { programs: &["systemd-nspawn"], flags: &["--bind", "--bind-ro", "--directory"], letter: Some('D') },
    Row {
        programs: &["bwrap"],
        flags: &["--bind", "--ro-bind", "--dev-bind", "--bind-try", "--ro-bind-try"],
        letter: None,
    },
];

/// Those folders. None: any path.
pub(super) fn mounted(program: &str, arguments: &[Token]) -> Vec<(Option<String>, PathAccess)> {
    let mut mounted = Vec::new();
    let Some(row) = ROWS.iter().find(|row| row.programs.contains(&program)) else { return mounted };
    let behind = arguments.iter().skip(1).map(Some).chain([None]);
    for (token, next) in arguments.iter().zip(behind) {
        let text = token.text.as_str();
        if row.flags.contains(&text) || (token.exact && ends_with_letter(text, row.letter)) {
            let Some(next) = next else { continue };
            add(&next.text, next.exact && !next.glob, &mut mounted);
            continue;
        }
        let long = text.split_once('=').filter(|(flag, _)| row.flags.contains(flag)).map(|(_, value)| value);
        let glued = || {
            row.letter.and_then(|letter| text.strip_prefix(['-']).and_then(|rest| rest.strip_prefix(letter)))
        };
        if let Some(value) = long.or_else(glued) {
            add(value, token.exact && !token.glob, &mut mounted);
        }
    }
    mounted
}

/// `-v` and `-itv`.
fn ends_with_letter(text: &str, letter: Option<char>) -> bool {
    let cluster = text.strip_prefix('-').filter(|cluster| !cluster.starts_with('-'));
    letter.zip(cluster).is_some_and(|(letter, cluster)| {
        cluster.ends_with(letter) && cluster.chars().all(|flag| flag.is_ascii_alphabetic())
    })
}

/// `folder:/there:ro`, `type=bind,source=folder,target=/there`. A name without a slash is that of a volume.
fn add(value: &str, exact: bool, mounted: &mut Vec<(Option<String>, PathAccess)>) {
    let fields = value.split(',');
    let source =
        |field: &str| ["src=", "source="].iter().find_map(|key| field.strip_prefix(key)).map(str::to_owned);
    let folder = match fields.clone().find_map(source) {
        Some(source) => source,
        None if value.contains("type=") && exact => return,
        None => value.split(':').next().unwrap_or_default().to_owned(),
    };
    // What is not known may stand before the end of the name.
    let whole = exact || value.len() > folder.len() && value.starts_with(&folder);
    if !whole {
        mounted.push((None, PathAccess::Read));
    } else if folder.contains('/') || folder.starts_with('.') {
        mounted.push((Some(folder), PathAccess::ReadBelow));
    }
}
