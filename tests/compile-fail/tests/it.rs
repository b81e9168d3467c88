//! What an author gets wrong is a compile error worth reading. A changed message is taken with `TRYBUILD=overwrite`, after
//! reading it.

#[test]
fn what_an_author_gets_wrong_is_explained() {
    trybuild::TestCases::new().compile_fail("cases/*.rs");
}
