//! What is meant comes first, however it is said: over a small catalogue that is always there.

use crate::answers::names;

const TOOLS: &[(&str, &str, &str)] = &[
    ("tracker", "create_ticket", "Create a new ticket in a project."),
    ("tracker", "list_tickets", "List the tickets of a project."),
    ("tracker", "delete_ticket", "Delete a ticket."),
    ("tracker", "add_ticket_comment", "Comment on a ticket."),
    ("tracker", "get_ticket_history", "Who changed what on a ticket."),
    ("forge", "forge_create_merge_request", "Open a merge request from a branch."),
    ("forge", "forge_merge_merge_request", "Merge a merge request."),
    ("forge", "forge_create_branch", "Create a branch in a repository."),
    ("forge", "forge_get_pipeline_logs", "The log output of a pipeline."),
    ("forge", "forge_list_repositories", "List repositories you have access to."),
    ("talk", "postMessage", "Post a message to a channel."),
    ("talk", "listChannels", "List the channels of the workspace."),
    ("talk", "addReaction", "React to a message with an emoji."),
    ("letters", "send_email", "Send an email, with attachments."),
    ("letters", "search_emails", "Search the mailbox."),
    ("diary", "create-event", "Create a calendar event."),
    ("diary", "list-events", "List the events of a calendar."),
    ("disk", "read_file", "Read a file."),
    ("disk", "move_file", "Move a file to another folder."),
    ("web", "take_screenshot", "Take a screenshot of the page."),
    ("web", "navigate", "Navigate to a URL."),
    ("base", "query", "Run a SQL query on the database."),
    ("base", "describe_table", "The schema of a table."),
    ("money", "create_refund", "Refund a charge."),
];

fn check(cases: &[(&str, &str)]) {
    let queries: Vec<&str> = cases.iter().map(|(query, _)| *query).collect();
    let first = names(TOOLS, &queries).into_iter().map(|found| found.into_iter().next().unwrap_or_default());
    let wrong: Vec<_> = cases.iter().zip(first).filter(|((_, expect), found)| found != expect).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn by_words_that_mean_the_same() {
    check(&[
        ("open an issue", "mcp__tracker__create_ticket"),
        ("get rid of a ticket", "mcp__tracker__delete_ticket"),
        ("leave a note on a ticket", "mcp__tracker__add_ticket_comment"),
        ("show my repos", "mcp__forge__forge_list_repositories"),
        ("make a pull request", "mcp__forge__forge_create_merge_request"),
        ("output of the build", "mcp__forge__forge_get_pipeline_logs"),
        ("write a mail", "mcp__letters__send_email"),
        ("new appointment", "mcp__diary__create-event"),
        ("relocate a document", "mcp__disk__move_file"),
        ("columns of a table", "mcp__base__describe_table"),
        ("give the customer the money back", "mcp__money__create_refund"),
    ]);
}

#[test]
fn by_what_is_to_be_done() {
    check(&[
        ("tell the channel that it is done", "mcp__talk__postMessage"),
        ("book a call with Ann on Monday", "mcp__diary__create-event"),
        ("how does the page look?", "mcp__web__take_screenshot"),
        ("who touched this ticket?", "mcp__tracker__get_ticket_history"),
    ]);
}

#[test]
fn in_other_languages() {
    check(&[
        ("Eine E-Mail schicken", "mcp__letters__send_email"),
        ("Termine anzeigen", "mcp__diary__list-events"),
        ("créer une branche", "mcp__forge__forge_create_branch"),
        ("leer un archivo", "mcp__disk__read_file"),
        ("excluir tarefa", "mcp__tracker__delete_ticket"),
        ("прочитать файл", "mcp__disk__read_file"),
        ("发送消息到频道", "mcp__talk__postMessage"),
        ("スクリーンショットを撮る", "mcp__web__take_screenshot"),
        ("이메일 검색", "mcp__letters__search_emails"),
    ]);
}

#[test]
fn with_slips_and_in_other_forms() {
    check(&[
        ("delte tiket", "mcp__tracker__delete_ticket"),
        ("scrennshot", "mcp__web__take_screenshot"),
        ("serach emials", "mcp__letters__search_emails"),
        ("mergeMergeRequest", "mcp__forge__forge_merge_merge_request"),
        ("land PRs", "mcp__forge__forge_merge_merge_request"),
        ("POST_MESSAGE", "mcp__talk__postMessage"),
        ("describing tables", "mcp__base__describe_table"),
    ]);
}

#[test]
fn what_changes_things_is_not_offered_first_to_who_only_asks() {
    check(&[("tickets", "mcp__tracker__list_tickets"), ("calendar events", "mcp__diary__list-events")]);
}

#[test]
fn content_of_a_wish_is_not_its_topic() {
    check(&[
        ("look for \"delete the ticket\" in my mailbox", "mcp__letters__search_emails"),
        ("go to https://example.com/repositories/branch", "mcp__web__navigate"),
        ("prepare no mail, just move budget.xlsx", "mcp__disk__move_file"),
    ]);
}

#[test]
fn a_name_that_two_servers_have_is_found_at_both() {
    let tools =
        [("one", "do_it", "Do the thing."), ("two", "do_it", "Do the thing."), ("two", "other", "No.")];
    assert_eq!(names(&tools, &["do_it"]), [["mcp__one__do_it", "mcp__two__do_it"]]);
}

#[test]
fn a_query_of_any_length_is_answered() {
    let long = [
        "word ".repeat(3_000),
        "x".repeat(20_000),
        "读取".repeat(5_000),
        "+a ".repeat(2_000),
        "\"".repeat(500),
    ];
    let queries: Vec<String> = long.iter().map(|text| format!("screenshot {text}")).collect();
    let found = names(TOOLS, &queries.iter().map(String::as_str).collect::<Vec<_>>());
    let first: Vec<_> = found.iter().map(|found| found.first().map(String::as_str)).collect();
    let screenshot = Some("mcp__web__take_screenshot");
    assert_eq!(first, [screenshot, screenshot, screenshot, None, screenshot]);
}

#[test]
fn nothing_is_found_for_nothing() {
    let found = names(TOOLS, &["xyzzy", "+payroll send", "?!", "+ticket +emoji", "the of and"]);
    assert_eq!(found.concat(), [""; 0]);
}

proptest::proptest! {
    /// No query makes it fail, and what it gives is of the catalogue, once each.
    #[test]
    fn any_text_is_a_query(query in "\\PC{0,40}") {
        for found in names(TOOLS, &[&format!("x{query}")]) {
            let mut once = found.clone();
            once.sort();
            once.dedup();
            proptest::prop_assert_eq!(once.len(), found.len());
        }
    }
}
