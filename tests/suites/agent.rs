//! Turns of the built binary against a model that answers from a script: what people see, what is kept, what is sent.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a suite fails by panicking, and says what it leaves out"
)]

#[path = "agent/handed.rs"]
mod handed;

use toolwright_tests::{Tally, parse_scenes, stock};

fn play(family: &str, text: &str) {
    let binary = stock();
    let mut tally = Tally::default();
    for scene in parse_scenes(text).expect("scenes") {
        tally.add(family, &scene.id, &scene.why, &scene.play(&binary));
    }
    println!("{}", tally.report());
    assert!(tally.failures().is_empty(), "{}\n{}", tally.report(), tally.failures().join("\n"));
}

macro_rules! families {
    ($($name:ident),* $(,)?) => {$(
        #[test]
        fn $name() {
            play(stringify!($name), include_str!(concat!("../cases/agent/", stringify!($name), ".json")));
        }
    )*};
}

families!(output, exit, sessions, limits, permissions, settings, memory, results, simple);
