//! The contract every tool keeps holds for another author's too.

toolwright_testkit::contract_tests!(third_party_tool::REGISTRATION);
