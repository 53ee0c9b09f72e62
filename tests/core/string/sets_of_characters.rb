# count, delete and squeeze with sets of every form.

text = "hello wörld-^\\ aaé"
[text.count("lo"), text.count("a-z"), text.count("^a-z"), text.count("a-zé"), text.count("lo", "o"), text.count("^")] # => [4, 11, 7, 12, 1, 1]
[text.count("ö"), text.count("^ö"), text.count("\\-"), text.count("a\\-z"), text.count("-"), text.count("a", "b"), text.count("")] # => [1, 17, 1, 3, 1, 0, 0]
[text.delete("l"), text.delete("^a-z "), text.delete("é")] # => ["heo wörd-^\\ aaé", "hello wrld aa", "hello wörld-^\\ aa"]
[text.squeeze, text.squeeze("l"), text.squeeze("a-k"), "aa\u00e9\u00e9".squeeze("é")] # => ["helo wörld-^\\ aé", "helo wörld-^\\ aaé", "hello wörld-^\\ aé", "aaé"]
["\u007f\u0000a".count("\u0000-\u007f"), "\u007f".count("^\u007f"), "ab\u0080".count("\u0000-\u00ff"), "abc".count("a-\u00ff")] # => [3, 0, 3, 3]
"abc".count("z-a") # raises ArgumentError: invalid range "z-a" in string transliteration
"abc".count # raises ArgumentError: wrong number of arguments (given 0, expected 1+)
