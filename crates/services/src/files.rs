//! Files as file tools see them: text with its encoding, the read state, and safe replacement.
