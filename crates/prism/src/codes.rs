//! The numbers of tokens and diagnostics.

/// Each stretch of the parser's numbers: the first, its number in the gem. The following ones follow there, too.
type Stretches = &'static [(u32, u32)];

/// The gem does not tell left braces, parentheses, `do` and backquotes apart by what they begin; the newline that ends
/// a pattern is an ignored one.
const TOKENS: Stretches = &[
    (1, 1),
    (15, 67), // NEWLINE_TERMINATOR
    (16, 15),
    (30, 28), // BRACE_LEFT_ARGUMENT
    (31, 28), // BRACE_LEFT_HASH
    (32, 29),
    (85, 5), // KEYWORD_DO_BLOCK
    (86, 5), // KEYWORD_DO_LAMBDA
    (87, 82),
    (130, 124), // PARENTHESIS_LEFT_GROUPING
    (131, 125),
    (169, 23), // XSTRING_BEGIN
    (170, 162),
];

/// The end of a word of a list before its closing mark: no token in the gem.
const IMPLICIT_SEPARATOR: u32 = 168;

const DIAGNOSTICS: Stretches = &[
    (0, 0),
    (6, 7),
    (17, 17), // ARGUMENT_NO_FORWARDING_ELLIPSES_LAMBDA
    (18, 17),
    (64, 286), // DEF_ENDLESS_DO_BLOCK
    (65, 63),
    (98, 97),
    (247, 249), // REGEXP_ESCAPED_NON_ASCII_IN_UTF8
    (248, 246),
    (249, 249), // REGEXP_INVALID_CHAR_PROPERTY
    (250, 247),
];

/// Comments hold the newline that ends them in the gem.
pub fn is_comment(number: u32) -> bool {
    number == COMMENT
}

pub fn is_newline(number: u32) -> bool {
    matches!(number, NEWLINE | NEWLINE_TERMINATOR | IGNORED_NEWLINE)
}

const NEWLINE: u32 = 14;
const NEWLINE_TERMINATOR: u32 = 15;
const COMMENT: u32 = 43;
const IGNORED_NEWLINE: u32 = 70;

/// The gem's number of a token, if it has one.
pub fn token(number: u32) -> Option<u32> {
    (number != IMPLICIT_SEPARATOR).then(|| mapped(TOKENS, number))
}

/// The gem's number of an error or a warning.
pub fn diagnostic(number: u32) -> u32 {
    mapped(DIAGNOSTICS, number)
}

fn mapped(stretches: Stretches, number: u32) -> u32 {
    let at = stretches.partition_point(|(first, _)| *first <= number).saturating_sub(1);
    let (first, target) = stretches[at];
    target + (number - first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_between_the_ones_that_moved_follow_them() {
        assert_eq!(token(14), Some(14));
        assert_eq!(token(15), Some(67));
        assert_eq!(token(COMMENT), Some(40));
        assert_eq!(token(IGNORED_NEWLINE), Some(67));
        assert_eq!(token(84), Some(81));
        assert_eq!(token(129), Some(124));
        assert_eq!(token(168), None);
        assert_eq!(token(170), Some(162));
        assert_eq!(diagnostic(97), 95);
        assert_eq!(diagnostic(326), 323);
    }
}
