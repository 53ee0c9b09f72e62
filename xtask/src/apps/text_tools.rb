apps_require "text", "diff/lcs", "diff/lcs/hunk", "stringex", "babosa", "humanize"

p Text::Levenshtein.distance("kitten", "sitting"), Text::Metaphone.metaphone("Thompson"),
  Text::Soundex.soundex("Robert"), Text::WhiteSimilarity.similarity("abc d", "abd c"),
  Text::PorterStemming.stem("running")
p Diff::LCS.sdiff("abcehjlmnp", "bcdefjklmrst").map(&:to_a).size, Diff::LCS.lcs("abcd", "acbd"),
  Diff::LCS.patch("abc", Diff::LCS.diff("abc", "axc"))
p "Ærø skål & co.".to_url, "Łódź 100%".to_ascii, 1234.humanize, "Über uns".to_slug.normalize.to_s
