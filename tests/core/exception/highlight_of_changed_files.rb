# The piece of source that an error report points at is read from the file again,
# as long as the file is what was loaded.
require "tempfile"

def report(of) = of.call.then { nil } rescue $!.detailed_message(highlight: false)

file = Tempfile.create(["loaded", ".rb"])
file.write("def loaded_from_a_file\n  1.missing_here(2)\nend\n")
file.close
load file.path
first = report(method(:loaded_from_a_file))
first.lines.map(&:chomp) # => ["undefined method 'missing_here' for an instance of Integer (NoMethodError)", "", "  1.missing_here(2)", "   ^^^^^^^^^^^^^"]

File.write(file.path, "def loaded_from_a_file = nil\n")
report(method(:loaded_from_a_file)).lines.first.chomp # => "undefined method 'missing_here' for an instance of Integer (NoMethodError)"
report(method(:loaded_from_a_file)).include?("missing_here(2)") # => false
File.unlink(file.path)
report(method(:loaded_from_a_file)).lines.first.chomp # => "undefined method 'missing_here' for an instance of Integer (NoMethodError)"
eval("def evaluated = 2.missing_there(3)\n")
report(method(:evaluated)).lines.first.chomp # => "undefined method 'missing_there' for an instance of Integer (NoMethodError)"
