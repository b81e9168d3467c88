//! The built binary as its users meet it: in a pipe, with good and bad input.
