//! Erasure, in one private place: a typed tool becomes a `DynTool`, its parsed calls `DynCall`s. Nobody else knows how.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use serde::Deserialize;
use serde_json::Value;

use crate::dynamic::BoxFuture;
use crate::{
    Definition, Detail, DynCall, DynReply, DynTool, Effects, ErrorKind, Label, Origin, Prompt, Reply,
    Services, Stage, Subject, Tool, ToolContext, ToolError, Ui, Unavailable, Verdict, View, lenient, schema,
};

/// Schemas are built on first use, once a process however many agents there are: `register!` owns the static.
#[derive(Debug, Default)]
pub struct Schemas {
    input: OnceLock<Value>,
    output: OnceLock<Value>,
}

impl Schemas {
    /// Nothing built yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { input: OnceLock::new(), output: OnceLock::new() }
    }
}

/// Builds a tool behind the erased edge: `when`, then `new`.
///
/// # Errors
/// The reason why the tool is not offered.
pub fn build<T: Tool + Prompt + Ui>(
    services: &Services,
    package: &'static str,
    schemas: &'static Schemas,
) -> Result<Arc<dyn DynTool>, Unavailable> {
    T::when(services.environment())?;
    Ok(Arc::new(Erased { tool: T::new(services)?, package, definition: OnceLock::new(), schemas }))
}

struct Erased<T> {
    tool: T,
    package: &'static str,
    definition: OnceLock<Definition>,
    schemas: &'static Schemas,
}

struct Call<T: Tool> {
    erased: Arc<Erased<T>>,
    json: Value,
    input: T::Input,
}

impl<T: Tool> Erased<T> {
    fn input_schema(&self) -> &'static Value {
        self.schemas.input.get_or_init(schema::of::<T::Input>)
    }
}

impl<T: Tool + Prompt + Ui> DynTool for Erased<T> {
    fn definition(&self) -> &Definition {
        self.definition.get_or_init(|| Definition {
            name: T::NAME.into(),
            aliases: T::ALIASES.iter().map(|alias| (*alias).into()).collect(),
            origin: Origin::BuiltIn { package: self.package.into() },
            description: self.tool.description().trim_end().into(),
            guidance: self.tool.guidance().map(|text| text.trim_end().into()),
            search_hint: self.tool.search_hint().into(),
            input_schema: schema::wire(self.input_schema()),
            output_schema: Some(self.schemas.output.get_or_init(schema::of::<T::Output>).clone()),
            loading: self.tool.loading(),
            answer_limit: self.tool.answer_limit(),
        })
    }

    fn is_enabled(&self) -> Result<(), Unavailable> {
        self.tool.is_enabled()
    }

    fn parse(self: Arc<Self>, json: Value) -> Result<Arc<dyn DynCall>, ToolError> {
        let (json, input) = lenient::read::<T::Input>(self.input_schema(), json)
            .map_err(|error| ToolError::new(ErrorKind::InvalidInput, format!("{}: {error}", T::NAME)))?;
        Ok(Arc::new(Call { erased: self, json, input }))
    }

    fn group_view(&self, calls: &[(&dyn DynCall, Option<&Value>)], detail: Detail) -> Option<View> {
        let typed = calls.iter().map(|(call, output)| {
            let call = (*call as &dyn Any).downcast_ref::<Call<T>>()?;
            Some((&call.input, output.map(T::Output::deserialize).transpose().ok()?))
        });
        let typed = typed.collect::<Option<Vec<_>>>()?;
        let borrowed: Vec<_> = typed.iter().map(|(input, output)| (*input, output.as_ref())).collect();
        self.tool.group_view(&borrowed, detail)
    }
}

impl<T: Tool + Prompt + Ui> DynCall for Call<T> {
    fn input(&self) -> &Value {
        &self.json
    }

    fn effects(&self) -> Effects {
        self.erased.tool.effects(&self.input)
    }

    fn subjects(&self, cx: &ToolContext) -> Vec<Subject> {
        self.erased.tool.subjects(&self.input, cx)
    }

    fn validate<'a>(&'a self, cx: &'a ToolContext) -> BoxFuture<'a, Result<(), ToolError>> {
        Box::pin(self.erased.tool.validate(&self.input, cx))
    }

    fn check<'a>(&'a self, cx: &'a ToolContext) -> BoxFuture<'a, Verdict> {
        Box::pin(self.erased.tool.check(&self.input, cx))
    }

    fn run<'a>(&'a self, cx: &'a ToolContext) -> BoxFuture<'a, Result<DynReply, ToolError>> {
        Box::pin(async move {
            let tool = &self.erased.tool;
            let Reply { output, outcome, changes } = tool.call(&self.input, cx).await?;
            let json = serde_json::to_value(&output).map_err(|error| {
                ToolError::new(
                    ErrorKind::Failed,
                    format!("{}: its output cannot be written as JSON", T::NAME),
                )
                .caused_by(error)
            })?;
            Ok(DynReply { answer: tool.answer(&output), output: json, outcome, changes })
        })
    }

    fn view(&self, stage: Stage<'_>, detail: Detail) -> View {
        let (tool, input) = (&self.erased.tool, &self.input);
        match stage {
            Stage::Call => tool.call_view(input, detail),
            Stage::Rejected => tool.rejected_view(input, detail),
            Stage::Progress(progress) => tool.progress_view(input, progress, detail),
            Stage::Error(message) => tool.error_view(input, message, detail),
            // An output of another version of the tool is shown as it was stored.
            Stage::Result(json) => T::Output::deserialize(json).map_or_else(
                |_| View::code(Some("json"), json.to_string()),
                |output| tool.result_view(input, &output, detail),
            ),
        }
    }

    fn label(&self, label: Label<'_>) -> Option<String> {
        let (tool, input) = (&self.erased.tool, &self.input);
        match label {
            Label::PersonName => Some(tool.person_name(input)),
            Label::Activity => Some(tool.activity(input)),
            Label::Summary(json) => tool.summary(input, &T::Output::deserialize(json).ok()?),
        }
    }

    fn runs(&self, cx: &ToolContext) -> Option<String> {
        self.erased.tool.runs(&self.input, cx)
    }

    fn classifier_text(&self) -> String {
        self.erased.tool.classifier_text(&self.input)
    }
}
