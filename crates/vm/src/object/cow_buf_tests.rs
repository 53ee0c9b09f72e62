//! Tests of the copy-on-write buffer against a plain vector.

use super::*;

/// A small generator of repeatable random numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn range(&mut self, len: usize) -> Range<usize> {
        let start = self.below(len + 1);
        start..start + self.below(len - start + 1)
    }
}

/// One random operation on both the buffer and its model.
fn step(random: &mut Random, buf: &mut CowBuf<u64>, model: &mut Vec<u64>) {
    let item = random.next();
    let many: Vec<u64> = (0..random.below(40)).map(|i| item.wrapping_add(i as u64)).collect();
    match random.below(14) {
        0 | 1 => {
            buf.push(item);
            model.push(item);
        }
        2 => assert_eq!(buf.pop(), model.pop()),
        3 => {
            let first = if model.is_empty() { None } else { Some(model.remove(0)) };
            assert_eq!(buf.shift(), first);
        }
        4 => {
            buf.extend(&many);
            model.extend_from_slice(&many);
        }
        5 => {
            buf.prepend(&many);
            model.splice(0..0, many);
        }
        6 => {
            let range = random.range(model.len());
            buf.splice(range.clone(), &many);
            model.splice(range, many);
        }
        7 => {
            let range = random.range(model.len());
            buf.splice(range.clone(), &[]);
            model.splice(range, []);
        }
        8 => {
            let at = random.below(model.len() + 1);
            buf.insert(at, item);
            model.insert(at, item);
        }
        9 => {
            let range = random.range(model.len().min(30));
            buf.extend_from_within(range.clone());
            model.extend_from_within(range);
        }
        10 if !model.is_empty() => {
            let at = random.below(model.len());
            buf.set(at, item);
            model[at] = item;
        }
        11 => {
            let len = random.below(model.len() * 8 + 1);
            buf.truncate(len);
            model.truncate(len);
        }
        12 => buf.shrink(),
        _ => {
            let count = random.below(model.len() + 1);
            buf.remove_front(count / 4);
            model.drain(..count / 4);
        }
    }
}

#[test]
fn behaves_like_a_vector() {
    for seed in 1..60 {
        let mut random = Random(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(seed));
        // Several buffers that share blocks with each other.
        let mut all: Vec<(CowBuf<u64>, Vec<u64>)> = vec![(CowBuf::new(), Vec::new())];
        for _ in 0..400 {
            let at = random.below(all.len());
            let (buf, model) = &mut all[at];
            if random.below(8) == 0 {
                let range = random.range(model.len());
                let other = if random.below(2) == 0 {
                    (buf.share(range.clone()), model[range].to_vec())
                } else {
                    (buf.freeze(), model.clone())
                };
                if all.len() > 5 {
                    all.swap_remove(at);
                }
                all.push(other);
            } else {
                step(&mut random, buf, model);
            }
            for (buf, model) in &all {
                assert_eq!(buf.as_slice(), model.as_slice(), "seed {seed}");
            }
        }
    }
}

#[test]
fn a_queue_stays_small() {
    let mut buf = CowBuf::new();
    for i in 0..100_000u64 {
        buf.push(i);
        if i >= 10 {
            assert_eq!(buf.shift(), Some(i - 10));
        }
    }
    assert!(buf.memory_size() < 4096, "{}", buf.memory_size());
}

#[test]
fn shared_bytes_survive_writes_in_other_threads() {
    let mut buf = CowBuf::from_vec(vec![7u8; 10_000]);
    let lent = SharedBytes::of(&mut buf);
    let thread = std::thread::spawn(move || lent.iter().map(|b| *b as u64).sum::<u64>());
    buf.set(0, 9);
    assert_eq!(thread.join().ok(), Some(70_000));
    assert_eq!(buf.as_slice()[0], 9);
}

#[test]
fn the_last_owner_takes_the_block_back() {
    let mut buf = CowBuf::from_vec((0..1000u64).collect());
    let before = buf.as_slice().as_ptr();
    drop(buf.share(100..900));
    buf.set(3, 0);
    assert_eq!(buf.as_slice().as_ptr(), before);
}

#[test]
fn absurd_sizes_are_refused() {
    let mut buf = CowBuf::<u64>::new();
    assert_eq!(buf.try_reserve(usize::MAX / 16), Err(OutOfMemory));
    buf.push(1);
    assert_eq!(buf.as_slice(), [1]);
}

#[test]
fn everlasting_bytes_stay_where_they_are_and_are_never_written() {
    static TEXT: &[u8] = b"everlasting";
    // SAFETY: a static.
    let make = || unsafe { CowBuf::of_everlasting(TEXT.as_ptr(), TEXT.len()) };
    let mut buf = make();
    assert_eq!((buf.as_slice().as_ptr(), buf.memory_size()), (TEXT.as_ptr(), 0));
    assert!(buf.is_everlasting() && buf.freeze().as_slice() == TEXT);
    buf.remove_front(4);
    assert_eq!(buf.as_slice(), &TEXT[4..]);
    buf.push(b'!');
    assert_eq!((buf.as_slice(), buf.is_everlasting()), (&b"lasting!"[..], false));
    let mut buf = make();
    buf.set(0, b'E');
    assert_eq!((buf.as_slice()[0], TEXT[0]), (b'E', b'e'));
    let mut buf = make();
    buf.prepend(b"an ");
    assert_eq!(buf.as_slice(), b"an everlasting");
    let mut buf = make();
    buf.clear();
    assert!(buf.as_slice().is_empty());
}
