//! Rules, modes and the order of decision, as pure functions on data.
