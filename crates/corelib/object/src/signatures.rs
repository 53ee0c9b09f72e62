//! Signatures of the core methods that are written in Ruby in CRuby: `Method#parameters` and `Method#arity` tell them,
//! and libraries look there whether a keyword is known. All others are told as C has them: a number of nameless
//! parameters, or a nameless rest.

/// Methods, `Class#method` or `Class.method`, and their parameters in Ruby's notation.
const SIGNATURES: &[(&str, &str)] = &[
    ("Array#fetch_values", "*indexes, &block"),
    ("Array#first", "n = nil"),
    ("Array#last", "n = nil"),
    ("Array#pack", "fmt, buffer: nil"),
    ("Array#sample", "n = nil, random: nil"),
    ("Array#shuffle", "random: nil"),
    ("Array#shuffle!", "random: nil"),
    ("Dir#initialize", "name, encoding: nil"),
    ("Dir.[]", "*args, base: nil, sort: nil"),
    ("Dir.glob", "pattern, _flags = nil, flags: nil, base: nil, sort: nil"),
    ("Dir.open", "name, encoding: nil, &block"),
    ("GC#garbage_collect", "full_mark: nil, immediate_mark: nil, immediate_sweep: nil"),
    ("GC.config", "hash = nil"),
    ("GC.latest_gc_info", "hash_or_key = nil"),
    ("GC.measure_total_time=", "flag"),
    ("GC.start", "full_mark: nil, immediate_mark: nil, immediate_sweep: nil"),
    ("GC.stat", "hash_or_key = nil"),
    ("GC.stat_heap", "heap_name = nil, hash_or_key = nil"),
    ("GC.stress=", "flag"),
    ("Hash#initialize", "ifnone = nil, capacity: nil, &block"),
    ("IO#read_nonblock", "len, buf = nil, exception: nil"),
    ("IO#readline", "sep = nil, limit = nil, chomp: nil"),
    ("IO#write_nonblock", "buf, exception: nil"),
    ("Integer#ceildiv", "other"),
    ("Kernel#Float", "arg, exception: nil"),
    ("Kernel#Integer", "arg, base = nil, exception: nil"),
    ("Kernel#clone", "freeze: nil"),
    ("Kernel#pp", "*objs"),
    ("Kernel#warn", "*msgs, uplevel: nil, category: nil"),
    ("Kernel.Float", "arg, exception: nil"),
    ("Kernel.Integer", "arg, base = nil, exception: nil"),
    ("Kernel.warn", "*msgs, uplevel: nil, category: nil"),
    ("Marshal.load", "source, proc = nil, freeze: nil"),
    ("Marshal.restore", "source, proc = nil, freeze: nil"),
    ("ObjectSpace#garbage_collect", "full_mark: nil, immediate_mark: nil, immediate_sweep: nil"),
    ("ObjectSpace.garbage_collect", "full_mark: nil, immediate_mark: nil, immediate_sweep: nil"),
    ("Process::Sys#setrgid", ""),
    ("Process::Sys#setruid", ""),
    ("Process::Sys.setrgid", ""),
    ("Process::Sys.setruid", ""),
    ("Ractor#[]", "sym"),
    ("Ractor#[]=", "sym, val"),
    ("Ractor#monitor", "port"),
    ("Ractor#send", "..."),
    ("Ractor#unmonitor", "port"),
    ("Ractor.[]", "sym"),
    ("Ractor.[]=", "sym, val"),
    ("Ractor._require", "feature"),
    ("Ractor.make_shareable", "obj, copy: nil"),
    ("Ractor.new", "*args, name: nil, &block"),
    ("Ractor.select", "*ports"),
    ("Ractor.shareable?", "obj"),
    ("Ractor.shareable_lambda", "self: nil"),
    ("Ractor.shareable_proc", "self: nil"),
    ("Ractor.store_if_absent", "sym"),
    ("Ractor::Port#send", "obj, move: nil"),
    ("String#unpack", "fmt, offset: nil"),
    ("String#unpack1", "fmt, offset: nil"),
    ("Thread::Queue#deq", "non_block = nil, timeout: nil"),
    ("Thread::Queue#pop", "non_block = nil, timeout: nil"),
    ("Thread::Queue#shift", "non_block = nil, timeout: nil"),
    ("Thread::SizedQueue#<<", "object, non_block = nil, timeout: nil"),
    ("Thread::SizedQueue#deq", "non_block = nil, timeout: nil"),
    ("Thread::SizedQueue#enq", "object, non_block = nil, timeout: nil"),
    ("Thread::SizedQueue#pop", "non_block = nil, timeout: nil"),
    ("Thread::SizedQueue#push", "object, non_block = nil, timeout: nil"),
    ("Thread::SizedQueue#shift", "non_block = nil, timeout: nil"),
    (
        "Time#initialize",
        "year = nil, mon = nil, mday = nil, hour = nil, min = nil, sec = nil, zone = nil, in: nil, precision: nil",
    ),
    ("Time.at", "time, subsec = nil, unit = nil, in: nil"),
    ("Time.now", "in: nil"),
    ("TracePoint#enable", "target: nil, target_line: nil, target_thread: nil"),
    ("TracePoint.new", "*events"),
    ("TracePoint.trace", "*events"),
];

/// Kinds and names of the parameters of a method, `Class#method` or `Class.method`; none where no more is known than
/// the arity.
pub fn of(method: &str) -> Option<Vec<(&'static str, &'static str)>> {
    let at = SIGNATURES.binary_search_by_key(&method, |(name, _)| name).ok()?;
    Some(match SIGNATURES[at].1 {
        "" => Vec::new(),
        "..." => vec![("rest", "*"), ("keyrest", "**"), ("block", "&")],
        text => text.split(", ").map(parameter).collect(),
    })
}

fn parameter(text: &'static str) -> (&'static str, &'static str) {
    if let Some(name) = text.strip_prefix('*') {
        ("rest", name)
    } else if let Some(name) = text.strip_prefix('&') {
        ("block", name)
    } else if let Some((name, _)) = text.split_once(": ") {
        ("key", name)
    } else if let Some((name, _)) = text.split_once(" = ") {
        ("opt", name)
    } else {
        ("req", text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_in_order_and_read() {
        assert!(SIGNATURES.is_sorted_by_key(|(name, _)| *name));
        assert_eq!(of("Kernel#warn"), Some(vec![("rest", "msgs"), ("key", "uplevel"), ("key", "category")]));
        assert_eq!(of("Kernel#Integer"), Some(vec![("req", "arg"), ("opt", "base"), ("key", "exception")]));
        assert_eq!(of("Kernel#none"), None);
    }
}
