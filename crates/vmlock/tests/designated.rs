//! Who holds the designated lock. There is one for each process: this is a test program of its own.

use rubellite_vmlock::{Config, Kind, VmLock, designate_next, holds_designated};

#[test]
fn only_the_thread_that_holds_it_is_told_so() {
    let before = VmLock::new(Config::default());
    designate_next();
    let lock = VmLock::new(Config::default());
    let after = VmLock::new(Config::default());
    for other in [before, after] {
        let me = other.attach("other");
        me.acquire();
        assert!(!holds_designated());
        me.detach();
    }

    let me = lock.attach("me");
    assert!(!holds_designated());
    me.acquire();
    assert!(holds_designated());
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| {
            let other = lock.attach("waits");
            assert!(!holds_designated());
            other.acquire();
            assert!(holds_designated());
            other.release();
        });
        me.region(Kind::Long, || {
            assert!(!holds_designated());
            waits.join().unwrap();
        });
        assert!(holds_designated());
    });
    me.detach();

    std::thread::scope(|scope| {
        scope.spawn(|| {
            let same_slot = lock.attach("same slot");
            same_slot.acquire();
            assert!(holds_designated());
            scope.spawn(|| assert!(!holds_designated())).join().unwrap();
            same_slot.release();
        });
    });
    assert!(!holds_designated());
}
