//! PDFs page by page.

use std::fmt::Write as _;

use serde_json::{Value, json};
use toolwright_testkit::TempWorkspace;

use crate::answers::answer;
use crate::pictures::contents;

/// A PDF of pages with these content streams; `more` goes into the trailer.
fn pdf(pages: &[String], more: &str) -> Vec<u8> {
    let kids: String = (0..pages.len()).map(|page| format!("{} 0 R ", 4 + page * 2)).collect();
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!("<</Type/Pages/Kids[{kids}]/Count {}>>", pages.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    for (page, content) in pages.iter().enumerate() {
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents {} 0 R>>",
            5 + page * 2
        ));
        objects.push(format!("<</Length {}>>stream\n{content}\nendstream", content.len()));
    }
    let mut file = "%PDF-1.4\n".to_owned();
    let mut places = String::new();
    for (number, object) in (1..).zip(&objects) {
        let _ = writeln!(places, "{:010} 00000 n ", file.len());
        let _ = writeln!(file, "{number} 0 obj\n{object}\nendobj");
    }
    let start = file.len();
    let _ = write!(
        file,
        "xref\n0 {}\n0000000000 65535 f \n{places}trailer\n<</Size {}/Root 1 0 R{more}>>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1,
        objects.len() + 1
    );
    file.into_bytes()
}

fn words(words: &str) -> String {
    format!("BT /F1 12 Tf 72 700 Td ({words}) Tj ET")
}

fn check(file: &[u8], input: Value, expect: &str) {
    let workspace = TempWorkspace::new();
    // The content counts, whatever the name.
    for name in ["a.pdf", "a.png", "a"] {
        workspace.write(name, file);
        let mut all = json!({"file_path": name});
        for (key, value) in input.as_object().into_iter().flatten() {
            all[key] = value.clone();
        }
        assert_eq!(answer(&workspace, all).replace(&format!("/{name} "), "/a.pdf "), expect, "{name}");
    }
}

#[test]
fn pages_are_shown_as_text() {
    let lines = "BT /F1 12 Tf 14 TL 72 700 Td (Hello, wor) Tj (ld.) Tj T* [(Two) -1000 (words)] TJ 0 -60 Td (Below) Tj ET".to_owned();
    check(
        &pdf(&[lines, words("caf\\351")], ""),
        json!({}),
        "[page 1 of 2]\nHello, world.\nTwo words\n\nBelow\n\n[page 2 of 2]\ncaf\u{e9}\n\n",
    );
    let many: Vec<_> = (1..=45).map(|page| words(&format!("p{page}"))).collect();
    let many = pdf(&many, "");
    check(&many, json!({"pages": "3"}), "[page 3 of 45]\np3\n\n\n[go on with pages 4-]");
    check(&many, json!({"pages": "44-60"}), "[page 44 of 45]\np44\n\n[page 45 of 45]\np45\n\n");
    let workspace = TempWorkspace::new();
    workspace.write("a.pdf", many);
    let shown = answer(&workspace, json!({"file_path": "a.pdf", "pages": "2-"}));
    assert!(shown.starts_with("[page 2 of 45]") && shown.ends_with("[go on with pages 22-]"), "{shown}");
}

#[test]
fn pages_without_text_say_so_and_a_small_document_follows() {
    let empty = pdf(&["0 0 10 10 re f".into()], "");
    check(
        &empty,
        json!({"pages": "1"}),
        "[page 1 of 1: no text; it may be a scan]\n\n[pages are not shown as pictures; a command may make some (`pdftoppm -png`), which Read shows]",
    );
    let workspace = TempWorkspace::new();
    workspace.write("a.pdf", &empty);
    let shown = contents(&workspace, json!({"file_path": "a.pdf"})).expect("a document");
    assert_eq!(shown[0]["text"], "[page 1 of 1: no text; it may be a scan]\n\n[the document itself follows]");
    assert_eq!(
        shown[1],
        json!({"type": "media", "media_type": "application/pdf", "data": crate::pictures::base64(&empty)})
    );
}

#[test]
fn what_cannot_be_read_is_an_error_and_never_media() {
    let good = pdf(&[words("x")], "");
    check(
        &good,
        json!({"pages": "7"}),
        "error: /workspace/a.pdf is a PDF of 1 page, so there is no page 7; give `pages` within 1-1",
    );
    check(
        b"%PDF-1.4\nnothing of a PDF\n",
        json!({}),
        "error: /workspace/a.pdf is a PDF, but damaged, so it is not shown; a command may repair it (`qpdf`, `mutool clean`)",
    );
    let locked = "/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<0000000000000000000000000000000000000000000000000000000000000000>\
                  /U<0000000000000000000000000000000000000000000000000000000000000000>>>";
    check(
        &pdf(&[words("x")], locked),
        json!({}),
        "error: /workspace/a.pdf is a PDF that a password protects; ask the person for a copy without one (`qpdf --decrypt`)",
    );
    let workspace = TempWorkspace::new();
    workspace.write("f.pdf", "plain text\n");
    assert_eq!(
        answer(&workspace, json!({"file_path": "f.pdf"})),
        "error: /workspace/f.pdf is named like a PDF document, but holds plain text: it is broken, or misnamed (`file` or `cat` shows what it is)"
    );
}

#[test]
fn no_cut_or_garbled_pdf_ends_the_process() {
    let good = pdf(&[words("some words"), words("more")], "");
    let workspace = TempWorkspace::new();
    for at in (0..good.len()).step_by(7) {
        let mut garbled = good.clone();
        garbled[at] = b'9';
        for bytes in [&good[..at], &garbled] {
            workspace.write("a.pdf", bytes);
            assert!(!answer(&workspace, json!({"file_path": "a.pdf"})).is_empty());
        }
    }
    // A form that draws itself, and pages that are their own parents.
    let looping = "<</Type/Page/Parent 4 0 R/Kids[4 0 R]/Count 1/MediaBox[0 0 9 9]";
    let text = String::from_utf8(good).expect("ASCII").replacen(
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]",
        looping,
        1,
    );
    workspace.write("a.pdf", text);
    assert!(!answer(&workspace, json!({"file_path": "a.pdf"})).is_empty());
}
