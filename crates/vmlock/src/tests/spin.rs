//! The one loop that waits awake.

use crate::policy::{Bound, Pause, spin};
use crate::sys;

#[test]
fn a_spin_ends_with_its_bound_or_an_answer() {
    let mut looks = 0;
    let mut look = |at: u32| {
        spin(Bound::Looks(7), Pause::Hint, |now_ns| {
            looks += 1;
            assert_eq!(now_ns, 0);
            (looks == at).then_some("answer")
        })
    };
    assert_eq!([look(100), look(9)], [None, Some("answer")]);
    assert_eq!(looks, 9);
    let start_ns = sys::now_ns();
    assert_eq!(spin(Bound::Ns(100_000), Pause::Yield, |_| None::<()>), None);
    assert!(sys::now_ns() - start_ns > 100_000);
}
