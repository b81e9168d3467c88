//! The turn against a driver that answers in any order, and against tables.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use toolwright_core::{Effects, StopReason};

use super::{
    Action, BlockKind, CallKey, CompactionReason, Decided, Delivery, Ending, Input, Limits, Timing, Turn,
};

const KINDS: [Effects; 5] =
    [Effects::READ_ONLY, Effects::READ_ONLY_ALONE, Effects::DELEGATES, Effects::WRITES, Effects::DESTROYS];

/// What one call of the script does when it is asked about.
#[derive(Debug, Clone)]
struct Plan {
    effects: Effects,
    decided: Decided,
    early: bool,
}

/// How one request of the script goes.
#[derive(Debug, Clone)]
enum Answer {
    Message(Vec<Plan>, StopReason),
    /// As `Message`, and the conversation nears its limit.
    Crowded(Vec<Plan>, StopReason),
    Lost(Vec<Plan>),
    /// The vendor says that the conversation no longer fits.
    Full,
    Failed,
}

/// What the world saw: checked after every action.
#[derive(Default)]
struct World {
    plans: BTreeMap<CallKey, Plan>,
    running: BTreeSet<CallKey>,
    deciding: BTreeSet<CallKey>,
    /// Calls of the message that streams now.
    streaming: Vec<CallKey>,
    /// Calls of the committed message.
    owed: Vec<CallKey>,
    answered: BTreeMap<CallKey, u32>,
    applied: Vec<CallKey>,
    forgotten: BTreeSet<CallKey>,
    effects: BTreeMap<CallKey, Effects>,
    requests: Vec<Delivery>,
    commits: u32,
    /// Commits there had been at each time the conversation was to be shortened.
    compactions: Vec<u32>,
    compacting: bool,
    ending: Option<Ending>,
    trace: Vec<String>,
}

impl World {
    fn act(&mut self, actions: Vec<Action>, pending: &mut Vec<Plan>) {
        for action in actions {
            self.trace.push(format!("{action:?}"));
            assert!(self.ending.is_none(), "acts after the end: {:#?}", self.trace);
            match action {
                Action::Took(key) => {
                    let plan = pending.remove(0);
                    self.effects.insert(key, plan.effects);
                    self.plans.insert(key, plan);
                    self.streaming.push(key);
                }
                Action::CallModel(delivery) => {
                    assert!(!self.compacting);
                    self.nothing_owed();
                    self.requests.push(delivery);
                }
                Action::Compact(_) => {
                    self.nothing_owed();
                    self.compacting = true;
                    self.compactions.push(self.commits);
                }
                Action::Commit => {
                    self.commits += 1;
                    self.owed = std::mem::take(&mut self.streaming);
                }
                Action::Discard => {
                    for key in std::mem::take(&mut self.streaming) {
                        self.deciding.remove(&key);
                        self.forgotten.insert(key);
                    }
                }
                Action::Decide(key, timing) => {
                    assert!(self.deciding.insert(key));
                    if timing == Timing::Settled {
                        assert!(self.owed.contains(&key), "settled before the message is");
                    }
                }
                Action::Run(key) => {
                    let effects = self.effects[&key];
                    if !effects.is_concurrency_safe() {
                        let before =
                            self.owed.iter().take_while(|other| **other != key).copied().collect::<Vec<_>>();
                        assert_eq!(
                            self.applied_of(&before),
                            before,
                            "runs before earlier changes took effect"
                        );
                        assert!(self.running.is_empty(), "{key:?} runs alone: {:#?}", self.trace);
                    }
                    let beside_unsafe =
                        self.running.iter().any(|other| !self.effects[other].is_concurrency_safe());
                    assert!(!beside_unsafe, "beside one that runs alone: {:#?}", self.trace);
                    if self.streaming.contains(&key) {
                        assert!(effects.may_start_early());
                    }
                    assert!(self.running.insert(key));
                    assert!(self.running.len() <= 3);
                }
                Action::Cancel(key) => {
                    self.deciding.remove(&key);
                }
                Action::Answer(key) => self.answer(key),
                Action::Apply(keys) => self.applied.extend(keys),
                Action::Finish(ending) => {
                    assert!(self.running.is_empty(), "ends while calls run");
                    for key in &self.owed {
                        assert_eq!(
                            self.answered.get(key),
                            Some(&1),
                            "unanswered at the end: {:#?}",
                            self.trace
                        );
                    }
                    self.ending = Some(ending);
                }
            }
        }
    }

