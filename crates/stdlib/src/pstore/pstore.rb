# A Hash in a file, changed by transactions. The file is `PStore::Storage`.
class PStore
  VERSION = "0.2.1"

  class Error < StandardError
  end

  private_constant :Storage

  EMPTY_MARSHAL_DATA = Marshal.dump({}).freeze
  private_constant :EMPTY_MARSHAL_DATA

  attr_accessor :ultra_safe

  def initialize(file, thread_safe = false)
    dir = File.dirname(file)
    raise PStore::Error, format("directory %s does not exist", dir) unless File.directory?(dir)
    raise PStore::Error, format("file %s not readable", file) if File.exist?(file) && !File.readable?(file)
    @filename = file
    @path = File.path(file)
    @abort = false
    @ultra_safe = false
    @thread_safe = thread_safe
    @lock = Thread::Mutex.new
    @storage = Storage.new
    @own_format = [:dump, :load].all? { |name| method(name).owner == PStore }
  end

  def [](key)
    in_transaction
    (@table || load_table)[key]
  end

  def fetch(key, default = PStore::Error)
    in_transaction
    table = @table || load_table
    return table[key] if table.key?(key)
    raise PStore::Error, format("undefined key '%s'", key) if default == PStore::Error
    default
  end

  def []=(key, value)
    in_transaction_wr
    (@table || load_table)[key] = value
  end

  def delete(key)
    in_transaction_wr
    (@table || load_table).delete(key)
  end

  def keys
    in_transaction
    (@table || load_table).keys
  end
  alias roots keys

  def key?(key)
    in_transaction
    (@table || load_table).key?(key)
  end
  alias root? key?

  def path
    @filename
  end

  def commit
    in_transaction
    @abort = false
    throw :pstore_abort_transaction
  end

  def abort
    in_transaction
    @abort = true
    throw :pstore_abort_transaction
  end

  def transaction(read_only = false)
    value = nil
    enter
    begin
      @rdonly = read_only
      @abort = false
      @table = nil
      known = @storage.open(@path, read_only)
      unless known.nil?
        begin
          # What this object has loaded before can be loaded: it is, when somebody looks.
          load_table unless known
          catch(:pstore_abort_transaction) do
            value = yield(self)
          end
          save_table unless @abort || read_only
        ensure
          @storage.close
        end
      else
        @table = {}
        catch(:pstore_abort_transaction) do
          value = yield(self)
        end
      end
    ensure
      @table = nil
      @lock.unlock
    end
    value
  end

  private

  def enter
    if @thread_safe
      begin
        @lock.lock
      rescue ThreadError
        raise PStore::Error, "nested transaction"
      end
    elsif !@lock.try_lock
      raise PStore::Error, "nested transaction"
    end
  end

  def in_transaction
    raise PStore::Error, "not in transaction" unless @lock.locked?
  end

  def in_transaction_wr
    in_transaction
    raise PStore::Error, "in read-only transaction" if @rdonly
  end

  def load_table
    if @storage.empty?
      table = {}
    else
      table = load(@storage.data)
      raise Error, "PStore file seems to be corrupted." unless table.is_a?(Hash)
    end
    @storage.good
    @table = table
  end

  # A table that nobody has looked at is as it was. An empty file is an empty table.
  def save_table
    return unless @table
    empty = @storage.empty?
    if !empty && @own_format
      return @storage.save_table(@table, @ultra_safe)
    end
    data = dump(@table)
    return if empty && data == empty_marshal_data
    # Only of marshalled data readers ignore what lies behind its end.
    @storage.save(data, @own_format && !@ultra_safe, @ultra_safe)
  end

  def dump(table)
    Marshal.dump(table)
  end

  def load(content)
    Marshal.load(content)
  end

  def empty_marshal_data
    EMPTY_MARSHAL_DATA
  end
end
