# Socket::Option: the value of a socket option, and what its bytes mean.

class Socket::Option
  attr_reader :family, :level, :optname, :data
  alias to_s data

  def self.int(family, level, optname, value) = new(family, level, optname, [value].pack("i"))
  def self.bool(family, level, optname, value) = new(family, level, optname, [value ? 1 : 0].pack("i"))
  def self.byte(family, level, optname, value) = new(family, level, optname, [value].pack("C"))

  def self.linger(onoff, secs)
    on = onoff.is_a?(Integer) ? onoff : (onoff ? 1 : 0)
    new(:UNSPEC, :SOCKET, :LINGER, [on, secs].pack("ii"))
  end

  def self.ipv4_multicast_ttl(value) = new(:INET, :IP, :MULTICAST_TTL, [value].pack("i"))
  def self.ipv4_multicast_loop(value) = new(:INET, :IP, :MULTICAST_LOOP, [value].pack("i"))

  def initialize(family, level, optname, data)
    @family = Primitive.socket_option_family(self, family)
    @level = Primitive.socket_option_level(self, @family, level)
    @optname = Primitive.socket_option_option(self, @family, @level, optname)
    unless data.respond_to?(:to_str)
      raise TypeError, "no implicit conversion of #{data.nil? ? "nil" : data.class} into String"
    end
    @data = data.to_str
  end

  def int
    __check_size(@data.bytesize, 4, "sizeof(int)")
    @data.unpack1("i")
  end

  def byte
    __check_size(@data.bytesize, 1, "sizeof(char)")
    @data.unpack1("C")
  end

  def bool
    unless @data.bytesize == 4 || @data.bytesize == 1
      raise TypeError, "size differ.  expected as sizeof(int)=4 but #{@data.bytesize}"
    end
    @data.bytesize == 1 ? @data.getbyte(0) != 0 : @data.unpack1("i") != 0
  end

  def linger
    unless @level == Socket::SOL_SOCKET && @optname == Socket::SO_LINGER
      raise TypeError, "linger socket option expected"
    end
    __check_size(@data.bytesize, 8, "sizeof(struct linger)")
    on, seconds = @data.unpack("ii")
    [on == 0 ? false : on == 1 ? true : on, seconds]
  end

  def ipv4_multicast_ttl
    return int if @family == Socket::AF_INET && @level == Socket::IPPROTO_IP && @optname == Socket::IP_MULTICAST_TTL
    raise TypeError, "ipv4_multicast_ttl socket option expected"
  end

  def ipv4_multicast_loop
    return int if @family == Socket::AF_INET && @level == Socket::IPPROTO_IP && @optname == Socket::IP_MULTICAST_LOOP
    raise TypeError, "ipv4_multicast_loop socket option expected"
  end

  def unpack(template) = @data.unpack(template)

  def inspect
    text = "#<#{self.class}: #{Primitive.socket_option_family_name(self, @family) || "family:#{@family}"}"
    text << " " << (Primitive.socket_option_level_name(self, @family, @level) || "level:#{@level}")
    text << " " << (Primitive.socket_option_option_name(self, @family, @level, @optname) || "optname:#{@optname}")
    text << " " << (__describe || @data.dump) << ">"
  end

  private

  def __check_size(size, wanted, what)
    raise TypeError, "size differ.  expected as #{what}=#{wanted} but #{size}" if size != wanted
  end

  NUMBERS = %i[SO_DEBUG SO_ACCEPTCONN SO_BROADCAST SO_REUSEADDR SO_KEEPALIVE SO_OOBINLINE SO_SNDBUF SO_RCVBUF
               SO_DONTROUTE SO_RCVLOWAT SO_SNDLOWAT]
    .to_h { [Socket.const_get(it), true] }
  private_constant :NUMBERS

  # What the bytes say, nil when they do not fit the option.
  def __describe
    case @level
    when Socket::SOL_SOCKET then __describe_socket
    when Socket::IPPROTO_IP then __describe_ip if @family == Socket::AF_INET || @family == Socket::AF_INET6
    when Socket::IPPROTO_IPV6 then __describe_ipv6 if @family == Socket::AF_INET || @family == Socket::AF_INET6
    when Socket::IPPROTO_TCP
      __describe_int if @optname == Socket::TCP_NODELAY && (@family == Socket::AF_INET || @family == Socket::AF_INET6)
    end
  end

  def __describe_int = @data.bytesize == 4 ? @data.unpack1("i").to_s : nil

  def __describe_socket
    size = @data.bytesize
    case @optname
    when Socket::SO_ERROR
      "#{Primitive.socket_option_error_text(self, @data.unpack1("i"))} (#{@data.unpack1("i")})" if size == 4
    when Socket::SO_TYPE
      Primitive.socket_option_socktype_name(self, @data.unpack1("i")) || @data.unpack1("i").to_s if size == 4
    when Socket::SO_LINGER
      if size == 8
        on, seconds = @data.unpack("ii")
        "#{on == 0 ? "off" : on == 1 ? "on" : "on(#{on})"} #{seconds}sec"
      end
    when Socket::SO_RCVTIMEO, Socket::SO_SNDTIMEO
      format("%d.%06dsec", *@data.unpack("qq")) if size == 16
    when Socket::SO_PEERCRED
      format("pid=%d euid=%d egid=%d (ucred)", *@data.unpack("III")) if size == 12
    else
      __describe_int if NUMBERS[@optname]
    end
  end

  def __describe_ip
    case @optname
    when Socket::IP_MULTICAST_TTL, Socket::IP_MULTICAST_LOOP
      __describe_int
    when Socket::IP_MULTICAST_IF
      @data.bytesize == 4 ? @data.bytes.join(".") : __describe_membership
    when Socket::IP_ADD_MEMBERSHIP, Socket::IP_DROP_MEMBERSHIP
      __describe_membership
    end
  end

  # struct ip_mreq or ip_mreqn
  def __describe_membership
    return unless @data.bytesize == 8 || @data.bytesize == 12
    text = @data.byteslice(0, 8).bytes.each_slice(4).map { it.join(".") }.join(" ")
    return text if @data.bytesize == 8
    index = @data.unpack1("@8i")
    "#{text} #{Primitive.socket_option_interface(self, index) || "ifindex:#{index}"}"
  end

  def __describe_ipv6
    case @optname
    when Socket::IPV6_MULTICAST_HOPS, Socket::IPV6_MULTICAST_LOOP, Socket::IPV6_UNICAST_HOPS, Socket::IPV6_V6ONLY
      __describe_int
    when Socket::IPV6_MULTICAST_IF
      index = @data.bytesize == 4 ? @data.unpack1("I") : return
      Primitive.socket_option_interface(self, index) || index.to_s
    when Socket::IPV6_JOIN_GROUP, Socket::IPV6_LEAVE_GROUP
      return unless @data.bytesize == 20
      index = @data.unpack1("@16I")
      address = Addrinfo.new([Socket::AF_INET6, 0, 0, @data.byteslice(0, 16), 0].pack("SnNa16L")).ip_address
      "#{address} #{Primitive.socket_option_interface(self, index) || "interface:#{index}"}"
    end
  end
end
