//! The mechanisms of the policy, one switch each. Without all of them the policy is the plain one: nobody spins, yields
//! or is bound, the kernel gives everybody the same slices, and the queues alone say who is next.

/// A set of mechanisms that are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mechanisms(u32);

macro_rules! mechanisms {
    ($($name:ident $word:literal $says:literal,)*) => {
        /// One thing that the policy does beyond the plain rule; each can be switched off.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub enum Mechanism {
            $(#[doc = $says] $name,)*
        }

        impl Mechanism {
            /// All of them.
            pub const ALL: &'static [Mechanism] = &[$(Mechanism::$name),*];

            /// Its name in settings.
            pub fn name(self) -> &'static str {
                match self {
                    $(Mechanism::$name => $word,)*
                }
            }
        }
    };
}

mechanisms! {
    SpinBack "spin_back" "A waiter back from a wait spins before it sleeps.",
    SpinCutShort "spin_cut_short" "A holder that gave way to such a waiter spins for longer.",
    SpinFree "spin_free" "A thread whose region has ended spins for a free lock before it queues.",
    SpinParked "spin_parked" "A thread that parks spins before it sleeps, where its last parks were short.",
    SpinYielded "spin_yielded" "A thread that passed its turn to the only other one spins for its return.",
    SpinIdle "spin_idle" "A native thread whose work has ended spins for the next piece of work.",
    WakeAhead "wake_ahead" "The next but one is woken together with the next, where turns are short.",
    LightLane "light_lane" "A thread that hardly used the lock goes before other priority threads.",
    SkipStuck "skip_stuck" "A head of the queue that was woken and does not run is passed over.",
    TakeOver "take_over" "A thread back from a wait takes the turn of one that still wakes up.",
    TakeOverLate "take_over_late" "Priority waiters look for turns that did not begin in time.",
    DeferTimekeeper "defer_timekeeper" "A holder that woke a thread may leave before that one wakes to keep the time.",
    OneProcessor "one_processor" "Threads that compute take turns on one processor.",
    ShortSlices "short_slices" "Threads that mostly wait ask the kernel for short slices.",
    LongSlices "long_slices" "Threads that compute outside the lock or on one processor ask for long ones.",
    YieldTurn "yield_turn" "A thread that has the lock again and computes yields the processor first.",
    YieldWork "yield_work" "A thread that comes back from native work yields the processor first.",
}

impl Mechanisms {
    /// None: the plain policy. What measurements start from, what models check first, and all that a system without
    /// the means has.
    pub const PLAIN: Mechanisms = Mechanisms(0);

    /// All of them.
    pub const STANDARD: Mechanisms = Mechanisms((1 << Mechanism::ALL.len()) - 1);

    /// Is it on?
    #[inline(always)]
    pub const fn has(self, mechanism: Mechanism) -> bool {
        self.0 & (1 << mechanism as u32) != 0
    }

    /// The same set with this one.
    #[must_use]
    pub const fn with(self, mechanism: Mechanism) -> Mechanisms {
        Mechanisms(self.0 | 1 << mechanism as u32)
    }

    /// The same set without this one.
    #[must_use]
    pub const fn without(self, mechanism: Mechanism) -> Mechanisms {
        Mechanisms(self.0 & !(1 << mechanism as u32))
    }

    /// The same set without those of a list of names with commas; `all` stands for all of them.
    ///
    /// # Errors
    /// The name that is none.
    pub fn without_named(self, names: &str) -> Result<Mechanisms, String> {
        names.split(',').map(str::trim).filter(|name| !name.is_empty()).try_fold(self, |set, name| {
            let found = Mechanism::ALL.iter().find(|mechanism| mechanism.name() == name);
            match found {
                Some(mechanism) => Ok(set.without(*mechanism)),
                None if name == "all" => Ok(Mechanisms::PLAIN),
                None => Err(name.to_string()),
            }
        })
    }

    /// In a build for measurements: the same set without those that `RUBELLITE_LOCK_WITHOUT` names.
    pub(crate) fn ablated(self) -> Mechanisms {
        #[cfg(feature = "ablate")]
        if let Ok(names) = std::env::var("RUBELLITE_LOCK_WITHOUT") {
            return self
                .without_named(&names)
                .unwrap_or_else(|name| panic!("RUBELLITE_LOCK_WITHOUT: no mechanism {name}"));
        }
        self
    }
}

impl Default for Mechanisms {
    /// All where the system has the means, none elsewhere.
    fn default() -> Self {
        if cfg!(all(target_os = "linux", not(feature = "portable"))) { Mechanisms::STANDARD } else { Mechanisms::PLAIN }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_switch_and_a_name_of_its_own() {
        for mechanism in Mechanism::ALL {
            let without = Mechanisms::STANDARD.without_named(mechanism.name()).unwrap();
            assert!(!without.has(*mechanism) && without.with(*mechanism) == Mechanisms::STANDARD);
            assert_eq!(Mechanism::ALL.iter().filter(|other| without.has(**other)).count(), Mechanism::ALL.len() - 1);
        }
        assert_eq!(Mechanisms::STANDARD.without_named("all"), Ok(Mechanisms::PLAIN));
        assert_eq!(Mechanisms::STANDARD.without_named(" light_lane, luck"), Err("luck".to_string()));
        assert_eq!(Mechanisms::PLAIN.without_named(""), Ok(Mechanisms::PLAIN));
    }
}
