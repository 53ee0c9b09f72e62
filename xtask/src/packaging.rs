//! `cargo xtask packaging`: installs what has been built into an empty prefix, runs programs from there, packs it,
//! unpacks it elsewhere, runs the programs again, and takes the installation away. Nothing is built. `pages` compares
//! the manual page and the completions with what the command itself says.

mod pages;

use crate::Outcome;
use crate::args::Args;
use crate::process::{End, Run};
use crate::workspace::{self, Staging, root, target_dir};
use std::path::{Path, PathBuf};

/// A program that needs ten libraries, some of them native here and some written in Ruby.
const TEN_LIBRARIES: &str = r##"
libraries = %w[json optparse net/http set time uri erb yaml securerandom fileutils]
libraries.each { |name| require name }
prefix = File.dirname(RbConfig::CONFIG["bindir"])
own = $LOADED_FEATURES.grep(/optparse|fileutils|net.http/).all? { |path| path.start_with?("#{prefix}/lib/rubellite/") }
text = ERB.new("<%= JSON.generate(YAML.load('a: 1')) %>").result
puts text, own, RbConfig::CONFIG["prefix"] == prefix, File.realpath(RbConfig.ruby) == File.realpath("/proc/self/exe")
puts File.exist?("#{RbConfig::CONFIG["rubyhdrdir"]}/ruby.h"), RbConfig::CONFIG["rubyhdrdir"].start_with?(prefix)
puts Set[1].include?(1), URI("http://localhost/").host, Time.iso8601("2000-01-01T00:00:00Z").year, SecureRandom.hex(2).size
"##;
const TEN_LIBRARIES_SAY: &str = "{\"a\":1}\ntrue\ntrue\ntrue\ntrue\ntrue\ntrue\nlocalhost\n2000\n4\n";

/// What went wrong so far.
struct Checks {
    failed: usize,
    passed: usize,
}

impl Checks {
    fn check(&mut self, what: &str, found: Result<(), String>) {
        match found {
            Ok(()) => self.passed += 1,
            Err(reason) => {
                self.failed += 1;
                println!("{what}: {reason}");
            }
        }
    }
}

pub fn run(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["ruby"], &[])?;
    let ruby = workspace::ruby(args.value("ruby"))?;
    let library = target_dir().join("lib/rubellite");
    let mut checks = Checks { failed: 0, passed: 0 };
    pages::compare(&ruby, &mut checks)?;
    if library.join("RELEASE").exists() {
        let place = Place { ruby, library, staging: Staging::new("packaging")? };
        place.installation(&mut checks)?;
        place.archive(&mut checks)?;
        place.package(&mut checks)?;
    } else {
        println!("Ruby's library is not built (cargo xtask library): nothing was installed");
    }
    println!("{} passed, {} failed", checks.passed, checks.failed);
    Ok(checks.failed == 0)
}

struct Place {
    ruby: PathBuf,
    library: PathBuf,
    staging: Staging,
}

impl Place {
    /// One of the scripts beside `packaging/`, with what it takes from the environment.
    fn script(&self, script: &str, task: &str, environment: &[(&str, &Path)]) -> Result<String, String> {
        let mut run = Run::new(root().join("packaging").join(script))
            .arg(task)
            .env("BINARY", &self.ruby)
            .env("LIBRARY", &self.library);
        for (name, value) in environment {
            run = run.env(name, value);
        }
        output(run.limit(300.0))
    }

