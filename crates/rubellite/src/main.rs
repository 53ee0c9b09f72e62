//! The command line.

#![forbid(unsafe_code)]

mod cli;

#[global_allocator]
static ALLOCATOR: rubellite_allocator::Allocator = rubellite_allocator::Allocator;

fn main() {
    cli::main();
}
