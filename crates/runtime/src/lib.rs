//! Drives the engine on tokio: streams the model, runs tools, journals sessions.
