//! Which pages, and their text. Bounded in time: whatever a file makes the interpreter do, it draws something now and then.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hayro_interpret::hayro_syntax::page::Page;
use hayro_interpret::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use hayro_interpret::kurbo::{Affine, Rect};
use hayro_interpret::{Context, InterpreterCache, InterpreterSettings, TransformExt as _, interpret_page};
use serde::{Deserialize, Serialize};
use toolwright_core::Cancel;

use super::layout::{Extractor, Stopped};
use super::{Asked, Limits};
use crate::{Media, PagePicture};

/// The longest that all pages together may take.
const MOST_TIME: Duration = Duration::from_secs(20);
/// A document without text is given as it is up to this many bytes and pages.
const MOST_GIVEN: (usize, u64) = (3 << 20, 20);

/// Whether pages without text are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pictures {
    /// Drawing takes whatever memory a page makes it take.
    Never,
    /// As far as this build can.
    WhereNoText,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Read {
    pub(super) pages: u64,
    pub(super) first_page: u64,
    pub(super) texts: Vec<String>,
    pub(super) pictures: Vec<PagePicture>,
    pub(super) document: Option<Media>,
}

/// Why a PDF cannot be read; said after the file's name.
#[derive(Debug, thiserror::Error, Serialize, Deserialize)]
pub(super) enum BadPdf {
    #[error("is a PDF, but damaged, so it is not shown; a command may repair it (`qpdf`, `mutool clean`)")]
    Damaged,
    #[error("is a PDF that a password protects; ask the person for a copy without one (`qpdf --decrypt`)")]
    Locked,
    #[error(
        "is a PDF whose encryption is not supported; ask the person for a copy without it (`qpdf --decrypt`)"
    )]
    Encryption,
    #[error("is a PDF of {pages} page{}, so there is no page {wanted}; give `pages` within 1-{pages}", if *pages == 1 { "" } else { "s" })]
    NoSuchPage { pages: u64, wanted: u64 },
    #[error("is a PDF whose page {0} takes too long to read; leave it out, or use a command (`pdftotext`)")]
    TooSlow(u64),
    #[error(
        "is a PDF that takes longer than {seconds} s to read; give fewer `pages`, or use a command (`pdftotext`)"
    )]
    TooLong { seconds: u64 },
    #[error(
        "is a PDF that is damaged, or unpacks to more than {mebibytes} MiB, so it is not shown; give fewer `pages`, or use a \
         command (`pdftotext`)"
    )]
    Broke { mebibytes: u64 },
    #[error("is a PDF, which is read in a process of its own: {0}")]
    NotApart(String),
    #[error("interrupted")]
    Cancelled,
}

pub(super) fn read(bytes: Vec<u8>, asked: Asked, drawing: Pictures, cancel: &Cancel) -> Result<Read, BadPdf> {
    let Asked { wanted, limits } = asked;
    let pdf = Pdf::new(bytes).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => BadPdf::Locked,
        LoadPdfError::Decryption(_) => BadPdf::Encryption,
        LoadPdfError::Invalid => BadPdf::Damaged,
    })?;
    let pages = pdf.pages().len() as u64;
    if pages == 0 {
        return Err(BadPdf::Damaged);
    }
    let first = wanted.map_or(1, |wanted| wanted.first);
    if first > pages {
        return Err(BadPdf::NoSuchPage { pages, wanted: first });
    }
    let last = wanted.and_then(|wanted| wanted.last).unwrap_or(u64::MAX).min(pages);
    let last = last.min(first.saturating_add(limits.max_pages.get() - 1));
    let until = Instant::now() + MOST_TIME;
    let mut texts = Vec::new();
    let mut size = 0;
    for (number, page) in (1..).zip(pdf.pages().iter()).skip_while(|(number, _)| *number < first) {
        if number > last || size >= limits.bytes() {
            break;
        }
        match text(&pdf, page, until, cancel) {
            Ok(text) => {
                size += text.len();
                texts.push(text);
            }
            Err(Some(Stopped::Cancelled)) => return Err(BadPdf::Cancelled),
            // What was read before it is still worth showing.
            Err(Some(Stopped::Late)) if texts.is_empty() => return Err(BadPdf::TooSlow(number)),
            Err(Some(Stopped::Late)) => break,
            Err(None) => return Err(BadPdf::Damaged),
        }
    }
    let pictures = draw(&pdf, first, &texts, drawing, limits, until);
    let whole = pictures.is_empty() && texts.len() as u64 == pages && wanted.is_none();
    let given = whole && texts.iter().all(String::is_empty) && pages <= MOST_GIVEN.1;
    let document = Some(pdf.data().as_ref()).filter(|bytes| given && bytes.len() <= MOST_GIVEN.0);
    let document =
        document.map(|bytes| Media { media_type: "application/pdf".into(), data: STANDARD.encode(bytes) });
    Ok(Read { pages, first_page: first, texts, pictures, document })
}

/// The text of a page; the reason where it was stopped, none where the interpreter gave up.
fn text(pdf: &Pdf, page: &Page<'_>, until: Instant, cancel: &Cancel) -> Result<String, Option<Stopped>> {
    let run = || {
        let (width, height) = page.render_dimensions();
        let cache = InterpreterCache::new();
        let area = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
        let upright: Affine = page.initial_transform(true).to_kurbo();
        let mut context = Context::new(upright, area, &cache, pdf.xref(), InterpreterSettings::default());
        let mut extractor = Extractor::new(until, cancel);
        interpret_page(page, &mut context, &mut extractor);
        extractor.text()
    };
    catch_unwind(AssertUnwindSafe(run))
        .map_err(|reason| reason.downcast::<Stopped>().ok().map(|reason| *reason))
}

#[cfg(feature = "pdf-render")]
fn draw(
    pdf: &Pdf,
    first: u64,
    texts: &[String],
    drawing: Pictures,
    limits: Limits,
    until: Instant,
) -> Vec<PagePicture> {
    match drawing {
        Pictures::Never => Vec::new(),
        Pictures::WhereNoText => super::drawn::pages(pdf, first, texts, limits, until),
    }
}

#[cfg(not(feature = "pdf-render"))]
fn draw(_: &Pdf, _: u64, _: &[String], _: Pictures, _: Limits, _: Instant) -> Vec<PagePicture> {
    Vec::new()
}
