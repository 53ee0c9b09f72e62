//! The command line.

#![deny(unsafe_code)]

#[allow(unsafe_code)]
mod allocator;
mod cli;

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

fn main() {
    cli::main();
}
