//! When a request that brought nothing is sent again: refusals so many times, with growing waits or those the server asks for;
//! a server that cannot be reached for so long, at short intervals, because it may be back at any moment.

use std::future::Future;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use tokio::time::Instant;

use super::Options;
use crate::generate::Emitter;
use crate::{ModelError, ModelErrorKind, ModelEvent};

/// A longer wait than this is not waited out: the person should know.
const LONGEST_WAIT: Duration = Duration::from_secs(300);
const LONGEST_PAUSE: Duration = Duration::from_secs(32);
const LONGEST_PAUSE_IN_OUTAGE: Duration = Duration::from_secs(8);

/// What `ask` brings, sent again while that may help; says so through `emitter`.
pub(super) async fn repeated<T, F>(
    options: &Options,
    emitter: &Emitter,
    mut ask: impl FnMut() -> F,
) -> Result<T, ModelError>
where
    F: Future<Output = Result<T, ModelError>>,
{
    let mut retries = Retries::new(options);
    loop {
        let mut error = match ask().await {
            Ok(answer) => return Ok(answer),
            Err(error) => error,
        };
        match retries.after(&error) {
            Ok((wait, left)) => {
                emitter.emit(ModelEvent::Retrying {
                    attempt: retries.attempt,
                    wait,
                    left,
                    reason: error.kind,
                    message: error.message,
                });
                tokio::time::sleep(wait).await;
            }
            Err(why) => {
                error.message.push_str(&why);
                return Err(error);
            }
        }
    }
}

struct Retries {
    attempt: u32,
    first_wait: Duration,
    refusals: ExponentialBackoff,
    pauses: ExponentialBuilder,
    outage_limit: Duration,
    outage: Option<Outage>,
}

struct Outage {
    began: Instant,
    pauses: ExponentialBackoff,
}

impl Retries {
    fn new(options: &Options) -> Self {
        let first_wait = Duration::from_millis(options.first_wait_ms);
        let schedule = ExponentialBuilder::default().with_min_delay(first_wait).with_jitter();
        let most = usize::try_from(options.max_retries).unwrap_or(usize::MAX);
        Self {
            attempt: 0,
            first_wait,
            refusals: schedule.with_max_delay(LONGEST_PAUSE).with_max_times(most).build(),
            pauses: schedule.with_max_delay(LONGEST_PAUSE_IN_OUTAGE).without_max_times(),
            outage_limit: Duration::from_millis(options.outage_ms),
            outage: None,
        }
    }

