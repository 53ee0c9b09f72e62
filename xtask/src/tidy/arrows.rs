//! Measuring: one program on several Rubies in turn.

use std::path::{Path, PathBuf};

use super::Ruby;
use crate::process::{End, Finished, Run};

pub struct Program {
    pub name: String,
    args: Vec<String>,
    dir: PathBuf,
}

impl Program {
    pub fn file(path: &Path) -> Program {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let dir = path.parent().unwrap_or(path).to_path_buf();
        Program { name, args: vec![path.to_string_lossy().into_owned()], dir }
    }

    pub fn start() -> Program {
        Program { name: "-e 0".to_string(), args: vec!["-e".to_string(), "0".to_string()], dir: std::env::temp_dir() }
    }

    pub fn optcarrot(dir: &Path) -> Program {
        let words = ["-Ilib", "bin/optcarrot", "--benchmark", "examples/Lan_Master.nes"];
        Program { name: "optcarrot".to_string(), args: words.map(str::to_string).to_vec(), dir: dir.to_path_buf() }
    }

    pub fn run(&self, ruby: &Ruby, limit: f64) -> Result<Finished, String> {
        Run::new(&ruby.program).args(&ruby.flags).args(&self.args).dir(&self.dir).limit(limit).finish()
    }
}

/// What one Ruby needed for one program.
#[derive(Default, Clone)]
pub struct Sample {
    pub cpu_seconds: Vec<f64>,
    pub wall_seconds: Vec<f64>,
    pub peak_kib: u64,
    pub stdout: String,
    /// Why there are no figures.
    pub failure: Option<String>,
}

impl Sample {
    pub fn cpu_min(&self) -> Option<f64> {
        self.good().then(|| self.cpu_seconds.iter().copied().fold(f64::INFINITY, f64::min))
    }

    pub fn wall_min(&self) -> Option<f64> {
        self.good().then(|| self.wall_seconds.iter().copied().fold(f64::INFINITY, f64::min))
    }

    pub fn wall_median(&self) -> Option<f64> {
        self.good().then(|| median(&self.wall_seconds))
    }

    fn good(&self) -> bool {
        self.failure.is_none() && !self.cpu_seconds.is_empty()
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}

/// Runs the program on each Ruby in turn, `rounds` times. A Ruby that fails once is not asked again.
pub fn measure(rubies: &[Ruby], program: &Program, rounds: usize, limit: f64) -> Vec<Sample> {
    let mut samples = vec![Sample::default(); rubies.len()];
    for _ in 0..rounds.max(1) {
        for (ruby, sample) in rubies.iter().zip(&mut samples) {
            if sample.failure.is_none() {
                add(sample, program.run(ruby, limit));
            }
        }
    }
    samples
}

fn add(sample: &mut Sample, finished: Result<Finished, String>) {
    let finished = match finished {
        Ok(finished) => finished,
        Err(reason) => {
            sample.failure = Some(reason);
            return;
        }
    };
    if finished.end != End::Exit(0) {
        let stderr = String::from_utf8_lossy(&finished.stderr).into_owned();
        sample.failure = Some(format!("{}: {}", finished.end, stderr.lines().next().unwrap_or("")));
        return;
    }
    sample.cpu_seconds.push(finished.cpu_seconds);
    sample.wall_seconds.push(finished.wall_seconds);
    sample.peak_kib = sample.peak_kib.max(finished.peak_kib);
    sample.stdout = String::from_utf8_lossy(&finished.stdout).into_owned();
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_median_of_an_even_number_lies_between() {
        assert_eq!(super::median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(super::median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
