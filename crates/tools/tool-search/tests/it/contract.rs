//! The contract every tool keeps.

use crate::answers::offering;

toolwright_testkit::contract_tests!(
    toolwright_tool_tool_search::REGISTRATION,
    services = |workspace| offering(
        workspace,
        &[
            ("github", "create_issue", "Creates an issue in a repository. Needs a title."),
            ("github", "list_issues", "Lists the issues of a repository."),
            ("slack", "post_message", "Posts a message to a channel."),
            ("weather", "forecast", "The weather of the coming days."),
        ],
    ),
);
