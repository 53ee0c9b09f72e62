//! The module GC: collections on demand, figures, settings.

use super::super::support::string;
use rubellite_vm::class::{Arity, Class, ClassDef, method};
use rubellite_vm::object::{Array, Hash};
use rubellite_vm::thread::interrupt_bits;
use rubellite_vm::{Args, Ctx, Extension, Result, Sym, Value, unimplemented};
use std::cell::Cell;

pub static GC: ClassDef = ClassDef {
    name: "GC",
    superclass: "",
    methods: &[method("garbage_collect", Arity::NONE.with_keywords(), start)],
    singleton_methods: &[
        method("start", Arity::NONE.with_keywords(), start),
        method("enable", Arity::NONE, enable),
        method("disable", Arity::NONE, disable),
        method("stress", Arity::NONE, stress),
        method("stress=", Arity::ONE, set_stress),
        method("verify_internal_consistency", Arity::NONE, verify),
        // Objects never move.
        unimplemented("compact", Arity::NONE),
        method("auto_compact", Arity::NONE, auto_compact),
        method("auto_compact=", Arity::ONE, set_auto_compact),
        unimplemented("latest_compact_info", Arity::NONE),
        unimplemented("verify_compaction_references", Arity::ANY),
        method("count", Arity::NONE, count),
        method("stat", Arity::range(0, 1), stat),
        method("stat_heap", Arity::range(0, 2), stat_heap),
        method("measure_total_time", Arity::NONE, measure_total_time),
        method("measure_total_time=", Arity::ONE, set_measure_total_time),
        method("total_time", Arity::NONE, total_time),
        method("config", Arity::range(0, 1), config),
        method("latest_gc_info", Arity::range(0, 1), latest_gc_info),
    ],
    setup: Some(set_constants),
    ..ClassDef::EMPTY
};

pub static PROFILER: ClassDef = ClassDef {
    name: "GC::Profiler",
    superclass: "",
    singleton_methods: &[
        method("enabled?", Arity::NONE, profiler_enabled_p),
        method("enable", Arity::NONE, profiler_enable),
        method("disable", Arity::NONE, profiler_disable),
        method("clear", Arity::NONE, profiler_clear),
        method("raw_data", Arity::NONE, profiler_raw_data),
        method("result", Arity::NONE, profiler_result),
        method("report", Arity::ANY, profiler_clear),
        method("total_time", Arity::NONE, profiler_total_time),
    ],
    ..ClassDef::EMPTY
};

/// Nanoseconds spent in marking and in sweeping.
#[derive(Copy, Clone, Default)]
struct Times {
    mark: u64,
    sweep: u64,
}

impl Times {
    fn of_heap(ctx: &Ctx) -> Times {
        let s = ctx.heap_stat();
        Times { mark: s.mark_time_ns, sweep: s.sweep_time_ns }
    }

    /// Those for which `GC.measure_total_time` was set.
    fn measured(ctx: &Ctx) -> Times {
        let settings = ctx.extension::<Settings>();
        let (until, without) =
            (settings.unmeasured_since.get().unwrap_or(Times::of_heap(ctx)), settings.unmeasured.get());
        Times { mark: until.mark - without.mark, sweep: until.sweep - without.sweep }
    }

    fn total(self) -> u64 {
        self.mark + self.sweep
    }
}

/// Settings that the heap itself does not keep.
struct Settings {
    stress: Cell<Value>,
    /// What is not measured: the times when measuring was switched off, if it is, and what passed in such stretches
    /// before.
    unmeasured_since: Cell<Option<Times>>,
    unmeasured: Cell<Times>,
    profiling: Cell<bool>,
    auto_compact: Cell<bool>,
    full_mark: Cell<bool>,
    /// The last collection that a program asked for.
    asked: Cell<Asked>,
}

/// What `GC.start` was called with, and how many collections there were then.
#[derive(Copy, Clone, Default)]
struct Asked {
    count: u64,
    full: bool,
    immediate_sweep: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            stress: Cell::new(Value::FALSE),
            unmeasured_since: Cell::default(),
            unmeasured: Cell::default(),
            profiling: Cell::new(false),
            auto_compact: Cell::new(false),
            full_mark: Cell::new(true),
            asked: Cell::default(),
        }
    }
}

