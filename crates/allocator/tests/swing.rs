//! A program that makes some megabytes of garbage between two collections takes them from the system once.

use rubellite_allocator::{Allocator, prepare};
use rubellite_vmlock::{Config, VmLock};

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

const BLOCKS: usize = 6_000;
const BLOCK_BYTES: usize = 800;
const ROUNDS: usize = 16;

/// How many pages the system has given to the calling thread so far.
fn pages_taken() -> usize {
    // SAFETY: zeros are a valid `rusage`, which the system fills.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        assert_eq!(libc::getrusage(libc::RUSAGE_THREAD, &mut usage), 0);
        usage
    };
    usage.ru_minflt as usize
}

fn swing(rounds: usize) {
    for _ in 0..rounds {
        let garbage: Vec<Vec<u8>> = (0..BLOCKS).map(|number| vec![number as u8 | 1; BLOCK_BYTES]).collect();
        drop(garbage);
    }
}

#[test]
fn pages_that_are_wanted_again_keep_their_memory() {
    prepare();
    let lock = VmLock::new(Config::default());
    let me = lock.attach("swing");
    me.acquire();
    swing(ROUNDS);
    let before = pages_taken();
    swing(ROUNDS);
    let taken = pages_taken() - before;
    me.release();
    me.detach();
    let garbage_pages = ROUNDS * BLOCKS * BLOCK_BYTES / 4096;
    assert!(taken < garbage_pages / 10, "{taken} of {garbage_pages} pages were taken anew");
}
