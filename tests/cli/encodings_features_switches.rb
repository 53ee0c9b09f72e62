# Encodings, features and RUBYOPT on the command line; names that -s makes of switches.
require "rbconfig"

def run(*words, env: {})
  IO.popen([{ "RUBYOPT" => nil }.merge(env), RbConfig.ruby, *words, err: [:child, :out]], &:read).lines
    .map { |line| line.chomp.sub(/\A\S+: (?=.*\(\w+Error\))/, "") }
end

def encodings(*words, env: {})
  run(*words, "-e", "puts [__ENCODING__, Encoding.default_external, Encoding.default_internal || '-'].join(' ')",
      env: env).first
end

encodings("-Ke")                                  # => "EUC-JP EUC-JP -"
encodings("-Ke", "-U")                            # => "EUC-JP EUC-JP UTF-8"
encodings("-Ke", "-Kn")                           # => "ASCII-8BIT EUC-JP -"
encodings("-E", "Shift_JIS:")                     # => "UTF-8 Shift_JIS -"
encodings("-E", ":Shift_JIS").split.last          # => "Shift_JIS"
encodings("-E", "ascii:utf-8", "-U").split.last   # => "UTF-8"
encodings("-U", "-Eascii:ascii")                  # => "default_internal already set to UTF-8 (RuntimeError)"
encodings("-Ke", "-Eutf-8")                       # => "default_external already set to EUC-JP (RuntimeError)"
encodings("--encoding=a:b:c")                     # => "extra argument for --encoding: c (RuntimeError)"
encodings("-Ea:b:c")                              # => "extra argument for -E: c (RuntimeError)"
encodings("-E", "ascii:ascii", env: { "RUBYOPT" => "-U" }) # => "UTF-8 US-ASCII US-ASCII"

FEATURES =
  "p [defined?(Gem), defined?(ErrorHighlight), defined?(DidYouMean), 'a'.frozen?].map { |found| found ? 1 : 0 }"
run("--disable=gem", "-e", FEATURES)                     # => ["[0, 0, 0, 0]"]
run("--disable=all", "--enable=gems", "-e", FEATURES)    # => ["[1, 0, 0, 0]"]
run("--enable=all", "-e", FEATURES)                      # => ["[1, 1, 1, 1]"]
run("--disable=did", "-e", FEATURES)                     # => ["[1, 1, 0, 0]"]

run("-e", "p $VERBOSE", env: { "RUBYOPT" => "w" })       # => ["true"]
run("-e", "1", env: { "RUBYOPT" => "--version" })        # => ["invalid switch in RUBYOPT: --version (RuntimeError)"]
run("-e", "1", env: { "RUBYOPT" => "abc" })              # => ["invalid switch in RUBYOPT: -a (RuntimeError)"]
run("-I/line", "-e", "puts $:.first(2)", env: { "RUBYOPT" => "-I/environment" }) # => ["/line", "/environment"]

run("-s", "-e", "p $a_b, $_c, $___d_, ARGV", "--", "-a-b=1", "--c", "----d-", "--", "-x") # => ["\"1\"", "true", "true", "[\"-x\"]"]
run("-s", "-e", "p ARGV", "--", "-a?=3")                 # => ["invalid name for global variable - -a? (NameError)"]
run("-s", "-e", "p $x, ARGV", "--", "-", "-x")           # => ["true", "[]"]
