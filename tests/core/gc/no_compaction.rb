# Objects never move.
# needs: 4.0
GC.compact # raises NotImplementedError: compact() function is unimplemented on this machine
GC.verify_compaction_references # raises NotImplementedError: verify_compaction_references() function is unimplemented on this machine
GC.respond_to?(:compact) # => false
Process::Sys.respond_to?(:setruid) # => false
