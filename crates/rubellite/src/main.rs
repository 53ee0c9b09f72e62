//! The command line.

#![forbid(unsafe_code)]

mod cli;

fn main() {
    cli::main();
}
