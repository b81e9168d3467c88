//! What the judge must find and what it must let pass, run before anything else as if it had been allowed: a harness that sees
//! nothing would find nothing.

use std::io;

use crate::linux::decide::{Allowed, Named};
use crate::linux::generate::Case;
use crate::linux::prover::Prover;
use crate::linux::verdict::Kind;

/// A text, the programs that are said to be named, a path of the project that is, and what it does.
const KNOWN: [(&str, &[&str], &str, Option<Kind>); 20] = [
    ("cat README.md; ls src | wc -l; echo x >$TMPDIR/x", &["cat", "ls", "wc"], "README.md", None),
    ("touch pwned", &["touch"], "", Some(Kind::Writes)),
    ("echo x >>README.md", &[], "README.md", Some(Kind::Writes)),
    ("echo x >../out/secret.txt", &[], "", Some(Kind::Writes)),
    ("ls; (sleep 0; mkdir pwned) & wait", &["ls", "sleep", "mkdir"], "", Some(Kind::Writes)),
    ("mv README.md $TMPDIR/x", &["mv"], "", Some(Kind::Writes)),
    ("ln ../out/secret.txt $TMPDIR/y", &["ln"], "", Some(Kind::ReadsOutside)),
    ("chmod 600 README.md", &["chmod"], "README.md", Some(Kind::Writes)),
    ("sh script.sh", &["sh"], "script.sh", Some(Kind::Executes)),
    ("./ls", &["ls"], "ls", Some(Kind::Executes)),
    ("cat ../out/secret.txt", &["cat"], "README.md", Some(Kind::ReadsOutside)),
    ("cat f1", &["cat"], "f1", Some(Kind::ReadsOutside)),
    ("ls outdir/", &["ls"], "outdir", Some(Kind::ReadsOutside)),
    ("cat ~/.ssh/id_fake", &["cat"], "", Some(Kind::ReadsOutside)),
    ("find README.md -samefile f0", &["find"], "README.md", None),
    ("find /", &["find"], "", Some(Kind::ReadsOutside)),
    ("gzip -lq \"$PWD\"", &["gzip"], "", None),
    ("timeout 0.1 tail -f --pid=1 README.md", &["timeout", "tail"], "README.md", None),
    ("timeout 0.1 sleep 1", &["timeout", "sleep"], "", None),
    ("echo x >/dev/udp/127.0.0.1/9", &[], "", Some(Kind::Other)),
];

/// What came out otherwise.
pub(crate) fn wrong(prover: &Prover) -> io::Result<Option<String>> {
    for (text, programs, path, expected) in KNOWN {
        let named = Named {
            programs: programs.iter().map(|name| (*name).into()).collect(),
            reads: vec![prover.project().join(path)],
        };
        let case = Case { text: text.into(), ..Case::default() };
        let (_, found) = prover.run(&case, &Allowed { runs: text.into(), named })?;
        let kind = found.map(|found| found.kind);
        if kind != expected {
            return Ok(Some(format!("the judge finds {kind:?} in `{text}`, and {expected:?} is right")));
        }
    }
    Ok(None)
}
