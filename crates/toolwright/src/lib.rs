//! The facade: features choose tools, App wires an agent.
