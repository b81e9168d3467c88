//! Cancellation, ours, so that no other crate's type is in the contract and no runtime is needed to wait on it.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use event_listener::Event;

/// A token that is cancelled once and stays so. Clones are the same token; a [`child`](Cancel::child) is cancelled with
/// its parent, but not the other way round.
///
/// ```
/// use toolwright_core::Cancel;
/// let turn = Cancel::default();
/// let call = turn.child();
/// call.cancel();
/// assert!(call.is_cancelled() && !turn.is_cancelled());
/// turn.cancel();
/// assert!(turn.child().is_cancelled());
/// ```
#[derive(Clone, Default)]
pub struct Cancel(Arc<Node>);

#[derive(Default)]
struct Node {
    cancelled: AtomicBool,
    woken: Event,
    children: Mutex<Vec<Weak<Node>>>,
}

impl Cancel {
    /// Cancels this token and all its children. Doing it twice is no different from doing it once.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether [`cancel`](Self::cancel) was called here or on a parent.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Acquire)
    }

    /// Completes when the token is cancelled; at once if it already is. Needs no particular runtime.
    pub async fn cancelled(&self) {
        while !self.is_cancelled() {
            let listener = self.0.woken.listen();
            // Cancelled between the check and the listening: nobody would wake us.
            if self.is_cancelled() {
                return;
            }
            listener.await;
        }
    }

    /// A token of its own that this one's cancellation reaches.
    #[must_use]
    pub fn child(&self) -> Self {
        let node = Arc::new(Node::default());
        {
            let mut children = self.0.children.lock().unwrap_or_else(PoisonError::into_inner);
            children.retain(|child| child.strong_count() > 0);
            children.push(Arc::downgrade(&node));
        }
        if self.is_cancelled() {
            node.cancel();
        }
        Self(node)
    }
}

impl Node {
    fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
        self.woken.notify(usize::MAX);
        let children = std::mem::take(&mut *self.children.lock().unwrap_or_else(PoisonError::into_inner));
        for child in children.iter().filter_map(Weak::upgrade) {
            child.cancel();
        }
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Cancel").field(&self.is_cancelled()).finish()
    }
}
