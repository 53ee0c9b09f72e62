# encoding: UTF-8
# The message about a group that is not there has the encoding of its name; what cannot be shown has escapes.
found = /(?<a>b)/.match("b")
found["\u3042".encode("Shift_JIS")] # raises IndexError: undefined group name reference: \x{82A0}
found.begin("\u3042".encode("EUC-JP")) # raises IndexError: undefined group name reference: \x{A4A2}
found["foo"] # raises IndexError: undefined group name reference: foo
found[:あ] # raises IndexError: undefined group name reference: あ
def encoding_of = (yield; nil) rescue $!.message.encoding.name
Encoding.default_internal = "Shift_JIS"
encoding_of { found["\u3042".encode("Shift_JIS")] } # => "Shift_JIS"
encoding_of { found.end("\u3042".encode("Shift_JIS")) } # => "Shift_JIS"
