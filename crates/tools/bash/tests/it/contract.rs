//! The contract every tool keeps.

toolwright_testkit::contract_tests!(toolwright_tool_bash::REGISTRATION);
