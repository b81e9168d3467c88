//! Properties: what a change leaves alone and what a window shows, of random texts however they are stored.

use proptest::prelude::*;
use toolwright_core::Cancel;
use toolwright_services::{Files, LineEnds, Splice, Window};
use toolwright_testkit::{TempWorkspace, block_on};

use super::{ALL, local};

/// How a random text is stored.
#[derive(Debug, Clone, Copy)]
enum Storage {
    Utf8 {
        bom: bool,
    },
    Utf16 {
        little: bool,
    },
    /// With a first line by which it is told.
    Legacy(&'static encoding_rs::Encoding, &'static str),
}

const LEGACY: [Storage; 3] = [
    Storage::Legacy(encoding_rs::SHIFT_JIS, "設定ファイルを読み込みます。名前と値を一行ずつ書いてください"),
    Storage::Legacy(
        encoding_rs::WINDOWS_1251,
        "Настройки программы хранятся в этом файле, имя и значение в строке",
    ),
    Storage::Legacy(encoding_rs::WINDOWS_1252, "// f\u{fc}r die Gr\u{f6}\u{df}e"),
];

impl Storage {
    fn bytes(self, text: &str, begins: bool) -> Vec<u8> {
        match self {
            Self::Utf8 { bom } => [if bom && begins { "\u{feff}" } else { "" }, text].concat().into_bytes(),
            Self::Utf16 { little } => {
                let mark = begins.then_some(0xFEFF);
                let unit = |unit: u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
                mark.into_iter().chain(text.encode_utf16()).flat_map(unit).collect()
            }
            Self::Legacy(encoding, _) => encoding.encode(text).0.into_owned(),
        }
    }

    /// Characters that it has. The second bytes of some of Shift_JIS are `\\` and `|`.
    fn characters(self) -> &'static str {
        match self {
            Self::Utf8 { .. } | Self::Utf16 { .. } => ANY,
            Self::Legacy(encoding, _) if encoding == encoding_rs::SHIFT_JIS => {
                "[a-c \u{30bd}\u{8868}\u{ff71}ポ]{0,6}"
            }
            Self::Legacy(encoding, _) if encoding == encoding_rs::WINDOWS_1251 => "[a-c яЖё]{0,6}",
            Self::Legacy(..) => "[a-c]{0,6}",
        }
    }
}

fn storages() -> impl Strategy<Value = Storage> {
    prop_oneof![
        any::<bool>().prop_map(|bom| Storage::Utf8 { bom }),
        any::<bool>().prop_map(|little| Storage::Utf16 { little }),
    ]
}

/// Lines with what ends each. No lone CR ends one: in these files it would be a character.
fn lines(characters: &'static str) -> impl Strategy<Value = Vec<(String, &'static str)>> {
    proptest::collection::vec((characters, prop_oneof![Just("\n"), Just("\r\n")]), 1..12)
}

