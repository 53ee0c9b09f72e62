//! The story of a run that `explore` found, as one HTML page that loads nothing else.

use super::{Story, short};
use rubellite_core_lock::{quoted, report::with_data};
use std::fmt::Write;

const TEMPLATE: &str = include_str!("page.html");
/// Steps of a page.
const STEPS_MAX: usize = 400;

pub fn page(story: &Story, program: &str, end: &str, replay: &str) -> String {
    let mut out = format!(
        "{{\"program\":{},\"end\":{},\"replay\":{},\"summary\":{}",
        quoted(program),
        quoted(end),
        quoted(replay),
        quoted(&story.summary)
    );
    let texts = |texts: &[String]| texts.iter().map(|text| quoted(text)).collect::<Vec<String>>().join(",");
    let _ = write!(out, ",\"threads\":[{}],\"races\":[", texts(&story.threads));
    for (at, race) in story.races.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        let _ = write!(out, "{comma}{{\"variable\":{},\"sides\":[{}]}}", quoted(&race.variable), texts(&race.sides));
    }
    out.push_str("],\"steps\":[");
    let mut last = None;
    for (at, number) in story.chosen(STEPS_MAX).into_iter().enumerate() {
        let step = &story.steps[number];
        let comma = if at == 0 { "" } else { "," };
        let left_out = last.map_or(number, |last| number - last - 1);
        let accesses: Vec<String> =
            step.accesses.iter().map(|(done, variable)| format!("[{},{}]", quoted(done), quoted(variable))).collect();
        let _ = write!(
            out,
            "{comma}{{\"thread\":{},\"place\":{},\"path\":{},\"source\":{},\"forced\":{},\"left\":{left_out},\"accesses\":[{}]}}",
            step.thread,
            quoted(&format!("{}:{}", short(&step.file), step.line)),
            quoted(&format!("{}:{}", step.file, step.line)),
            quoted(&step.source),
            step.forced,
            accesses.join(",")
        );
        last = Some(number);
    }
    out.push_str("]}");
    with_data(TEMPLATE, &out)
}
