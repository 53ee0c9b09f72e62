# openssl without OpenSSL: what can be made of message digests.
require "digest"
require "digest/sha2"
require "securerandom"

module OpenSSL
  VERSION = "4.0.0"

  class OpenSSLError < StandardError; end
  class HMACError < OpenSSLError; end

  # A digest by name; a Digest::Class like those of `digest`.
  class Digest < ::Digest::Class
    class DigestError < OpenSSLError; end

    ALGORITHMS = { "MD5" => "MD5", "SHA1" => "SHA1", "SHA256" => "SHA256", "SHA384" => "SHA384", "SHA512" => "SHA512", "RIPEMD160" => "RMD160" }.freeze
    private_constant :ALGORITHMS

    attr_reader :name

    def self.digest(name, data) = new(name, data).digest
    def self.hexdigest(name, data) = new(name, data).hexdigest
    def self.base64digest(name, data) = new(name, data).base64digest

    def initialize(name, data = nil)
      name = name.name if Digest === name
      raise TypeError, "wrong argument type #{name.class} (expected OpenSSL/Digest)" unless String === name
      @name = name.upcase.delete("-")
      algorithm = ALGORITHMS[@name] or raise RuntimeError, "Unsupported digest algorithm (#{name}).: unknown object name"
      @state = ::Digest.const_get(algorithm).new
      update(data) if data
    end

    def initialize_copy(other)
      @state = @state.dup
    end

    def update(data)
      @state.update(data)
      self
    end
    alias << update

    def reset
      @state.reset
      self
    end

    def digest_length = @state.digest_length
    def block_length = @state.block_length

    ALGORITHMS.each_key do |algorithm|
      const_set(algorithm, Class.new(self) do
        define_method(:initialize) { |data = nil| super(algorithm, data) }
        define_singleton_method(:digest) { |data| new(data).digest }
        define_singleton_method(:hexdigest) { |data| new(data).hexdigest }
        define_singleton_method(:base64digest) { |data| new(data).base64digest }
      end)
    end

    private

    def finish = @state.digest
  end

  def self.Digest(name) = Digest.const_get(name)

  # RFC 2104.
  class HMAC
    include Comparable

    def self.digest(digest, key, data) = (new(key, digest) << data).digest
    def self.hexdigest(digest, key, data) = (new(key, digest) << data).hexdigest
    def self.base64digest(digest, key, data) = (new(key, digest) << data).base64digest

    def initialize(key, digest)
      @inner = Digest.new(digest)
      @outer = Digest.new(digest)
      block = @inner.block_length
      key = key.to_str.b
      key = Digest.digest(digest, key) if key.bytesize > block
      bytes = key.ljust(block, "\0".b).bytes
      @inner_pad = bytes.map { it ^ 0x36 }.pack("C*")
      @outer_pad = bytes.map { it ^ 0x5c }.pack("C*")
      reset
    end

    def initialize_copy(other)
      @inner = @inner.dup
      @outer = @outer.dup
    end

    def update(data)
      @inner.update(data)
      self
    end
    alias << update

    def digest = @outer.reset.update(@outer_pad).update(@inner.digest).digest
    def hexdigest = digest.unpack1("H*")
    def base64digest = [digest].pack("m0")
    alias to_s hexdigest
    alias inspect hexdigest

    def reset
      @inner.reset.update(@inner_pad)
      self
    end

    def ==(other)
      HMAC === other && OpenSSL.secure_compare(digest, other.digest)
    end
  end

  module KDF
    class KDFError < OpenSSLError; end

    # RFC 8018, section 5.2.
    def self.pbkdf2_hmac(pass, salt:, iterations:, length:, hash:)
      mac = HMAC.new(pass, hash)
      size = mac.digest.bytesize
      blocks = (1..length.ceildiv(size)).map do |index|
        round = mac.reset.update(salt).update([index].pack("N")).digest
        sum = round.unpack("C*")
        (iterations - 1).times do
          round = mac.reset.update(round).digest
          round.each_byte.with_index { |byte, at| sum[at] ^= byte }
        end
        sum.pack("C*")
      end
      blocks.join.byteslice(0, length)
    end

    # RFC 5869.
    def self.hkdf(ikm, salt:, info:, length:, hash:)
      key = HMAC.digest(hash, salt, ikm)
      raise KDFError, "EVP_PKEY_derive: invalid length" if length > 255 * key.bytesize
      out = "".b
      last = "".b
      index = 0
      out << (last = HMAC.digest(hash, key, last + info.b + [index += 1].pack("C"))) while out.bytesize < length
      out.byteslice(0, length)
    end
  end

  module PKCS5
    def self.pbkdf2_hmac(pass, salt, iterations, length, digest)
      KDF.pbkdf2_hmac(pass, salt: salt, iterations: iterations, length: length, hash: digest)
    end

    def self.pbkdf2_hmac_sha1(pass, salt, iterations, length) = pbkdf2_hmac(pass, salt, iterations, length, "SHA1")
  end

  module Random
    def self.random_bytes(length) = SecureRandom.random_bytes(length)
    def self.bytes(length) = SecureRandom.random_bytes(length)
  end

  # Looks at every byte, whatever it has found.
  def self.fixed_length_secure_compare(a, b)
    a, b = [a, b].map { |text| String.try_convert(text) or raise TypeError, "no implicit conversion of #{text.nil? ? "nil" : text.class} into String" }
    raise ArgumentError, "inputs must be of equal length" if a.bytesize != b.bytesize
    difference = 0
    a.each_byte.zip(b.each_byte) { |x, y| difference |= x ^ y }
    difference == 0
  end

  def self.secure_compare(a, b)
    fixed_length_secure_compare(Digest.digest("SHA256", a), Digest.digest("SHA256", b)) && a == b
  end
end
