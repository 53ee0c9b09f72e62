# A headless Chromium, driven over its DevTools protocol through a pair of pipes.
require "fcntl"
require "json"
require "tmpdir"
require "fileutils"
require "timeout"

class Browser
  SECONDS_MAX = 60

  # Every message that the browser sends without being asked: {"method" => ..., "params" => ...}.
  attr_reader :events

  def initialize(program)
    @profile = Dir.mktmpdir("rubellite-pages")
    theirs_in, @out = IO.pipe
    @in, theirs_out = IO.pipe
    # Ruby's pipes do not block, the browser's must.
    [theirs_in, theirs_out].each { |io| io.fcntl(Fcntl::F_SETFL, io.fcntl(Fcntl::F_GETFL) & ~File::NONBLOCK) }
    words = %W[--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars
               --force-device-scale-factor=1 --no-first-run --disable-extensions --disable-background-networking
               --remote-debugging-pipe --user-data-dir=#{@profile} about:blank]
    @pid = spawn(program, *words, 3 => theirs_in, 4 => theirs_out, out: File::NULL, err: File::NULL, pgroup: true)
    theirs_in.close
    theirs_out.close
    @events = []
    @number = 0
    target = call("Target.createTarget", url: "about:blank")["targetId"]
    @session = call("Target.attachToTarget", targetId: target, flatten: true)["sessionId"]
    %w[Page Runtime Log Network].each { |domain| call("#{domain}.enable") }
    call("Page.setLifecycleEventsEnabled", enabled: true)
  end

  # Sends a command and gives its result.
  def call(name, **parameters)
    @number += 1
    message = { id: @number, method: name, params: parameters }
    message[:sessionId] = @session if @session
    @out.write(JSON.generate(message), "\0")
    Timeout.timeout(SECONDS_MAX) do
      loop do
        answer = receive
        next @events << answer unless answer["id"] == @number
        raise "#{name}: #{answer["error"]["message"]}" if answer["error"]
        return answer["result"]
      end
    end
  end

  def receive
    line = @in.gets("\0") or raise "the browser has ended"
    JSON.parse(line.delete_suffix("\0"))
  end

  # Loads a page and waits until all of it is there. The end of an earlier load, which can arrive late,
  # is told apart by the loader.
  def open(url)
    @events.clear
    loader = call("Page.navigate", url:)["loaderId"]
    Timeout.timeout(SECONDS_MAX) { @events << receive until @events.any? { |event| loaded?(event, loader) } }
  end

  def loaded?(event, loader)
    event["method"] == "Page.lifecycleEvent" && event["params"].values_at("loaderId", "name") == [loader, "load"]
  end

  # The value of an expression of JavaScript.
  def evaluate(expression)
    result = call("Runtime.evaluate", expression:, returnByValue: true, awaitPromise: true)
    raise result["exceptionDetails"].dig("exception", "description") || "exception" if result["exceptionDetails"]
    result.dig("result", "value")
  end

  KEYS = { "Tab" => 9, "Enter" => 13, "ArrowRight" => 39, "ArrowLeft" => 37, "ArrowDown" => 40, "ArrowUp" => 38,
           "Escape" => 27, "Home" => 36 }.freeze

  def press(key)
    parameters = { key:, code: key, windowsVirtualKeyCode: KEYS[key] || key.upcase.ord }
    text = key == "Enter" ? "\r" : (key if key.size == 1)
    call("Input.dispatchKeyEvent", type: text ? "keyDown" : "rawKeyDown", **parameters, **(text ? { text: } : {}))
    call("Input.dispatchKeyEvent", type: "keyUp", **parameters)
  end

  def point(x, y)
    call("Input.dispatchMouseEvent", type: "mouseMoved", x:, y:)
  end

  def size(width, height, dark: false)
    call("Emulation.setDeviceMetricsOverride", width:, height:, deviceScaleFactor: 1, mobile: width < 600)
    call("Emulation.setEmulatedMedia", features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }])
    evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
  end

  def screenshot(path)
    File.binwrite(path, call("Page.captureScreenshot", format: "png")["data"].unpack1("m"))
  end

  # What went wrong in the page: exceptions, errors of the console and of the log.
  def errors
    @events.filter_map do |event|
      case event["method"]
      when "Runtime.exceptionThrown" then event.dig("params", "exceptionDetails", "exception", "description")
      when "Runtime.consoleAPICalled" then event["params"]["args"].inspect if event.dig("params", "type") == "error"
      when "Log.entryAdded"
        event.dig("params", "entry", "text") if event.dig("params", "entry", "level") == "error"
      end
    end
  end

  # What the page has fetched.
  def requests
    @events.filter_map do |event|
      event.dig("params", "request", "url") if event["method"] == "Network.requestWillBeSent"
    end
  end

  def close
    Process.kill(:KILL, -@pid)
    Process.wait(@pid)
    FileUtils.rm_rf(@profile)
  rescue Errno::ESRCH
    nil
  end
end
