# Core methods tell the arity and the parameters that CRuby's have: nameless ones where they are in C there,
# whatever they are written in here.
TABLE = <<~END
  -1 [[:rest]]: Array#all? Array#any? Array#count Array#cycle Array#dig Array#find_index Array#index Array#insert Array#none? Array#one?
  -1 [[:rest]]: Array#permutation Array#product Array#push Array#rindex Array#zip BasicObject#method_missing Class#new Comparable#clamp
  -1 [[:rest]]: Dir.chdir Dir.children Dir.each_child Dir.entries Dir.foreach Encoding::Converter#initialize
  -1 [[:rest]]: Encoding::Converter#primitive_convert Encoding::Converter.search_convpath Enumerable#all? Enumerable#any? Enumerable#chain
  -1 [[:rest]]: Enumerable#count Enumerable#cycle Enumerable#detect Enumerable#each_entry Enumerable#each_with_index Enumerable#entries
  -1 [[:rest]]: Enumerable#find Enumerable#find_index Enumerable#first Enumerable#inject Enumerable#max Enumerable#max_by Enumerable#min
  -1 [[:rest]]: Enumerable#min_by Enumerable#none? Enumerable#one? Enumerable#reduce Enumerable#reverse_each Enumerable#slice_after
  -1 [[:rest]]: Enumerable#slice_before Enumerable#sum Enumerable#tally Enumerable#to_a Enumerable#to_h Enumerable#zip Enumerator#each
  -1 [[:rest]]: Enumerator#initialize Enumerator#with_index Enumerator.produce Enumerator.product Enumerator::ArithmeticSequence#first
  -1 [[:rest]]: Enumerator::ArithmeticSequence#last Enumerator::Chain#each Enumerator::Chain#initialize Enumerator::Generator#each
  -1 [[:rest]]: Enumerator::Generator#initialize Enumerator::Lazy#chunk Enumerator::Lazy#chunk_while Enumerator::Lazy#enum_for
  -1 [[:rest]]: Enumerator::Lazy#force Enumerator::Lazy#initialize Enumerator::Lazy#slice_after Enumerator::Lazy#slice_before
  -1 [[:rest]]: Enumerator::Lazy#slice_when Enumerator::Lazy#to_enum Enumerator::Lazy#with_index Enumerator::Lazy#zip
  -1 [[:rest]]: Enumerator::Product#initialize Enumerator::Yielder#yield File#initialize File.chmod File.chown File.lchmod File.lchown
  -1 [[:rest]]: File.lutime File.utime Hash#any? Hash#dig Hash#fetch Hash#fetch_values Hash#flatten Hash#merge Hash#merge!
  -1 [[:rest]]: Hash#transform_keys Hash#transform_keys! Hash#update IO#each IO#each_line IO#initialize IO#reopen IO#set_encoding IO.binwrite
  -1 [[:rest]]: IO.foreach IO.read IO.readlines IO.write IO::Buffer#each IO::Buffer#each_byte Integer#pow Kernel#Complex Kernel#Rational
  -1 [[:rest]]: Kernel#display Kernel#exec Kernel#gets Kernel#initialize_clone Kernel#open Kernel#puts Kernel#readline Kernel#readlines
  -1 [[:rest]]: Kernel#send Kernel#spawn Kernel#syscall Kernel#system Kernel.Complex Kernel.Rational Kernel.exec Kernel.gets Kernel.open
  -1 [[:rest]]: Kernel.readline Kernel.readlines Kernel.spawn Kernel.syscall Kernel.system Method#call Module#define_method
  -1 [[:rest]]: Module#ruby2_keywords Numeric#step ObjectSpace#each_object ObjectSpace.each_object Proc#call Process#kill Process.exec
  -1 [[:rest]]: Process.kill Process.spawn Range#step Regexp#initialize Regexp.linear_time? String#each_line String#lines String#match
  -1 [[:rest]]: String#split String#sub String#upto Struct#dig Struct#filter Struct#select Symbol#match UnboundMethod#bind_call
  -1 [[:rest]]: UncaughtThrowError#initialize Warning#warn
  0 []: Array#delete_if Array#each Array#filter! Array#keep_if Array#minmax Array#reject! Array#select! Dir#chdir Enumerable#chunk
  0 []: Enumerable#chunk_while Enumerable#collect Enumerable#collect_concat Enumerable#filter Enumerable#find_all Enumerable#flat_map
  0 []: Enumerable#map Enumerable#minmax Enumerable#select Enumerable#slice_when Enumerable#sort Enumerator#each_with_index
  0 []: Enumerator::ArithmeticSequence#each Enumerator::Lazy#collect Enumerator::Lazy#collect_concat Enumerator::Lazy#drop_while
  0 []: Enumerator::Lazy#filter Enumerator::Lazy#filter_map Enumerator::Lazy#find_all Enumerator::Lazy#flat_map Enumerator::Lazy#map
  0 []: Enumerator::Lazy#reject Enumerator::Lazy#select Enumerator::Lazy#take_while Enumerator::Lazy#uniq Enumerator::Product#each
  0 []: Enumerator::Yielder#initialize Hash#delete_if Hash#each Hash#each_pair Hash#filter Hash#filter! Hash#keep_if Hash#reject Hash#reject!
  0 []: Hash#select Hash#select! Hash#transform_values Kernel#tap Proc#clone Process::Sys#setrgid Process::Sys#setruid Process::Sys.setrgid
  0 []: Process::Sys.setruid Range#bsearch Range#reverse_each
  1 [[:req]]: Array#combination Array#repeated_combination Array#repeated_permutation Dir.fchdir Enumerable#drop Enumerable#each_cons
  1 [[:req]]: Enumerable#each_slice Enumerable#each_with_object Enumerable#grep Enumerable#grep_v Enumerable#include? Enumerable#member?
  1 [[:req]]: Enumerable#take Enumerator#+ Enumerator#each_with_object Enumerator#feed Enumerator#initialize_copy Enumerator#with_object
  1 [[:req]]: Enumerator::ArithmeticSequence#== Enumerator::ArithmeticSequence#=== Enumerator::ArithmeticSequence#eql? Enumerator::Lazy#drop
  1 [[:req]]: Enumerator::Lazy#grep Enumerator::Lazy#grep_v Enumerator::Lazy#take Enumerator::Product#initialize_copy Enumerator::Yielder#<<
  1 [[:req]]: Hash#deconstruct_keys Integer#downto Integer#upto Kernel#` Kernel.` Numeric#singleton_method_added
  1 [[:req]]: Process.detach Process.maxgroups= Process::GID#change_privilege Process::GID#from_name Process::GID#grant_privilege
  1 [[:req]]: Process::GID.change_privilege Process::GID.eid= Process::GID.from_name Process::GID.grant_privilege
  1 [[:req]]: Process::UID#change_privilege Process::UID#from_name Process::UID#grant_privilege Process::UID.change_privilege
  1 [[:req]]: Process::UID.eid= Process::UID.from_name Process::UID.grant_privilege Range#% Time#deconstruct_keys
  -1 [[:key,:freeze]]: Kernel#clone
  -1 [[:opt,:n],[:key,:random]]: Array#sample
  -1 [[:opt,:n]]: Array#first
  -1 [[:rest,:objs]]: Kernel#pp
  -2 [[:req,:fmt],[:key,:offset]]: String#unpack1
  -2 [[:req,:name],[:key,:encoding],[:block,:block]]: Dir.open
  -2 [[:req,:time],[:opt,:subsec],[:opt,:unit],[:key,:in]]: Time.at
