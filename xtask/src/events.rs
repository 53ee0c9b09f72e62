//! What a program under test tells its runner: events between the bytes 1 and 2 in its standard output, so that
//! they keep their order beside ordinary output and need nothing but `STDOUT.write`.

/// Splits output into ordinary text and events (in order).
pub fn split(output: &[u8]) -> (String, Vec<String>) {
    let mut text = Vec::new();
    let mut events = Vec::new();
    let mut rest = output;
    while let Some(start) = rest.iter().position(|byte| *byte == 1) {
        text.extend_from_slice(&rest[..start]);
        let after = &rest[start + 1..];
        let end = after.iter().position(|byte| *byte == 2).unwrap_or(after.len());
        events.push(String::from_utf8_lossy(&after[..end]).into_owned());
        rest = after.get(end + 1..).unwrap_or_default();
    }
    text.extend_from_slice(rest);
    (String::from_utf8_lossy(&text).into_owned(), events)
}

#[cfg(test)]
mod tests {
    #[test]
    fn events_leave_the_text_untouched() {
        let (text, events) = super::split(b"ab\x01v1 2\x02c\n\x01cut");
        assert_eq!(text, "abc\n");
        assert_eq!(events, ["v1 2", "cut"]);
    }
}
