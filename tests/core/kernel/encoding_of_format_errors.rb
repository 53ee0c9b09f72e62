# What is wrong with a format is told in its encoding.
key = "\u3012".encode("EUC-JP")
def told
  yield
rescue ArgumentError, KeyError => e
  [e.message.encoding.name, e.message.encode("UTF-8")]
end

told { format("%1${#{key}}s", key: 1) } # => ["EUC-JP", "named{〒} after numbered"]
told { format("%s%s%{#{key}}s", 1, 2, key: 1) } # => ["EUC-JP", "named{〒} after unnumbered(2)"]
told { format("%<key>{#{key}}s", key: 1) } # => ["EUC-JP", "named{〒} after <key>"]
told { format("%<#{key}>{key}s", key.to_sym => 1) } # => ["EUC-JP", "named{key} after <〒>"]
told { format("%{#{key}}", {}) } # => ["EUC-JP", "key{〒} not found"]
