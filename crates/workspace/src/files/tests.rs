//! `Files` through its trait, on temporary folders.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use toolwright_core::Cancel;
use toolwright_services::{Files, FilesError, LineEnds, Splice, Window};
use toolwright_testkit::{TempWorkspace, block_on};

use super::LocalFiles;

const ALL: Window = Window { first_line: 1, lines: u64::MAX, bytes: usize::MAX, line_bytes: usize::MAX };

fn local() -> LocalFiles {
    LocalFiles::new(None)
}

fn read(files: &LocalFiles, path: &Path, window: Window) -> Result<String, FilesError> {
    block_on(files.read(path, window, &Cancel::default())).map(|seen| seen.text)
}

fn edit(files: &LocalFiles, path: &Path, old: &str, new: &str) -> Result<(), FilesError> {
    block_on(async {
        let document = files.open(path, &Cancel::default()).await?;
        let start = document.text.find(old).expect("the old text is there");
        files.splice(&document, vec![Splice { range: start..start + old.len(), text: new.into() }]).await
    })
}

#[test]
fn only_what_was_read_and_is_unchanged_is_written() {
    let (workspace, files) = (TempWorkspace::new(), local());
    let path = workspace.join("a.txt");
    workspace.write("a.txt", "one\ntwo\n");
    assert!(matches!(edit(&files, &path, "one", "1"), Err(FilesError::NotRead { .. })));
    assert!(matches!(block_on(files.write(&path, "x")), Err(FilesError::NotRead { .. })));
    read(&files, &path, Window { lines: 1, ..ALL }).unwrap();
    edit(&files, &path, "one", "1").unwrap();
    edit(&files, &path, "two", "2").unwrap();
    workspace.write("a.txt", "1\n3\n");
    assert!(matches!(edit(&files, &path, "1", "x"), Err(FilesError::Changed { .. })));
    assert!(matches!(block_on(files.write(&path, "x")), Err(FilesError::Changed { .. })));
    assert_eq!(workspace.read("a.txt"), "1\n3\n");
}

#[test]
fn bytes_that_were_not_shown_are_not_read() {
    let (workspace, files) = (TempWorkspace::new(), local());
    let path = workspace.join("a.txt");
    workspace.write("a.txt", "one\n");
    let bytes = block_on(files.read_bytes(&path, 100, &Cancel::default())).unwrap();
    assert!(matches!(edit(&files, &path, "one", "1"), Err(FilesError::NotRead { .. })));
    files.shown(&path, &bytes).unwrap();
    edit(&files, &path, "one", "1").unwrap();
}

#[test]
fn a_change_between_open_and_splice_is_seen() {
    let (workspace, files) = (TempWorkspace::new(), local());
    let path = workspace.join("a.txt");
    workspace.write("a.txt", "one\n");
    read(&files, &path, ALL).unwrap();
    let document = block_on(files.open(&path, &Cancel::default())).unwrap();
    workspace.write("a.txt", "two\n");
    let splice = vec![Splice { range: 0..3, text: "1".into() }];
    assert!(matches!(block_on(files.splice(&document, splice)), Err(FilesError::Changed { .. })));
    assert_eq!(workspace.read("a.txt"), "two\n");
}

#[test]
fn two_programs_lose_none_of_each_others_changes() {
    const EACH: usize = 60;
    let workspace = TempWorkspace::new();
    let lines: String = (0..2 * EACH).map(|line| format!("line {line}: old\n")).collect();
    workspace.write("a.txt", lines);
    let path = workspace.join("a.txt");
    std::thread::scope(|threads| {
        for first in [0, EACH] {
            let path = &path;
            // Files of their own, which share nothing: as two programs.
            threads.spawn(move || {
                let files = local();
                for line in first..first + EACH {
                    let (old, new) = (format!("line {line}: old"), format!("line {line}: new"));
                    loop {
                        read(&files, path, ALL).expect("a file");
                        match edit(&files, path, &old, &new) {
                            Ok(()) => break,
                            Err(FilesError::Changed { .. }) => {}
                            Err(error) => panic!("{error}"),
                        }
                    }
                }
            });
        }
    });
    assert_eq!(workspace.read("a.txt").matches("old").count(), 0);
}

