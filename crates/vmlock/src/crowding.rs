//! Remembering that others want a processor: for longer each time that it shows again, until it has been free for long enough.

/// How long that is remembered, the first time and at most.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub first_ns: u64,
    pub most_ns: u64,
}

impl Limits {
    /// How long it is remembered after a time that lasted so long; zero: none did.
    pub fn after(self, last_ns: u64) -> u64 {
        (2 * last_ns).clamp(self.first_ns, self.most_ns)
    }
}

/// What is remembered.
#[derive(Default)]
pub(crate) struct Crowding {
    until_ns: u64,
    /// For how long the last time.
    lasts_ns: u64,
}

impl Crowding {
    /// It shows now that others want the processor.
    pub fn seen(&mut self, now_ns: u64, limits: Limits) {
        self.lasts_ns = limits.after(self.lasts_ns);
        self.until_ns = now_ns + self.lasts_ns;
    }

    /// The processor has been free for long: the next time counts as the first.
    pub fn relax(&mut self) {
        self.lasts_ns = 0;
    }

    /// Is the processor taken to be wanted by others?
    pub fn lasts(&self, now_ns: u64) -> bool {
        now_ns < self.until_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_remembered_longer_each_time() {
        let limits = Limits { first_ns: 100, most_ns: 350 };
        let mut crowding = Crowding::default();
        assert!(!crowding.lasts(0));
        for lasts_ns in [100, 200, 350, 350] {
            crowding.seen(1000, limits);
            assert!(crowding.lasts(1000 + lasts_ns - 1) && !crowding.lasts(1000 + lasts_ns));
        }
        crowding.relax();
        assert!(crowding.lasts(1349), "what was seen is not forgotten");
        crowding.seen(2000, limits);
        assert!(crowding.lasts(2099) && !crowding.lasts(2100));
    }
}
