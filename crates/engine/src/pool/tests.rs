//! Checks of order, layers, arrivals and resumes; the bytes sent before stay a prefix of those sent later.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};
use toolwright_core::{
    Built, Definition, DynCall, DynTool, ErrorKind, Loading, Origin, ToolError, Unavailable,
};

use super::*;
use crate::deferral::{DeferralPolicy, TOOL_SEARCH};

struct Fake {
    definition: Definition,
    enabled: Result<(), Unavailable>,
}

impl DynTool for Fake {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn is_enabled(&self) -> Result<(), Unavailable> {
        self.enabled.clone()
    }

    fn parse(self: Arc<Self>, _: Value) -> Result<Arc<dyn DynCall>, ToolError> {
        Err(ToolError::new(ErrorKind::InvalidInput, "takes nothing"))
    }
}

fn tool(name: &str, origin: Origin, loading: Loading) -> Arc<dyn DynTool> {
    let mut definition = Definition::new(name, format!("Does {name}."));
    definition.origin = origin;
    definition.loading = loading;
    if name == "Agent" {
        definition.aliases = vec!["Task".into()];
    }
    Arc::new(Fake { definition, enabled: Ok(()) })
}

fn own(name: &str) -> Arc<dyn DynTool> {
    tool(name, Origin::BuiltIn { package: format!("toolwright-tool-{name}") }, Loading::Always)
}

fn remote(server: &str, name: &str) -> Arc<dyn DynTool> {
    let origin = Origin::Remote { server: server.into(), tool: name.into() };
    tool(&format!("mcp__{server}__{name}").replace(' ', "_"), origin, Loading::Always)
}

fn candidates() -> Candidates {
    let mut built = Built::default();
    built.tools = ["Read", "Bash", "Edit", "Glob", "Agent", TOOL_SEARCH].map(own).to_vec();
    let resources = Origin::BuiltIn { package: "toolwright-tool-mcp".into() };
    built.tools.push(tool("ListResources", resources, Loading::OnRequest));
    Candidates {
        built,
        host: vec![
            tool("deploy", Origin::Host, Loading::Always),
            tool("Bash", Origin::Host, Loading::Always),
        ],
        remote: vec![remote("git hub", "issue"), remote("a__b", "x"), remote("a", "b__x"), remote("a", "a")],
        not_linked: vec!["WebFetch".into()],
    }
}

fn assemble(selection: &Selection<'_>) -> Pool {
    Pool::assemble(candidates(), selection, &DeferralPolicy::default())
}

fn names<'a>(entries: impl IntoIterator<Item = &'a PoolEntry>) -> Vec<&'a str> {
    entries.into_iter().map(|entry| entry.definition().name.as_str()).collect()
}

/// Why a tool is not there: its first entry among those left out.
fn layer(pool: &Pool, name: &str) -> Option<Layer> {
    pool.explain().into_iter().find_map(|explanation| match explanation.standing {
        Standing::LeftOut { layer, .. } if explanation.name == name => Some(layer),
        _ => None,
    })
}

#[test]
fn built_ins_are_a_sorted_prefix_then_the_hosts_then_remote_ones() {
    let pool = assemble(&Selection::default());
    assert_eq!(
        names(pool.entries()),
        [
            "Agent",
            "Bash",
            "Edit",
            "Glob",
            "Read",
            "ToolSearch",
            "deploy",
            "mcp__a__a",
            "mcp__a__b__x",
            "mcp__git_hub__issue"
        ]
    );
    assert_eq!(pool.built_in_count(), 6);
    assert_eq!(names(pool.deferred()), ["mcp__a__a", "mcp__a__b__x", "mcp__git_hub__issue"]);
    // Of two names alike the first in order won: the built-in, the server that sorts first.
    assert_eq!(layer(&pool, "Bash"), Some(Layer::Doubled));
    assert_eq!(
        pool.get("mcp__a__b__x").map(|entry| entry.definition().origin.clone()),
        Some(Origin::Remote { server: "a".into(), tool: "b__x".into() })
    );
}

#[test]
fn remote_tools_go_by_name_whatever_their_servers_are_called() {
    let remote = vec![remote("a", "x"), remote("a_", "x")];
    let pool = Pool::assemble(
        Candidates { remote, ..Candidates::default() },
        &Selection::default(),
        &DeferralPolicy::default(),
    );
    assert_eq!(names(pool.entries()), ["mcp__a___x", "mcp__a__x"]);
}

#[test]
fn names_come_before_aliases() {
    let pool = assemble(&Selection::default());
    assert_eq!(names(pool.get("Task")), ["Agent"]);
    assert_eq!(names(pool.get("Nothing")), [""; 0]);
    let mut candidates = candidates();
    candidates.host.push(tool("Task", Origin::Host, Loading::Always));
    let pool = Pool::assemble(candidates, &Selection::default(), &DeferralPolicy::default());
    assert_eq!(names(pool.get("Task")), ["Task"]);
}

