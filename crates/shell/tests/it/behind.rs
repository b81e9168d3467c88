//! Commands behind what starts them: deny and ask rules see them, or the part says that there is code they do not see.

use std::path::Path;

use toolwright_core::Subject;
use toolwright_shell::{Place, analyse};

/// A command behind what only starts it, and where a rule cannot see it, that the part says so.
#[test]
fn deny_rules_see_behind_what_starts_a_command() {
    let place = Place::new(Path::new("/work"), None);
    let parts = |text: &str| -> Vec<toolwright_core::CommandPart> {
        let part = |subject: Subject| match subject {
            Subject::Command(part) => Some(part),
            _ => None,
        };
        analyse(text, &place).subjects.into_iter().filter_map(part).collect()
    };
    let seen = |text: &str, command: &str| {
        let matches = |form: &String| form == command || form.starts_with(&format!("{command} "));
        parts(text).iter().any(|part| part.for_deny.iter().any(matches))
    };
    let starters = [
        "bash -c -- 'rm x'",
        "bash -O extglob -ec 'rm x'",
        "bash <<< 'rm x'",
        "bash <<X\nrm x\nX",
        "echo 'rm x' | sh",
        "printf '%s\\n' 'rm x' | bash -",
        "cat <<'X' | bash\nrm x\nX",
        "source <(echo rm x)",
        ". /dev/stdin <<< 'rm x'",
        "mapfile -C 'rm x' -c 1 < f",
        "alias ls='rm x'; ls",
        "x='rm x'; $x",
        "r=r; m=m; $r$m x",
        "sh -c \"$(echo rm x)\"",
        "$(echo rm) x",
        "setarch x86_64 rm x",
        "linux64 rm x",
        "i386 rm x",
        "prlimit --nofile=5 rm x",
        "choom -n 5 -- rm x",
        "setpriv --no-new-privs rm x",
        "chronic rm x",
        "ifne rm x",
        "pee 'rm x'",
        "mispipe 'rm x' cat",
        "dbus-run-session -- rm x",
        "fakeroot rm x",
        "perf stat rm x",
        "valgrind rm x",
        "gdb --args rm x",
        "npm exec -- rm x",
        "xargs -I{} rm x {}",
        "find . -exec rm x \\;",
        "su -c 'rm x'",
        "nix-shell --run 'rm x'",
        "bundle exec rm x",
        "conda run rm x",
        "caffeinate rm x",
        "tini -- rm x",
        "fish -c 'rm x'",
        "git -c alias.x='!rm x' x",
        "git submodule foreach 'rm x'",
        "docker run --rm i rm x",
        "docker exec c sh -c 'rm x'",
        "docker compose exec s rm x",
        "kubectl exec p -- rm x",
        "ssh h rm x",
        "ssh h 'cd a && rm x'",
        "ssh h <<< 'rm x'",
        "echo 'rm x' | ssh h",
        "uvx rm x",
        "pipx run rm x",
        "npx --call='rm x'",
        "concurrently 'rm x'",
        "nodemon --exec 'rm x'",
        "cross-env A=1 rm x",
        "op run -- rm x",
        "rustup run stable rm x",
        "ip netns exec n rm x",
        "echo 'rm x' | parallel",
        "gtimeout 5 rm x",
        "retry -t 5 -- rm x",
        "xterm -e rm x",
        "sg g 'rm x'",
    ];
    for text in starters {
        assert!(seen(text, "rm x"), "{text}: {:?}", parts(text));
    }
    let pushes = [
        "git -P push",
        "git -c a.b=c push",
        "git --git-dir=.git push",
        "git --git-dir .git push",
        "git -C . push",
        "git -C \"$x\" push",
        "git --no-pager -C a -c x.y=z push",
        "git -c alias.p=push p",
        "env GIT_DIR=a git push",
        "/usr/bin/git push",
        "git-push",
        "git send-pack o x",
        "git subtree push --prefix=a o x",
        "git lfs push o x",
        "git svn dcommit",
        "git p4 submit",
        "git remote-https o x",
        "git for-each-repo --config=x push",
        "hub push",
        "yadm push",
        "/usr/lib/git-core/git-push",
        "x=push; git $x",
        "git $(echo push)",
        "bash -c 'cd a && git -C . push'",
    ];
    for text in pushes {
        assert!(seen(text, "git push"), "{text}: {:?}", parts(text));
    }
    let hidden = [
        "python3 -c 'x'",
        "python3 <<< x",
        "echo x | python3",
        "perl -e x",
        "node -e 1",
        "awk 'BEGIN{system(\"rm x\")}'",
        "sed '1e rm x' f",
        "vim -c '!rm x'",
        "ed f",
        "sh -c \"$(cat x)\"",
        "git $(cat x)",
        "make -f - <<< a",
        "GIT_PAGER='rm x' git log",
        "export GIT_SSH_COMMAND='rm x'; git fetch",
        "rg --pre rm x",
        "hash -p /bin/rm ls",
        "enable -f x.so y",
        "command python3",
        "command -p bash",
        "git -c alias.a=b -c alias.b=push a",
        "git --config-env=alias.p=X p",
        "tar -I rm -tf a",
        "git rebase --exec 'rm x' HEAD~1",
        "PS4='$(rm x)'; set -x; ls",
    ];
    for text in hidden {
        assert!(parts(text).iter().any(|part| part.runs_code), "{text}: {:?}", parts(text));
    }
    // A project's own script is no hidden code.
    let own = [
        "npm run x",
        "npm test",
        "make",
        "python3 x.py",
        "python3 -m pytest",
        "node x.js",
        "bash x.sh",
        "command -v python3",
        "command -pV bash",
        "type -a perl",
        "which node",
        "./x.sh",
        "cargo run",
        "go run x.go",
        "NODE_ENV=test npm test",
        "GIT_PAGER=cat git log",
        "sed -i s/e/x/ f",
        "hash -r",
        "awk '{print $1}' f",
        "git commit -m 'a | b; c'",
    ];
    for text in own {
        assert!(parts(text).iter().all(|part| !part.runs_code), "{text}: {:?}", parts(text));
    }
}

