//! A tool made of a definition and an async closure: for hosts that need one tool and no crate.

use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::dynamic::BoxFuture;
use crate::{
    Definition, DynCall, DynReply, DynTool, Effects, ErrorKind, ToolContext, ToolError, lenient, schema,
};

/// A tool whose input is typed and whose schema is the type's. `Arc<Value>` as the input takes any JSON and keeps the
/// definition's own schema.
///
/// ```
/// use std::sync::Arc;
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use toolwright_core::{Definition, DynReply, DynTool as _, Effects, tool_fn};
///
/// #[derive(Deserialize, JsonSchema)]
/// #[serde(deny_unknown_fields)]
/// struct Greet { /** Whom to greet. */ name: String }
///
/// let greet = tool_fn(Definition::new("greet", "Greets."), Effects::READ_ONLY, |input: Arc<Greet>, _| async move {
///     Ok(DynReply::text(format!("hello {}", input.name)))
/// });
/// assert_eq!(greet.definition().input_schema["properties"]["name"]["description"], "Whom to greet.");
/// assert!(greet.parse(serde_json::json!({"nmae": "x"})).is_err());
/// ```
pub fn tool_fn<I, F, R>(definition: Definition, effects: Effects, run: F) -> Arc<dyn DynTool>
where
    I: DeserializeOwned + JsonSchema + Send + Sync + 'static,
    F: Fn(Arc<I>, ToolContext) -> R + Send + Sync + 'static,
    R: Future<Output = Result<DynReply, ToolError>> + Send + 'static,
{
    let own = schema::of::<I>();
    let takes_anything = own.get("properties").is_none() && own.get("$ref").is_none();
    let schema = if takes_anything { definition.input_schema.clone() } else { own };
    let definition = Definition { input_schema: schema::wire(&schema), ..definition };
    Arc::new(Closure { definition, schema, effects, run, input: PhantomData })
}

struct Closure<I, F> {
    definition: Definition,
    schema: Value,
    effects: Effects,
    run: F,
    input: PhantomData<fn(I)>,
}

struct ClosureCall<I, F> {
    tool: Arc<Closure<I, F>>,
    json: Value,
    input: Arc<I>,
}

impl<I, F, R> DynTool for Closure<I, F>
where
    I: DeserializeOwned + Send + Sync + 'static,
    F: Fn(Arc<I>, ToolContext) -> R + Send + Sync + 'static,
    R: Future<Output = Result<DynReply, ToolError>> + Send + 'static,
{
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn parse(self: Arc<Self>, json: Value) -> Result<Arc<dyn DynCall>, ToolError> {
        let (json, input) = lenient::read::<I>(&self.schema, json).map_err(|error| {
            ToolError::new(ErrorKind::InvalidInput, format!("{}: {error}", self.definition.name))
        })?;
        Ok(Arc::new(ClosureCall { tool: self, json, input: Arc::new(input) }))
    }
}

impl<I, F, R> DynCall for ClosureCall<I, F>
where
    I: Send + Sync + 'static,
    F: Fn(Arc<I>, ToolContext) -> R + Send + Sync + 'static,
    R: Future<Output = Result<DynReply, ToolError>> + Send + 'static,
{
    fn input(&self) -> &Value {
        &self.json
    }

    fn effects(&self) -> Effects {
        self.tool.effects
    }

    fn run<'a>(&'a self, cx: &'a ToolContext) -> BoxFuture<'a, Result<DynReply, ToolError>> {
        Box::pin((self.tool.run)(Arc::clone(&self.input), cx.clone()))
    }
}
