# With RUBELLITE_CEXT=check a value that nothing has kept alive is found when it is used.
require_relative "fixtures/build"
require "rbconfig"
FILE = load_c("checked")

def run(code, checked = "check")
  command = [RbConfig.ruby, "-r", FILE, "-e", code]
  text = IO.popen({ "RUBELLITE_CEXT" => checked, "RUBELLITE_STRESS" => nil }, command, err: %i[child out], &:read)
  text[/\[FATAL\].*|\A.*/].gsub(/0x\h+/, "ADDRESS")
end

CODE = "Checked.hide; 3.times { GC.start; Array.new(50_000) { Object.new } }; GC.start; "
WHY =
  "where no object lives: it was freed, since nothing that the collector looks at referred to it, or there never was " \
  "one"
run(CODE + "Checked.use(false)") == "[FATAL] -e:1: rb_str_intern was given ADDRESS (string), #{WHY}" # => true
run(CODE + "Checked.use(true)") == "[FATAL] -e:1: a call of a method was given ADDRESS (argument 0), #{WHY}" # => true
run("p Checked.pass([1, 2])") # => "[2, 4]"
run("p Checked.pass([1, 2])", nil) # => "[2, 4]"
