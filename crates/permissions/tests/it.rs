//! The order of decision and the rule grammar, through the public boundary.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

#[path = "it/anchors.rs"]
mod anchors;
#[path = "it/authority.rs"]
mod authority;
#[path = "it/below.rs"]
mod below;
#[path = "it/cases.rs"]
mod cases;
#[path = "it/order.rs"]
mod order;
#[path = "it/properties.rs"]
mod properties;
#[path = "it/rules.rs"]
mod rules;
#[path = "it/support.rs"]
mod support;
#[path = "it/texts.rs"]
mod texts;
#[path = "it/tool_names.rs"]
mod tool_names;