impl Extension for Settings {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.stress.get());
    }
}

fn set_constants(ctx: &mut Ctx, gc: Class) -> Result<()> {
    let constants = Hash::new(ctx);
    let stats = ctx.cell_stats();
    let base = stats.first().map_or(0, |stat| stat.cell_bytes);
    for (name, number) in [("RVALUE_OVERHEAD", 0), ("BASE_SLOT_SIZE", base), ("HEAP_COUNT", stats.len())] {
        let key = Value::symbol(ctx.intern(name));
        constants.insert(ctx, key, Value::fixnum(number as i64))?;
    }
    gc.set_const(ctx, "INTERNAL_CONSTANTS", super::super::exception::frozen(constants.value()));
    let options = Array::new(ctx).value();
    gc.set_const(ctx, "OPTS", super::super::exception::frozen(options));
    Ok(())
}

/// `GC.start(full_mark: true, immediate_sweep: true) -> nil`: without `full_mark` a minor collection if that is enough.
pub fn start(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    args.check_keywords(ctx, &["full_mark", "immediate_mark", "immediate_sweep"])?;
    let full = args.keyword(ctx, "full_mark").is_none_or(Value::truthy);
    let immediate_sweep = args.keyword(ctx, "immediate_sweep").is_none_or(Value::truthy);
    if full {
        ctx.collect_in_steps()?;
    } else {
        ctx.collect_young();
    }
    let asked = Asked { count: ctx.heap_stat().count, full, immediate_sweep };
    ctx.extension::<Settings>().asked.set(asked);
    // The handler of interrupts runs finalizers, deaf to what other threads send meanwhile.
    ctx.thread().lock_thread.interrupt.set(interrupt_bits::JOB);
    ctx.check_interrupts()?;
    Ok(Value::NIL)
}

/// `GC.verify_internal_consistency -> nil`: a collection looks at every object.
fn verify(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    ctx.collect_garbage();
    Ok(Value::NIL)
}

/// `GC.enable -> true or false`: whether it was disabled.
fn enable(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(ctx.set_gc_disabled(false)))
}

/// `GC.disable -> true or false`: whether it was disabled already.
fn disable(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(ctx.set_gc_disabled(true)))
}

fn stress(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(ctx.extension::<Settings>().stress.get())
}

fn set_stress(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    ctx.extension::<Settings>().stress.set(args.at(0));
    ctx.set_gc_stress(args.at(0).truthy());
    Ok(args.at(0))
}

fn auto_compact(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(ctx.extension::<Settings>().auto_compact.get()))
}

/// `GC.auto_compact = flag`: a wish that programs state for speed when they start. It is kept and changes nothing.
fn set_auto_compact(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    ctx.extension::<Settings>().auto_compact.set(args.at(0).truthy());
    Ok(args.at(0))
}

fn count(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let n = ctx.heap_stat().count;
    Ok(ctx.int(n as i64))
}

