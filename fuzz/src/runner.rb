# Evaluates to a lambda that runs a program for at most 150 ms.
%w[File IO Dir Process FileTest ARGF ENV].each do |name|
  Object.send(:remove_const, name) if Object.const_defined?(name)
end
module Kernel
  names = %i[system exec spawn fork ` open exit! abort exit at_exit require require_relative load autoload syscall trap
             sleep gets readline readlines select test srand print puts p pp putc printf warn display]
  names.each do |name|
    [self, singleton_class].each do |owner|
      if owner.method_defined?(name, false) || owner.private_method_defined?(name, false)
        owner.send(:remove_method, name)
      end
    end
  end

  def puts(*) = nil
  def print(*) = nil
  def p(*list) = list.size < 2 ? list.first : list
  def pp(*list) = list.first
  def warn(*, **) = nil
end
class Stop < Exception
end
Signal.singleton_class.send(:remove_method, :trap)
Thread.report_on_exception = false

lambda do |program|
  thread = Thread.new do
    eval(program, nil, "fuzz.rb")
  rescue Exception
    nil
  end
  unless thread.join(0.15)
    40.times do
      thread.kill
      break if thread.join(0.02)
      thread.raise(Stop)
      break if thread.join(0.02)
    end
  end
  others = Thread.list - [Thread.current]
  others.each(&:kill)
  others.each { |other| other.join(0.02) }
  nil
rescue Exception
  nil
end
