//! The page of `cargo xtask production`: a small chart for each question, with all Rubies at all numbers of threads,
//! and the figures as tables. It needs nothing but itself and follows the scheme of the system and the width of the
//! window; it looks like the page of `rubellite ccbench --html`.

use std::fmt::Write as _;

use super::Part;
use super::figures::{Figure, JOBS, Measured, PAGE, WEB, number};

/// Of a chart, in its own units.
const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 210.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 34.0;

const STYLE: &str = include_str!("page.css");

pub fn html(measured: &Measured) -> String {
    let legend: String = measured
        .rubies
        .iter()
        .enumerate()
        .map(|(i, name)| format!("<li><i class=\"s{}\"></i><b>{}</b></li>", i % 6, escape(name)))
        .collect();
    let head = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
        <meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n\
        <title>Rails on Puma with Sidekiq</title>";
    let mut page = format!(
        "{head}\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>Rails on Puma with Sidekiq</h1>\n\
         <p class=\"facts\" id=\"machine\">{}. A dot is the middle one of the rounds, the line through it reaches from \
         the least to the largest.</p>\n<ul class=\"legend\">{legend}</ul>\n",
        escape(&measured.machine)
    );
    page += &section(measured, "Puma", true, &WEB);
    page += &pages(measured);
    page += &section(measured, "Sidekiq", false, &JOBS);
    page + "</main>\n</body>\n</html>\n"
}

fn section(measured: &Measured, title: &str, web: bool, figures: &[(&str, &str, bool)]) -> String {
    let threads = measured.threads(web);
    if threads.is_empty() {
        return String::new();
    }
    let part = |count| if web { Part::Web(count) } else { Part::Jobs(count) };
    let mut charts = String::new();
    let mut rows = String::new();
    for (path, name, better_high) in figures {
        let path: Vec<&str> = path.split('.').collect();
        let find = |count, ruby| measured.figure(part(count), ruby, &path);
        charts += &Chart { measured, name, better_high: *better_high, threads: &threads }.draw(&find);
        rows += &table_rows(measured, name, &threads, &find);
    }
    format!(
        "<section><h2>{title}</h2><div class=\"charts\">{charts}</div>{}</section>\n",
        table(measured, title, &rows)
    )
}

