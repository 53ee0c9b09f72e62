# Socket: clients and servers in one call.

class Socket
  @tcp_fast_fallback = true

  class << self
    attr_accessor :tcp_fast_fallback
  end

  def self.tcp(host, port, local_host = nil, local_port = nil, connect_timeout: nil, resolv_timeout: nil,
               open_timeout: nil, fast_fallback: tcp_fast_fallback)
    if open_timeout && (connect_timeout || resolv_timeout)
      raise ArgumentError, "Cannot specify open_timeout along with connect_timeout or resolv_timeout"
    end
    socket = Primitive.socket_tcp(self, host, port, local_host, local_port, connect_timeout, resolv_timeout,
                                  open_timeout, fast_fallback)
    return socket unless block_given?
    begin
      yield socket
    ensure
      socket.close
    end
  end

  def self.unix(path)
    socket = Addrinfo.unix(path).connect
    return socket unless block_given?
    begin
      yield socket
    ensure
      socket.close
    end
  end

  def self.tcp_server_sockets(host = nil, port)
    sockets =
      if port == 0
        __sockets_on_one_port(__passive(host, :STREAM), &:listen)
      else
        __sockets(__passive(host, :STREAM, port), &:listen)
      end
    return sockets unless block_given?
    begin
      yield sockets
    ensure
      sockets.each(&:close)
    end
  end

  def self.accept_loop(*sockets)
    sockets.flatten!(1)
    raise ArgumentError, "no sockets" if sockets.empty?
    loop do
      IO.select(sockets)[0].each do |server|
        socket, address = server.accept_nonblock(exception: false)
        yield socket, address unless socket == :wait_readable
      end
    end
  end

  def self.tcp_server_loop(host = nil, port, &block)
    tcp_server_sockets(host, port) { |sockets| accept_loop(sockets, &block) }
  end

  def self.unix_server_socket(path)
    unless path.start_with?("\0")
      begin
        stat = File.lstat(path)
        File.unlink(path) if stat.socket? && stat.owned?
      rescue Errno::ENOENT
      end
    end
    socket = Addrinfo.unix(path).listen
    return socket unless block_given?
    begin
      yield socket
    ensure
      socket.close
      File.unlink(path) if !path.start_with?("\0") && File.exist?(path)
    end
  end

  def self.unix_server_loop(path, &block)
    unix_server_socket(path) { |socket| accept_loop(socket, &block) }
  end

  # An unspecified IPv4 address stands for each of this machine's, so that replies come from where the question went.
  def self.udp_server_sockets(host = nil, port)
    addresses = __passive(host, :DGRAM, port).flat_map do |info|
      next [info] unless info.ipv4? && info.ip_address == "0.0.0.0"
      ip_address_list.select(&:ipv4?).map { Addrinfo.udp(it.ip_address, port) }
    end.uniq(&:to_sockaddr)
    sockets = port == 0 ? __sockets_on_one_port(addresses, &:bind) : __sockets(addresses, &:bind)
    sockets.each do |socket|
      address = socket.local_address
      socket.setsockopt(:IPV6, :RECVPKTINFO, 1) if address.ipv6? && address.ip_address == "::"
    end
    return sockets unless block_given?
    begin
      yield sockets
    ensure
      sockets.each(&:close)
    end
  end

  def self.udp_server_recv(sockets)
    sockets.each do |socket|
      message, sender, _flags, *controls = socket.recvmsg_nonblock(exception: false)
      next if message == :wait_readable || message.nil?
      local = socket.local_address
      info = controls.find { it.cmsg_is?(:IPV6, :PKTINFO) } if local.ipv6?
      if info
        address, index = info.ipv6_pktinfo
        local = Addrinfo.udp(address.ip_address, local.ip_port)
        reply = [AncillaryData.ipv6_pktinfo(address, index)]
      end
      source = UDPSource.new(sender, local) { |text| socket.sendmsg(text, 0, sender, *reply) }
      yield message, source
    end
  end

  def self.udp_server_loop_on(sockets, &block)
    loop do
      readable, = IO.select(sockets)
      udp_server_recv(readable, &block)
    end
  end

  def self.udp_server_loop(host = nil, port, &block)
    udp_server_sockets(host, port) { |sockets| udp_server_loop_on(sockets, &block) }
  end

  class << self
    private

    def __passive(host, type, port = 0) = Addrinfo.getaddrinfo(host, port, nil, type, nil, AI_PASSIVE)

    # A socket for each address that can have one; the last failure when none can.
    def __sockets(addresses)
      failure = nil
      sockets = []
      addresses.each do |info|
        sockets << yield(info)
      rescue SystemCallError => failure
      end
      raise failure if sockets.empty? && failure
      sockets
    rescue Exception
      sockets&.each(&:close)
      raise
    end

    # Sockets for all addresses on the port that the first one is given; tried anew while others have that port.
    def __sockets_on_one_port(addresses, &make)
      tries = 0
      begin
        sockets = []
        addresses.each do |info|
          if sockets[0]
            info = Addrinfo.new(sockaddr_in(sockets[0].local_address.ip_port, info.ip_address), info.pfamily,
                                info.socktype, info.protocol)
          end
          sockets << make.call(info)
        rescue Errno::EADDRNOTAVAIL, Errno::EAFNOSUPPORT
          next
        end
        sockets
      rescue Errno::EADDRINUSE
        sockets.each(&:close)
        retry if (tries += 1) < 10
        raise
      end
    end
  end
end
