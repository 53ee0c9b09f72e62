apps_require "cmdparse"

cp = CmdParse::CommandParser.new(handle_exceptions: false)
cp.main_options.program_name = "x"
cp.add_command(CmdParse::HelpCommand.new, default: true)
cmd = CmdParse::Command.new("go", takes_commands: false); cmd.action { |*a| p a }; cmd.short_desc("goes")
cp.add_command(cmd)
told { cp.parse(%w[go 1 2]) }
told { cp.parse(%w[help]) }
told { cp.parse(%w[nope]) }
