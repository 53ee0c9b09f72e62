# Compiles the extensions in C that CRuby's tests load (`ext/-test-` of a checkout), each as `gem install` would, against the headers of the Ruby
# that runs this. Arguments: the directory `ext`, a directory to work in, one for the results. C files that include CRuby's internal
# headers (`internal/*.h`) and use what these declare, or read the bits and fields of its strings, are left out: no other Ruby has these. What does not
# compile is told of; its tests fail.
require "fileutils"
require "open3"
require "rbconfig"

source, work, target = ARGV.map { |path| File.expand_path(path) }
nothing = File.join(work, "nothing")
FileUtils.mkdir_p(nothing)
MAKE = ["make", "-s", "V=0", "top_srcdir=#{nothing}", "sitearchdir=#{target}", "sitelibdir=#{target}"].freeze
CONFIGURE = <<~'RUBY'.freeze
  $0 = ARGV.shift
  require "mkmf"
  $top_srcdir = ARGV.shift
  $topdir = RbConfig::CONFIG["rubyarchhdrdir"]
  load $0
RUBY

INTERNAL = /^\s*#\s*include\s+"(internal(?:\/\w+)?\.h)"/

# Whether the file means something without those headers: it compiles with empty ones and calls nothing that is not declared.
def internal?(file, empty)
  text = File.read(file)
  return true if text.include?("RUBY_ELTS_SHARED")
  headers = text.scan(INTERNAL).flatten
  return false if headers.empty?
  headers.each do |header|
    FileUtils.mkdir_p(File.dirname(File.join(empty, header)))
    File.write(File.join(empty, header), "#include <ruby.h>\n#ifndef __has_feature\n#define __has_feature(name) 0\n#endif\n")
  end
  include = RbConfig::CONFIG.values_at("rubyhdrdir", "rubyarchhdrdir").map { |dir| "-I#{dir}" }
  compile = [RbConfig::CONFIG["CC"].split.first, "-fsyntax-only", "-Werror=implicit-function-declaration"]
  !system(*compile, "-I#{empty}", *include, file, err: File::NULL)
end

Dir.glob("-test-/**/extconf.rb", base: source).sort.each do |extconf|
  folder = File.join(source, File.dirname(extconf))
  left_out = Dir.glob(File.join(folder, "*.c")).select { |file| internal?(file, nothing) }
  FileUtils.rm_f(left_out)
  # What the files depend on is written for CRuby's own build.
  FileUtils.rm_f(File.join(folder, "depend"))
  next if Dir.glob(File.join(folder, "*.{c,cpp}")).empty?
  build = File.join(work, File.dirname(extconf))
  FileUtils.mkdir_p(build)
  log, done = Open3.capture2e(RbConfig.ruby, "-e", CONFIGURE, File.join(folder, "extconf.rb"), nothing, chdir: build)
  next unless done.success? && File.exist?(File.join(build, "Makefile"))
  log, done = Open3.capture2e(*MAKE, "all", "install", chdir: build)
  puts "#{File.dirname(extconf)}: #{log.lines.grep(/error/i).first || log.lines.last}" unless done.success?
end
