//! Programs that load C code let it find the functions of this crate among their own symbols.

fn main() {
    println!("cargo::rustc-link-arg-tests=-rdynamic");
    println!("cargo::rerun-if-changed=build.rs");
}
