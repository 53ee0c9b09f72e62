require "tempfile"

# Limits and separators are converted once, before the file is opened.
FILE = Tempfile.new("lines")
FILE.write("foo\nbar\n")
FILE.close
PATH = FILE.path

class Counted
  attr_reader :count

  def initialize(value) = (@value, @count = value, 0)
  def to_int = given(Integer)
  def to_str = given(String)
  def respond_to_missing?(...) = false

  def given(kind)
    raise TypeError, "no #{kind}" unless kind === @value
    @count += 1
    @value
  end
end

class Limit < Counted
  undef_method :to_str
end

def lines(*)
  list = []
  IO.foreach(PATH, *) { |line| list << line }
  list
end

limit = Limit.new(-1)
[lines(limit), limit.count] # => [["foo\n", "bar\n"], 1]
separator = Counted.new("\n")
[lines(separator), separator.count] # => [["foo\n", "bar\n"], 1]
[lines(separator, 2), separator.count] # => [["fo", "o\n", "ba", "r\n"], 2]
File.open(PATH) { |file| file.each_line(limit).to_a } # => ["foo\n", "bar\n"]
limit.count # => 2
lines(nil) # => ["foo\nbar\n"]
lines(nil, 3) # => ["foo", "\nba", "r\n"]
lines("o", nil) # => ["fo", "o", "\nbar\n"]
lines("a", "b") # raises TypeError: no implicit conversion of String into Integer
lines(0) # raises ArgumentError: invalid limit: 0 for foreach
lines(1, 2, 3) # raises ArgumentError: wrong number of arguments (given 4, expected 1..3)

# The format of `pack` changes in a conversion.
format = "CC"
clearing = Object.new
clearing.define_singleton_method(:to_int) { format.clear; 0 }
[clearing, clearing].pack(format) # raises RuntimeError: format string modified

# A File is not initialized twice.
File.open(PATH) { |file| file.instance_eval { initialize } } # raises RuntimeError: reinitializing File
File.new # raises ArgumentError: wrong number of arguments (given 0, expected 1..3)
