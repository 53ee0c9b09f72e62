# Core methods tell the arity and the parameters that CRuby's have: nameless ones where they are in C there,
# whatever they are written in here.
TABLE = <<~END
  -1 [[:rest]]: Array#all? Array#any? Array#count Array#cycle Array#dig Array#find_index Array#index Array#insert
  -1 [[:rest]]: Array#none? Array#one? Array#permutation Array#product Array#push Array#rindex Array#zip
  -1 [[:rest]]: BasicObject#method_missing Class#new Comparable#clamp Dir.chdir Dir.children Dir.each_child Dir.entries
  -1 [[:rest]]: Dir.foreach Encoding::Converter#initialize Encoding::Converter#primitive_convert
  -1 [[:rest]]: Encoding::Converter.search_convpath Enumerable#all? Enumerable#any? Enumerable#chain Enumerable#count
  -1 [[:rest]]: Enumerable#cycle Enumerable#detect Enumerable#each_entry Enumerable#each_with_index Enumerable#entries
  -1 [[:rest]]: Enumerable#find Enumerable#find_index Enumerable#first Enumerable#inject Enumerable#max
  -1 [[:rest]]: Enumerable#max_by Enumerable#min Enumerable#min_by Enumerable#none? Enumerable#one? Enumerable#reduce
  -1 [[:rest]]: Enumerable#reverse_each Enumerable#slice_after Enumerable#slice_before Enumerable#sum Enumerable#tally
  -1 [[:rest]]: Enumerable#to_a Enumerable#to_h Enumerable#zip Enumerator#each Enumerator#initialize
  -1 [[:rest]]: Enumerator#with_index Enumerator.produce Enumerator.product Enumerator::ArithmeticSequence#first
  -1 [[:rest]]: Enumerator::ArithmeticSequence#last Enumerator::Chain#each Enumerator::Chain#initialize
  -1 [[:rest]]: Enumerator::Generator#each Enumerator::Generator#initialize Enumerator::Lazy#chunk
  -1 [[:rest]]: Enumerator::Lazy#chunk_while Enumerator::Lazy#enum_for Enumerator::Lazy#force
  -1 [[:rest]]: Enumerator::Lazy#initialize Enumerator::Lazy#slice_after Enumerator::Lazy#slice_before
  -1 [[:rest]]: Enumerator::Lazy#slice_when Enumerator::Lazy#to_enum Enumerator::Lazy#with_index Enumerator::Lazy#zip
  -1 [[:rest]]: Enumerator::Product#initialize Enumerator::Yielder#yield File#initialize File.chmod File.chown
  -1 [[:rest]]: File.lchmod File.lchown File.lutime File.utime Hash#any? Hash#dig Hash#fetch Hash#fetch_values
  -1 [[:rest]]: Hash#flatten Hash#merge Hash#merge! Hash#transform_keys Hash#transform_keys! Hash#update IO#each
  -1 [[:rest]]: IO#each_line IO#initialize IO#reopen IO#set_encoding IO.binwrite IO.foreach IO.read IO.readlines
  -1 [[:rest]]: IO.write IO::Buffer#each IO::Buffer#each_byte Integer#pow Kernel#Complex Kernel#Rational Kernel#display
  -1 [[:rest]]: Kernel#exec Kernel#gets Kernel#initialize_clone Kernel#open Kernel#puts Kernel#readline Kernel#readlines
  -1 [[:rest]]: Kernel#send Kernel#spawn Kernel#syscall Kernel#system Kernel.Complex Kernel.Rational Kernel.exec
  -1 [[:rest]]: Kernel.gets Kernel.open Kernel.readline Kernel.readlines Kernel.spawn Kernel.syscall Kernel.system
  -1 [[:rest]]: Method#call Module#define_method Module#ruby2_keywords Numeric#step ObjectSpace#each_object
  -1 [[:rest]]: ObjectSpace.each_object Proc#call Process#kill Process.exec Process.kill Process.spawn Range#step
  -1 [[:rest]]: Regexp#initialize Regexp.linear_time? String#each_line String#lines String#match String#split String#sub
  -1 [[:rest]]: String#upto Struct#dig Struct#filter Struct#select Symbol#match UnboundMethod#bind_call
  -1 [[:rest]]: UncaughtThrowError#initialize Warning#warn
  0 []: Array#delete_if Array#each Array#filter! Array#keep_if Array#minmax Array#reject! Array#select! Dir#chdir
  0 []: Enumerable#chunk Enumerable#chunk_while Enumerable#collect Enumerable#collect_concat Enumerable#filter
  0 []: Enumerable#find_all Enumerable#flat_map Enumerable#map Enumerable#minmax Enumerable#select Enumerable#slice_when
  0 []: Enumerable#sort Enumerator#each_with_index Enumerator::ArithmeticSequence#each Enumerator::Lazy#collect
  0 []: Enumerator::Lazy#collect_concat Enumerator::Lazy#drop_while Enumerator::Lazy#filter Enumerator::Lazy#filter_map
  0 []: Enumerator::Lazy#find_all Enumerator::Lazy#flat_map Enumerator::Lazy#map Enumerator::Lazy#reject
  0 []: Enumerator::Lazy#select Enumerator::Lazy#take_while Enumerator::Lazy#uniq Enumerator::Product#each
  0 []: Enumerator::Yielder#initialize Hash#delete_if Hash#each Hash#each_pair Hash#filter Hash#filter! Hash#keep_if
  0 []: Hash#reject Hash#reject! Hash#select Hash#select! Hash#transform_values Kernel#tap Proc#clone
  0 []: Process::Sys#setrgid Process::Sys#setruid Process::Sys.setrgid Process::Sys.setruid Range#bsearch
  0 []: Range#reverse_each
  1 [[:req]]: Array#combination Array#repeated_combination Array#repeated_permutation Dir.fchdir Enumerable#drop
  1 [[:req]]: Enumerable#each_cons Enumerable#each_slice Enumerable#each_with_object Enumerable#grep Enumerable#grep_v
  1 [[:req]]: Enumerable#include? Enumerable#member? Enumerable#take Enumerator#+ Enumerator#each_with_object
  1 [[:req]]: Enumerator#feed Enumerator#initialize_copy Enumerator#with_object Enumerator::ArithmeticSequence#==
  1 [[:req]]: Enumerator::ArithmeticSequence#=== Enumerator::ArithmeticSequence#eql? Enumerator::Lazy#drop
  1 [[:req]]: Enumerator::Lazy#grep Enumerator::Lazy#grep_v Enumerator::Lazy#take Enumerator::Product#initialize_copy
  1 [[:req]]: Enumerator::Yielder#<< Hash#deconstruct_keys Integer#downto Integer#upto Kernel#` Kernel.`
  1 [[:req]]: Numeric#singleton_method_added Process.detach Process.maxgroups= Process::GID#change_privilege
  1 [[:req]]: Process::GID#from_name Process::GID#grant_privilege Process::GID.change_privilege Process::GID.eid=
  1 [[:req]]: Process::GID.from_name Process::GID.grant_privilege Process::UID#change_privilege Process::UID#from_name
  1 [[:req]]: Process::UID#grant_privilege Process::UID.change_privilege Process::UID.eid= Process::UID.from_name
  1 [[:req]]: Process::UID.grant_privilege Range#% Time#deconstruct_keys
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
rows = TABLE.lines.flat_map do |line|
  line.split(": ", 2).then { |told, names| names.split.map { |name| [name, told] } }
end
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
