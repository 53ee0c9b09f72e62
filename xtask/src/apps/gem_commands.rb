require "fileutils"
require "open3"
require "rbconfig"
require "socket"
require "digest"
require "zlib"

ENV.keys.grep(/\A(RUBYLIB|RUBYOPT|GEM_|BUNDLE)/).each { |name| ENV.delete(name) }
ENV["GEM_HOME"] = ENV["GEM_PATH"] = File.join(Dir.pwd, "home")
RUBY = RbConfig.ruby
def run(*words)
  text, status = Open3.capture2e(RUBY, "-W0", "-S", "gem", *words)
  puts "gem #{words.join(" ")} -> #{status.exitstatus}".gsub(/:\d{4,}/, ":PORT"),
       text.gsub(/^\t.*\n/, "").gsub(Dir.pwd, "PWD").gsub(/:\d{4,}/, ":PORT")
end
%w[1.0 1.1 2.0].each do |version|
  FileUtils.mkdir_p(%w[src/lib src/bin])
  File.write("src/lib/tiny.rb", "module Tiny V = '#{version}' end\n")
  File.write("src/bin/tiny", "#!/usr/bin/env ruby\nrequire 'tiny'\nputs \"tiny \#{Tiny::V} \#{ARGV}\"\n")
  File.write("src/tiny.gemspec",
             "Gem::Specification.new { |s| s.name = 'tiny'; s.version = '#{version}'; s.summary = 'Small'; s.author " \
             "= 'A'; s.license = 'MIT'; s.homepage = 'http://localhost'; s.description = 'Smaller'\n" \
             "  s.files = %w[lib/tiny.rb bin/tiny]; s.bindir = 'bin'; s.executables = ['tiny'] }\n")
  Dir.chdir("src") { run("build", "tiny.gemspec", "--silent") }
end
FileUtils.mkdir_p("served/gems")
FileUtils.mv(Dir["src/*.gem"], "served/gems")
run("install", "--local", "served/gems/tiny-1.0.gem", "--no-document")
run("list", "tiny")
p Open3.capture2e(RUBY, "-W0", "-S", File.join(ENV["GEM_HOME"], "bin/tiny"), "x")[0]
run("contents", "tiny")
run("specification", "tiny", "version")
listed = [["tiny", Gem::Version.new("1.0"), "ruby"], ["tiny", Gem::Version.new("1.1"), "ruby"],
          ["tiny", Gem::Version.new("2.0"), "ruby"]]
info = "---\n" +
  listed.map { |_, version, _|
    "#{version} |checksum:#{Digest::SHA256.file("served/gems/tiny-#{version}.gem").hexdigest}\n"
  }.join
FileUtils.mkdir_p("served/info")
File.write("served/info/tiny", info)
File.write("served/versions",
           "created_at: 2024-01-01T00:00:00Z\n---\ntiny 1.0,1.1,2.0 #{Digest::MD5.hexdigest(info)}\n")
{ "specs" => listed, "latest_specs" => listed.last(1), "prerelease_specs" => [] }.each do |name, list|
  File.binwrite("served/#{name}.4.8.gz", Zlib.gzip(Marshal.dump(list)))
end
server = TCPServer.new("127.0.0.1", 0)
Thread.new do
  while (client = server.accept)
    path = client.gets.to_s.split[1].to_s.split("?").first
    loop { break if client.gets.to_s.strip.empty? }
    file = File.join("served", path)
    body = File.file?(file) ? File.binread(file) : nil
    client.write("HTTP/1.1 #{body ? "200 OK" : "404 Not Found"}\r\nContent-Length: #{body.to_s.bytesize}\r\n" \
                 "Connection: close\r\n\r\n#{body}")
    client.close
  end
end
source = "http://127.0.0.1:#{server.addr[1]}/"
run("install", "tiny", "-v", "~> 1.0", "--clear-sources", "--source", source, "--no-document")
run("list", "--remote", "--all", "tiny", "--clear-sources", "--source", source)
run("outdated", "--clear-sources", "--source", source)
run("update", "tiny", "--clear-sources", "--source", source, "--no-document")
run("install", "nothing_here", "--clear-sources", "--source", source)
run("install", "--local", "served/gems/tiny-2.0.gem", "--no-document")
run("list", "tiny")
File.write(File.join(ENV["GEM_HOME"], "gems/tiny-2.0/lib/tiny.rb"), "broken")
run("pristine", "tiny", "--version", "2.0")
puts File.read(File.join(ENV["GEM_HOME"], "gems/tiny-2.0/lib/tiny.rb"))
run("cleanup", "tiny")
run("which", "tiny")
run("uninstall", "tiny", "--all", "--executables")
File.binwrite("bad.gem", "not a gem")
run("install", "--local", "bad.gem")
