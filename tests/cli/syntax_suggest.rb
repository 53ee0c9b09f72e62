# Where a file's syntax is wrong, SyntaxSuggest's annotation precedes the message; with -c,
# and where it is turned off, it does not.
require "tmpdir"
BROKEN = "class A\n  def foo\n    1\n  end\n\n  def bar\n    if true\n      2\n  end\nend\n"
def told(*words)
  Dir.mktmpdir do |dir|
    File.write("#{dir}/broken.rb", BROKEN)
    File.write("#{dir}/main.rb", "require_relative 'broken'")
    Dir.chdir(dir) { IO.popen([RbConfig.ruby, *words, err: [:child, :out]], &:read) }.gsub(File.realpath(dir), "DIR")
  end
end
SUGGESTED =
  "\nUnmatched keyword, missing `end' ?\n\n   1  class A\n>  6    def bar\n>  7      if true\n>  9    end\n" \
  "  10  end\n\n"
told("broken.rb").start_with?("broken.rb: --> broken.rb\n#{SUGGESTED}broken.rb:10: syntax errors found (SyntaxError)\n") # => true
told("main.rb").include?("--> DIR/broken.rb\n#{SUGGESTED}DIR/broken.rb:10: syntax errors found (SyntaxError)") # => true
told("--disable=syntax_suggest", "broken.rb").lines.first # => "broken.rb: broken.rb:10: syntax errors found (SyntaxError)\n"
told("--disable-gems", "broken.rb").lines.first # => "broken.rb: broken.rb:10: syntax errors found (SyntaxError)\n"
told("-c", "broken.rb").lines.first[/: .*/] # => ": broken.rb:10: syntax errors found (SyntaxError)"
told("-c", "-e", "1 +").lines.first[/: .*/] # => ": -e:1: syntax errors found (SyntaxError)"
told("-e", "1 +").lines.first # => "-e: -e:1: syntax errors found (SyntaxError)\n"
told("-e", "p defined?(SyntaxSuggest); begin; load File.expand_path('broken.rb'); rescue SyntaxError => e; p e.path, e.detailed_message(syntax_suggest: false, highlight: false).lines.first; end") # => "\"constant\"\n\"DIR/broken.rb\"\n\"DIR/broken.rb:10: syntax errors found (SyntaxError)\\n\"\n"
