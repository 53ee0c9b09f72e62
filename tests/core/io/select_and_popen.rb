r, w = IO.pipe
IO.select([r], nil, nil, 0) # => nil
w.write("x")
IO.select([r], [w], nil, 1) == [[r], [w], []] # => true
IO.popen("echo hi", &:read) # => "hi\n"
IO.popen(["echo", "a b"]).read # => "a b\n"
IO.popen("cat", "r+") { |io| io.write("back"); io.close_write; io.read } # => "back"
$?.success? # => true
IO.popen("exit 4").close # => nil
$?.exitstatus # => 4
r.wait_readable(0).class # => IO
