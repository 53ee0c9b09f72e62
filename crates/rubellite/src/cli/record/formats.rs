//! A profile in the forms that other programs read: folded stacks (a line for each stack, for programs that draw flame
//! graphs), the file format of Speedscope, the processed format of the Firefox Profiler, version 48; and a summary to
//! read.

use super::profile::{Clock, Profile, STATES, Weight};
use rubellite_core_lock::quoted;
use std::collections::HashMap;
use std::fmt::{Display, Write};

/// Lines that the summary shows by each clock.
const SUMMARY_LINES: usize = 10;
/// The version of the Firefox Profiler's format.
const FIREFOX_VERSION: u32 = 48;

fn joined<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(",")
}

/// The lines that took most time, by each clock.
pub fn summary(profile: &mut Profile) -> String {
    let ms = |us: u64| us as f64 / 1000.0;
    let mut out = String::new();
    let cost = 100.0 * profile.cost_us as f64 / profile.elapsed_us.max(1) as f64;
    let _ = write!(
        out,
        "{}, process {}: {:.1} ms, {} threads",
        profile.program,
        profile.pid,
        ms(profile.elapsed_us),
        profile.threads.len() - 1
    );
    let _ = if profile.complete {
        writeln!(out, ", {} looks, which took {cost:.2} % of one processor", profile.looks)
    } else {
        writeln!(out)
    };
    for clock in Clock::ALL {
        let mut lines: HashMap<String, u64> = HashMap::new();
        for weight in profile.weights(clock) {
            let state = weight
                .leaf
                .filter(|_| clock != Clock::Waited)
                .map_or(String::new(), |leaf| format!("  {}", profile.frames[leaf].label));
            *lines.entry(format!("{}{state}", profile.line(weight.node))).or_default() += weight.us;
        }
        let whole = lines.values().sum::<u64>().max(1) as f64;
        let mut lines: Vec<(String, u64)> = lines.into_iter().collect();
        lines.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
        let _ = writeln!(out, "\n{:>12} {:>7}  by {}", "ms", "", clock.title());
        for (line, us) in lines.into_iter().take(SUMMARY_LINES) {
            let _ = writeln!(out, "{:>12.1} {:>5.1} %  {line}", ms(us), 100.0 * us as f64 / whole);
        }
    }
    out
}

fn named(profile: &Profile, frame: usize) -> String {
    let frame = &profile.frames[frame];
    if frame.path.is_empty() { frame.label.clone() } else { format!("{} ({}:{})", frame.label, frame.path, frame.line) }
}

/// "thread;outermost;...;innermost MICROSECONDS"
pub fn folded(profile: &mut Profile, clock: Clock) -> String {
    let mut out = String::new();
    for weight in profile.weights(clock) {
        let thread = std::iter::once(profile.threads[weight.thread].name.clone());
        let frames = profile.stack(weight.node, weight.leaf).into_iter().map(|frame| named(profile, frame));
        let stack: Vec<String> = thread.chain(frames).map(|name| name.replace(';', ":")).collect();
        let _ = writeln!(out, "{} {}", stack.join(";"), weight.us);
    }
    out
}

/// By each clock all threads together, then each thread by the wall clock, in the order of time.
pub fn speedscope(profile: &mut Profile) -> String {
    let mut profiles = Vec::new();
    // Of all threads together each is a frame at the bottom.
    let by_clock: Vec<(Clock, Vec<Weight>)> =
        Clock::ALL.into_iter().map(|clock| (clock, profile.weights(clock))).collect();
    let first_thread = profile.frames.len() - 1;
    for (clock, weights) in by_clock {
        let stacks = weights.iter().map(|weight| {
            let stack = profile.stack(weight.node, weight.leaf).into_iter().map(|frame| frame - 1);
            (std::iter::once(first_thread + weight.thread - 1).chain(stack).collect::<Vec<_>>(), weight.us)
        });
        profiles.push(sampled(clock.title(), 0, stacks.collect()));
    }
    for thread in 1..profile.threads.len() {
        let mut own: Vec<_> = profile.stretches.iter().filter(|stretch| stretch.thread == thread).collect();
        own.sort_by_key(|stretch| stretch.from_us);
        let start_us = own.first().map_or(0, |stretch| stretch.from_us);
        let stack = |node, state| {
            profile.stack(node, profile.leaf(state)).into_iter().map(|frame| frame - 1).collect::<Vec<_>>()
        };
        let stacks = own.iter().map(|stretch| (stack(stretch.node, stretch.state), stretch.wall_us)).collect();
        profiles.push(sampled(&profile.threads[thread].name, start_us, stacks));
    }
    let frames = profile.frames[1..].iter().map(|frame| match frame.path.as_str() {
        "" => format!("{{\"name\":{}}}", quoted(&frame.label)),
        path => format!("{{\"name\":{},\"file\":{},\"line\":{}}}", quoted(&frame.label), quoted(path), frame.line),
    });
    let threads = profile.threads[1..].iter().map(|thread| format!("{{\"name\":{}}}", quoted(&thread.name)));
    format!(
        "{{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"name\":{},\"exporter\":\"rubellite\",\"activeProfileIndex\":0,
\"shared\":{{\"frames\":[{}]}},\n\"profiles\":[{}]}}\n",
        quoted(&profile.program),
        joined(frames.chain(threads)),
        profiles.join(",\n")
    )
}