#[test]
fn a_deny_rule_takes_a_tool_by_name_or_alias_and_a_server_by_its_origin() {
    let check = |rule: &str, gone: &[&str]| {
        let deny = |name: &str, _: &Origin| (name == rule).then(|| rule.to_owned());
        let pool = assemble(&Selection { deny: Some(&deny), ..Selection::default() });
        let denied = pool.explain().into_iter().filter(|explanation| {
            matches!(explanation.standing, Standing::LeftOut { layer: Layer::Denied, .. })
        });
        assert_eq!(denied.map(|explanation| explanation.name).collect::<Vec<_>>(), gone, "{rule}");
    };
    check("Task", &["Agent"]);
    check("mcp__git_hub", &["mcp__git_hub__issue"]);
    check("mcp__git hub", &["mcp__git_hub__issue"]);
    // The tool `x` of `a__b` has the same name as `b__x` of `a`: only the origin tells them apart.
    check("mcp__a__b", &["mcp__a__b__x"]);
    check("mcp__a", &["mcp__a__a", "mcp__a__b__x"]);
    check("mcp__a__*", &["mcp__a__a", "mcp__a__b__x"]);
    check("mcp__", &[]);
}

#[test]
fn each_layer_says_what_it_took_out() {
    let mut all = candidates();
    let mut odd = Definition::new("odd", "");
    odd.input_schema = json!({"type": "array"});
    all.host.push(Arc::new(Fake { definition: odd, enabled: Ok(()) }));
    for word in ["oneOf", "allOf", "anyOf", "enum", "const", "not"] {
        let mut choice = Definition::new(word, "");
        choice.input_schema = json!({"type": "object", word: [{"type": "object"}]});
        all.host.push(Arc::new(Fake { definition: choice, enabled: Ok(()) }));
    }
    all.host.push(tool("no good name", Origin::Host, Loading::Always));
    all.host.push(Arc::new(Fake {
        definition: Definition::new("asleep", ""),
        enabled: Err(Unavailable("it sleeps".into())),
    }));
    let pool = Pool::assemble(all, &Selection::default(), &DeferralPolicy::default());
    for (name, expect) in [
        ("WebFetch", Layer::Linked),
        ("odd", Layer::WellFormed),
        ("oneOf", Layer::WellFormed),
        ("allOf", Layer::WellFormed),
        ("anyOf", Layer::WellFormed),
        ("enum", Layer::WellFormed),
        ("const", Layer::WellFormed),
        ("not", Layer::WellFormed),
        ("no good name", Layer::WellFormed),
        ("asleep", Layer::Enabled),
        ("ListResources", Layer::OnRequest),
    ] {
        assert_eq!(layer(&pool, name), Some(expect), "{name}");
    }
    assert_eq!(layer(&pool, "Read"), None);

    let requested = ["ListResources".to_owned()];
    let simple = assemble(&Selection { simple: true, requested: &requested, ..Selection::default() });
    assert_eq!(names(simple.entries()), ["Bash", "Edit", "ListResources", "Read"]);
    assert_eq!(layer(&simple, "Glob"), Some(Layer::SimpleMode));

    let allowed = ["Read".to_owned(), "Task".to_owned(), "mcp__a".to_owned()];
    let listed = assemble(&Selection { allowed: Some(&allowed), ..Selection::default() });
    assert_eq!(names(listed.entries()), ["Agent", "Read", "mcp__a__a", "mcp__a__b__x"]);
    assert_eq!(layer(&listed, "deploy"), Some(Layer::Allowed));
}

#[test]
fn what_arrives_late_is_appended_and_what_is_known_keeps_its_place() {
    let mut pool = assemble(&Selection::default());
    let before = pool.record();
    let mut changed = Definition::new("mcp__a__a", "Does something else.");
    changed.origin = Origin::Remote { server: "a".into(), tool: "a".into() };
    let late = vec![
        remote("late", "z"),
        remote("late", "m"),
        remote("git hub", "issue"),
        Arc::new(Fake { definition: changed, enabled: Ok(()) }),
        remote("a__b", "x"),
    ];
    let arrival = pool.arrive(late, &Selection::default(), &DeferralPolicy::default());
    assert_eq!(
        arrival,
        Arrival {
            appended: vec!["mcp__late__m".into(), "mcp__late__z".into()],
            refreshed: vec!["mcp__git_hub__issue".into()],
            changed: vec!["mcp__a__a".into()],
        }
    );
    let after = pool.record();
    let order =
        |tools: &[crate::event::PoolTool]| tools.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>();
    assert_eq!(order(&after)[..before.len()], order(&before));
    assert_eq!(
        pool.get("mcp__a__a").map(|entry| entry.definition().description.as_str()),
        Some("Does something else.")
    );
}

