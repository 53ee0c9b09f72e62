//! The example in C, compiled and loaded as a program would do it: its results, its callbacks, what ends it early, and
//! that its cleanup has always run.

use rubellite::{Error, Scope, Vm};
use rubellite_region::{Context, enter};
use std::ffi::{CString, c_int, c_void};
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

type Mix = unsafe extern "C" fn(*mut Context, u64, c_int, *mut u64) -> c_int;
type Wait = unsafe extern "C" fn(*mut Context, c_int, *mut c_int) -> c_int;

#[derive(Clone, Copy)]
struct Slow {
    mix: Mix,
    read: Wait,
    wait: Wait,
    live_jobs: usize,
}

/// The functions that the C code calls must be in this program.
#[used]
static NEEDED: [unsafe extern "C" fn(*mut Context) -> c_int; 1] = [rubellite_region::rubellite_check];

fn slow() -> Slow {
    static SLOW: OnceLock<Slow> = OnceLock::new();
    *SLOW.get_or_init(|| {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("slow.so");
        let compiler = Command::new("cc")
            .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-I"])
            .arg(here.join("include"))
            .arg(here.join("examples/slow.c"))
            .arg("-o")
            .arg(&library)
            .status();
        assert!(compiler.expect("there is a C compiler").success());
        let path = CString::new(library.to_str().unwrap()).unwrap();
        // SAFETY: the library has no constructors; the symbols have these types.
        unsafe {
            let handle = libc::dlopen(path.as_ptr(), libc::RTLD_NOW);
            assert!(!handle.is_null(), "{:?}", std::ffi::CStr::from_ptr(libc::dlerror()));
            let find = |name: &std::ffi::CStr| {
                let symbol = libc::dlsym(handle, name.as_ptr());
                assert!(!symbol.is_null(), "{name:?}");
                symbol
            };
            Slow {
                mix: std::mem::transmute::<*mut c_void, Mix>(find(c"slow_mix")),
                read: std::mem::transmute::<*mut c_void, Wait>(find(c"slow_read")),
                wait: std::mem::transmute::<*mut c_void, Wait>(find(c"slow_wait")),
                live_jobs: find(c"live_jobs") as usize,
            }
        }
    })
}

fn live_jobs() -> c_int {
    // SAFETY: the variable of the library; the test's threads have ended.
    unsafe { (slow().live_jobs as *const c_int).read_volatile() }
}

/// Calls C code as a native method does.
fn native<R: rubellite::IntoRuby>(
    scope: &mut Scope,
    call: impl FnOnce(*mut Context) -> c_int,
    result: impl FnOnce() -> R,
) -> Result<R, Error> {
    match enter(scope.ctx(), call) {
        Ok(()) => Ok(result()),
        Err(unwind) => Err(scope.error_of(unwind)),
    }
}

fn vm() -> Vm {
    let vm = Vm::new().unwrap();
    let slow = slow();
    vm.define("Slow", "mix", move |scope, args| {
        let (rounds, reports): (u64, bool) = (scope.get(args, 0)?, scope.get(args, 1)?);
        let mut result = 0;
        let out = &raw mut result;
        // SAFETY: the function's arguments are of its types.
        native(scope, |ctx| unsafe { (slow.mix)(ctx, rounds, c_int::from(reports), out) }, || unsafe { *out })
    })
    .unwrap();
    for (name, function) in [("read", slow.read), ("wait", slow.wait)] {
        vm.define("Slow", name, move |scope, args| {
            let number: i32 = scope.get(args, 0)?;
            let mut result = 0;
            let out = &raw mut result;
            // SAFETY: as above.
            native(scope, |ctx| unsafe { function(ctx, number, out) }, || unsafe { i64::from(*out) })
        })
        .unwrap();
    }
    vm.eval::<()>("require 'timeout'; $reports = []; ENDLESS = 2**62").unwrap();
    vm
}

fn mixed(rounds: u64) -> u64 {
    (0..rounds).fold(1u64, |state, round| state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(round % 64))
}

/// One test, because `live_jobs` belongs to the process.
#[test]
fn work_in_c() {
    let begun = Instant::now();
    let vm = vm();
    assert_eq!(vm.eval::<u64>("Slow.mix(100_000, false)").unwrap(), mixed(100_000));
    assert_eq!(vm.eval::<u64>("Slow.mix(10_000, true)").unwrap(), mixed(10_000));
    assert_eq!(vm.eval::<i64>("$reports.size").unwrap(), 3);
    assert_eq!(
        vm.eval::<u64>("4.times.map { Thread.new { Slow.mix(50_000, true) } }.map(&:value).uniq.sum").unwrap(),
        mixed(50_000)
    );
    assert_eq!(live_jobs(), 0);

    // Kill, Timeout, time limits.
    vm.eval::<()>("t = Thread.new { Slow.mix(ENDLESS, false) }; sleep 0.05; t.kill.join").unwrap();
    let timed_out =
        "begin; Timeout.timeout(0.05) { Slow.mix(ENDLESS, false) }; rescue Timeout::Error => e; e.message; end";
    assert_eq!(vm.eval::<String>(timed_out).unwrap(), "execution expired");
    assert_eq!(live_jobs(), 0);
    let mut session = vm.attach().unwrap();
    session.set_time_limit(Some(Duration::from_millis(50)));
    assert!(matches!(session.eval::<()>("Slow.mix(ENDLESS, true)"), Err(Error::TimedOut)));
    drop(session);
    assert_eq!(live_jobs(), 0);

    // What a callback raises ends the work.
    let raises = "$reports = Object.new; def ($reports).<<(_) = raise(KeyError, 'enough'); Slow.mix(ENDLESS, true)";
    assert_eq!(vm.eval::<()>(raises).unwrap_err().exception().unwrap().class, "KeyError");
    assert!(matches!(vm.eval::<()>("def ($reports).<<(_) = exit(5); Slow.mix(ENDLESS, true)"), Err(Error::Exit(5))));
    assert_eq!(live_jobs(), 0);

    // Waits for a descriptor and for a child.
    let (reader, writer) = std::io::pipe().unwrap();
    let fd = reader.as_raw_fd();
    assert_eq!(
        vm.eval::<()>(&format!("Timeout.timeout(0.05) {{ Slow.read({fd}) }}")).unwrap_err().exception().unwrap().class,
        "Timeout::Error"
    );
    vm.eval::<()>(&format!("t = Thread.new {{ Slow.read({fd}) }}; sleep 0.05; t.kill.join")).unwrap();
    std::io::Write::write_all(&mut &writer, b"a").unwrap();
    assert_eq!(vm.eval::<i64>(&format!("Slow.read({fd})")).unwrap(), 97);
    #[allow(clippy::zombie_processes)]
    let child = Command::new("sleep").arg("0.5").spawn().unwrap().id();
    assert_eq!(
        vm.eval::<()>(&format!("Timeout.timeout(0.05) {{ Slow.wait({child}) }}"))
            .unwrap_err()
            .exception()
            .unwrap()
            .class,
        "Timeout::Error"
    );
    assert_eq!(vm.eval::<i64>(&format!("Slow.wait({child})")).unwrap(), 0);

    // The end of the VM.
    vm.eval::<()>(&format!("$reports = []; [true, false].each {{ |r| Thread.new {{ Slow.mix(ENDLESS, r) }} }}; Thread.new {{ Slow.read({fd}) }}; sleep 0.05"))
        .unwrap();
    assert_eq!(live_jobs(), 2);
    drop(vm);
    assert_eq!(live_jobs(), 0);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}
