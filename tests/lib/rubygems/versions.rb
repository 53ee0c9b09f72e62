# Which versions of installed gems are taken: those that the requirements of others allow, of any platform,
# and newer ones before the library's own.
require "fileutils"
require "rbconfig"
require "tmpdir"

HOME = Dir.mktmpdir
at_exit { FileUtils.rm_rf(HOME) }

# Installs a gem as RubyGems lays it out.
def install(name, version, files, platform: "ruby", needs: {}, home: HOME)
  full = platform == "ruby" ? "#{name}-#{version}" : "#{name}-#{version}-#{platform}"
  files.each do |path, text|
    file = File.join(home, "gems", full, "lib", path)
    FileUtils.mkdir_p(File.dirname(file))
    File.write(file, text)
  end
  FileUtils.mkdir_p(File.join(home, "specifications"))
  File.write(File.join(home, "specifications", "#{full}.gemspec"), <<~RUBY)
    # -*- encoding: utf-8 -*-
    # stub: #{name} #{version} #{platform} lib

    Gem::Specification.new do |s|
      s.name = "#{name}".freeze
      s.version = "#{version}".freeze
      s.platform = "#{platform}".freeze unless "#{platform}" == "ruby"
      s.require_paths = ["lib".freeze]
      s.summary = "s".freeze
      s.authors = ["a".freeze]
      s.specification_version = 4
      #{needs.map { |needed, range|
        "s.add_runtime_dependency(%q<#{needed}>.freeze, [#{range.dump}.freeze])"
      }.join("\n  ")}
    end
  RUBY
end

install("xaa", "1.0", { "xaa.rb" => "require 'xbb'; XAA = XBB" }, needs: { "xbb" => "~> 1.0" })
install("xbb", "1.0", { "xbb.rb" => "XBB = 1" })
install("xbb", "2.0", { "xbb.rb" => "XBB = 2" })
install("xcc", "0.1.0", { "xcc.rb" => "XCC = 1" }, platform: Gem::Platform.local.to_s)
install("optparse", "99.0", { "optparse.rb" => "OptionParser = 99", "optparse/extra.rb" => "" })

def run(source, *words, env: {})
  IO.popen([{ "RUBYOPT" => nil, "GEM_HOME" => HOME, "GEM_PATH" => nil }.merge(env), RbConfig.ruby, *words, "-e", source,
            err: [:child, :out]], &:read).lines.map(&:chomp)
end

run("require 'xaa'; p XAA")                                   # => ["1"]
run("require 'xaa'; p Gem.loaded_specs.values_at('xaa', 'xbb').map { |spec| spec.version.to_s }") # => ["[\"1.0\", \"1.0\"]"]
run("require 'xbb'; p XBB")                                   # => ["2"]
run("gem 'xbb', '< 2'; require 'xbb'; p XBB")                 # => ["1"]
run("require 'xcc'; p XCC")                                   # => ["1"]
run("require 'optparse'; p OptionParser")                     # => ["99"]
run("require 'optparse'; p OptionParser.class", env: { "GEM_HOME" => nil }) # => ["Class"]
run("require 'optparse'; p OptionParser.class", "--disable=gems") # => ["Class"]
run("require 'xaa'", "--disable=gems").first[/cannot load such file -- xaa/] # => "cannot load such file -- xaa"

# Gems of the user, where `gem install --user-install` puts them.
USER = Dir.mktmpdir
at_exit { FileUtils.rm_rf(USER) }
dir = run("puts Gem.user_dir", env: { "HOME" => USER, "GEM_HOME" => nil, "XDG_DATA_HOME" => nil }).first
install("xdd", "1.0", { "xdd.rb" => "XDD = 1" }, home: dir)
run("require 'xdd'; p XDD", env: { "HOME" => USER, "GEM_HOME" => nil, "XDG_DATA_HOME" => nil }) # => ["1"]