#[test]
fn a_resume_rebuilds_the_journaled_order_and_names_what_differs() {
    let mut first = assemble(&Selection::default());
    first.arrive(vec![remote("0", "early")], &Selection::default(), &DeferralPolicy::default());
    first.reveal(["mcp__a__b__x", "mcp__a__a"]);
    let journaled = first.record();

    let mut same = candidates();
    same.remote.push(remote("0", "early"));
    let mut pool = Pool::assemble(same, &Selection::default(), &DeferralPolicy::default());
    assert_ne!(pool.record(), journaled);
    let revealed = ["mcp__a__b__x".to_owned(), "mcp__a__a".to_owned()];
    assert_eq!(pool.restore(&journaled, &revealed), []);
    assert_eq!(pool.record(), journaled);
    assert_eq!(pool.fingerprint(), first.fingerprint());

    let mut other = candidates();
    other.built.tools.retain(|tool| tool.definition().name != "Glob");
    let mut renewed = Definition::new("deploy", "Deploys otherwise.");
    renewed.loading = Loading::Always;
    other.host = vec![Arc::new(Fake { definition: renewed, enabled: Ok(()) })];
    other.built.tools.push(own("Aaa"));
    let mut pool = Pool::assemble(other, &Selection::default(), &DeferralPolicy::default());
    let differences = pool.restore(&journaled, &[]);
    assert!(
        matches!(
            differences.as_slice(),
            [
                PoolDifference::Missing { name: glob },
                PoolDifference::Changed { name: deploy, .. },
                PoolDifference::Missing { name: early },
                PoolDifference::New { name: added },
            ] if glob == "Glob" && deploy == "deploy" && early == "mcp__0__early" && added == "Aaa"
        ),
        "{differences:?}"
    );
    assert_eq!(names(pool.entries()).last(), Some(&"Aaa"));

    let mut pool = assemble(&Selection::default());
    pool.restore(&[], &["mcp__a__a".into()]);
    assert!(pool.get("mcp__a__a").is_some_and(PoolEntry::is_visible));
}

#[test]
fn without_a_search_a_restored_pool_hides_nothing() {
    let journaled = assemble(&Selection::default()).record();
    let mut all = candidates();
    all.built.tools.retain(|tool| tool.definition().name != TOOL_SEARCH);
    let mut pool = Pool::assemble(all, &Selection::default(), &DeferralPolicy::default());
    pool.restore(&journaled, &[]);
    assert_eq!(names(pool.deferred()), [""; 0]);
}

#[test]
fn a_hash_is_of_the_meaning_and_a_fingerprint_of_the_bytes() {
    let make = |schema: &str, limit: usize, description: &str| {
        let mut definition = Definition::new("t", description);
        definition.input_schema = serde_json::from_str(schema).unwrap();
        definition.answer_limit = limit;
        definition
    };
    let base = make(r#"{"type":"object","title":"x"}"#, 1, "a");
    let turned = make(r#"{"title":"x","type":"object"}"#, 2, "a");
    assert_eq!(definition_hash(&base), definition_hash(&turned));
    assert_ne!(hash::shown([&base].into_iter()), hash::shown([&turned].into_iter()));
    let other = make(r#"{"type":"object","title":"x"}"#, 1, "b");
    assert_ne!(definition_hash(&base), definition_hash(&other));
}

/// What a client would send, serialised.
fn wire(pool: &Pool) -> String {
    pool.visible().map(|entry| hash::wire(entry.definition())).collect()
}

proptest! {
    /// Whatever is revealed or arrives, in whatever order: nothing that was sent ever moves, and asking twice gives the same.
    #[test]
    fn bytes_sent_before_are_a_prefix_of_bytes_sent_later(
        shuffle in any::<u64>(),
        steps in prop::collection::vec((any::<bool>(), 0..12_usize), 0..12),
    ) {
        let mut turned = candidates();
        turned.remote.rotate_left((shuffle % 4) as usize);
        turned.built.tools.rotate_left((shuffle % 7) as usize);
        let mut pool = Pool::assemble(turned, &Selection::default(), &DeferralPolicy::default());
        prop_assert_eq!(wire(&pool), wire(&assemble(&Selection::default())));
        let policy = DeferralPolicy { always_load: vec!["mcp__seen".into()], ..DeferralPolicy::default() };
        for (reveals, number) in steps {
            let (before, fingerprint) = (wire(&pool), pool.fingerprint().to_owned());
            if reveals {
                let name = pool.entries().get(number).map(|entry| entry.definition().name.clone());
                pool.reveal(name.as_deref());
            } else {
                let server = if number % 2 == 0 { "seen" } else { "hidden" };
                pool.arrive(vec![remote(server, &number.to_string())], &Selection::default(), &policy);
            }
            let after = wire(&pool);
            prop_assert!(after.starts_with(&before));
            prop_assert_eq!(after == before, pool.fingerprint() == fingerprint);
            prop_assert_eq!(wire(&pool), after);
        }
    }
}
