//! Threads that take turns allocate, grow, free and pass on blocks, with and without the lock; each block is filled
//! with a number of its own, and found so again.

use rubellite_allocator::{Allocator, prepare, trim};
use rubellite_vmlock::{Config, VmLock, holds_designated};
use std::sync::{Arc, Mutex};

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

const THREADS: u64 = 4;
const TURNS: usize = 3_000;
const BLOCKS_PER_TURN: usize = 24;

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    /// Mostly small, now and then beyond what the holder's heap has.
    fn len(&mut self) -> usize {
        let most = [40, 300, 3_000, 200_000][self.below(16).saturating_sub(12)];
        1 + self.below(most)
    }
}

/// Bytes that are all the same.
struct Filled(Vec<u8>);

impl Filled {
    fn new(len: usize, byte: u8) -> Filled {
        Filled(if byte == 0 { vec![0; len] } else { [byte].repeat(len) })
    }

    fn grow(&mut self, by: usize) {
        self.0.resize(self.0.len() + by, self.0[0]);
    }

    fn shrink(&mut self) {
        self.0.truncate(1 + self.0.len() / 3);
        self.0.shrink_to_fit();
    }

    fn check(&self) {
        assert!(self.0.iter().all(|&byte| byte == self.0[0]), "a block of {} bytes was overwritten", self.0.len());
    }
}

fn turn(random: &mut Random, mine: &mut Vec<Filled>, everybodys: &Mutex<Vec<Filled>>) {
    for _ in 0..BLOCKS_PER_TURN {
        mine.push(Filled::new(random.len(), random.below(256) as u8));
        let at = random.below(mine.len());
        match random.below(8) {
            0 => mine[at].grow(random.below(500)),
            1 => mine[at].shrink(),
            2 => everybodys.lock().unwrap().push(mine.swap_remove(at)),
            3 => mine.extend(everybodys.lock().unwrap().pop()),
            4 | 5 => mine.swap_remove(at).check(),
            _ => {}
        }
    }
    let end = mine.len();
    if end > 400 {
        mine.drain(random.below(100)..end - random.below(100)).for_each(|block| block.check());
    }
}

#[test]
fn blocks_keep_their_content_whoever_holds_the_lock() {
    prepare();
    let lock = VmLock::new(Config::default());
    let everybodys = Arc::new(Mutex::new(Vec::new()));
    let threads: Vec<_> = (1..=THREADS)
        .map(|seed| {
            let (lock, everybodys) = (lock.clone(), everybodys.clone());
            std::thread::spawn(move || {
                let mut random = Random(seed);
                let mut mine = Vec::new();
                let me = lock.attach("worker");
                for count in 0..TURNS {
                    assert!(!holds_designated());
                    me.acquire();
                    assert!(holds_designated());
                    turn(&mut random, &mut mine, &everybodys);
                    if count % 500 == 0 {
                        trim();
                    }
                    me.release();
                    if count % 3 == 0 {
                        turn(&mut random, &mut mine, &everybodys);
                    }
                }
                me.detach();
                mine.iter().for_each(Filled::check);
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    everybodys.lock().unwrap().iter().for_each(Filled::check);
}
