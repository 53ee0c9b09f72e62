//! Text within a block: escapes, and the extensions that Discount finds in plain text.

use super::html::Flags;

/// `& < >` as entities.
pub fn escape(out: &mut String, text: &str) {
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let entity = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        out.push_str(entity);
        from = at + 1;
    }
    out.push_str(&text[from..]);
}

/// The same for the value of an attribute.
pub fn escape_attribute(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
}

/// Plain text with what the flags ask for.
pub fn text(out: &mut String, text: &str, flags: &Flags, in_link: bool) {
    let superscript = !flags.no_superscript && !flags.strict && text.contains('^');
    let links = flags.autolink && !in_link && text.contains("://");
    if !(superscript || links || flags.smart) {
        return escape(out, text);
    }
    let (mut from, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        let before = text[..at].chars().next_back();
        let mut replaced = None;
        if links && !before.is_some_and(char::is_alphanumeric) {
            replaced = url_len(rest).map(|len| (len, link(&rest[..len])));
        }
        if superscript && replaced.is_none() && rest.starts_with('^') && before.is_some_and(char::is_alphanumeric) {
            replaced = raised(&rest[1..]).map(|(len, inside)| (len + 1, wrapped("sup", inside)));
        }
        if flags.smart && replaced.is_none() {
            replaced = smart(rest).map(|(len, entity)| (len, entity.to_string()));
        }
        match replaced {
            Some((len, html)) => {
                escape(out, &text[from..at]);
                out.push_str(&html);
                at += len;
                from = at;
            }
            None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    escape(out, &text[from..]);
}

fn wrapped(tag: &str, inside: &str) -> String {
    let mut html = format!("<{tag}>");
    escape(&mut html, inside);
    html.push_str(&format!("</{tag}>"));
    html
}

/// `^(text)` or `^text`, behind the caret: its length and what is raised.
fn raised(rest: &str) -> Option<(usize, &str)> {
    if let Some(inside) = rest.strip_prefix('(') {
        let end = inside.find(')')?;
        return Some((end + 2, &inside[..end]));
    }
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    (end > 0).then(|| (end, &rest[..end]))
}

fn url_len(rest: &str) -> Option<usize> {
    let scheme = ["http://", "https://", "ftp://"].into_iter().find(|scheme| rest.starts_with(scheme))?;
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"')).unwrap_or(rest.len());
    let url = rest[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '\'']);
    (url.len() > scheme.len()).then_some(url.len())
}

fn link(url: &str) -> String {
    let mut html = "<a href=\"".to_string();
    escape_attribute(&mut html, url);
    html.push_str("\">");
    escape(&mut html, url);
    html.push_str("</a>");
    html
}

/// The parser has made quotes, dashes and dots of typewriter characters; Discount writes them as entities.
fn smart(rest: &str) -> Option<(usize, &'static str)> {
    const MARKS: &[(&str, &str)] = &[
        ("“", "&ldquo;"),
        ("”", "&rdquo;"),
        ("‘", "&lsquo;"),
        ("’", "&rsquo;"),
        ("–", "&ndash;"),
        ("—", "&mdash;"),
        ("…", "&hellip;"),
        ("(c)", "&copy;"),
        ("(r)", "&reg;"),
        ("(tm)", "&trade;"),
    ];
    MARKS.iter().find(|(mark, _)| rest.starts_with(mark)).map(|(mark, entity)| (mark.len(), *entity))
}
