# Etc: users and groups.

module Etc
  Passwd = Struct.new(:name, :passwd, :uid, :gid, :gecos, :dir, :shell)
  Group = Struct.new(:name, :passwd, :gid, :mem)

  class << Passwd
    include Enumerable

    def each(&block)
      return to_enum unless block
      Etc.__each(:passwd, block)
      self
    end
  end

  class << Group
    include Enumerable

    def each(&block)
      return to_enum unless block
      Etc.__each(:group, block)
      self
    end
  end

  @busy = {}

  # Every entry of a table, from its beginning: one walk at a time.
  def self.__each(table, block)
    raise RuntimeError, "parallel #{table} iteration" if @busy[table]
    short = table == :passwd ? "pw" : "gr"
    @busy[table] = true
    begin
      __send__("set#{short}ent")
      while entry = __send__("get#{short}ent")
        block.call(entry)
      end
    ensure
      __send__("end#{short}ent")
      @busy[table] = false
    end
  end

  module_function

  def getpwuid(uid = Process.uid)
    entry = Primitive.etc_getpw(self, __number(uid)) or raise ArgumentError, "can't find user for #{uid}"
    Passwd.new(*entry)
  end

  def getpwnam(name)
    entry = Primitive.etc_getpw(self, __name(name)) or raise ArgumentError, "can't find user for #{name}"
    Passwd.new(*entry)
  end

  def getgrgid(gid = Process.gid)
    entry = Primitive.etc_getgr(self, __number(gid)) or raise ArgumentError, "can't find group for #{gid}"
    Group.new(*entry)
  end

  def getgrnam(name)
    entry = Primitive.etc_getgr(self, __name(name)) or raise ArgumentError, "can't find group for #{name}"
    Group.new(*entry)
  end

  def getpwent
    entry = Primitive.etc_nextpw(self)
    entry && Passwd.new(*entry)
  end

  def getgrent
    entry = Primitive.etc_nextgr(self)
    entry && Group.new(*entry)
  end

  def passwd(&block)
    return getpwent unless block
    Etc.__each(:passwd, block)
    nil
  end

  def group(&block)
    return getgrent unless block
    Etc.__each(:group, block)
    nil
  end

  def __number(value)
    return value if Integer === value
    unless value.respond_to?(:to_int)
      raise TypeError, "no implicit conversion of #{value.nil? ? "nil" : value.class} into Integer"
    end
    value.to_int
  end

  def __name(value)
    return value if String === value
    unless value.respond_to?(:to_str)
      raise TypeError, "no implicit conversion of #{value.nil? ? "nil" : value.class} into String"
    end
    value.to_str
  end

  private_class_method :__number, :__name
end
