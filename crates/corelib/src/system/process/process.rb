module Process
  Tms = Struct.new(:utime, :stime, :cutime, :cstime)

  def self.times
    utime, stime, cutime, cstime = __times
    Tms.new(utime, stime, cutime, cstime)
  end

  # The thread that waits for a child (`Process.detach`).
  class Waiter < Thread
    def pid = self[:pid]
  end

  def self.detach(pid)
    pid = __pid_arg(pid)
    thread = Waiter.new do
      begin
        Process.wait(pid)
        Process.last_status
      rescue Errno::ECHILD
        nil
      end
    end
    thread[:pid] = pid
    thread
  end

  # More groups than this the kernel does not keep.
  GROUPS_LIMIT = 65536
  private_constant :GROUPS_LIMIT

  def self.maxgroups = @__maxgroups || GROUPS_LIMIT

  def self.maxgroups=(count)
    count = __pid_arg(count)
    raise ArgumentError, "maxgroups #{count} should be positive" if count <= 0
    @__maxgroups = count > GROUPS_LIMIT ? GROUPS_LIMIT : count
  end

  module UID
    module_function

    def rid = Process.uid
    def eid = Process.euid
    def from_name(name) = Process.__user_id(name.to_str)
    def re_exchangeable? = true
    def sid_available? = true

    def change_privilege(user)
      id = Process.__user_id(user)
      Sys.setresuid(id, id, id)
      id
    end

    def grant_privilege(user)
      id = Process.__user_id(user)
      Sys.seteuid(id)
      id
    end

    def re_exchange
      real, effective = Process.__ids[0]
      Sys.setresuid(effective, real, real)
      real
    end

    def switch
      real, effective, saved = Process.__ids[0]
      raise Errno::EPERM if real == effective && effective == saved
      back, result = real == effective ? [effective, real] : [saved, effective]
      Sys.seteuid(real == effective ? saved : real)
      return result unless defined?(yield)
      begin
        yield
      ensure
        Sys.seteuid(back)
      end
    end

    singleton_class.alias_method :eid=, :grant_privilege
  end

  module GID
    module_function

    def rid = Process.gid
    def eid = Process.egid
    def from_name(name) = Process.__group_id(name.to_str)
    def re_exchangeable? = true
    def sid_available? = true

    def change_privilege(group)
      id = Process.__group_id(group)
      Sys.setresgid(id, id, id)
      id
    end

    def grant_privilege(group)
      id = Process.__group_id(group)
      Sys.setegid(id)
      id
    end

    def re_exchange
      real, effective = Process.__ids[1]
      Sys.setresgid(effective, real, real)
      real
    end

    def switch
      real, effective, saved = Process.__ids[1]
      raise Errno::EPERM if real == effective && effective == saved
      back, result = real == effective ? [effective, real] : [saved, effective]
      Sys.setegid(real == effective ? saved : real)
      return result unless defined?(yield)
      begin
        yield
      ensure
        Sys.setegid(back)
      end
    end

    singleton_class.alias_method :eid=, :grant_privilege
  end

  module Sys
    module_function

    def getuid = Process.uid
    def geteuid = Process.euid
    def getgid = Process.gid
    def getegid = Process.egid
  end
end
