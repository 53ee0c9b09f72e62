//! Switches: `--jit`, `--jit=WORDS`, `--jit-threshold=N`, `--jit-mem=MB`, `--jit-stats`, and RUBELLITE_JIT with the
//! same words.

use crate::budget::BUDGETED;
use rubellite_vm::complain;
use rubellite_vm::jit::Compiler;

/// What the switches say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub on: bool,
    /// Calls after which a method is compiled; loops are compiled after three times as many turns.
    pub threshold: u32,
    /// Megabytes of code.
    pub memory: usize,
    pub stats: bool,
    /// The intermediate form and the machine code of each unit are written to standard error.
    pub asm: bool,
    /// One of so many guards fails without a reason; 0: none.
    pub fail: u32,
    /// Whether machine code is generated beside the lock; `None`: where several processors are there, but not with a
    /// threshold for tests.
    pub beside: Option<bool>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { on: true, threshold: 1000, memory: 32, stats: false, asm: false, fail: 0, beside: None }
    }
}

impl Settings {
    /// Takes words divided by commas: `on`, `off`, `threshold=N`, `mem=MB`, `stats`, `asm`, `fail=N`, `beside`, `here`.
    ///
    /// # Errors
    /// The word that means nothing.
    pub fn read(&mut self, words: &str) -> Result<(), String> {
        for word in words.split(',').filter(|word| !word.is_empty()) {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let number = || value.parse::<u32>().map_err(|_| word.to_string());
            match name {
                "on" | "off" => self.on = name == "on",
                "threshold" => (self.on, self.threshold) = (true, number()?.max(1)),
                "mem" => self.memory = number()?.clamp(1, 2048) as usize,
                "stats" => (self.on, self.stats) = (true, true),
                "asm" => (self.on, self.asm) = (true, true),
                "fail" => self.fail = number()?,
                "beside" | "here" => self.beside = Some(name == "beside"),
                _ => return Err(word.to_string()),
            }
        }
        Ok(())
    }

    /// What RUBELLITE_JIT says; words that mean nothing are told of.
    pub fn read_environment(&mut self) {
        let Ok(words) = std::env::var("RUBELLITE_JIT") else { return };
        if let Err(word) = self.read(&words) {
            complain!("rubellite: warning: RUBELLITE_JIT: unknown word: {word}");
        }
    }

    /// The compiler for a VM, if it is to have one.
    pub fn compiler(&self) -> Option<Compiler> {
        self.on.then(|| Compiler {
            compile: crate::compile::compile,
            install: crate::compile::install,
            beside: self.beside.unwrap_or_else(|| self.threshold >= BUDGETED && processors() > 1),
            calls: self.threshold,
            turns: self.threshold.saturating_mul(if self.threshold == 1 { 1 } else { 3 }),
            memory: self.memory << 20,
            fail: self.fail,
            races: false,
            report: self.stats,
            asm: self.asm,
        })
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, |number| number.get())
}

#[cfg(test)]
mod tests {
    use super::Settings;

    #[test]
    fn words() {
        let mut settings = Settings::default();
        assert_eq!(settings.read("threshold=1,fail=7"), Ok(()));
        assert_eq!(settings, Settings { on: true, threshold: 1, fail: 7, ..Settings::default() });
        assert_eq!(settings.read("off"), Ok(()));
        assert!(settings.compiler().is_none());
        assert_eq!(settings.read("threshold=x"), Err("threshold=x".to_string()));
        assert_eq!(settings.read("fast"), Err("fast".to_string()));
    }
}
