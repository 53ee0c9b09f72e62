# Scripts whose first line names this runtime run; one for another program does not.
require "rbconfig"
require "tmpdir"

def run(text)
  Dir.mktmpdir do |dir|
    path = File.join(dir, "script")
    File.write(path, text)
    IO.popen([{ "RUBYOPT" => nil }, RbConfig.ruby, path, err: [:child, :out]], &:read).lines.map(&:chomp)
  end
end

run("#!/usr/bin/env rubellite\np 1\n")                                # => ["1"]
run("#!/opt/bin/rubellite -w\np $VERBOSE\n")                          # => ["true"]
run("#!/usr/bin/env ruby\np __LINE__\n")                              # => ["2"]
run("#!/bin/sh\np 1\n").last.include?("no Ruby script found in input") # => true
