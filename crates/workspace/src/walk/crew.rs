//! Threads that walk a tree together: a stack of work that each takes from and puts to, and that ends when nothing is left
//! and nobody works.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};

use super::{Bounds, threads};

/// Does the same work on as many threads as there are cores, this one among them. `bounds` is told once they are made.
pub fn together(bounds: &Bounds, work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        for _ in 1..threads() {
            // With fewer threads it takes longer.
            if std::thread::Builder::new().spawn_scoped(scope, &work).is_err() {
                break;
            }
        }
        bounds.all_begun.store(true, Relaxed);
        work();
    });
}

/// Work that is left.
#[derive(Debug)]
pub(super) struct Crew<T> {
    state: Mutex<State<T>>,
    more: Condvar,
    over: AtomicBool,
}

#[derive(Debug)]
struct State<T> {
    left: Vec<T>,
    working: usize,
    waiting: usize,
}

impl<T: Send> Crew<T> {
    pub(super) fn new(first: T) -> Self {
        let state = Mutex::new(State { left: vec![first], working: 0, waiting: 0 });
        Self { state, more: Condvar::new(), over: AtomicBool::new(false) }
    }

    /// Ends the work: what is left is not begun.
    pub(super) fn end(&self) {
        self.over.store(true, Relaxed);
        // With the lock, so that nobody goes to sleep between its look and this call.
        let _state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.more.notify_all();
    }

    pub(super) fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// Puts work on the stack.
    pub(super) fn add(&self, work: impl IntoIterator<Item = T>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.left.extend(work);
        match state.waiting.min(state.left.len()) {
            0 => {}
            1 => self.more.notify_one(),
            _ => self.more.notify_all(),
        }
    }

    /// Does work until there is none. Every thread of the crew calls this.
    pub(super) fn work(&self, mut each: impl FnMut(T)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_over() {
            if let Some(work) = state.left.pop() {
                state.working += 1;
                drop(state);
                let working = Working(self);
                each(work);
                drop(working);
                state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            } else if state.working == 0 {
                self.more.notify_all();
                return;
            } else {
                state.waiting += 1;
                state = self.more.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.waiting -= 1;
            }
        }
    }
}

/// One at work; when it panics, the others must not wait for it for ever.
struct Working<'a, T: Send>(&'a Crew<T>);

impl<T: Send> Drop for Working<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.working -= 1;
        if state.working == 0 && state.left.is_empty() {
            self.0.more.notify_all();
        }
    }
}
