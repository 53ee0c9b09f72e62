//! Exports the C interface from the command, so that extensions find it: exactly the functions and variables of the
//! headers.

fn main() {
    if let Ok(symbols) = std::env::var("DEP_RUBELLITE_CEXT_SYMBOLS") {
        println!("cargo:rustc-link-arg-bins=-Wl,--dynamic-list={symbols}");
    }
}
