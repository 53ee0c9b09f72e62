# The methods of the core and of the native libraries, found by reflection: whose calls `hostile` and `stalls` make up.

module Hostile
  LIBRARIES = %w[stringio strscan zlib digest json socket date bigdecimal etc io/console io/wait io/nonblock pstore
                 psych monitor objspace set securerandom tempfile coverage fiddle pathname openssl ripper erb/escape
                 cgi/escape rbconfig fcntl pty continuation digest/sha2 rdiscount timeout weakref delegate].freeze

  # What would reach outside the process or end it, and what replaces the harness's own ground.
  LEFT_OUT = %w[exit! exec fork spawn system ` kill daemon abort setrlimit setproctitle setsid setpgid setpgrp
                setpriority chroot popen popen2 popen3 syscall trap mlockall chown lchown chmod lchmod reboot detach
                initgroups setuid setgid setreuid setregid setresuid setresgid seteuid setegid uid= gid= euid= egid=
                groups= maxgroups= change_privilege grant_privilege re_exchange exit_now rm rm_rf rm_r remove_entry
                start_debug set_trace_func irb binding.irb exit exit at_exit warmup test_segv open_server crash
                pipeline pipeline_r pipeline_rw pipeline_w pipeline_start capture2 capture2e capture3 schedule schedule=
                wait wait2 waitpid waitpid2 waitall getpwent console winsize= console_mode= raw! cooked! beep
                exec_internal fatal_error require require_relative load autoload tcp_server_sockets udp_server_sockets
                udp_server_loop tcp_server_loop unix_server_loop srand chdir fchdir umask].freeze

  # Modules whose methods would undo the harness.
  MODULES_LEFT_OUT = /\A(?:Hostile|Gem|Bundler|RubyVM|RbConfig|Process::(?:UID|GID|Sys)|ErrorHighlight|DidYouMean|
                          SyntaxSuggest|Open3|PTY|FileUtils|Etc::Passwd)/x

  Target = ::Struct.new(:owner, :name, :singleton)

  def self.targets(only)
    modules = ObjectSpace.each_object(Module).filter_map do |m|
      name = m.name and name !~ MODULES_LEFT_OUT && (Object.const_get(name).equal?(m) rescue false) && [name, m]
    end
    modules.sort_by!(&:first)
    list = []
    modules.uniq(&:first).each do |name, m|
      (m.instance_methods(false) + m.private_instance_methods(false)).sort.each do |method|
        list << Target.new(name, method, false)
      end
      single = m.singleton_class
      (single.instance_methods(false) + single.private_instance_methods(false)).sort.each do |method|
        list << Target.new(name, method, true)
      end
    end
    list.reject! do |target|
      LEFT_OUT.include?(target.name.to_s) || target.owner == "Process" && target.name.to_s.start_with?("set") ||
        target.owner == "Exception" && target.name == :exit
    end
    unless only.empty?
      list.select! { |target| "#{target.owner}#{target.singleton ? '.' : '#'}#{target.name}".include?(only) }
    end
    list
  end
end
