//! The contract every tool keeps.

use crate::fake;

toolwright_testkit::contract_tests!(toolwright_tool_agent::REGISTRATION, services = fake::services);
