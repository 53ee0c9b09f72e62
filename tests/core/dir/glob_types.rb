# What a search learns of entries from their directory, and what it must ask of links.
require "fileutils"
require "tmpdir"

Dir.mktmpdir do |dir|
  FileUtils.mkdir_p("#{dir}/a/b")
  FileUtils.touch("#{dir}/a/f")
  File.mkfifo("#{dir}/a/p")
  File.symlink("b", "#{dir}/a/to_dir")
  File.symlink("f", "#{dir}/a/to_file")
  File.symlink("nowhere", "#{dir}/a/to_nothing")
  File.write("#{dir}/a/b/g", "")
  glob = ->(pattern, flags = 0) { Dir.glob(pattern, flags, base: dir) }
  glob["a/*"] # => ["a/b", "a/f", "a/p", "a/to_dir", "a/to_file", "a/to_nothing"]
  glob["a/*/"] # => ["a/b/", "a/to_dir/"]
  glob["a/*/*"] # => ["a/b/g", "a/to_dir/g"]
  glob["a/**/*"] # => ["a/b", "a/b/g", "a/f", "a/p", "a/to_dir", "a/to_file", "a/to_nothing"]
  glob["**/"] # => ["/", "a/", "a/b/"]
  glob["a/**/"] # => ["a/", "a/b/"]
  glob["a/to_nothing"] # => ["a/to_nothing"]
  glob["a/to_nothing/"] # => []
  glob["a/*/."] # => ["a/b/.", "a/to_dir/."]
  glob["*/f"] # => ["a/f"]
  glob["{a/*,nothing}"].size # => 6
  glob["a/b/*", File::FNM_DOTMATCH] # => ["a/b/.", "a/b/g"]
end
