//! `library`: Ruby's own library, the part of it that is written in Ruby. Ruby's organisation publishes it within a
//! package for npm, whose WebAssembly module carries the installed files in its memory. The package is fetched by name
//! with the ordinary client and compared with a digest that is written here; nothing of it is run. The files go to
//! `lib/rubellite` in the target directory, where the executables beside it look for them.
//!
//! A library is made in a directory of another name and renamed when it is whole, so that one that exists is whole. Its
//! `RELEASE` says which package it came from.

mod embedded;
mod module;

use crate::Outcome;
use crate::args::Args;
use crate::process::{End, Run};
use crate::workspace::{Staging, target_dir};
use embedded::File;
use sha2::{Digest, Sha256};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const PACKAGE: &str = "@ruby/4.0-wasm-wasi@2.10.1";
const DIGEST: &str = "48ba7538badb10f829c13be0f79e109c7ed14a1d29f45a42a5d384eef18dc2ce";
const MODULE: &str = "package/dist/ruby+stdlib.wasm";
/// The directory of features within `lib/ruby`, which also names the directory of gems.
const VERSION: &str = "4.0.0";
/// Changes when the same package is laid out in another way.
const LAYOUT: u32 = 3;
const PROGRAMS: [&str; 11] =
    ["bundle", "bundler", "erb", "gem", "irb", "minitest", "rake", "rdoc", "ri", "syntax_suggest", "test-unit"];
/// Gems that come with Ruby, are native here and are not in the package, which is for a system without terminals: name,
/// version, features.
const NATIVE: [(&str, &str, &[&str]); 4] = [
    ("bigdecimal", "4.0.1", &["bigdecimal", "bigdecimal/util", "bigdecimal/math"]),
    ("io-console", "0.8.2", &["io/console", "io/console/size"]),
    ("io-nonblock", "0.3.2", &["io/nonblock"]),
    ("io-wait", "0.4.0", &["io/wait"]),
];
const FIRST_LINE: &[u8] = b"#!/usr/bin/env rubellite";
/// The client waits for a host that does not answer; the build goes on without it.
const SECONDS_MAX: f64 = 300.0;

pub fn run(words: &[String]) -> Outcome {
    let args = Args::parse(words, &["from"], &["where"])?;
    let place = target_dir().join("lib/rubellite");
    if args.has("where") {
        println!("{}", place.display());
        return Ok(is_whole(&place));
    }
    if is_whole(&place) {
        return Ok(true);
    }
    let count = bring(args.value("from"), &place).map_err(|reason| {
        format!("Ruby's library cannot be had, that of the system's libruby takes its place: {reason}")
    })?;
    println!("Ruby's library: {count} files in {}", place.display());
    Ok(true)
}

fn bring(from: Option<&str>, place: &Path) -> Result<usize, String> {
    let staging = Staging::new("library")?;
    let package = match from {
        Some(package) => PathBuf::from(package),
        None => fetch(&staging.dir)?,
    };
    install(&package, &staging.dir, place)
}

fn release() -> String {
    format!("{PACKAGE} {DIGEST} {LAYOUT}\n")
}

fn is_whole(place: &Path) -> bool {
    std::fs::read_to_string(place.join("RELEASE")).is_ok_and(|text| text == release())
}

/// Brings the package into `dir`.
fn fetch(dir: &Path) -> Result<PathBuf, String> {
    let npm = Run::new("npm").args([
        "pack",
        PACKAGE,
        "--ignore-scripts",
        "--loglevel=error",
        "--no-update-notifier",
        "--pack-destination",
    ]);
    let finished = npm.arg(dir).dir(dir).limit(SECONDS_MAX).finish()?;
    if finished.end != End::Exit(0) {
        let text = String::from_utf8_lossy(&finished.stderr).into_owned();
        let reason = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        return Err(format!("npm pack {PACKAGE}: {}: {reason}", finished.end));
    }
    let entries = std::fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let found =
        entries.flatten().map(|entry| entry.path()).find(|path| path.extension().is_some_and(|found| found == "tgz"));
    found.ok_or_else(|| format!("npm pack {PACKAGE}: no file came"))
}

/// Lays the library of the package out at `place`; the number of files.
fn install(package: &Path, scratch: &Path, place: &Path) -> Result<usize, String> {
    let content = std::fs::read(package).map_err(|error| format!("{}: {error}", package.display()))?;
    let digest: String = Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
    if digest != DIGEST {
        return Err(format!("{}: its SHA-256 is {digest}, not {DIGEST}", package.display()));
    }
    let tar = Run::new("tar")
        .args(["--extract", "--gzip", "--file"])
        .arg(package)
        .arg("--directory")
        .arg(scratch)
        .arg(MODULE);
    let finished = tar.finish()?;
    if finished.end != End::Exit(0) {
        return Err(format!("tar: {}: {}", finished.end, String::from_utf8_lossy(&finished.stderr).trim()));
    }
    let module = scratch.join(MODULE);
    let module = std::fs::read(&module).map_err(|error| format!("{}: {error}", module.display()))?;
    let files = embedded::files(&module::memory(&module)?)?;
    let library: Vec<(PathBuf, &File)> =
        files.iter().filter_map(|file| Some((destination(&file.path)?, file))).collect();
    if library.is_empty() {
        return Err(format!("{PACKAGE}: no library in {MODULE}"));
    }
    let native = NATIVE.map(|(name, version, features)| specification(name, version, features));
    let native = native.iter().map(|(path, file)| (path.clone(), file));
    let library: Vec<(PathBuf, &File)> = library.into_iter().chain(native).collect();
    write(&library, place)?;
    Ok(library.len())
}

