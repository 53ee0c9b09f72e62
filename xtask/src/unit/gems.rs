//! Gems of Ruby's distribution whose tests lie in repositories of their own (`fiddle`, `irb`, `debug` ...): they are
//! installed from their checkouts, with their extensions in C, and their tests run on what is installed, under the gem
//! test-unit. Their names begin with `gems/`, and so do those of their lists.

use crate::process::Run;
use crate::workspace::{self, Staging};
use std::path::{Path, PathBuf};

const PREFIX: &str = "gems/";
/// The assertions of CRuby's own harness that gems use, a gem of its own elsewhere (`test-unit-ruby-core`).
const HELPERS: &[&str] = &["core_assertions", "envutil", "find_executable", "memory_status"];
const INSTALL_SECONDS: f64 = 600.0;
/// How long the tests of `debug` wait for their debuggers, each of which is a process or three; those of `irb` know CI
/// alone.
const WAIT_SECONDS: &str = "60";

pub struct Gems {
    /// Where they are installed.
    home: PathBuf,
    driver: PathBuf,
    helpers: PathBuf,
}

/// Whether a name of a test file is that of a gem's.
pub fn is_gem(name: &str) -> bool {
    name.starts_with(PREFIX)
}

impl Gems {
    /// Installs the gems of which `dir` has checkouts, and copies those that `names` name to where the tests lie.
    pub fn new(ruby: &Path, staging: &Staging, cruby: &Path, dir: &Path, names: &[String]) -> Result<Gems, String> {
        let script = staging.copy(&workspace::root().join("spec/gem_home.rb"), Path::new("gem_home.rb"))?;
        let driver = staging.copy(&workspace::root().join("spec/gem_driver.rb"), Path::new("gem_driver.rb"))?;
        for helper in HELPERS {
            let file = format!("{helper}.rb");
            staging.copy(&cruby.join("tool/lib").join(&file), &Path::new("helpers").join(&file))?;
        }
        let entries = std::fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
        let mut checkouts = Vec::new();
        for checkout in entries.flatten().map(|entry| entry.path()).filter(|path| is_checkout(path)) {
            let name = checkout.file_name().unwrap_or_default();
            checkouts.push(staging.copy_tree(&checkout, &Path::new("gem_sources").join(name))?);
            let word = format!("{PREFIX}{}", name.to_string_lossy());
            if names.iter().any(|named| named.trim_end_matches('/') == word || named.starts_with(&format!("{word}/"))) {
                staging.copy_tree(&checkout, &Path::new("checkout/test").join(word))?;
            }
        }
        checkouts.sort();
        let gems = Gems { home: staging.dir.join("gem_home"), driver, helpers: staging.dir.join("helpers") };
        let finished =
            Run::new(ruby).arg("-W0").arg(script).arg(&gems.home).args(checkouts).limit(INSTALL_SECONDS).finish()?;
        print!("{}", String::from_utf8_lossy(&finished.stdout));
        Ok(gems)
    }

    /// The beginning of a run of one file: the checkout and the file follow as arguments of the driver.
    pub fn start(&self, ruby: &Path, tests: &Path, name: &str) -> Run<'static> {
        let gem = name.strip_prefix(PREFIX).and_then(|rest| rest.split('/').next()).unwrap_or_default();
        let checkout = tests.join(PREFIX).join(gem);
        let mut run = Run::new(ruby).arg("-W1");
        for dir in [&checkout.join("test"), &checkout.join("test/lib"), &self.helpers] {
            run = run.arg("-I").arg(dir);
        }
        run.arg(&self.driver)
            .arg(checkout)
            .env("GEM_HOME", &self.home)
            .env("RUBY_DEBUG_TIMEOUT_SEC", WAIT_SECONDS)
            .env("CI", "true")
    }
}

fn is_checkout(dir: &Path) -> bool {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| workspace::has_extension(&path, "gemspec"))
}
