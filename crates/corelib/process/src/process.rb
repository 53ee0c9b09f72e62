module Process
  Tms = Struct.new(:utime, :stime, :cutime, :cstime)

  def self.times
    utime, stime, cutime, cstime = Primitive.process_times(self)
    Tms.new(utime, stime, cutime, cstime)
  end

  # The thread that waits for a child (`Process.detach`).
  class Waiter < Thread
    def pid = self[:pid]
  end

  def self.detach(pid)
    pid = Primitive.process_pid_arg(pid)
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
    count = Primitive.process_pid_arg(count)
    raise ArgumentError, "maxgroups #{count} should be positive" if count <= 0
    @__maxgroups = count > GROUPS_LIMIT ? GROUPS_LIMIT : count
  end

  # Whoever includes the module calls them without a receiver.
  private def times = Process.times
  private def detach(pid) = Process.detach(pid)
  private def maxgroups = Process.maxgroups
  private def maxgroups=(count)
    Process.maxgroups = count
  end

  # What UID and GID have in common, by their own `__id` (the number of a name), `__ids` and `__set` (real, effective
  # and saved id; -1 leaves one as it is).
  module Privileges
    def from_name(name) = __id(name.to_str)
    def re_exchangeable? = true
    def sid_available? = true

    def change_privilege(name)
      id = __id(name)
      __set(id, id, id)
      id
    end

    def grant_privilege(name)
      id = __id(name)
      __set(-1, id, -1)
      id
    end

    def re_exchange
      real, effective = __ids
      __set(effective, real, real)
      real
    end

    def switch
      real, effective, saved = __ids
      raise Errno::EPERM if real == effective && effective == saved
      back, result = real == effective ? [effective, real] : [saved, effective]
      __set(-1, real == effective ? saved : real, -1)
      return result unless defined?(yield)
      begin
        yield
      ensure
        __set(-1, back, -1)
      end
    end

    def self.give_to(target)
      instance_methods(false).each { |name| target.define_method(name, instance_method(name)) }
      target.__send__(:module_function, *instance_methods(false))
      target.singleton_class.alias_method(:eid=, :grant_privilege)
    end
  end
  private_constant :Privileges

  module UID
    module_function

    def rid = Process.uid
    def eid = Process.euid
    def __id(name) = Primitive.process_user_id(self, name)
    def __ids = Primitive.process_ids(self)[0]
    def __set(real, effective, saved) = Sys.setresuid(real, effective, saved)
    Privileges.give_to(self)
  end

  module GID
    module_function

    def rid = Process.gid
    def eid = Process.egid
    def __id(name) = Primitive.process_group_id(self, name)
    def __ids = Primitive.process_ids(self)[1]
    def __set(real, effective, saved) = Sys.setresgid(real, effective, saved)
    Privileges.give_to(self)
  end

  module Sys
    module_function

    def getuid = Process.uid
    def geteuid = Process.euid
    def getgid = Process.gid
    def getegid = Process.egid
  end
end
