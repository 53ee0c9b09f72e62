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
//! from 1 in the order of the text.

use crate::names;
use rubellite_encoding::Encoding;

/// Where check points go.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Checks {
    None,
    Head,
    Full,
}

/// What the translation found out about a pattern.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traits {
    pub backreference: bool,
    pub subexp_call: bool,
    pub look_around: bool,
    /// A look-around holds a group that captures.
    pub captures_in_look_around: bool,
    pub atomic: bool,
    pub absent: bool,
    pub conditional: bool,
    /// A counted repeat stands inside another one.
    pub nested_counts: bool,
    /// `\G`
    pub search_start: bool,
    /// For each check point, whether reaching it again at the same place must fail again:
    /// not so inside a counted repeat.
    pub repeatable: Vec<bool>,
}

impl Traits {
    /// `Regexp.linear_time?`
    pub(crate) fn is_linear(&self) -> bool {
        !(self.backreference || self.subexp_call || self.absent || self.conditional || self.nested_counts || self.captures_in_look_around)
    }

    /// Whether failures at check points may be remembered: what follows a point must depend
    /// on nothing but the place.
    pub(crate) fn can_remember(&self) -> bool {
        self.is_linear() && !self.look_around && !self.atomic
    }
}

pub(crate) struct Rewritten {
    pub text: Vec<u8>,
    pub traits: Traits,
}

const CHECK: &[u8] = b"(?{c})";

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
    /// Where it begins in the output.
    start: usize,
    look_around: bool,
    look_behind: bool,
    /// Something in it is no assertion, or the group itself is more than its content.
    solid: bool,
    /// An earlier alternative is nothing but assertions.
    hollow: bool,
    /// `(?:`, which is only what its alternatives are.
    plain: bool,
}

