//! Pages that have no text, drawn: what a scan holds is seen all the same. Done apart alone, since a page can make its drawer
//! take any amount of memory and time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::vello_cpu::peniko::ImageAlphaType;
use hayro::{PixmapSettings, RenderCache, RenderSettings, render};
use hayro_interpret::InterpreterSettings;
use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::page::Page;
use image::{DynamicImage, RgbaImage};

use crate::PagePicture;
use crate::logic::{Limits, picture};

/// Pictures in one answer.
const MOST: usize = 8;
/// The longest side of a page in pixels: print of usual size can be read.
const SIDE: u32 = 1_600;
/// The most a small page is enlarged.
const LARGEST_SCALE: f32 = 4.0;

/// Pictures of the pages without text, the first few of them.
pub(super) fn pages(
    pdf: &Pdf,
    first: u64,
    texts: &[String],
    limits: Limits,
    until: Instant,
) -> Vec<PagePicture> {
    let cache = RenderCache::new();
    let shown = (1..).zip(pdf.pages().iter()).skip_while(|(number, _)| *number < first).zip(texts);
    let empty = shown.filter(|(_, text)| text.is_empty()).map(|(page, _)| page).take(MOST);
    let mut pictures = Vec::new();
    for (number, page) in empty {
        if Instant::now() >= until {
            break;
        }
        let drawn = catch_unwind(AssertUnwindSafe(|| draw(page, &cache, limits))).ok().flatten();
        pictures.extend(drawn.map(|media| PagePicture { page: number, media }));
    }
    pictures
}

fn draw<'a>(page: &'a Page<'a>, cache: &RenderCache<'a>, limits: Limits) -> Option<crate::Media> {
    let (width, height) = page.render_dimensions();
    let longest = width.max(height);
    if !(width >= 1.0 && height >= 1.0 && longest.is_finite()) {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "a side is far below the precision of f32")]
    let side = SIDE.min(limits.max_image_side.get()) as f32;
    let scale = (side / longest).min(LARGEST_SCALE);
    let size = PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE };
    let settings = InterpreterSettings::default();
    let pixmap = render(page, cache, &settings, &RenderSettings::default(), &size);
    let (width, height) = (pixmap.width().into(), pixmap.height().into());
    let image =
        DynamicImage::from(RgbaImage::from_raw(width, height, pixmap.take_rgba8(ImageAlphaType::Alpha))?);
    picture::drawn(DynamicImage::from(image.to_rgb8()), limits)
}