#[test]
fn state_is_copied_by_fork_and_restored_from_data() {
    let (workspace, files) = (TempWorkspace::new(), local());
    let path = workspace.join("a.txt");
    workspace.write("a.txt", "one\n");
    read(&files, &path, ALL).unwrap();
    let fork = files.fork();
    block_on(fork.write(&path, "two\n")).unwrap();
    assert!(matches!(edit(&files, &path, "two", "1"), Err(FilesError::Changed { .. })));
    let states = fork.take_changed();
    assert_eq!((states.len(), fork.take_changed().len()), (1, 0));
    let resumed = local();
    resumed.restore(&states);
    edit(&resumed, &path, "two", "three").unwrap();
    assert_eq!(workspace.read("a.txt"), "three\n");
}

#[test]
fn a_large_file_counts_as_read_in_part() {
    let (workspace, files) = (TempWorkspace::new(), local());
    let path = workspace.join("big.txt");
    let text: String = (0..200_000).map(|line| format!("line {line}\r\n")).collect();
    workspace.write("big.txt", &text);
    let window = Window { first_line: 150_001, lines: 2, ..ALL };
    assert_eq!(read(&files, &path, window).unwrap(), "line 150000\nline 150001\n");
    assert!(matches!(block_on(files.write(&path, "x")), Err(FilesError::PartlyRead { .. })));
    edit(&files, &path, "line 7\n", "line seven\nand more\n").unwrap();
    assert_eq!(workspace.read("big.txt"), text.replace("line 7\r\n", "line seven\r\nand more\r\n"));
    let now = workspace.read("big.txt");
    for elsewhere in ["line 150000\r", "line 100\r"] {
        read(&files, &path, window).unwrap();
        // At the same length, in what was shown and outside of it.
        workspace.write("big.txt", now.replace(elsewhere, &elsewhere.to_uppercase()));
        assert!(matches!(edit(&files, &path, "line 98\n", "x\n"), Err(FilesError::Changed { .. })));
    }
    // A formatter that finds nothing to do.
    workspace.write("big.txt", &now);
    read(&files, &path, window).unwrap();
    fs::remove_file(&path).unwrap();
    workspace.write("big.txt", &now);
    edit(&files, &path, "line 98\n", "x\n").unwrap();
    // Shown as a whole.
    read(&files, &path, ALL).unwrap();
    block_on(files.write(&path, "x")).unwrap();
}

#[test]
fn a_file_too_large_to_be_hashed_is_changed_when_it_was_touched() {
    let (workspace, files) = (TempWorkspace::new(), local());
    let path = workspace.join("huge.txt");
    let text = "0123456789abcde\n".repeat((16 << 20) / 16 + 1);
    workspace.write("huge.txt", &text);
    let window = Window { first_line: 2, lines: 2, ..ALL };
    read(&files, &path, window).unwrap();
    let resumed = local();
    resumed.restore(&files.take_changed());
    for files in [&files, &resumed] {
        block_on(files.open(&path, &Cancel::default())).unwrap();
    }
    workspace.write("huge.txt", format!("{}X\n", &text[..text.len() - 2]));
    for files in [&files, &resumed] {
        let refused = block_on(files.open(&path, &Cancel::default())).unwrap_err();
        assert!(matches!(refused, FilesError::Changed { .. }), "{refused}");
    }
}

#[test]
fn an_overwritten_file_keeps_how_it_is_stored() {
    fn check(before: &[u8], text: &str, expect: &[u8]) {
        let (workspace, files) = (TempWorkspace::new(), local());
        let path = workspace.join("a.txt");
        workspace.write("a.txt", before);
        read(&files, &path, ALL).unwrap();
        block_on(files.write(&path, text)).unwrap();
        assert_eq!(workspace.read_bytes("a.txt"), expect, "{text:?}");
    }
    check(b"a\nb\n", "x\ny", b"x\ny");
    check(b"a\r\nb\r\n", "x\ny\n", b"x\r\ny\r\n");
    check(b"a\nb\n", "x\r\ny\r\n", b"x\r\ny\r\n");
    check(b"a\r\nb\n", "x\ny\n", b"x\ny\n");
    check(b"\xEF\xBB\xBFa\n", "x\n", b"\xEF\xBB\xBFx\n");
    check(b"\xEF\xBB\xBFa\n", "\u{feff}x\n", b"\xEF\xBB\xBFx\n");
    check(b"\xFF\xFEa\0\r\0\n\0", "x\n", b"\xFF\xFEx\0\r\0\n\0");
}