/// Figures by name.
fn figures(ctx: &Ctx) -> Vec<(&'static str, i64)> {
    let s = ctx.heap_stat();
    let times = Times::measured(ctx);
    let live = s.total_allocated_objects.saturating_sub(s.total_freed_objects);
    let major = s.count - s.minor_count;
    vec![
        ("count", s.count as i64),
        ("time", (times.total() / 1_000_000) as i64),
        ("marking_time", (times.mark / 1_000_000) as i64),
        ("sweeping_time", (times.sweep / 1_000_000) as i64),
        ("heap_allocated_pages", (s.heap_allocated_pages + s.heap_empty_pages) as i64),
        ("heap_empty_pages", s.heap_empty_pages as i64),
        ("heap_allocatable_slots", 0),
        ("heap_available_slots", live as i64),
        ("heap_live_slots", live as i64),
        ("heap_free_slots", 0),
        ("heap_final_slots", 0),
        ("heap_marked_slots", live as i64),
        ("heap_eden_pages", s.heap_allocated_pages as i64),
        ("total_allocated_pages", (s.heap_allocated_pages + s.heap_empty_pages) as i64),
        ("total_freed_pages", 0),
        ("total_allocated_objects", s.total_allocated_objects as i64),
        ("total_freed_objects", s.total_freed_objects as i64),
        ("malloc_increase_bytes", s.malloc_increase as i64),
        ("malloc_increase_bytes_limit", s.mapped_bytes as i64),
        ("minor_gc_count", s.minor_count as i64),
        ("major_gc_count", major as i64),
        ("compact_count", 0),
        ("read_barrier_faults", 0),
        ("total_moved_objects", 0),
        ("remembered_wb_unprotected_objects", 0),
        ("remembered_wb_unprotected_objects_limit", 0),
        ("old_objects", 0),
        ("old_objects_limit", 0),
        ("oldmalloc_increase_bytes", s.malloc_increase as i64),
        ("oldmalloc_increase_bytes_limit", s.mapped_bytes as i64),
    ]
}

/// `GC.stat -> hash`, `GC.stat(hash) -> hash`, `GC.stat(key) -> integer`
fn stat(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let figures = figures(ctx);
    answer(ctx, args.get(0), &figures)
}

