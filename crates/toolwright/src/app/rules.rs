//! What a person should know of rules that name no tool.

use std::sync::Arc;

use toolwright_core::{DynTool, Registry};
use toolwright_permissions::RuleSet;

/// A sentence on each rule whose tool is neither linked nor among `others`. One that a rule took away is linked all the same.
pub(super) fn of_no_tool<'a>(
    rules: &RuleSet,
    registry: &Registry,
    others: impl Iterator<Item = &'a Arc<dyn DynTool>>,
) -> Vec<String> {
    let definitions: Vec<_> = others.map(|tool| tool.definition()).collect();
    let linked = registry.registrations().map(|registration| registration.name);
    let names = definitions.iter().flat_map(|definition| {
        std::iter::once(definition.name.as_str()).chain(definition.aliases.iter().map(String::as_str))
    });
    let names: Vec<&str> = linked.chain(names).collect();
    let warnings = rules.warnings_on_tools(&names).into_iter();
    warnings.map(|(rule, warning)| format!("the {rule} {warning}")).collect()
}
