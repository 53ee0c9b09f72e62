//! Transcoding: chains of conversions and decorators that work incrementally.
//!
//! A [`Transcoder`] converts one unit at a time through the whole chain, so that when a step
//! meets something that it cannot convert, everything before it has already been written.
//! What a step could not use yet waits in its carry. `string.rs` converts whole strings with
//! replacement; `path.rs` finds chains; `error.rs` words the errors.

mod decorate;
mod error;
mod japanese;
mod multibyte;
mod path;
mod run;
mod step;
mod string;

pub use decorate::Decorator;
pub use error::{ConversionError, ErrorKind};
pub use path::{ascii_compatible_counterpart, conversion_name, search_path};
pub use string::{EncodeError, EncodeOptions, Fallback, encode, encode_until, scrub, scrub_until};

use crate::Encoding;
use decorate::Decorate;
use run::Substitute;
use step::{Step, StepResult};

/// No chain of conversions leads from one encoding to the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConverterNotFound;

/// How a call of [`Transcoder::convert`] ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All input is converted and the output is complete.
    Finished,
    /// All input is used; more may come.
    SourceBufferEmpty,
    /// As much of the source is used as the caller wanted to wait for.
    Paused,
    /// The next character does not fit into the limit, or only a part of it.
    DestinationBufferFull,
    /// Something was written and the caller wanted to know at once.
    AfterOutput,
    /// Invalid, undefined or incomplete input. It has been skipped; the next call goes on
    /// behind it, `readagain_bytes` included.
    Error(ConversionError),
}

/// What a call of [`Transcoder::convert`] may do.
#[derive(Copy, Clone, Default, Debug)]
pub struct ConvertOptions {
    /// More input will follow, so that an incomplete character at the end is no error.
    pub partial_input: bool,
    /// Return as soon as something has been written.
    pub after_output: bool,
    /// How long the destination may become (in all, counted with what it holds already).
    pub limit: Option<usize>,
    /// Return when about so many bytes of the source are used.
    pub pause: Option<usize>,
}

/// An element of a chain, as `Encoding::Converter#convpath` shows it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum PathElement {
    Conversion(Encoding, Encoding),
    Decorator(Decorator),
}

struct Link {
    element: PathElement,
    step: Step,
    /// Input that has been taken but not converted.
    carry: Vec<u8>,
}

/// A chain of conversions with its state.
pub struct Transcoder {
    links: Vec<Link>,
    source: Option<Encoding>,
    destination: Option<Encoding>,
    /// Output that did not fit yet.
    pending: Vec<u8>,
    /// Links before this one have ended their text.
    finished: usize,
    /// An error whose preceding output did not fit yet.
    pending_error: Option<ConversionError>,
    last_error: Option<ConversionError>,
    /// The first carry holds bytes that no step has looked at since they got there.
    unread: bool,
    /// Bytes at the end of the first carry that may be put back into the source.
    put_back_max: usize,
    /// How long the next run may be, see `run`.
    piece: usize,
    /// What a run passes from step to step.
    middle: Vec<u8>,
    substitute: Substitute,
}

impl Transcoder {
    /// A chain from one encoding to another with decorators. Without encodings it only
    /// decorates.
    pub fn new(path: Option<(Encoding, Encoding)>, decorators: &[Decorator]) -> Result<Transcoder, ConverterNotFound> {
        let mut elements = Vec::new();
        if let Some((from, to)) = path {
            let steps = search_path(from, to).ok_or(ConverterNotFound)?;
            elements.extend(steps.into_iter().map(|(a, b)| PathElement::Conversion(a, b)));
        }
        // Decorators want ASCII-compatible text, which the last conversion may leave.
        let ascii_end = match path {
            Some((_, to)) => to.is_ascii_compatible() || elements.is_empty(),
            None => true,
        };
        let at = if ascii_end { elements.len() } else { elements.len() - 1 };
        let decorators = decorators.iter().map(|&d| PathElement::Decorator(d));
        elements.splice(at..at, decorators);
        Transcoder::from_path(&elements)
    }

