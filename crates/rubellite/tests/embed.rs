//! Embedding: values in and out, errors, several VMs and threads, limits, the end of a VM.

use rubellite::{Any, Bytes, Error, Symbol, Unblock, Vm};
use std::collections::BTreeMap;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

#[test]
fn values_cross_both_ways() {
    let vm = Vm::new().unwrap();
    vm.enter(|scope| {
        assert_eq!(scope.eval::<i64>("2**40")?, 1 << 40);
        assert_eq!(scope.eval::<u64>("2**64 - 1")?, u64::MAX);
        assert_eq!(scope.eval::<f64>("1 / 4r * 1.0")?, 0.25);
        assert_eq!(scope.eval::<Option<String>>("nil")?, None);
        assert_eq!(scope.eval::<Bytes>("\"\\xff\\x00\"")?, Bytes(vec![255, 0]));
        assert_eq!(scope.eval::<Symbol>(":a")?, Symbol("a".into()));
        let map: BTreeMap<String, Vec<i64>> = scope.eval("{ 'a' => [1, 2], b: [] }")?;
        assert_eq!(map["a"], [1, 2]);
        let echo: Any = scope.eval("->(*args) { args }")?;
        let back: (Any,) = (scope.call(&echo, "call", (1, "two", 3.0, vec![Some(4), None], true, ()))?,);
        assert_eq!(scope.call::<String>(&back.0, "inspect", ())?, "[1, \"two\", 3.0, [4, nil], true, nil]");
        assert!(matches!(scope.eval::<i8>("200"), Err(Error::Conversion { wanted: "i8", .. })));
        assert!(matches!(scope.eval::<i64>("'1'"), Err(Error::Conversion { wanted: "i64", got }) if got == "String"));
        Ok(())
    })
    .unwrap();
}

#[test]
fn errors_carry_the_exception() {
    let vm = Vm::new().unwrap();
    let class = |source: &str| vm.eval::<()>(source).unwrap_err().exception().map(|e| e.class.clone());
    assert_eq!(class("raise IOError, 'x'").as_deref(), Some("IOError"));
    assert_eq!(class("1 +").as_deref(), Some("SyntaxError"));
    assert_eq!(class("throw :x").as_deref(), Some("UncaughtThrowError"));
    assert!(matches!(vm.eval::<()>("exit 3"), Err(Error::Exit(3))));
    assert!(matches!(vm.eval::<()>("Thread.exit"), Err(Error::Killed)));
    assert_eq!(vm.eval::<i64>("x = 1; x + 1").unwrap(), 2);
    assert_eq!(vm.eval::<i64>("x").unwrap(), 1, "variables of earlier evaluations");
}

#[test]
fn methods_in_rust() {
    let vm = Vm::new().unwrap();
    let calls = Arc::new(AtomicUsize::new(0));
    let theirs = Arc::clone(&calls);
    vm.define("Host::Tools", "twice", move |scope, args| {
        theirs.fetch_add(1, SeqCst);
        let n: i64 = scope.get(args, 0)?;
        Ok(2 * n)
    })
    .unwrap();
    assert_eq!(vm.eval::<i64>("Host::Tools.twice(21)").unwrap(), 42);
    assert_eq!(
        vm.eval::<String>("begin; Host::Tools.twice('x'); rescue TypeError => e; e.message; end").unwrap(),
        "String cannot be made a i64"
    );
    vm.define("Host::Tools", "each", |scope, args| {
        let list: Vec<i64> = scope.get(args, 0)?;
        let block: Any = scope.get(args, 1)?;
        list.into_iter().map(|n| scope.call::<i64>(&block, "call", (n,))).collect::<Result<Vec<i64>, Error>>()
    })
    .unwrap();
    assert_eq!(vm.eval::<Vec<i64>>("Host::Tools.each([1, 2], ->(n) { n * 10 })").unwrap(), [10, 20]);
    assert_eq!(
        vm.eval::<String>("begin; Host::Tools.each([1], ->(n) { raise 'in ruby' }); rescue => e; e.message; end")
            .unwrap(),
        "in ruby"
    );
    assert_eq!(calls.load(SeqCst), 2);
    let inner = vm.clone();
    vm.define("Host::Tools", "reenter", move |_, _| inner.eval::<i64>("1")).unwrap();
    assert!(vm.eval::<i64>("Host::Tools.reenter").unwrap_err().to_string().contains("inside this VM already"));
    vm.eval::<()>("Host::Tools.singleton_class.remove_method(:reenter); GC.start").unwrap();
}

