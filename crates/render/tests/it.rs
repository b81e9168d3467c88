//! What people and programs see of views and events.

#[path = "it/fixtures.rs"]
mod fixtures;
#[path = "it/live.rs"]
mod live;
#[path = "it/programs.rs"]
mod programs;
#[path = "it/views.rs"]
mod views;
