//! What the topics share: a request out of a few words, a model behind a server, an answer in a few words.

use std::collections::BTreeMap;

use futures_util::StreamExt;
use serde_json::{Map, Value, json};
use toolwright_core::{
    Block, Cancel, Content, Definition, Environment, Message, StopReason, ToolInput, Usage,
};
use toolwright_model::{
    Anthropic, Delivery, Model, ModelError, ModelEvent, ModelStream, OpenAi, Request, ToolEntry,
};
use toolwright_testkit::ModelServer;

pub(crate) const KEY: &str = "sk-test-0123456789abcdef";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    Messages,
    Chat,
}

pub(crate) const WIRES: [Wire; 2] = [Wire::Messages, Wire::Chat];

pub(crate) fn environment(variables: &[(&str, &str)], options: Value) -> Environment {
    let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let settings = Map::from_iter([("modelOptions".to_owned(), options)]);
    Environment::new(variables.collect::<BTreeMap<_, _>>(), settings)
}

/// The model of `wire` at `server`. Waits between repetitions are a millisecond.
pub(crate) fn model(wire: Wire, server: &ModelServer, mut options: Value) -> Box<dyn Model> {
    let url = server.url();
    if options.get("firstWaitMs").is_none() {
        options["firstWaitMs"] = json!(1);
    }
    let variables = [
        ("ANTHROPIC_BASE_URL", url.as_str()),
        ("OPENAI_BASE_URL", url.as_str()),
        ("ANTHROPIC_API_KEY", KEY),
        ("OPENAI_API_KEY", KEY),
    ];
    let environment = environment(&variables, options);
    match wire {
        Wire::Messages => Box::new(Anthropic::new("claude-sonnet-5", &environment).unwrap()),
        Wire::Chat => Box::new(OpenAi::new("qwen", &environment).unwrap()),
    }
}

pub(crate) struct Ask {
    pub(crate) messages: Vec<Message>,
    pub(crate) tools: Vec<(Definition, bool)>,
    pub(crate) built_in_tools: usize,
    pub(crate) delivery: Delivery,
}

impl Ask {
    pub(crate) fn text(text: &str) -> Self {
        Self {
            messages: vec![Message::user("m1", text)],
            tools: Vec::new(),
            built_in_tools: 0,
            delivery: Delivery::Stream,
        }
    }

    pub(crate) fn whole(mut self) -> Self {
        self.delivery = Delivery::Whole;
        self
    }

    pub(crate) fn stream(&self, model: &dyn Model, cancel: Cancel) -> ModelStream {
        let tools: Vec<_> = self
            .tools
            .iter()
            .map(|(definition, deferred)| ToolEntry { definition, deferred: *deferred })
            .collect();
        let request = Request {
            system: &["You help.", "Work in /work."],
            tools: &tools,
            built_in_tools: self.built_in_tools,
            messages: &self.messages,
            max_output_tokens: None,
            delivery: self.delivery,
        };
        model.stream(request, cancel)
    }

    pub(crate) fn answer(&self, model: &dyn Model) -> Answer {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut stream = self.stream(model, Cancel::default());
            let mut answer = Answer::default();
            while let Some(event) = stream.next().await {
                answer.take(event);
            }
            answer
        })
    }
}

/// An answer, and whether its events kept their promises.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) blocks: Vec<Block>,
    pub(crate) text: String,
    pub(crate) thought: String,
    pub(crate) json: String,
    pub(crate) retries: usize,
    pub(crate) end: Option<Result<(StopReason, Usage), ModelError>>,
}

impl Answer {
    pub(crate) fn take(&mut self, event: Result<ModelEvent, ModelError>) {
        assert!(self.end.is_none(), "something follows the end: {event:?}");
        match event {
            Ok(ModelEvent::TextDelta { text, .. }) => self.text.push_str(&text),
            Ok(ModelEvent::ThinkingDelta { text, .. }) => self.thought.push_str(&text),
            Ok(ModelEvent::ToolInputDelta { json, .. }) => self.json.push_str(&json),
            Ok(ModelEvent::BlockFinished { index, block }) => {
                assert_eq!(index, self.blocks.len(), "blocks come in order");
                self.blocks.push(block);
            }
            Ok(ModelEvent::Retrying { .. }) => self.retries += 1,
            Ok(ModelEvent::Finished { stop, usage }) => self.end = Some(Ok((stop, usage))),
            Ok(_) => {}
            Err(error) => self.end = Some(Err(error)),
        }
    }

    pub(crate) fn stop(&self) -> StopReason {
        self.end.as_ref().unwrap().as_ref().unwrap().0
    }

    pub(crate) fn usage(&self) -> Usage {
        self.end.as_ref().unwrap().as_ref().unwrap().1
    }

    pub(crate) fn error(&self) -> &ModelError {
        self.end.as_ref().unwrap().as_ref().unwrap_err()
    }

    /// `text:ok`, `Read{"file_path":"/x"}`, `Read!{"fi`: one block a line.
    pub(crate) fn words(&self) -> String {
        let word = |block: &Block| match block {
            Block::Thinking { text, signature } => format!("thought:{text} {signature:?}"),
            Block::ToolUse { id, name, input: ToolInput::Json(value) } => format!("{id}:{name}{value}"),
            Block::ToolUse { id, name, input: ToolInput::Malformed(text) } => format!("{id}:{name}!{text}"),
            Block::Content(Content::Text { text }) => format!("text:{text}"),
            Block::Vendor { vendor, value } => format!("{vendor}:{value}"),
            other => format!("{other:?}"),
        };
        self.blocks.iter().map(word).collect::<Vec<_>>().join("\n")
    }
}
