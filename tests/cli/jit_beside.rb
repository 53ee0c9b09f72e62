# Machine code is generated beside the lock, and used when it is ready: in this process,
# and in one that was forked meanwhile.
PROGRAM = <<~'RUBY'
  def work(n)
    sum = 0
    n.times { |i| sum += i % 7 }
    sum
  end

  def compiled = Rubellite::JIT.stats[:compilations]

  def until_compiled(more, wanted)
    limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 60
    before = compiled
    until compiled >= before + more
      abort "wrong" if yield != wanted
      abort "nothing was compiled" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > limit
    end
  end

  until_compiled(1, 2997) { work(1000) }
  p work(1000)

  # The native thread is not in the child: what it had to do is asked for again there.
  names = (1..20).map { |i| eval("def hot#{i}(a) = a * 2 + #{i}"); :"hot#{i}" }
  50.times { names.each { |name| send(name, 1) } }
  pid = fork do
    eval "def fresh(a) = a - 1"
    until_compiled(1, 609) { fresh(names.sum { |name| send(name, 10) }) }
    exit!(true)
  end
  p Process.wait2(pid)[1].success?
  p names.sum { |name| send(name, 10) }
RUBY

words = ENV["RUBELLITE_JIT"].to_s[/fail=\d+/]
output = IO.popen({ "RUBELLITE_JIT" => ["threshold=20,beside", words].compact.join(",") },
                  [RbConfig.ruby, "-e", PROGRAM], err: [:child, :out], &:read)
output # => "2997\ntrue\n610\n"
