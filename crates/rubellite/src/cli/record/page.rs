//! The profile as a page that needs nothing else: the numbers as JSON within `page.html`, which draws a flame graph of
//! them.

use super::profile::{Clock, Profile, Weight};
use rubellite_core_lock::quoted;
use rubellite_core_lock::report::with_data;
use std::fmt::Write;

const TEMPLATE: &str = include_str!("page.html");

pub fn page(profile: &mut Profile) -> String {
    with_data(TEMPLATE, &data(profile))
}

fn data(profile: &mut Profile) -> String {
    let clocks: Vec<(Clock, Vec<Weight>)> =
        Clock::ALL.into_iter().map(|clock| (clock, profile.weights(clock))).collect();
    let mut out = format!(
        "{{\"program\":{},\"pid\":{},\"elapsed\":{},\"looks\":{},\"cost\":{},\"complete\":{}",
        quoted(&profile.program),
        profile.pid,
        profile.elapsed_us,
        profile.looks,
        profile.cost_us,
        profile.complete
    );
    let list = |items: Vec<String>| items.join(",");
    let frames = profile
        .frames
        .iter()
        .map(|frame| format!("[{},{},{}]", quoted(&frame.label), quoted(&frame.path), frame.line))
        .collect();
    let _ = write!(out, ",\n\"frames\":[{}]", list(frames));
    let _ = write!(
        out,
        ",\n\"nodes\":[{}]",
        list(profile.nodes.iter().map(|(parent, frame)| format!("[{parent},{frame}]")).collect())
    );
    let _ =
        write!(out, ",\n\"threads\":[{}]", list(profile.threads.iter().map(|thread| quoted(&thread.name)).collect()));
    out.push_str(",\n\"clocks\":[");
    for (place, (clock, weights)) in clocks.iter().enumerate() {
        out.push_str(if place == 0 { "" } else { ",\n" });
        let rows = weights
            .iter()
            .map(|weight| format!("[{},{},{},{}]", weight.thread, weight.node, weight.leaf.unwrap_or(0), weight.us))
            .collect();
        let _ = write!(
            out,
            "{{\"name\":\"{}\",\"title\":\"{}\",\"weights\":[{}]}}",
            clock.name(),
            clock.title(),
            list(rows)
        );
    }
    out.push_str("]}");
    out
}
