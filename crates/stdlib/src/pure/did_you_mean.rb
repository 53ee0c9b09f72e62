# Suggestions for misspelled names: what `detailed_message` adds to NameError, KeyError, NoMatchingPatternKeyError and
# LoadError. The distances are Jaro and Winkler's and Levenshtein's; thresholds are those of Ruby's did_you_mean.
module DidYouMean
  VERSION = "2.0.0"

  module Levenshtein
    # The number of characters to insert, delete or replace that make one string the other.
    def self.distance(first, second)
      first, second = first.to_s.codepoints, second.to_s.codepoints
      row = (0..second.size).to_a
      first.each_with_index do |a, i|
        corner = row[0]
        row[0] = i + 1
        second.each_with_index do |b, j|
          replaced = corner + (a == b ? 0 : 1)
          corner = row[j + 1]
          row[j + 1] = [replaced, row[j] + 1, corner + 1].min
        end
      end
      row.last
    end
  end

  module Jaro
    # From 0.0, nothing in common, to 1.0, equal.
    def self.distance(first, second)
      first, second = [first.to_s.codepoints, second.to_s.codepoints].sort_by(&:size)
      reach = second.size > 3 ? second.size / 2 - 1 : 0
      taken = Array.new(second.size)
      found = []
      first.each_with_index do |char, i|
        from = [i - reach, 0].max
        at = (from..[i + reach, second.size - 1].min).find { |j| !taken[j] && second[j] == char }
        next unless at
        taken[at] = true
        found << char
      end
      return 0.0 if found.empty?
      others = second.each_index.select { |j| taken[j] }.map { |j| second[j] }
      crossed = found.zip(others).count { |a, b| a != b } / 2
      matches = found.size.to_f
      (matches / first.size + matches / second.size + (matches - crossed) / matches) / 3
    end
  end

  module JaroWinkler
    WEIGHT = 0.1
    THRESHOLD = 0.7

    def self.distance(first, second)
      jaro = Jaro.distance(first, second)
      return jaro unless jaro > THRESHOLD
      first, second = first.to_s, second.to_s
      common = first[0, 4].each_char.with_index.take_while { |char, i| second[i] == char }.size
      jaro + common * WEIGHT * (1 - jaro)
    end
  end

  class SpellChecker
    def initialize(dictionary:)
      @dictionary = dictionary
    end

    # The words of the dictionary that `input` may have been meant to be, the likeliest first.
    def correct(input)
      wanted = normalize(input)
      threshold = wanted.length > 3 ? 0.834 : 0.77
      words = @dictionary.select { |word| JaroWinkler.distance(normalize(word), wanted) >= threshold }
      words.reject! { |word| word.to_s == input.to_s }
      words = words.sort_by { |word| JaroWinkler.distance(word.to_s, wanted) }.reverse
      mistakes = (wanted.length * 0.25).ceil
      close = words.select { |word| Levenshtein.distance(normalize(word), wanted) <= mistakes }
      return close unless close.empty?
      words.select do |word|
        word = normalize(word)
        Levenshtein.distance(word, wanted) < [wanted.length, word.length].min
      end.first(1)
    end

    private

    def normalize(word) = word.to_s.downcase.tr("@", "")
  end

  class NullChecker
    def initialize(*) = nil
    def corrections = []
  end

  # Methods of the receiver, and keywords when the receiver is self.
  class MethodNameChecker
    WORDS = %i[alias case def defined? do else ensure for rescue super undef unless until when while yield].freeze

    def initialize(exception)
      @exception = exception
      @name = exception.name
      @receiver = exception.receiver
    end

    def corrections
      @corrections ||= SpellChecker.new(dictionary: names).correct(@name) - [@name]
    end

    def names
      names = Kernel.instance_method(:methods).bind_call(@receiver)
      if @exception.private_call?
        names += Kernel.instance_method(:private_methods).bind_call(@receiver) + WORDS
      end
      names.uniq
    end
  end

  # Local variables, methods, instance and class variables that the code may have meant.
  class VariableNameChecker
    WORDS = %i[BEGIN END alias and begin break case class def defined? do else elsif end ensure false for if in module
               next nil not or redo rescue retry return self super then true undef unless until when while yield
               __LINE__ __FILE__ __ENCODING__].freeze

    def initialize(exception)
      @exception = exception
      @name = exception.name.to_s.tr("@", "")
      @receiver = exception.receiver
    end

    def corrections
      @corrections ||= SpellChecker.new(dictionary: names).correct(@name).uniq - [@exception.name]
    end

    def names
      kernel = Kernel
      names = @exception.local_variables
      names += %i[methods private_methods instance_variables].flat_map do |list|
        kernel.instance_method(list).bind_call(@receiver)
      end
      owner = Module === @receiver ? @receiver : kernel.instance_method(:class).bind_call(@receiver)
      names + owner.class_variables + WORDS
    end
  end

  # Constants of the modules in whose names the code stands.
  class ClassNameChecker
    attr_reader :class_name

    # The name of a constant, which knows what is to be written before it.
    class ClassName < String
      attr_reader :namespace

      def initialize(name, namespace = "")
        @namespace = namespace
        super(name.to_s)
      end

      def full_name = ClassName.new(namespace + self)
    end
    private_constant :ClassName

    def initialize(exception)
      @class_name = exception.name
      @message = exception.original_message
      @receiver = exception.receiver
    end

    def corrections
      @corrections ||= begin
        names = SpellChecker.new(dictionary: class_names).correct(class_name)
        names.map(&:full_name).reject { |name| @message.include?(name) }
      end
    end

    def class_names
      scopes.flat_map do |scope|
        before = Object.equal?(scope) ? "" : "#{scope}::"
        scope.constants.map { |name| ClassName.new(name, before) }
      end
    end

    def scopes
      parts = Object.equal?(@receiver) ? [] : @receiver.to_s.split("::")
      parts.inject([Object]) { |list, part| list << list.last.const_get(part) }.uniq
    rescue NameError
      [Object]
    end
  end

  class NameErrorCheckers
    def self.new(exception)
      case exception.message
      when /\Auninitialized constant/ then ClassNameChecker.new(exception)
      when /\Aundefined local variable or method|\Auninitialized class variable/ then VariableNameChecker.new(exception)
      when /\Aundefined method|\A(?:private|protected) method/ then MethodNameChecker.new(exception)
      else NullChecker.new
      end
    end
  end

  class KeyErrorChecker
    def initialize(exception)
      @key = exception.key
      @keys = exception.receiver.keys
    end

    def corrections
      @corrections ||= SpellChecker.new(dictionary: @keys).correct(@key).map(&:inspect)
    end
  end

  PatternKeyNameChecker = KeyErrorChecker

  class RequirePathChecker
    def initialize(exception)
      @path = exception.path.to_s
    end

    def corrections
      @corrections ||= begin
        deep = @path.count("/")
        pattern = ["*"] * (deep + 1)
        found = $LOAD_PATH.flat_map do |dir|
          Dir.glob("#{pattern.join("/")}.rb", base: dir.to_s).map { |file| file.delete_suffix(".rb") }
        rescue SystemCallError
          []
        end
        SpellChecker.new(dictionary: found.uniq).correct(@path)
      end
    end
  end

  class Formatter
    def self.message_for(corrections)
      corrections.empty? ? "" : "\nDid you mean?  #{corrections.join("\n               ")}"
    end

    def initialize(corrections = [])
      @corrections = corrections
    end

    def to_s = self.class.message_for(@corrections)
  end

  @checkers = Hash.new(NullChecker).update(
    "NameError" => NameErrorCheckers,
    "NoMethodError" => MethodNameChecker,
    "KeyError" => KeyErrorChecker,
    "NoMatchingPatternKeyError" => PatternKeyNameChecker,
    "LoadError" => RequirePathChecker,
  )
  Ractor.make_shareable(@checkers)

  class << self
    # Checkers by the name of the exception class whose instances they look at.
    def spell_checkers = @checkers

    def correct_error(error_class, checker)
      checkers = { **@checkers, error_class.to_s => checker }
      checkers.default = NullChecker
      @checkers = Ractor.make_shareable(checkers)
      error_class.prepend(Correctable) if Class === error_class && !(error_class < Correctable)
    end

    # What makes the text of the corrections; each ractor has its own.
    def formatter = Ractor[:__did_you_mean_formatter__] || Formatter

    def formatter=(formatter)
      Ractor[:__did_you_mean_formatter__] = formatter
    end
  end
end
