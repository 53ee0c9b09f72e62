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
