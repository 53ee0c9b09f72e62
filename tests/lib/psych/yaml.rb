# YAML by psych: loading, dumping, errors; values are CRuby's
require "yaml"
require "stringio"
require "date"
S = Struct.new(:a, :b)
class Foo; attr_accessor :x; def initialize(x) = @x = x; end

{"a"=>1,"b"=>[1,2.5,nil,true],:c=>"x y",1=>{}}.to_yaml # => "---\na: 1\nb:\n- 1\n- 2.5\n-\n- true\n:c: x y\n1: {}\n"
[[],{},"",nil,"null","true","1","1.0",":a","- x","a: b","#c","multi\nline","multi\nline\n"," lead","trail ","é","\u0001","2001-01-01"].to_yaml # => "---\n- []\n- {}\n- ''\n-\n- 'null'\n- 'true'\n- '1'\n- '1.0'\n- \":a\"\n- \"- x\"\n- 'a: b'\n- \"#c\"\n- |-\n  multi\n  line\n- |\n  multi\n  line\n- \" lead\"\n- 'trail '\n- é\n- \"\\x01\"\n- '2001-01-01'\n"
YAML.load("--- a") # => "a"
YAML.load("a: 1\nb: [1, 2]\nc: {d: e}\n") # => {"a" => 1, "b" => [1, 2], "c" => {"d" => "e"}}
YAML.load("- 1\n- 0x10\n- 0o7\n- 010\n- 1_000\n- 1.5\n- 1e3\n- .inf\n- -.inf\n- ~\n- yes\n- no\n- on\n- :sym\n- \"q\"\n- 12:30:00\n") # => [1, 16, "0o7", 8, 1000, 1.5, "1e3", Infinity, -Infinity, nil, true, false, true, :sym, "q", 45000]
# AliasesNotEnabled with psych 4.0.4 and newer
(YAML.load("a: &x 1\nb: *x") rescue $!.is_a?(Psych::BadAlias)) # => true
YAML.load("a: &x 1\nb: *x", aliases: true) # => {"a" => 1, "b" => 1}
YAML.load("a: : b") # raises Psych::SyntaxError: (<unknown>): mapping values are not allowed in this context at line 1 column 4
YAML.load("a: [1") # raises Psych::SyntaxError: (<unknown>): did not find expected ',' or ']' while parsing a flow sequence at line 1 column 4
YAML.load("\t- a") # raises Psych::SyntaxError: (<unknown>): found character that cannot start any token while scanning for the next token at line 1 column 1
YAML.load("a: b\n c: d") # raises Psych::SyntaxError: (<unknown>): mapping values are not allowed in this context at line 2 column 3
YAML.load("\"unterminated") # raises Psych::SyntaxError: (<unknown>): found unexpected end of stream while scanning a quoted scalar at line 1 column 1
YAML.load("%YAML 3.0\n---\na") # raises Psych::SyntaxError: (<unknown>): found incompatible YAML document at line 1 column 1
YAML.load("!ruby/object:Foo {x: 1}") # raises Psych::DisallowedClass: Tried to load unspecified class: Foo
YAML.unsafe_load("!ruby/object:Foo {x: 1}").x # => 1
YAML.unsafe_load(Foo.new([1,{a: 2}]).to_yaml).x # => [1, {a: 2}]
YAML.unsafe_load(S.new(1,2).to_yaml) # => #<struct S a=1, b=2>
S.new(1,2).to_yaml # => "--- !ruby/struct:S\na: 1\nb: 2\n"
YAML.dump(1..2) # => "--- !ruby/range\nbegin: 1\nend: 2\nexcl: false\n"
YAML.unsafe_load(YAML.dump(1..2)) # => 1..2
YAML.dump(/a.b/i) # => "--- !ruby/regexp /a.b/i\n"
YAML.unsafe_load(YAML.dump(/a.b/i)) # => /a.b/i
YAML.dump(1r) # => "--- !ruby/object:Rational\ndenominator: 1\nnumerator: 1\n"
YAML.unsafe_load(YAML.dump(1r)) # => (1/1)
YAML.dump(1i) # => "--- !ruby/object:Complex\nreal: 0\nimage: 1\n"
YAML.dump(Time.utc(2001,2,3,4,5,6)) # => "--- 2001-02-03 04:05:06.000000000 Z\n"
YAML.unsafe_load("2001-02-03 04:05:06Z") # => 2001-02-03 04:05:06 UTC
# the start of the Gregorian calendar is that of psych's version
YAML.unsafe_load("2001-02-03").new_start # => #<Date: 2001-02-03 ((2451944j,0s,0n),+0s,2299161j)>
YAML.load("2001-02-03", permitted_classes: [Date]).new_start # => #<Date: 2001-02-03 ((2451944j,0s,0n),+0s,2299161j)>
YAML.load("2001-02-03") # raises Psych::DisallowedClass: Tried to load unspecified class: Date
YAML.dump(2**70) # => "--- 1180591620717411303424\n"
YAML.load(YAML.dump(2**70)) # => 1180591620717411303424
YAML.dump(1.0/0) # => "--- .inf\n"
YAML.dump("a"*200) # => "--- aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
YAML.dump({a: "x"}, line_width: 20, indentation: 4) # => "---\n:a: x\n"
YAML.dump({"a"=>{"b"=>[1]}}, indentation: 4) # => "---\na:\n    b:\n    - 1\n"
YAML.dump([1], canonical: true) # => "---\n[\n  ! \"1\",\n]\n"
YAML.dump(:a) # => "--- :a\n"
x=[1]; YAML.dump([x,x]) # => "---\n- &1\n  - 1\n- *1\n"
x=[1]; x << x; YAML.dump(x) # => "--- &1\n- 1\n- *1\n"
YAML.load_stream("--- 1\n--- 2\n") # => [1, 2]
YAML.dump_stream(1,[2]) # => "--- 1\n---\n- 2\n"
YAML.parse("a: 1").class # => Psych::Nodes::Document
YAML.parse("a: 1").to_ruby # => {"a" => 1}
YAML.safe_load(":a: 1") # raises Psych::DisallowedClass: Tried to load unspecified class: Symbol
YAML.safe_load(":a: 1", permitted_symbols: [:a], permitted_classes: [Symbol]) # => {a: 1}
YAML.load("a: 1", symbolize_names: true) # => {a: 1}
YAML.load("a: b", freeze: true).frozen? # => true
YAML.load("") # => nil
YAML.load("", fallback: 1) # => 1
YAML.load(nil) # raises TypeError: no implicit conversion of nil into String
YAML.load(1) # raises TypeError: no implicit conversion of Integer into String
YAML.dump("\xff".b) # => "--- !binary |-\n  /w==\n"
YAML.load(YAML.dump("\xff\x00".b)).bytes # => [255, 0]
YAML.dump(RuntimeError.new("x")).lines.first(2) # => ["--- !ruby/exception:RuntimeError\n", "message: x\n"]
YAML.unsafe_load(YAML.dump(RuntimeError.new("x"))) # => #<RuntimeError: x>
YAML.load("|\n a\n b\n") # => "a\nb\n"
YAML.load(">\n a\n b\n") # => "a b\n"
YAML.load("a: |+\n  x\n\nb: >-\n  y\n  z\n") # => {"a" => "x\n\n", "b" => "y z"}
YAML.load("{a: 1, b: [x, y]}") # => {"a" => 1, "b" => ["x", "y"]}
YAML.load("? a\n: b\n") # => {"a" => "b"}
YAML.load("a: !!str 1\nb: !!int \"2\"\nc: !!float 3") # => {"a" => "1", "b" => 2, "c" => 3.0}
YAML.load("<<: {a: 1}\nb: 2") # => {"a" => 1, "b" => 2}
require "stringio"; YAML.load(StringIO.new("a: 1")) # => {"a" => 1}
YAML.libyaml_version.class # => Array
Psych::VERSION.class # => String
require "set"; YAML.dump(Set[1]) # => "--- !ruby/object:Set\nhash:\n  1: true\n"
YAML.dump(Object) # => "--- !ruby/class 'Object'\n"
YAML.dump(proc{}) # => "--- !ruby/object:Proc {}\n"
YAML.load("\xEF\xBB\xBFa: 1") # => {"a" => 1}
YAML.load("a: 1".encode("UTF-16LE")) # => {"a" => 1}
YAML.load("a: é".encode("ISO-8859-1")) # => {"a" => "é"}
Psych.to_json({"a"=>[1,nil]}) # => "{\"a\": [1, null]}\n"
YAML.load("--- >\n  folded\n") # => "folded\n"
"foo: bar".then { |y| Psych::Parser.new(Psych::TreeBuilder.new).parse(y).class } # => Psych::Parser
YAML.unsafe_load(YAML.dump(Set[1,"a"])) # => Set[1, "a"]
begin; YAML.load("a: [1", filename: "f.yml"); rescue Psych::SyntaxError; [$!.file, $!.line, $!.column, $!.offset, $!.problem, $!.context]; end # => ["f.yml", 1, 4, 0, "did not find expected ',' or ']'", "while parsing a flow sequence"]
begin; YAML.load("\x01"); rescue Psych::SyntaxError; [$!.line, $!.column, $!.offset, $!.problem, $!.context]; end # => [1, 1, 0, "control characters are not allowed", nil]
YAML.load("\xff") # raises Psych::SyntaxError: (<unknown>): invalid leading UTF-8 octet at line 1 column 1
YAML.load("["*1000 + "]"*1000).flatten # => []
Psych::Emitter.new(StringIO.new).end_document(true) # raises RuntimeError: expected STREAM-START
Psych::Emitter.new(StringIO.new).scalar("x",nil,nil,true,false,1) # raises RuntimeError: expected STREAM-START
Psych::Emitter.new(StringIO.new).start_stream(nil) # raises TypeError: wrong argument type nil (expected Integer)
e=Psych::Emitter.new(StringIO.new); [e.canonical, e.indentation, e.line_width] # => [false, 2, 0]
e=Psych::Emitter.new(StringIO.new); e.indentation=5; e.line_width=100; e.canonical=true; [e.canonical, e.indentation, e.line_width] # => [true, 5, 100]
pr=Psych::Parser.new; pr.parse("a: 1\nb: 2"); [pr.mark.line, pr.mark.column, pr.mark.index] # => [2, 0, 9]
doc=Psych.parse("a:\n  - 1"); n=doc.children[0]; [n.start_line,n.start_column,n.end_line,n.end_column] # => [0, 0, 2, 0]
