# Names of classes that do not exist are shown with escapes.
Marshal.load("\x04\bc\nU\xFF\x00\t\x7F") # raises ArgumentError: undefined class/module U\xFF\0\t\c?
Marshal.load("\x04\bm\x08a b") # raises ArgumentError: undefined class/module a b
Marshal.load("\x04\bc\x0a\e\a\b\v\f") # raises ArgumentError: undefined class/module \e\a\b\v\f
Marshal.load("\x04\bo:\x0AUs\nr\r\x00") # raises ArgumentError: undefined class/module Us\nr\r
Marshal.load("\x04\bIc\x09\xE6\x97\xA5A\x06:\x06ET") # raises ArgumentError: undefined class/module 日A