    fn nothing_owed(&mut self) {
        for key in &self.owed {
            assert_eq!(self.answered.get(key), Some(&1), "a request before {key:?} is answered");
        }
        assert_eq!(self.applied_of(&self.owed), self.owed, "changes in call order, all of them");
        self.streaming.clear();
        self.owed.clear();
    }

    fn applied_of(&self, keys: &[CallKey]) -> Vec<CallKey> {
        self.applied.iter().copied().filter(|key| keys.contains(key)).collect()
    }

    fn answer(&mut self, key: CallKey) {
        *self.answered.entry(key).or_default() += 1;
    }
}

fn limits() -> Limits {
    Limits { concurrency: 3, requests: Some(6), pauses: 4, ..Limits::default() }
}

/// Drives a turn through the script; `order` chooses what happens next among what may.
fn drive(script: &[Answer], mut order: impl Iterator<Item = usize>, interrupt_at: Option<usize>) -> World {
    let mut turn = Turn::new(limits());
    let mut world = World::default();
    let mut pending: Vec<Plan> = Vec::new();
    let mut step = 0;
    let mut feed: Vec<Input> = Vec::new();
    let mut answered_requests = 0;
    let actions = turn.handle(Input::Begin);
    world.act(actions, &mut pending);
    while world.ending.is_none() {
        step += 1;
        assert!(step < 2_000, "never ends: {:#?}", world.trace);
        if interrupt_at == Some(step) {
            feed.clear();
            let actions = turn.handle(Input::Interrupted);
            world.act(actions, &mut pending);
            continue;
        }
        if world.requests.len() > answered_requests {
            answered_requests = world.requests.len();
            let next = script.get(answered_requests - 1);
            let (plans, end) = match next {
                Some(Answer::Message(plans, stop) | Answer::Crowded(plans, stop)) => {
                    (plans.clone(), Input::MessageEnded(*stop))
                }
                Some(Answer::Full) => (Vec::new(), Input::ModelFailed(Ending::ContextFull)),
                Some(Answer::Lost(plans)) => (plans.clone(), Input::StreamLost("cut".into())),
                Some(Answer::Failed) => (Vec::new(), Input::ModelFailed(Ending::Failed("down".into()))),
                None => (Vec::new(), Input::MessageEnded(StopReason::EndTurn)),
            };
            feed = vec![Input::Block(BlockKind::Passive)];
            feed.extend(plans.iter().map(|plan| Input::Block(BlockKind::ToolUse(plan.effects))));
            if matches!(next, Some(Answer::Crowded(..))) {
                feed.push(Input::Crowded);
            }
            feed.push(end);
            pending = plans;
        }
        let mut choices: Vec<Input> = feed.first().cloned().into_iter().collect();
        for key in &world.deciding {
            let plan = &world.plans[key];
            let settled = world.owed.contains(key);
            let decided = if plan.early || settled { plan.decided.clone() } else { Decided::NotEarly };
            choices.push(Input::Decided(*key, decided));
        }
        choices.extend(world.running.iter().map(|key| Input::Finished(*key)));
        if world.compacting {
            choices.extend([Input::Compacted, Input::CompactionFailed]);
        }
        assert!(!choices.is_empty(), "stuck: {:#?}", world.trace);
        let index = order.next().unwrap_or(0) % choices.len();
        let input = choices.swap_remove(index);
        match &input {
            Input::Decided(key, decided) => {
                world.deciding.remove(key);
                match decided {
                    Decided::Run(effects) => {
                        world.effects.insert(*key, *effects);
                    }
                    Decided::Refused | Decided::RefusedAndEnd(_) => world.answer(*key),
                    Decided::NotEarly => {}
                }
            }
            Input::Finished(key) => {
                world.running.remove(key);
                if !world.forgotten.contains(key) {
                    world.answer(*key);
                }
            }
            Input::Compacted | Input::CompactionFailed => world.compacting = false,
            _ => {
                feed.remove(0);
            }
        }
        world.trace.push(format!("<- {input:?}"));
        let actions = turn.handle(input);
        world.act(actions, &mut pending);
    }
    assert!(turn.is_over());
    assert_eq!(turn.handle(Input::Interrupted), Vec::new());
    // Nothing is shortened again before a message became whole.
    assert!(world.compactions.is_sorted_by(|one, other| one < other), "{:#?}", world.trace);
    world
}

