class Dir
  def each
    return to_enum(:each) unless block_given?
    rewind
    while name = read
      yield name
    end
    self
  end

  def children
    rewind
    list = []
    while name = read
      list << name unless name == "." || name == ".."
    end
    list
  end

  def each_child
    return to_enum(:each_child) unless block_given?
    children.each { |name| yield name }
    self
  end

  def chdir(&block)
    Dir.fchdir(fileno, &block)
  end

  class << self
    def open(path, **options)
      dir = new(path, **options)
      return dir unless block_given?
      begin
        yield dir
      ensure
        dir.close
      end
    end

    def chdir(path = (home = true))
      if home
        path = ENV["HOME"] || ENV["LOGDIR"] or raise ArgumentError, "HOME/LOGDIR not set"
      end
      __change(block_given?) { Primitive.dir_chdir(self, path) } unless block_given?
      return 0 unless block_given?
      old = pwd
      path = File.path(path)
      __change(true) { Primitive.dir_chdir(self, path, true) }
      place = caller_locations(0, 1)[0]
      begin
        Primitive.dir_chdir_depth(self, 1)
        outer, @__place = @__place, "#{place.path}:#{place.lineno}"
        yield path
      ensure
        Primitive.dir_chdir_depth(self, -1)
        @__place = outer
        Primitive.dir_chdir(self, old, true)
      end
    end

    def fchdir(fd)
      unless block_given?
        __change(false) { Primitive.dir_fchdir(self, fd) }
        return 0
      end
      old = new(".")
      __change(true) { Primitive.dir_fchdir(self, fd) }
      place = caller_locations(0, 1)[0]
      begin
        Primitive.dir_chdir_depth(self, 1)
        outer, @__place = @__place, "#{place.path}:#{place.lineno}"
        yield
      ensure
        Primitive.dir_chdir_depth(self, -1)
        @__place = outer
        Primitive.dir_fchdir(self, old.fileno)
        old.close
      end
    end

    def foreach(path, **options)
      return to_enum(:foreach, path, **options) unless block_given?
      entries(path, **options).each { |name| yield name }
      nil
    end

    def each_child(path, **options)
      return to_enum(:each_child, path, **options) unless block_given?
      children(path, **options).each { |name| yield name }
      nil
    end

    private

    def __change(block)
      case Primitive.dir_chdir_depth(self, 0)
      when true
        raise RuntimeError, "conflicting chdir during another chdir block"
      when nil
        note = "\n#{@__place}: note: previous chdir was here" if @__place
        warn "conflicting chdir during another chdir block#{note}", uplevel: 1 unless block
      end
      yield
    end
  end
end
