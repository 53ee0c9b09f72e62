//! One VM, several host threads: each keeps a session, pushes work into a Ruby queue and takes results, while a Ruby
//! thread does the work. Then what the lock says about who waited for whom.
//!
//!     cargo run --release -p rubellite --example workers

use rubellite::{Any, Error, Vm};
use std::time::Duration;

fn main() -> Result<(), Error> {
    let vm = Vm::builder().slice(Duration::from_millis(2)).build()?;
    vm.eval::<()>("JOBS = Queue.new; Thread.new { while (job, reply = JOBS.pop); reply << job.digits.sum; end }")?;
    let totals: Vec<Result<i64, Error>> = std::thread::scope(|threads| {
        let workers: Vec<_> = (0..4i64)
            .map(|worker| {
                threads.spawn({
                    let vm = vm.clone();
                    move || ask(&vm, worker)
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("no panic")).collect()
    });
    for (worker, total) in totals.into_iter().enumerate() {
        println!("host thread {worker}: {}", total?);
    }
    vm.eval::<()>("JOBS.close")?;
    let stats = vm.lock().totals();
    println!(
        "the lock was handed over {} times, its threads waited {} us",
        stats.given.iter().sum::<u64>(),
        stats.waited_ns / 1000
    );
    Ok(())
}

/// A hundred questions of one host thread, each a call of its own; between them it is outside the VM.
fn ask(vm: &Vm, worker: i64) -> Result<i64, Error> {
    let mut session = vm.attach()?;
    let reply: Any = session.eval("Queue.new")?;
    let mut total = 0;
    for i in 0..100 {
        total += session.enter(|scope| {
            let jobs = scope.constant("JOBS")?;
            let job = scope.value(worker * 1000 + i)?;
            scope.call::<()>(&jobs, "push", (vec![job, reply.clone()],))?;
            scope.call::<i64>(&reply, "pop", ())
        })?;
    }
    Ok(total)
}