/// The pages of the mixed load, as a table.
fn pages(measured: &Measured) -> String {
    let threads = measured.threads(true);
    let mut rows = String::new();
    for page in measured.pages() {
        for key in PAGE {
            let name = format!(
                "{page}, {}",
                key.replace("requests_s", "requests/s").replace("999_ms", "99.9 ms").replace("_ms", " ms")
            );
            let find = |count, ruby| measured.figure(Part::Web(count), ruby, &["pages", &page, key]);
            rows += &table_rows(measured, &name, &threads, &find);
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    format!("<section><h2>Pages of the mixed load</h2>{}</section>\n", table(measured, "Pages", &rows))
}

fn table(measured: &Measured, label: &str, rows: &str) -> String {
    let head: String = measured.rubies.iter().map(|name| format!("<th>{}</th>", escape(name))).collect();
    format!(
        "<details><summary>Figures</summary><div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\">\
         <table><thead><tr><th>figure, threads</th>{head}</tr></thead><tbody>{rows}</tbody></table></div></details>"
    )
}

fn table_rows(
    measured: &Measured,
    name: &str,
    threads: &[usize],
    find: &dyn Fn(usize, usize) -> Option<Figure>,
) -> String {
    let mut rows = String::new();
    for &count in threads {
        let _ = write!(rows, "<tr><th scope=\"row\">{}, {count}</th>", escape(name));
        for ruby in 0..measured.rubies.len() {
            rows += &match find(count, ruby) {
                Some(figure) => {
                    format!(
                        "<td>{} <small>{} to {}</small></td>",
                        number(figure.median),
                        number(figure.low),
                        number(figure.high)
                    )
                }
                None => "<td>-</td>".to_string(),
            };
        }
        rows += "</tr>";
    }
    rows
}

struct Chart<'a> {
    measured: &'a Measured,
    name: &'a str,
    better_high: bool,
    threads: &'a [usize],
}

impl Chart<'_> {
    fn draw(&self, find: &dyn Fn(usize, usize) -> Option<Figure>) -> String {
        let rubies = self.measured.rubies.len();
        let all: Vec<Figure> =
            self.threads.iter().flat_map(|&count| (0..rubies).filter_map(move |ruby| find(count, ruby))).collect();
        let top = nice(all.iter().map(|figure| figure.high).fold(0.0, f64::max));
        let y = |value: f64| HEIGHT - BOTTOM - (value / top).clamp(0.0, 1.0) * (HEIGHT - BOTTOM - TOP);
        let step = (WIDTH - LEFT - RIGHT) / self.threads.len() as f64;
        let apart = (step / 8.0).min(9.0);
        let x = |place: usize, ruby: usize| {
            LEFT + step * (place as f64 + 0.5) + (ruby as f64 - (rubies as f64 - 1.0) / 2.0) * apart
        };
        let mut svg = String::new();
        for part in 0..=4 {
            let value = top * f64::from(part) / 4.0;
            let at = y(value);
            let _ = write!(
                svg,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                at + 4.0
            );
        }
        for (place, count) in self.threads.iter().enumerate() {
            let (at, below) = (LEFT + step * (place as f64 + 0.5), HEIGHT - BOTTOM + 16.0);
            let _ = write!(svg, "<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{count}</text>");
        }
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">threads</text>",
            f64::midpoint(WIDTH, LEFT),
            HEIGHT - 2.0
        );
        let mut words = Vec::new();
        for ruby in 0..rubies {
            let found: Vec<(f64, usize, Figure)> = self
                .threads
                .iter()
                .enumerate()
                .filter_map(|(place, &count)| Some((x(place, ruby), count, find(count, ruby)?)))
                .collect();
            svg += &self.series(ruby, &found, &y);
            let told: Vec<String> =
                found.iter().map(|(_, count, figure)| format!("{count} threads {}", number(figure.median))).collect();
            words.push(format!("{}: {}", self.measured.rubies[ruby], told.join(", ")));
        }
        let better = if self.better_high { "higher is better" } else { "lower is better" };
        let label = escape(&format!("{}; {}", self.name, words.join("; ")));
        format!(
            "<figure><figcaption>{} <small>{better}</small></figcaption>\
             <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{label}\">{svg}</svg></figure>",
            escape(self.name)
        )
    }

    fn series(&self, ruby: usize, found: &[(f64, usize, Figure)], y: &dyn Fn(f64) -> f64) -> String {
        let class = ruby % 6;
        let points: Vec<String> =
            found.iter().map(|(x, _, figure)| format!("{x:.1},{:.1}", y(figure.median))).collect();
        let mut text = format!("<polyline class=\"s{class}\" points=\"{}\"/>", points.join(" "));
        for (x, count, figure) in found {
            let title = format!("{}, {count} threads: {}", self.measured.rubies[ruby], number(figure.median));
            let _ = write!(
                text,
                "<g class=\"s{class}\"><title>{}</title>\
                 <line class=\"range\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"/>\
                 <circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"4\"/></g>",
                escape(&title),
                y(figure.low),
                y(figure.high),
                y(figure.median)
            );
        }
        text
    }
}

/// The next of 1, 2, 4, 8 times a power of ten, so that its quarters are short.
fn nice(value: f64) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    [1.0, 2.0, 4.0, 8.0].iter().map(|factor| factor * power).find(|&top| top >= value).unwrap_or(10.0 * power)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    #[test]
    fn scales_end_at_a_round_figure() {
        for (value, top) in [(0.0, 1.0), (0.7, 0.8), (3.0, 4.0), (81.0, 100.0), (1000.0, 1000.0), (1001.0, 2000.0)] {
            assert!((super::nice(value) - top).abs() < 1e-9, "{value}");
        }
    }
}
