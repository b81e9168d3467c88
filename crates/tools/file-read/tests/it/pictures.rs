//! Pictures: what is sent, and what never is.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::Arc;

use base64::Engine as _;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};
use toolwright_core::{Environment, Services};
use toolwright_services::Files;
use toolwright_testkit::{TempWorkspace, block_on, context};
use toolwright_workspace::LocalFiles;

use crate::answers::answer;
use crate::contract::services;

/// The blocks of an answer, or the error.
pub(crate) fn contents(workspace: &TempWorkspace, input: Value) -> Result<Vec<Value>, String> {
    contents_with(&services(workspace), workspace, input)
}

fn contents_with(services: &Services, workspace: &TempWorkspace, input: Value) -> Result<Vec<Value>, String> {
    let tool = (toolwright_tool_file_read::REGISTRATION.build)(services).expect("a tool");
    let call = tool.parse(input).expect("an input");
    let reply =
        block_on(call.run(&context(workspace))).map_err(|error| workspace.normalised(&error.to_string()))?;
    Ok(reply.answer.iter().map(|content| serde_json::to_value(content).expect("JSON")).collect())
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

pub(crate) fn png(width: u32, height: u32) -> Vec<u8> {
    encoded(width, height, ImageFormat::Png)
}

fn encoded(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let pixel = |x: u32, y: u32| {
        // Noise, so that nothing compresses it.
        let mixed = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)).wrapping_mul(2_246_822_519);
        Rgb([mixed.to_be_bytes()[0], mixed.to_be_bytes()[1], mixed.to_be_bytes()[2]])
    };
    let image = DynamicImage::from(RgbImage::from_fn(width, height, pixel));
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).expect("an encoded picture");
    bytes.into_inner()
}

fn refused(name: &str, bytes: impl AsRef<[u8]>, expect: &str) {
    let workspace = TempWorkspace::new();
    workspace.write(name, bytes);
    let error = contents(&workspace, json!({"file_path": name})).expect_err("no picture");
    assert!(error.contains(expect), "{name}: {error}");
}

#[test]
fn the_content_says_what_it_is() {
    let workspace = TempWorkspace::new();
    for (format, mime) in [
        (ImageFormat::Png, "image/png"),
        (ImageFormat::Jpeg, "image/jpeg"),
        (ImageFormat::Gif, "image/gif"),
        (ImageFormat::WebP, "image/webp"),
    ] {
        let bytes = encoded(3, 2, format);
        let expect = vec![json!({"type": "media", "media_type": mime, "data": base64(&bytes)})];
        for name in ["right.png", "wrong.jpg", "none", "text.txt", "doc.pdf"] {
            workspace.write(name, &bytes);
            assert_eq!(contents(&workspace, json!({"file_path": name})), Ok(expect.clone()), "{name} {mime}");
        }
    }
}

#[test]
fn what_is_over_the_limits_is_shrunk() {
    let workspace = TempWorkspace::new();
    workspace.write("wide.png", png(2_500, 10));
    let shown = contents(&workspace, json!({"file_path": "wide.png"})).expect("a picture");
    assert_eq!(shown[0]["media_type"], "image/png");
    assert_eq!(
        shown[1]["text"],
        "[the file has 2500x10 pixels (image/png); shown with 2000x8: multiply what you measure by 1.25]"
    );
    let noise = png(1_200, 1_000);
    assert!(noise.len() > 3_000_000);
    workspace.write("noise.png", noise);
    let shown = contents(&workspace, json!({"file_path": "noise.png"})).expect("a picture");
    assert_eq!(shown[0]["media_type"], "image/jpeg");
    assert!(shown[0]["data"].as_str().is_some_and(|data| data.len() <= 3_750_000));
    assert!(
        shown[1]["text"].as_str().is_some_and(|text| text.contains("1200x1000 pixels (image/png)")),
        "{}",
        shown[1]
    );
}

/// A JPEG with a camera's note on how it is to be turned.
fn turned(width: u32, height: u32, orientation: u8) -> Vec<u8> {
    let plain = encoded(width, height, ImageFormat::Jpeg);
    let (start, rest) = plain.split_at(2);
    let note = [
        b"\xff\xe1\x00\x22Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0",
        &[orientation, 0, 0, 0, 0, 0, 0, 0][..],
    ];
    [start, &note.concat(), rest].concat()
}

