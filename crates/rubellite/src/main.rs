//! The command line.

#![forbid(unsafe_code)]

fn main() {
    let Some((_vm, mut ctx)) = rubellite::new_vm() else { std::process::exit(1) };
    let args: Vec<String> = std::env::args().collect();
    let (source, path) = if args[1] == "-e" { (args[2].clone().into_bytes(), "-e".to_string()) } else { (std::fs::read(&args[1]).unwrap_or_default(), args[1].clone()) };
    if ctx.run_source(&source, &path, true).is_err() {
        let exception = ctx.take_exception();
        eprintln!("{:?}", exception.map(|e| ctx.inspect(e)));
    }
    let name = ctx.intern("$stdout");
    if let Ok(out) = ctx.get_global(name) {
        let _ = ctx.call_name(out, "flush", &[]);
    }
}
