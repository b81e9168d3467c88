//! What a person sees of Read.

use toolwright_core::{Detail, Role, Ui, View};

use crate::prompt::counted;
use crate::{Input, Notebook, Output, Part, Pdf, Read, Text};

/// Lines shown where not all are wanted.
const SOME: usize = 20;

impl Ui for Read {
    fn call_view(&self, input: &Input, _: Detail) -> View {
        let mut words = vec![(Role::Name, "Read".into()), (Role::Path, input.file_path.clone())];
        if input.offset.is_some() || input.limit.is_some() {
            let first = input.offset.unwrap_or(1).max(1);
            let lines = match input.limit {
                Some(limit) => format!("lines {first}-{}", first.saturating_add(limit).saturating_sub(1)),
                None => format!("from line {first}"),
            };
            words.push((Role::Muted, lines));
        }
        if let Some(pages) = &input.pages {
            words.push((Role::Muted, format!("pages {pages}")));
        }
        View::Line(words)
    }

    fn result_view(&self, _: &Input, output: &Output, detail: Detail) -> View {
        let most = match detail {
            Detail::Condensed => 0,
            Detail::Verbose => SOME,
            Detail::Transcript => usize::MAX,
        };
        let found = View::Line(found(output));
        match shown(output, most) {
            Some(shown) if most > 0 => View::List(vec![found, shown]),
            _ => found,
        }
    }

    fn group_view(&self, calls: &[(&Input, Option<&Output>)], detail: Detail) -> Option<View> {
        if detail != Detail::Condensed {
            return None;
        }
        let lines = calls.iter().filter_map(|(_, output)| match output {
            Some(Output::Text(text)) => Some(text.lines),
            _ => None,
        });
        Some(View::Line(vec![
            (Role::Name, "Read".into()),
            (Role::Plain, counted(calls.len() as u64, "file")),
            (Role::Count, counted(lines.sum(), "line")),
        ]))
    }

    fn activity(&self, input: &Input) -> String {
        format!("Reading {}", input.file_path)
    }

    fn summary(&self, _: &Input, output: &Output) -> Option<String> {
        Some(match output {
            Output::Text(text) => counted(text.lines, "line"),
            Output::Notebook(notebook) => counted(notebook.shown, "cell"),
            Output::Image(image) => pixels(image.size),
            Output::Pdf(pdf) => counted(pdf.texts.len() as u64, "page"),
            Output::Unchanged(_) => "unchanged".into(),
        })
    }
}

/// What was read, in a line.
fn found(output: &Output) -> Vec<(Role, String)> {
    let part = |shown: u64, of: Option<u64>, noun: &str| {
        let of = of.filter(|of| *of != shown).map(|of| (Role::Muted, format!("of {of}")));
        std::iter::once((Role::Count, counted(shown, noun))).chain(of).collect()
    };
    match output {
        Output::Text(text) => part(text.lines, text.total_lines, "line"),
        Output::Notebook(notebook) => part(notebook.shown, Some(notebook.cells), "cell"),
        Output::Pdf(pdf) => part(pdf.texts.len() as u64, Some(pdf.pages), "page"),
        Output::Image(image) => {
            let mut words = vec![(Role::Plain, image.file_type.clone()), (Role::Count, pixels(image.size))];
            if image.size != image.shown_size {
                words.push((Role::Muted, format!("shown with {}", pixels(image.shown_size))));
            }
            words
        }
        Output::Unchanged(_) => vec![(Role::Muted, "unchanged since it was last shown".into())],
    }
}

/// What there is to see, at most so many lines.
fn shown(output: &Output, most: usize) -> Option<View> {
    let first = |text: &str| text.lines().take(most).collect::<Vec<_>>().join("\n");
    match output {
        Output::Text(Text { path, first_line, text, .. }) => Some(View::Code {
            language: path.extension().map(|extension| extension.to_string_lossy().into_owned()),
            text: first(text),
            first_line: usize::try_from(*first_line).ok(),
        }),
        Output::Notebook(Notebook { parts, .. }) => {
            let texts = parts.iter().map(|part| match part {
                Part::Text(text) => text.as_str(),
                Part::Media(_) => "",
            });
            Some(View::code(None, first(&texts.collect::<String>())))
        }
        Output::Pdf(Pdf { texts, .. }) => Some(View::code(None, first(&texts.join("\n\n")))),
        Output::Image(_) | Output::Unchanged(_) => None,
    }
}

fn pixels((width, height): (u32, u32)) -> String {
    format!("{width}x{height}")
}