#[test]
fn commands_among_settings_of_a_program() {
    let place = Place::new(Path::new("/work"), None);
    let runs_code = |text: &str| {
        analyse(text, &place)
            .subjects
            .iter()
            .any(|subject| matches!(subject, Subject::Command(part) if part.runs_code))
    };
    for text in [
        "ssh -o ProxyCommand='rm x' a",
        "ssh -oLocalCommand='rm x' a",
        "scp -S ./run f a:b",
        "sftp -o ProxyCommand='rm x' a",
        "make SHELL='rm x'",
        "make 'A=$(shell rm x)'",
        "capsh -- -c 'rm x'",
        "echo push | xargs git",
        "xargs -I{} git {} <<< push",
        "git config alias.p push; git p",
    ] {
        assert!(runs_code(text), "{text}");
    }
    for text in [
        "ssh host ls",
        "ssh host 'command -v ls'",
        "make test",
        "make CC=clang -j4",
        "make $TARGET",
        "scp a b:c",
    ] {
        assert!(!runs_code(text), "{text}");
    }
}

#[test]
fn deny_rules_see_files_behind_what_starts_a_command() {
    let place = Place::new(Path::new("/work"), Some(Path::new("/home/me")));
    let names = |text: &str| {
        analyse(text, &place).subjects.iter().any(|subject| {
            matches!(subject, Subject::Path { path, .. } if path == Path::new("/work/secret") || path == Path::new("/**"))
        })
    };
    for text in [
        "env cat secret",
        "env A=b cat secret",
        "sudo -u me cat secret",
        "busybox cat secret",
        "nsenter -t 1 head -n1 secret",
        "sudo /bin/cp secret b",
        "bash -x secret",
        "shuf secret",
        "CDPATH=a cd b && cat ../secret",
        "HOME=/work/a cd && cat ../secret",
        "HOME=/work/a; cd; cat ../secret",
    ] {
        assert!(names(text), "{text}");
    }
    for text in ["env ls", "sudo make install"] {
        assert!(!names(text), "{text}");
    }
}

#[test]
fn a_variable_that_programs_obey_is_a_command_of_its_own() {
    let place = Place::new(Path::new("/work"), None);
    let uncovered = |text: &str| {
        analyse(text, &place).subjects.iter().any(
            |subject| matches!(subject, Subject::Command(part) if !part.for_allow.starts_with("git commit ")),
        )
    };
    for text in [
        "PATH=.:$PATH; git commit -m x",
        "GIT_EDITOR='touch f'; git commit -m x",
        "HOME=. && git commit -m x",
        "if A=1 GIT_DIR=x; then git commit -m x; fi",
        "for GIT_EDITOR in 'touch f'; do git commit -m x; done",
        "LD_PRELOAD=./x; git commit -m x",
    ] {
        assert!(uncovered(text), "{text}");
    }
    for text in [
        "MESSAGE=x; git commit -m \"$MESSAGE\"",
        "LANG=C; git commit -m x",
        "for f in a b; do git commit -m $f; done",
    ] {
        assert!(!uncovered(text), "{text}");
    }
}
