# What `Builder::isolated` takes away. Whoever calls it gets a SecurityError with the name of the method.
refuse = lambda do |owner, *names|
  names.each do |name|
    visibility = [:public, :private].find { |candidate| owner.__send__(:"#{candidate}_method_defined?", name) } or next
    owner.define_method(name) { |*, **| raise SecurityError, "#{name} reaches the host's process" }
    owner.__send__(visibility, name)
  end
end

kernel = %i[exit! exec fork spawn system ` trap syscall]
refuse.call(Kernel, *kernel)
refuse.call(Kernel.singleton_class, *kernel)

refuse.call(
  Process.singleton_class,
  :_fork, :daemon, :detach, :exec, :exit!, :fork, :kill, :spawn, :wait, :wait2, :waitall, :waitpid, :waitpid2,
  :egid=, :euid=, :gid=, :uid=, :groups=, :initgroups, :maxgroups=,
  :setpgid, :setpgrp, :setpriority, :setproctitle, :setrlimit, :setsid
)
refuse.call(Process::Status.singleton_class, :wait)
[Process::UID, Process::GID].each do |ids|
  refuse.call(ids.singleton_class, :change_privilege, :grant_privilege, :eid=, :re_exchange, :switch)
end
refuse.call(
  Process::Sys.singleton_class,
  :setuid, :setgid, :setruid, :setrgid, :seteuid, :setegid, :setreuid, :setregid, :setresuid, :setresgid
)

refuse.call(Signal.singleton_class, :trap)
refuse.call(IO.singleton_class, :popen)
refuse.call(Dir.singleton_class, :chdir, :fchdir, :chroot)
refuse.call(Dir, :chdir)

umask = File.method(:umask)
File.define_singleton_method(:umask) do |*mask|
  raise SecurityError, "umask reaches the host's process" unless mask.empty?
  umask.call
end

refuse.call(
  ENV.singleton_class,
  :[]=, :store, :clear, :delete, :delete_if, :filter!, :keep_if, :merge!, :reject!, :replace, :select!, :shift, :update
)
nil
