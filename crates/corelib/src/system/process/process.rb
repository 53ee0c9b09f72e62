module Process
  Tms = Struct.new(:utime, :stime, :cutime, :cstime)

  def self.times
    utime, stime, cutime, cstime = __times
    Tms.new(utime, stime, cutime, cstime)
  end

  def self.detach(pid)
    pid = __pid_arg(pid)
    thread = Thread.new do
      begin
        Process.wait(pid)
        Process.last_status
      rescue Errno::ECHILD
        nil
      end
    end
    thread[:pid] = pid
    thread.define_singleton_method(:pid) { pid }
    thread
  end

  module UID
    module_function

    def rid = Process.uid
    def eid = Process.euid
    def re_exchangeable? = true
    def sid_available? = true
  end

  module GID
    module_function

    def rid = Process.gid
    def eid = Process.egid
    def re_exchangeable? = true
    def sid_available? = true
  end

  module Sys
    module_function

    def getuid = Process.uid
    def geteuid = Process.euid
    def getgid = Process.gid
    def getegid = Process.egid
    def issetugid = false
  end
end