/// All figures as a Hash, or the one that a symbol names.
fn answer(ctx: &mut Ctx, asked: Option<Value>, figures: &[(&'static str, i64)]) -> Result {
    let hash = match asked.filter(|a| !a.is_nil()) {
        None => Hash::new(ctx),
        Some(given) => {
            if let Some(sym) = given.as_symbol() {
                let text = ctx.sym_str(sym);
                return match figures.iter().find(|(name, _)| *name == text) {
                    Some((_, n)) => Ok(ctx.int(*n)),
                    None => Err(ctx.argument_error(&format!("unknown key: {text}"))),
                };
            }
            match Hash::try_of(given) {
                Some(hash) => hash,
                None => return Err(ctx.type_error("non-hash or symbol given")),
            }
        }
    };
    for (name, n) in figures {
        let (key, value) = (Value::symbol(ctx.intern(name)), ctx.int(*n));
        hash.insert(ctx, key, value)?;
    }
    Ok(hash.value())
}

/// `GC.stat_heap(heap = nil, key = nil)`: this heap counts as one.
fn stat_heap(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let stats = ctx.cell_stats().map(|stat| {
        [
            ("slot_size", stat.cell_bytes as i64),
            ("heap_eden_pages", stat.pages as i64),
            ("heap_eden_slots", stat.cells as i64),
            ("total_allocated_pages", stat.pages as i64),
            ("total_freed_pages", 0),
            ("force_major_gc_count", 0),
            ("force_incremental_marking_finish_count", 0),
        ]
    });
    if let Some(heap) = args.non_nil(0) {
        let Some(heap) = heap.as_fixnum() else {
            return Err(ctx.type_error("heap_name must be nil or an Integer"));
        };
        return match usize::try_from(heap).ok().and_then(|heap| stats.get(heap)) {
            Some(figures) => answer(ctx, args.get(1), figures),
            None => Err(ctx.argument_error("heap index out of range")),
        };
    }
    let outer = match args.non_nil(1) {
        None => Hash::new(ctx),
        Some(given) => match Hash::try_of(given) {
            Some(hash) => hash,
            None => return Err(ctx.type_error("non-hash given")),
        },
    };
    for (i, figures) in stats.iter().enumerate() {
        let key = Value::fixnum(i as i64);
        let before = outer.get(ctx, key)?.filter(|before| before.has_tag(rubellite_vm::Tag::Hash));
        let inner = answer(ctx, before, figures)?;
        outer.insert(ctx, key, inner)?;
    }
    Ok(outer.value())
}

fn measure_total_time(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(ctx.extension::<Settings>().unmeasured_since.get().is_none()))
}

fn set_measure_total_time(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let now = Times::of_heap(ctx);
    let settings = ctx.extension::<Settings>();
    match (settings.unmeasured_since.get(), args.at(0).truthy()) {
        (None, false) => settings.unmeasured_since.set(Some(now)),
        (Some(since), true) => {
            let before = settings.unmeasured.get();
            settings.unmeasured.set(Times {
                mark: before.mark + now.mark - since.mark,
                sweep: before.sweep + now.sweep - since.sweep,
            });
            settings.unmeasured_since.set(None);
        }
        _ => {}
    }
    Ok(args.at(0))
}

/// `GC.total_time -> nanoseconds`
fn total_time(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(ctx.int(Times::measured(ctx).total() as i64))
}

/// `GC.config -> hash`, `GC.config(hash) -> hash`
fn config(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let key = Value::symbol(ctx.intern("rgengc_allow_full_mark"));
    if let Some(given) = args.non_nil(0) {
        let Some(hash) = Hash::try_of(given) else { return Err(ctx.raise_error("ArgumentError", "ArgumentError")) };
        let implementation = ctx.intern("implementation");
        if hash.get_sym(ctx, implementation).is_some() {
            return Err(ctx.argument_error("Attempting to set read-only key \"Implementation\""));
        }
        if let Some(allow) = hash.get(ctx, key)? {
            ctx.extension::<Settings>().full_mark.set(allow.truthy());
        }
    }
    let result = Hash::new(ctx);
    let allow = ctx.extension::<Settings>().full_mark.get();
    result.insert(ctx, key, Value::from_bool(allow))?;
    let (name, text) = (Value::symbol(ctx.intern("implementation")), string(ctx, "default"));
    result.insert(ctx, name, text)?;
    Ok(result.value())
}

/// `GC.latest_gc_info(hash or key = nil)`
fn latest_gc_info(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let none = Value::symbol(ctx.intern("none"));
    let last = ctx.extension::<Settings>().asked.get();
    let asked = last.count > 0 && last.count == ctx.heap_stat().count;
    let by = Value::symbol(ctx.intern(if asked { "method" } else { "newobj" }));
    let major_by = if asked && last.full { Value::symbol(ctx.intern("force")) } else { Value::NIL };
    let pairs: [(&str, Value); 8] = [
        ("major_by", major_by),
        ("need_major_by", Value::NIL),
        ("gc_by", by),
        ("have_finalizer", Value::FALSE),
        ("immediate_sweep", Value::from_bool(asked && last.immediate_sweep)),
        ("state", none),
        ("weak_references_count", Value::fixnum(0)),
        ("retained_weak_references_count", Value::fixnum(0)),
    ];
    let hash = match args.non_nil(0) {
        None => Hash::new(ctx),
        Some(given) => {
            if let Some(sym) = given.as_symbol() {
                let text: String = ctx.sym_str(sym);
                return match pairs.iter().find(|(name, _)| *name == text) {
                    Some((_, value)) => Ok(*value),
                    None => Err(ctx.argument_error(&format!("unknown key: {text}"))),
                };
            }
            match Hash::try_of(given) {
                Some(hash) => hash,
                None => return Err(ctx.type_error("non-hash or symbol given")),
            }
        }
    };
    for (name, value) in pairs {
        let key: Sym = ctx.intern(name);
        hash.insert(ctx, Value::symbol(key), value)?;
    }
    Ok(hash.value())
}

// -- GC::Profiler: collections are measured by the heap itself; the profiler keeps no records of its own.

fn profiler_enabled_p(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(ctx.extension::<Settings>().profiling.get()))
}

fn profiler_enable(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    ctx.extension::<Settings>().profiling.set(true);
    Ok(Value::NIL)
}

fn profiler_disable(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    ctx.extension::<Settings>().profiling.set(false);
    Ok(Value::NIL)
}

fn profiler_clear(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::NIL)
}

fn profiler_raw_data(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    if !ctx.extension::<Settings>().profiling.get() {
        return Ok(Value::NIL);
    }
    Ok(Array::new(ctx).value())
}

fn profiler_result(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(string(ctx, ""))
}

fn profiler_total_time(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let seconds = Times::of_heap(ctx).total() as f64 / 1e9;
    Ok(ctx.float(seconds))
}
