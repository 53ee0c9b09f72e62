//! Signatures of native methods that Ruby documents with names and keywords: `Method#parameters` tells them, and libraries look there whether
//! a keyword is known. The arity stays that of the native.

/// Methods, `Class#method` or `Class.method`, and their parameters in Ruby's notation.
const SIGNATURES: &[(&str, &str)] = &[
    ("Array#first", "n = nil"),
    ("Array#last", "n = nil"),
    ("Array#pack", "fmt, buffer: nil"),
    ("Array#sample", "n = nil, random: nil"),
    ("Dir#initialize", "name, encoding: nil"),
    ("Dir.[]", "*args, base: nil, sort: nil"),
    ("Dir.glob", "pattern, _flags = nil, flags: nil, base: nil, sort: nil"),
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
    ("Kernel#warn", "*msgs, uplevel: nil, category: nil"),
    ("Kernel.Float", "arg, exception: nil"),
    ("Kernel.Integer", "arg, base = nil, exception: nil"),
    ("Kernel.warn", "*msgs, uplevel: nil, category: nil"),
    ("Marshal.load", "source, proc = nil, freeze: nil"),
    ("Marshal.restore", "source, proc = nil, freeze: nil"),
    ("ObjectSpace#garbage_collect", "full_mark: nil, immediate_mark: nil, immediate_sweep: nil"),
    ("ObjectSpace.garbage_collect", "full_mark: nil, immediate_mark: nil, immediate_sweep: nil"),
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
    ("Time#initialize", "year = nil, mon = nil, mday = nil, hour = nil, min = nil, sec = nil, zone = nil, in: nil, precision: nil"),
    ("Time.at", "time, subsec = nil, unit = nil, in: nil"),
    ("Time.now", "in: nil"),
    ("TracePoint#enable", "target: nil, target_line: nil, target_thread: nil"),
    ("TracePoint.new", "*events"),
    ("TracePoint.trace", "*events"),
];

/// Kinds and names of the parameters of a method, `Class#method` or `Class.method`; none where no more is known than the arity.
pub fn of(method: &str) -> Option<Vec<(&'static str, &'static str)>> {
    let at = SIGNATURES.binary_search_by_key(&method, |(name, _)| name).ok()?;
    Some(SIGNATURES[at].1.split(", ").map(parameter).collect())
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
