//! `cargo xtask pages`: looks at the pages that the command writes in a headless Chromium, which the programs in
//! `xtask/pages` drive.

use crate::Outcome;
use crate::args::Args;
use crate::process::{End, Run};
use crate::workspace::{self, root};

/// The names under which systems have it.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// One for each page, and one for the screen of `top`.
const PROGRAMS: [&str; 5] = [
    "xtask/pages/lock_report.rb",
    "xtask/pages/profile.rb",
    "xtask/pages/explore.rb",
    "xtask/pages/ccbench.rb",
    "xtask/pages/top.rb",
];

pub fn run(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["ruby", "screenshots"], &[])?;
    let ruby = workspace::ruby(args.value("ruby"))?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let dirs: Vec<_> = std::env::split_paths(&path).collect();
    let Some(browser) =
        BROWSERS.iter().find_map(|name| dirs.iter().map(|dir| dir.join(name)).find(|path| path.is_file()))
    else {
        println!("There is no Chromium here (package chromium): the pages were not looked at");
        return Ok(true);
    };
    let mut good = true;
    for program in PROGRAMS {
        let mut run = Run::new(&ruby).arg(root().join(program)).arg(&browser).limit(300.0);
        if let Some(dir) = args.value("screenshots") {
            run = run.arg(dir);
        }
        let finished = run.finish()?;
        print!("{}", String::from_utf8_lossy(&finished.stdout));
        if finished.end != End::Exit(0) {
            print!("{}", String::from_utf8_lossy(&finished.stderr));
            println!("{}", finished.end);
            good = false;
        }
    }
    Ok(good)
}
