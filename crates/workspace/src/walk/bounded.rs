//! A search on a thread of its own, for a call that waits: it is cancelled with the call, ends at a time limit with what it
//! has, and tells how far it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde::Deserialize;
use toolwright_core::{Cancel, Environment, ErrorKind, Progress, ToolContext, ToolError, Unavailable};

/// How often the host is told how far a search is; shorter ones say nothing.
const EVERY: Duration = Duration::from_millis(200);
/// How long a search may take where no setting says otherwise.
const USUAL_LIMIT: Duration = Duration::from_secs(60);

/// What a search shares with who waits for it.
#[derive(Debug, Default)]
pub struct Bounds {
    /// Cancelled with the call, and at the time limit.
    pub cancel: Cancel,
    /// Files looked at so far: the search counts them here.
    pub seen: AtomicU64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Limits {
    search_timeout_ms: Option<u64>,
}

/// How long a search may take: `limits.searchTimeoutMs` of the settings, else a minute.
///
/// # Errors
/// When the setting is no whole number.
pub fn time_limit(environment: &Environment) -> Result<Duration, Unavailable> {
    let limits: Limits = environment.settings("limits")?;
    Ok(limits.search_timeout_ms.map_or(USUAL_LIMIT, Duration::from_millis))
}

/// Runs `search`; says whether the time limit ended it.
///
/// # Errors
/// When it panicked.
pub async fn bounded<T: Send + 'static>(
    cx: &ToolContext,
    limit: Duration,
    search: impl FnOnce(&Bounds) -> T + Send + 'static,
) -> Result<(T, bool), ToolError> {
    let bounds = Arc::new(Bounds { cancel: cx.cancel.child(), seen: AtomicU64::new(0) });
    let shared = Arc::clone(&bounds);
    let begun = Instant::now();
    let mut search = tokio::task::spawn_blocking(move || search(&shared));
    let mut timed_out = false;
    loop {
        let wait = if timed_out { EVERY } else { EVERY.min(limit.saturating_sub(begun.elapsed())) };
        let Ok(ended) = tokio::time::timeout(wait, &mut search).await else {
            if begun.elapsed() >= limit {
                timed_out = true;
                bounds.cancel.cancel();
            }
            let done = bounds.seen.load(Relaxed);
            let message = Some(format!("{done} files"));
            cx.report(Progress { done, message, ..Progress::default() });
            continue;
        };
        let ended = ended.map_err(|error| {
            ToolError::new(ErrorKind::Failed, "the search ended before its time; try it again")
                .caused_by(error)
        })?;
        return Ok((ended, timed_out));
    }
}
