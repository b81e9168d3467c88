//! Checks of the order of blocks and of the sameness of their bytes.

use proptest::prelude::*;
use serde_json::json;
use toolwright_core::{Built, Definition, DynReply, DynTool, Effects, Loading, Origin, tool_fn};

use super::*;
use crate::deferral::{DeferralPolicy, TOOL_SEARCH};
use crate::pool::{Candidates, Selection};

fn tool(name: &str, guidance: Option<&str>, loading: Loading) -> Arc<dyn DynTool> {
    let mut definition = Definition::new(name, "");
    definition.origin = Origin::BuiltIn { package: "p".into() };
    definition.guidance = guidance.map(Into::into);
    definition.loading = loading;
    definition.input_schema = json!({"type": "object"});
    tool_fn(definition, Effects::READ_ONLY, |_: Arc<serde_json::Value>, _| async { Ok(DynReply::text("")) })
}

fn pool() -> Pool {
    let mut built = Built::default();
    built.tools = vec![
        tool("Write", Some("Writes.\n"), Loading::Always),
        tool("Read", Some("Reads."), Loading::Always),
        tool("Glob", None, Loading::Always),
        tool("Rare", Some("Unseen."), Loading::Deferred),
        tool(TOOL_SEARCH, None, Loading::Always),
    ];
    let candidates = Candidates { built, ..Candidates::default() };
    Pool::assemble(candidates, &Selection::default(), &DeferralPolicy::default())
}

fn memory_file(path: &str, scope: MemoryScope, text: &str) -> MemoryFile {
    MemoryFile { path: path.into(), scope, text: text.into() }
}

#[test]
fn blocks_stand_from_the_shared_to_the_single() {
    let pool = pool();
    let memory = [
        memory_file("/home/u/AGENTS.md", MemoryScope::User, "Be kind.\n"),
        memory_file("/p/empty.md", MemoryScope::Project, " \n"),
        memory_file("/p/AGENTS.md", MemoryScope::Project, "Use tabs."),
    ];
    let place = Workplace {
        cwd: "/p/od\nd".into(),
        platform: "Linux x86_64".into(),
        is_git_repository: true,
        more: vec![("Also readable".into(), "/q".into())],
    };
    let appended = ["Last word.".to_owned(), String::new()];
    let parts = PromptParts {
        base: Some("Base."),
        pool: Some(&pool),
        memory: &memory,
        workplace: Some(&place),
        appended: &appended,
    };
    let prompt = SystemPrompt::assemble(&parts);
    assert_eq!(
        prompt.blocks(),
        [
            "Base.",
            "# Single tools\n\n## Read\n\nReads.\n\n## Write\n\nWrites.",
            "# Standing instructions\n\nThese files were written for you. Follow them where they apply; what the person says in \
             the conversation goes before them, and of two that disagree the later one counts.\n\n\
             ## /home/u/AGENTS.md (the person's, for all projects)\n\nBe kind.\n\n\
             ## /p/AGENTS.md (the project's)\n\nUse tabs.",
            "# Where you work\n\n- Working directory: /p/od\\nd\n- In a git repository: yes\n- Platform: Linux x86_64\n\
             - Also readable: /q",
            "Last word.",
        ]
    );
}

#[test]
fn the_base_alone_is_short_and_copies_nothing() {
    let prompt = SystemPrompt::assemble(&PromptParts::default());
    assert!(matches!(prompt.blocks(), [Cow::Borrowed(_)]));
    let characters: usize = prompt.blocks().iter().map(|block| block.chars().count()).sum();
    assert!(characters / 4 < 700, "{characters}");
    assert_eq!(prompt.clone().blocks().as_ptr(), prompt.blocks().as_ptr());
}

proptest! {
    #[test]
    fn what_the_journal_kept_has_the_same_bytes(
        texts in prop::collection::vec("[a\n]{0,3}", 0..4),
        others in prop::collection::vec("[a\n]{0,3}", 0..4),
    ) {
        let of = |texts: &[String]| SystemPrompt::assemble(&PromptParts { appended: texts, ..PromptParts::default() });
        let (prompt, other) = (of(&texts), of(&others));
        let kept: Vec<String> = prompt.blocks().iter().map(ToString::to_string).collect();
        prop_assert_eq!(SystemPrompt::from_blocks(kept), prompt.clone());
        prop_assert_eq!(prompt.hash() == other.hash(), prompt.blocks() == other.blocks());
        prop_assert!(prompt.blocks().iter().all(|block| !block.trim().is_empty()));
    }
}