END
def told(name)
  owner, sign, method = name.match(/\A(.*?)([#.])(.+)\z/).captures
  owner = Object.const_get(owner)
  owner = owner.singleton_class if sign == "."
  method = owner.instance_method(method)
  "#{method.arity} #{method.parameters.inspect.delete(" ")}"
end
rows = TABLE.lines.flat_map { |line| line.split(": ", 2).then { |told, names| names.split.map { |name| [name, told] } } }
rows.size # => 272
rows.reject { |name, expected| told(name) == expected }.map { |name, _| [name, told(name)] } # => []

# A method as a block has the same.
[].method(:dig).to_proc.arity # => -1
[].method(:dig).to_proc.parameters # => [[:rest]]
[].method(:dig).unbind.inspect # => "#<UnboundMethod: Array#dig(*)>"
"".method(:match).inspect # => "#<Method: String#match(*)>"
StandardError.instance_method(:full_message).arity # => -1
Proc.new {}.clone(freeze: true) # raises ArgumentError: wrong number of arguments (given 1, expected 0)
Math::DomainError.superclass # => StandardError
Enumerator.produce(1, &:succ).size # => Infinity
Class.new { include Process; def seconds = times.utime }.new.seconds.class # => Float
Process.instance_method(:detach).owner # => Process
