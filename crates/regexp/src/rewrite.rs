//! Translation of Ruby's dialect (after `source.rs`) into Oniguruma's, and the insertion of
//! check points.
//!
//! Differences that matter: in Ruby `\w \d \s` mean ASCII while `\b` and POSIX brackets mean
//! Unicode, the options a, d and u switch that, and some escapes and groups of Oniguruma are
//! not Ruby's.
//!
//! A check point is an empty callout. With [`Checks::Head`] there is one in front, reached
//! once per start position. With [`Checks::Full`] there is also one behind every repetition
//! of what a quantifier repeats, behind every quantifier and behind every group: any way of
//! backtracking that takes long passes one of them again and again. The points are numbered
//! from 1 in the order of the text. Where a pattern has look-ahead or atomic groups and its failures can be
//! remembered, these groups get points for `memory.rs` (`tracked`): at their begin, at the end of their content and, in
//! look-ahead, one that is an alternative to the content.

mod class;

use crate::comments::comment_len;
use crate::extent::{Extent, bounds, is_reversed, quantifier_len};
use crate::names;
use crate::points::{Counter, Kind, Point, Traits};
use rubellite_encoding::Encoding;

/// Where check points go.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Checks {
    None,
    Head,
    /// The same where all that takes long is counted: there are points at both ends of look-ahead and atomic groups,
    /// and loops keep alternatives whatever follows them.
    Counted,
    Full,
}

pub(crate) struct Rewritten {
    pub text: Vec<u8>,
    pub traits: Traits,
}

const CHECK: &[u8] = b"(?{c})";
/// The same where the way back is told too.
const TRACKED_CHECK: &[u8] = b"(?{c}X)";

/// How wide classes reach.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Range {
    /// Ruby's default, option d.
    Default,
    /// Option a.
    Ascii,
    /// Option u.
    Unicode,
}

#[derive(Copy, Clone)]
struct Group {
    extended: bool,
    range: Range,
    /// Check points before it.
    points: usize,
    /// Look-around and atomic groups before it.
    isolations: usize,
    /// A look-ahead or atomic group.
    isolating: bool,
    atomic: bool,
    captures: bool,
    /// Alternatives of a conditional, which has two at most.
    ways: Option<usize>,
    /// The isolating group around it.
    parent: usize,
    /// Where it begins in the output.
    start: usize,
    look_around: bool,
    look_behind: bool,
    /// Counts as an isolation.
    nests: bool,
    /// Something in it is no assertion, or the group itself is more than its content.
    solid: bool,
    /// An earlier alternative is nothing but assertions.
    hollow: bool,
    /// `(?:`, which is only what its alternatives are.
    plain: bool,
}

pub(crate) fn rewrite(text: &[u8], enc: Encoding, extended: bool, checks: Checks) -> Result<Rewritten, String> {
    let plain = pass(text, enc, extended, Checks::None, Traits::default())?;
    let known = &plain.traits;
    let misled = known.leading_look && known.repeats_any;
    if checks == Checks::None && !misled {
        return Ok(plain);
    }
    let tracked = checks == Checks::Full && (known.isolating || known.empty_loops || known.counts) && known.remembers();
    let isolating = known.isolating;
    pass(text, enc, extended, checks, Traits { tracked, misled, isolating, ..Traits::default() })
}

fn pass(text: &[u8], enc: Encoding, extended: bool, checks: Checks, traits: Traits) -> Result<Rewritten, String> {
    let mut rewriter = Rewriter {
        text,
        pos: 0,
        enc,
        checks,
        extended,
        range: Range::Default,
        groups: Vec::new(),
        look_around_depth: 0,
        look_behind_depth: 0,
        consumed: false,
        atomic_depth: 0,
        isolations: 0,
        isolation: 0,
        extents: vec![Extent::EMPTY],
        out: Vec::with_capacity(text.len() + 16),
        traits,
        error: None,
    };
    if checks != Checks::None {
        rewriter.check_point();
    }
    rewriter.run()?;
    if let Some(reason) = rewriter.error {
        return Err(reason.to_string());
    }
    Ok(Rewritten { text: rewriter.out, traits: rewriter.traits })
}

