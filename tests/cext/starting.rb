# The constructors of an extension in C++ call the interface before its `Init_` function runs.
require_relative "fixtures/build"
load_c("starting", language: "cc")

GC.start
starting # => [:before_init, ["made"], 3]
STARTING # => ["made"]
