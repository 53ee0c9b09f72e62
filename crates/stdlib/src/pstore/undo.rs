//! What lets a change in place be taken back: a record behind the data of the file, there only while a commit is under
//! way.
//!
//! The record holds the bytes that the commit is about to overwrite, both sizes and the hash of the old data. Readers
//! of marshalled data stop at the end of the object, so that to them a file with a record that nothing was overwritten
//! for is the old file. A record counts only if its checksum is right and taking the change back gives exactly the old
//! data.
//!
//! Layout, numbers little-endian: `BEGIN`, old size, new size, hash of the old data, count of regions (8 bytes each);
//! for each region its offset and length (8 bytes each) and old bytes; checksum of all that, length of the whole
//! record, `END`.

use rubellite_vm::object::hashing::hash_bytes;
use std::ops::Range;

const BEGIN: &[u8; 8] = b"PStUndo1";
const END: &[u8; 16] = b"\x00PStore undo \x00\xff\n";
const SEED: u64 = 0x5053_746f_7265_2131;

/// Regions nearer to each other than this are written as one.
const GAP: usize = 256;
/// At most so many regions; the rest of the file is one more.
const REGIONS_MAX: usize = 64;
/// The units in which equal stretches are skipped, coarse to fine.
const STRIDES: [usize; 3] = [4096, 256, 16];

/// Where `new` differs from `old`, within the length that both have.
pub fn differences(old: &[u8], new: &[u8]) -> Vec<Range<usize>> {
    let mut regions: Vec<Range<usize>> = Vec::new();
    differences_within(old, new, 0..old.len().min(new.len()), &STRIDES, &mut regions);
    regions
}

/// Looks through equal stretches by the first of `strides`, into others by the next.
fn differences_within(
    old: &[u8],
    new: &[u8],
    window: Range<usize>,
    strides: &[usize],
    regions: &mut Vec<Range<usize>>,
) {
    let Some((&stride, finer)) = strides.split_first() else { return differing_bytes(old, new, window, regions) };
    let mut at = window.start;
    while at < window.end {
        let end = (at + stride).min(window.end);
        if old[at..end] != new[at..end] {
            differences_within(old, new, at..end, finer, regions);
        }
        at = end;
    }
}

fn differing_bytes(old: &[u8], new: &[u8], range: Range<usize>, regions: &mut Vec<Range<usize>>) {
    for i in range {
        if old[i] == new[i] {
            continue;
        }
        let full = regions.len() >= REGIONS_MAX;
        match regions.last_mut() {
            Some(last) if full || i - last.end < GAP => last.end = i + 1,
            _ => regions.push(i..i + 1),
        }
    }
}

/// The record of a commit that overwrites `regions` of `old` and leaves `new_size` bytes.
pub fn encode(old: &[u8], new_size: usize, regions: &[Range<usize>]) -> Vec<u8> {
    let saved: usize = regions.iter().map(|r| r.len() + 16).sum();
    let mut out = Vec::with_capacity(saved + 72);
    out.extend_from_slice(BEGIN);
    for number in [old.len() as u64, new_size as u64, hash_bytes(SEED, old), regions.len() as u64] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    for region in regions {
        out.extend_from_slice(&(region.start as u64).to_le_bytes());
        out.extend_from_slice(&(region.len() as u64).to_le_bytes());
        out.extend_from_slice(&old[region.clone()]);
    }
    let checksum = hash_bytes(SEED, &out);
    out.extend_from_slice(&checksum.to_le_bytes());
    let length = out.len() as u64 + 8 + END.len() as u64;
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(END);
    out
}

/// Whether bytes that end so could be taken for a record: such data gets a byte behind it that readers ignore.
pub fn ends_like_a_record(data: &[u8]) -> bool {
    data.ends_with(END)
}

/// What takes a commit back that did not come to its end.
pub struct Undo {
    /// The data as it was before.
    pub old: Vec<u8>,
    /// The regions of it that must be written.
    pub regions: Vec<Range<usize>>,
}

/// Reads the record at the end of a file's bytes; nothing when there is none that counts.
pub fn decode(file: &[u8]) -> Option<Undo> {
    let body = file.strip_suffix(END)?;
    let (body, length) = body.split_last_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let start = file.len().checked_sub(length)?;
    let (body, checksum) = body.get(start..)?.split_last_chunk::<8>()?;
    if hash_bytes(SEED, body) != u64::from_le_bytes(*checksum) {
        return None;
    }
    let mut rest = body.strip_prefix(BEGIN)?;
    let number = |rest: &mut &[u8]| -> Option<usize> {
        let (head, tail) = rest.split_first_chunk::<8>()?;
        *rest = tail;
        usize::try_from(u64::from_le_bytes(*head)).ok()
    };
    let (old_size, new_size) = (number(&mut rest)?, number(&mut rest)?);
    let hash = number(&mut rest)? as u64;
    let count = number(&mut rest)?;
    if start != old_size.max(new_size) {
        return None;
    }
    let mut old = file[..old_size].to_vec();
    let mut regions = Vec::new();
    for _ in 0..count {
        let (offset, len) = (number(&mut rest)?, number(&mut rest)?);
        let region = offset..offset.checked_add(len)?;
        let saved;
        (saved, rest) = rest.split_at_checked(len)?;
        old.get_mut(region.clone())?.copy_from_slice(saved);
        regions.push(region);
    }
    (rest.is_empty() && hash_bytes(SEED, &old) == hash).then_some(Undo { old, regions })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(old: &[u8], new: &[u8]) -> Vec<u8> {
        let regions = differences(old, new);
        let record = encode(old, new.len(), &regions);
        let mut file = old.to_vec();
        file.extend_from_slice(new.get(old.len()..).unwrap_or(&[]));
        for region in &regions {
            file[region.clone()].copy_from_slice(&new[region.clone()]);
        }
        file.extend_from_slice(&record);
        file
    }

    #[test]
    fn takes_back_what_was_overwritten() {
        let old: Vec<u8> = (0..5000u32).map(|i| (i % 251) as u8).collect();
        let mut longer = old.clone();
        longer[10] = 255;
        longer.extend_from_slice(b"more");
        let mut shorter = old[..3000].to_vec();
        shorter[2999] ^= 1;
        for new in [longer, shorter] {
            let file = changed(&old, &new);
            assert_eq!(decode(&file).map(|u| u.old), Some(old.clone()));
            for cut in 1..30 {
                assert!(decode(&file[..file.len() - cut]).is_none());
            }
        }
    }

    #[test]
    fn refuses_a_record_of_other_data() {
        let old = vec![7; 100];
        let mut new = old.clone();
        new[50] = 8;
        let mut file = changed(&old, &new);
        file[3] = 9;
        assert!(decode(&file).is_none());
        assert!(decode(b"").is_none());
        assert!(decode(END).is_none());
    }

    #[test]
    fn finds_differences() {
        let old = vec![0; 10_000];
        let mut new = old.clone();
        (new[5], new[100], new[9000]) = (1, 1, 1);
        assert_eq!(differences(&old, &new), vec![5..101, 9000..9001]);
        assert!(differences(&old, &old).is_empty());
    }
}
