//! Decoding, shrinking and encoding. Knows bytes and pixels alone.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, RgbImage};

use super::Picture;
use crate::Media;

/// The longest side that is sent; models look at no more.
const MOST_SIDE: u32 = 2_000;
/// Characters of base64 that are sent.
const MOST_BASE64: usize = 3_750_000;
/// Pixels that are decoded: more is a trap, or needs a tool for such pictures.
const MOST_PIXELS: u64 = 64_000_000;
/// Bytes a decoder may take.
const MOST_MEMORY: u64 = 384 << 20;

/// Why a picture cannot be shown.
#[derive(Debug)]
pub(super) enum BadPicture {
    Kind,
    Damaged(String),
    TooManyPixels(u32, u32),
    Encoding,
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
            Self::TooManyPixels(width, height) => format!(
                "is an image of {width}x{height} pixels, more than can be taken in; shrink or crop it with a command"
            ),
            Self::Encoding => {
                format!("is an image ({mime}) that could not be brought within the limits of models")
            }
        }
    }
}

impl From<ImageError> for BadPicture {
    fn from(error: ImageError) -> Self {
        Self::Damaged(error.to_string())
    }
}

/// The picture as it is where it is within the limits, else shrunk and encoded anew.
pub(super) fn fit(bytes: Vec<u8>, mime: &'static str) -> Result<Picture, BadPicture> {
    let format = match mime {
        "image/png" => ImageFormat::Png,
        "image/jpeg" => ImageFormat::Jpeg,
        "image/gif" => ImageFormat::Gif,
        "image/webp" => ImageFormat::WebP,
        _ => return Err(BadPicture::Kind),
    };
    let (image, orientation) = decode(&bytes, format)?;
    let size = (image.width(), image.height());
    let base64_length = bytes.len().div_ceil(3) * 4;
    if size.0.max(size.1) <= MOST_SIDE && base64_length <= MOST_BASE64 {
        let media = Media { media_type: mime.into(), data: STANDARD.encode(&bytes) };
        return Ok(Picture { size, shown_size: size, media });
    }
    drop(bytes);
    shrink(image, orientation, format != ImageFormat::Jpeg, size)
}

fn decode(bytes: &[u8], format: ImageFormat) -> Result<(DynamicImage, Orientation), BadPicture> {
    if format == ImageFormat::Jpeg && !ends(bytes) {
        return Err(BadPicture::Damaged("it ends before its picture does".into()));
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_MEMORY);
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(BadPicture::Damaged("it has no pixels".into()));
    }
    if u64::from(width) * u64::from(height) > MOST_PIXELS || decoder.total_bytes() > MOST_MEMORY {
        return Err(BadPicture::TooManyPixels(width, height));
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
fn shrink(
    mut image: DynamicImage,
    orientation: Orientation,
    exact: bool,
    size: (u32, u32),
) -> Result<Picture, BadPicture> {
    /// Longest side and quality.
    const TRIES: [(u32, u8); 5] = [(MOST_SIDE, 85), (MOST_SIDE, 60), (1_400, 75), (1_000, 70), (700, 60)];
    if image.width().max(image.height()) > MOST_SIDE {
        image = image.resize(MOST_SIDE, MOST_SIDE, FilterType::Lanczos3);
    }
    // What a camera notes beside the pixels is lost with the new encoding.
    image.apply_orientation(orientation);
    if exact {
        let bytes = png(&image)?;
        if let Some(media) = within(&bytes, "image/png") {
            return Ok(Picture { size, shown_size: (image.width(), image.height()), media });
        }
    }
    for (side, quality) in TRIES {
        if image.width().max(image.height()) > side {
            image = image.resize(side, side, FilterType::Lanczos3);
        }
        let mut bytes = Vec::new();
        on_white(&image).write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, quality))?;
        if let Some(media) = within(&bytes, "image/jpeg") {
            return Ok(Picture { size, shown_size: (image.width(), image.height()), media });
        }
    }
    Err(BadPicture::Encoding)
}

fn within(bytes: &[u8], media_type: &str) -> Option<Media> {
    (bytes.len().div_ceil(3) * 4 <= MOST_BASE64)
        .then(|| Media { media_type: media_type.into(), data: STANDARD.encode(bytes) })
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