    fn installation(&self, checks: &mut Checks) -> Result<(), String> {
        let prefix = self.staging.dir.join("prefix");
        let place = [("PREFIX", prefix.as_path())];
        let named = [("PREFIX", prefix.as_path()), ("RUBY_NAME", Path::new("ruby"))];
        self.script("install.sh", "install", &named)?;
        self.programs(&prefix, "installed", checks)?;
        self.named_ruby(&prefix, checks);
        self.gem(&prefix, checks)?;
        checks.check("a second installation", self.script("install.sh", "install", &place).map(drop));
        checks.check("RUBY_NAME is not kept", absent(&prefix.join("bin/ruby")));
        self.foreign_files(&prefix, checks)?;
        checks.check("uninstall", self.script("install.sh", "uninstall", &place).map(drop));
        // What the gem brought is the user's.
        let left = workspace::files_below(&prefix, &|path| {
            !path.to_string_lossy().contains("planted") && !path.ends_with("bin/foreign")
        });
        checks.check("uninstall leaves the prefix empty", equal(&format!("{left:?}"), "[]"));
        let again = self.script("install.sh", "uninstall", &place);
        checks.check("uninstall without an installation", equal(&format!("{}", again.is_err()), "true"));
        Ok(())
    }

    /// Files that are not ours are neither overwritten nor removed.
    fn foreign_files(&self, prefix: &Path, checks: &mut Checks) -> Result<(), String> {
        let foreign = prefix.join("bin/foreign");
        std::fs::write(&foreign, "theirs").map_err(|error| error.to_string())?;
        let refused = self.script("install.sh", "install", &[("PREFIX", prefix), ("RUBY_NAME", Path::new("foreign"))]);
        checks.check(
            "a name that is taken",
            match refused {
                Err(reason) if reason.contains("is not ours: choose another RUBY_NAME or PREFIX") => Ok(()),
                other => Err(format!("{other:?}")),
            },
        );
        checks.check(
            "what was installed stays",
            output(Run::new(prefix.join("bin/rubellite")).args(["-e", "0"])).map(drop),
        );
        checks.check("the other's file stays", equal(&std::fs::read_to_string(&foreign).unwrap_or_default(), "theirs"));
        Ok(())
    }

    /// The programs that must run wherever the command lies.
    fn programs(&self, prefix: &Path, kind: &str, checks: &mut Checks) -> Result<(), String> {
        let bin = prefix.join("bin");
        let ten = self.staging.write(Path::new("ten.rb"), TEN_LIBRARIES.as_bytes())?;
        let said = output(Run::new(bin.join("rubellite")).arg(&ten));
        checks.check(&format!("{kind}: ten libraries"), said.and_then(|said| equal(&said, TEN_LIBRARIES_SAY)));
        // The binstub finds its Ruby although no directory of PATH has one, and through a link.
        let link = self.staging.dir.join(format!("{kind}-gem"));
        std::os::unix::fs::symlink(bin.join("gem"), &link).map_err(|error| error.to_string())?;
        for stub in [bin.join("gem"), link] {
            let said = output(Run::new(stub).arg("list").env("PATH", "/usr/bin:/bin"));
            checks.check(&format!("{kind}: gem list"), said.and_then(|said| contains(&said, "bundler (default: ")));
        }
        let said = output(Run::new(bin.join("rubellite")).args(["-S", "rake", "--version"]));
        checks.check(&format!("{kind}: -S rake"), said.and_then(|said| contains(&said, "rake, version ")));
        Ok(())
    }

    /// `ruby` is a name of the command.
    fn named_ruby(&self, prefix: &Path, checks: &mut Checks) {
        let bin = prefix.join("bin");
        let path = format!("{}:/usr/bin:/bin", bin.display());
        let text = "#!/usr/bin/env ruby\nputs Rubellite, RbConfig.ruby == ARGV[0], RbConfig::CONFIG['ruby_install_name']\n\
                    system(RbConfig.ruby, '-e', 'puts RbConfig.ruby')\n";
        let script = self.staging.write(Path::new("script"), text.as_bytes());
        let ran = script.and_then(|script| {
            executable(&script)?;
            output(Run::new(script).arg(bin.join("ruby")).env("PATH", &path))
        });
        let wanted = format!("Rubellite\ntrue\nruby\n{}\n", bin.join("ruby").display());
        checks.check("#!/usr/bin/env ruby", ran.and_then(|said| equal(&said, &wanted)));
        let first = output(Run::new(bin.join("rubellite")).args(["-e", "print RbConfig::CONFIG['ruby_install_name']"]));
        checks.check("the first name", first.and_then(|said| equal(&said, "rubellite")));
    }