fn sampled(name: &str, start_us: u64, stacks: Vec<(Vec<usize>, u64)>) -> String {
    let end_us = start_us + stacks.iter().map(|(_, us)| us).sum::<u64>();
    let samples = joined(stacks.iter().map(|(stack, _)| format!("[{}]", joined(stack))));
    let weights = joined(stacks.iter().map(|(_, us)| us));
    format!(
        "{{\"type\":\"sampled\",\"name\":{},\"unit\":\"microseconds\",\"startValue\":{start_us},\"endValue\":{end_us},\"samples\":[{samples}],\"weights\":[{weights}]}}",
        quoted(name)
    )
}

/// A row of the table of samples: when, in milliseconds, the stack, its time, the time on a processor, the state.
struct Sample {
    at_ms: f64,
    node: usize,
    leaf: Option<usize>,
    us: u64,
    processor_us: u64,
}

/// Every thread in the order of time, and two more: which stacks held the lock, and behind which others waited.
pub fn firefox(profile: &mut Profile, began_ms: f64) -> String {
    let mut tables = Vec::new();
    for clock in [Clock::Held, Clock::Waited] {
        let weights = profile.weights(clock).into_iter();
        let samples = weights
            .map(|weight| Sample { at_ms: 0.0, node: weight.node, leaf: weight.leaf, us: weight.us, processor_us: 0 })
            .collect();
        tables.push((
            format!("lock: {}", if clock == Clock::Held { "held by" } else { "others waited behind" }),
            0,
            samples,
        ));
    }
    let mut threads = Vec::new();
    for thread in 1..profile.threads.len() {
        let mut own: Vec<_> = profile.stretches.iter().filter(|stretch| stretch.thread == thread).collect();
        own.sort_by_key(|stretch| stretch.from_us);
        let sample = |stretch: &&super::profile::Stretch| Sample {
            at_ms: stretch.from_us as f64 / 1000.0,
            node: stretch.node,
            leaf: profile.leaf(stretch.state),
            us: stretch.wall_us,
            processor_us: stretch.processor_us,
        };
        let known = &profile.threads[thread];
        threads.push((known.name.clone(), known.native_id, own.iter().map(sample).collect::<Vec<_>>()));
    }
    threads.extend(tables);
    let threads: Vec<String> = threads
        .iter()
        .enumerate()
        .map(|(place, (name, native_id, samples))| firefox_thread(profile, place == 0, name, *native_id, samples))
        .collect();
    let colours = ["blue", "red", "transparent", "grey", "yellow"];
    let categories = STATES.iter().zip(colours).map(|(name, colour)| {
        format!(
            "{{\"name\":{},\"color\":\"{colour}\",\"subcategories\":[\"Other\"]}}",
            quoted(name.trim_matches(|c| c == '(' || c == ')'))
        )
    });
    format!(
        "{{\"meta\":{{\"interval\":{},\"startTime\":{began_ms},\"processType\":0,\"product\":{},\"stackwalk\":1,\"debug\":false,\"version\":27,\
\"preprocessedProfileVersion\":{FIREFOX_VERSION},\"symbolicated\":true,\"sourceCodeIsNotOnSearchfox\":true,\"usesOnlyOneStackType\":true,\
\"doesNotUseFrameImplementation\":true,\"markerSchema\":[],\"pausedRanges\":[],\"extensions\":{{\"id\":[],\"name\":[],\"baseURL\":[],\"length\":0}},\
\"sampleUnits\":{{\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"\u{b5}s\"}},\"categories\":[{}]}},\n\"libs\":[],\"pages\":[],\
\"counters\":[],\"profilerOverhead\":[],\"threads\":[{}]}}\n",
        profile.interval_us as f64 / 1000.0,
        quoted(&profile.program),
        joined(categories),
        threads.join(",\n")
    )
}

/// The samples of a thread as tables that refer to each other.
struct Gathered<'s> {
    /// Frames and functions are the same here: a line of a method.
    frames: Vec<usize>,
    /// Each with the one that called it.
    stacks: Vec<(Option<usize>, usize)>,
    rows: Vec<(Option<usize>, &'s Sample)>,
}

