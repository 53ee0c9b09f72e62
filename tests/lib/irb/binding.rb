# needs: 4.0
# binding.irb in a program of its own, whose input it reads.
program = <<~RUBY
  def debugged(x)
    y = 2
    binding.irb
    x
  end
  p debugged(1)
RUBY
input = "x + y\nwhereami\nx = 10\nlocal_variables\nshow_source debugged\nexit\n"
command = [{ "IRBRC" => File::NULL }, RbConfig.ruby, "-W0", "-e", program]
text = IO.popen(command, "r+", err: %i[child out]) do |io|
  io.write(input)
  io.close_write
  io.read
end
text.match?(/^3$/) # => true
text.include?("[:_, :x, :y]") # => true
text.lines.last # => "10\n"

# Its own frame stands in backtraces where the program calls it.
require "tmpdir"
File.write(file = File.join(Dir.tmpdir, "irb_frame_#{$$}.rb"), "def debugged\n  binding.irb\nend\ndebugged\n")
text = IO.popen([{ "IRBRC" => File::NULL }, RbConfig.ruby, "-W0", file], "r+", err: %i[child out]) do |io|
  io.write("puts caller.grep(/irb_frame/)\nexit\n")
  io.close_write
  io.read
end
File.delete(file)
text.lines.grep(/\A\S+irb_frame_\d+\.rb:\d+:in/).map { |line| line[/:\d+:in.*/] } # => [":2:in 'Binding#irb'", ":2:in 'Object#debugged'", ":4:in '<main>'"]