    /// A chain that the caller has laid out (`Encoding::Converter.new(convpath)`).
    pub fn from_path(elements: &[PathElement]) -> Result<Transcoder, ConverterNotFound> {
        let mut links = Vec::with_capacity(elements.len());
        for &element in elements {
            let step = match element {
                PathElement::Conversion(a, b) if path::is_direct(a, b) => Step::new(a, b).ok_or(ConverterNotFound)?,
                PathElement::Conversion(..) => return Err(ConverterNotFound),
                PathElement::Decorator(d) => Step::Decorate(Decorate::new(d)),
            };
            links.push(Link { element, step, carry: Vec::new() });
        }
        let conversions = || {
            elements.iter().filter_map(|e| match e {
                PathElement::Conversion(a, b) => Some((*a, *b)),
                PathElement::Decorator(_) => None,
            })
        };
        Ok(Transcoder {
            source: conversions().next().map(|c| c.0),
            destination: conversions().next_back().map(|c| c.1),
            links,
            pending: Vec::new(),
            finished: 0,
            pending_error: None,
            last_error: None,
            unread: false,
            put_back_max: 0,
            piece: 0,
            middle: Vec::new(),
            substitute: Substitute::Ask,
        })
    }

    pub fn source_encoding(&self) -> Option<Encoding> {
        self.source
    }

    pub fn destination_encoding(&self) -> Option<Encoding> {
        self.destination
    }

