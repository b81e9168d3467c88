//! What the model reads of Read: its description and its answers.

use std::borrow::Cow;
use std::fmt::Write as _;

use toolwright_core::{Content, Example, Prompt};

use crate::logic::Limits;
use crate::{Image, Media, Notebook, Output, Part, Pdf, Read, Text};

impl Prompt for Read {
    fn description(&self) -> Cow<'static, str> {
        include_str!("prompt.md").into()
    }

    fn answer(&self, output: &Output) -> Vec<Content> {
        match output {
            Output::Text(text) => vec![Content::text(lines(text, self.limits))],
            Output::Notebook(notebook) => cells(notebook),
            Output::Image(image) => picture(image),
            Output::Pdf(pdf) => pages(pdf),
            Output::Unchanged(_) => vec![Content::text(UNCHANGED)],
        }
    }

    fn search_hint(&self) -> &'static str {
        "open show view cat file content text lines image picture pdf notebook"
    }

    fn answer_limit(&self) -> usize {
        usize::MAX
    }

    fn examples() -> &'static [Example] {
        &[
            Example { title: "a file", input: r#"{"file_path": "{cwd}/src/main.rs"}"# },
            Example { title: "some lines", input: r#"{"file_path": "notes.txt", "offset": 3, "limit": 2}"# },
            Example { title: "a notebook", input: r#"{"file_path": "plot.ipynb"}"# },
            Example { title: "past the end", input: r#"{"file_path": "notes.txt", "offset": 100}"# },
        ]
    }
}

const UNCHANGED: &str = "[unchanged since an earlier Read of the same part, whose answer is still above; ask again to see it again]";

fn lines(output: &Text, limits: Limits) -> String {
    if output.lines == 0 {
        return nothing(output);
    }
    let mut text = String::with_capacity(output.text.len() + output.text.len() / 8);
    let mut cut = output.cut.iter().peekable();
    let lines = output.text.strip_suffix('\n').unwrap_or(&output.text).split('\n');
    for (number, line) in (output.first_line..).zip(lines) {
        let _ = write!(text, "{number}\t{line}");
        if let Some(cut) = cut.next_if(|cut| cut.line == number) {
            let _ = write!(text, "… [cut: {} more bytes]", cut.omitted);
        }
        text.push('\n');
    }
    for note in notes(output, limits) {
        let _ = write!(text, "\n[{note}]");
    }
    text
}

/// Why there are no lines to show.
fn nothing(output: &Text) -> String {
    match output.total_lines {
        Some(0) => "[the file is empty: 0 lines]".into(),
        Some(total) => format!(
            "[nothing to show: the file has {}, and line {} is past its end]",
            counted(total, "line"),
            output.first_line
        ),
        None => "[nothing to show]".into(),
    }
}

fn notes(output: &Text, limits: Limits) -> impl Iterator<Item = String> {
    let last = output.first_line + output.lines - 1;
    let more = output.more.then(|| {
        let of = output.total_lines.map(|total| format!(" of {total}")).unwrap_or_default();
        // Whoever set a lower limit than usual should see that it is why.
        let why = if output.text.len() >= limits.bytes() {
            format!(" (the setting `read.maxTokens` is {})", limits.max_tokens)
        } else if output.lines == limits.max_lines.get() && limits.max_lines != Limits::default().max_lines {
            format!(" (the setting `read.maxLines` is {})", limits.max_lines)
        } else {
            String::new()
        };
        format!("lines {}-{last}{of} are shown{why}; go on with offset {}", output.first_line, last + 1)
    });
    let cut = output.cut.first().map(|first| {
        let most = limits.max_line_bytes;
        let (line, from) = (first.line, most.get().saturating_add(1));
        format!("lines over {most} bytes are cut; for the rest of line {line}: sed -n {line}p FILE | cut -b {from}-")
    });
    let encoding =
        output.encoding.as_ref().map(|encoding| format!("stored as {encoding}, which changes keep"));
    [more, cut, encoding].into_iter().flatten()
}

fn cells(notebook: &Notebook) -> Vec<Content> {
    let Notebook { cells, first_cell, shown, .. } = notebook;
    let language = notebook.language.as_ref().map(|language| format!(", {language}")).unwrap_or_default();
    let last = first_cell + shown - u64::from(*shown > 0);
    let which = match (shown, cells) {
        (_, 0) => "it has no cells".into(),
        (0, _) => format!(
            "nothing to show: it has {}, and cell {first_cell} is past its end",
            counted(*cells, "cell")
        ),
        _ => format!("cells {first_cell}-{last} of {cells}"),
    };
    let mut contents = vec![Content::text(format!("[notebook{language}: {which}]\n"))];
    let add = |contents: &mut Vec<Content>, text: &str| match contents.last_mut() {
        Some(Content::Text { text: before }) => before.push_str(text),
        _ => contents.push(Content::text(text)),
    };
    for part in &notebook.parts {
        match part {
            Part::Text(text) => add(&mut contents, text),
            Part::Media(media) => contents.push(media.content()),
        }
    }
    if *shown > 0 && last < *cells {
        add(&mut contents, &format!("\n[go on with offset {}]", last + 1));
    }
    contents
}

fn picture(image: &Image) -> Vec<Content> {
    let mut contents = vec![image.media.content()];
    let ((width, height), (shown_width, shown_height)) = (image.size, image.shown_size);
    if image.size != image.shown_size || image.file_type != image.media.media_type {
        let scale = f64::from(width.max(height)) / f64::from(shown_width.max(shown_height).max(1));
        contents.push(Content::text(format!(
            "[the file has {width}x{height} pixels ({}); shown with {shown_width}x{shown_height}: multiply what you measure by \
             {scale:.2}]",
            image.file_type
        )));
    }
    contents
}

fn pages(pdf: &Pdf) -> Vec<Content> {
    let mut text = String::new();
    let mut drawn = pdf.pictures.iter().peekable();
    let mut order = 0;
    for (number, page) in (pdf.first_page..).zip(&pdf.texts) {
        let none = match drawn.next_if(|picture| picture.page == number) {
            Some(_) => {
                order += 1;
                format!(": no text; picture {order} of this answer")
            }
            None if page.is_empty() => ": no text; it may be a scan".into(),
            None => String::new(),
        };
        let _ = writeln!(text, "[page {number} of {}{none}]", pdf.pages);
        if !page.is_empty() {
            let _ = writeln!(text, "{page}\n");
        }
    }
    let next = pdf.first_page + pdf.texts.len() as u64;
    if next <= pdf.pages {
        let _ = write!(text, "\n[go on with pages {next}-]");
    }
    let unseen = pdf.texts.iter().filter(|page| page.is_empty()).count() > pdf.pictures.len();
    if pdf.document.is_some() {
        text.push_str("\n[the document itself follows]");
    } else if !pdf.pictures.is_empty() && unseen {
        text.push_str("\n[more pages without text than fit one answer, or that could not be drawn; ask for them alone with `pages`]");
    } else if pdf.texts.iter().all(String::is_empty) && unseen {
        text.push_str("\n[pages are not shown as pictures; a command may make some (`pdftoppm -png`), which Read shows]");
    }
    let media = pdf.pictures.iter().map(|picture| picture.media.content());
    std::iter::once(Content::text(text))
        .chain(media)
        .chain(pdf.document.as_ref().map(Media::content))
        .collect()
}

impl Media {
    fn content(&self) -> Content {
        Content::Media { media_type: self.media_type.clone(), data: self.data.clone() }
    }
}

/// `1 line`, `2 lines`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
