//! The manual page and the completions name the switches and subcommands that the command's own help names, and no
//! others.

use super::{Checks, output};
use crate::process::Run;
use crate::workspace::root;
use std::collections::BTreeSet;
use std::path::Path;

type Names = BTreeSet<String>;

/// What the help of the command, or of a subcommand, offers.
struct Offer {
    /// Empty for the command itself.
    command: String,
    switches: Names,
}

pub fn compare(ruby: &Path, checks: &mut Checks) -> Result<(), String> {
    let help = output(Run::new(ruby).arg("--help"))?;
    let commands: Vec<String> = help
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("rubellite ")?.split(' ').next().map(str::to_string))
        .collect();
    let mut offers = vec![Offer { command: String::new(), switches: offered(&help) }];
    for command in &commands {
        let help = output(Run::new(ruby).args([command, "--help"]))?;
        offers.push(Offer { command: command.clone(), switches: offered(&help) });
    }
    let read = |name: &str| {
        std::fs::read_to_string(root().join("packaging").join(name)).map_err(|error| format!("{name}: {error}"))
    };
    let manual = read("rubellite.1")?;
    for offer in &offers {
        // Each subcommand has --help, which the manual says once.
        let mut wanted = offer.switches.clone();
        if !offer.command.is_empty() {
            wanted.remove("--help");
            wanted.remove("-h");
        }
        checks.check(&format!("rubellite.1: {}", offer.command), same(&wanted, &in_manual(&manual, &offer.command)));
    }
    checks.check("bash", in_bash(&offers));
    let zsh = read("completions/_rubellite")?;
    let fish = read("completions/rubellite.fish")?;
    for offer in &offers {
        let mut wanted = offer.switches.clone();
        if !offer.command.is_empty() {
            wanted.remove("-h");
        }
        checks.check(&format!("zsh: {}", offer.command), same(&wanted, &in_zsh(&zsh, &offer.command)));
        checks.check(&format!("fish: {}", offer.command), same(&wanted, &in_fish(&fish, &offer.command)));
    }
    for command in &commands {
        let named = zsh.contains(&format!("{command}\\:")) && fish.contains(&format!("-a {command} "));
        checks.check(&format!("completions know {command}"), if named { Ok(()) } else { Err("not named".into()) });
    }
    for (shell, file) in [("zsh", "_rubellite"), ("fish", "rubellite.fish"), ("bash", "rubellite.bash")] {
        match output(Run::new(shell).arg("-n").arg(root().join("packaging/completions").join(file))) {
            Err(reason) if reason.contains("No such file") => {
                println!("{shell} is not installed: {file} was compared, not read by it")
            }
            read => checks.check(file, read.map(drop)),
        }
    }
    Ok(())
}

fn same(wanted: &Names, found: &Names) -> Result<(), String> {
    let missing: Vec<&String> = wanted.difference(found).collect();
    let extra: Vec<&String> = found.difference(wanted).collect();
    if missing.is_empty() && extra.is_empty() {
        Ok(())
    } else {
        Err(format!("missing {missing:?}, not in the help {extra:?}"))
    }
}

/// `-x` of `-x`, `-xVALUE`, `-x[VALUE]`, `-x 'VALUE'`; `--name` of `--name`, `--name=VALUE`, `--name[=VALUE]`.
fn switch(word: &str) -> Option<String> {
    let letters = |text: &str| text.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect::<String>();
    match word.strip_prefix("--") {
        Some(long) => Some(format!("--{}", letters(long))),
        None => word.strip_prefix('-')?.chars().next().map(|letter| format!("-{letter}")),
    }
}

/// The switches of a help text: its lines that begin with one, two to `-h, --help`.
fn offered(help: &str) -> Names {
    let lines =
        help.lines().filter(|line| line.starts_with("  ")).map(str::trim_start).filter(|line| line.starts_with('-'));
    lines
        .flat_map(|line| line.split("  ").next().unwrap_or_default().split(", ").filter_map(switch).collect::<Vec<_>>())
        .collect()
}

/// The part of the manual about a subcommand, and the switches that have items in it.
fn in_manual(manual: &str, command: &str) -> Names {
    let lines: Vec<&str> = manual.lines().collect();
    let subcommands = lines.iter().position(|line| *line == ".Ss Subcommands").unwrap_or(lines.len());
    let of_command = format!(".Cm {command}");
    let part: Vec<&str> = if command.is_empty() {
        lines[..subcommands].to_vec()
    } else {
        let rest = lines[subcommands..].iter().skip_while(|line| **line != of_command).skip(1);
        rest.take_while(|line| !line.starts_with(".Cm ") && !line.starts_with(".Sh ")).copied().collect()
    };
    // `.It Fl d , -duration Ns = Ns Ar seconds`: two switches.
    let items = part.iter().filter_map(|line| line.strip_prefix(".It Fl "));
    items
        .flat_map(|item| item.split(" , ").filter_map(|word| switch(&format!("-{}", word.split(' ').next()?))))
        .collect()
}

/// What bash's completion offers, asked of bash.
fn in_bash(offers: &[Offer]) -> Result<(), String> {
    let file = root().join("packaging/completions/rubellite.bash");
    let script = "source \"$1\"; COMP_WORDS=(rubellite $2 -); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rubellite; echo \"${COMPREPLY[@]}\"; \
                  COMP_WORDS=(rubellite ''); COMP_CWORD=1; cd /var/empty 2> /dev/null || cd /; _rubellite; echo \"${COMPREPLY[@]}\"";
    for offer in offers {
        let said = output(Run::new("bash").args(["-c", script, "bash"]).arg(&file).arg(&offer.command))?;
        let (switches, words) = said.split_once('\n').unwrap_or_default();
        let mut wanted = offer.switches.clone();
        if !offer.command.is_empty() {
            wanted.remove("-h");
        }
        same(&wanted, &switches.split(' ').filter_map(switch).collect())
            .map_err(|reason| format!("{}: {reason}", offer.command))?;
        if !offer.command.is_empty() && !words.split_whitespace().any(|word| word == offer.command) {
            return Err(format!("{} is not offered", offer.command));
        }
    }
    Ok(())
}

/// The text about a subcommand lies between its pattern and the next `;;`, that of the command behind `esac`.
fn in_zsh(text: &str, command: &str) -> Names {
    let part = if command.is_empty() {
        text.split("  esac").nth(1).unwrap_or_default()
    } else {
        text.split(&format!("    {command})")).nth(1).and_then(|rest| rest.split(";;").next()).unwrap_or_default()
    };
    let quoted = part.split('\'').skip(1).step_by(2);
    quoted.filter(|word| *word != "-*").filter_map(|word| switch(word.trim_start_matches('*'))).collect()
}

fn in_fish(text: &str, command: &str) -> Names {
    let condition = format!(" -n ${} ", if command.is_empty() { "outside" } else { command });
    let words = text.lines().filter(|line| line.contains(&condition)).map(|line| line.split(' ').collect::<Vec<_>>());
    let named = |pair: &[&str]| match pair {
        ["-s", letter] => Some(format!("-{letter}")),
        ["-l", name] => Some(format!("--{name}")),
        _ => None,
    };
    words.flat_map(|words| words.windows(2).filter_map(named).collect::<Vec<_>>()).collect()
}