    /// The chain, as `Encoding::Converter#convpath` shows it.
    pub fn path(&self) -> impl Iterator<Item = PathElement> + '_ {
        self.links.iter().map(|link| link.element)
    }

    /// The error of the last call of [`Transcoder::convert`], if it ended with one.
    pub fn last_error(&self) -> Option<&ConversionError> {
        self.last_error.as_ref()
    }

    /// Converts from the front of `source`, which shrinks by what was used, to the end of
    /// `destination`.
    pub fn convert(&mut self, source: &mut &[u8], destination: &mut Vec<u8>, options: ConvertOptions) -> Outcome {
        self.last_error = None;
        self.put_back_max = 0;
        if self.links.is_empty() {
            return if self.flush(destination, options.limit) {
                copy(source, destination, options)
            } else {
                Outcome::DestinationBufferFull
            };
        }
        let (start, source_len) = (destination.len(), source.len());
        if self.pending_error.is_none() {
            self.pending_error = self.resume();
        }
        loop {
            if !self.flush(destination, options.limit) {
                return Outcome::DestinationBufferFull;
            }
            if let Some(error) = self.pending_error.take() {
                self.put_back_max = error.readagain_bytes.len();
                self.last_error = Some(error.clone());
                return Outcome::Error(error);
            }
            if options.after_output && destination.len() > start {
                return Outcome::AfterOutput;
            }
            if options.pause.is_some_and(|pause| source_len - source.len() >= pause) {
                return Outcome::Paused;
            }
            if !source.is_empty() || self.has_unread() {
                if options.limit.is_none() && !options.after_output {
                    self.convert_run(source, destination);
                }
                self.pending_error = self.take_unit(source);
            } else if options.partial_input {
                return Outcome::SourceBufferEmpty;
            } else if self.finished < self.links.len() {
                self.pending_error = self.finish_link();
            } else {
                return Outcome::Finished;
            }
        }
    }

    /// Moves what waits into the destination, be it a part of a character; false where not all of it fits.
    fn flush(&mut self, destination: &mut Vec<u8>, limit: Option<usize>) -> bool {
        let room = limit.map_or(usize::MAX, |limit| limit.saturating_sub(destination.len()));
        if room < self.pending.len() {
            destination.extend(self.pending.drain(..room));
            return false;
        }
        destination.append(&mut self.pending);
        true
    }

    /// Whether the first carry holds bytes that were read again and not looked at since.
    fn has_unread(&self) -> bool {
        self.unread && self.links.first().is_some_and(|link| !link.carry.is_empty())
    }

    /// Works off what inner links still hold from a call that ended with an error.
    fn resume(&mut self) -> Option<ConversionError> {
        (1..self.links.len()).rev().find_map(|level| feed(&mut self.links[level..], &[], &mut self.pending).err())
    }

    /// Converts the first unit of the source.
    fn take_unit(&mut self, source: &mut &[u8]) -> Option<ConversionError> {
        self.unread = false;
        let (first, rest) = self.links.split_at_mut(1);
        let link = &mut first[0];
        let mut unit = Vec::new();
        let from_carry = !link.carry.is_empty();
        let input: &[u8] = if from_carry { &link.carry } else { source };
        if input.is_empty() {
            return None;
        }
        let result = link.step.convert(input, &mut unit);
        let (used, error) = match result {
            StepResult::Consumed(n) => (n, None),
            StepResult::NeedMore if !from_carry => {
                link.carry.extend_from_slice(source);
                *source = &[];
                return None;
            }
            StepResult::NeedMore => {
                if let Some((&b, tail)) = source.split_first() {
                    link.carry.push(b);
                    *source = tail;
                    self.unread = true;
                }
                return None;
            }
            failure => error_of(link.element, input, failure),
        };
        if from_carry {
            link.carry.drain(..used);
            self.unread = !link.carry.is_empty();
        } else {
            *source = &source[used..];
        }
        if let Some(error) = error {
            if !from_carry {
                // What showed the error is held here, so that it can be put back.
                let again = error.readagain_bytes.len();
                link.carry.extend_from_slice(&source[..again]);
                *source = &source[again..];
                self.unread = again > 0;
            }
            return Some(error);
        }
        feed(rest, &unit, &mut self.pending).err()
    }

    /// Ends the text of the next link and passes on what that writes.
    fn finish_link(&mut self) -> Option<ConversionError> {
        let (head, tail) = self.links.split_at_mut(self.finished + 1);
        let link = &mut head[self.finished];
        let rest = std::mem::take(&mut link.carry);
        if !rest.is_empty() && !link.step.may_end_with(&rest) {
            return Some(ConversionError::new(ErrorKind::Incomplete, link.element, &rest, &[]));
        }
        let mut unit = Vec::new();
        link.step.finish(&rest, &mut unit);
        self.finished += 1;
        feed(tail, &unit, &mut self.pending).err()
    }

    /// Takes back up to `max` of the bytes that the last error read too far
    /// (`Encoding::Converter#putback`).
    pub fn put_back(&mut self, max: Option<usize>) -> Vec<u8> {
        let Some(link) = self.links.first_mut() else {
            return Vec::new();
        };
        let count = self.put_back_max.min(max.unwrap_or(usize::MAX)).min(link.carry.len());
        self.put_back_max -= count;
        link.carry.split_off(link.carry.len() - count)
    }

    /// Inserts text into the output, in the place of what the last error skipped. It is
    /// converted to the destination first; true where that went well.
    pub fn insert_output(&mut self, text: &[u8], encoding: Encoding) -> bool {
        let target = self.insert_encoding();
        let converted = match target {
            Some(target) if target != encoding && !(text.is_ascii() && target.is_ascii_compatible()) => {
                match encode(text, encoding, target, &EncodeOptions::default(), None) {
                    Ok(converted) => converted,
                    Err(_) => return false,
                }
            }
            _ => text.to_vec(),
        };
        match self.links.as_mut_slice() {
            [.., link] if link.is_stateful() => {
                // What the link still holds stands behind the text.
                let held = std::mem::take(&mut link.carry);
                let good = feed(std::slice::from_mut(link), &converted, &mut self.pending).is_ok();
                link.carry.extend_from_slice(&held);
                good
            }
            _ => {
                self.pending.extend_from_slice(&converted);
                true
            }
        }
    }

    /// From now on such text stands for every character that the last step does not have, or for each its reference, as
    /// `insert_output` would write it.
    fn substitute(&mut self, text: Option<(&[u8], Encoding)>) {
        if self.links.last().is_none_or(Link::is_stateful) {
            return;
        }
        self.substitute = match text {
            None => Substitute::Reference,
            Some((text, encoding)) => {
                let held = std::mem::take(&mut self.pending);
                let good = self.insert_output(text, encoding);
                let text = std::mem::replace(&mut self.pending, held);
                if good { Substitute::Text(text) } else { Substitute::Ask }
            }
        };
    }

    /// What `insert_output` wants: the input of a stateful last step, else the destination.
    fn insert_encoding(&self) -> Option<Encoding> {
        match self.links.last() {
            Some(Link { element: PathElement::Conversion(from, _), .. })
                if self.links.last().is_some_and(Link::is_stateful) =>
            {
                Some(*from)
            }
            _ => self.destination,
        }
    }
}

