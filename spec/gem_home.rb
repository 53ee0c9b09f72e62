# Installs gems from checkouts, as `gem install` would from their packages, with their extensions in C, for `cargo xtask cruby --gem`.
# Arguments: the directory to install into, and a checkout for each gem. What cannot be installed is told of; the Ruby's own gem of that name, if it has
# one, then takes its place.
require "rubygems/installer"
require "rubygems/package"
require "fileutils"
require "stringio"
require "tmpdir"

home, *checkouts = ARGV.map { |path| File.expand_path(path) }
Gem::DefaultUserInteraction.ui = Gem::SilentUI.new
ENV["MAKEFLAGS"] = "-s"

# The specification of a checkout, which need not be a repository of git that it could ask for its files.
def specification(checkout)
  gemspec = Dir.glob(File.join(checkout, "*.gemspec")).first or raise "no gemspec"
  Dir.chdir(checkout) do
    spec = Gem::Specification.load(gemspec) or raise "#{gemspec} cannot be loaded"
    spec.files = Dir.glob("{lib,ext,exe,bin,test,man,doc}/**/*").select { |file| File.file?(file) } + Dir.glob("*").select { |file| File.file?(file) }
    spec
  end
end

checkouts.each do |checkout|
  spec = specification(checkout)
  FileUtils.mkdir_p(home)
  package = Dir.chdir(checkout) { Gem::Package.build(spec, true, false, File.join(home, "#{spec.full_name}.gem")) }
  Gem::Installer.at(package, install_dir: home, force: true, wrappers: true, document: []).install
rescue StandardError, Gem::InstallError => error
  puts "#{File.basename(checkout)}: #{error.message.lines.grep(/error|LoadError|No such|raise|not found/i).first || error.message.lines.first}"
end
