# A Range that was dumped before its `initialize` can still be initialized.
range = Marshal.load(Marshal.dump(Range.allocate))
range.frozen? # => false
range.instance_eval { initialize 5, 6 } # => nil
range # => 5..6
Marshal.load(Marshal.dump(1..2)).frozen? # => true
Marshal.dump(Range.allocate) # => "\x04\bo:\nRange\b:\texcl0:\nbegin0:\bend0"