/// What a chain without links does: bytes pass as they are.
fn copy(source: &mut &[u8], destination: &mut Vec<u8>, options: ConvertOptions) -> Outcome {
    let room = options.limit.map_or(usize::MAX, |limit| limit.saturating_sub(destination.len()));
    let most = if options.after_output { 1 } else { usize::MAX };
    let (passed, rest) = source.split_at(source.len().min(room).min(most));
    destination.extend_from_slice(passed);
    *source = rest;
    match (options.after_output && !passed.is_empty(), rest.is_empty()) {
        (true, _) => Outcome::AfterOutput,
        (_, false) => Outcome::DestinationBufferFull,
        _ if options.partial_input => Outcome::SourceBufferEmpty,
        _ => Outcome::Finished,
    }
}

impl Link {
    /// Output depends on what was written before (escape sequences, a byte order mark).
    fn is_stateful(&self) -> bool {
        let quotes = self.element == PathElement::Decorator(Decorator::XmlAttrQuote);
        quotes || matches!(self.step, Step::ToJis(_) | Step::ToMarked { .. })
    }
}

/// Length to skip and the error of a unit that did not convert.
fn error_of(element: PathElement, input: &[u8], failure: StepResult) -> (usize, Option<ConversionError>) {
    match failure {
        StepResult::Invalid { error, readagain } => {
            let end = (error + readagain).min(input.len());
            let error = error.min(end);
            let (bytes, again) = (&input[..error], &input[error..end]);
            (error, Some(ConversionError::new(ErrorKind::Invalid, element, bytes, again)))
        }
        StepResult::Undefined(n) => (n, Some(ConversionError::new(ErrorKind::Undefined, element, &input[..n], &[]))),
        StepResult::Consumed(n) => (n, None),
        StepResult::NeedMore => (0, None),
    }
}

/// Passes bytes through some links to the end. On an error the rest stays in the carries.
fn feed(links: &mut [Link], input: &[u8], out: &mut Vec<u8>) -> Result<(), ConversionError> {
    let Some((link, rest)) = links.split_first_mut() else {
        out.extend_from_slice(input);
        return Ok(());
    };
    let held;
    let input = if link.carry.is_empty() {
        input
    } else {
        link.carry.extend_from_slice(input);
        held = std::mem::take(&mut link.carry);
        &held
    };
    let mut pos = 0;
    let mut unit = Vec::new();
    while pos < input.len() {
        unit.clear();
        let target = if rest.is_empty() { &mut *out } else { &mut unit };
        let result = link.step.convert(&input[pos..], target);
        if result == StepResult::NeedMore {
            link.carry = input[pos..].to_vec();
            return Ok(());
        }
        let (used, error) = error_of(link.element, &input[pos..], result);
        pos += used;
        let passed = match error {
            Some(error) => Err(error),
            None if rest.is_empty() => Ok(()),
            None => feed(rest, &unit, out),
        };
        if let Err(error) = passed {
            link.carry = input[pos..].to_vec();
            return Err(error);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
