class Monitor
  alias mon_enter enter
  alias mon_try_enter try_enter
  alias try_mon_enter try_enter
  alias mon_exit exit

  def synchronize
    Primitive.monitor_enter(self)
    begin
      yield
    ensure
      Primitive.monitor_exit(self)
    end
  end
  alias mon_synchronize synchronize

  def new_cond
    MonitorMixin::ConditionVariable.new(self)
  end
end
