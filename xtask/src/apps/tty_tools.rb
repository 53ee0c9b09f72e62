apps_require "tty-command", "tty-platform", "tty-reader", "tty-spinner", "tty-which", "tty-cursor", "tty-screen",
             "tty-prompt", "pastel"

require "stringio"
cmd = TTY::Command.new(printer: :null)
out, err = cmd.run("echo hi; echo err >&2")
p out, err
r = cmd.run!("exit 3"); p r.exit_status, r.failure?
begin; cmd.run("false"); rescue => e; puts e.class, e.message; end
p cmd.run("cat", input: "in\nput").out
begin; cmd.run("sleep 5", timeout: 0.2); rescue => e; p e.class; end
o = StringIO.new
TTY::Command.new(output: o, uuid: false, color: false).run("echo a | tr a b")
puts o.string.gsub(/[\d.]+ seconds/, "T")
p TTY::Which.which("sh"), TTY::Which.exist?("nope_x")
p TTY::Platform.new.linux?
out = StringIO.new
s = TTY::Spinner.new("[:spinner] :title", output: out, format: :dots); s.update(title: "x"); def out.tty? = true
3.times { s.spin }; s.success("done"); p out.string
p Pastel.new(enabled: true).red.on_blue.bold("x"), Pastel.new(enabled: true).decorate("a", :green, :underline)
input = StringIO.new("y\nBob\n3\n"); 
prompt = TTY::Prompt.new(input: input, output: out = StringIO.new, env: { "TTY_TEST" => "true" })
p prompt.yes?("ok?"), prompt.ask("name?", default: "x"), prompt.ask("n?", convert: :int)
puts out.string.inspect