fn plan() -> impl Strategy<Value = Plan> {
    let decided = prop_oneof![
        6 => (0..KINDS.len()).prop_map(|kind| Decided::Run(KINDS[kind])),
        2 => Just(Decided::Refused),
        1 => Just(Decided::RefusedAndEnd(Ending::Repeating)),
    ];
    (0..KINDS.len(), decided, any::<bool>(), any::<bool>()).prop_map(|(kind, decided, early, rewritten)| {
        let effects = KINDS[kind];
        // Most decisions leave the effects as they were parsed.
        let decided = match decided {
            Decided::Run(_) if !rewritten => Decided::Run(effects),
            other => other,
        };
        Plan { effects, decided, early }
    })
}

fn answer() -> impl Strategy<Value = Answer> {
    let plans = || prop::collection::vec(plan(), 0..6);
    let stop = || {
        prop_oneof![
            Just(StopReason::ToolUse),
            Just(StopReason::EndTurn),
            Just(StopReason::MaxTokens),
            Just(StopReason::PauseTurn),
            Just(StopReason::Refusal),
        ]
    };
    prop_oneof![
        6 => (plans(), stop()).prop_map(|(plans, stop)| Answer::Message(plans, stop)),
        2 => (plans(), stop()).prop_map(|(plans, stop)| Answer::Crowded(plans, stop)),
        2 => plans().prop_map(Answer::Lost),
        1 => Just(Answer::Full),
        1 => Just(Answer::Failed),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_500) })]
    #[test]
    fn every_tool_use_gets_one_answer_and_nothing_overlaps(
        script in prop::collection::vec(answer(), 0..5),
        order in prop::collection::vec(any::<usize>(), 0..200),
        interrupt in prop::option::of(1..40_usize),
    ) {
        drive(&script, order.into_iter(), interrupt);
    }
}

fn run(effects: Effects) -> Plan {
    Plan { effects, decided: Decided::Run(effects), early: true }
}

#[test]
fn endings() {
    let message = |stop| vec![Answer::Message(Vec::new(), stop)];
    let check = |script: Vec<Answer>, ending: Ending, requests: usize| {
        let world = drive(&script, std::iter::empty(), None);
        assert_eq!((world.ending, world.requests.len()), (Some(ending), requests));
    };
    check(message(StopReason::EndTurn), Ending::Done, 1);
    check(message(StopReason::MaxTokens), Ending::OutputLimit, 1);
    check(message(StopReason::PauseTurn), Ending::Done, 2);
    check(message(StopReason::Refusal), Ending::Refused, 1);
    // Calls that a model begins and then declines to go on with are not run.
    let declined = vec![Answer::Message(vec![run(Effects::WRITES)], StopReason::Refusal)];
    check(declined, Ending::Refused, 1);
    let paused = vec![Answer::Message(Vec::new(), StopReason::PauseTurn); 20];
    let how = "the provider paused the answer more than 4 times; send the prompt again to go on";
    check(paused, Ending::Failed(how.into()), 5);
    check(message(StopReason::ContextFull), Ending::ContextFull, 1);
    check(vec![Answer::Failed], Ending::Failed("down".into()), 1);
    check(vec![Answer::Lost(Vec::new())], Ending::Done, 2);
    check(vec![Answer::Lost(Vec::new()); 2], Ending::Failed("cut".into()), 2);
    check(vec![Answer::Message(vec![run(Effects::WRITES)], StopReason::MaxTokens)], Ending::Done, 2);
    check(
        vec![Answer::Message(vec![run(Effects::READ_ONLY)], StopReason::ToolUse); 9],
        Ending::MaxRequests,
        6,
    );
}

