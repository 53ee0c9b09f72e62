# The commands of RubyGems: build, install, list, run, uninstall; what is broken says so and leaves nothing behind.
# timeout: 120
require "fileutils"
require "rbconfig"
require "tmpdir"

DIR = Dir.mktmpdir
at_exit { FileUtils.rm_rf(DIR) }
HOME = File.join(DIR, "home")
ENVIRONMENT = { "RUBYOPT" => nil, "GEM_HOME" => File.join(DIR, "gems"), "GEM_PATH" => nil, "HOME" => HOME,
                "XDG_DATA_HOME" => nil }
FileUtils.mkdir_p(HOME)

def command(*words)
  IO.popen([ENVIRONMENT, *words, { chdir: DIR, err: [:child, :out] }], &:read).lines.map(&:chomp)
end

def gem_command(*words)
  command(RbConfig.ruby, "-e", "require 'rubygems/gem_runner'; Gem::GemRunner.new.run(ARGV.dup)", "--", *words)
end

FileUtils.mkdir_p([File.join(DIR, "lib"), File.join(DIR, "exe")])
File.write(File.join(DIR, "lib/hello_gem.rb"), "module HelloGem; VERSION = '1.2.0'; end\n")
File.write(File.join(DIR, "exe/hello"),
           "#!/usr/bin/env ruby\nrequire 'hello_gem'\nputs \"hello \#{HelloGem::VERSION} \#{ARGV.join('+')}\"\n")
FileUtils.chmod(0o755, File.join(DIR, "exe/hello"))
File.write(File.join(DIR, "hello_gem.gemspec"), <<~RUBY)
  Gem::Specification.new do |spec|
    spec.name = "hello_gem"
    spec.version = "1.2.0"
    spec.summary = "Says hello"
    spec.description = "A gem that says hello"
    spec.authors = ["Somebody"]
    spec.homepage = "https://example.org"
    spec.license = "MIT"
    spec.required_ruby_version = ">= 3.0"
    spec.files = ["lib/hello_gem.rb", "exe/hello"]
    spec.bindir = "exe"
    spec.executables = ["hello"]
  end
RUBY

gem_command("build", "hello_gem.gemspec").grep(/Built|Successfully|File:/).map(&:strip) # => ["Successfully built RubyGem", "File: hello_gem-1.2.0.gem"]
gem_command("install", "--local", "--no-document", "hello_gem-1.2.0.gem").first          # => "Successfully installed hello_gem-1.2.0"
gem_command("list", "hello_gem").last                                                  # => "hello_gem (1.2.0)"
gem_command("contents", "hello_gem").map { |path| File.basename(path) }.sort           # => ["hello", "hello_gem.rb"]
command(RbConfig.ruby, "-e", "require 'hello_gem'; p HelloGem::VERSION")               # => ["\"1.2.0\""]
command(File.join(DIR, "gems/bin/hello"), "a", "b")                                    # => ["hello 1.2.0 a+b"]
gem_command("env", "gemdir").last == ENVIRONMENT["GEM_HOME"]                           # => true
gem_command("uninstall", "-x", "hello_gem").last                                       # => "Successfully uninstalled hello_gem-1.2.0"
gem_command("list", "hello_gem").grep(/hello/)                                         # => []
File.exist?(File.join(DIR, "gems/bin/hello"))                                          # => false

# A file that is cut short is no gem, and a specification that is broken is said to be.
whole = File.binread(File.join(DIR, "hello_gem-1.2.0.gem"))
File.binwrite(File.join(DIR, "cut-1.2.0.gem"), whole[0, 300])
gem_command("install", "--local", "--no-document", "cut-1.2.0.gem").any? { |line| line.start_with?("ERROR:") } # => true
Dir.glob(File.join(DIR, "gems/{gems,specifications}/*"))                               # => []
File.write(File.join(DIR, "broken.gemspec"), "Gem::Specification.new do |spec|\n")
gem_command("build", "broken.gemspec").any? { |line| line.include?("Invalid gemspec") } # => true
