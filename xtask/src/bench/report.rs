//! Tables of measurements, in Markdown, and the same figures as JSON. Ratios are the other Ruby's time divided by
//! ours: above one, ours is the faster.

use super::Ruby;
use super::sample::{Program, Sample, measure};

pub fn progress(name: &str, samples: &[Sample]) -> String {
    let cells: Vec<String> = samples
        .iter()
        .map(|sample| sample.failure.clone().unwrap_or_else(|| format!("{:.3} s", sample.cpu_min().unwrap_or(0.0))))
        .collect();
    format!("{name}: {}", cells.join(" | "))
}

/// Returns whether every program ran everywhere and printed the same.
pub fn speed(rubies: &[Ruby], results: &[(String, Vec<Sample>)]) -> bool {
    let mut good = true;
    let names = |what: &str| rubies.iter().map(|ruby| format!(" {} {what} |", ruby.name)).collect::<String>();
    println!("\n| program |{}{} ratio cpu | ratio wall |", names("cpu s (min)"), names("wall s (median)"));
    println!("|---|{}---:|---:|", "---:|".repeat(2 * rubies.len()));
    let (mut cpu_ratios, mut wall_ratios) = (Vec::new(), Vec::new());
    for (name, samples) in results {
        let mut row = format!("| {name} |");
        samples.iter().for_each(|sample| row.push_str(&cell(sample.cpu_min())));
        samples.iter().for_each(|sample| row.push_str(&cell(sample.wall_median())));
        row.push_str(&ratio(samples, Sample::cpu_min, &mut cpu_ratios));
        row.push_str(&ratio(samples, Sample::wall_median, &mut wall_ratios));
        let same = samples.windows(2).all(|pair| pair[0].stdout == pair[1].stdout);
        let failed = samples.iter().any(|sample| sample.failure.is_some());
        if !same && !failed {
            row.push_str(" (outputs differ)");
        }
        good &= same && !failed;
        println!("{row}");
    }
    if !cpu_ratios.is_empty() {
        let blank = "  |".repeat(2 * rubies.len());
        println!(
            "| geometric mean |{blank} {:.2} | {:.2} |",
            geometric_mean(&cpu_ratios),
            geometric_mean(&wall_ratios)
        );
    }
    good
}

fn cell(seconds: Option<f64>) -> String {
    seconds.map_or(" failed |".to_string(), |seconds| format!(" {seconds:.3} |"))
}

fn ratio(samples: &[Sample], of: impl Fn(&Sample) -> Option<f64>, ratios: &mut Vec<f64>) -> String {
    let pair = match samples {
        [ours, theirs] => of(ours).zip(of(theirs)),
        _ => None,
    };
    match pair {
        Some((ours, theirs)) if ours > 0.0 => {
            ratios.push(theirs / ours);
            format!(" {:.2} |", theirs / ours)
        }
        _ => " - |".to_string(),
    }
}

fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}

pub fn start(rubies: &[Ruby], samples: &[Sample]) {
    println!("\n| start-up of `-e 0` | cpu ms (min) | wall ms (min) | wall ms (median) |\n|---|---:|---:|---:|");
    for (ruby, sample) in rubies.iter().zip(samples) {
        let ms = |seconds: Option<f64>| seconds.map_or("failed".to_string(), |seconds| format!("{:.1}", seconds * 1e3));
        println!(
            "| {} | {} | {} | {} |",
            ruby.name,
            ms(sample.cpu_min()),
            ms(sample.wall_min()),
            ms(sample.wall_median())
        );
    }
}

pub fn memory(rubies: &[Ruby], rows: &[(String, Vec<Sample>)]) {
    let names: String = rubies.iter().map(|ruby| format!(" {} MiB |", ruby.name)).collect();
    println!("\n| peak memory |{names}\n|---|{}", "---:|".repeat(rubies.len()));
    for (name, samples) in rows {
        let cells: String = samples
            .iter()
            .map(|sample| match sample.failure {
                Some(_) => " failed |".to_string(),
                None => format!(" {:.1} |", sample.peak_kib as f64 / 1024.0),
            })
            .collect();
        println!("| {name} |{cells}");
    }
}

/// Micro-benchmarks measure themselves and print lines `NANOSECONDS NAME`.
pub fn micro(rubies: &[Ruby], program: &Program, limit: f64) -> Result<bool, String> {
    let names: String = rubies.iter().map(|ruby| format!(" {} ns |", ruby.name)).collect();
    println!("\n| {} |{names}\n|---|{}", program.name, "---:|".repeat(rubies.len()));
    let mut columns = Vec::new();
    let mut good = true;
    for ruby in rubies {
        let finished = program.run(ruby, limit)?;
        let text = String::from_utf8_lossy(&finished.stdout).into_owned();
        let lines: Vec<(String, String)> = text
            .lines()
            .filter_map(|line| line.trim().split_once(' ').map(|(figure, name)| (name.to_string(), figure.to_string())))
            .collect();
        good &= !lines.is_empty();
        columns.push(lines);
    }
    let longest = columns.iter().max_by_key(|lines| lines.len()).cloned().unwrap_or_default();
    for (name, _) in &longest {
        let figure = |lines: &Vec<(String, String)>| {
            lines
                .iter()
                .find(|(found, _)| found == name)
                .map_or(" failed |".to_string(), |(_, figure)| format!(" {figure} |"))
        };
        println!("| {name} |{}", columns.iter().map(figure).collect::<String>());
    }
    Ok(good)
}

pub fn optcarrot(rubies: &[Ruby], program: &Program, rounds: usize, limit: f64) -> bool {
    let samples = measure(rubies, program, rounds, limit);
    println!("\n| optcarrot | frames/s (last) | checksum | cpu s (min) |\n|---|---:|---:|---:|");
    let mut good = true;
    for (ruby, sample) in rubies.iter().zip(&samples) {
        let field = |name: &str| {
            let line = sample.stdout.lines().find(|line| line.starts_with(name));
            line.map_or("failed", |line| line[name.len()..].trim()).to_string()
        };
        good &= sample.failure.is_none();
        println!("| {} | {} | {} |{}", ruby.name, field("fps:"), field("checksum:"), cell(sample.cpu_min()));
    }
    good
}

pub fn json(rubies: &[Ruby], results: &[(String, Vec<Sample>)]) -> String {
    let figure = |seconds: Option<f64>| seconds.map_or("null".to_string(), |seconds| format!("{seconds:.6}"));
    let mut lines = Vec::new();
    for (name, samples) in results {
        let cells: Vec<String> = rubies
            .iter()
            .zip(samples)
            .map(|(ruby, sample)| {
                let (cpu, wall) = (figure(sample.cpu_min()), figure(sample.wall_median()));
                format!(
                    "{:?}: {{\"cpu_min\": {cpu}, \"wall_median\": {wall}, \"peak_kib\": {}}}",
                    ruby.name, sample.peak_kib
                )
            })
            .collect();
        lines.push(format!("  {name:?}: {{{}}}", cells.join(", ")));
    }
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_geometric_mean_balances_ratios() {
        assert!((super::geometric_mean(&[2.0, 0.5]) - 1.0).abs() < 1e-12);
    }
}
