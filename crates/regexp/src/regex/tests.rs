//! Tests of matching, of Ruby's dialect and of interruption.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::*;

fn regex(source: &str) -> Regex {
    Regex::new(source.as_bytes(), Options::default(), Encoding::UTF_8).unwrap()
}

fn never() -> Option<MatchError> {
    None
}

fn find_in(regex: &Regex, text: &[u8], enc: Encoding) -> Result<Option<(usize, usize)>, MatchError> {
    let mut captures = Captures::new();
    let subject = Subject::new(text, enc)?;
    regex.search(subject, 0, Direction::Forward, &mut captures, &mut never)?;
    Ok(captures.get(0))
}

fn find(source: &str, text: &str) -> Option<(usize, usize)> {
    find_in(&regex(source), text.as_bytes(), Encoding::UTF_8).unwrap()
}

#[test]
fn classes_mean_ascii() {
    assert_eq!(find(r"\w+", "über"), Some((2, 5)));
    assert_eq!(find(r"[\w]+", "über"), Some((2, 5)));
    assert_eq!(find(r"\W", "é"), Some((0, 2)));
    assert_eq!(find(r"\d", "٣"), None);
    assert_eq!(find(r"[[:digit:]]", "٣"), Some((0, 2)));
    assert_eq!(find(r"[[:alpha:]]+", "über"), Some((0, 5)));
    assert_eq!(find(r"\bber", "über"), None);
    assert_eq!(find(r"(?u)\w+", "über"), Some((0, 5)));
    assert_eq!(find(r"(?a)[[:alpha:]]+", "über"), Some((2, 5)));
    assert_eq!(find(r"\p{Alpha}+", "über"), Some((0, 5)));
    assert_eq!(find(r"[^\s]+", " a "), Some((1, 2)));
    assert_eq!(find(r"\h+", "xfF0"), Some((1, 4)));
}

#[test]
fn constructs() {
    assert_eq!(find(r"\R", "a\r\n"), Some((1, 3)));
    assert_eq!(find(r"\X", "e\u{301}"), Some((0, 3)));
    assert_eq!(find(r"a\Kb", "ab"), Some((1, 2)));
    assert_eq!(find(r"/\*(?~\*/)\*/", "/* a */ */"), Some((0, 7)));
    assert_eq!(find(r"(a)?(?(1)b|c)", "ab"), Some((0, 2)));
    assert_eq!(find(r"(?<p>\((?:[^()]|\g<p>)*\))", "x(a(b)c)"), Some((1, 8)));
    assert_eq!(find(r"(?<=a|bc)d", "bcd"), Some((2, 3)));
    assert_eq!(find(r"\y", "xy"), Some((1, 2)));
    assert_eq!(find(r"a(?i)b|c", "aB"), Some((0, 2)));
    assert_eq!(find(r"\u{3042}\x41", "あA"), Some((0, 4)));
    assert_eq!(find(r"\xE3\x81\x82", "あ"), Some((0, 3)));
    assert_eq!(find(r"(?i)STRASSE", "straße"), Some((0, 7)));
    assert_eq!(find(r"^b$", "a\nb\n"), Some((2, 3)));
}

#[test]
fn groups() {
    let named = regex("(?<a>x)(?<b>y)(?<a>z)");
    assert_eq!(named.captures_len(), 3);
    assert_eq!(named.names()[0], (b"a".to_vec(), vec![1, 3]));
    assert_eq!(named.groups_of(b"b"), Some(&[2][..]));
    let mixed = regex("(?<a>x)(y)");
    assert_eq!(mixed.captures_len(), 1);
    let optional = regex("(a)|(b)");
    let mut captures = Captures::new();
    let subject = Subject::new(b"b", Encoding::UTF_8).unwrap();
    optional.search(subject, 0, Direction::Forward, &mut captures, &mut never).unwrap();
    assert_eq!((captures.len(), captures.get(1), captures.get(2)), (3, None, Some((0, 1))));
}

