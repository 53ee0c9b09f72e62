# Inputs that are made to exhaust a reader: nested without end, with lengths of gigabytes, cut short, or cheap to write
# and dear to read. Each ends with a value or an exception that can be rescued.
require "json"
require "yaml"
require "zlib"
require "stringio"
require "erb"
require "uri"
require "strscan"
require "bigdecimal"
require "date"

# Where each allocation collects, less is as good.
TIMES = ENV["RUBELLITE_STRESS"] == "gc" ? 1 : 100

INPUTS = {
  json_open: -> { JSON.parse("[" * (1_000 * TIMES), max_nesting: false) },
  json_object: -> { JSON.parse('{"a":' * (300 * TIMES), max_nesting: false) },
  json_cycle: -> { a = []; a << a; JSON.generate(a) },
  json_numbers: -> { JSON.parse("[1e#{"9" * (100 * TIMES)}, #{"1" * (100 * TIMES)}]").size },
  yaml_open: -> { YAML.load("[" * (30 * TIMES)) },
  yaml_aliases: -> {
    YAML.load("a: &a [x,x,x,x,x,x,x]\n" +
      ("b".."f").map { |c| "#{c}: &#{c} [#{(["*#{(c.ord - 1).chr}"] * 7).join(",")}]\n" }.join, aliases: true).size
  },
  yaml_cycle: -> { YAML.unsafe_load("&a [*a]").inspect },
  marshal_deep: -> { Marshal.load("\x04\b" + "[\x06" * 100 + "0").flatten },
  marshal_cut_nest: -> { Marshal.load("\x04\b" + "[\x06" * (200 * TIMES)) },
  marshal_array: -> { Marshal.load("\x04\b[\x04\xff\xff\xff\x7f") },
  marshal_string: -> { Marshal.load("\x04\b\"\x04\xff\xff\xff\x3fabc") },
  marshal_hash: -> { Marshal.load("\x04\b{\x04\xff\xff\xff\x3f") },
  marshal_link: -> { Marshal.load("\x04\b@\x04\xff\xff\xff\x3f") },
  marshal_symlink: -> { Marshal.load("\x04\b;\x04\xff\xff\xff\x3f") },
  marshal_bignum: -> { Marshal.load("\x04\bl+\x04\xff\xff\xff\x3fabc") },
  marshal_struct: -> { Marshal.load("\x04\bS:\vString\x04\xff\xff\xff\x3f") },
  marshal_class: -> { Marshal.load("\x04\bc\x04\xff\xff\xff\x3f") },
  marshal_regexp: -> { Marshal.load("\x04\b/\x04\xff\xff\xff\x3f") },
  marshal_user: -> { Marshal.load("\x04\bu:\vString\x04\xff\xff\xff\x3f") },
  marshal_negative: -> { Marshal.load("\x04\b[\xfa") },
  zlib_cut: -> {
    d = Zlib.deflate("hello world" * TIMES)
    d.bytesize.times.count { |i| begin Zlib.inflate(d[0, i]); rescue Zlib::Error; false; end }
  },
  pack_wide: -> { "a".unpack("@99999999999a") },
  pack_many: -> { "".unpack("a" * 2_000).size },
  pack_few: -> { [1].pack("N" * 100) },
  format_star: -> { format("%*d", 1 << 40, 1) },
  stringio_far: -> { s = StringIO.new; s.seek(1 << 60); s.write("a") },
  glob: -> { Dir.glob("{a," * (20 * TIMES) + "}" * (20 * TIMES)) },
  fnmatch: -> { [File.fnmatch("*a" * 200, "a" * 200), File.fnmatch("{" * 10_000, "a", File::FNM_EXTGLOB)] },
  decimal: -> { BigDecimal("9" * 2_000).to_s.size },
  date_digits: -> { Date.parse("1" * 100_000) },
  date_format: -> { Date.strptime("1" * 5000, "%Y" * 2000) },
  erb: -> { ERB.new("<%" * (10 * TIMES)).src.size > 0 },
  uri: -> { URI.parse("http://" + "a" * 100_000).host.size },
  scan: -> { StringScanner.new("a" * 2_000).scan(/(a|aa)*b/) },
}

def outcome(name)
  INPUTS.fetch(name).call
rescue StandardError, NoMemoryError, SystemStackError => error
  error.class
end

outcome(:json_open) # => JSON::ParserError
outcome(:json_object) # => JSON::ParserError
outcome(:json_cycle) # => JSON::NestingError
outcome(:json_numbers) # => 2
outcome(:yaml_open) # => Psych::SyntaxError
outcome(:yaml_aliases) # => 6
outcome(:yaml_cycle) # => "[[...]]"
outcome(:marshal_deep) # => [nil]
outcome(:marshal_cut_nest) # => ArgumentError
outcome(:marshal_array) # => ArgumentError
outcome(:marshal_string) # => ArgumentError
outcome(:marshal_hash) # => ArgumentError
outcome(:marshal_link) # => ArgumentError
outcome(:marshal_symlink) # => ArgumentError
outcome(:marshal_bignum) # => ArgumentError
outcome(:marshal_struct) # => TypeError
outcome(:marshal_class) # => ArgumentError
outcome(:marshal_regexp) # => ArgumentError
outcome(:marshal_user) # => TypeError
outcome(:marshal_negative) # => ArgumentError
outcome(:zlib_cut) # => 0
outcome(:pack_wide) # => ArgumentError
outcome(:pack_many) # => 2000
outcome(:pack_few) # => ArgumentError
outcome(:format_star) # => RangeError
outcome(:stringio_far) # => NoMemoryError
outcome(:glob) # => []
outcome(:fnmatch) # => [true, false]
outcome(:decimal) # => 2007
outcome(:date_digits) # => ArgumentError
outcome(:date_format) # => Date::Error
outcome(:erb) # => true
outcome(:uri) # => 100000
outcome(:scan) # => nil
