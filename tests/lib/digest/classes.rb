# Digest functions, their classes and objects.
require "digest"
require "digest/bubblebabble"
require "timeout"
Digest::MD5.hexdigest("abc") # => "900150983cd24fb0d6963f7d28e17f72"
Digest::SHA1.hexdigest("abc") # => "a9993e364706816aba3e25717850c26c9cd0d89d"
Digest::SHA256.digest("abc").bytesize # => 32
Digest::SHA384.hexdigest("")[0, 16] # => "38b060a751ac9638"
Digest::SHA512.new.block_length # => 128
Digest::RMD160.base64digest("abc") # => "jrII9+BdmHqbBEqOmMawh/FaC/w="
Digest::MD5.bubblebabble("abc") # => "xogab-cegen-muzot-dofar-buhin-kozil-typev-cozal-dyxox"
Digest.bubblebabble("") # => "xexax"
Digest::SHA2.new(384).inspect[0, 24] # => "#<Digest::SHA2:384 38b06"
Digest::SHA2.new(1) # raises ArgumentError: unsupported bit length: 1
Digest(:SHA384).name # => "Digest::SHA384"
Digest::MD5.file(__FILE__).hexdigest == Digest::MD5.hexdigest(File.binread(__FILE__)) # => true
Digest::Nothing # raises LoadError: library not found for class Digest::Nothing -- digest/nothing
Digest::Base.new # raises NotImplementedError: Digest::Base is an abstract class
Class.new(Digest::Base).new # raises RuntimeError: Digest::Base cannot be directly inherited in Ruby
Digest::MD5.digest # raises ArgumentError: no data given

digest = Digest::MD5.new
digest << "a"
copy = digest.dup << "b"
digest.hexdigest # => "0cc175b9c0f1b6a831c399e269772661"
copy.hexdigest # => "187ef4436122d1cc2f40dc2b92f0eba0"
digest == "0cc175b9c0f1b6a831c399e269772661" # => true
digest == copy # => false
digest.new.inspect # => "#<Digest::MD5: d41d8cd98f00b204e9800998ecf8427e>"
digest.hexdigest! # => "0cc175b9c0f1b6a831c399e269772661"
digest.to_s # => "d41d8cd98f00b204e9800998ecf8427e"
digest.send(:initialize_copy, Digest::SHA1.new) # raises TypeError: different algorithms

class Backwards < Digest::Class
  def update(string)
    @text = (@text || "") + string
    self
  end

  def reset
    @text = ""
    self
  end

  def finish = @text.reverse
  private :finish
end
Backwards.digest("abc") # => "cba"
Backwards.hexdigest("abc") # => "636261"
Backwards.new.update("xy").length # => 2
Backwards.new.block_length # raises RuntimeError: Backwards does not implement block_length()

class Shouting < Digest::MD5
  def update(string) = super(string.upcase)
end
Shouting.hexdigest("abc") == Digest::MD5.hexdigest("ABC") # => true

# A long digest ends when somebody interrupts it, and has then taken nothing in.
long = "x" * (64 << 20)
digest = Digest::SHA512.new << "a"
(Timeout.timeout(0.05) { loop { Digest::SHA512.new.update(long) } }) # raises Timeout::Error: execution expired
worker = Thread.new { digest.update(long * 4) }
sleep 0.02
worker.kill.join
digest.hexdigest == Digest::SHA512.hexdigest("a") # => true
