//! Settings layers, trust, memory files: the one crate that opens a settings file.
