//! `cargo xtask`: the project's own chores, one command each. Every command lives in a module of its own; what they
//! share (arguments, child processes, the pool, lists of expected failures) lies beside this file.

mod apps;
mod args;
mod bench;
mod cruby;
mod diff;
mod events;
mod expected;
mod figures;
mod fuzz;
mod hostile;
mod layout;
mod library;
mod packaging;
mod pages;
mod pool;
mod process;
mod production;
mod profile;
mod race;
mod scaling;
mod scope;
mod spec;
mod stalls;
mod stress;
mod suite;
mod tidy;
mod unit;
mod workspace;

use std::process::ExitCode;

/// Whether a command found everything in order, or the reason why it could not run at all.
pub type Outcome = Result<bool, String>;

const USAGE: &str = "\
Usage: cargo xtask COMMAND [OPTIONS]

  library [--from FILE]                   bring Ruby's own library into the target directory (npm)
  packaging [--ruby RUBY]                 install, pack, unpack and remove what is built, and run it in between
  pages [--ruby RUBY] [--screenshots DIR] look at the pages that the command writes, in Chromium
  tidy                                    check the rules of STYLE.md that a program can check
  test [FILTER...] [--ruby RUBY] [--preload FILE] [--fill] [--update] [--jobs N] [--timeout S] [--verbose]
                                          run tests/**/*.rb
  spec --path DIR [--mspec DIR] [DIRS...] [--ruby RUBY] [--update] [--figures] [--json FILE] [--jobs N] [--timeout S]
                                          run ruby/spec and compare with spec/tags
  spec|cruby --path DIR --scope           compare spec/scope.txt with the directories of the suite
  bootstraptest --path CRUBY [FILTER...] [--ruby RUBY] [--update] [--jobs N]
                                          run CRuby's bootstraptest
  basictest --path CRUBY [--ruby RUBY]    run CRuby's basictest
  cruby --path CRUBY FILES|DIRS... [--only PART] [--ruby RUBY] [--update] [--figures] [--jobs N] [--timeout S] [--verbose]
                                          run CRuby's unit tests and compare with spec/cruby
  cruby --path CRUBY FILES|DIRS... --verify --oracle RUBY
                                          run the tests of which spec/cruby says that CRuby fails them on CRuby
  diff --oracle RUBY FILES|DIRS...        compare stdout and exit code of programs on two Rubies
  stress [MODE...] [--only FILTER] [--budget S]
                                          run part of the tests under RUBELLITE_STRESS (gc, steps, switch), and with
                                          methods under the names of the runtime's own (names)
  asan [FILTER...]                        build with AddressSanitizer (nightly) and run part of the tests
  tsan [FILTER...] [--rounds N]           run the lock's tests under ThreadSanitizer (nightly, rust-src)
  fuzz TARGET [--minutes N] [--seeds DIR] run a fuzz target (nightly, cargo-fuzz)
  fuzz --smoke [--seconds N] [--seed S]   build all fuzz targets (stable) and run each for some seconds
  hostile [--seconds N] [--seed S] [--case I] [--only METHOD] [--ruby RUBY] [--stress MODES]
                                          call all methods with values that misbehave, and look for crashes
  race [--seconds N] [--seed S] [--only OPERATION] [--ruby RUBY]
                                          change objects beside native operations on them
  apps [NAMES...] --oracle RUBY [--ruby RUBY]
                                          run programs that use the gems of the system's packages on two Rubies
  bench [NAMES...] [--vs RUBY] [--ruby RUBY] [--rounds N] [--micro] [--optcarrot DIR] [--json FILE]
  bench --ablate [MECHANISM...] [--ruby RUBY] [--figures PROGRAM] [--pairs N] [--only FIGURE,...] [--json FILE]
                                          measure speed, start-up and peak memory
  production [--with RUBY...] [--ruby RUBY] [--quick] [--only web|jobs] [--sqlite] [--rounds N] [--seconds S]
             [--json FILE] [--html FILE]  load examples/shop, a Rails application on Puma and Sidekiq, on several Rubies
  profile [PROGRAM...]                    count how often each part of the runtime runs, for the compiler (profile/)
  layout [PROGRAM...] [--ruby RUBY]       note which functions a start and common programs need, for the linker (profile/)
  scaling [OPERATION...] --vs RUBY [--ruby RUBY] [--rounds N]
                                          compare how time and memory of operations grow with their size
  stalls [--filter CASES] [--cases N] [--ruby RUBY] [--limit MS]
                                          how long calls with large values keep other threads from running

RUBY is the program under test; without --ruby it is target/release/rubellite.";

fn main() -> ExitCode {
    process::default_signals();
    let mut words = std::env::args().skip(1);
    let command = words.next().unwrap_or_default();
    let words: Vec<String> = words.collect();
    let outcome = match command.as_str() {
        "tidy" => tidy::run(&words),
        "scaling" => scaling::run(&words),
        "stalls" => stalls::run(&words),
        "test" => suite::run(&words),
        "spec" => spec::run(&words),
        "bootstraptest" => cruby::bootstraptest(&words),
        "basictest" => cruby::basictest(&words),
        "cruby" => unit::run(&words),
        "diff" => diff::run(&words),
        "stress" => stress::run(&words),
        "asan" => stress::asan(&words),
        "tsan" => stress::tsan(&words),
        "fuzz" => fuzz::run(&words),
        "hostile" => hostile::run(&words),
        "race" => race::run(&words),
        "library" => library::run(&words),
        "packaging" => packaging::run(&words),
        "pages" => pages::run(&words),
        "apps" => apps::run(&words),
        "bench" => bench::run(&words),
        "production" => production::run(&words),
        "profile" => profile::run(&words),
        "layout" => layout::run(&words),
        "" | "help" | "--help" | "-h" => {
            println!("{USAGE}");
            Ok(true)
        }
        other => Err(format!("unknown command {other}\n\n{USAGE}")),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(reason) => {
            eprintln!("xtask: {reason}");
            ExitCode::from(2)
        }
    }
}
