# Socket::AncillaryData: a control message. Socket::UDPSource: where a datagram came from.

class Socket::AncillaryData
  attr_reader :family, :level, :type, :data

  def self.int(family, level, type, value) = new(family, level, type, [value].pack("i"))

  def self.unix_rights(*ios)
    numbers = ios.map { Primitive.socket_option_descriptor(self, it) }
    message = new(:UNIX, :SOCKET, :RIGHTS, numbers.pack("i*"))
    message.__send__(:__rights=, ios)
    message
  end

  def self.ip_pktinfo(addr, ifindex, spec_dst = nil)
    spec_dst ||= addr
    pair = [["addr", addr], ["spec_dst", spec_dst]].map do |name, given|
      packed = Addrinfo === given ? given.to_sockaddr : given.to_str
      raise ArgumentError, "#{name} size different to AF_INET sockaddr" if packed.bytesize != 16
      raise ArgumentError, "#{name} is not AF_INET sockaddr" if packed.unpack1("S") != Socket::AF_INET
      packed.byteslice(4, 4)
    end
    new(:INET, :IP, :PKTINFO, [ifindex].pack("i") + pair[1] + pair[0])
  end

  def self.ipv6_pktinfo(addr, ifindex)
    packed = Addrinfo === addr ? addr.to_sockaddr : addr.to_str
    raise ArgumentError, "addr size different to AF_INET6 sockaddr" if packed.bytesize != 28
    raise ArgumentError, "addr is not AF_INET6 sockaddr" if packed.unpack1("S") != Socket::AF_INET6
    new(:INET6, :IPV6, :PKTINFO, packed.byteslice(8, 16) + [ifindex].pack("I"))
  end

  def initialize(family, level, type, data)
    @family = Primitive.socket_option_family(self, family)
    @level = Primitive.socket_option_level(self, @family, level)
    @type = Primitive.socket_option_message(self, @family, @level, type)
    unless data.respond_to?(:to_str)
      raise TypeError, "no implicit conversion of #{data.nil? ? "nil" : data.class} into String"
    end
    @data = data.to_str
  end

  def int
    raise TypeError, "size differ.  expected as sizeof(int)=4 but #{@data.bytesize}" if @data.bytesize != 4
    @data.unpack1("i")
  end

  def cmsg_is?(level, type)
    level = Primitive.socket_option_level(self, @family, level)
    type = Primitive.socket_option_message(self, @family, level, type)
    level == @level && type == @type
  end

  def unix_rights
    unless @level == Socket::SOL_SOCKET && @type == Socket::SCM_RIGHTS
      raise TypeError, "SCM_RIGHTS ancillary data expected"
    end
    @unix_rights
  end

  def timestamp
    if @level == Socket::SOL_SOCKET && @data.bytesize == 16
      seconds, part = @data.unpack("qq")
      return Time.at(seconds, part, :usec) if @type == Socket::SCM_TIMESTAMP
      return Time.at(seconds, part, :nsec) if @type == Socket::SCM_TIMESTAMPNS
    end
    raise TypeError, "timestamp ancillary data expected"
  end

  def ip_pktinfo
    unless @level == Socket::IPPROTO_IP && @type == Socket::IP_PKTINFO && @data.bytesize == 12
      raise TypeError, "IP_PKTINFO ancillary data expected"
    end
    address, destination = [8, 4].map do
      Addrinfo.new([Socket::AF_INET, 0, @data.byteslice(it, 4)].pack("Sna4x8"), Socket::PF_INET, 0, 0)
    end
    [address, @data.unpack1("i"), destination]
  end

  def ipv6_pktinfo
    unless @level == Socket::IPPROTO_IPV6 && @type == Socket::IPV6_PKTINFO && @data.bytesize == 20
      raise TypeError, "IPV6_PKTINFO ancillary data expected"
    end
    index = @data.unpack1("@16I")
    address = [Socket::AF_INET6, 0, 0, @data.byteslice(0, 16), __scope(index)].pack("SnNa16L")
    [Addrinfo.new(address, Socket::PF_INET6, 0, 0), index]
  end

  def ipv6_pktinfo_addr = ipv6_pktinfo[0]
  def ipv6_pktinfo_ifindex = ipv6_pktinfo[1]

  def inspect
    text = "#<#{self.class}: #{Primitive.socket_option_family_name(self, @family) || "family:#{@family}"}"
    text << " " << (Primitive.socket_option_level_name(self, @family, @level) || "cmsg_level:#{@level}")
    text << " " << (Primitive.socket_option_message_name(self, @family, @level, @type) || "cmsg_type:#{@type}")
    text << " " << (__describe || @data.dump) << ">"
  end

  private

  def __rights=(ios)
    @unix_rights = ios
  end

  # Only link-local addresses need to know their interface.
  def __scope(index) = @data.unpack1("n") & 0xffc0 == 0xfe80 ? index : 0

  def __describe
    size = @data.bytesize
    if @level == Socket::SOL_SOCKET
      case @type
      when Socket::SCM_RIGHTS
        @data.unpack("i*").join(" ") if size % 4 == 0 && size > 0
      when Socket::SCM_CREDENTIALS
        format("pid=%d uid=%d gid=%d (ucred)", *@data.unpack("III")) if size == 12
      when Socket::SCM_TIMESTAMP, Socket::SCM_TIMESTAMPNS
        if size == 16
          digits = @type == Socket::SCM_TIMESTAMP ? 6 : 9
          timestamp.strftime("%Y-%m-%d %H:%M:%S.%#{digits}N")
        end
      end
    elsif @level == Socket::IPPROTO_IP && @type == Socket::IP_PKTINFO && size == 12
      address, index, destination = ip_pktinfo
      "#{address.ip_address} #{Primitive.socket_option_interface(self, index) || "ifindex:#{index}"} " \
      "spec_dst:#{destination.ip_address}"
    elsif @level == Socket::IPPROTO_IPV6 && @type == Socket::IPV6_PKTINFO && size == 20
      address, index = ipv6_pktinfo
      "#{address.ip_address} #{Primitive.socket_option_interface(self, index) || "ifindex:#{index}"}"
    end
  end
end

class Socket::UDPSource
  attr_reader :remote_address, :local_address

  def initialize(remote_address, local_address, &reply_proc)
    @remote_address = remote_address
    @local_address = local_address
    @reply_proc = reply_proc
  end

  def inspect
    text = "\#<#{self.class}: #{@remote_address.inspect_sockaddr} to #{@local_address.inspect_sockaddr}"
    text << ">"
  end

  def reply(msg)
    @reply_proc.call msg
  end
end