#[test]
fn vms_are_apart() {
    let (one, two) = (Vm::new().unwrap(), Vm::new().unwrap());
    one.eval::<()>("class Integer; def +(other) = 42; end; $x = 1").unwrap();
    assert_eq!(one.eval::<i64>("1 + 1").unwrap(), 42);
    assert_eq!(two.eval::<i64>("1 + 1").unwrap(), 2);
    assert_eq!(two.eval::<Option<i64>>("$x").unwrap(), None);
    let value: Any = one.eval("'one'").unwrap();
    assert!(matches!(two.enter(|scope| scope.call::<i64>(&value, "size", ())), Err(Error::OtherVm)));
}

#[test]
fn several_host_threads_share_one() {
    let vm = Vm::new().unwrap();
    vm.eval::<()>("COUNT = [0]; LOCK = Mutex.new").unwrap();
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                let mut session = vm.attach().unwrap();
                for _ in 0..200 {
                    session.eval::<()>("LOCK.synchronize { COUNT[0] += 1 }").unwrap();
                }
            });
        }
    });
    assert_eq!(vm.eval::<i64>("GC.start; COUNT[0]").unwrap(), 800);
    assert_eq!(vm.eval::<i64>("Thread.list.size").unwrap(), 2, "the main thread and this one");
}

#[test]
fn limits_end_what_runs() {
    let vm = Vm::builder().time_limit(Duration::from_millis(100)).build().unwrap();
    let endless = [
        "loop { }",
        "sleep",
        "begin; loop { }; rescue Exception; retry; end",
        "begin; sleep; ensure; loop { }; end",
        "Queue.new.pop",
        "def x; begin; loop { }; ensure; return 1; end; end; loop { x }",
        "def deep(n) = begin; n.zero? ? loop { } : deep(n - 1); ensure; loop { }; end; deep(200)",
        "Dir.glob('{a,b}' * 24)",
        "Fiber.new { begin; loop { }; ensure; loop { }; end }.resume",
        "catch(:out) { begin; loop { }; ensure; throw :out; end } while true",
        "[3, 1, 2].sort_by { begin; loop { }; ensure; next 1; end } while true",
        "Mutex.new.synchronize { loop { } }",
    ];
    for endless in endless {
        let start = Instant::now();
        assert!(matches!(vm.eval::<()>(endless), Err(Error::TimedOut)), "{endless}");
        assert!(start.elapsed() < Duration::from_secs(20));
    }
    assert_eq!(vm.eval::<i64>("1 + 1").unwrap(), 2);
    let vm = Vm::builder().memory_limit(64 << 20).build().unwrap();
    let greedy = [
        "a = []; loop { a << 'x' * 1_000_000 }",
        "a = []; loop { a << Object.new }",
        "b = 'x'; loop { b *= 2 }",
        "File.read('/dev/zero')",
        "IO.readlines('/dev/zero')",
        "(1..10**9).to_a",
        "[0] * 2**28",
        "Array.new(2**28, 0)",
        "a = []; a[2**28] = 1",
        "'x' * 2**30",
        "''.ljust(2**30)",
        "String.new(capacity: 2**30)",
        "h = {}; loop { h[h.size] = 1 }",
        "IO::Buffer.new(2**32).clear(1)",
        "a = []; loop { a << IO::Buffer.new(2**20) }",
        "eval('x=1;' * 10**7)",
        "GC.disable; a = []; loop { a << Object.new }",
        "1 << 2**31",
        "a = 1 << 2**28; a * (a + 1)",
        "10 ** 10**9",
    ];
    for greedy in greedy {
        let error = vm.eval::<()>(greedy).unwrap_err();
        assert_eq!(error.exception().map(|e| e.class.as_str()), Some("NoMemoryError"), "{greedy}: {error}");
        vm.eval::<()>("a = b = h = nil; GC.start").unwrap();
    }
    assert_eq!(vm.eval::<i64>("200.times { 'x' * 1_000_000 }; 7").unwrap(), 7, "garbage does not count");
    assert_eq!(
        vm.eval::<i64>("GC.disable; 3_000_000.times { Object.new }; GC.enable; 7").unwrap(),
        7,
        "nor while collections are off"
    );
    // The ceiling is that of the VM in which the thread is.
    let free = Vm::new().unwrap();
    assert_eq!(free.eval::<usize>("('x' * 2**27).bytesize").unwrap(), 1 << 27);
    vm.enter(|scope| {
        assert_eq!(free.eval::<usize>("('x' * 2**27).bytesize")?, 1 << 27);
        assert!(scope.eval::<()>("'x' * 2**27").is_err());
        Ok(())
    })
    .unwrap();
}