#[test]
fn backward_and_at() {
    let bar = regex("bar");
    let mut captures = Captures::new();
    let subject = Subject::new(b"foobar", Encoding::UTF_8).unwrap();
    let back = |start, captures: &mut Captures| bar.search(subject, start, Direction::Backward, captures, &mut never);
    assert_eq!(back(3, &mut captures), Ok(Some(3)));
    assert_eq!(captures.get(0), Some((3, 6)));
    assert_eq!(back(2, &mut captures), Ok(None));
    assert_eq!(bar.match_at(subject, 3, &mut captures, &mut never), Ok(Some(6)));
    assert_eq!(bar.match_at(subject, 2, &mut captures, &mut never), Ok(None));
}

#[test]
fn encodings() {
    let new = |s: &[u8], enc| Regex::new(s, Options::default(), enc);
    assert_eq!(regex("a").encoding(), Encoding::US_ASCII);
    assert_eq!(regex("é").encoding(), Encoding::UTF_8);
    assert!(regex(r"\u3042").is_fixed_encoding());
    assert!(!regex("a").is_fixed_encoding());
    assert_eq!(new(br"\xff", Encoding::US_ASCII).unwrap().encoding(), Encoding::US_ASCII);
    assert_eq!(new(br"\xff", Encoding::BINARY).unwrap().encoding(), Encoding::BINARY);
    let message = |s: &[u8], enc| new(s, enc).err().map(|e| e.message);
    let clash = message(b"\xA4\xA2\\u3042", Encoding::EUC_JP);
    assert_eq!(clash.as_deref(), Some("UTF-8 character in non UTF-8 regexp: /\\x{A4A2}\\u3042/"));
    let euc = find_in(&regex("あ"), b"\xA4\xA2", Encoding::EUC_JP).unwrap_err().message();
    assert_eq!(euc, "incompatible encoding regexp match (UTF-8 regexp with EUC-JP string)");
    assert_eq!(find_in(&regex("x"), b"\xFF", Encoding::UTF_8), Err(MatchError::Broken(Encoding::UTF_8)));
    assert_eq!(find_in(&regex("."), b"\xA4\xA2", Encoding::EUC_JP), Ok(Some((0, 2))));
    assert_eq!(find_in(&regex("."), b"\xFF", Encoding::BINARY), Ok(Some((0, 1))));
}

#[test]
fn syntax_errors() {
    let cases = [
        ("(", "end pattern with unmatched parenthesis: /(/"),
        ("a)", "unmatched close parenthesis: /a)/"),
        ("[a", "premature end of char-class: /[a/"),
        ("[]", "empty char-class: /[]/"),
        ("*a", "target of repeat operator is not specified: /*a/"),
        ("a{100001}", "too big number for repeat range: /a{100001}/"),
        ("\\", "too short escape sequence: /\\/"),
        ("(?z)", "undefined group option: /(?z)/"),
        ("(?W)", "undefined group option: /(?W)/"),
        ("(?{a})", "undefined group option: /(?{a})/"),
        ("(*FAIL)", "target of repeat operator is not specified: /(*FAIL)/"),
        ("(?R)", "undefined group option: /(?R)/"),
        (r"\k<a>", r"undefined name <a> reference: /\k<a>/"),
        (r"(?<a>x)\1", r"numbered backref/call is not allowed. (use name): /(?<a>x)\1/"),
        ("[b-a]", "empty range in char class: /[b-a]/"),
        (r"\p{foo}", r"invalid character property name {foo}: /\p{foo}/"),
        (r"\x{ff}", r"invalid hex escape: /\x{ff}/"),
        (r"\xff", r"invalid multibyte escape: /\xff/"),
        (r"\u12", r"invalid Unicode escape: /\u12/"),
        (r"\u{110000}", r"invalid Unicode range: /\u{110000}/"),
        ("(?<n>\\g<n>)", "never ending recursion: /(?<n>\\g<n>)/"),
        ("(?<>a)", "group name is empty: /(?<>a)/"),
    ];
    for (source, message) in cases {
        let error = Regex::new(source.as_bytes(), Options::default(), Encoding::UTF_8).err();
        assert_eq!(error.map(|e| e.message).as_deref(), Some(message), "{source}");
    }
}

