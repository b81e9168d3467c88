//! Nothing: the package exists for its tests, which compile what must not compile.