struct Rewriter<'a> {
    text: &'a [u8],
    pos: usize,
    enc: Encoding,
    checks: Checks,
    extended: bool,
    range: Range,
    groups: Vec<Group>,
    look_around_depth: usize,
    look_behind_depth: usize,
    /// Something that is no assertion has been read.
    consumed: bool,
    atomic_depth: usize,
    /// Look-around (without look-behind that is not negated) and atomic groups so far, and the innermost isolating
    /// one.
    isolations: usize,
    isolation: usize,
    /// Of each open group and the whole.
    extents: Vec<Extent>,
    out: Vec<u8>,
    traits: Traits,
    /// What Ruby rejects and Oniguruma would take.
    error: Option<&'static str>,
}

impl<'a> Rewriter<'a> {
    fn rest(&self) -> &'a [u8] {
        &self.text[self.pos..]
    }

    fn copy(&mut self, len: usize) {
        let end = (self.pos + len).min(self.text.len());
        self.out.extend_from_slice(&self.text[self.pos..end]);
        self.pos = end;
    }

    fn check_point(&mut self) {
        self.point(Kind::Plain);
    }

    fn point(&mut self, kind: Kind) {
        let both_ways = self.traits.tracked
            && self.checks == Checks::Full
            && matches!(kind, Kind::Plain | Kind::Begin | Kind::Repeat | Kind::Iteration);
        self.out.extend_from_slice(if both_ways { TRACKED_CHECK } else { CHECK });
        self.traits.points.push(Point { kind, group: self.isolation, repeatable: true, counter: None });
    }

    fn run(&mut self) -> Result<(), String> {
        while let Some(&b) = self.rest().first() {
            match b {
                b'\\' => self.escape(),
                b'[' => self.class(),
                b'(' => self.open()?,
                b')' => self.close(),
                b'#' if self.extended => {
                    let len = self.rest().iter().position(|&b| b == b'\n').map_or(self.rest().len(), |n| n + 1);
                    self.copy(len);
                }
                b'^' | b'$' => {
                    let atom = self.out.len();
                    self.copy(1);
                    self.wrap_assertion(atom);
                }
                b'|' => {
                    self.copy(1);
                    self.extent().branch();
                    if let Some(ways) = self.groups.last_mut().and_then(|group| group.ways.as_mut()) {
                        *ways += 1;
                        if *ways > 2 {
                            self.error = Some("invalid conditional pattern");
                        }
                    }
                    if let Some(group) = self.groups.last_mut().filter(|group| group.plain) {
                        group.hollow |= !group.solid;
                        group.solid = false;
                    }
                }
                b'*' | b'+' | b'?' => self.copy(1),
                b' ' | b'\t'..=b'\r' if self.extended => self.copy(1),
                _ => {
                    let atom = self.out.len();
                    self.mark_solid();
                    let len = self.enc.step_len(self.rest()).max(1);
                    let any = b == b'.';
                    if any && self.traits.misled {
                        self.pos += 1;
                        self.out.extend_from_slice(b"(?:.(?:))");
                    } else {
                        self.copy(len);
                    }
                    self.traits.repeats_any |= any && matches!(self.rest().first(), Some(b'*' | b'+' | b'{'));
                    self.atom_end(atom, false, if any { Extent::ONE } else { Extent::literal(len) });
                }
            }
        }
        Ok(())
    }

    fn extent(&mut self) -> &mut Extent {
        let last = self.extents.len() - 1;
        &mut self.extents[last]
    }

    /// Copies the quantifiers behind an atom, which began at `atom` of the output, and puts
    /// check points around them.
    fn atom_end(&mut self, atom: usize, group: bool, extent: Extent) {
        self.group_end(atom, group, extent, (self.traits.points.len(), self.isolations));
    }

    /// The same for a group, before which there were so many points and isolating groups.
    fn group_end(&mut self, atom: usize, group: bool, mut extent: Extent, before: (usize, usize)) {
        let checked = self.checks == Checks::Full && self.look_behind_depth == 0;
        let (mut counted, mut endless) = (None, false);
        let (mut last, mut quantifiers) = (0, 0);
        let point = self.traits.points.len();
        loop {
            let start = self.pos;
            let skipped_at = self.out.len();
            self.skip_ignored();
            let rest = self.rest();
            let len = quantifier_len(rest);
            if len == 0 {
                // What was skipped belongs to what comes next.
                self.out.truncate(skipped_at);
                self.pos = start;
                break;
            }
            if checked && last == 0 {
                self.out.truncate(skipped_at);
                self.out.splice(atom..atom, *b"(?:");
                self.check_point();
                self.out.push(b')');
            }
            if rest[0] == b'{' && is_reversed(&rest[1..len - 1]) {
                self.error = Some("upper is smaller than lower in repeat range");
            } else if self.look_behind_depth > 0 && (rest[0] != b'{' || rest[..len].contains(&b',')) {
                self.error = Some("invalid pattern in look-behind");
            }
            if rest[0] == b'{' {
                counted = Some(bounds(&rest[..len]));
            }
            let plain = matches!(last, b'*' | b'+' | b'?');
            if plain && rest[0] == b'+' {
                self.possessive(atom, before);
                last = b'P';
            } else {
                self.copy(len);
                // What makes it lazy is no quantifier of its own.
                let lazy = plain && rest[0] == b'?';
                quantifiers += !lazy as usize;
                if !lazy {
                    self.traits.empty_loops |= extent.is_nullable();
                    let bounds = bounds(&rest[..len]);
                    endless |= bounds.1.is_none();
                    self.traits.nested_counts |= extent.repeat(bounds);
                }
                last = if lazy { b'L' } else { rest[0] };
            }
        }
        if let Some(bounds) = counted {
            self.traits.counts = true;
            if !(checked && quantifiers == 1 && self.count(atom, before.0, point, bounds)) {
                self.traits.points[before.0..].iter_mut().for_each(|point| point.repeatable = false);
            }
        }
        self.traits.loops |= endless;
        if endless && self.checks == Checks::Counted {
            self.out.extend_from_slice(b"(?=)");
        }
        if checked && (last != 0 || group) {
            self.check_point();
        }
        self.extent().append(extent);
    }

    /// Makes the repeat that began at `atom` of the output, with the points from `first` on, a counted one; its
    /// iterations end at the point with the index `iteration`. False where that is not possible.
    fn count(&mut self, atom: usize, first: usize, iteration: usize, (min, max): (usize, Option<usize>)) -> bool {
        if !self.traits.tracked || self.traits.isolating {
            return false;
        }
        let number = self.traits.counters.len();
        // Without an upper bound no count above the lower one makes a difference.
        self.traits.counters.push(Counter { counts: max.unwrap_or(min).saturating_add(1), outer: None });
        let (points, counters) = (&mut self.traits.points, &mut self.traits.counters);
        points[iteration].kind = Kind::Iteration;
        for point in &mut points[first..] {
            match point.counter {
                None => point.counter = Some(number),
                Some(mut inner) => {
                    while let Some(outer) = counters[inner].outer.filter(|&outer| outer != number) {
                        inner = outer;
                    }
                    counters[inner].outer = Some(number);
                }
            }
        }
        // Here the counter is the one that is set.
        points.insert(
            first,
            Point { kind: Kind::Repeat, group: self.isolation, repeatable: true, counter: Some(number) },
        );
        self.out.splice(atom..atom, TRACKED_CHECK.iter().copied());
        true
    }

    /// Reads the plus that makes an atom with its quantifier an atomic group.
    fn possessive(&mut self, atom: usize, (points, isolations): (usize, usize)) {
        self.traits.nested_atomic |= self.is_isolated() || self.isolations > isolations;
        self.traits.isolating = true;
        self.isolations += 1;
        if !self.marks_isolation() {
            return self.copy(1);
        }
        self.pos += 1;
        let (outer, group) = (std::mem::replace(&mut self.isolation, self.isolations), self.isolations);
        for point in &mut self.traits.points[points..] {
            point.group = group;
        }
        self.traits.points.insert(points, Point { kind: Kind::Begin, group, repeatable: true, counter: None });
        let check = if self.checks == Checks::Full { TRACKED_CHECK } else { CHECK };
        self.out.splice(atom..atom, [b"(?>", check].concat());
        self.point(Kind::End);
        self.out.push(b')');
        self.isolation = outer;
    }

    /// Whether isolating groups get check points.
    fn marks_isolation(&self) -> bool {
        self.traits.tracked || self.checks == Checks::Counted
    }

    /// Within an atomic group or a look-around that could not hold one.
    fn is_isolated(&self) -> bool {
        self.atomic_depth > 0 || self.look_around_depth > 0
    }

    /// Something that is no assertion stands in the group.
    fn mark_solid(&mut self) {
        self.consumed = true;
        if let Some(group) = self.groups.last_mut() {
            group.solid = true;
        }
    }

    /// Oniguruma repeats no assertion, Ruby does: one that began at `atom` of the output is
    /// put into a group with an empty string behind it when a quantifier follows.
    fn wrap_assertion(&mut self, atom: usize) {
        let (pos, len) = (self.pos, self.out.len());
        self.skip_ignored();
        let quantified = quantifier_len(self.rest()) > 0;
        self.pos = pos;
        self.out.truncate(len);
        if quantified {
            self.out.splice(atom..atom, *b"(?:");
            self.out.extend_from_slice(b"(?:))");
        }
    }

    /// Copies what stands between an atom and its quantifier without meaning.
    fn skip_ignored(&mut self) {
        loop {
            let rest = self.rest();
            let len = match rest {
                [b'(', b'?', b'#', ..] => comment_len(rest),
                [b'#', ..] if self.extended => rest.iter().position(|&b| b == b'\n').map_or(rest.len(), |n| n + 1),
                [b' ' | b'\t'..=b'\r', ..] if self.extended => 1,
                _ => return,
            };
            self.copy(len);
        }
    }

    fn escape(&mut self) {
        let atom = self.out.len();
        let rest = self.rest();
        let Some(&b) = rest.get(1) else {
            return self.copy(1);
        };
        let ascii = self.range != Range::Unicode;
        if !matches!(b, b'b' | b'B' | b'A' | b'z' | b'Z' | b'G') {
            self.mark_solid();
        }
        match b {
            b'w' | b'W' if ascii => self.scoped(b'W', b),
            b'd' | b'D' if ascii => self.scoped(b'D', b),
            b's' | b'S' if ascii => self.scoped(b'S', b),
            b'b' | b'B' if self.range == Range::Ascii => {
                self.scoped(b'W', b);
                return self.wrap_assertion(atom);
            }
            b'b' | b'B' | b'A' | b'z' | b'Z' | b'G' => {
                self.traits.search_start |= b == b'G';
                self.copy(2);
                return self.wrap_assertion(atom);
            }
            // Letters that mean something to Oniguruma alone.
            b'y' | b'Y' | b'N' | b'O' | b'Q' | b'E' | b'o' => {
                self.out.push(b);
                self.pos += 2;
            }
            b'k' | b'g' => self.reference(b),
            b'p' | b'P' => {
                let braced = rest.get(2) == Some(&b'{');
                let len = rest.iter().position(|&c| c == b'}').map_or(2, |n| n + 1);
                let age = if braced && len > 3 && self.enc.is_utf8_family() {
                    crate::ages::class(&rest[3..len - 1])
                } else {
                    None
                };
                if let Some(age) = age {
                    self.age(age, b == b'P', len);
                } else if braced && len > 3 && !self.enc.is_unicode() {
                    self.property(&rest[..len]);
                } else {
                    self.copy(if braced { len } else { 2 });
                }
            }
            b'1'..=b'9' => {
                self.traits.backreference = true;
                let digits = rest[1..].iter().take_while(|c| c.is_ascii_digit()).count();
                self.copy(1 + digits);
            }
            b'0' => {
                let digits = rest[1..].iter().take(3).take_while(|c| matches!(c, b'0'..=b'7')).count();
                self.copy(1 + digits);
            }
            b'x' => {
                let digits = rest[2..].iter().take(2).take_while(|c| c.is_ascii_hexdigit()).count();
                self.copy(2 + digits);
            }
            b'R' | b'X' => {
                // Each is an atomic group.
                self.traits.nested_atomic |= self.is_isolated();
                self.isolations += 1;
                self.copy(2);
            }
            _ => self.copy(1 + self.enc.step_len(&rest[1..]).max(1)),
        }
        self.atom_end(atom, false, Extent::ONE);
    }

    /// `\k<name>`, `\g<name>`.
    fn reference(&mut self, b: u8) {
        let rest = self.rest();
        let named = rest.get(2).is_some_and(|q| matches!(q, b'<' | b'\''));
        self.traits.backreference |= b == b'k' && named;
        self.traits.subexp_call |= b == b'g' && named;
        let close = if rest.get(2) == Some(&b'\'') { b'\'' } else { b'>' };
        match rest.iter().skip(3).position(|&c| c == close) {
            Some(len) if named => {
                self.copy(3);
                let name = &rest[3..3 + len];
                self.out.extend(if b == b'k' { names::encode_reference(name) } else { names::encode(name) });
                self.pos += len;
                self.copy(1);
            }
            _ => self.copy(2),
        }
    }

    /// An escape under an option of its own.
    fn scoped(&mut self, option: u8, b: u8) {
        self.out.extend([b'(', b'?', option, b':', b'\\', b, b')']);
        self.pos += 2;
    }

    fn open(&mut self) -> Result<(), String> {
        let rest = self.rest();
        let mut group = self.group_here();
        let len = match rest {
            [b'(', b'?', b'#', ..] => {
                self.copy(comment_len(rest));
                return Ok(());
            }
            [b'(', b'?', b'=' | b'!', ..] => {
                group.look_around = true;
                group.isolating = true;
                3
            }
            [b'(', b'?', b'<', b'=' | b'!', ..] => {
                group.look_around = true;
                group.look_behind = true;
                4
            }
            [b'(', b'?', b':', ..] => 3,
            [b'(', b'?', b'>', ..] => {
                group.atomic = true;
                group.isolating = true;
                3
            }
            [b'(', b'?', b'~', ..] => {
                self.traits.absent = true;
                self.copy(3);
                if self.rest().first() == Some(&b'|') {
                    self.out.extend_from_slice(b"(?:)");
                }
                0
            }
            [b'(', b'?', b'(', ..] => {
                self.traits.conditional = true;
                group.ways = Some(1);
                if !matches!(rest.get(3), Some(b'<' | b'\'' | b'0'..=b'9' | b'+' | b'-')) {
                    return Err("invalid conditional pattern".into());
                }
                self.conditional()
            }
            [b'(', b'?', quote @ (b'<' | b'\''), ..] => {
                let close = if *quote == b'<' { b'>' } else { b'\'' };
                group.captures = true;
                self.named(close)
            }
            [b'(', b'?', ..] => return self.options(group),
            _ => {
                group.captures = true;
                1
            }
        };
        let negated = rest[..len.min(rest.len())].ends_with(b"!");
        self.traits.captures_in_look_around |= group.captures && self.look_around_depth > 0;
        self.copy(len);
        self.enter(group, negated);
        Ok(())
    }

    /// What is known of a group at its parenthesis.
    fn group_here(&self) -> Group {
        let plain = matches!(self.rest(), [b'(', b'?', b':', ..]);
        Group {
            extended: self.extended,
            range: self.range,
            points: self.traits.points.len(),
            isolations: self.isolations,
            isolating: false,
            atomic: false,
            captures: false,
            ways: None,
            parent: self.isolation,
            start: self.out.len(),
            look_around: false,
            look_behind: false,
            nests: false,
            solid: !plain,
            hollow: false,
            plain,
        }
    }

    /// Copies the begin of `(?(<name>)`; gives the length of the rest of it.
    fn conditional(&mut self) -> usize {
        let rest = self.rest();
        let len = rest.iter().position(|&b| b == b')').map_or(3, |n| n + 1);
        let [b'(', b'?', b'(', quote @ (b'<' | b'\''), ref name @ .., _, b')'] = rest[..len] else { return len };
        self.out.extend([b'(', b'?', b'(', quote]);
        self.out.extend(names::encode_reference(name));
        self.pos += len - 2;
        2
    }

    /// Copies the begin of `(?<name>`; gives the length of the rest of it.
    fn named(&mut self, close: u8) -> usize {
        let rest = self.rest();
        let Some(len) = rest.iter().skip(3).position(|&b| b == close) else { return rest.len() };
        self.copy(3);
        self.out.extend(names::encode(&rest[3..3 + len]));
        self.pos += len;
        1
    }

    fn enter(&mut self, group: Group, negated: bool) {
        // A look-behind that is not negated makes no choice.
        let nests = group.isolating || group.look_behind && negated;
        self.traits.nested_atomic |= group.atomic && self.is_isolated() || nests && self.atomic_depth > 0;
        self.traits.isolating |= group.isolating;
        self.traits.leading_look |= group.look_around && !self.consumed;
        self.isolations += nests as usize;
        self.look_around_depth += (nests && !group.atomic) as usize;
        self.look_behind_depth += group.look_behind as usize;
        self.atomic_depth += group.atomic as usize;
        if group.isolating && self.marks_isolation() {
            self.isolation = self.isolations;
            self.point(Kind::Begin);
            self.out.extend_from_slice(b"(?:");
        }
        self.groups.push(Group { nests, ..group });
        self.extents.push(Extent::EMPTY);
    }

    /// What goes before the parenthesis that closes an isolating group.
    fn leave(&mut self, group: &Group) {
        self.out.push(b')');
        self.point(Kind::End);
        if !group.atomic && self.checks == Checks::Full {
            self.out.push(b'|');
            self.point(Kind::Final);
        }
        self.isolation = group.parent;
    }

    /// `(?imx-imx)` and `(?imx-imx:`, with Ruby's a, d and u taken out.
    fn options(&mut self, group: Group) -> Result<(), String> {
        let rest = self.rest();
        let mut on = true;
        let mut kept = Vec::new();
        let mut range = self.range;
        let mut extended = self.extended;
        let mut len = 2;
        let end = loop {
            let Some(&b) = rest.get(len) else {
                return Err("end pattern in group".into());
            };
            len += 1;
            match b {
                b'-' => on = false,
                b'i' | b'm' => {}
                b'x' => extended = on,
                b'a' if on => range = Range::Ascii,
                b'd' if on => range = Range::Default,
                b'u' if on => range = Range::Unicode,
                b':' | b')' => break b,
                _ => return Err("undefined group option".into()),
            }
            if !matches!(b, b'a' | b'd' | b'u') {
                kept.push(b);
            }
        };
        self.pos += len;
        self.out.extend_from_slice(b"(?");
        if kept.is_empty() && end == b')' {
            // An option group must name an option: repeat the state of x.
            kept = if extended { b"x".to_vec() } else { b"-x".to_vec() };
        }
        self.out.extend_from_slice(&kept);
        self.out.push(end);
        if end == b':' {
            self.enter(group, false);
        }
        self.extended = extended;
        self.range = range;
        Ok(())
    }

    fn close(&mut self) {
        let Some(group) = self.groups.pop() else {
            return self.copy(1);
        };
        if group.isolating && self.marks_isolation() {
            self.leave(&group);
        }
        self.copy(1);
        let content = self.extents.pop().unwrap_or(Extent::EMPTY);
        let content = match (group.look_around, group.captures) {
            (true, _) => content.looking(),
            (_, true) => content.capturing(),
            _ => content,
        };
        self.extended = group.extended;
        self.range = group.range;
        self.look_around_depth -= (group.nests && !group.atomic) as usize;
        self.look_behind_depth -= group.look_behind as usize;
        self.atomic_depth -= group.atomic as usize;
        if group.look_around || !group.solid || group.hollow {
            self.wrap_assertion(group.start);
        }
        if !group.look_around && (group.solid || group.hollow) {
            self.mark_solid();
        }
        self.group_end(group.start, true, content, (group.points, group.isolations));
    }
}
