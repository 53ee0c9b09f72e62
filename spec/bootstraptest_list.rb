# Lists the assertions of one file of CRuby's bootstraptest without running them: each becomes an event between the
# bytes 1 and 2 whose fields are parted by the byte 3 (kind, source, expectation, flags, seconds, frozen string literal).
# `cargo xtask bootstraptest` runs them one by one, so that a crash costs one assertion. Usage: RUBY THIS FILE

def tell_assertion(kind, source, expected: "", flags: "", timeout: nil, frozen: nil)
  STDOUT.write("\x01" + [kind, source, expected, flags, timeout.to_s, frozen.to_s].join("\x03") + "\x02")
end

def assert_equal(expected, source, _message = "", flags = "", frozen_string_literal: nil, timeout: nil, **)
  tell_assertion("equal", source, expected: expected, flags: flags, timeout: timeout, frozen: frozen_string_literal)
end

def assert_match(pattern, source, _message = "", **)
  tell_assertion("match", source, expected: pattern.inspect)
end

def assert_not_match(pattern, source, _message = "")
  tell_assertion("not_match", source, expected: pattern.inspect)
end

def assert_check(source, *)
  tell_assertion("normal_exit", source)
end

def assert_valid_syntax(source, _message = "")
  tell_assertion("valid_syntax", source)
end

def assert_normal_exit(source, *rest, timeout: nil, **)
  ignored = rest[1] ? rest[1].join(",") : ""
  tell_assertion("normal_exit", source, expected: ignored, timeout: timeout)
end

def assert_finish(seconds, source, _message = "")
  tell_assertion("finish", source, timeout: seconds)
end

def show_limit(*, **)
end

def flunk(*)
  tell_assertion("equal", "nil", expected: "flunked")
end

# CRuby's compilers, which are not here.
def yjit_enabled? = false
def zjit_enabled? = false

def target_platform
  RUBY_PLATFORM
end

load ARGV[0]
