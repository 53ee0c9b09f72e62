# Standard streams on a full device: what the end of the process, exec and messages of the VM make of it.

def status(code, out: "/dev/null", err: "/dev/null")
  Process.wait2(spawn(RbConfig.ruby, "-e", code, out:, err:))[1].exitstatus
end

status "puts 1; exec 'true'", out: "/dev/full" # => 0
status "puts 1; system 'true'", out: "/dev/full" # => 1
status "puts 1; `true`", out: "/dev/full" # => 1
status "warn 1", err: "/dev/full" # => 0
status "$stderr.puts 1", err: "/dev/full" # => 1
status "$stderr = File.open('/dev/full', 'w').tap { _1.sync = true }; warn 1" # => 1

def errors(code) = IO.popen([RbConfig.ruby, "-e", code, err: %i[child out]], &:read)

# The VM's own messages go past the methods of STDERR, also when it is closed.
errors("def STDERR.write(*) = exit!(3); warn 'a'") # => "a\n"
errors("STDERR.close; warn 'a'; print 'b'") # => "a\nb"
errors("$stderr.close; raise 'a'").end_with?(": a (RuntimeError)\n") # => true
errors("o = Object.new; def o.write(s) = STDOUT.print(s.upcase); $stderr = o; warn 'a'") # => "A\n"
