require "digest"
require "fileutils"
require "open3"
require "rbconfig"
require "socket"
require "zlib"

# One bundler, with which both Rubies install from a server of gems, a directory and what is already there.
bundler = "#{Dir.pwd}/bundler/lib"
FileUtils.mkdir_p("bundler/exe")
FileUtils.cp_r(ENV.fetch("APPS_BUNDLER"), bundler)
File.write("bundler/exe/bundle",
           "require 'bundler'\nrequire 'bundler/friendly_errors'\nBundler.with_friendly_errors do\n" \
           "  require 'bundler/cli'\n  Bundler::CLI.start(ARGV, debug: true)\nend\n")
ENV.keys.grep(/\A(RUBYLIB|RUBYOPT|GEM_|BUNDLE)/).each { |name| ENV.delete(name) }
ENV.update("GEM_HOME" => "#{Dir.pwd}/gems", "BUNDLE_SILENCE_ROOT_WARNING" => "1",
           "BUNDLE_APP_CONFIG" => "#{Dir.pwd}/.bundle", "BUNDLE_DISABLE_VERSION_CHECK" => "1",
           "BUNDLE_VERSION" => "system")
START = [RbConfig.ruby, "-W0", "-I", bundler, "#{Dir.pwd}/bundler/exe/bundle"]
ENV["PATH"] = "#{File.dirname(RbConfig.ruby)}:#{ENV["PATH"]}"
def bundle(*words)
  text, status = Open3.capture2e(*START, *words)
  text = text.gsub(Dir.pwd, "HERE").gsub(File.dirname(Dir.pwd), "THERE").gsub(/127.0.0.1:\d+/, "SERVER")
    .gsub(/^.*(?:Fetching|Resolving|Using bundler|lockfile will|gems? now installed).*\n/, "")
  puts "bundle #{words.join(" ").gsub(RbConfig.ruby, "ruby")} -> #{status.exitstatus}", text
end
def write(path, text) = (FileUtils.mkdir_p(File.dirname(path)); File.write(path, text))
def source(name, version, more = "")
  write("#{name}/#{name}.gemspec",
        "Gem::Specification.new do |s|\n  s.name = '#{name}'\n  s.version = '#{version}'\n  s.summary = 'x'\n" \
        "  s.author = 'x'\n  s.files = %w[lib/#{name}.rb bin/#{name}]\n  s.bindir = 'bin'\n" \
        "  s.executables = ['#{name}']\n#{more}end\n")
  write("#{name}/lib/#{name}.rb", "module #{name.capitalize}\n  V = '#{version}'\nend\n")
  write("#{name}/bin/#{name}", "#!/usr/bin/env ruby\nrequire '#{name}'\np #{name.capitalize}::V, ARGV\n")
end

lines = Hash.new { |hash, name| hash[name] = "---\n" }
[["alpha", "1.0"], ["alpha", "1.1"], ["alpha", "2.0"],
 ["beta", "0.3", "alpha", "~> 1.0"]].each do |name, version, needed, bound|
  source(name, version, needed ? "  s.add_dependency '#{needed}', '#{bound}'\n" : "")
  Dir.chdir(name) { system(RbConfig.ruby, "-W0", "-S", "gem", "build", "--silent", "#{name}.gemspec") }
  write("served/x", "")
  FileUtils.mv("#{name}/#{name}-#{version}.gem", "served")
  sum = Digest::SHA256.file("served/#{name}-#{version}.gem").hexdigest
  lines[name] += "#{version} #{"#{needed}:#{bound}" if needed}|checksum:#{sum}\n"
end
served = File.expand_path("served")
versions =
  "created_at: 2024-01-01T00:00:00Z\n---\nalpha 1.0,1.1,2.0 #{Digest::MD5.hexdigest(lines["alpha"])}\n" \
  "beta 0.3 #{Digest::MD5.hexdigest(lines["beta"])}\n"
server = TCPServer.new("127.0.0.1", 0)
Thread.new do
  while (client = server.accept)
    path = client.gets.to_s.split[1].to_s
    nil until client.gets.to_s.strip.empty?
    body = case path
           when "/versions" then versions
           when "/names" then "---\nalpha\nbeta\n"
           when %r{\A/info/(\w+)\z} then lines[$1] if lines.key?($1)
           when %r{\A/gems/([\w.-]+)\z} then File.binread(File.join(served, $1)) if File.exist?(File.join(served, $1))
           end
    client.write("HTTP/1.1 #{body ? "200 OK" : "404 Not Found"}\r\nContent-Length: #{body.to_s.bytesize}\r\n" \
                 "Connection: close\r\n\r\n#{body}")
    client.close
  end
end
from = "source 'http://127.0.0.1:#{server.addr[1]}'\n"
Dir.mkdir("app")
Dir.chdir("app") do
  bundle("init")
  puts File.read("Gemfile").lines.grep_v(/^#/)
  File.write("Gemfile", "#{from}gem 'beta'\n")
  bundle("check")
  bundle("install")
  lock = File.read("Gemfile.lock")
  puts lock[/^ +specs:.*?\n\n/m], lock[/^DEPENDENCIES.*?\n\n/m]
  File.write("a.rb",
             "require 'bundler/setup'\nrequire 'beta'\nrequire 'alpha'\n" \
             "p Beta::V, Alpha::V, Bundler.locked_gems.specs.map(&:full_name).sort\nbegin\n  gem 'gamma'\n" \
             "rescue LoadError => e\n  puts e.message.lines.first\nend\n")
  bundle("exec", "beta", "1", "two words")
  bundle("exec", RbConfig.ruby, "-W0", "a.rb")
  bundle("list")
  bundle("outdated")
  bundle("add", "alpha", "--version", "~> 1.0")
  puts File.read("Gemfile").lines.last
  bundle("update", "alpha")
  File.write("../alpha/lib/alpha.rb", "module Alpha\n  V = 'of the directory'\nend\n")
  File.write("../alpha/alpha.gemspec", File.read("../alpha/alpha.gemspec").sub("2.0", "1.9"))
  File.write("Gemfile", "#{from}gem 'beta'\ngem 'alpha', path: '../alpha'\n")
  bundle("install", "--local")
  bundle("exec", "alpha")
  bundle("binstubs", "beta")
  puts File.read("bin/beta").lines.grep(/^load/)
  File.write("Gemfile", "#{from}gem 'beta'\ngem 'alpha', '> 1.5'\n")
  bundle("lock")
  File.write("Gemfile", "gem 'nowhere', path: '../nowhere'\n")
  bundle("install")
  File.write("Gemfile", "gem 'alpha' path\n")
  bundle("check")
end
write("inline.rb",
      "require 'bundler/inline'\ngemfile(false, quiet: true) { path('.') { gem 'alpha' } }\nrequire 'alpha'\n" \
      "p Alpha::V\n")
puts IO.popen([RbConfig.ruby, "-W0", "-I", bundler, "inline.rb"], err: %i[child out], &:read)