#[test]
fn linear_time() {
    for source in ["a", "(a*)*", "(?=a)a", "(?>a)", "a++", "(?<=a)b", "(a){2,3}", "(?:a?){3}", r"a\Kb"] {
        assert!(regex(source).is_linear_time(), "{source}");
    }
    for source in [r"(a)\1", r"(?<n>a)\k<n>", "(?~a)", r"\g<x>(?<x>a)", "((a{1,3}){1,3})*", "(?=(a))"] {
        assert!(!regex(source).is_linear_time(), "{source}");
    }
}

#[test]
fn heavy_backtracking_becomes_linear() {
    let text = "a".repeat(20_000) + "b";
    let start = Instant::now();
    for source in ["^(a+)+$", "^(a|a)*$", "^(a*)*$", "(x+x+)+y|^(a|aa)+$", "a*a*a*a*a*c"] {
        assert_eq!(find(source, &text), None, "{source}");
    }
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(find("^(a+)+b$", &text), Some((0, 20_001)));
    assert_eq!(find("^(?:a|a)+b$", &text), Some((0, 20_001)));
}

/// How long a search takes to notice a flag that is raised after 30 ms.
fn stops_after(source: &str, text: &str) -> Duration {
    let regex = regex(source);
    let flag = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let searcher = scope.spawn(|| {
            let mut captures = Captures::new();
            let subject = Subject::new(text.as_bytes(), Encoding::UTF_8).unwrap();
            let mut poll = || flag.load(Ordering::Relaxed).then_some(MatchError::Interrupted);
            let found = regex.search(subject, 0, Direction::Forward, &mut captures, &mut poll);
            (found, Instant::now())
        });
        std::thread::sleep(Duration::from_millis(30));
        let raised = Instant::now();
        flag.store(true, Ordering::Relaxed);
        let (found, ended) = searcher.join().unwrap();
        assert_eq!(found, Err(MatchError::Interrupted), "{source}");
        ended.saturating_duration_since(raised)
    })
}

#[test]
fn can_be_interrupted() {
    // All that a match needs is there, but not where it is needed.
    let short = "a".repeat(40) + "bcd";
    let long = "a".repeat(300_000) + "xb";
    let cases = [
        (r"^(a+)+\1c$", &short),
        (r"^(?=a)(a|a)*\1*d$", &short),
        (r"a*+[bc]x", &long),
        (r"(a*)*\1[bc]x", &long),
        (r"a*[bc]x", &long),
    ];
    for (source, text) in cases {
        let took = stops_after(source, text);
        assert!(took < Duration::from_millis(200), "{source}: {took:?}");
    }
}

#[test]
fn long_scans() {
    let text = "foo bar ".repeat(200_000) + "needle";
    assert_eq!(find("needle", &text), Some((1_600_000, 1_600_006)));
    assert_eq!(find(r"\w+e\b", &text), Some((1_600_000, 1_600_006)));
    assert_eq!(find("[xyz]", &text), None);
    assert_eq!(find(r"\Aneedle", &text), None);
    assert_eq!(find(r"(?i)NEEDLE\z", &text), Some((1_600_000, 1_600_006)));
}

#[test]
fn shared_between_threads() {
    let regex = regex(r"(\w+)@(\w+)");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..1000 {
                    assert_eq!(find_in(&regex, b"to: me@home", Encoding::UTF_8), Ok(Some((4, 11))));
                }
            });
        }
    });
}