#[test]
fn the_end_has_a_limit() {
    for endless in [
        "at_exit { loop { } }",
        "100.times { at_exit { begin; sleep; ensure; loop { }; end } }",
        "q = Queue.new; Thread.new { begin; q << 1; sleep; ensure; loop { }; end }; q.pop",
        "q = Queue.new; Thread.new { begin; begin; q << 1; sleep; ensure; loop { }; end; ensure; sleep; end }; q.pop",
        "ObjectSpace.define_finalizer(Object.new, proc { loop { } })",
    ] {
        let vm = Vm::builder().close_limit(Duration::from_millis(100)).build().unwrap();
        vm.eval::<()>(&format!("{endless}; nil")).unwrap();
        let start = Instant::now();
        drop(vm);
        assert!(start.elapsed() < Duration::from_secs(10), "{endless}");
    }
}

#[test]
fn an_isolated_vm_does_not_reach_the_process() {
    let vm = Vm::builder().isolated().build().unwrap();
    let before = std::env::current_dir().unwrap();
    for reaching in [
        "exit!",
        "Process.exit!(0)",
        "exec 'true'",
        "Kernel.exec('true')",
        "Process.exec('true')",
        "fork { }",
        "Process.fork",
        "Process.daemon",
        "system 'true'",
        "spawn 'true'",
        "`true`",
        "%x{true}",
        "IO.popen('true')",
        "require 'open3'; Open3.capture2('true')",
        "require 'pty'",
        "Process.kill(:TERM, $$)",
        "Process.wait",
        "trap('INT') { }",
        "Signal.trap('INT', 'DEFAULT')",
        "Dir.chdir('/')",
        "Dir.chdir('/') { }",
        "Dir.new('/').chdir",
        "ENV['X'] = '1'",
        "ENV.delete('PATH')",
        "ENV.update('X' => '1')",
        "ENV.clear",
        "File.umask(0)",
        "Process.setrlimit(:NOFILE, 1)",
        "Process.setpriority(Process::PRIO_PROCESS, 0, 19)",
        "Process::Sys.setuid(1)",
        "Process::UID.change_privilege(1)",
        "Process.setproctitle('x')",
        "Kernel.instance_method(:exit!).bind_call(self)",
    ] {
        let error = vm.eval::<()>(&format!("{reaching}; nil")).unwrap_err();
        assert_eq!(error.exception().map(|e| e.class.as_str()), Some("SecurityError"), "{reaching}: {error}");
    }
    assert_eq!(std::env::current_dir().unwrap(), before);
    assert!(matches!(vm.eval::<()>("exit 3"), Err(Error::Exit(3))), "exit is the VM's own");
    assert!(vm.eval::<bool>("ENV['PATH'] && File.umask && Dir.pwd && Process.pid ? true : false").unwrap());
}

