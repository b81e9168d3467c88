//! Why an agent cannot be made: the parts' own errors, each with what to do next.

use toolwright_config::ConfigError;
use toolwright_core::{RegistryError, Unavailable};
use toolwright_engine::DeferralModeError;
use toolwright_model::ModelError;
use toolwright_runtime::{HookError, RuntimeError};

/// Why an agent cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppError {
    /// The tools do not fit together.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// A settings file, a flag or the trust list cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// No model, or none of that name.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The session cannot be kept or found.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// A variable or setting about tool search says nothing.
    #[error(transparent)]
    Deferral(#[from] DeferralModeError),
    /// A setting does not fit.
    #[error(transparent)]
    Setting(#[from] Unavailable),
    /// A hook of the settings cannot be used.
    #[error(transparent)]
    Hooks(#[from] HookError),
}
