//! Command-line arguments: `--name value`, `--name=value`, switches and plain words.

use std::collections::BTreeMap;

pub struct Args {
    options: BTreeMap<String, String>,
    /// The words that are not options, in order.
    pub names: Vec<String>,
}

impl Args {
    /// `valued` options take the next word, `switches` take none; anything else that begins with `--` is an error.
    pub fn parse(words: &[String], valued: &[&str], switches: &[&str]) -> Result<Args, String> {
        let mut args = Args { options: BTreeMap::new(), names: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let Some(option) = word.strip_prefix("--") else {
                args.names.push(word.clone());
                continue;
            };
            let (name, inline) = match option.split_once('=') {
                Some((name, value)) => (name, Some(value.to_string())),
                None => (option, None),
            };
            let value = if switches.contains(&name) {
                String::new()
            } else if valued.contains(&name) {
                match inline.or_else(|| words.next().cloned()) {
                    Some(value) => value,
                    None => return Err(format!("--{name} needs a value")),
                }
            } else {
                return Err(format!("unknown option --{name}"));
            };
            args.options.insert(name.to_string(), value);
        }
        Ok(args)
    }

    pub fn has(&self, name: &str) -> bool {
        self.options.contains_key(name)
    }

    pub fn value(&self, name: &str) -> Option<&str> {
        self.options.get(name).map(String::as_str)
    }

    pub fn number(&self, name: &str, default: usize) -> Result<usize, String> {
        match self.value(name) {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| format!("--{name} needs a number, not {text}")),
        }
    }
}
