# Modes, permissions and encodings as IO.open takes them, for extensions.
require_relative "fixtures/build"
load_c("modes")
Encoding.default_external = "UTF-8"
Modes.taken(nil, nil) # => [nil, nil, 0, 1, nil, nil]
Modes.taken("r", nil) # => ["r", nil, 0, 1, nil, nil]
Modes.taken("w+", nil) # => ["w+", nil, 578, 2179, nil, nil]
Modes.taken("ab", nil) # => ["ab", nil, 1089, 198, "ASCII-8BIT", nil]
Modes.taken("rb", {}) # => ["rb", nil, 0, 5, "ASCII-8BIT", nil]
Modes.taken("r:iso-8859-1", nil) # => ["r:iso-8859-1", nil, 0, 1, "ISO-8859-1", nil]
Modes.taken("r:iso-8859-1:utf-8", nil) # => ["r:iso-8859-1:utf-8", nil, 0, 1, "UTF-8", "ISO-8859-1"]
Modes.taken("r:utf-8:-", nil) # => ["r:utf-8:-", nil, 0, 1, "UTF-8", nil]
Modes.taken("r:BOM|utf-8", nil) # => ["r:BOM|utf-8", nil, 0, 1048577, "UTF-8", nil]
Modes.taken(File::RDWR | File::CREAT, nil) # => [66, nil, 66, 131, nil, nil]
Modes.taken(nil, { mode: "w" }) # => ["w", nil, 577, 2178, nil, nil]
Modes.taken(nil, { mode: "w", perm: 0600, flags: File::EXCL }) # => [705, 384, 705, 3202, nil, nil]
Modes.taken("r", { binmode: true }) # => ["r", nil, 0, 5, "ASCII-8BIT", nil]
Modes.taken("r", { textmode: true }) # => ["r", nil, 0, 4097, nil, nil]
Modes.taken("r", { encoding: "euc-jp" }) # => ["r", nil, 0, 1, "EUC-JP", nil]
Modes.taken("r", { external_encoding: "utf-16le", internal_encoding: "utf-8" }) # => ["r", nil, 0, 1, "UTF-8", "UTF-16LE"]
Modes.taken("r", { external_encoding: Encoding::ASCII_8BIT }) # => ["r", nil, 0, 1, "ASCII-8BIT", nil]
Modes.taken("r", { mode: "w" }) # raises ArgumentError: mode specified twice
Modes.taken("rb", { binmode: true }) # raises ArgumentError: binmode specified twice
Modes.taken("rb", { textmode: true }) # raises ArgumentError: both textmode and binmode specified
Modes.taken("r", { binmode: true, textmode: true }) # raises ArgumentError: both textmode and binmode specified
Modes.taken("r:utf-8", { encoding: "euc-jp" }) # raises ArgumentError: encoding specified twice
Modes.taken("r", { encoding: "utf-16le" }) # raises ArgumentError: ASCII incompatible encoding needs binmode
Modes.taken("w:utf-16le", nil) # => ["w:utf-16le", nil, 577, 2178, "UTF-16LE", nil]
Modes.taken("wx", nil) # => ["wx", nil, 705, 3202, nil, nil]
Modes.taken("rx", nil) # raises ArgumentError: invalid access mode rx
Modes.taken("q", nil) # raises ArgumentError: invalid access mode q
Modes.encodings(nil) # => [0, nil, nil, 0]
Modes.encodings({}) # => [0, nil, nil, 0]
Modes.encodings({ encoding: "euc-jp:utf-8" }) # => [1, "UTF-8", "EUC-JP", 0]
Modes.encodings({ encoding: Encoding::EUC_JP }) # => [1, "EUC-JP", nil, 0]
Modes.encodings({ internal_encoding: "euc-jp" }) # => [1, "EUC-JP", "UTF-8", 0]
Modes.encodings({ internal_encoding: nil }) # => [1, nil, nil, 0]
Modes.encodings({ external_encoding: "euc-jp", internal_encoding: "-" }) # => [1, "EUC-JP", nil, 0]
Modes.encodings({ encoding: "BOM|utf-8" }) # => [1, "UTF-8", nil, 1048576]
