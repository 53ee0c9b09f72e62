# A program that limits its address space can use what it has left: nothing that is set aside counts.
require "rbconfig"

CODE = <<~'RUBY'
  Process.setrlimit(:AS, 4 << 30)
  puts Array.new(8) { Thread.new { ("x" * 5_000_000).size } }.sum(&:value)
  list = Array.new(300_000) { |i| "text number #{i}" }
  puts list.sum(&:size), ("y" * 50_000_000).size
RUBY

IO.popen({ "RUBELLITE_STRESS" => nil }, [RbConfig.ruby, "-e", CODE], err: %i[child out], &:read) # => "40000000\n5288890\n50000000\n"