#[test]
fn simple_patterns_agree_with_the_engine() {
    let patterns = [
        r"a+",
        r"a*b",
        r"[ab]+c?",
        r"(?:ab)*c",
        r"ab|ac|b",
        r"a(?:b|c)+",
        r#""(?:[^"\\]|\\.)*""#,
        r"[^ab]",
        r".b",
        r"\w+\s",
        r"\W+",
        r"a+?b",
        r"(?:a|ab)c",
        r"=>|=|[<>]=?",
        r"a?b?c",
        r"é",
        r"[^a-c]+",
        r"(?:a+b)+",
        r"(?:ab?)*c",
        r"\d+(?:\.\d+)?",
    ];
    let alphabet = ["a", "b", "c", " ", "\"", "\\", "=", ">", "1", ".", "é", "日", "\n"];
    let mut seed = 7u64;
    let mut next = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    for source in patterns {
        let simple = Regex::new(source.as_bytes(), Options::default(), Encoding::UTF_8).unwrap();
        // The look-ahead keeps this one with the engine.
        let engine = Regex::new(format!("(?:{source})(?=)").as_bytes(), Options::default(), Encoding::UTF_8).unwrap();
        for _ in 0..300 {
            let text: String = (0..next(12)).map(|_| alphabet[next(alphabet.len())]).collect();
            let start = (0..=text.len()).filter(|i| text.is_char_boundary(*i)).nth(next(3)).unwrap_or(0);
            let spans = |regex: &Regex, at: bool| {
                let mut captures = Captures::new();
                let subject = Subject::new(text.as_bytes(), Encoding::UTF_8).unwrap();
                let found = match at {
                    true => regex.match_at(subject, start, &mut captures, &mut || None),
                    false => regex.search(subject, start, Direction::Forward, &mut captures, &mut || None),
                };
                found.unwrap().and_then(|_| captures.get(0))
            };
            for at in [true, false] {
                assert_eq!(spans(&simple, at), spans(&engine, at), "{source} in {text:?} from {start}");
            }
        }
    }
}

/// Numbers that look random, the same in each run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }

    fn pattern(&mut self, depth: usize, isolate: bool) -> String {
        let parts = 1 + self.roll(3);
        (0..parts).map(|_| self.part(depth, isolate)).collect()
    }

    fn part(&mut self, depth: usize, isolate: bool) -> String {
        let kinds = if depth == 0 { 3 } else { 9 };
        let quantifiers = ["", "", "*", "+", "?", "*?", "+?", "{1,2}", "??", "{2}", "{0,3}", "{2,}", "{1,3}?"];
        let atom = match self.roll(kinds) {
            0 => "a".to_string(),
            1 => "b".to_string(),
            2 => ".".to_string(),
            3 | 4 => format!("(?:{}|{})", self.pattern(depth - 1, isolate), self.pattern(depth - 1, isolate)),
            5 => format!("(?:{})", self.pattern(depth - 1, isolate)),
            6 if isolate => return format!("(?={})", self.pattern(depth - 1, isolate)),
            7 if isolate => {
                return format!("(?!{}|{})", self.pattern(depth - 1, isolate), self.pattern(depth - 1, isolate));
            }
            8 if isolate => format!("(?>{})", self.pattern(depth - 1, false)),
            _ => "[ab]".to_string(),
        };
        let end = self.roll(quantifiers.len() as u64) as usize;
        let possessive = isolate && matches!(quantifiers[end], "*" | "+" | "?") && self.roll(3) == 0 && atom.len() == 1;
        format!("{atom}{}{}", quantifiers[end], if possessive { "+" } else { "" })
    }
}

