//! Runs of units that convert without an error: the fast way through a chain. What stops a run is left to the general way,
//! which converts one unit at a time.

use super::Transcoder;
use super::step::{Step, StepResult};
use crate::{Encoding, ascii_prefix_len};

impl Transcoder {
    /// Converts from the front of `source` as far as nothing goes wrong and no step keeps anything between units.
    pub(super) fn convert_run(&mut self, source: &mut &[u8], destination: &mut Vec<u8>) {
        if self.links.iter().any(|link| !link.carry.is_empty()) {
            return;
        }
        let passes_ascii = self.links.iter().all(|link| link.step.passes_ascii());
        if passes_ascii {
            copy_ascii(source, destination);
        }
        if !self.links.iter().all(|link| link.step.is_stateless()) {
            return;
        }
        match self.links.as_mut_slice() {
            [link] => match link.step {
                Step::ToUnicode(enc) if enc.min_len() > 1 => to_wide(enc, source, destination),
                _ => one_step(&mut link.step, passes_ascii, source, destination),
            },
            [first, second] => two_steps(&mut first.step, &mut second.step, passes_ascii, source, destination),
            _ => {}
        }
    }
}

/// Copies the ASCII in front, which no step would change.
fn copy_ascii(source: &mut &[u8], destination: &mut Vec<u8>) {
    let (run, rest) = source.split_at(ascii_prefix_len(source));
    destination.extend_from_slice(run);
    *source = rest;
}

/// UTF-8 to UTF-16 or UTF-32.
fn to_wide(enc: Encoding, source: &mut &[u8], destination: &mut Vec<u8>) {
    let valid = std::str::from_utf8(source).map_or_else(|error| error.valid_up_to(), str::len);
    let (run, rest) = source.split_at(valid);
    let Ok(text) = std::str::from_utf8(run) else { return };
    destination.reserve(run.len() * 2);
    match enc {
        Encoding::UTF_16LE => text.encode_utf16().for_each(|unit| destination.extend_from_slice(&unit.to_le_bytes())),
        Encoding::UTF_16BE => text.encode_utf16().for_each(|unit| destination.extend_from_slice(&unit.to_be_bytes())),
        Encoding::UTF_32LE => text.chars().for_each(|c| destination.extend_from_slice(&(c as u32).to_le_bytes())),
        Encoding::UTF_32BE => text.chars().for_each(|c| destination.extend_from_slice(&(c as u32).to_be_bytes())),
        _ => return,
    }
    *source = rest;
}

fn one_step(step: &mut Step, passes_ascii: bool, source: &mut &[u8], destination: &mut Vec<u8>) {
    while let Some(first) = source.first() {
        if passes_ascii && first.is_ascii() {
            copy_ascii(source, destination);
            continue;
        }
        let start = destination.len();
        let StepResult::Consumed(used) = step.convert(source, destination) else {
            return destination.truncate(start);
        };
        *source = &source[used..];
    }
}

fn two_steps(first: &mut Step, second: &mut Step, passes_ascii: bool, source: &mut &[u8], destination: &mut Vec<u8>) {
    let mut unit = Vec::new();
    while let Some(byte) = source.first() {
        if passes_ascii && byte.is_ascii() {
            copy_ascii(source, destination);
            continue;
        }
        unit.clear();
        let StepResult::Consumed(used) = first.convert(source, &mut unit) else { return };
        let start = destination.len();
        let mut middle = unit.as_slice();
        one_step(second, false, &mut middle, destination);
        if !middle.is_empty() {
            return destination.truncate(start);
        }
        *source = &source[used..];
    }
}
