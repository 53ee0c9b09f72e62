# needs: 4.0
# timeout: 120
# A server of gems: what fits is installed with what it needs; what is broken,
# or has another checksum than the server says, is not.
require "digest"
require "open3"
require "rubygems/package"
require "socket"
require "tmpdir"

DIR = Dir.mktmpdir
at_exit { FileUtils.rm_rf(DIR) }
Gem::DefaultUserInteraction.ui = Gem::SilentUI.new

SPECIFICATIONS = {}

# The gem's file as bytes.
def build(name, needs = {})
  FileUtils.mkdir_p("#{DIR}/#{name}/lib")
  File.write("#{DIR}/#{name}/lib/#{name}.rb", "module #{name.capitalize}; V = 1; end\n")
  Dir.chdir("#{DIR}/#{name}") do
    spec = Gem::Specification.new do |s|
      s.name, s.version, s.summary, s.authors, s.files = name, "1.0", "s", ["a"], ["lib/#{name}.rb"]
      needs.each { |other, version| s.add_dependency(other, version) }
    end
    SPECIFICATIONS[name] = Gem.deflate(Marshal.dump(spec))
    File.binread(Gem::Package.build(spec, true))
  end
end

GEMS = { "aa" => build("aa"), "bb" => build("bb", "aa" => ">= 1"), "cut" => build("cut")[0, 1600],
         "other" => build("other") }
damaged = build("damaged")
at = damaged.index("data.tar.gz") + 512 + 20
damaged.setbyte(at, damaged.getbyte(at) ^ 0xff)
GEMS["damaged"] = damaged
INFO = GEMS.to_h do |name, bytes|
  [name,
   "---\n1.0 #{"aa:>= 1" if name == "bb"}|checksum:#{name == "other" ? "0" * 64 : Digest::SHA256.hexdigest(bytes)}\n"]
end

def answer(path)
  name = File.basename(path, "-1.0.gem")
  case path
  when "/versions"
    "created_at: 2024-01-01T00:00:00Z\n---\n" +
      INFO.map { |gem, text| "#{gem} 1.0 #{Digest::MD5.hexdigest(text)}\n" }.join
  when %r{\A/info/} then INFO[name]
  when %r{\A/gems/} then GEMS[name]
  when %r{\A/quick/} then SPECIFICATIONS[File.basename(path, "-1.0.gemspec.rz")]
  when %r{\A/(latest_)?specs}
    Gem::Util.gzip(Marshal.dump(GEMS.keys.map { |gem| [gem, Gem::Version.new("1.0"), "ruby"] }))
  when %r{\A/prerelease} then Gem::Util.gzip(Marshal.dump([]))
  end
end

server = TCPServer.new("127.0.0.1", 0)
URL = "http://127.0.0.1:#{server.addr[1]}/"
Thread.new do
  loop do
    Thread.new(server.accept) do |client|
      path = client.gets.to_s.split[1]
      nil until client.gets.to_s.strip.empty?
      body = answer(path)
      client.write("HTTP/1.1 #{body ? "200 OK" : "404 Not Found"}\r\nContent-Length: #{body.to_s.bytesize}\r\n" \
                   "Connection: close\r\n\r\n#{body}")
      client.close
    end
  end
end

def run(*words)
  variables = { "GEM_HOME" => "#{DIR}/home", "GEM_PATH" => "#{DIR}/home", "HOME" => DIR, "RUBYOPT" => nil,
                "BUNDLE_SILENCE_ROOT_WARNING" => "1" }
  text, status = Open3.capture2e(variables, RbConfig.ruby, *words, chdir: DIR)
  [status.exitstatus, text]
end

def install(name) = run("-S", "gem", "install", name, "--clear-sources", "--source", URL, "--no-document")
def installed = Dir["#{DIR}/home/specifications/*.gemspec"].map { |path| File.basename(path, ".gemspec") }.sort

install("bb") # => [0, "Successfully installed aa-1.0\nSuccessfully installed bb-1.0\n2 gems installed\n"]
run("-e", "require 'bb'; p Bb::V, Gem.loaded_specs.keys.include?('aa')") # => [0, "1\ntrue\n"]
install("none") # => [2, "ERROR:  Could not find a valid gem 'none' (>= 0) in any repository\n"]
status, text = install("damaged")
[status, text.lines(chomp: true)[1, 2]] # => [1, ["ERROR:  While executing gem ... (Gem::Package::FormatError)", "    invalid compressed data -- crc error in data.tar.gz"]]
status, text = install("cut")
[status, text.lines(chomp: true)[2].sub(DIR, "")] # => [1, "    end of file reached in /home/cache/cut-1.0.gem"]
File.write("#{DIR}/junk.gem", "no gem")
run("-S", "gem", "install", "--local", "junk.gem").then { |status, text| [status, text[/\(Gem::\w+::\w+\)/]] } # => [1, "(Gem::Package::FormatError)"]
installed # => ["aa-1.0", "bb-1.0"]

File.write("#{DIR}/Gemfile", "source #{URL.inspect}\ngem 'bb'\n")
run("-S", "bundle", "install")[0] # => 0
run("-S", "bundle", "exec", RbConfig.ruby, "-e", "require 'bb'; p Bb::V") # => [0, "1\n"]
File.read("#{DIR}/Gemfile.lock").include?("bb (1.0) sha256=#{Digest::SHA256.hexdigest(GEMS["bb"])}") # => true
File.write("#{DIR}/Gemfile", "source #{URL.inspect}\ngem 'other'\n")
File.delete("#{DIR}/Gemfile.lock")
run("-S", "bundle", "install").then { |status, text| [status, text.include?("mismatched checksums")] } # => [37, true]
installed # => ["aa-1.0", "bb-1.0"]

# An installation that has lost a part is told by what is missing.
FileUtils.rm(Dir["#{DIR}/home/specifications/aa*"])
run("-e", "require 'bb'").then { |status, text| [status, text[/Could not find 'aa' \(>= 1\)/]] } # => [1, "Could not find 'aa' (>= 1)"]
File.write("#{DIR}/home/specifications/bb-1.0.gemspec", "Gem::Specification.new do |s| s.name = ")
run("-e", "begin; gem 'bb'; rescue LoadError; p $!.class; end").then { |status, text| [status, text[/Gem::MissingSpecError/]] } # => [0, "Gem::MissingSpecError"]
