# Names are converted to the default internal encoding where they can be, else they stay as they are
# flags: -W0 -EUTF-8
require "tmpdir"
Dir.mktmpdir do |dir|
  ["a\u3042", "\u{1F60E}", "plain", "\xff"].each { File.write(File.join(dir, it), "") }
  listings = lambda do
    lists = [Dir.children(dir), Dir.new(dir).children, Dir.each_child(dir).to_a, Dir.entries(dir) - %w[. ..],
             Dir.foreach(dir).reject { it.start_with?(".") },
             Dir.open(dir) { |d| 6.times.map { d.read }.reject { it.start_with?(".") } }, Dir.glob("*", base: dir),
             Dir["#{dir}/*"].map { it.delete_prefix(dir + "/") }]
    lists.map { |list| list.map { [it.b, it.encoding.name] }.sort }.uniq
  end
  Encoding.default_internal = Encoding::EUC_JP
  listings.call # => [[["a\xA4\xA2", "EUC-JP"], ["plain", "EUC-JP"], ["\xF0\x9F\x98\x8E", "UTF-8"], ["\xFF", "UTF-8"]]]
  Encoding.default_internal = Encoding::ISO_8859_1
  listings.call # => [[["a\xE3\x81\x82", "UTF-8"], ["plain", "ISO-8859-1"], ["\xF0\x9F\x98\x8E", "UTF-8"], ["\xFF", "UTF-8"]]]
  Encoding.default_internal = Encoding::BINARY
  listings.call # => [[["a\xE3\x81\x82", "UTF-8"], ["plain", "ASCII-8BIT"], ["\xF0\x9F\x98\x8E", "UTF-8"], ["\xFF", "UTF-8"]]]
  # Also from an encoding that is given.
  Encoding.default_internal = Encoding::EUC_JP
  Dir.children(dir, encoding: "Windows-1252").map { [it.b, it.encoding.name] }.sort # => [["a\xE3\x81\x82", "Windows-1252"], ["plain", "EUC-JP"], ["\x8F\xAB\xF3", "EUC-JP"], ["\xF0\x9F\x98\x8E", "Windows-1252"]]
  # A name that was converted still names the file.
  names = Dir.children(dir)
  names.map { File.exist?(File.join(dir, it)) }.uniq # => [true]
  names.each { File.write(File.join(dir, it), "again") }
  Dir.children(dir).size # => 4
  File.join("/a\u3042".encode("EUC-JP"), "b").encoding # => #<Encoding:EUC-JP>
  File.basename("/a\u3042".encode("EUC-JP")) # => "a\u3042"
ensure
  Encoding.default_internal = nil
end
Process.argv0.equal?(Process.argv0) # => true
Process.argv0.frozen? # => true
$0.frozen? # => true