/// What tells RubyGems that a gem is there.
fn specification(name: &str, version: &str, features: &[&str]) -> (PathBuf, File) {
    let files: Vec<String> = features.iter().map(|feature| format!("\"lib/{feature}.rb\"")).collect();
    let text = format!(
        "# -*- encoding: utf-8 -*-\n# stub: {name} {version} ruby lib\n\nGem::Specification.new do |s|\n  s.name = \"{name}\"\n  s.version = \"{version}\"\n\
         \n  s.require_paths = [\"lib\"]\n  s.files = [{}]\n  s.summary = \"Native part of the runtime\"\n  s.authors = [\"The Rubellite authors\"]\nend\n",
        files.join(", ")
    );
    let path = PathBuf::from(format!("gems/{VERSION}/specifications/default/{name}-{version}.gemspec"));
    (path.clone(), File { path: path.display().to_string(), content: text.into_bytes() })
}

/// Where a file of the installation belongs. Not part of the library: what was made for the processor of the package,
/// manuals.
fn destination(path: &str) -> Option<PathBuf> {
    if let Some(name) = path.strip_prefix("/local/bin/") {
        return PROGRAMS.contains(&name).then(|| Path::new("bin").join(name));
    }
    let below = path.strip_prefix("/local/lib/ruby/")?;
    let parts: Vec<&str> = below.split('/').collect();
    let wanted = match parts[..] {
        [VERSION, "wasm32-wasi", ..] => false,
        [VERSION, ..] => true,
        ["gems", VERSION, "gems" | "specifications", ..] => true,
        _ => false,
    };
    wanted.then(|| PathBuf::from(below))
}

/// Writes the files beside `place` and renames the whole.
fn write(library: &[(PathBuf, &File)], place: &Path) -> Result<(), String> {
    let said = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let parent = place.parent().unwrap_or(place);
    let beside = |purpose: &str| parent.join(format!(".rubellite-{purpose}-{}", std::process::id()));
    let (new, old) = (beside("new"), beside("old"));
    let made = (|| {
        for (inside, file) in library {
            let path = new.join(inside);
            let dir = path.parent().unwrap_or(&new);
            std::fs::create_dir_all(dir).map_err(|error| said(dir, error))?;
            if inside.starts_with("bin") {
                write_program(&path, &file.content)
            } else {
                std::fs::write(&path, &file.content)
            }
            .map_err(|error| said(&path, error))?;
        }
        std::fs::write(new.join("RELEASE"), release()).map_err(|error| said(&new, error))?;
        // A library of another release makes room; gems that were installed into it go with it.
        if place.exists() {
            std::fs::rename(place, &old).map_err(|error| said(place, error))?;
        }
        std::fs::rename(&new, place).map_err(|error| said(place, error))
    })();
    let _ = std::fs::remove_dir_all(&old);
    let _ = std::fs::remove_dir_all(&new);
    // Another process that does the same at the same time may have been first.
    if is_whole(place) { Ok(()) } else { made }
}

/// Writes a program whose first line names the Ruby of the package.
fn write_program(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let rest = content.iter().position(|byte| *byte == b'\n').map_or(&[][..], |at| &content[at..]);
    std::fs::write(path, [FIRST_LINE, rest].concat())?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_library_is_taken() {
        assert_eq!(destination("/local/lib/ruby/4.0.0/json/ext.rb"), Some(PathBuf::from("4.0.0/json/ext.rb")));
        assert_eq!(
            destination("/local/lib/ruby/gems/4.0.0/specifications/x.gemspec").as_deref(),
            Some(Path::new("gems/4.0.0/specifications/x.gemspec"))
        );
        for other in [
            "/local/lib/ruby/4.0.0/wasm32-wasi/rbconfig.rb",
            "/local/bin/typeprof",
            "/local/bin/x/gem",
            "/local/lib/pkgconfig/ruby-4.0.pc",
        ] {
            assert_eq!(destination(other), None);
        }
    }

    #[test]
    fn a_library_is_written_as_a_whole() {
        let staging = Staging::new("library-test").unwrap();
        let place = staging.dir.join("lib/rubellite");
        let file = File { path: String::new(), content: b"1".to_vec() };
        let program = File { path: String::new(), content: b"#!/bin/ruby\n1\n".to_vec() };
        let library = [(PathBuf::from("4.0.0/x.rb"), &file), (PathBuf::from("bin/x"), &program)];
        // Not whole: no release is named.
        std::fs::create_dir_all(place.join("4.0.0")).unwrap();
        assert!(!is_whole(&place));
        write(&library, &place).unwrap();
        assert!(is_whole(&place));
        assert_eq!(std::fs::read(place.join("4.0.0/x.rb")).unwrap(), b"1");
        assert_eq!(std::fs::read(place.join("bin/x")).unwrap(), b"#!/usr/bin/env rubellite\n1\n");
        assert_eq!(std::fs::read_dir(staging.dir.join("lib")).unwrap().count(), 1);
    }

    #[test]
    fn a_wrong_package_is_refused() {
        let staging = Staging::new("library-test").unwrap();
        let package = staging.write(Path::new("x.tgz"), b"something else").unwrap();
        let error = install(&package, &staging.dir, &staging.dir.join("place")).unwrap_err();
        assert!(error.contains("its SHA-256 is"), "{error}");
        assert!(!staging.dir.join("place").exists());
    }
}
