# Under a limit on address space each operation on a huge string that finds no memory raises NoMemoryError,
# and the program goes on.
# timeout: 300
OPERATIONS = {
  "gsub" => 's.gsub("a", "bcdefgh")', "sub" => 's.sub("a", s)', "inspect" => '(s.b.tr!("a", "\x01") || s).inspect',
  "dump" => 's.tr!("a", "\x01").dump', "tr" => 's.tr("a", "é")', "tr to a byte" => 's.tr("a", "b")',
  "pack m" => "[s].pack('m')", "pack u" => "[s].pack('u')", "pack M" => "[s].pack('M')",
  "pack a" => "[s, s].pack('a*a*')", "Marshal" => "Marshal.dump([s, s + 'b'])",
  "Queue" => "q = Queue.new; loop { q << 1 }", "succ" => "s.succ", "to_sym" => "s.to_sym", "upcase" => "s.upcase",
  "swapcase" => "s.swapcase", "capitalize" => "s.capitalize", "reverse" => "s.reverse", "*" => "s * 2", "+" => "s + s",
  "ljust" => "s.ljust(900_000_000)", "center" => "s.center(900_000_000, 'xy')", "<<" => "s.dup << 'x' << s"
}
CODE = <<~'RUBY'
  s = "a" * 450_000_000
  begin
    eval(ARGV[0])
    puts "no error"
  rescue Exception => e
    s = nil
    puts "#{e.class}: #{e.message}"
  end
  puts "goes on"
RUBY

def run(operation) = IO.popen([RbConfig.ruby, "-e", CODE, operation, err: %i[child out], rlimit_as: 800 << 20], &:read)

OPERATIONS.reject { |_, operation| run(operation) == "NoMemoryError: failed to allocate memory\ngoes on\n" }.keys # => []