#[test]
fn remembering_changes_no_answer() {
    let mut dice = Dice(7);
    let (mut tracked, mut counted) = (0, 0);
    for round in 0..20_000 {
        let source = dice.pattern(3, round % 3 > 0);
        let Ok(regex) = Regex::new(source.as_bytes(), Options::default(), Encoding::UTF_8) else { continue };
        tracked += regex.own.full(&regex).is_some_and(|full| full.1.tracked) as u32;
        counted += regex.own.full(&regex).is_some_and(|full| !full.1.counters.is_empty() && full.1.remembers()) as u32;
        for _ in 0..4 {
            let text: String = (0..dice.roll(10)).map(|_| ['a', 'b', 'c'][dice.roll(3) as usize]).collect();
            let (mut plain, mut heavy) = (Captures::new(), Captures::new());
            let Some(expected) = answer(regex.own.plain.search(text.as_bytes(), 0, &mut plain, 100_000, None)) else {
                continue;
            };
            // Repeats of repeats in look-ahead are not remembered and may take for ever.
            let mut polls = 0;
            let mut poll = || {
                polls += 1;
                (polls > 20).then_some(MatchError::Interrupted)
            };
            let mut search = Search {
                regex: &regex,
                variant: &regex.own,
                hurried: false,
                text: text.as_bytes(),
                captures: &mut heavy,
                poll: &mut poll,
            };
            let found = search.heavy(0, true);
            if found == Err(MatchError::Interrupted) {
                continue;
            }
            assert_eq!(found, expected, "{source} in {text}");
            if expected != Ok(None) {
                assert_eq!(plain.get(0), heavy.get(0), "{source} in {text}");
            }
        }
    }
    assert!(tracked > 3000 && counted > 2000, "{tracked} {counted}");
}

#[test]
fn counted_repeats_take_linear_time() {
    let many = "a".repeat(5_000);
    for source in ["^([^\"]*x?){1,256}$", "^(?:a*,?){3,}$", "^(?:a*(?:a*b?){0,9}){2}$"] {
        assert_eq!(find(source, &format!("{many}\"")), None, "{source}");
        assert_eq!(find(source, &many), Some((0, many.len())), "{source}");
    }
}

#[test]
fn look_ahead_in_front_hides_no_match() {
    assert_eq!(find("(?=(?>[ab]*)?a?(?:b+)).+", "cbc"), Some((1, 3)));
    assert_eq!(find("(?=(?:(?=a{1,2})(?:a|b{1,2})+)?a+?).++", "cca"), Some((2, 3)));
}

#[test]
fn isolating_groups_take_linear_time() {
    let many = "a".repeat(200_000);
    let (broken, end) = (format!("{many}x"), format!("{many}b"));
    let whole = Some((0, many.len()));
    let cases: [(&str, &str, Option<(usize, usize)>); 11] = [
        ("a+z", &broken, None),
        ("\\A.*a.*z\\z", &broken, None),
        ("\\R?\\R?\\R?\\X(?>a*)z", &broken, None),
        ("^a*?(?>a*a*)$", &broken, None),
        ("a*(?>a*)ab", &end, None),
        ("^a*?(?=a*a*)$", &broken, None),
        ("(?:(?=a*)a)*", &many, whole),
        ("^a*?(?!a*a*)$", &broken, None),
        ("(?<=b|ab)(a|a)*$", &broken, None),
        ("(?<!x)(a|a)*$", &broken, None),
        ("(?:a|a)++$", &broken, None),
    ];
    for (source, text, expected) in cases {
        let started = Instant::now();
        let mut late = || (started.elapsed() > Duration::from_secs(10)).then_some(MatchError::Timeout);
        let mut captures = Captures::new();
        let subject = Subject::new(text.as_bytes(), Encoding::UTF_8).unwrap();
        let found = regex(source).search(subject, 0, Direction::Forward, &mut captures, &mut late);
        assert_eq!(found.map(|_| captures.get(0)), Ok(expected), "{source}");
    }
}

#[test]
fn linear_time_is_that_of_cruby() {
    let linear = [
        "(?>a*)b",
        "(?=(?=a))",
        "(?<=(a))",
        "(?>a(?<=b))",
        "(?:a{1,3}b){2,3}",
        "(?:a{100}b){2,3}",
        "(?:(?:ab){50}c){2,5}",
        "[^\"]*+\"",
    ];
    let others = [
        "(?=(?>a))",
        "(?=a++)",
        "(?>(?=a))",
        "(?>a++)",
        "(?=(a))",
        "(?:a{1,300}b)*",
        "(?:a{1,300}b){2}",
        "(?=\\R)",
        "(a)\\1",
        "(?~a)",
    ];
    for source in linear {
        assert!(regex(source).is_linear_time(), "{source}");
    }
    for source in others {
        assert!(!regex(source).is_linear_time(), "{source}");
    }
}