#[test]
fn a_picture_has_the_size_it_has_when_turned() {
    let check = |orientation: u8, size: (u32, u32), told: Option<&str>, shown: (u32, u32)| {
        let workspace = TempWorkspace::new();
        workspace.write("a.jpg", turned(size.0, size.1, orientation));
        let answer = contents(&workspace, json!({"file_path": "a.jpg"})).expect("a picture");
        let data = answer[0]["data"].as_str().expect("data");
        let bytes = base64::engine::general_purpose::STANDARD.decode(data).expect("base64");
        let image = image::load_from_memory(&bytes).expect("a picture");
        assert_eq!((image.width(), image.height()), shown, "{orientation}");
        let text = answer.get(1).and_then(|content| content["text"].as_str());
        assert_eq!(text, told, "{orientation}");
    };
    let words = |size| {
        format!(
            "[the file has {size} pixels (image/jpeg); shown with 13x2000: multiply what you measure by 1.20]"
        )
    };
    for orientation in 5..=8 {
        check(orientation, (2_400, 16), Some(&words("16x2400")), (13, 2_000));
        check(orientation, (24, 16), None, (16, 24));
    }
    for orientation in 1..=4 {
        check(orientation, (24, 16), None, (24, 16));
    }
}

#[test]
fn a_small_picture_is_made_smaller_too() {
    let workspace = TempWorkspace::new();
    workspace.write("a.png", png(300, 200));
    let settings = json!({"read": {"maxImageBytes": 6_000}});
    let settings = settings.as_object().cloned().unwrap_or_default();
    let mut services = Services::new(Arc::new(Environment::new(BTreeMap::new(), settings)));
    services.offer_forked::<dyn Files>(Arc::new(LocalFiles::new(None)), |files| files.fork());
    let shown = contents_with(&services, &workspace, json!({"file_path": "a.png"})).expect("a picture");
    assert_eq!(shown[0]["media_type"], "image/jpeg");
    assert!(
        shown[1]["text"].as_str().is_some_and(|text| text.contains("has 300x200 pixels")),
        "{}",
        shown[1]
    );
}

#[test]
fn a_damaged_picture_is_an_error_and_never_media() {
    for (format, name) in [
        (ImageFormat::Png, "a.png"),
        (ImageFormat::Jpeg, "a.jpg"),
        (ImageFormat::Gif, "a.gif"),
        (ImageFormat::WebP, "a.webp"),
    ] {
        let whole = encoded(64, 64, format);
        for kept in [16, whole.len() / 4, whole.len() / 2, whole.len() * 9 / 10] {
            refused(name, &whole[..kept], "is a damaged image (");
        }
    }
    refused("a.png", "", "is named like a PNG image, but is empty");
    refused("a.png", "text", "is named like a PNG image, but holds plain text");
    refused("a.jpg", b"PK\x03\x04\x14\0\0\0", "is named like a JPEG image, but holds application/zip");
    refused(
        "a.bmp",
        b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0",
        "is an image of a kind that models do not take (image/bmp)",
    );
}

#[test]
fn a_bomb_is_not_decoded() {
    // The head of a PNG that claims 60,000 x 60,000 pixels: its checksum is right.
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(60_000_u32.to_be_bytes());
    bytes.extend(60_000_u32.to_be_bytes());
    bytes.extend([8, 2, 0, 0, 0]);
    bytes.extend(crc32(&bytes[12..]).to_be_bytes());
    bytes.extend(b"\0\0\0\0IDAT\x35\xaf\x06\x1e");
    refused(
        "bomb.png",
        bytes,
        "is an image of 60000x60000 pixels, more than are taken in (the setting `read.maxImagePixels`, now 64000000)",
    );
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(
            crc ^ u32::from(*byte),
            |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 },
        )
    })
}

#[test]
fn pages_are_for_pdfs() {
    let workspace = TempWorkspace::new();
    workspace.write("f.txt", "text");
    assert_eq!(
        answer(&workspace, json!({"file_path": "f.txt", "pages": "1"})),
        "error: /workspace/f.txt holds plain text, and `pages` is for PDFs; leave it out"
    );
    assert_eq!(
        answer(&workspace, json!({"file_path": "f.txt", "pages": "5-2"})),
        "error: `pages` is `5-2`; give one page (`3`) or a range of them (`1-5`, `7-`), from 1"
    );
}
