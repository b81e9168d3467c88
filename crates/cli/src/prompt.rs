//! The prompt: from the flag, from standard input, or from both.

use std::io::{self, IsTerminal, Read};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::flags::AskedFor;
use crate::stdout::{no_thread, say};

/// How long a pipe that says nothing is waited for where a prompt is there already: a parent may hold it open for good.
const PATIENCE: Duration = Duration::from_secs(3);

/// The whole prompt.
///
/// # Errors
/// What is missing or wrong, in a sentence.
pub(crate) fn read(asked: &AskedFor) -> Result<String, String> {
    let piped = if io::stdin().is_terminal() { None } else { read_pipe(matches!(asked, AskedFor::Text(_)))? };
    join(asked, piped)
}

fn join(asked: &AskedFor, piped: Option<String>) -> Result<String, String> {
    let piped = piped.filter(|text| !text.trim().is_empty());
    let prompt = match (asked, piped) {
        (AskedFor::Text(text), Some(piped)) => format!("{text}\n\n{piped}"),
        (AskedFor::Text(text), None) => text.clone(),
        (AskedFor::Standard | AskedFor::Nothing, piped) => piped.unwrap_or_default(),
    };
    if prompt.trim().is_empty() {
        return Err(
            "there is no prompt; give one after -p or on standard input (words after --allowedTools are \
                    taken for rules: put the prompt before it)"
                .into(),
        );
    }
    Ok(prompt)
}

fn read_pipe(may_go_without: bool) -> Result<Option<String>, String> {
    let (send, receive) = mpsc::channel();
    let reader = thread::Builder::new().spawn(move || {
        let mut stdin = io::stdin().lock();
        let mut first = [0];
        // The first byte is told at once: whoever writes one byte is going to write the rest.
        let bytes = match stdin.read(&mut first) {
            Ok(0) => Ok(Vec::new()),
            Ok(_) => {
                let _ = send.send(None);
                let mut bytes = first.to_vec();
                stdin.read_to_end(&mut bytes).map(|_| bytes)
            }
            Err(error) => Err(error),
        };
        let _ = send.send(Some(bytes));
    });
    reader.map_err(|error| no_thread("standard input", &error))?;
    let first = if may_go_without {
        match receive.recv_timeout(PATIENCE) {
            Ok(first) => first,
            Err(_) => {
                say("nothing came on standard input; going on without it (< /dev/null says so at once)");
                return Ok(None);
            }
        }
    } else {
        receive.recv().unwrap_or(None)
    };
    let bytes = match first.or_else(|| receive.recv().unwrap_or(None)) {
        Some(Ok(bytes)) => bytes,
        Some(Err(error)) => return Err(format!("standard input cannot be read: {error}")),
        None => return Ok(None),
    };
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!(
            "standard input is not UTF-8 text (byte {at}); convert it first, or name the file in the prompt"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::join;
    use crate::flags::AskedFor;

    #[test]
    fn flag_and_pipe_are_joined() {
        let check = |asked: AskedFor, piped: Option<&str>, expect: Option<&str>| {
            let prompt = join(&asked, piped.map(Into::into));
            assert_eq!(prompt.ok().as_deref(), expect, "{asked:?} {piped:?}");
        };
        let text = |text: &str| AskedFor::Text(text.into());
        check(text("why?"), Some("error: x\n"), Some("why?\n\nerror: x\n"));
        check(text("why?"), Some("\n"), Some("why?"));
        check(text("why?"), None, Some("why?"));
        check(AskedFor::Standard, Some("why?"), Some("why?"));
        check(AskedFor::Standard, None, None);
        check(text(" "), None, None);
    }
}
