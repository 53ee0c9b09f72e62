//! Switches of the JIT, which a build may lack.

use super::options::Options;
use rubellite_vm::{Ctx, VmConfig, jit::Compiler};

/// The words of a switch, as RUBELLITE_JIT has them; none: it is not one of the JIT's. Switches of YJIT that mean the
/// same here are taken too, its others pass.
pub fn words(name: &str, value: Option<&str>) -> Option<String> {
    let number = |word: &str| format!("{word}={}", value.unwrap_or_default());
    Some(match name {
        "jit" | "yjit" => value.unwrap_or("on").to_string(),
        "jit-threshold" | "yjit-call-threshold" => number("threshold"),
        "jit-mem" | "yjit-mem-size" | "yjit-exec-mem-size" => number("mem"),
        "jit-stats" | "yjit-stats" => "stats".to_string(),
        _ => return None,
    })
}

/// Whether the words mean something.
#[cfg(feature = "jit")]
pub fn check(words: &str) -> Result<(), String> {
    rubellite_jit::Settings::default().read(words).map_err(|word| format!("invalid word for --jit: {word}"))
}

#[cfg(not(feature = "jit"))]
pub fn check(_words: &str) -> Result<(), String> {
    Ok(())
}

/// Gives the VM a compiler if the switches or the environment say so. Under a fixed schedule it has none: what is
/// inlined has fewer places at which threads may switch, and when something is compiled depends on clocks. Where races
/// are looked for compiled code tells of accesses.
#[cfg(feature = "jit")]
pub fn configure(config: VmConfig, options: &Options) -> VmConfig {
    let mut settings = rubellite_jit::Settings::default();
    settings.read_environment();
    for words in &options.jit {
        // They were looked at when they were read.
        let _ = settings.read(words);
    }
    let compiler = settings.compiler().filter(|_| options.schedule.is_none());
    VmConfig { compiler: compiler.map(|compiler| Compiler { races: options.races.is_some(), ..compiler }), ..config }
}

#[cfg(not(feature = "jit"))]
pub fn configure(config: VmConfig, _options: &Options) -> VmConfig {
    config
}

/// Statistics at the end of the program.
#[cfg(feature = "jit")]
pub fn report(ctx: &Ctx) {
    rubellite_jit::report(ctx);
}

#[cfg(not(feature = "jit"))]
pub fn report(_ctx: &Ctx) {}
