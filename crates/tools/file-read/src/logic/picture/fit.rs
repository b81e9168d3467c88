//! Decoding, shrinking and encoding. Knows bytes and pixels alone.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, RgbImage};

use super::{Limits, Picture};
use crate::Media;

/// Bytes a decoder may take.
const MOST_MEMORY: u64 = 384 << 20;

/// Why a picture cannot be shown.
#[derive(Debug)]
pub(super) enum BadPicture {
    Kind,
    Damaged(String),
    TooManyPixels { size: (u32, u32), most: u64 },
    TooMuchMemory { size: (u32, u32) },
    Encoding { most: usize },
}

impl BadPicture {
    pub(super) fn panicked() -> Self {
        Self::Damaged("its decoder gave up".into())
    }

    /// What is wrong, after the file's name.
    pub(super) fn describe(&self, mime: &str) -> String {
        match self {
            Self::Kind => format!(
                "is an image of a kind that models do not take ({mime}); convert it to PNG or JPEG with a command"
            ),
            Self::Damaged(why) => format!("is a damaged image ({mime}: {why})"),
            Self::TooManyPixels { size: (width, height), most } => format!(
                "is an image of {width}x{height} pixels, more than are taken in (the setting `read.maxImagePixels`, now {most}); \
                 shrink or crop it with a command"
            ),
            Self::TooMuchMemory { size: (width, height) } => format!(
                "is an image of {width}x{height} pixels whose decoding takes more than {} MiB; shrink or crop it with a command",
                MOST_MEMORY >> 20
            ),
            Self::Encoding { most } => format!(
                "is an image ({mime}) that could not be brought within the setting `read.maxImageBytes`, now {most}"
            ),
        }
    }
}

impl From<ImageError> for BadPicture {
    fn from(error: ImageError) -> Self {
        Self::Damaged(error.to_string())
    }
}

/// The picture as it is where it is within the limits, else shrunk and encoded anew.
pub(super) fn fit(bytes: &[u8], mime: &'static str, limits: Limits) -> Result<Picture, BadPicture> {
    let format = match mime {
        "image/png" => ImageFormat::Png,
        "image/jpeg" => ImageFormat::Jpeg,
        "image/gif" => ImageFormat::Gif,
        "image/webp" => ImageFormat::WebP,
        _ => return Err(BadPicture::Kind),
    };
    let (mut image, orientation) = decode(bytes, format, limits)?;
    // Turned as a camera notes it: models do not look at the note, and a new encoding loses it.
    image.apply_orientation(orientation);
    let size = (image.width(), image.height());
    if orientation == Orientation::NoTransforms
        && size.0.max(size.1) <= limits.max_image_side.get()
        && bytes.len() <= limits.max_image_bytes.get()
    {
        let media = Media { media_type: mime.into(), data: STANDARD.encode(bytes) };
        return Ok(Picture { size, shown_size: size, media });
    }
    shrink(image, format != ImageFormat::Jpeg, size, limits)
}

fn decode(
    bytes: &[u8],
    format: ImageFormat,
    limits: Limits,
) -> Result<(DynamicImage, Orientation), BadPicture> {
    if format == ImageFormat::Jpeg && !ends(bytes) {
        return Err(BadPicture::Damaged("it ends before its picture does".into()));
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut memory = image::Limits::default();
    memory.max_alloc = Some(MOST_MEMORY);
    reader.limits(memory);
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(BadPicture::Damaged("it has no pixels".into()));
    }
    let most = limits.max_image_pixels.get();
    if u64::from(width) * u64::from(height) > most {
        return Err(BadPicture::TooManyPixels { size: (width, height), most });
    }
    if decoder.total_bytes() > MOST_MEMORY {
        return Err(BadPicture::TooMuchMemory { size: (width, height) });
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    Ok((DynamicImage::from_decoder(decoder)?, orientation))
}

/// Whether a JPEG has the mark of its end behind the beginning of its picture: its decoder fills up what is missing.
fn ends(bytes: &[u8]) -> bool {
    const START_OF_SCAN: u8 = 0xDA;
    let mut at = 2;
    while let Some([0xFF, marker, high, low]) = bytes.get(at..at + 4) {
        if *marker == START_OF_SCAN {
            let scan = bytes.get(at..).unwrap_or_default();
            return scan.windows(2).any(|window| window == [0xFF, 0xD9]);
        }
        at += match marker {
            // A fill byte.
            0xFF => 1,
            _ => 2 + usize::from(u16::from_be_bytes([*high, *low])),
        };
    }
    false
}

/// Tries ever smaller forms until one is within the limits.
pub(super) fn shrink(
    mut image: DynamicImage,
    exact: bool,
    size: (u32, u32),
    limits: Limits,
) -> Result<Picture, BadPicture> {
    /// Hundredths of the longest side that is within the limit, and quality.
    const TRIES: [(u32, u8); 7] = [(100, 85), (100, 60), (70, 75), (50, 70), (35, 60), (20, 60), (10, 60)];
    let most = limits.max_image_side.get();
    if image.width().max(image.height()) > most {
        image = image.resize(most, most, FilterType::Lanczos3);
    }
    let longest = image.width().max(image.height());
    let within = |bytes: Vec<u8>, media_type: &str, image: &DynamicImage| {
        let media = (bytes.len() <= limits.max_image_bytes.get())
            .then(|| Media { media_type: media_type.into(), data: STANDARD.encode(&bytes) })?;
        Some(Picture { size, shown_size: (image.width(), image.height()), media })
    };
    if exact && let Some(picture) = within(png(&image)?, "image/png", &image) {
        return Ok(picture);
    }
    for (part, quality) in TRIES {
        let side = (u64::from(longest) * u64::from(part) / 100).max(1);
        let side = u32::try_from(side).unwrap_or(longest);
        if image.width().max(image.height()) > side {
            image = image.resize(side, side, FilterType::Lanczos3);
        }
        let mut bytes = Vec::new();
        on_white(&image).write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, quality))?;
        if let Some(picture) = within(bytes, "image/jpeg", &image) {
            return Ok(picture);
        }
    }
    Err(BadPicture::Encoding { most: limits.max_image_bytes.get() })
}

fn png(image: &DynamicImage) -> Result<Vec<u8>, ImageError> {
    let mut bytes = Vec::new();
    // Eight bits a channel are all that models see.
    if image.color().has_alpha() {
        image.to_rgba8().write_with_encoder(PngEncoder::new(&mut bytes))?;
    } else {
        image.to_rgb8().write_with_encoder(PngEncoder::new(&mut bytes))?;
    }
    Ok(bytes)
}

/// JPEG knows no transparency; most pictures that have it are meant for a light page.
fn on_white(image: &DynamicImage) -> RgbImage {
    if !image.color().has_alpha() {
        return image.to_rgb8();
    }
    let image = image.to_rgba8();
    RgbImage::from_fn(image.width(), image.height(), |x, y| {
        let [red, green, blue, alpha] = image.get_pixel(x, y).0;
        let over = |channel: u8| {
            let mixed = u16::from(channel) * u16::from(alpha) + 255 * (255 - u16::from(alpha));
            u8::try_from(mixed / 255).unwrap_or(u8::MAX)
        };
        image::Rgb([over(red), over(green), over(blue)])
    })
}
