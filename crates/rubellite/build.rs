//! What the linker is told of the command: which names extensions find in it, and which functions lie beside each
//! other.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    if let Ok(symbols) = std::env::var("DEP_RUBELLITE_CEXT_SYMBOLS") {
        // Exactly the functions and variables of the C interface's headers.
        println!("cargo:rustc-link-arg-bins=-Wl,--dynamic-list={symbols}");
    }
    let profile = Path::new("../../profile");
    println!("cargo:rerun-if-changed={}", profile.display());
    if variable("PROFILE") == "release" && variable("TARGET") == variable("HOST") {
        lay_out(profile);
    }
}

/// Puts what programs need beside each other, so that few pages of the command are read (profile/README.md), and
/// keeps the places that the loader relocates in a compressed table. Either only where linker and loader know it.
fn lay_out(profile: &Path) {
    let version = Command::new(variable("RUSTC")).arg("--version").output().map(|output| output.stdout);
    let version = String::from_utf8(version.unwrap_or_default()).unwrap_or_default();
    let version = version.split(' ').nth(1).unwrap_or_default();
    let order = profile.join(format!("{version}-{}.order", variable("CARGO_CFG_TARGET_ARCH")));
    let order = std::fs::canonicalize(order).map(|order| format!("--symbol-ordering-file={}", order.display()));
    let order = order.ok().map(|order| format!("-Wl,{order},--no-warn-symbol-ordering"));
    for option in order.into_iter().chain(["-Wl,-z,pack-relative-relocs".to_string()]) {
        if runs_with(&option) {
            println!("cargo:rustc-link-arg-bins={option}");
        }
    }
}

/// Whether a program that is linked with this option comes to be, and runs.
fn runs_with(option: &str) -> bool {
    let directory = PathBuf::from(variable("OUT_DIR"));
    let (source, program) = (directory.join("probe.rs"), directory.join("probe"));
    if std::fs::write(&source, "fn main() {}\n").is_err() {
        return false;
    }
    let mut rustc = Command::new(variable("RUSTC"));
    if let Ok(linker) = std::env::var("RUSTC_LINKER") {
        rustc.arg(format!("-Clinker={linker}"));
    }
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    rustc.args(flags.split('\u{1f}').filter(|flag| !flag.is_empty()));
    rustc.arg(format!("-Clink-arg={option}")).arg("-o").arg(&program).arg(&source);
    let linked = rustc.output().is_ok_and(|output| output.status.success());
    linked && Command::new(&program).status().is_ok_and(|status| status.success())
}

/// What cargo says to build scripts.
fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}
