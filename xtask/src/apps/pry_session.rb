begin
  apps_require "pry"
rescue NameError, ArgumentError
  # Older versions do not load in a Ruby of today.
  exit!(77)
end

require "stringio"
Pry.config.color = false; Pry.config.pager = false; Pry.config.history_load = false; Pry.config.history_save = false
class Foo
  # A comment.
  def bar(a, b = 2, *c, d:, e: 1, **f, &g)
    a + b
  end
  def baz = 1
end
input =
  StringIO.new("x = [1,2]\nx.map do |a|\n  a * 2\nend\nls Foo\ncd Foo\nself\nls\nexit\nshow-source Foo#bar\n" \
               "show-doc Foo#bar\n1/0\n{a: 1}\nwtf?\n_ex_.class\n!!!\n")
out = StringIO.new
begin
Pry.start(TOPLEVEL_BINDING, input: input, output: out)
rescue SystemExit
end
puts out.string