#[test]
fn what_is_no_text_file_is_named_for_what_it_is() {
    let (workspace, files) = (TempWorkspace::new(), local());
    workspace.write("src/main.rs", "fn main() {}\n");
    workspace.write("bin", b"\x7fELF\x00\x01");
    workspace.write("late", [b"text\n".repeat(300_000), b"\xff\n".to_vec()].concat());
    let error = |name: &str| read(&files, &workspace.join(name), ALL).unwrap_err();
    assert!(matches!(error("src"), FilesError::Folder { .. }));
    assert!(matches!(error("bin"), FilesError::Binary { .. }));
    assert!(matches!(error("late"), FilesError::Encoding { .. }));
    assert!(matches!(error("a\0b"), FilesError::BadPath { .. }));
    let near = |name: &str| match error(name) {
        FilesError::NotFound { near, .. } => near,
        other => panic!("{other}"),
    };
    assert_eq!(near("src/mian.rs"), [workspace.join("src/main.rs")]);
    assert_eq!(near("src/main.ts"), [workspace.join("src/main.rs")]);
    assert_eq!(near("srv/main.rs"), [workspace.join("src/main.rs")]);
    assert_eq!(near("src/main.rs/x"), [] as [PathBuf; 0]);
    assert_eq!(near("zzz"), [] as [PathBuf; 0]);
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_not_opened() {
    let (workspace, files) = (TempWorkspace::new(), local());
    // A socket's file is there without anybody to talk to, as a pipe's is.
    let _socket = std::os::unix::net::UnixListener::bind(workspace.join("socket")).unwrap();
    for path in [workspace.join("socket"), "/dev/zero".into(), "/dev/stdin".into(), "/proc/self/fd/0".into()]
    {
        let error = read(&files, &path, ALL).unwrap_err();
        assert!(matches!(error, FilesError::Special { .. }), "{error}");
        assert!(matches!(block_on(files.write(&path, "x")), Err(FilesError::Special { .. })));
    }
}

#[cfg(unix)]
#[test]
fn a_write_keeps_links_modes_other_names_and_attributes() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    let (workspace, files) = (TempWorkspace::new(), local());
    workspace.write("real", "a\n");
    fs::set_permissions(workspace.join("real"), fs::Permissions::from_mode(0o741)).unwrap();
    symlink("real", workspace.join("link")).unwrap();
    let attributes = xattr::set(workspace.join("real"), "user.note", b"kept").is_ok();
    read(&files, &workspace.join("link"), ALL).unwrap();
    edit(&files, &workspace.join("real"), "a", "b").unwrap();
    assert_eq!(workspace.read("real"), "b\n");
    assert!(workspace.join("link").is_symlink());
    assert_eq!(fs::metadata(workspace.join("real")).unwrap().mode() & 0o7777, 0o741);
    if attributes {
        assert_eq!(xattr::get(workspace.join("real"), "user.note").unwrap().as_deref(), Some(&b"kept"[..]));
    } else {
        println!("skipped: extended attributes, which this file system has not");
    }
    fs::hard_link(workspace.join("real"), workspace.join("other")).unwrap();
    edit(&files, &workspace.join("link"), "b", "longer").unwrap();
    edit(&files, &workspace.join("link"), "longer", "c").unwrap();
    assert_eq!(workspace.read("other"), "c\n");
    symlink("new/made", workspace.join("dangling")).unwrap();
    block_on(files.write(&workspace.join("dangling"), "made")).unwrap();
    assert_eq!(workspace.read("new/made"), "made");
    assert_eq!(workspace.tree().paths().filter(|path| path.to_string_lossy().contains("tmp")).count(), 0);
}

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