/// A storage, lines that it can store with what ends each, and what follows the last end. Lone CRs end lines in a file that
/// has no LF, of an encoding in which that is so.
fn stored_lines() -> impl Strategy<Value = (Storage, Vec<(String, &'static str)>, String)> {
    let with_legacy = prop_oneof![2 => storages(), 1 => proptest::sample::select(LEGACY.to_vec())];
    (with_legacy, 0..4_u8).prop_flat_map(|(storage, ends)| {
        let ends = match (storage, ends) {
            (Storage::Utf8 { .. } | Storage::Legacy(..), 0) => vec!["\r"],
            (_, 1) => vec!["\r\n"],
            (_, 2) => vec!["\n"],
            _ => vec!["\n", "\r\n"],
        };
        let line = (storage.characters(), proptest::sample::select(ends));
        let lines = proptest::collection::vec(line, 1..12).prop_map(move |mut lines| {
            if let Storage::Legacy(_, told_by) = storage {
                let end = lines[0].1;
                lines.insert(0, (told_by.into(), end));
            }
            lines
        });
        (Just(storage), lines, "[a-c]{0,3}")
    })
}

fn raw(lines: &[(String, &'static str)], last: &str) -> String {
    let mut text: String = lines.iter().map(|(line, end)| format!("{line}{end}")).collect();
    text.push_str(last);
    text
}

fn view(lines: &[(String, &'static str)], last: &str) -> String {
    let mut text: String = lines.iter().map(|(line, _)| format!("{line}\n")).collect();
    text.push_str(last);
    text
}

/// The stored text of the beginning of the view.
fn raw_of(lines: &[(String, &'static str)], view: &str) -> String {
    let pieces: Vec<_> = view.split('\n').collect();
    let ended =
        pieces.iter().zip(lines).take(pieces.len() - 1).map(|(piece, (_, end))| format!("{piece}{end}"));
    ended.chain(pieces.last().map(|piece| (*piece).to_owned())).collect()
}

fn check_window(
    lines: &[(String, &'static str)],
    last: &str,
    storage: Storage,
    first: u64,
    count: u64,
    times: usize,
) {
    let (workspace, files) = (TempWorkspace::new(), local());
    let path = workspace.join("f");
    workspace.write("f", storage.bytes(&(raw(lines, "").repeat(times) + last), true));
    let whole = view(lines, "").repeat(times) + last;
    let total = whole.lines().count() as u64;
    let window = Window { first_line: first, lines: count, ..ALL };
    let seen = block_on(files.read(&path, window, &Cancel::default())).unwrap();
    let expect: String = whole
        .split_inclusive('\n')
        .map(|line| line.strip_suffix('\n').unwrap_or(line))
        .skip(usize::try_from(first).unwrap() - 1)
        .take(usize::try_from(count).unwrap())
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(seen.text, expect);
    assert_eq!(seen.more, total > first - 1 + count);
    if times == 1 || !seen.more {
        assert_eq!(seen.total_lines, Some(total));
    }
}

const ANY: &str = "[a-c \\t\u{e9}\u{4e2d}\u{1f600}]{0,6}[a\u{a0a}]";
const WITH_CR: &str = "[a-c \\t\u{e9}\u{4e2d}\r\u{1f600}]{0,6}[a\u{a0a}]";

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_window_of_a_large_file_is_a_slice_of_the_whole(
        lines in lines(WITH_CR), last in "[a-c]{0,3}", storage in storages(), back in 0..20_u64, count in 1..16_u64,
    ) {
        let times = (1 << 20) / raw(&lines, "").len() + 100;
        let total = (lines.len() * times) as u64;
        check_window(&lines, &last, storage, total - back, count, times);
        check_window(&lines, &last, storage, total / 2, count, times);
    }

    #[test]
    fn a_far_window_of_a_file_too_large_to_be_hashed_is_a_slice_of_the_whole(
        lines in lines(WITH_CR), last in "[a-c]{0,3}", bom in any::<bool>(), place in 0.0..1.0_f64, count in 1..16_u64,
    ) {
        // Blocks of it are counted side by side.
        let times = (18 << 20) / raw(&lines, "").len() + 1;
        let total = (lines.len() * times) as u64;
        let first = 1 + (total as f64 * place) as u64;
        check_window(&lines, &last, Storage::Utf8 { bom }, first, count, times);
        check_window(&lines, &last, Storage::Utf8 { bom }, total + 3, count, times);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_outside_edits_are_untouched(
        (storage, lines, last) in stored_lines(),
        places in proptest::array::uniform4(any::<proptest::sample::Index>()),
        new in proptest::array::uniform2("[xyz\n$&]{0,5}"),
        given_with_cr in any::<bool>(),
    ) {
        let (workspace, files) = (TempWorkspace::new(), local());
        let path = workspace.join("f");
        let before = storage.bytes(&raw(&lines, &last), true);
        workspace.write("f", &before);
        let whole = view(&lines, &last);
        // What a legacy encoding is told by stays.
        let first = if let Storage::Legacy(_, told_by) = storage { told_by.len() } else { 0 };
        let starts: Vec<_> =
            whole.char_indices().map(|(at, _)| at).chain([whole.len()]).filter(|at| *at >= first).collect();
        let mut places = places.map(|place| *place.get(&starts));
        places.sort_unstable();
        let [one, two, three, four] = places;
        let given = |text: &String| if given_with_cr { text.replace('\n', "\r\n") } else { text.clone() };
        let splices = vec![
            Splice { range: one..two, text: given(&new[0]) },
            Splice { range: three..four, text: given(&new[1]) },
        ];
        block_on(async {
            files.read(&path, ALL, &Cancel::default()).await.unwrap();
            let document = files.open(&path, &Cancel::default()).await.unwrap();
            assert_eq!(document.text, whole);
            files.splice(&document, splices).await.unwrap();
        });
        let after = workspace.read_bytes("f");
        let length = |at: usize| storage.bytes(&raw_of(&lines, &whole[..at]), true).len();
        prop_assert_eq!(&after[..length(one)], &before[..length(one)]);
        prop_assert!(after.ends_with(&before[length(four)..]), "{:?} -> {:?}", before, after);
        let between = &before[length(two)..length(three)];
        let inner = &after[length(one)..after.len() - (before.len() - length(four))];
        prop_assert!(between.is_empty() || inner.windows(between.len()).any(|window| window == between), "{:?}", inner);
        let mut expect = whole;
        expect.replace_range(three..four, &new[1]);
        expect.replace_range(one..two, &new[0]);
        // A text that lost its last CR has nothing to tell by that new lines end so.
        let document = block_on(files.open(&path, &Cancel::default())).unwrap();
        prop_assert_eq!(&document.text, &expect);
        let ends = document.format.line_ends;
        prop_assert_eq!(ends == LineEnds::Mixed, {
            let text = raw_text(storage, &after);
            text.contains("\r\n") && text.replace("\r\n", "").contains('\n')
        });
    }

    #[test]
    fn a_window_is_a_slice_of_the_whole(
        lines in lines(WITH_CR), last in "[a-c]{0,3}", storage in storages(), first in 1..16_u64, count in 1..16_u64,
        (other, other_lines, other_last) in stored_lines(),
    ) {
        check_window(&lines, &last, storage, first, count, 1);
        check_window(&other_lines, &other_last, other, first, count, 1);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64), first in 0..4_u64, line_bytes in 0..8_usize) {
        let (workspace, files) = (TempWorkspace::new(), local());
        let path = workspace.join("f");
        workspace.write("f", &bytes);
        block_on(async {
            let window = Window { first_line: first, lines: 3, bytes: 20, line_bytes };
            let _ = files.read(&path, window, &Cancel::default()).await;
            let bytes = files.read_bytes(&path, 1_000, &Cancel::default()).await.unwrap();
            files.shown(&path, &bytes).unwrap();
            if let Ok(document) = files.open(&path, &Cancel::default()).await {
                files.splice(&document, Vec::new()).await.unwrap();
            }
        });
        prop_assert_eq!(workspace.read_bytes("f"), bytes);
    }
}

fn raw_text(storage: Storage, bytes: &[u8]) -> String {
    match storage {
        Storage::Utf8 { .. } => String::from_utf8(bytes.to_vec()).unwrap(),
        Storage::Utf16 { little } => {
            let unit = |pair: &[u8]| {
                let pair = [pair[0], pair[1]];
                if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
            };
            String::from_utf16(&bytes.chunks(2).map(unit).collect::<Vec<_>>()).unwrap()
        }
        Storage::Legacy(encoding, _) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
    }
}
