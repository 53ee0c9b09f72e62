module Etc
  Passwd = Struct.new(:name, :passwd, :uid, :gid, :gecos, :dir, :shell)
  Group = Struct.new(:name, :passwd, :gid, :mem)

  module_function

  def getpwuid(uid = Process.uid)
    entry = __getpw(Integer(uid)) or raise ArgumentError, "can't find user for #{uid}"
    Passwd.new(*entry)
  end

  def getpwnam(name)
    entry = __getpw(name.to_str) or raise ArgumentError, "can't find user for #{name}"
    Passwd.new(*entry)
  end

  def getgrgid(gid = Process.gid)
    entry = __getgr(Integer(gid)) or raise ArgumentError, "can't find group for #{gid}"
    Group.new(*entry)
  end

  def getgrnam(name)
    entry = __getgr(name.to_str) or raise ArgumentError, "can't find group for #{name}"
    Group.new(*entry)
  end
end
