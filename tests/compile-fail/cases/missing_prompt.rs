use toolwright_core::*;

struct Hello;

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// Whom to greet.
    name: String,
}

impl Tool for Hello {
    const NAME: &'static str = "Hello";
    type Input = Input;
    type Output = String;

    fn new(_: &Services) -> Result<Self, Unavailable> {
        Ok(Self)
    }

    async fn call(&self, input: &Input, _: &ToolContext) -> Result<Reply<String>, ToolError> {
        Ok(input.name.clone().into())
    }
}

impl Ui for Hello {}

register!(Hello);

fn main() {}
