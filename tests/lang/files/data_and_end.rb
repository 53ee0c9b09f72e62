DATA.read # => "line one\nline two # not code\n"
DATA.class # => File
__END__
line one
line two # not code
