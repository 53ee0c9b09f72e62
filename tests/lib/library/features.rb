# Libraries load by themselves, the native halves under CRuby's names too, each in a process of its own.
# timeout: 180
require "rbconfig"

FEATURES = %w[
  English bigdecimal bigdecimal/util cgi cgi/escape cgi/escape.so coverage coverage.so date date_core delegate
  did_you_mean digest digest.so digest/md5 digest/sha1.so digest/sha2 digest/bubblebabble erb erb/escape
  error_highlight etc etc.so fcntl fileutils find forwardable io/console io/console/size io/nonblock io/wait ipaddr
  json json/add/core json/ext json/ext/parser json/ext/generator monitor monitor.so net/http objspace objspace.so open3
  open-uri openssl optparse optparse/time ostruct pathname pathname.so pp prettyprint pstore psych psych.so pty
  random/formatter rbconfig resolv securerandom set shellwords singleton socket socket.so stringio stringio.so strscan
  strscan.so tempfile time timeout tmpdir tsort unicode_normalize/normalize uri weakref yaml yaml/store zlib zlib.so
]

def errors(feature)
  IO.popen([{ "RUBYOPT" => nil }, RbConfig.ruby, "-e", "require ARGV[0]", feature, err: [:child, :out]], &:read)
end

FEATURES.to_h { |feature| [feature, errors(feature).lines.first] }.compact # => {}

# A library counts as loaded whichever half was asked for first.
def twice(*features)
  IO.popen([{ "RUBYOPT" => nil }, RbConfig.ruby, "-e", "p(*ARGV.map { |feature| require feature })", *features,
            err: [:child, :out]], &:read).split
end

twice("stringio", "stringio.so", "stringio")   # => ["true", "false", "false"]
twice("digest", "digest.so", "digest")         # => ["true", "false", "false"]
twice("json", "json/ext", "json/common")       # => ["true", "false", "false"]
