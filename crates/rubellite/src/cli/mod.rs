//! The command line: options (`options`), their help texts (`help`), running a program with them (`run`); the
//! subcommands (`command`), a file each.

mod attach;
mod ccbench;
mod command;
mod explain;
mod explore;
mod help;
mod jit;
mod options;
mod races;
mod record;
mod run;
mod top;

use options::Options;
use rubellite_vm::address_space;
use rubellite_vm::complain;
use rubellite_vm::object::{is_out_of_memory, panic_text};
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::ffi::OsStringExt;

/// Machine stack of the main program. Memory is only used as far as it is touched.
const STACK_BYTES: usize = 256 << 20;
/// Where address space is limited it takes no more than such a part of it.
const STACK_PART: usize = 8;

/// Reads the options and runs the program on a thread with a large stack. Does not return.
pub fn main() {
    let args: Vec<Vec<u8>> = std::env::args_os().map(OsString::into_vec).collect();
    let name = args.first().cloned().unwrap_or_else(|| b"rubellite".to_vec());
    if let Some(command) = args.get(1).and_then(|word| command::find(word)) {
        std::process::exit(command.start(&args[2..]));
    }
    let options = match Options::parse(&args) {
        Ok(options) => options,
        Err(message) => fail(&name, &message),
    };
    if let Some(text) = help::immediate(&options, &name) {
        print(&text);
        std::process::exit(0);
    }
    rubellite_allocator::on_failure(rubellite_vm::thread::relieve);
    rubellite_allocator::prepare();
    address_space::prepare(rubellite_allocator::trim, rubellite_allocator::limited);
    silence_panics();
    let stack = address_space::portion(STACK_BYTES, STACK_PART);
    let worker =
        std::thread::Builder::new().name("main".into()).stack_size(stack).spawn(move || run::run(options, &name));
    let status = match worker.map(|thread| thread.join()) {
        Ok(Ok(status)) => status,
        Ok(Err(_)) => 134,
        Err(error) => {
            complain!("rubellite: cannot start the main thread: {error}");
            1
        }
    };
    std::process::exit(status);
}

/// Panics become exceptions, which tell what happened. What the panic itself has to say interests whoever asks for a
/// backtrace.
fn silence_panics() {
    let with_backtrace = std::env::var_os("RUST_BACKTRACE").is_some().then(std::panic::take_hook);
    std::panic::set_hook(Box::new(move |panic| match &with_backtrace {
        _ if is_out_of_memory(panic.payload()) => {}
        Some(report) => report(panic),
        None => complain!("[BUG] {}", panic_text(panic.payload())),
    }));
}

/// Writes to standard output; whoever reads it may have had enough.
fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// "rubellite: message (RuntimeError)", status 1.
fn fail(name: &[u8], message: &str) -> ! {
    let class = if message.starts_with("Can't chdir") { "fatal" } else { "RuntimeError" };
    complain!("{}: {message} ({class})", String::from_utf8_lossy(name));
    std::process::exit(1);
}
