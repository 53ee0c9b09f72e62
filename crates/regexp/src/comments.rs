//! Where comments stand in a pattern, as far as reading its escapes needs to know: escapes in comments mean nothing.

/// The place in the pattern up to which it has been read.
pub(crate) struct Place {
    /// Option x holds.
    extended: bool,
    /// Whether it held outside of the open groups.
    groups: Vec<bool>,
    /// Open brackets.
    classes: usize,
}

impl Place {
    pub fn new(extended: bool) -> Place {
        Place { extended, groups: Vec::new(), classes: 0 }
    }

    /// The length of the comment with which `rest` begins.
    pub fn comment(&self, rest: &[u8]) -> Option<usize> {
        match rest {
            _ if self.classes > 0 => None,
            [b'(', b'?', b'#', ..] => Some(comment_len(rest)),
            [b'#', ..] if self.extended => Some(rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len())),
            _ => None,
        }
    }

    /// Passes the ASCII character with which `rest` begins, no backslash, and what belongs to it; returns the length.
    pub fn pass(&mut self, rest: &[u8]) -> usize {
        match rest[0] {
            b'[' if self.classes > 0 && is_overlong(rest) => return 1,
            b'[' => {
                self.classes += 1;
                // A bracket that comes first closes nothing.
                match rest {
                    [_, b']', ..] if self.classes == 1 => return 2,
                    [_, b'^', b']', ..] if self.classes == 1 => return 3,
                    _ => {}
                }
            }
            b']' => self.classes = self.classes.saturating_sub(1),
            b'(' if self.classes == 0 => return self.open(rest),
            b')' if self.classes == 0 => self.extended = self.groups.pop().unwrap_or(self.extended),
            _ => {}
        }
        1
    }

    /// A parenthesis. `(?x)` holds to the end of the group around it, `(?x:` to its own end.
    fn open(&mut self, rest: &[u8]) -> usize {
        let letters = match rest {
            [_, b'?', after @ ..] => after.iter().take_while(|b| b"imxadu-".contains(b)).count(),
            _ => 0,
        };
        let options = if letters > 0 { &rest[2..2 + letters] } else { &[] };
        let before = self.extended;
        if let (true, Some(end @ (b':' | b')'))) = (letters > 0, rest.get(2 + letters)) {
            let mut on = true;
            for letter in options {
                match letter {
                    b'-' => on = false,
                    b'x' => self.extended = on,
                    _ => {}
                }
            }
            if *end == b':' {
                self.groups.push(before);
            }
            return 3 + letters;
        }
        self.groups.push(before);
        1
    }
}

/// Length of a `(?#...)` comment.
pub(crate) fn comment_len(text: &[u8]) -> usize {
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

/// More letters than any name of a class has.
const LONGEST: usize = 20;

/// Whether a bracket at the front stands for itself, because what looks like the name of a class behind it is none.
pub(crate) fn is_overlong(text: &[u8]) -> bool {
    let Some(inner) = text.strip_prefix(b"[:") else { return false };
    let name = inner.iter().take_while(|b| b.is_ascii_alphabetic() || **b == b'^').count();
    name > LONGEST && inner[name..].starts_with(b":]")
}

/// Length of `[:name:]` or `[:^name:]` at the front, or 0; what is longer than any name is no name.
pub(crate) fn posix_len(text: &[u8]) -> usize {
    let name = text[2..].iter().take_while(|b| b.is_ascii_alphabetic() || **b == b'^').count();
    if name <= LONGEST && text[2 + name..].starts_with(b":]") { name + 4 } else { 0 }
}
