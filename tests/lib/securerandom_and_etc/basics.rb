require "securerandom"
SecureRandom.hex(4).size # => 8
SecureRandom.uuid =~ /\A\h{8}-\h{4}-4\h{3}-[89ab]\h{3}-\h{12}\z/ # => 0
SecureRandom.random_number(10).between?(0, 9) # => true
SecureRandom.alphanumeric(5).size # => 5
SecureRandom.base64(3).size # => 4
require "etc"
Etc.nprocessors.class # => Integer
Etc.getpwuid.class # => Etc::Passwd
require "benchmark"
Benchmark.realtime { }.class # => Float
require "tempfile"
Tempfile.create("x") { |f| f.write("a"); f.class } # => File
require "optparse"
o = {}
OptionParser.new { |p| p.on("-v") { o[:v] = true }; p.on("--n N", Integer) { |n| o[:n] = n } }.parse(%w[-v --n 5 rest]) # => ["rest"]
o # => {v: true, n: 5}
require "erb"
ERB.new("<% 2.times do |i| %>x<%= i %> <% end %>").result # => "x0 x1 "
ERB::Util.html_escape("<a>") # => "&lt;a&gt;"
require "shellwords"
"a 'b c' d".shellsplit # => ["a", "b c", "d"]
Shellwords.escape("a b") # => "a\\ b"
require "forwardable"
Class.new { extend Forwardable; def_delegators :@a, :size, :first; def initialize = @a = [1, 2] }.new.then { |x| [x.size, x.first] } # => [2, 1]
require "ostruct"
OpenStruct.new(a: 1).a # => 1
require "singleton"
Class.new { include Singleton }.then { |k| k.instance.equal?(k.instance) } # => true
require "delegate"
SimpleDelegator.new([1, 2]).size # => 2
require "time"
Time.parse("2026-11-20 10:00:00 UTC").iso8601 # => "2026-11-20T10:00:00Z"
Time.iso8601("2026-11-20T10:00:00Z").to_i # => 1795168800
require "date"
Date.new(2026, 11, 20).to_s # => "2026-11-20"
(Date.new(2026, 3, 1) - 1).day # => 28
Date.parse("2026-11-20").wday # => 5
Date.valid_date?(2026, 2, 29) # => false
(Date.new(2026, 11, 20) >> 3).to_s # => "2027-02-20"
DateTime.new(2026, 1, 1, 12).hour # => 12
require "pp"
PP.pp({ a: 1 }, +"") # => "{a: 1}\n"
require "tsort"
Class.new { include TSort; def tsort_each_node(&b) = [1, 2].each(&b); def tsort_each_child(n, &b) = (n == 1 ? [2] : []).each(&b) }.new.tsort # => [2, 1]
require "prettyprint"
require "uri"
URI.parse("http://a.b/c?d=e").host # => "a.b"
URI.encode_www_form(a: 1, b: "x y") # => "a=1&b=x+y"
require "pathname"
(Pathname.new("/a") + "b").to_s # => "/a/b"
Pathname.new("/a/b.rb").extname # => ".rb"
require "fileutils"
FileUtils.mkdir_p("scratch_x/y") # => ["scratch_x/y"]
FileUtils.rm_rf("scratch_x").class # => Array
