apps_require "log4r", "logging", "mono_logger", "lumberjack", "cabin", "little-plugger"

require "stringio"
logger = Log4r::Logger.new("main")
logger.outputters = Log4r::IOOutputter.new("out", out = StringIO.new,
                                           formatter: Log4r::PatternFormatter.new(pattern: "%l %c: %m"))
logger.level = Log4r::INFO
logger.debug("no")
logger.warn("careful")
logger.error(ArgumentError.new("bad"))
puts out.string
log = Logging.logger["Some::Class"]
log.add_appenders(Logging.appenders.string_io("s",
                                              layout: Logging.layouts.pattern(pattern: "[%-5l] %c{1} %m %X{who}\n")))
log.level = :info
Logging.mdc["who"] = "ada"
log.info { "made late" }
log.debug("no")
log.fatal(RuntimeError.new("oh"))
puts Logging.appenders["s"].readlines
mono = MonoLogger.new(out = StringIO.new)
mono.formatter = ->(severity, _, program, text) { "#{severity} #{program} #{text}\n" }
trap("USR1") { mono.info("in a trap") }
Process.kill("USR1", Process.pid)
sleep 0.1
puts out.string
lumber = Lumberjack::Logger.new(out = StringIO.new, template: ":severity :progname :message", buffer_size: 0)
lumber.progname = "p"
lumber.warn("w")
lumber.flush
puts out.string
