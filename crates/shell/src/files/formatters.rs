//! Formatters, fixers and generators that write over what they read, and with which words they do so.

use toolwright_core::PathAccess;

use super::Touches;
use super::changes::subcommand;
use crate::word::Token;

struct Row {
    programs: &'static [&'static str],
    /// It writes only where one of these is among its words. None: always.
    with: &'static [&'static str],
    /// It writes nothing where one of these is.
    unless: &'static [&'static str],
    /// It writes over its operands alone, and nothing where there is none.
    operands_alone: bool,
}

const PRINTS: &[&str] =
    &["--check", "--diff", "-d", "-l", "--list-different", "--dry-run", "--version", "--help"];

const fn row(programs: &'static [&'static str], with: &'static [&'static str]) -> Row {
    Row { programs, with, unless: PRINTS, operands_alone: false }
}

const ROWS: &[Row] = &[
    Row { unless: &[], ..row(&["prettier"], &["--write", "-w"]) },
    Row { unless: &["--fix-dry-run"], ..row(&["eslint", "xo", "standard", "semistandard"], &["--fix"]) },
    row(
        &["stylelint", "markdownlint", "markdownlint-cli2", "htmlhint", "textlint", "sqlfluff", "oxlint"],
        &["--fix", "fix"],
    ),
    row(&["biome", "rome"], &["--write", "--apply", "--fix", "--apply-unsafe", "migrate"]),
    row(&["black", "isort", "pyupgrade", "docformatter"], &[]),
    Row { unless: &[], ..row(&["autopep8", "yapf", "autoflake"], &["-i", "--in-place"]) },
    row(&["ruff"], &["format", "--fix", "--fix-only", "--unsafe-fixes"]),
    Row { operands_alone: true, ..row(&["rustfmt"], &[]) },
    row(&["cargo"], &["fmt", "fix", "--fix"]),
    Row { unless: &[], operands_alone: true, ..row(&["gofmt", "goimports", "gofumpt"], &["-w"]) },
    row(&["go"], &["fmt", "fix"]),
    row(&["go"], &["generate"]),
    Row {
        unless: &[],
        operands_alone: true,
        ..row(
            &["clang-format", "cmake-format", "shfmt", "uncrustify", "astyle", "xmllint"],
            &["-i", "-w", "--in-place", "--write", "--no-backup", "--replace"],
        )
    },
    row(&["terraform", "tofu"], &["fmt"]),
    row(
        &["dprint", "deno", "dart", "mix", "zig", "buf", "taplo", "nx", "hindent", "sqlfmt"],
        &["fmt", "format", "-w"],
    ),
    row(
        &[
            "stylua",
            "nixfmt",
            "alejandra",
            "swiftformat",
            "scalafmt",
            "ormolu",
            "fourmolu",
            "latexindent",
            "pint",
            "php-cs-fixer",
            "phpcbf",
        ],
        &[],
    ),
    row(&["ktlint"], &["-F", "--format"]),
    row(&["rubocop", "standardrb"], &["-a", "-A", "--autocorrect", "--autocorrect-all", "--fix", "-x"]),
    row(&["pre-commit", "lint-staged", "lefthook"], &["run", "lint-staged"]),
    row(&["jscodeshift", "ast-grep", "sg", "comby", "fastmod", "sd", "codemod"], &[]),
];

/// What they write over.
pub(super) fn changed(program: &str, arguments: &[Token]) -> Touches {
    let Some(row) = ROWS.iter().find(|row| {
        let is_of = |token: &Token, words: &[&str]| token.exact && words.contains(&token.text.as_str());
        let with = |token: &Token| !token.exact || is_of(token, row.with);
        row.programs.contains(&program)
            && (row.with.is_empty() || arguments.iter().any(with))
            && !arguments.iter().any(|token| is_of(token, row.unless))
    }) else {
        return Vec::new();
    };
    let named: Vec<&Token> = arguments
        .iter()
        .filter(|token| !token.text.starts_with('-') && !row.with.contains(&token.text.as_str()))
        .collect();
    // A word that is not known may be a flag or a file.
    if named.iter().any(|token| !token.exact) {
        return vec![(None, PathAccess::WriteBelow)];
    }
    let named: Vec<String> = named.into_iter().map(|token| token.text.clone()).collect();
    if named.is_empty() && row.operands_alone {
        return Vec::new();
    }
    let here = matches!(program, "cargo" | "go") || subcommand(arguments).is_none();
    let places = if named.is_empty() || here { [named, vec![".".into()]].concat() } else { named };
    places.into_iter().map(|place| (Some(place), PathAccess::WriteBelow)).collect()
}
