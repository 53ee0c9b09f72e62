StandardError.superclass # => Exception
ArgumentError.ancestors.reject { |m| m.name == "ErrorHighlight::CoreExt" }.take(3) # => [ArgumentError, StandardError, Exception]
NoMethodError.superclass # => NameError
KeyError.superclass # => IndexError
StopIteration.superclass # => IndexError
FloatDomainError.superclass # => RangeError
FrozenError.superclass # => RuntimeError
SystemExit.superclass # => Exception
Interrupt.superclass # => SignalException
NotImplementedError.superclass # => ScriptError
LoadError.superclass # => ScriptError
Errno::ENOENT.superclass # => SystemCallError
Errno::ENOENT.new.message # => "No such file or directory"
Errno::ENOENT.new("x").message # => "No such file or directory - x"
Errno::ENOENT::Errno # => 2
SystemCallError.new(2).class # => Errno::ENOENT
SystemCallError.new("m", 2).message # => "No such file or directory - m"
Errno::EAGAIN == Errno::EWOULDBLOCK # => true
UncaughtThrowError.superclass # => ArgumentError
ThreadError.superclass # => StandardError
FiberError.superclass # => StandardError
NoMatchingPatternKeyError.superclass # => NoMatchingPatternError
Encoding::UndefinedConversionError.superclass # => EncodingError
RegexpError.superclass # => StandardError
EOFError.superclass # => IOError
ClosedQueueError.superclass # => StopIteration
SystemStackError.superclass # => Exception
NoMemoryError.superclass # => Exception
Exception.new("a") == Exception.new("a") # => true
Exception.exception("x").message # => "x"
Exception.to_tty?.class # => FalseClass
