//! Fakes, temporary workspaces and the contract suite every tool passes.
