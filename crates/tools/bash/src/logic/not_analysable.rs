//! Why a text that nobody has seen is not run.

use toolwright_core::Subject;

/// The error of a call whose text has no printed form, from what the analysis found.
pub(crate) fn not_analysable(subjects: &[Subject]) -> String {
    let why = subjects.iter().find_map(|subject| match subject {
        Subject::Unreadable(why) => Some(why.as_str()),
        _ => None,
    });
    format!(
        "Bash was not run: nobody has seen this command, and it has no form that is sure to do what was analysed: {}. Write it \
         in a simpler way, or have a person agree to it as it is.",
        why.unwrap_or("it was not analysed")
    )
}
