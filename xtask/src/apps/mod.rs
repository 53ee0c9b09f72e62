//! `cargo xtask apps`: programs that use real gems, on our Ruby and on another one: the same output? CPU time and peak
//! memory of their start and of the whole beside the other's.
//!
//! The gems are those that the system's packages have installed, or packages that are unpacked below the directory that
//! `--packages` names. They are copied to where both Rubies see them, without the parts in C, which belong to a Ruby of
//! their own. Programs that need such parts (`rails`, `mechanize`) take them from a directory of gems for each Ruby,
//! which `--home` and `--oracle-home` name: what `gem install --install-dir` of that Ruby has put there. A program is a
//! file here: what it requires, an empty line, what it does. Where one of its gems is not installed it says so by the
//! exit code 77, and is left out.

use crate::Outcome;
use crate::args::Args;
use crate::process::{End, Finished, Run};
use crate::workspace::{self, Staging, files_below, root, target_dir};
use std::path::{Path, PathBuf};

/// Where packages put files of gems: libraries without versions, and directories of gems.
const LIBRARIES: &str = "usr/lib/ruby/vendor_ruby";
const DATA: &str = "usr/share";
const GEMS: &[&str] = &["usr/share/rubygems-integration/all", "var/lib/gems/all"];
/// What the Rubies bring themselves, each its own.
const OWN: &[&str] = &["rubygems", "rubygems.rb", "bundler", "bundler.rb", "bundler.gemspec"];
const NOT_INSTALLED: i32 = 77;
const LIMIT_SECONDS: f64 = 120.0;

pub fn run(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["oracle", "ruby", "packages", "home", "oracle-home"], &["verbose"])?;
    let ruby = workspace::ruby(args.value("ruby"))?;
    let oracle =
        workspace::ruby(Some(args.value("oracle").ok_or("--oracle RUBY must name the Ruby to compare with")?))?;
    let place = Place::new(Path::new(args.value("packages").unwrap_or("/")))?;
    let programs = files_below(&root().join("xtask/src/apps"), &|path| workspace::has_extension(path, "rb"));
    let (mut passed, mut failed, mut missing) = (0, 0, Vec::new());
    println!("{:<18} {:>21} {:>21} {:>21}", "", "start, s", "CPU, s", "peak, MiB");
    for program in programs {
        let name = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !args.names.is_empty() && !args.names.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let ours = place.measure(&ruby, args.value("home"), &program)?;
        let theirs = place.measure(&oracle, args.value("oracle-home"), &program)?;
        if theirs.whole.end == End::Exit(NOT_INSTALLED) {
            missing.push(name);
            continue;
        }
        println!(
            "{name:<18} {} {} {}",
            pair(ours.start, theirs.start),
            pair(ours.whole.cpu_seconds, theirs.whole.cpu_seconds),
            peaks(&ours, &theirs)
        );
        match difference(&ours.whole, &theirs.whole) {
            None => passed += 1,
            Some(text) => {
                failed += 1;
                println!("    {}", text.replace('\n', "\n    "));
            }
        }
    }
    if !missing.is_empty() {
        println!("{} need gems that are not installed: {}", missing.len(), missing.join(" "));
    }
    println!("{passed} passed, {failed} failed");
    Ok(failed == 0)
}

fn pair(ours: f64, theirs: f64) -> String {
    format!("{ours:>6.2} {theirs:>6.2} ({:>4.2})", ours / theirs.max(0.001))
}

fn peaks(ours: &Measured, theirs: &Measured) -> String {
    pair(ours.whole.peak_kib as f64 / 1024.0, theirs.whole.peak_kib as f64 / 1024.0)
}

/// What differs; none if nothing does.
fn difference(ours: &Finished, theirs: &Finished) -> Option<String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let last = |finished: &Finished| text(&finished.stderr).lines().take(4).collect::<Vec<_>>().join("\n");
    if theirs.end != End::Exit(0) {
        return Some(format!("it does not run there: {}\n{}", theirs.end, last(theirs)));
    }
    if ours.end != theirs.end {
        return Some(format!("{}\n{}", ours.end, last(ours)));
    }
    let (ours, theirs) = (text(&ours.stdout), text(&theirs.stdout));
    if ours == theirs {
        return None;
    }
    let line = ours
        .lines()
        .zip(theirs.lines())
        .position(|(a, b)| a != b)
        .unwrap_or_else(|| ours.lines().count().min(theirs.lines().count()));
    let at = |text: &str| text.lines().nth(line).unwrap_or("(the end)").to_string();
    Some(format!("line {}: {}\nthere: {}", line + 1, at(&ours), at(&theirs)))
}

struct Measured {
    /// CPU seconds of what the program requires.
    start: f64,
    whole: Finished,
}

/// A directory with copies of the gems.
struct Place {
    staging: Staging,
    gems: PathBuf,
    libraries: PathBuf,
    /// The directories of gems that Ruby's distribution brings.
    bundled: Vec<std::ffi::OsString>,
}

