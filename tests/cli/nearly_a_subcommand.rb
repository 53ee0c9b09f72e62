# A word that is no file and nearly a subcommand: the error is CRuby's, and a line behind it names the subcommand.
require "rbconfig"

def said(word) = [`#{RbConfig.ruby} #{word} 2>&1`.lines.map { |line| line.sub(/\A\S+: /, "") }, $?.exitstatus]

said("expolre") # => [["No such file or directory -- expolre (LoadError)\n", "Did you mean the subcommand?  rubellite explore\n"], 1]
said("rake") # => [["No such file or directory -- rake (LoadError)\n"], 1]