pub(crate) fn rewrite(text: &[u8], enc: Encoding, extended: bool, checks: Checks) -> Result<Rewritten, String> {
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
        contains_count: vec![false],
        out: Vec::with_capacity(text.len() + 16),
        traits: Traits::default(),
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
    /// For each open group and the whole, whether it holds a counted repeat.
    contains_count: Vec<bool>,
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
        self.out.extend_from_slice(CHECK);
        self.traits.repeatable.push(true);
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
                    self.copy(self.enc.step_len(self.rest()).max(1));
                    self.atom_end(atom, false);
                }
            }
        }
        Ok(())
    }

    /// Copies the quantifiers behind an atom, which began at `atom` of the output, and puts
    /// check points around them. Tells whether a quantifier counts.
    fn atom_end(&mut self, atom: usize, group: bool) -> bool {
        let checked = self.checks == Checks::Full && self.look_behind_depth == 0;
        let mut quantified = false;
        let mut counted = false;
        let point = self.traits.repeatable.len();
        loop {
            let start = self.pos;
            let skipped_at = self.out.len();
            self.skip_ignored();
            let rest = self.rest();
            let len = match rest.first() {
                Some(b'*' | b'+' | b'?') => 1,
                Some(b'{') => interval_len(rest),
                _ => 0,
            };
            if len == 0 {
                // What was skipped belongs to what comes next.
                self.out.truncate(skipped_at);
                self.pos = start;
                break;
            }
            if checked && !quantified {
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
            self.traits.atomic |= quantified && rest[0] == b'+';
            counted |= rest[0] == b'{';
            quantified = true;
            self.copy(len);
        }
        if counted {
            if let Some(holds) = self.contains_count.last_mut() {
                *holds = true;
            }
            self.traits.repeatable[point..].fill(false);
        }
        if checked && (quantified || group) {
            self.check_point();
        }
        counted
    }

    /// Something that is no assertion stands in the group.
    fn mark_solid(&mut self) {
        if let Some(group) = self.groups.last_mut() {
            group.solid = true;
        }
    }

    /// Oniguruma repeats no assertion, Ruby does: one that began at `atom` of the output is
    /// put into a group with an empty string behind it when a quantifier follows.
    fn wrap_assertion(&mut self, atom: usize) {
        let (pos, len) = (self.pos, self.out.len());
        self.skip_ignored();
        let rest = self.rest();
        let quantified = match rest.first() {
            Some(b'*' | b'+' | b'?') => true,
            Some(b'{') => interval_len(rest) > 0,
            _ => false,
        };
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
            b'k' | b'g' => {
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
            b'p' | b'P' => {
                let braced = rest.get(2) == Some(&b'{');
                let len = rest.iter().position(|&c| c == b'}').map_or(2, |n| n + 1);
                if braced && len > 3 && !self.enc.is_unicode() {
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
            _ => self.copy(1 + self.enc.step_len(&rest[1..]).max(1)),
        }
        self.atom_end(atom, false);
    }

    /// A property in an encoding whose tables know few of them and only in one spelling, while Ruby takes any.
    fn property(&mut self, text: &[u8]) {
        const NAMES: [&str; 20] = [
            "Alnum", "Alpha", "Blank", "Cntrl", "Digit", "Graph", "Lower", "Print", "Punct", "Space", "Upper", "XDigit", "ASCII", "Word", "Hiragana",
            "Katakana", "Han", "Latin", "Greek", "Cyrillic",
        ];
        let given = &text[3..text.len() - 1];
        let negated = given.starts_with(b"^");
        let plain = &given[negated as usize..];
        let known = NAMES.iter().find(|name| name.as_bytes().eq_ignore_ascii_case(plain));
        self.out.extend_from_slice(&text[..3]);
        self.out.extend_from_slice(&given[..negated as usize]);
        self.out.extend_from_slice(known.map_or(plain, |name| name.as_bytes()));
        self.out.push(b'}');
        self.pos += text.len();
    }

    /// An escape under an option of its own.
    fn scoped(&mut self, option: u8, b: u8) {
        self.out.extend([b'(', b'?', option, b':', b'\\', b, b')']);
        self.pos += 2;
    }

    /// A bracket class with everything nested in it.
    fn class(&mut self) {
        self.mark_solid();
        let atom = self.out.len();
        let wrap = self.range == Range::Ascii;
        if wrap {
            self.out.extend_from_slice(b"(?P:");
        }
        let mut depth = 0;
        let mut first = false;
        while let Some(&b) = self.rest().first() {
            let rest = self.rest();
            let at_start = std::mem::take(&mut first);
            match b {
                b'[' if rest.starts_with(b"[:") && depth > 0 && posix_len(rest) > 0 => self.copy(posix_len(rest)),
                b'[' => {
                    depth += 1;
                    self.copy(1);
                    if self.rest().first() == Some(&b'^') {
                        self.copy(1);
                    }
                    first = true;
                }
                b']' if at_start && rest[1..].contains(&b']') => self.copy(1),
                b']' => {
                    depth -= 1;
                    self.copy(1);
                    if depth == 0 {
                        break;
                    }
                }
                b'\\' if rest.len() > 1 => self.class_escape(rest[1]),
                _ => self.copy(self.enc.step_len(rest).max(1)),
            }
        }
        if wrap {
            self.out.push(b')');
        }
        self.atom_end(atom, false);
    }

    fn class_escape(&mut self, b: u8) {
        let expansion: &[u8] = match b {
            b'w' => b"a-zA-Z0-9_",
            b'W' => b"[^a-zA-Z0-9_]",
            b'd' => b"0-9",
            b'D' => b"[^0-9]",
            b's' => b"\\t-\\r\\x20",
            b'S' => b"[^\\t-\\r\\x20]",
            _ => b"",
        };
        match b {
            b'N' | b'O' | b'Q' | b'E' | b'o' => {
                self.out.push(b);
                self.pos += 2;
            }
            _ if expansion.is_empty() || self.range != Range::Default => {
                self.copy(1 + self.enc.step_len(&self.rest()[1..]).max(1));
            }
            _ => {
                self.out.extend_from_slice(expansion);
                self.pos += 2;
            }
        }
    }

    fn open(&mut self) -> Result<(), String> {
        let rest = self.rest();
        let mut group = Group {
            extended: self.extended,
            range: self.range,
            points: self.traits.repeatable.len(),
            start: self.out.len(),
            look_around: false,
            look_behind: false,
            solid: !matches!(rest, [b'(', b'?', b':', ..]),
            hollow: false,
            plain: matches!(rest, [b'(', b'?', b':', ..]),
        };
        let len = match rest {
            [b'(', b'?', b'#', ..] => {
                self.copy(comment_len(rest));
                return Ok(());
            }
            [b'(', b'?', b'=' | b'!', ..] => {
                group.look_around = true;
                3
            }
            [b'(', b'?', b'<', b'=' | b'!', ..] => {
                group.look_around = true;
                group.look_behind = true;
                4
            }
            [b'(', b'?', b':', ..] => 3,
            [b'(', b'?', b'>', ..] => {
                self.traits.atomic = true;
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
                if !matches!(rest.get(3), Some(b'<' | b'\'' | b'0'..=b'9' | b'+' | b'-')) {
                    return Err("invalid conditional pattern".into());
                }
                self.conditional()
            }
            [b'(', b'?', quote @ (b'<' | b'\''), ..] => {
                let close = if *quote == b'<' { b'>' } else { b'\'' };
                self.traits.captures_in_look_around |= self.look_around_depth > 0;
                self.named(close)
            }
            [b'(', b'?', ..] => return self.options(group),
            _ => {
                self.traits.captures_in_look_around |= self.look_around_depth > 0;
                1
            }
        };
        self.copy(len);
        self.enter(group);
        Ok(())
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

    fn enter(&mut self, group: Group) {
        self.traits.look_around |= group.look_around;
        self.look_around_depth += group.look_around as usize;
        self.look_behind_depth += group.look_behind as usize;
        self.groups.push(group);
        self.contains_count.push(false);
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
            self.enter(group);
        }
        self.extended = extended;
        self.range = range;
        Ok(())
    }

    fn close(&mut self) {
        self.copy(1);
        let Some(group) = self.groups.pop() else {
            return;
        };
        let inner_count = self.contains_count.pop().unwrap_or(false);
        self.extended = group.extended;
        self.range = group.range;
        self.look_around_depth -= group.look_around as usize;
        self.look_behind_depth -= group.look_behind as usize;
        if group.look_around || !group.solid || group.hollow {
            self.wrap_assertion(group.start);
        }
        if !group.look_around && (group.solid || group.hollow) {
            self.mark_solid();
        }
        let inside = self.traits.repeatable.len();
        let counted = self.atom_end(group.start, true);
        if counted {
            self.traits.nested_counts |= inner_count;
            self.traits.repeatable[group.points..inside].fill(false);
        }
        if inner_count && let Some(outer) = self.contains_count.last_mut() {
            *outer = true;
        }
    }
}

/// Length of `{n}`, `{n,}`, `{,m}` or `{n,m}` at the front, or 0.
fn interval_len(text: &[u8]) -> usize {
    let Some(close) = text.iter().position(|&b| b == b'}') else {
        return 0;
    };
    let inner = &text[1..close];
    let commas = inner.iter().filter(|&&b| b == b',').count();
    let digits = inner.iter().filter(|b| b.is_ascii_digit()).count();
    if digits > 0 && commas <= 1 && digits + commas == inner.len() { close + 1 } else { 0 }
}

/// Whether the bounds `n,m` of an interval are the wrong way round.
fn is_reversed(bounds: &[u8]) -> bool {
    let number = |digits: &[u8]| std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u64>().ok());
    let mut parts = bounds.splitn(2, |&b| b == b',');
    match (parts.next().and_then(number), parts.next().and_then(number)) {
        (Some(lower), Some(upper)) => lower > upper,
        _ => false,
    }
}

/// Length of a `(?#...)` comment.
fn comment_len(text: &[u8]) -> usize {
    let mut pos = 3;
    while pos < text.len() {
        match text[pos] {
            b'\\' => pos += 2,
            b')' => return pos + 1,
            _ => pos += 1,
        }
    }
    text.len()
}

/// Length of `[:name:]` or `[:^name:]` at the front, or 0.
fn posix_len(text: &[u8]) -> usize {
    let name = text[2..].iter().take_while(|b| b.is_ascii_alphabetic() || **b == b'^').count();
    if text[2 + name..].starts_with(b":]") { name + 4 } else { 0 }
}
