# argv: -x --long value
puts ARGV.inspect
puts $0 == __FILE__
# prints: ["-x", "--long", "value"]
# prints: true
