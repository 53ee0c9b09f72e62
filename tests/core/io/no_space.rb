# A full device: what raises where, which function the message names, and what stays buffered.
require "tmpdir"
require "stringio"
require "zlib"

def opened = File.open("/dev/full", "w")

file = opened
file.write("x" * 10) # => 10
file.flush # raises Errno::ENOSPC: No space left on device @ rb_sys_fail_on_write - /dev/full
file.close # raises Errno::ENOSPC: No space left on device @ fptr_finalize_flush - /dev/full
file.closed? # => true

# A long text that is refused is not kept.
file = opened
file.print("x" * 100_000) # raises Errno::ENOSPC: No space left on device @ rb_sys_fail_on_write - /dev/full
file.close # => nil
file = opened
(file << "x" * 100_000) # raises Errno::ENOSPC: No space left on device @ rb_sys_fail_on_write - /dev/full
file.close # => nil
file = opened
file.puts("x" * 100_000) # raises Errno::ENOSPC: No space left on device @ rb_sys_fail_on_write - /dev/full
file.close # => nil

File.open("/dev/full", "w") { _1.write "a" } # raises Errno::ENOSPC: No space left on device @ fptr_finalize_flush - /dev/full
IO.write("/dev/full", "a") # raises Errno::ENOSPC: No space left on device @ fptr_finalize_flush - /dev/full
Zlib::GzipWriter.open("/dev/full") { _1.write "a" } # raises Errno::ENOSPC: No space left on device @ fptr_finalize_flush - /dev/full

Dir.mktmpdir do |dir|
  source = "#{dir}/source"
  IO.write(source, "abc") # => 3
  IO.copy_stream(source, "/dev/full") # raises Errno::ENOSPC: No space left on device - write
  IO.copy_stream(StringIO.new("a"), "/dev/full") # raises Errno::ENOSPC: No space left on device @ fptr_finalize_flush - /dev/full
end

# A file that grows beyond its limit: the signal runs its handler and ends nothing.
Dir.mktmpdir do |dir|
  hits = Queue.new
  trap("XFSZ") { hits << true }
  limits = Process.getrlimit(:FSIZE)
  Process.setrlimit(:FSIZE, 4096, limits[1])
  File.write("#{dir}/a", "x" * 5000) # raises Errno::EFBIG
  File.size("#{dir}/a") # => 4096
  hits.pop(timeout: 10) # => true
  Process.setrlimit(:FSIZE, *limits)
  trap("XFSZ", "DEFAULT")
end