    /// How long to wait before the next attempt, and in an outage how long it is waited for in all; or what is added to the
    /// error that is the last.
    fn after(&mut self, error: &ModelError) -> Result<(Duration, Option<Duration>), String> {
        self.attempt += 1;
        let tried = |attempt: u32| match attempt {
            1 => String::new(),
            _ => format!(" (Tried {attempt} times.)"),
        };
        // Lost means here that no answer came in time: asking for it again is the driver's to decide.
        if !error.is_retryable() || error.kind == ModelErrorKind::Lost {
            return Err(tried(self.attempt));
        }
        if error.kind == ModelErrorKind::Unreachable {
            let pauses = &self.pauses;
            let outage =
                self.outage.get_or_insert_with(|| Outage { began: Instant::now(), pauses: pauses.build() });
            let left = self.outage_limit.saturating_sub(outage.began.elapsed());
            return match outage.pauses.next() {
                Some(pause) if !left.is_zero() => Ok((pause.min(left), Some(left))),
                _ => Err(format!(
                    " (Tried {} in {:.0} s.)",
                    if self.attempt == 1 { "once".to_owned() } else { format!("{} times", self.attempt) },
                    outage.began.elapsed().as_secs_f32()
                )),
            };
        }
        // The server is there again.
        self.outage = None;
        // One that asks for no wait at all does not mean a dozen requests within a moment.
        let asked = error.retry_after.filter(|wait| *wait >= self.first_wait);
        match (self.refusals.next(), asked) {
            (None, _) => Err(tried(self.attempt)),
            (Some(_), Some(asked)) if asked > LONGEST_WAIT => {
                Err(format!(" It asks to wait {} s.{}", asked.as_secs(), tried(self.attempt)))
            }
            (Some(pause), asked) => Ok((asked.unwrap_or(pause), None)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::VecDeque;

    use ModelErrorKind::*;

    use super::*;

    /// How one try ends, and seconds that it takes.
    type Try = (Result<(), (ModelErrorKind, Option<f64>)>, u64);

    /// Seconds from the beginning to each try, and how it ended. The clock is that of the test: no time passes.
    async fn run(
        mut tries: impl FnMut(u64) -> Try,
        options: Options,
    ) -> (Vec<u64>, Result<(), String>, Vec<ModelEvent>) {
        let began = Instant::now();
        let times = RefCell::new(Vec::new());
        let emitter = Emitter::default();
        let ended = repeated(&options, &emitter, || {
            let at = began.elapsed().as_secs();
            times.borrow_mut().push(at);
            let (result, takes) = tries(at);
            async move {
                tokio::time::sleep(Duration::from_secs(takes)).await;
                result.map_err(|(kind, wait)| {
                    let mut error = ModelError::new(kind, "why");
                    error.retry_after = wait.map(Duration::from_secs_f64);
                    error
                })
            }
        })
        .await;
        let events = std::iter::from_fn(|| emitter.take()).collect();
        (times.into_inner(), ended.map_err(|error| error.message), events)
    }

    #[tokio::test(start_paused = true)]
    async fn an_outage_is_waited_for_two_minutes() {
        let gone = |_| (Err((Unreachable, None)), 0);
        let (times, ended, events) = run(gone, Options::default()).await;
        assert_eq!(times.last(), Some(&120));
        assert!(times.windows(2).all(|pair| pair[1] - pair[0] <= 17), "{times:?}");
        assert_eq!(ended, Err(format!("why (Tried {} times in 120 s.)", times.len())));
        let left: Vec<_> = events
            .iter()
            .map(|event| match event {
                ModelEvent::Retrying { left: Some(left), reason: Unreachable, message, .. } => {
                    assert_eq!(message, "why");
                    left.as_secs()
                }
                other => panic!("{other:?}"),
            })
            .collect();
        assert!(left.is_sorted_by(|one, next| one >= next) && left.first() == Some(&120), "{left:?}");
        assert_eq!(events.len(), times.len() - 1);
    }

    #[tokio::test(start_paused = true)]
    async fn what_comes_back_within_it_goes_on() {
        for back in [1, 6, 30, 100, 119] {
            let until = |at| (if at < back { Err((Unreachable, None)) } else { Ok(()) }, 0);
            let (times, ended, _) = run(until, Options::default()).await;
            assert_eq!(ended, Ok(()));
            assert!(times.last().is_some_and(|last| *last <= back + 17), "{back}: {times:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn tries_that_take_long_count_for_it() {
        let (times, ended, _) = run(|_| (Err((Unreachable, None)), 20), Options::default()).await;
        assert!(ended.is_err() && times.last().is_some_and(|last| (100..=140).contains(last)), "{times:?}");
        let none = Options { outage_ms: 0, ..Options::default() };
        let (times, ended, _) = run(|_| (Err((Unreachable, None)), 0), none).await;
        assert_eq!((times, ended), (vec![0], Err("why (Tried once in 0 s.)".to_owned())));
    }

    #[tokio::test(start_paused = true)]
    async fn refusals_are_repeated_so_many_times() {
        let check = async |kind, wait: Option<f64>, expect: &str| {
            let (times, ended, _) = run(|_| (Err((kind, wait)), 0), Options::default()).await;
            let seconds = times.last().copied().unwrap();
            let said = ended.unwrap_err();
            let text = format!("{} tries, {said}", times.len());
            assert_eq!(text, expect, "{kind:?} {wait:?}");
            seconds
        };
        // Own waits add up to two and a half minutes at least, also where none is asked for.
        for wait in [None, Some(0.0), Some(0.01)] {
            assert!(check(RateLimited, wait, "11 tries, why (Tried 11 times.)").await >= 159);
        }
        assert_eq!(check(ServerError, Some(2.0), "11 tries, why (Tried 11 times.)").await, 20);
        assert_eq!(check(Overloaded, Some(4000.0), "1 tries, why It asks to wait 4000 s.").await, 0);
        for kind in [BadRequest, Lost, NotFound, ContextFull, Unauthorised] {
            assert_eq!(check(kind, None, "1 tries, why").await, 0);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_outage_between_refusals_begins_anew() {
        let mut kinds = VecDeque::from([Unreachable, Unreachable, Overloaded, Unreachable]);
        let next = |_| (kinds.pop_front().map_or(Ok(()), |kind| Err((kind, None))), 50);
        let (times, ended, _) = run(next, Options::default()).await;
        assert_eq!((times.len(), ended), (5, Ok(())));
    }
}
