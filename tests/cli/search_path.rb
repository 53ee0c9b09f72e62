# -S looks in RUBYPATH, where ~ is HOME, and says under -w which paths are too long; an empty name is standard input.
require "tmpdir"
require "rbconfig"
require "open3"
ruby = RbConfig.ruby
Dir.mktmpdir do |dir|
  File.write("#{dir}/searched_program.rb", "p :found\n")
  output, = Open3.capture2({"RUBYPATH" => "~", "HOME" => dir}, ruby, "-S", "searched_program.rb")
  output # => ":found\n"
  output, = Open3.capture2({"RUBYPATH" => "~/sub", "HOME" => File.dirname(dir)}, ruby, "-S", "searched_program.rb",
                           err: File::NULL)
  output # => ""
end
_, errors, status = Open3.capture3({"RUBYPATH" => "~", "HOME" => "/foo" * 1024}, ruby, "-S", "-w", "no_such_program")
errors[/warning: openpath: pathname too long \(ignored\)/] # => "warning: openpath: pathname too long (ignored)"
status.success? # => false
Open3.capture2(ruby, "", stdin_data: "p 1 + 1")[0] # => "2\n"
