dir = "scratch_listing"
Dir.mkdir(dir)
Dir.mkdir(File.join(dir, "sub"))
%w[b.txt a.rb sub/c.rb .hidden].each { |n| File.write(File.join(dir, n), "") }
Dir.children(dir).sort # => [".hidden", "a.rb", "b.txt", "sub"]
Dir.entries(dir).sort # => [".", "..", ".hidden", "a.rb", "b.txt", "sub"]
Dir.each_child(dir).to_a.sort # => [".hidden", "a.rb", "b.txt", "sub"]
Dir.glob("*", base: dir) # => ["a.rb", "b.txt", "sub"]
Dir.glob("**/*.rb", base: dir).sort # => ["a.rb", "sub/c.rb"]
Dir.glob("{a,b}.*", base: dir) # => ["a.rb", "b.txt"]
Dir.glob("*", File::FNM_DOTMATCH, base: dir).sort # => [".", ".hidden", "a.rb", "b.txt", "sub"]
Dir[File.join(dir, "*.rb")].map { |f| File.basename(f) } # => ["a.rb"]
Dir.exist?(dir) # => true
Dir.chdir(dir) { File.basename(Dir.pwd) == File.basename(dir) } # => true
d = Dir.new(dir)
d.path == dir # => true
d.children.size # => 4
d.close # => nil
Dir.mkdir(dir) # raises Errno::EEXIST: File exists @ dir_s_mkdir - scratch_listing
Dir.children(File.join(dir, "nope")) # raises Errno::ENOENT: No such file or directory @ dir_initialize - scratch_listing/nope
Dir.rmdir(dir) # raises Errno::ENOTEMPTY: Directory not empty @ dir_s_rmdir - scratch_listing
