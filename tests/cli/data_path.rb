# DATA has the name under which the script was given
require "rbconfig"
require "tmpdir"
Dir.mktmpdir do |dir|
  File.write("#{dir}/data.rb", "p DATA.path, DATA.class, DATA.read\n__END__\nrest\n")
  IO.popen([RbConfig.ruby, "data.rb", chdir: dir], &:read).lines # => ["\"data.rb\"\n", "File\n", "\"rest\\n\"\n"]
  IO.popen([RbConfig.ruby, "./data.rb", chdir: dir], &:read).lines.first # => "\"./data.rb\"\n"
  IO.popen([RbConfig.ruby, "-C", dir, "data.rb"], &:read).lines.first # => "\"data.rb\"\n"
end
