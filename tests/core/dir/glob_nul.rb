# NUL bytes in patterns: one of its own, one in a list.
Dir.glob("a\0b") # raises ArgumentError: nul-separated glob pattern is deprecated
Dir["a\0b"] # raises ArgumentError: nul-separated glob pattern is deprecated
Dir.glob(["a\0b"]) # raises ArgumentError: path name contains null byte
Dir.glob(["*", "a\0b"]) # raises ArgumentError: path name contains null byte
Dir["*", "a\0b"] # raises ArgumentError: path name contains null byte
