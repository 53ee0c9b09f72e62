# A small interpreter: strings, hashes, arrays, while.
class Machine
  def initialize(source)
    @code = source.gsub(/[^\[\]<>+\-.,]/, "")
    @jump = {}
    stack = []
    @code.each_char.with_index do |c, i|
      stack << i if c == "["
      next unless c == "]"
      open = stack.pop or raise ArgumentError, "unmatched ] at #{i}"
      @jump[i] = open
      @jump[open] = i
    end
    raise ArgumentError, "unmatched [" unless stack.empty?
  end
  def run
    cells = Hash.new(0)
    at = pc = 0
    out = +""
    while pc < @code.size
      case @code[pc]
      when ">" then at += 1
      when "<" then at -= 1
      when "+" then cells[at] = (cells[at] + 1) & 255
      when "-" then cells[at] = (cells[at] - 1) & 255
      when "." then out << cells[at].chr
      when "[" then pc = @jump[pc] if cells[at].zero?
      when "]" then pc = @jump[pc] unless cells[at].zero?
      end
      pc += 1
    end
    out
  end
end
Machine.new("++++++++[>++++++++<-]>+.+.+.>+++[<+>-]<--.").run # => "ABCD"
Machine.new("[[]") # raises ArgumentError: unmatched [
Machine.new("]") # raises ArgumentError: unmatched ] at 0