fn gathered<'s>(profile: &Profile, samples: &'s [Sample]) -> Gathered<'s> {
    let (mut frames, mut frame_places) = (Vec::new(), HashMap::new());
    let (mut stacks, mut stack_places) = (Vec::<(Option<usize>, usize)>::new(), HashMap::new());
    let mut rows = Vec::new();
    for sample in samples {
        let mut at = None;
        for frame in profile.stack(sample.node, sample.leaf) {
            let place = *frame_places.entry(frame).or_insert_with(|| {
                frames.push(frame);
                frames.len() - 1
            });
            at = Some(*stack_places.entry((at, place)).or_insert_with(|| {
                stacks.push((at, place));
                stacks.len() - 1
            }));
        }
        rows.push((at, sample));
    }
    Gathered { frames, stacks, rows }
}

/// A thread with tables of its own, in which every place is a column.
fn firefox_thread(profile: &Profile, is_main: bool, name: &str, native_id: u64, samples: &[Sample]) -> String {
    let mut strings: Vec<String> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut string = |text: &str| {
        *known.entry(text.to_string()).or_insert_with(|| {
            strings.push(quoted(text));
            strings.len() - 1
        })
    };
    let Gathered { frames, stacks, rows } = gathered(profile, samples);
    let or_null = |value: Option<usize>| value.map_or("null".to_string(), |value| value.to_string());
    let category = |frame: &usize| {
        STATES
            .iter()
            .position(|state| profile.frames[*frame].label == *state && profile.frames[*frame].path.is_empty())
            .unwrap_or(0)
    };
    let all = |text: &str, count: usize| vec![text; count].join(",");
    let names = joined(frames.iter().map(|frame| string(&profile.frames[*frame].label)));
    let files = joined(
        frames
            .iter()
            .map(|frame| Some(&profile.frames[*frame].path).filter(|path| !path.is_empty()).map(|path| string(path)))
            .map(or_null),
    );
    let lines =
        joined(frames.iter().map(|frame| or_null(Some(profile.frames[*frame].line as usize).filter(|line| *line > 0))));
    let (n, categories) = (frames.len(), joined(frames.iter().map(category)));
    let (nulls, zeros, minus) = (all("null", n), all("0", n), all("-1", n));
    let (no, places) = (all("false", n), joined(0..n));
    let frame_table = format!(
        "{{\"length\":{n},\"address\":[{minus}],\"inlineDepth\":[{zeros}],\"category\":[{categories}],\"subcategory\":[{zeros}],\"func\":[{places}],\
\"nativeSymbol\":[{nulls}],\"innerWindowID\":[{zeros}],\"implementation\":[{nulls}],\"line\":[{lines}],\"column\":[{nulls}]}}"
    );
    let func_table = format!(
        "{{\"length\":{n},\"name\":[{names}],\"isJS\":[{no}],\"relevantForJS\":[{no}],\"resource\":[{minus}],\"fileName\":[{files}],\
\"lineNumber\":[{lines}],\"columnNumber\":[{nulls}]}}"
    );
    let stack_table = format!(
        "{{\"length\":{},\"prefix\":[{}],\"frame\":[{}],\"category\":[{}],\"subcategory\":[{}]}}",
        stacks.len(),
        joined(stacks.iter().map(|(prefix, _)| or_null(*prefix))),
        joined(stacks.iter().map(|(_, frame)| frame)),
        joined(stacks.iter().map(|(_, frame)| category(&frames[*frame]))),
        all("0", stacks.len())
    );
    let sample_table = format!(
        "{{\"length\":{},\"stack\":[{}],\"time\":[{}],\"weight\":[{}],\"weightType\":\"tracing-ms\",\"threadCPUDelta\":[{}]}}",
        rows.len(),
        joined(rows.iter().map(|(stack, _)| or_null(*stack))),
        joined(rows.iter().map(|(_, sample)| sample.at_ms)),
        joined(rows.iter().map(|(_, sample)| sample.us as f64 / 1000.0)),
        joined(rows.iter().map(|(_, sample)| sample.processor_us))
    );
    format!(
        "{{\"processType\":\"default\",\"processName\":{},\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,\
\"pausedRanges\":[],\"name\":{},\"isMainThread\":{is_main},\"pid\":\"{}\",\"tid\":{native_id},\"showMarkersInTimeline\":false,\
\"samples\":{sample_table},\"frameTable\":{frame_table},\"funcTable\":{func_table},\"stackTable\":{stack_table},\"stringArray\":[{}],\
\"markers\":{{\"length\":0,\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],\"phase\":[],\"category\":[]}},\
\"resourceTable\":{{\"length\":0,\"lib\":[],\"name\":[],\"host\":[],\"type\":[]}},\
\"nativeSymbols\":{{\"length\":0,\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[]}}}}",
        quoted(&profile.program),
        quoted(name),
        profile.pid,
        strings.join(",")
    )
}
