# Addrinfo: connecting, binding, listening, related addresses, Marshal.

class Addrinfo
  def self.foreach(nodename, service, family = nil, socktype = nil, protocol = nil, flags = nil, timeout: nil, &block)
    getaddrinfo(nodename, service, family, socktype, protocol, flags, timeout: timeout).each(&block)
  end

  def family_addrinfo(*args)
    if args.empty?
      raise ArgumentError, "no address specified"
    elsif Addrinfo === args[0]
      raise ArgumentError, "too many arguments" if args.size != 1
      raise ArgumentError, "Addrinfo type mismatch" if pfamily != args[0].pfamily || socktype != args[0].socktype
      args[0]
    elsif ip?
      raise ArgumentError, "IP address needs host and port but #{args.size} arguments given" if args.size != 2
      Addrinfo.getaddrinfo(args[0], args[1], pfamily, socktype, protocol)[0]
    elsif unix?
      raise ArgumentError, "UNIX socket needs single path argument but #{args.size} arguments given" if args.size != 1
      Addrinfo.unix(args[0])
    else
      raise ArgumentError, "unexpected family"
    end
  end

  def connect(timeout: nil, &block) = connect_internal(nil, timeout, &block)
  def connect_from(*args, timeout: nil, &block) = connect_internal(family_addrinfo(*args), timeout, &block)
  def connect_to(*args, timeout: nil, &block) = family_addrinfo(*args).connect_internal(self, timeout, &block)

  def bind(&block)
    Addrinfo.__opened(Socket.new(pfamily, socktype, protocol), block) do |socket|
      socket.ipv6only! if ipv6?
      socket.setsockopt(:SOCKET, :REUSEADDR, 1)
      socket.bind(self)
    end
  end

  def listen(backlog = Socket::SOMAXCONN, &block)
    Addrinfo.__opened(Socket.new(pfamily, socktype, protocol), block) do |socket|
      socket.ipv6only! if ipv6?
      socket.setsockopt(:SOCKET, :REUSEADDR, 1) unless unix?
      socket.bind(self)
      socket.listen(backlog)
    end
  end

  # The socket after its preparation, or what the block makes of it; closed when either fails.
  def self.__opened(socket, block)
    ready = false
    yield socket
    ready = true
    return socket unless block
    begin
      block.call(socket)
    ensure
      socket.close
    end
  ensure
    socket.close unless ready
  end
  private_class_method :__opened
  singleton_class.send(:public, :__opened)

  def marshal_dump
    address = unix? ? ["AF_UNIX", unix_path] : ip? ? __marshal_ip : to_sockaddr
    family = Primitive.socket_option_family_name(self, pfamily)
    raise SocketError, "unknown protocol family: #{pfamily}" unless family
    type =
      if socktype == 0
        0
      else
        Primitive.socket_option_socktype_name(self, socktype) || raise(SocketError, "unknown socktype: #{socktype}")
      end
    level =
      if protocol == 0
        0
      else
        ip? ? "IPPROTO_#{Primitive.socket_option_level_name(self, Socket::AF_INET, protocol)}" : protocol
      end
    [
      "AF_#{Primitive.socket_option_family_name(self, afamily)}", Array === address ? address[1] : address,
      "PF_#{family}", type, level, canonname, Primitive.addrinfo_inspect_name(self)
    ]
  end

  def marshal_load(parts)
    family, address, pfamily, socktype, protocol, canonname, name = parts
    packed =
      case family
      when "AF_UNIX" then Socket.sockaddr_un(address)
      when "AF_INET", "AF_INET6" then Socket.sockaddr_in(address[1], address[0])
      else address
      end
    number = ->(value) { String === value ? Socket.const_get(value) : value }
    Primitive.addrinfo_restore(self, packed, number[pfamily], number[socktype], number[protocol], canonname, name)
  end

  protected

  def connect_internal(local_addrinfo, timeout = nil, &block)
    Addrinfo.__opened(Socket.new(pfamily, socktype, protocol), block) do |socket|
      socket.ipv6only! if ipv6?
      socket.bind(local_addrinfo) if local_addrinfo
      if !timeout
        socket.connect(self)
      elsif socket.connect_nonblock(self, exception: false) == :wait_writable
        unless socket.wait_writable(timeout)
          raise Errno::ETIMEDOUT, "user specified timeout for #{ip? ? "#{ip_address}:#{ip_port}" : inspect_sockaddr}"
        end
        socket.connect_nonblock(self, exception: false)
      end
    end
  end

  private

  def __marshal_ip
    [nil, getnameinfo(Socket::NI_NUMERICHOST | Socket::NI_NUMERICSERV)]
  end
end
