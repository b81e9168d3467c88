//! The contract suite: one method a promise, each a test by [`contract_tests!`](crate::contract_tests). Sees a tool as a
//! host does, through its registration.

mod definition;
mod examples;
mod views;

use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use toolwright_core::{DynCall, DynTool, Example, Registration, Services, ToolContext};

use crate::{TempWorkspace, context, test_services};

type MakeServices = Box<dyn Fn(&TempWorkspace) -> Services>;
type Setup = Box<dyn Fn(&TempWorkspace, &Services)>;

/// One tool under test: its registration and how its workspace and services are made.
pub struct Contract {
    registration: Registration,
    services: MakeServices,
    setup: Setup,
}

impl fmt::Debug for Contract {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Contract").field(&self.registration).finish()
    }
}

/// A fresh workspace with the tool built in it.
struct Scene {
    workspace: TempWorkspace,
    context: ToolContext,
    tool: Arc<dyn DynTool>,
}

impl Contract {
    /// With null services and an empty workspace.
    #[must_use]
    pub fn new(registration: Registration) -> Self {
        Self { registration, services: Box::new(test_services), setup: Box::new(|_, _| {}) }
    }

    /// With services of the test's own.
    #[must_use]
    pub fn services(mut self, make: impl Fn(&TempWorkspace) -> Services + 'static) -> Self {
        self.services = Box::new(make);
        self
    }

    /// With something done before each example: files written, a file read.
    #[must_use]
    pub fn setup(mut self, setup: impl Fn(&TempWorkspace, &Services) + 'static) -> Self {
        self.setup = Box::new(setup);
        self
    }

    fn scene(&self) -> Scene {
        let workspace = TempWorkspace::new();
        let services = (self.services)(&workspace);
        let tool = (self.registration.build)(&services).unwrap_or_else(|reason| {
            panic!("{} is not offered ({reason}); give `services = ..` that it needs", self.registration.name)
        });
        (self.setup)(&workspace, &services);
        Scene { context: context(&workspace), workspace, tool }
    }

    /// Every example in a scene of its own.
    fn examples(&self) -> impl Iterator<Item = (&'static Example, Scene, Arc<dyn DynCall>)> {
        let examples = (self.registration.examples)();
        assert!(
            !examples.is_empty(),
            "{} has no examples; `Prompt::examples` gives at least one",
            self.registration.name
        );
        examples.iter().map(|example| {
            let scene = self.scene();
            let call = scene.parse(example);
            (example, scene, call)
        })
    }
}

impl Scene {
    fn input(&self, example: &Example) -> Value {
        let cwd = self.workspace.path().to_string_lossy();
        serde_json::from_str(&example.input.replace("{cwd}", &cwd))
            .unwrap_or_else(|error| panic!("the example `{}` is no JSON: {error}", example.title))
    }

    fn parse(&self, example: &Example) -> Arc<dyn DynCall> {
        Arc::clone(&self.tool)
            .parse(self.input(example))
            .unwrap_or_else(|error| panic!("the example `{}` does not parse: {error}", example.title))
    }
}
