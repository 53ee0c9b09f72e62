apps_require "cri"

c = Cri::Command.define do
  name "a"
  usage "a [options]"
  summary "does"
  flag :h, :help, "help"
  required :f, :file, "file"
  run { |opts, args, cmd| p opts, args.to_a }
end
c.run(%w[-f x y z])
puts c.help(color: false)
told { c.run(%w[--nope]) }
