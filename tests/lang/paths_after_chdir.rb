# A script that was named by a relative path finds its place when the current directory has changed, also when its link
# is gone.
require "tmpdir"
require "rbconfig"

Dir.mktmpdir do |dir|
  dir = File.realpath(dir)
  Dir.mkdir("#{dir}/sub")
  Dir.mkdir("#{dir}/other")
  File.write("#{dir}/sub/sibling.rb", "puts File.basename(caller_locations(0)[0].absolute_path)")
  File.write("#{dir}/sub/main.rb", <<~RUBY)
    Dir.chdir("other")
    puts __dir__ == #{"#{dir}/sub".inspect}
    puts caller_locations(0)[0].absolute_path == #{"#{dir}/sub/main.rb".inspect}
    require_relative "sibling"
  RUBY
  output = Dir.chdir(dir) { IO.popen([RbConfig.ruby, "sub/main.rb", err: %i[child out]], &:read) }
  output.lines(chomp: true) # => ["true", "true", "sibling.rb"]

  File.write("#{dir}/target.rb", "File.unlink(__FILE__); $found = caller_locations(0)[0].absolute_path")
  File.symlink("#{dir}/target.rb", "#{dir}/link.rb")
  load "#{dir}/link.rb"
  $found == "#{dir}/target.rb" # => true
end
