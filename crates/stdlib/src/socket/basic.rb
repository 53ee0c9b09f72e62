# Methods with keywords of sockets; the native parts take them by position.

class BasicSocket
  def recv_nonblock(maxlen, flags = 0, outbuf = nil, exception: true)
    Primitive.basic_socket_recv_nonblock(self, maxlen, flags, outbuf, exception)
  end

  def read_nonblock(len, str = nil, exception: true)
    Primitive.basic_socket_read_nonblock(self, len, str, exception)
  end

  def write_nonblock(buf, exception: true)
    Primitive.basic_socket_write_nonblock(self, buf, exception)
  end

  def sendmsg(mesg, flags = 0, dest_sockaddr = nil, *controls)
    Primitive.basic_socket_sendmsg(self, mesg, flags, dest_sockaddr, controls, false, true)
  end

  def sendmsg_nonblock(mesg, flags = 0, dest_sockaddr = nil, *controls, exception: true)
    Primitive.basic_socket_sendmsg(self, mesg, flags, dest_sockaddr, controls, true, exception)
  end

  def recvmsg(maxmesglen = nil, flags = 0, maxcontrollen = nil, scm_rights: false)
    Primitive.basic_socket_recvmsg(self, maxmesglen, flags, maxcontrollen, scm_rights, false, true)
  end

  def recvmsg_nonblock(maxmesglen = nil, flags = 0, maxcontrollen = nil, scm_rights: false, exception: true)
    Primitive.basic_socket_recvmsg(self, maxmesglen, flags, maxcontrollen, scm_rights, true, exception)
  end

  # An address that connects to this socket: an unspecified local address becomes the loopback one.
  def connect_address
    address = local_address
    if address.unix?
      raise SocketError, "unbound Unix socket" if address.unix_path.empty?
      return address
    end
    return address unless address.ip?
    raise SocketError, "unbound IPv#{address.ipv4? ? 4 : 6} socket" if address.ip_port == 0
    host =
      if address.ipv4? && address.ip_address == "0.0.0.0"
        "127.0.0.1"
      elsif address.ipv6?
        case address.ip_address
        when "::" then "::1"
        when "::ffff:0.0.0.0" then "::ffff:127.0.0.1"
        end
      end
    return address unless host
    Addrinfo.new(["AF_INET#{"6" if address.ipv6?}", address.ip_port, nil, host], address.pfamily, address.socktype,
                 address.protocol)
  end
end

class UDPSocket
  def recvfrom_nonblock(maxlen, flags = 0, outbuf = nil, exception: true)
    Primitive.udp_socket_recvfrom_nonblock(self, maxlen, flags, outbuf, exception)
  end
end

class TCPServer
  def accept_nonblock(exception: true)
    Primitive.tcp_server_accept_nonblock(self, exception)
  end
end

class UNIXServer
  def accept_nonblock(exception: true)
    Primitive.unix_server_accept_nonblock(self, exception)
  end
end

class Socket
  def recvfrom_nonblock(maxlen, flags = 0, outbuf = nil, exception: true)
    Primitive.socket_recvfrom_nonblock(self, maxlen, flags, outbuf, exception)
  end

  def accept_nonblock(exception: true)
    Primitive.socket_accept_nonblock(self, exception)
  end

  def connect_nonblock(addr, exception: true)
    Primitive.socket_connect_nonblock(self, addr, exception)
  end

  def ipv6only!
    setsockopt(:IPV6, :V6ONLY, 1)
  end
end