impl Place {
    /// What the packages below `root` have installed.
    fn new(root: &Path) -> Result<Place, String> {
        let staging = Staging::new("apps")?;
        let names =
            std::fs::read_dir(target_dir().join("lib/rubellite/gems/4.0.0/gems")).into_iter().flatten().flatten();
        let bundled = names.map(|entry| entry.file_name()).collect();
        let place = Place { bundled, gems: staging.dir.join("gems"), libraries: staging.dir.join(LIBRARIES), staging };
        for path in std::fs::read_dir(root.join(LIBRARIES)).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if !OWN.contains(&name.as_str()) {
                place.copy(&path, place.libraries.join(name))?;
            }
        }
        // Their data lie beside them, where they find these by relative paths.
        for path in std::fs::read_dir(root.join(DATA)).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("ruby-")) {
                place.copy(&path, place.staging.dir.join(path.strip_prefix(root).unwrap_or(&path)))?;
                // Where a library looks for them that does not find its package's place, as in a Ruby with a root of
                // its own.
                place.copy(&path, place.staging.dir.join("usr/lib/ruby/data"))?;
            }
        }
        // The gems that Ruby's distribution brings are there for both, too: packages do not bring them.
        let bundled = target_dir().join("lib/rubellite/gems/4.0.0");
        for directory in GEMS.iter().map(|directory| root.join(directory)).chain([bundled]) {
            for part in ["specifications", "gems"] {
                place.copy(&directory.join(part), Path::new("gems").join(part))?;
            }
        }
        // Bundler is one and the same for both: not every Ruby brings it.
        for name in ["bundler", "bundler.rb"] {
            place.copy(&target_dir().join("lib/rubellite/4.0.0").join(name), Path::new("bundler").join(name))?;
        }
        Ok(place)
    }

    /// Copies what is no machine code.
    fn copy(&self, from: &Path, to: PathBuf) -> Result<(), String> {
        for file in files_below(from, &|path| !workspace::has_extension(path, "so")) {
            let inside = file.strip_prefix(from).unwrap_or(&file);
            let place = if inside.as_os_str().is_empty() { to.clone() } else { to.join(inside) };
            // A link that leads nowhere is left out.
            if file.is_file() {
                self.staging.copy(&file, &place)?;
            }
        }
        Ok(())
    }

    /// The libraries, and those of all gems: so no gem is activated, which would ask for the parts in C that it depends
    /// on.
    fn load_path(&self) -> String {
        let mut path = vec![self.libraries.clone()];
        for gem in std::fs::read_dir(self.gems.join("gems"))
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path().join("lib"))
        {
            if !self.bundled.iter().any(|name| gem.starts_with(self.gems.join("gems").join(name))) {
                path.push(gem);
            }
        }
        path.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>().join(":")
    }

    fn measure(&self, ruby: &Path, gems: Option<&str>, program: &Path) -> Result<Measured, String> {
        let name = program.file_name().unwrap_or_default();
        let text = std::fs::read_to_string(program).map_err(|error| format!("{}: {error}", program.display()))?;
        let start = text.split_inclusive("\n\n").next().unwrap_or_default();
        let first = self.staging.write(&Path::new("start").join(name), start.as_bytes())?;
        let whole = self.staging.write(&Path::new("programs").join(name), text.as_bytes())?;
        let (first, whole) = (self.finish(ruby, gems, &first)?, self.finish(ruby, gems, &whole)?);
        Ok(Measured { start: first.cpu_seconds, whole })
    }

    /// `gems`: where the Ruby's own gems with parts in C are.
    fn finish(&self, ruby: &Path, gems: Option<&str>, program: &Path) -> Result<Finished, String> {
        let home = self.staging.dir.join("home");
        let _ = std::fs::remove_dir_all(&home);
        std::fs::create_dir_all(&home).map_err(|error| format!("{}: {error}", home.display()))?;
        Run::new(ruby)
            .args(["-W0", "-r"])
            .arg(self.staging.write(Path::new("missing.rb"), MISSING.as_bytes())?)
            .arg(program)
            .env("RUBYLIB", self.load_path())
            .env("GEM_PATH", format!("{}:{}", self.gems.display(), default_gems(ruby)?))
            .env("APPS_BUNDLER", self.staging.dir.join("bundler"))
            .env("APPS_GEMS", gems.unwrap_or_default())
            .env("HOME", &home)
            .env("LANG", "C.UTF-8")
            .env("TZ", "UTC")
            .dir(&home)
            .limit(LIMIT_SECONDS)
            .finish()
    }
}

/// Where a Ruby has the gems that it brings itself: parts in C such as `bigdecimal` are its own.
fn default_gems(ruby: &Path) -> Result<String, String> {
    let asked = Run::new(ruby).args(["-e", "print Gem.default_path.join(%[:])"]).limit(LIMIT_SECONDS).finish()?;
    Ok(String::from_utf8_lossy(&asked.stdout).into_owned())
}

/// Ends a program with 77 where what it requires first is not there.
const MISSING: &str = r##"
def apps_require(*names)
  names.each { |name| require name }
rescue LoadError => error
  raise error unless names.include?(error.path)
  exit!(77)
end

# Activates gems of the directory that this Ruby has for those with parts in C; ends the program with 77 where there is none. With `alone` they and
# what the Ruby brings are all that there is, for processes that the program starts, too.
def apps_gems(*names, alone: false)
  exit!(77) if ENV.fetch("APPS_GEMS").empty?
  ENV["GEM_HOME"] = ENV["APPS_GEMS"]
  ENV["GEM_PATH"] = alone ? Gem.default_dir : "#{ENV["GEM_PATH"]}:#{Gem.default_dir}"
  ENV.delete("RUBYLIB") if alone
  Gem.clear_paths
  exit!(77) unless names.all? { |name| Gem::Specification.find_all_by_name(name).any? }
  names.each { |name| gem name }
end

# What a block raises is printed.
def told
  yield
rescue Exception => error
  puts "#{error.class}: #{error.message}".gsub(/0x\h+/, "0xXX")
end
"##;
