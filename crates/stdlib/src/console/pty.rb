# PTY: programs that run on a pseudo-terminal of their own.

module PTY
  class ChildExited < RuntimeError
    attr_reader :status

    def initialize(message = nil, status = nil)
      super(message)
      @status = status
    end
  end

  class << self
    # The two ends; with a block both are closed after it.
    def open
      pair = Primitive.pty_open(self)
      return pair unless block_given?
      begin
        yield pair
      ensure
        pair.each { it.close unless it.closed? }
      end
    end

    # Runs a command with the terminal as its input, output, errors and controlling terminal: [reader, writer, pid].
    def spawn(*command)
      if command.empty?
        require "etc"
        command = [ENV["SHELL"] || Etc.getpwuid&.shell || "/bin/sh"]
      end
      master, slave = Primitive.pty_open(self)
      path = slave.path
      begin
        pid = __start(command, master, slave)
        reader = File.for_fd(master.fcntl(1030, 3), "r+", path: path)
        writer = File.for_fd(master.fcntl(1030, 3), "w", path: path)
      ensure
        master.close
        slave.close
      end
      reader.sync = false
      writer.sync = true
      result = [reader, writer, pid]
      return result unless block_given?
      begin
        yield result
      ensure
        Process.detach(pid) unless __gone?(pid)
      end
    end
    alias getpty spawn

    # The status of a child that has ended or stopped, nil while it runs; raises it when asked to.
    def check(pid, raises = false)
      return nil unless Process.waitpid(pid, Process::WNOHANG | Process::WUNTRACED)
      status = $?
      return status unless raises
      what = status.stopped? ? "stopped" : "exited"
      raise ChildExited.new("pty - #{what}: #{pid}", status)
    rescue Errno::ECHILD
      nil
    end


    private

    # The child tells by a pipe why it could not become the command.
    def __start(command, master, slave)
      failed, report = IO.pipe(binmode: true)
      pid = fork do
        failed.close
        Process.setsid
        terminal = File.open(slave.path, "r+")
        [STDIN, STDOUT, STDERR].each { it.reopen(terminal) }
        [terminal, master, slave].each(&:close)
        exec(*command)
      rescue SystemCallError => error
        report.write([error.errno].pack("l"), error.message)
        report.flush
        Process.exit!(127)
      end
      report.close
      reason = failed.read
      return pid if reason.empty?
      Process.wait(pid)
      number, message = reason.unpack("la*")
      raise SystemCallError.new(message.force_encoding("UTF-8")[/ - (.*)\z/m, 1], number)
    ensure
      failed&.close
      report&.close
    end

    def __gone?(pid)
      !!Process.waitpid(pid, Process::WNOHANG)
    rescue Errno::ECHILD
      true
    end
  end
end
