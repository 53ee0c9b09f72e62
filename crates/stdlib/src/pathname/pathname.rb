# Pathname: paths as objects. What File, FileTest and Dir do with the path stands in tables; the rest is about the text.

class Pathname
  SEPARATOR_LIST = "/"
  SEPARATOR_PAT = %r{/}
  TO_PATH = :to_path

  # Methods of File whose argument is the path, by where it stands: `File.read(path, ...)`.
  %i[atime birthtime ctime mtime ftype stat lstat extname sysopen readlines read binread write binwrite truncate
     world_readable? world_writable?].each do |name|
    define_method(name) { |*args, **options, &block| File.public_send(name, @path, *args, **options, &block) }
  end

  # Questions about the file.
  %i[blockdev? chardev? executable? executable_real? exist? grpowned? directory? file? pipe? socket? owned? readable?
     readable_real? setuid? setgid? size size? sticky? symlink? writable? writable_real? zero?].each do |name|
    define_method(name) { FileTest.public_send(name, @path) }
  end

  # Methods of File that take other arguments before the path.
  %i[chmod lchmod chown lchown utime lutime].each do |name|
    define_method(name) { |*args| File.public_send(name, *args, @path) }
  end

  # Methods of File whose answers are paths.
  %i[basename dirname expand_path readlink realpath realdirpath].each do |name|
    define_method(name) { |*args| self.class.new(File.public_send(name, @path, *args)) }
  end

  class << self
    def glob(*args, **options)
      found = Dir.glob(*args, **options)
      return found.map { |path| new(path) } unless block_given?
      found.each { |path| yield new(path) }
      nil
    end

    def getwd = new(Dir.getwd)
    alias pwd getwd

    def mktmpdir
      require "tmpdir"
      return new(Dir.mktmpdir) unless block_given?
      Dir.mktmpdir { |dir| yield new(dir) }
    end
  end

  def initialize(path)
    unless path.is_a?(String)
      path = path.to_path if path.respond_to?(:to_path)
      raise TypeError, "Pathname.new requires a String, #to_path or Pathname" unless path.is_a?(String)
    end
    raise ArgumentError, "pathname contains null byte" if path.include?("\0")
    @path = path.dup
  end

  def freeze
    super
    @path.freeze
    self
  end

  def ==(other)
    other.is_a?(Pathname) && @path == other.to_s
  end
  alias === ==
  alias eql? ==

  # Names compare before what goes on behind them: a slash is less than anything.
  def <=>(other)
    return unless other.is_a?(Pathname)
    @path.tr("/", "\0") <=> other.to_s.tr("/", "\0")
  end

  def hash = @path.hash

  def to_s = @path.dup
  alias to_path to_s

  def inspect = "#<#{self.class}:#{@path}>"

  def sub_ext(replacement)
    extension = File.extname(@path)
    self.class.new(@path.delete_suffix(extension) + replacement)
  end

  def absolute? = @path.start_with?("/")
  def relative? = !absolute?
  def root? = @path.match?(%r{\A/+\z})

  # The path without "." and "..", as far as the text tells; `consider_symlink` keeps ".." behind names,
  # which may be links.
  def cleanpath(consider_symlink = false)
    names = []
    parts.each do |name|
      case name
      when "." then next
      when ".."
        if names.empty? || names.last == ".."
          names << ".." unless absolute?
        elsif consider_symlink
          names << ".."
        else
          names.pop
        end
      else names << name
      end
    end
    names << "." if consider_symlink && !names.empty? && names.last != ".." && File.basename(@path) == "."
    text = (absolute? ? "/" : "") + names.join("/")
    if consider_symlink && !names.empty? && !names.last.match?(/\A\.\.?\z/) && has_trailing_separator?(@path)
      text << "/"
    end
    text = text.empty? ? "." : text
    self.class.new(text)
  end

  def parent = self + ".."

  def mountpoint?
    above = File.lstat(File.join(@path, ".."))
    here = File.lstat(@path)
    here.dev != above.dev || here.ino == above.ino
  rescue Errno::ENOENT
    false
  end

  def each_filename(&block)
    return to_enum(:each_filename) unless block
    parts.each(&block)
    nil
  end

  # The path and those above it, from the innermost.
  def ascend
    return to_enum(:ascend) unless block_given?
    path = @path
    yield self
    while (cut = split_last(path))
      path = cut
      break if path.empty?
      yield self.class.new(path)
    end
    nil
  end

  def descend
    return to_enum(:descend) unless block_given?
    ascend.to_a.reverse_each { |path| yield path }
    nil
  end

  def +(other)
    other = Pathname.new(other) unless other.is_a?(Pathname)
    self.class.new(plus(@path, other.to_s))
  end
  alias / +

  def join(*paths)
    return self if paths.empty?
    result = nil
    paths.reverse_each do |path|
      path = Pathname.new(path) unless path.is_a?(Pathname)
      result = result ? path + result : path
      return self.class.new(result.to_s) if result.absolute?
    end
    self + result
  end

  def children(with_directory = true)
    with_directory = false if @path == "."
    Dir.children(@path).map { |name| self.class.new(with_directory ? File.join(@path, name) : name) }
  end

  def each_child(with_directory = true, &block)
    children(with_directory).each(&block)
  end

  def relative_path_from(base)
    base = Pathname.new(base) unless base.is_a?(Pathname)
    base = base.cleanpath
    if absolute? != base.absolute?
      raise ArgumentError, "different prefix: #{(absolute? ? "/" : "").inspect} and #{base.to_s.inspect}"
    end
    to = cleanpath.each_filename.to_a - ["."]
    from = base.each_filename.to_a - ["."]
    shared = to.zip(from).take_while { |a, b| a == b }.size
    from = from.drop(shared)
    raise ArgumentError, "base_directory has ..: #{base.to_s.inspect}" if from.include?("..")
    names = [".."] * from.size + to.drop(shared)
    self.class.new(names.empty? ? "." : names.join("/"))
  end

  def each_line(...) = File.foreach(@path, ...)
  def open(...) = File.open(@path, ...)
  def opendir(&block) = Dir.open(@path, &block)
  def fnmatch(pattern, ...) = File.fnmatch(pattern, @path, ...)
  def fnmatch?(pattern, ...) = File.fnmatch?(pattern, @path, ...)
  def make_link(old) = File.link(old, @path)
  def make_symlink(old) = File.symlink(old, @path)
  def rename(to) = File.rename(@path, to)
  def split
    parts = Array.try_convert(File.split(@path)) or raise TypeError, "File.split does not answer an Array"
    parts.map { |path| self.class.new(path) }
  end
  def empty? = FileTest.directory?(@path) ? Dir.empty?(@path) : FileTest.empty?(@path)

  def glob(*args, **options)
    found = Dir.glob(*args, **options, base: @path)
    return found.map { |path| self + path } unless block_given?
    found.each { |path| yield self + path }
    nil
  end

  def entries = Dir.entries(@path).map { |name| self.class.new(name) }

  def each_entry(&block)
    return to_enum(:each_entry) unless block
    Dir.foreach(@path) { |name| yield self.class.new(name) }
  end

  def mkdir(...) = Dir.mkdir(@path, ...)
  def rmdir = Dir.rmdir(@path)

  def mkpath(mode: nil)
    require "fileutils"
    FileUtils.mkdir_p(@path, mode: mode)
    self
  end

  def rmtree(noop: nil, verbose: nil, secure: nil)
    require "fileutils"
    FileUtils.rm_rf(@path, noop: noop, verbose: verbose, secure: secure)
    self
  end

  def unlink
    FileTest.directory?(@path) && !FileTest.symlink?(@path) ? Dir.unlink(@path) : File.unlink(@path)
  end
  alias delete unlink

  def find(ignore_error: true)
    return to_enum(:find, ignore_error: ignore_error) unless block_given?
    require "find"
    Find.find(@path, ignore_error: ignore_error) do |path|
      yield self.class.new(@path == "." ? path.delete_prefix("./") : path)
    end
  end

  private

  def parts = @path.split("/").reject(&:empty?)

  def has_trailing_separator?(path) = path.match?(%r{[^/]/+\z})
  def add_trailing_separator(path) = File.basename("#{path}a") == "a" ? path : "#{path}/"

  def del_trailing_separator(path)
    path.match?(%r{\A/+\z}) ? "/" : path.sub(%r{(?<=[^/])/+\z}, "")
  end

  # The path without its last name; nil when there is none.
  def split_last(path)
    path = del_trailing_separator(path)
    base = File.basename(path)
    return if base == "/" || path.empty?
    head = path[0, path.rindex(base)]
    head.match?(%r{\A/+\z}) ? "/" : head.sub(%r{/+\z}, "")
  end

  # The text before the last name and that name; nil when there is none.
  def cut_last(path)
    base = File.basename(path)
    path.empty? || base == "/" ? nil : [path[0, path.rindex(base)], base]
  end

  # `path` followed by `rest`, whose leading ".." take names away from it; "." counts nowhere.
  def plus(path, rest)
    return rest if rest.start_with?("/")
    prefix = path
    loop do
      rest = rest.sub(%r{\A\.(?:/+|\z)}, "") while rest.match?(%r{\A\.(?:/|\z)})
      head, base = cut_last(prefix)
      break unless base
      prefix = head
      next if base == "."
      up = rest.match?(%r{\A\.\.(?:/|\z)})
      if base == ".." || !up
        prefix = head + base
        break
      end
      rest = rest.sub(%r{\A\.\.(?:/+|\z)}, "")
    end
    root = prefix.match?(%r{\A/+\z})
    rest = rest.sub(%r{\A\.\.(?:/+|\z)}, "") while root && rest.match?(%r{\A\.\.(?:/|\z)})
    return rest.empty? ? "." : rest if prefix.empty?
    return prefix if rest.empty?
    root ? prefix + rest : File.join(prefix, rest)
  end
end
