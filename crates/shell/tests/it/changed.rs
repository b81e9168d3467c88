//! Files that commands change though no target of theirs names them, and those of which nobody knows whether they are changed.

use std::path::Path;

use toolwright_core::{PathAccess, Subject};
use toolwright_shell::{Place, analyse};

use PathAccess::{MayWrite, Write, WriteBelow};

fn paths(text: &str, there: &[&str]) -> Vec<(String, PathAccess)> {
    let mut place = Place::new(Path::new("/work"), None);
    place.repository = Some("/work".into());
    place.there = there.iter().map(|name| Path::new("/work").join(name)).collect();
    let analysis = analyse(text, &place);
    let path = |subject: &Subject| match subject {
        Subject::Path { path, access, .. } => {
            let path: std::path::PathBuf = path.components().collect();
            Some((path.display().to_string(), *access))
        }
        _ => None,
    };
    analysis.subjects.iter().filter_map(path).collect()
}

#[test]
fn what_is_changed_is_named_or_lies_below_a_folder() {
    for (text, path, access) in [
        ("git restore gen/a", "/work/gen/a", WriteBelow),
        ("git checkout -- gen/a", "/work/gen/a", WriteBelow),
        ("git checkout main -- gen", "/work/gen", WriteBelow),
        ("git checkout main", "/work", WriteBelow),
        ("git -C gen checkout .", "/work/gen", WriteBelow),
        ("git --work-tree=gen checkout .", "/work/gen", WriteBelow),
        ("git \"$x\" main", "/**", WriteBelow),
        ("cd \"$x\" && git pull", "/**", WriteBelow),
        ("git restore \"$x\"", "/**", WriteBelow),
        ("git restore ':(top)gen'", "/**", WriteBelow),
        ("git switch main", "/work", WriteBelow),
        ("git switch -c x main", "/work", WriteBelow),
        ("git stash", "/work", WriteBelow),
        ("git stash pop", "/work", WriteBelow),
        ("git reset --hard HEAD~1", "/work", WriteBelow),
        ("git merge x", "/work", WriteBelow),
        ("git pull --rebase", "/work", WriteBelow),
        ("git apply p", "/work", WriteBelow),
        ("git apply --stat --apply p", "/work", WriteBelow),
        ("git am p", "/work", WriteBelow),
        ("git an-alias", "/work", WriteBelow),
        ("git clean -fd", "/work", WriteBelow),
        ("git clean -fd gen", "/work/gen", WriteBelow),
        ("git rm -r gen", "/work/gen", WriteBelow),
        ("git mv a gen", "/work/gen/a", Write),
        ("git mv gen/a x", "/work/gen/a", Write),
        ("git clone u:x/gen.git", "/work/gen", WriteBelow),
        ("git worktree add gen", "/work/gen", WriteBelow),
        ("git diff --output=gen/a", "/work/gen/a", Write),
        ("git archive -o gen/a HEAD", "/work/gen/a", Write),
        ("sudo git restore gen/a", "/work/gen/a", WriteBelow),
        ("gh pr checkout 1", "/work", WriteBelow),
        ("patch -p1", "/work", WriteBelow),
        ("patch gen/a", "/work/gen/a", Write),
        ("vim gen/a", "/work/gen/a", Write),
        ("gawk -i inplace 1 gen/a", "/work/gen/a", Write),
        ("split x gen/a", "/work/gen/a*", Write),
        ("csplit -fgen/a x 1", "/work/gen/a*", Write),
        ("gunzip gen/a.gz", "/work/gen/a", Write),
        ("tar xf a.tar", "/work", WriteBelow),
        ("tar -xf a.tar -C gen", "/work/gen", WriteBelow),
        ("tar -xf a.tar --directory=gen", "/work/gen", WriteBelow),
        ("tar -xf a.tar -C \"$x\"", "/**", WriteBelow),
        ("unzip a.zip -d gen", "/work/gen", WriteBelow),
        ("7z x a.7z -ogen", "/work/gen", WriteBelow),
        ("cpio -idm", "/work", WriteBelow),
        ("cp -r src/. .", "/work", WriteBelow),
        ("cp -r src gen", "/work/gen", WriteBelow),
        ("cp -r src ./", "/work/src", WriteBelow),
        ("chmod -R +x .", "/work", WriteBelow),
        ("prettier --write .", "/work", WriteBelow),
        ("eslint --fix gen", "/work/gen", WriteBelow),
        ("cargo fmt", "/work", WriteBelow),
        ("gofmt -w gen/a.go", "/work/gen/a.go", WriteBelow),
        ("tsc --outDir gen", "/work/gen", WriteBelow),
        ("protoc --x_out=y:gen a", "/work/gen", WriteBelow),
        ("wget -P gen http://x/y", "/work/gen", Write),
        ("curl -O http://x/gen", "/work/gen", Write),
        ("find gen -fprint gen/a", "/work/gen/a", Write),
        ("find gen -delete", "/work/gen", WriteBelow),
        ("find gen -name '*.ts' -delete", "/work/gen", WriteBelow),
        ("find . -exec sed -i s/a/b/ {} +", "/work", WriteBelow),
        ("ls | xargs sed -i s/a/b/", "/**", Write),
        ("ls | xargs -I{} sed -i s/a/b/ {}", "/**", WriteBelow),
        ("ls | xargs ./x.sh", "/**", WriteBelow),
        ("frobnicate gen/a", "/work/gen/a", MayWrite),
        ("frobnicate -o gen/a", "/work/gen/a", MayWrite),
        ("python3 x.py gen/a", "/work/gen/a", MayWrite),
        ("python3 -c 'open(\"gen/a\", \"w\")'", "/work/gen/a", MayWrite),
        ("make gen/a", "/work/gen/a", MayWrite),
    ] {
        let paths = paths(text, &[]);
        assert!(paths.contains(&(path.into(), access)), "{text}: {paths:?}");
    }
}

#[test]
fn what_only_reads_changes_nothing() {
    for text in [
        "git checkout -b x",
        "git switch -c x",
        "git reset HEAD~1",
        "git restore --staged gen/a",
        "git rm --cached gen/a",
        "git clean -nd",
        "git apply --check p",
        "git stash drop",
        "git add gen/a",
        "git commit -am x gen/a",
        "git push origin gen/a",
        "git fetch origin",
        "git tag gen",
        "git config user.name gen",
        "python3 gen/a.py",
        "python3 -m pytest gen",
        "bash gen/a.sh",
        "npm run gen",
        "make gen",
        "cargo test gen",
        "go test ./gen/...",
        "pytest gen",
        "eslint gen",
        "prettier --check gen",
        "black --check gen",
        "tsc --noEmit",
        "docker build gen",
        "kubectl apply -f gen/a.yml",
        "find . -exec wc -l {} +",
        "ls | xargs wc -l",
    ] {
        let changed: Vec<_> = paths(text, &[]).into_iter().filter(|(_, access)| !access.is_read()).collect();
        assert!(changed.is_empty(), "{text}: {changed:?}");
    }
}

#[test]
fn an_operand_that_is_a_path_is_no_branch() {
    let all = ("/work".to_owned(), WriteBelow);
    assert!(paths("git checkout src/a", &[]).contains(&all));
    assert!(!paths("git checkout src/a", &["src/a"]).contains(&all));
    let analysis = analyse("git checkout src/a", &Place::new(Path::new("/work"), None));
    assert_eq!(analysis.looked_for, [Path::new("/work/src/a")]);
}
