//! Native threads that ask the system for names and addresses. One that has its answer stays a while for the next
//! question: to begin and to end takes locks of the C library, which a fork might cut off.
//!
//! The threads are the process's and know nothing of a VM. What they do for a question is delicate work: it has ended
//! when the helper is back on the list, whose lock is free in the child of a fork, therefore.

use rubellite_core_process::delicate::Delicate;
use rubellite_vm::vmlock::spawn_native;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const STACK: usize = 512 * 1024;
/// How many idle helpers stay, and for how long.
const IDLE_MAX: usize = 8;
const STAY: Duration = Duration::from_secs(10);

type Work = Box<dyn FnOnce() + Send>;

struct Job {
    work: Work,
    delicate: Delicate,
}

/// Helpers without a question.
struct Idle {
    /// The process whose threads they are.
    pid: u32,
    next_id: u64,
    list: Vec<(u64, Sender<Job>)>,
}

static IDLE: Mutex<Idle> = Mutex::new(Idle { pid: 0, next_id: 0, list: Vec::new() });

fn idle() -> MutexGuard<'static, Idle> {
    let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let pid = std::process::id();
    if idle.pid != pid {
        // A fork has left no helper. What belongs to the channels of the old ones is left alone.
        std::mem::forget(std::mem::take(&mut idle.list));
        idle.pid = pid;
    }
    idle
}

/// Runs `work` on a helper. False: the system has no thread for it.
pub fn run(work: impl FnOnce() + Send + 'static) -> bool {
    let mut job = Job { delicate: Delicate::begin(), work: Box::new(work) };
    let id = {
        let mut idle = idle();
        while let Some((_, helper)) = idle.list.pop() {
            match helper.send(job) {
                Ok(()) => return true,
                Err(back) => job = back.0,
            }
        }
        idle.next_id += 1;
        idle.next_id
    };
    spawn_native("resolve", STACK, move || serve(id, job))
}

fn serve(id: u64, first: Job) {
    let (sender, jobs) = channel();
    let mut job = first;
    loop {
        (job.work)();
        let stays = rest(id, &sender);
        drop(job.delicate);
        if !stays {
            return;
        }
        match next(id, &jobs) {
            Some(next) => job = next,
            None => return,
        }
    }
}

/// Puts the helper on the list, if there is room.
fn rest(id: u64, sender: &Sender<Job>) -> bool {
    let mut idle = idle();
    let room = idle.list.len() < IDLE_MAX;
    if room {
        idle.list.push((id, sender.clone()));
    }
    room
}

/// The next question; none: the helper is off the list and may end.
fn next(id: u64, jobs: &Receiver<Job>) -> Option<Job> {
    match jobs.recv_timeout(STAY) {
        Ok(job) => Some(job),
        Err(RecvTimeoutError::Disconnected) => None,
        Err(RecvTimeoutError::Timeout) => {
            let delicate = Delicate::begin();
            let mut idle = idle();
            let place = idle.list.iter().position(|(other, _)| *other == id);
            if let Some(at) = place {
                idle.list.swap_remove(at);
            }
            drop((idle, delicate));
            // Who took it off the list has a question on the way.
            if place.is_some() { None } else { jobs.recv().ok() }
        }
    }
}
