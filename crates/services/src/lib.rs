//! The capabilities hosts offer and tools ask for, each as a small trait with a null and a fake.