    /// A gem with a program is installed into the prefix, and once more; the program runs.
    fn gem(&self, prefix: &Path, checks: &mut Checks) -> Result<(), String> {
        let source = self.staging.dir.join("gem");
        self.staging.write(Path::new("gem/exe/planted"), b"#!/usr/bin/env ruby\nputs \"planted in #{Rubellite}\"\n")?;
        let specification = "Gem::Specification.new do |s|\n  s.name, s.version, s.summary, s.authors = 'planted', '1.0', 's', ['a']\n  \
                             s.files, s.bindir, s.executables = ['exe/planted'], 'exe', ['planted']\nend\n";
        self.staging.write(Path::new("gem/planted.gemspec"), specification.as_bytes())?;
        let gem = |words: &[&str]| {
            output(Run::new(prefix.join("bin/gem")).args(words).dir(&source).env("HOME", &self.staging.dir))
        };
        checks.check("gem build", gem(&["build", "planted.gemspec"]).map(drop));
        for times in ["gem install", "gem install, once more"] {
            let said = gem(&["install", "--local", "planted-1.0.gem"]);
            checks.check(times, said.and_then(|said| contains(&said, "1 gem installed")));
        }
        let said = output(Run::new(prefix.join("bin/planted")));
        checks.check("a gem's program", said.and_then(|said| equal(&said, "planted in Rubellite\n")));
        Ok(())
    }

    fn archive(&self, checks: &mut Checks) -> Result<(), String> {
        let out = self.staging.dir.join("out");
        let said = self.script("archive.sh", "tar", &[("OUT", &out)])?;
        let file = said.trim();
        let elsewhere = self.staging.dir.join("else where");
        std::fs::create_dir_all(&elsewhere).map_err(|error| error.to_string())?;
        output(Run::new("tar").args(["-xf", file, "-C"]).arg(&elsewhere))?;
        let unpacked = std::fs::read_dir(&elsewhere).map_err(|error| error.to_string())?.flatten().next();
        let unpacked = unpacked.ok_or("the archive is empty")?.path();
        self.programs(&unpacked, "unpacked", checks)
    }

    fn package(&self, checks: &mut Checks) -> Result<(), String> {
        if output(Run::new("dpkg-deb").arg("--version")).is_err() {
            println!("dpkg-deb is not installed: the Debian package was not made");
            return Ok(());
        }
        let said = self.script("archive.sh", "deb", &[("OUT", &self.staging.dir)])?;
        let tree = self.staging.dir.join("deb");
        output(Run::new("dpkg-deb").args(["--extract", said.trim()]).arg(&tree))?;
        let ten = self.staging.write(Path::new("ten.rb"), TEN_LIBRARIES.as_bytes())?;
        let said = output(Run::new(tree.join("usr/bin/rubellite")).arg(ten));
        checks.check("packaged: ten libraries", said.and_then(|said| equal(&said, TEN_LIBRARIES_SAY)));
        let outside = workspace::files_below(&tree, &|path| !path.starts_with(tree.join("usr")));
        checks.check("the package stays below /usr", equal(&format!("{outside:?}"), "[]"));
        Ok(())
    }
}

/// What a program prints when it ends well.
fn output(run: Run) -> Result<String, String> {
    let finished = run.env("RUBYOPT", "").env("RUBYLIB", "").finish()?;
    if finished.end != End::Exit(0) {
        return Err(format!("{}: {}", finished.end, String::from_utf8_lossy(&finished.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&finished.stdout).into_owned())
}

fn equal(found: &str, wanted: &str) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("{found:?} instead of {wanted:?}")) }
}

fn contains(found: &str, wanted: &str) -> Result<(), String> {
    if found.contains(wanted) { Ok(()) } else { Err(format!("{found:?} without {wanted:?}")) }
}

fn absent(path: &Path) -> Result<(), String> {
    if path.symlink_metadata().is_err() { Ok(()) } else { Err(format!("{} is there", path.display())) }
}

fn executable(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).map_err(|error| error.to_string())
}