#[test]
fn the_end_runs_at_exit_and_ends_threads() {
    let seen = Arc::new(AtomicUsize::new(0));
    let vm = Vm::new().unwrap();
    let theirs = Arc::clone(&seen);
    vm.define("Host", "note", move |_, _| Ok(theirs.fetch_add(1, SeqCst) as u64)).unwrap();
    vm.eval::<()>(
        "at_exit { Host.note }; q = Queue.new; Thread.new { begin; q << 1; sleep; ensure; Host.note; end }; q.pop",
    )
    .unwrap();
    drop(vm);
    assert_eq!(seen.load(SeqCst), 2);
}

/// `Host.deaf`, which nothing ends: the interrupt waits, and the result is dropped. How many of these live.
fn define_deaf(vm: &Vm) -> Arc<AtomicUsize> {
    let live = Arc::new(AtomicUsize::new(0));
    struct Owned(Arc<AtomicUsize>);
    impl Drop for Owned {
        fn drop(&mut self) {
            self.0.fetch_sub(1, SeqCst);
        }
    }
    let count = Arc::clone(&live);
    vm.define("Host", "deaf", move |scope, _| {
        scope.blocking(Unblock::None, |_| {
            count.fetch_add(1, SeqCst);
            std::thread::sleep(Duration::from_millis(200));
            Some(Owned(Arc::clone(&count)))
        })?;
        Ok(())
    })
    .unwrap();
    live
}

#[test]
fn work_outside_ends_in_each_way() {
    let vm = Vm::new().unwrap();
    vm.eval::<()>("require 'timeout'").unwrap();
    let (mut reader, writer) = std::io::pipe().unwrap();
    let input = Arc::new(std::sync::Mutex::new(reader.try_clone().unwrap()));
    // A descriptor: the read returns EINTR, and is begun again after what raises nothing.
    vm.define("Host", "read", move |scope, _| {
        scope.blocking(Unblock::Fd, |_| {
            let mut byte = [0];
            match input.lock().unwrap().read(&mut byte) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => None,
                count => Some(count.map_or(-1, |count| if count == 1 { i64::from(byte[0]) } else { 0 })),
            }
        })
    })
    .unwrap();
    // A function: it wakes what waits elsewhere.
    let called = Arc::new(AtomicUsize::new(0));
    let calls = Arc::clone(&called);
    vm.define("Host", "wait", move |scope, _| {
        let (sender, receiver) = std::sync::mpsc::channel();
        let (sender, receiver) = (std::sync::Mutex::new(sender), std::sync::Mutex::new(receiver));
        let wake = || {
            calls.fetch_add(1, SeqCst);
            sender.lock().unwrap().send(()).unwrap();
        };
        scope.blocking::<()>(Unblock::Fn(&wake), |region| {
            receiver.lock().unwrap().recv().unwrap();
            assert!(region.interrupted());
            None
        })
    })
    .unwrap();
    let live = define_deaf(&vm);
    for method in ["read", "wait", "deaf"] {
        let begun = Instant::now();
        let error = vm.eval::<()>(&format!("Timeout.timeout(0.05) {{ Host.{method} }}")).unwrap_err();
        assert_eq!(error.exception().unwrap().class, "Timeout::Error", "{method}");
        vm.eval::<()>(&format!("t = Thread.new {{ Host.{method} }}; sleep 0.05; t.kill.join")).unwrap();
        let masked = "t = Thread.new { Thread.handle_interrupt(KeyError => :never) { begin; Host.METHOD; ensure; Thread.current[:over] = 1; end } }
            t.report_on_exception = false
            sleep 0.05; t.raise(KeyError); sleep 0.05; over = t[:over]; t.kill; (t.join rescue nil); over";
        if method != "deaf" {
            assert_eq!(vm.eval::<Option<i64>>(&masked.replace("METHOD", method)).unwrap(), None, "{method}");
        }
        assert!(begun.elapsed() < Duration::from_secs(5), "{method}: {:?}", begun.elapsed());
    }
    assert!(called.load(SeqCst) >= 3);
    assert_eq!(live.load(SeqCst), 0);
    std::io::Write::write_all(&mut &writer, b"ab").unwrap();
    assert_eq!(vm.eval::<i64>("Host.read").unwrap(), 97);
    let mut rest = [0];
    assert_eq!((reader.read(&mut rest).unwrap(), rest), (1, *b"b"));
}
