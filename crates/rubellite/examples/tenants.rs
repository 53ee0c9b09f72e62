//! A VM per tenant, each with its lock, heap, output and limits: what one does reaches no other.
//!
//!     cargo run --release -p rubellite --example tenants

use rubellite::{Error, Vm};
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Collects what a tenant prints.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

const TENANTS: [(&str, &str); 5] = [
    ("modest", "puts (1..10).sum; :fine"),
    ("endless", "begin; loop { }; ensure; puts 'cleaned up'; end"),
    ("greedy", "hoard = []; loop { hoard << 'x' * 1_000_000 }"),
    ("rude", "class Integer; def +(other) = 42; end; puts 1 + 1"),
    ("neighbour", "puts 1 + 1"),
];

fn main() {
    std::thread::scope(|threads| {
        let runs: Vec<_> = TENANTS.iter().map(|(name, script)| (name, threads.spawn(|| run(script)))).collect();
        for (name, run) in runs {
            let (outcome, output) = run.join().expect("no panic");
            println!("{name}: {outcome}\n    printed {:?}", String::from_utf8_lossy(&output));
        }
    });
}

fn run(script: &str) -> (String, Vec<u8>) {
    let output = Output::default();
    let outcome = run_limited(script, output.clone());
    let printed = output.0.lock().expect("no panic").clone();
    (
        outcome
            .map_or_else(|error| error.to_string().lines().next().unwrap_or_default().to_string(), |()| "done".into()),
        printed,
    )
}

fn run_limited(script: &str, output: Output) -> Result<(), Error> {
    let vm = Vm::builder().time_limit(Duration::from_millis(2000)).memory_limit(64 << 20).stdout(output).build()?;
    vm.eval(script)
}