#[test]
fn a_lost_stream_is_asked_for_whole_and_its_early_calls_are_forgotten() {
    let script =
        [Answer::Lost(vec![run(Effects::READ_ONLY)]), Answer::Message(Vec::new(), StopReason::EndTurn)];
    // Two blocks, the decision, then the break: the early call is under way.
    let world = drive(&script, [0, 0, 1, 0].into_iter(), None);
    assert_eq!(world.requests, [Delivery::Stream, Delivery::Whole]);
    assert_eq!((world.commits, world.answered.len(), world.forgotten.len()), (1, 0, 1));
}

#[test]
fn reads_start_while_the_message_streams_and_a_write_waits_for_them() {
    let plans = [Effects::READ_ONLY, Effects::READ_ONLY, Effects::WRITES, Effects::READ_ONLY].map(run);
    let mut turn = Turn::new(limits());
    let mut keys = Vec::new();
    let took = |actions: &[Action], keys: &mut Vec<CallKey>| {
        keys.extend(actions.iter().filter_map(|action| match action {
            Action::Took(key) => Some(*key),
            _ => None,
        }));
    };
    turn.handle(Input::Begin);
    for plan in plans {
        let actions = turn.handle(Input::Block(BlockKind::ToolUse(plan.effects)));
        took(&actions, &mut keys);
    }
    let read = Decided::Run(Effects::READ_ONLY);
    assert_eq!(turn.handle(Input::Decided(keys[0], read.clone())), [Action::Run(keys[0])]);
    assert_eq!(turn.handle(Input::MessageEnded(StopReason::ToolUse)), [Action::Commit]);
    assert_eq!(turn.handle(Input::Decided(keys[1], read)), [Action::Run(keys[1])]);
    assert_eq!(turn.handle(Input::Finished(keys[1])), []);
    assert_eq!(
        turn.handle(Input::Finished(keys[0])),
        [Action::Apply(keys[..2].to_vec()), Action::Decide(keys[2], Timing::Settled)]
    );
    assert_eq!(turn.handle(Input::Decided(keys[2], Decided::Run(Effects::WRITES))), [Action::Run(keys[2])]);
    // What the write changed takes effect before the next call is decided.
    assert_eq!(
        turn.handle(Input::Finished(keys[2])),
        [Action::Apply(vec![keys[2]]), Action::Decide(keys[3], Timing::Settled)]
    );
}

#[test]
fn a_conversation_that_no_longer_fits_is_shortened_once_and_asked_again() {
    let text = || Answer::Message(Vec::new(), StopReason::EndTurn);
    let crowded = || Answer::Crowded(vec![run(Effects::READ_ONLY)], StopReason::ToolUse);
    let check = |script: Vec<Answer>, order: &[usize], ending: Ending, compactions: &[u32]| {
        let world = drive(&script, order.iter().copied(), None);
        assert_eq!((world.ending, world.compactions), (Some(ending), compactions.to_vec()), "{script:?}");
    };
    // Blocks in order; a choice of 1 while it is shortened: it fails.
    check(vec![Answer::Full, text()], &[], Ending::Done, &[0]);
    check(vec![Answer::Full, Answer::Full], &[], Ending::ContextFull, &[0]);
    check(vec![Answer::Full], &[0, 0, 1], Ending::ContextFull, &[0]);
    check(vec![crowded(), text()], &[], Ending::Done, &[1]);
    check(vec![crowded(), crowded(), text()], &[], Ending::Done, &[1]);
    check(vec![crowded(), crowded(), crowded(), text()], &[], Ending::Done, &[1, 3]);
    check(vec![crowded(), crowded(), Answer::Full, text()], &[], Ending::Done, &[1, 2]);
}

#[test]
fn one_may_forbid_it_and_interrupt_it() {
    let mut turn = Turn::new(Limits { compaction: false, ..limits() });
    turn.handle(Input::Crowded);
    assert_eq!(turn.handle(Input::Begin), [Action::CallModel(Delivery::Stream)]);
    assert_eq!(
        turn.handle(Input::ModelFailed(Ending::ContextFull)),
        [Action::Discard, Action::Finish(Ending::ContextFull)]
    );
    let mut turn = Turn::new(limits());
    turn.handle(Input::Crowded);
    assert_eq!(turn.handle(Input::Begin), [Action::Compact(CompactionReason::Crowded)]);
    assert_eq!(turn.handle(Input::Interrupted), [Action::Finish(Ending::Interrupted)]);
    assert_eq!(turn.handle(Input::Compacted), []);
}
