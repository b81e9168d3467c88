//! The numbers of the ranking: found by cross-validation over queries, none of them critical.

/// What a field counts, and how much its length takes of that (0 to 1).
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub(super) weight: f32,
    pub(super) length: f32,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Weights {
    /// A tool's name, its server with what all names of that server share, its hint, the first sentence of its description, the
    /// rest of it, the names of its arguments, their descriptions.
    pub(super) fields: [Field; 7],
    /// How soon more of the same word says no more.
    pub(super) saturation: f32,
    /// What counts a word that means the same, one that nearly does, and a translation, where the word itself counts 1.
    pub(super) same: f32,
    pub(super) near: f32,
    pub(super) translated: f32,
    /// What counts a word with the same beginning, and what each letter of a misspelling takes.
    pub(super) kindred: f32,
    pub(super) letter: f32,
    /// How much more than what it stands for a phrase may count.
    pub(super) phrase: f32,
    /// What count words that only say what is done, and words that are content of the wish.
    pub(super) action: f32,
    pub(super) content: f32,
    /// What count what is told: what follows `about` or `called`.
    pub(super) told: f32,
    /// What count words that are hinted at by the form of content.
    pub(super) hint: f32,
    /// What is left of words that an intent was made out from.
    pub(super) idiom: f32,
    /// What count the words that an intent means.
    pub(super) intent: f32,
    /// Of how many of them each counts fully.
    pub(super) meant: f32,
    /// What of the score depends on how much of the query was found (0 to 1).
    pub(super) coverage: f32,
    /// What is added, as a share, when the query says all of a tool's name.
    pub(super) name: f32,
    /// What is added, as a share, when the query names the tool's server.
    pub(super) server: f32,
    /// What is left of the score where the query names the product of another server.
    pub(super) elsewhere: f32,
    /// What counts that a question is answered by reading.
    pub(super) question: f32,
    /// What is left of the score of a tool whose name says that it changes something, where the query says no such thing.
    pub(super) unasked: f32,
    /// The same where the query asks a question.
    pub(super) asked: f32,
    /// What is left where its name says the opposite of what the query says.
    pub(super) opposed: f32,
    /// How much the rarity of a word counts: a power of it.
    pub(super) rarity: f32,
}

pub(super) const WEIGHTS: Weights = Weights {
    fields: [
        Field { weight: 5.3, length: 0.3 },
        Field { weight: 2.0, length: 0.0 },
        Field { weight: 2.0, length: 0.3 },
        Field { weight: 1.5, length: 0.25 },
        Field { weight: 0.6, length: 0.6 },
        Field { weight: 0.5, length: 0.75 },
        Field { weight: 0.25, length: 1.0 },
    ],
    saturation: 1.2,
    same: 0.7,
    near: 0.35,
    translated: 0.9,
    kindred: 0.5,
    letter: 0.2,
    phrase: 1.1,
    action: 0.8,
    content: 0.2,
    told: 0.8,
    hint: 0.4,
    idiom: 0.6,
    intent: 1.0,
    meant: 3.0,
    coverage: 0.5,
    name: 0.3,
    server: 0.22,
    elsewhere: 0.6,
    question: 0.6,
    unasked: 0.85,
    asked: 0.55,
    opposed: 0.7,
    rarity: 0.45,
};
