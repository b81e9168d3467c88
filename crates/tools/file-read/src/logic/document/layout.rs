//! From glyphs and where they stand to lines of words, in the order in which the page draws them. A font's size and the gaps
//! between glyphs tell words and lines apart.

use std::panic::resume_unwind;
use std::time::Instant;

use hayro_interpret::font::{Glyph, GlyphRun};
use hayro_interpret::hayro_cmap::BfString;
use hayro_interpret::kurbo::{BezPath, Point};
use hayro_interpret::{BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, SoftMask};
use toolwright_core::Cancel;

/// Bytes of one page's text; a page of a book has about 3,000.
const MOST_BYTES: usize = 100_000;

/// Why a page was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stopped {
    Late,
    Cancelled,
}

/// Gathers the text of one page. The interpreter cannot be told to stop, so the extractor unwinds out of it.
pub(super) struct Extractor<'a> {
    text: String,
    /// Where the last glyph ended, and its size.
    last: Option<(Point, f64)>,
    until: Instant,
    cancel: &'a Cancel,
    asked: u32,
}

impl<'a> Extractor<'a> {
    pub(super) fn new(until: Instant, cancel: &'a Cancel) -> Self {
        Self { text: String::new(), last: None, until, cancel, asked: 0 }
    }

    /// The text, without blanks at the ends of lines and without more than one empty line on end.
    pub(super) fn text(self) -> String {
        let mut text = String::with_capacity(self.text.len());
        let mut empty = 0;
        for line in self.text.lines().map(str::trim_end) {
            empty = if line.is_empty() { empty + 1 } else { 0 };
            if empty < 2 && !(line.is_empty() && text.is_empty()) {
                text.push_str(line);
                text.push('\n');
            }
        }
        text.truncate(text.trim_end().len());
        text
    }

    fn go_on(&mut self) {
        /// Looking at the clock is dearer than most of what is drawn.
        const SELDOM: u32 = 64;
        self.asked = self.asked.wrapping_add(1);
        if !self.asked.is_multiple_of(SELDOM) {
            return;
        }
        let stopped = if self.cancel.is_cancelled() {
            Stopped::Cancelled
        } else if Instant::now() >= self.until {
            Stopped::Late
        } else {
            return;
        };
        // No panic hook runs for this, so nothing is written anywhere.
        resume_unwind(Box::new(stopped));
    }

    fn glyph(&mut self, characters: &str, start: Point, end: Point, size: f64) {
        if self.text.len() >= MOST_BYTES || characters.chars().all(char::is_control) {
            return;
        }
        if let Some((last, last_size)) = self.last {
            let size = size.max(last_size).max(1e-3);
            let (down, right) = ((start.y - last.y).abs() / size, (start.x - last.x) / size);
            if down > 0.5 || right < -2.0 {
                self.text.push('\n');
                if down > 2.0 {
                    self.text.push('\n');
                }
            } else if right > 0.15
                && !self.text.ends_with(char::is_whitespace)
                && !characters.starts_with(' ')
            {
                self.text.push(' ');
            }
        }
        self.text.push_str(characters);
        self.last = Some((end, size));
    }
}

impl<'a> Device<'a> for Extractor<'_> {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, _: &DrawMode) {
        for glyph in run.glyphs() {
            self.go_on();
            let place = props.transform * glyph.transform();
            let [_, _, up_x, up_y, _, _] = place.as_coeffs();
            // A glyph's own units are a thousandth of the font's size.
            let size = up_x.hypot(up_y) * 1_000.0;
            let advance = match &**glyph {
                Glyph::Outline(glyph) => glyph.advance_width(),
                Glyph::Type3(glyph) => glyph.advance_width(),
            };
            let advance = advance.map_or(500.0, f64::from);
            let (start, end) = (place * Point::ZERO, place * Point::new(advance, 0.0));
            match glyph.as_unicode() {
                Some(BfString::Char(character)) => {
                    self.glyph(character.encode_utf8(&mut [0; 4]), start, end, size)
                }
                Some(BfString::String(text)) => self.glyph(&text, start, end, size),
                None => {}
            }
        }
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {
        self.go_on();
    }

    fn push_clip_path(&mut self, _: &ClipPath) {
        self.go_on();
    }

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {
        self.go_on();
    }

    fn draw_image(&mut self, _: Image<'a, '_>, _: ImageDrawProps<'a>) {
        self.go_on();
    }

    fn pop_clip(&mut self) {}

    fn pop_transparency_group(&mut self) {}
}
