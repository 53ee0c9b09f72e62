//! The extension at work: its result, its callbacks, and what ends it early.

use rubellite::{Error, Vm};
use std::time::{Duration, Instant};

fn vm() -> Vm {
    let vm = Vm::builder().library("primes", primes::load).build().unwrap();
    vm.eval::<()>("require 'primes'; require 'timeout'; ENDLESS = Primes.new(10**15)").unwrap();
    vm
}

fn within<R>(limit: Duration, work: impl FnOnce() -> R) -> R {
    let begun = Instant::now();
    let result = work();
    assert!(begun.elapsed() < limit, "took {:?}", begun.elapsed());
    result
}

const SOON: Duration = Duration::from_secs(5);

#[test]
fn counts_and_reports() {
    let vm = vm();
    assert_eq!(vm.eval::<i64>("Primes.new(100_000).count").unwrap(), 9592);
    let reports: Vec<i64> = vm.eval("list = []; Primes.new(100_000).count(list.method(:push)); list").unwrap();
    assert_eq!(reports, [16, 32, 49, 65, 81, 98]);
    assert_eq!(
        vm.eval::<i64>("4.times.map { Thread.new { Primes.new(50_000).count(->(_) { GC.start }) } }.sum(&:value)")
            .unwrap(),
        4 * 5133
    );
}

#[test]
fn a_callback_that_fails_ends_the_work() {
    let vm = vm();
    let error = vm.eval::<()>("ENDLESS.count(->(percent) { raise KeyError, 'enough' })").unwrap_err();
    assert_eq!(error.exception().unwrap().class, "KeyError");
    assert!(matches!(vm.eval::<()>("ENDLESS.count(->(_) { exit 3 })"), Err(Error::Exit(3))));
}

#[test]
fn kill_timeout_and_raise_end_it() {
    let vm = vm();
    within(SOON, || {
        assert_eq!(
            vm.eval::<i64>("t = Thread.new { ENDLESS.count }; sleep 0.05; t.kill.join; t.alive? ? 0 : 1").unwrap(),
            1
        );
        assert_eq!(
            vm.eval::<String>(
                "begin; Timeout.timeout(0.05) { ENDLESS.count }; rescue Timeout::Error => e; e.message; end"
            )
            .unwrap(),
            "execution expired"
        );
        assert_eq!(
            vm.eval::<String>(
                "begin; Timeout.timeout(0.05) { ENDLESS.count(->(_) {}) }; rescue Timeout::Error => e; e.message; end"
            )
            .unwrap(),
            "execution expired"
        );
        let ensured = "$ran = 0; t = Thread.new { begin; ENDLESS.count(->(_) { sleep }); ensure; $ran += 1; end }; sleep 0.05; t.kill.join; $ran";
        assert_eq!(vm.eval::<i64>(ensured).unwrap(), 1);
    });
    assert_eq!(vm.eval::<i64>("Primes.new(100_000).count").unwrap(), 9592);
}

#[test]
fn a_harmless_interrupt_does_not_end_it() {
    let vm = vm();
    let source = "
        counts = []
        t = Thread.new do
          Thread.handle_interrupt(RuntimeError => :never) { counts << Primes.new(2_000_000).count }
        rescue RuntimeError => e
          counts << e.message.to_i
        end
        5.times { sleep 0.005; t.raise('42') if t.alive? }
        t.join rescue nil
        counts";
    assert_eq!(vm.eval::<Vec<i64>>(source).unwrap()[..2], [148_933, 42]);
}

#[test]
fn a_fiber_may_leave_a_callback() {
    let vm = vm();
    let source = "
        outer = Fiber.new { Primes.new(100_000).count(->(percent) { Fiber.yield percent }) }
        seen = []
        while (value = outer.resume) != 9592
          seen << value
          Primes.new(20_000).count(->(_) { GC.start })
        end
        left = Fiber.new { ENDLESS.count(->(percent) { Fiber.yield }) }
        left.resume
        left = nil
        GC.start
        t = Thread.new { Fiber.new { ENDLESS.count(->(_) { Fiber.yield }) }.resume; ENDLESS.count }
        sleep 0.05
        t.kill.join
        seen";
    assert_eq!(within(SOON, || vm.eval::<Vec<i64>>(source).unwrap()), [16, 32, 49, 65, 81, 98]);
}

#[test]
fn a_time_limit_and_the_end_of_the_vm_end_it() {
    let vm = vm();
    within(SOON, || {
        let mut session = vm.attach().unwrap();
        session.set_time_limit(Some(Duration::from_millis(50)));
        assert!(matches!(session.eval::<()>("ENDLESS.count"), Err(Error::TimedOut)));
    });
    vm.eval::<()>("3.times { Thread.new { ENDLESS.count } }; Thread.new { ENDLESS.count(->(_) {}) }; sleep 0.05")
        .unwrap();
    within(SOON, || drop(vm));
}
