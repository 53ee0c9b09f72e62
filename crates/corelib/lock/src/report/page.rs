//! The report as a page that needs nothing else: the numbers as JSON within `page.html`, which draws them.

use super::model::{LONG_WAIT_NS, LineId, Model};
use crate::events::quoted;
use rubellite_vm::vmlock::{Doing, ThreadStats};
use std::fmt::Write;

const TEMPLATE: &str = include_str!("page.html");
/// Where the numbers go in a page's text.
const PLACE: &str = "type=\"application/json\">{}<";
/// Threads with a time line; those that waited and ran most.
const THREADS_MAX: usize = 400;

pub fn page(model: &Model, program: &str) -> String {
    with_data(TEMPLATE, &data(model, program))
}

/// A page that needs nothing else: its text, with `data`, which is JSON, in the empty object of its script for that.
pub fn with_data(template: &str, data: &str) -> String {
    // Within a script `</` would end it.
    let data = data.replace('<', "\\u003c");
    template.replacen(PLACE, &format!("type=\"application/json\">{data}<"), 1)
}

fn micros(ns: u64) -> u64 {
    ns / 1000
}

fn data(model: &Model, program: &str) -> String {
    let mut rows = model.by_wait();
    rows.sort_by_key(|(line, stats)| (std::cmp::Reverse(stats.waited_ns + stats.held_ns), *line));
    rows.truncate(THREADS_MAX);
    rows.sort_by_key(|(line, stats)| (std::cmp::Reverse(stats.waited_ns), *line));
    let mut shown = vec![None; model.lines.len()];
    rows.iter().enumerate().for_each(|(row, (line, _))| shown[*line] = Some(row));
    let mut out = format!(
        "{{\"program\":{},\"elapsed\":{},\"advice\":{},\"count\":{},\"long\":{},\"threshold\":{}",
        quoted(program),
        micros(model.elapsed_ns()),
        quoted(&model.advice()),
        model.lines.len(),
        model.long_waits,
        LONG_WAIT_NS / 1_000_000
    );
    list(&mut out, "threads", rows.iter(), |out, (line, stats)| thread(out, model, *line, stats));
    list(&mut out, "places", 0..model.places.len(), |out, id| {
        let (spot, place) = (&model.spots[id], &model.places[id]);
        let title = model.place(id);
        let _ = write!(out, "{{\"short\":{},\"label\":{}", quoted(&title), quoted(&spot.label));
        let _ = write!(
            out,
            ",\"held\":{},\"behind\":{},\"long\":{}}}",
            micros(place.held_ns),
            micros(place.behind_ns),
            place.long_waits
        );
    });
    let waits = model.by_length().into_iter().filter_map(|wait| Some((shown[wait.line]?, wait)));
    list(&mut out, "waits", waits, |out, (row, wait)| {
        let number = |found: Option<usize>| found.map_or(-1, |found| found as i64);
        let (from, long) = (micros(wait.from_ns.saturating_sub(model.began_ns)), micros(wait.ns()));
        let by = wait.behind.and_then(|(line, _, _)| shown[line]);
        let place = wait.behind.and_then(|(_, place, _)| place);
        let _ = write!(out, "{{\"thread\":{row},\"from\":{from},\"long\":{long},\"at\":{}", number(wait.at));
        let _ = write!(out, ",\"by\":{},\"place\":{}}}", number(by), number(place));
    });
    out.push('}');
    out
}

fn list<T>(out: &mut String, name: &str, items: impl Iterator<Item = T>, mut item: impl FnMut(&mut String, T)) {
    let _ = write!(out, ",\n\"{name}\":[");
    for (i, found) in items.enumerate() {
        out.push_str(if i == 0 { "\n" } else { ",\n" });
        item(out, found);
    }
    out.push(']');
}

fn thread(out: &mut String, model: &Model, line: LineId, stats: &ThreadStats) {
    let _ = write!(
        out,
        "{{\"name\":{},\"waited\":{},\"ran\":{}",
        quoted(&model.name(line)),
        micros(stats.waited_ns),
        micros(stats.held_ns)
    );
    let _ = write!(out, ",\"outside\":{},\"waits\":{},\"s\":[", micros(stats.outside_ns), stats.waits);
    for (i, stretch) in model.lines[line].stretches.iter().enumerate() {
        let doing = match stretch.doing {
            Doing::Holding => 0,
            Doing::Waiting => 1,
            Doing::Parked => 2,
            Doing::Outside => 3,
            Doing::Handed => 4,
        };
        let comma = if i == 0 { "" } else { "," };
        let from = micros(stretch.from_ns.saturating_sub(model.began_ns));
        let _ = write!(out, "{comma}[{from},{},{doing}]", micros(stretch.to_ns - stretch.from_ns));
    }
    out.push_str("]}");
}
