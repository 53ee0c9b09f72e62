# Names of one method are one method.
require "digest"
require "zlib"

Set.instance_method(:eql?) == Set.instance_method(:==) # => true
Digest::Instance.instance_method(:update) == Digest::Instance.instance_method(:<<) # => true
Zlib::GzipReader.instance_method(:eof) == Zlib::GzipReader.instance_method(:eof?) # => true
