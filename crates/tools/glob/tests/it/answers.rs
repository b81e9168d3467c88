//! Patterns in, answers out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use toolwright_core::{Cancel, Environment, Services, ToolContext};
use toolwright_services::{DeniedPaths, PathPolicy};
use toolwright_testkit::{TempWorkspace, block_on, context, test_services};

fn glob(workspace: &TempWorkspace, input: serde_json::Value) -> Result<String, String> {
    let tool = (toolwright_tool_glob::REGISTRATION.build)(&test_services(workspace)).expect("offered");
    let call = tool.parse(input).map_err(|error| error.to_string())?;
    let cx = context(workspace);
    let reply = block_on(async {
        call.validate(&cx).await?;
        call.run(&cx).await
    });
    let reply = reply.map_err(|error| workspace.normalised(&error.to_string()))?;
    Ok(workspace.normalised(reply.answer[0].as_text().expect("text")))
}

fn tree(names: &[&str]) -> TempWorkspace {
    let workspace = TempWorkspace::new();
    for (age, name) in names.iter().enumerate() {
        workspace.write(name, "");
        workspace.set_modified(name, 1_000_000 - age as u64);
    }
    workspace
}

#[test]
fn patterns_find_what_they_mean() {
    let names = [
        "a.rs",
        "s/a/x.ts",
        "s/b/y.tsx",
        "s/b/z.css",
        ".claude/b.md",
        "app/[slug]/page.tsx",
        "app/s/page.tsx",
        ".git/c.rs",
    ];
    let workspace = tree(&names);
    let check = |pattern: &str, expect: &[&str]| {
        let pattern = pattern.replace("{cwd}", &workspace.path().to_string_lossy());
        assert_eq!(glob(&workspace, json!({"pattern": pattern})), Ok(expect.join("\n")), "{pattern}");
    };
    check("s/{a,b}/*.{ts,tsx}", &["s/a/x.ts", "s/b/y.tsx"]);
    check("**/{*.css,*.md}", &["s/b/z.css", ".claude/b.md"]);
    check("*.tsx", &["s/b/y.tsx", "app/[slug]/page.tsx", "app/s/page.tsx"]);
    check("./*.rs", &["a.rs"]);
    check(".claude/**/*", &[".claude/b.md"]);
    check("**/*.rs", &["a.rs"]);
    check("app/[slug]/page.tsx", &["app/[slug]/page.tsx"]);
    check("app/[slug]/*.tsx", &["app/[slug]/page.tsx", "app/s/page.tsx"]);
    check("app/[s]/*", &["app/s/page.tsx"]);
    check("{cwd}/s/**/*.css", &["s/b/z.css"]);
    check("s/../*.rs", &["a.rs"]);
    check("**/*.RS", &["No file matches in /workspace."]);
    check(
        "*.rs,*.ts",
        &[
            "No file matches in /workspace.",
            "A comma outside of braces is a character of a name; for several patterns write `{*.a,*.b}`.",
        ],
    );
    check(".git/**", &["No file matches in /workspace/.git."]);
    check(
        "s",
        &[
            "No file matches in /workspace.",
            "The pattern names a folder; end it with `/**` to list what is in it.",
        ],
    );
}

#[test]
fn nothing_is_not_said_of_what_is_hidden() {
    let workspace = tree(&[".git/HEAD", "node_modules/effect/package.json"]);
    workspace.write(".gitignore", "node_modules/\n");
    let found = Ok("node_modules/effect/package.json".into());
    assert_eq!(glob(&workspace, json!({"pattern": "node_modules/effect/package.json"})), found);
    assert_eq!(glob(&workspace, json!({"pattern": "node_modules/**/*.json"})), found);
    let hidden = glob(&workspace, json!({"pattern": "**/*.json"})).expect("an answer");
    assert!(hidden.contains("hide 1 file that would match"), "{hidden}");
}

#[test]
fn a_limit_is_named() {
    let names: Vec<_> = (0..150).map(|number| format!("f{number}.txt")).collect();
    let workspace = tree(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let answer = glob(&workspace, json!({"pattern": "*.txt"})).expect("an answer");
    assert!(answer.starts_with("f0.txt\nf1.txt\n") && answer.contains("first 100 of 150"), "{answer}");
}

#[test]
fn wrong_input_says_where_and_what_is_right() {
    let workspace = tree(&["source/a.rs"]);
    let check = |input, expect: &str| {
        let error = glob(&workspace, input).expect_err("refused");
        assert!(error.contains(expect), "`{expect}` is not in: {error}");
    };
    check(json!({"pattern": "src/[ab"}), "  src/[ab\n      ^");
    check(json!({"pattern": "a}"}), "closes nothing");
    check(json!({"pattern": "a{b,c"}), "  a{b,c\n   ^");
    check(json!({"pattern": "[z-a]"}), "runs backwards");
    check(json!({"pattern": "a\\"}), "nothing to escape");
    check(json!({"pattern": " "}), "`**/*` matches every file");
    check(json!({"pattern": "*/../x"}), "put the folder into `path`");
    check(json!({"pattern": "*", "path": "sorce"}), "did you mean /workspace/source?");
    check(json!({"pattern": "*", "path": "source/a.rs"}), "is not a directory");
}

#[test]
fn a_time_limit_ends_the_search_with_what_it_has() {
    let workspace = tree(&["a", "b", "c"]);
    let settings = json!({"limits": {"searchTimeoutMs": 0}});
    let environment = Environment::new(BTreeMap::default(), settings.as_object().expect("an object").clone());
    let mut services = Services::new(Arc::new(environment));
    let over = Arc::new(AtomicBool::new(false));
    services.offer::<dyn PathPolicy>(Arc::new(Held(Arc::clone(&over))));
    let tool = (toolwright_tool_glob::REGISTRATION.build)(&services).expect("offered");
    let call = tool.parse(json!({"pattern": "?"})).expect("an input");
    // It is told how far it is once its time is over.
    let tell = move |_| over.store(true, Ordering::Release);
    let cx = ToolContext::new("call", "main", workspace.path(), Cancel::default(), tell);
    let reply = block_on(async { call.run(&cx).await }).expect("an answer");
    let answer = reply.answer[0].as_text().expect("text");
    assert!(
        answer.ends_with(
            "The time limit ended the search: there may be more files. Narrow the `path` or the pattern."
        ),
        "{answer}"
    );
}

/// Holds a search up at its first file until its time is over.
struct Held(Arc<AtomicBool>);

impl PathPolicy for Held {
    fn in_folder(&self, _: &Path) -> Arc<dyn DeniedPaths> {
        Arc::new(Self(Arc::clone(&self.0)))
    }
}

impl DeniedPaths for Held {
    fn denies_read(&self, path: &Path) -> Option<String> {
        while path.ends_with("a") && !self.0.load(Ordering::Acquire) {
            std::thread::yield_now();
        }
        None
    }

    fn named(&self) -> &[PathBuf] {
        &[]
    }
}
