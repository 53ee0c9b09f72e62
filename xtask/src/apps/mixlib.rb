apps_require "mixlib/shellout", "mixlib/cli", "mixlib/config", "mixlib/log", "chef-utils", "open4", "systemu",
             "childprocess"

s = Mixlib::ShellOut.new("echo a; echo b >&2; exit 2")
s.run_command
p s.stdout, s.stderr, s.exitstatus
told { s.error! }
told { Mixlib::ShellOut.new("sleep 5", timeout: 0.3).run_command }
p Mixlib::ShellOut.new("cat", input: "in").run_command.stdout, Mixlib::ShellOut.new("pwd", cwd: "/").run_command.stdout,
  Mixlib::ShellOut.new("echo $A", environment: { "A" => "1" }).run_command.stdout
told { Mixlib::ShellOut.new("/nonexistent_x").run_command }
class C
  include Mixlib::CLI
  option :c, short: "-c X", long: "--conf X", default: "d", description: "conf"
  option :v, short: "-v", boolean: true
end
c = C.new; p c.parse_options(%w[-c q -v rest]), c.config, c.banner; puts c.opt_parser
module Cfg
  extend Mixlib::Config
  default :a, 1
  configurable(:b).defaults_to(2).writes_value { |v| v * 2 }
  config_context(:x) { default :y, 3 }
end
Cfg.b 5; Cfg.x.y = 4; p Cfg.a, Cfg.b, Cfg.x.y, Cfg.save
st = Open4.popen4("sh -c 'cat; echo e >&2; exit 4'") { |pid, i, o, e| i.puts "hi"; i.close; p o.read, e.read }
p st.exitstatus
p systemu("sh -c 'echo x; echo y >&2; exit 1'").then { |a, b, c| [a.exitstatus, b, c] }
pr = ChildProcess.build("sh", "-c", "echo out; sleep 0.1")
rd, wr = IO.pipe
pr.io.stdout = wr
pr.start
pr.wait
wr.close
p rd.read, pr.exit_code
