# Digests: files, base 64, classes that are loaded when they are named.
module Digest
  REQUIRE_MUTEX = Thread::Mutex.new

  def self.const_missing(name)
    library = name == :SHA2 ? "digest/sha2" : File.join("digest", name.to_s.downcase)
    begin
      require library
    rescue LoadError
      raise LoadError, "library not found for class Digest::#{name} -- #{library}", caller(1)
    end
    raise NameError, "uninitialized constant Digest::#{name}", caller(1) unless const_defined?(name)
    const_get(name)
  end

  class Class
    def self.file(name, *args) = new(*args).file(name)

    def self.base64digest(string, *args) = [digest(string, *args)].pack("m0")
  end

  module Instance
    def file(name)
      File.open(name, "rb") do |file|
        buffer = +""
        update(buffer) while file.read(262_144, buffer)
      end
      self
    end

    def base64digest(string = nil) = [string ? digest(string) : digest].pack("m0")

    def base64digest! = [digest!].pack("m0")
  end
end

class Object
  private

  def Digest(name)
    const = name.to_sym
    return Digest.const_get(const) if Digest.const_defined?(const)
    Digest::REQUIRE_MUTEX.synchronize { Digest.const_missing(const) }
  end
end
