# Paths of classes that are not there, as far as they were read.
require "yaml"

def message(tag) = (YAML.unsafe_load("--- !ruby/#{tag}\n  x: 1\n") rescue "#{$!.class}: #{$!.message}")

message("object:Foo") # => "ArgumentError: undefined class/module Foo"
message("object:Foo::Bar") # => "ArgumentError: undefined class/module Foo::"
message("object:Foo::Bar::Baz") # => "ArgumentError: undefined class/module Foo::"
message("object:String::Bar") # => "ArgumentError: undefined class/module String::Bar"
message("object:Math::PI") # => "TypeError: Math::PI does not refer to class/module"
message("object:Math::PI::X") # => "TypeError: Math::PI::X does not refer to class/module"
Marshal.load("\x04\bc\rString::") # => String
(Marshal.load("\x04\bc\x10Math::PI::X") rescue $!.message) # => "Math::PI::X does not refer to class/module"
(Marshal.load("\x04\bc\rFoo::Bar") rescue $!.message) # => "undefined class/module Foo::"
