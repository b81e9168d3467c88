use toolwright_core::*;

struct Hello;

register!(Hello);

fn main() {}
