apps_require "rubocop"

File.write("a.rb",
           "class Foo\n  def Bar( a,b )\n    if a == nil then return b end\n    x = [1,2 ,3]\n    x.map{|y| y*2}\n" \
           "  end\nend\n")
File.write("b.rb", "def a(x)\n  puts \"a\"\n  x.select { |y| y }.first\nend\n")
File.write(".rubocop.yml", "AllCops:\n  NewCops: disable\n  SuggestExtensions: false\n")
p RuboCop::CLI.new.run(%w[--format emacs --cache false a.rb b.rb])
p RuboCop::CLI.new.run(%w[-A --format quiet --cache false b.rb])
puts File.read("b.rb")
