//! What native methods tell the race detector: which of them order threads, and what those of containers read and
//! change.
//!
//! A lock releases before it is given back and acquires behind its being taken; a queue, a condition variable and a
//! descriptor release before something goes in and acquire behind something's coming out. That orders more than the one
//! item that was handed over: a thread that takes one is ordered behind all that was put in until then. So races may be
//! missed, and none are made up.

use rubellite_core_io::io::state::try_state;
use rubellite_vm::races::{Kind, Observer, Part};
use rubellite_vm::{Args, Class, Ctx, Extension, Value};
use std::cell::RefCell;
use std::collections::HashSet;

/// Keys of what is no object. They are odd.
pub const SIGNALS: u64 = rubellite_core_thread::races::SIGNALS;
const LOADING: u64 = 5;
const RACTORS: u64 = 7;
const SOCKETS: u64 = 9;

const fn before(before: fn(&mut Ctx, Value, Args)) -> Observer {
    Observer { before: Some(before), after: None, failed: None, whole: None }
}

const fn after(after: fn(&mut Ctx, Value, Args, Value)) -> Observer {
    Observer { before: None, after: Some(after), failed: None, whole: None }
}

const fn around(before: fn(&mut Ctx, Value, Args), after: fn(&mut Ctx, Value, Args, Value)) -> Observer {
    Observer { before: Some(before), after: Some(after), failed: None, whole: None }
}

// -- what orders threads --------------------------------------------------------------------

fn release(ctx: &mut Ctx, recv: Value, _: Args) {
    ctx.race_release(recv.bits());
}

fn acquire(ctx: &mut Ctx, recv: Value, _: Args, _: Value) {
    ctx.race_acquire(recv.bits());
}

fn acquire_if_true(ctx: &mut Ctx, recv: Value, _: Args, result: Value) {
    if result.truthy() {
        ctx.race_acquire(recv.bits());
    }
}

fn woken(ctx: &mut Ctx, recv: Value, _: Args, _: Value) {
    ctx.race_acquire(recv.bits());
    ctx.race_take_mail();
}

fn slept(ctx: &mut Ctx, _: Value, _: Args, _: Value) {
    ctx.race_take_mail();
}

fn send_to_self(ctx: &mut Ctx, recv: Value, _: Args) {
    ctx.race_send(recv);
}

fn send_to_first(ctx: &mut Ctx, _: Value, args: Args) {
    ctx.race_send(args.at(0));
}

fn joined(ctx: &mut Ctx, recv: Value, _: Args, result: Value) {
    if !result.is_nil() {
        ctx.race_observe_thread(recv);
    }
}

fn failed_to_join(ctx: &mut Ctx, recv: Value, _: Args) {
    ctx.race_observe_end(recv);
}

fn observed(ctx: &mut Ctx, recv: Value, _: Args, _: Value) {
    ctx.race_observe_thread(recv);
}

/// `alive?`
fn observed_if_false(ctx: &mut Ctx, recv: Value, _: Args, result: Value) {
    if !result.truthy() {
        ctx.race_observe_thread(recv);
    }
}

/// `stop?`
fn observed_if_true(ctx: &mut Ctx, recv: Value, _: Args, result: Value) {
    if result.truthy() {
        ctx.race_observe_thread(recv);
    }
}

/// `status`: a thread that does not run has told that itself.
fn observed_status(ctx: &mut Ctx, recv: Value, _: Args, result: Value) {
    let runs = rubellite_vm::object::Str::try_of(result).is_some_and(|text| text.bytes(ctx) == b"run");
    if !runs {
        ctx.race_observe_thread(recv);
    }
}

fn signalled(ctx: &mut Ctx, _: Value, _: Args) {
    ctx.race_release(SIGNALS);
}

fn finalizer_given(ctx: &mut Ctx, _: Value, _: Args) {
    ctx.race_release(rubellite_core_thread::races::FINALIZERS);
}

fn loaded(ctx: &mut Ctx, _: Value, _: Args, _: Value) {
    ctx.race_acquire(LOADING);
    ctx.race_release(LOADING);
    install(ctx);
}

fn ractor_sends(ctx: &mut Ctx, _: Value, _: Args) {
    ctx.race_release(RACTORS);
}

fn ractor_gets(ctx: &mut Ctx, _: Value, _: Args, _: Value) {
    ctx.race_acquire(RACTORS);
}

/// The two ends of a pipe are one inode. Which sockets belong together nobody says: they count as one.
fn channel(ctx: &Ctx, io: Value, writes: bool) -> Option<u64> {
    let state = try_state(ctx, io)?;
    let fd = if writes { state.out_fd() } else { state.fd.get() };
    // SAFETY: a plain query; the structure is ours.
    let stat = unsafe {
        let mut stat: libc::stat = std::mem::zeroed();
        (libc::fstat(fd, &mut stat) == 0).then_some(stat)?
    };
    let is_socket = stat.st_mode & libc::S_IFMT == libc::S_IFSOCK;
    Some(if is_socket { SOCKETS } else { (stat.st_ino.rotate_left(20) ^ stat.st_dev) << 4 | 11 })
}

fn written(ctx: &mut Ctx, io: Value, _: Args) {
    if let Some(key) = channel(ctx, io, true) {
        ctx.race_release(key);
    }
}

fn read(ctx: &mut Ctx, io: Value, _: Args, _: Value) {
    if let Some(key) = channel(ctx, io, false) {
        ctx.race_acquire(key);
    }
}

const LEAVE: Observer = before(release);
const ENTER: Observer = after(acquire);
const BOTH: Observer = around(release, acquire);

/// Class, names of instance methods, what they tell.
const ORDER: &[(&str, &[&str], Observer)] = &[
    ("Thread::Mutex", &["lock"], ENTER),
    ("Thread::Mutex", &["try_lock"], after(acquire_if_true)),
    ("Thread::Mutex", &["unlock"], LEAVE),
    ("Thread::Mutex", &["sleep"], around(release, woken)),
    ("Monitor", &["enter", "mon_enter"], ENTER),
    ("Monitor", &["try_enter", "try_mon_enter", "mon_try_enter"], after(acquire_if_true)),
    ("Monitor", &["exit", "mon_exit"], LEAVE),
    ("Monitor", &["wait_for_cond"], around(release, woken)),
    ("Thread::ConditionVariable", &["wait"], after(woken)),
    ("Thread::ConditionVariable", &["signal", "broadcast"], LEAVE),
    ("Thread::Queue", &["push", "<<", "enq", "close", "clear", "freeze"], LEAVE),
    ("Thread::Queue", &["pop", "shift", "deq", "empty?", "length", "size", "num_waiting", "closed?"], ENTER),
    ("Thread::SizedQueue", &["push", "<<", "enq", "pop", "shift", "deq", "close", "clear", "max="], BOTH),
    ("Thread::SizedQueue", &["empty?", "length", "size", "num_waiting"], ENTER),
    // The exception that has ended a thread is raised by whoever waits for it.
    ("Thread", &["join"], Observer { before: None, after: Some(joined), failed: Some(failed_to_join), whole: None }),
    ("Thread", &["value"], Observer { before: None, after: Some(observed), failed: Some(failed_to_join), whole: None }),
    ("Thread", &["alive?"], after(observed_if_false)),
    ("Thread", &["stop?"], after(observed_if_true)),
    ("Thread", &["status"], after(observed_status)),
    ("Thread", &["raise", "kill", "exit", "terminate", "wakeup", "run"], before(send_to_self)),
    (
        "IO",
        &[
            "write",
            "print",
            "printf",
            "puts",
            "putc",
            "<<",
            "syswrite",
            "write_nonblock",
            "pwrite",
            "flush",
            "close",
            "close_write",
        ],
        before(written),
    ),
    (
        "IO",
        &[
            "read",
            "gets",
            "readline",
            "readlines",
            "getc",
            "getbyte",
            "readchar",
            "readbyte",
            "readpartial",
            "read_nonblock",
            "sysread",
            "pread",
            "eof",
            "eof?",
            "wait",
            "wait_readable",
        ],
        after(read),
    ),
    ("Kernel", &["sleep"], after(slept)),
    ("Kernel", &["require", "require_relative", "load", "gem_original_require"], after(loaded)),
    ("Kernel", &["instance_variable_get"], before(ivar_read)),
    ("Kernel", &["instance_variable_set"], before(ivar_write)),
    ("BasicSocket", &["send", "sendmsg", "sendmsg_nonblock", "shutdown"], before(written)),
    ("BasicSocket", &["recv", "recv_nonblock", "recvmsg", "recvmsg_nonblock"], after(read)),
    ("UDPSocket", &["send"], before(written)),
    ("IPSocket", &["recvfrom"], after(read)),
    ("UNIXSocket", &["recvfrom"], after(read)),
    ("Socket", &["recvfrom", "recvfrom_nonblock", "accept", "accept_nonblock"], after(read)),
    ("TCPServer", &["accept", "accept_nonblock", "sysaccept"], after(read)),
    ("UNIXServer", &["accept", "accept_nonblock", "sysaccept"], after(read)),
    ("Socket", &["connect", "connect_nonblock"], before(written)),
    ("Ractor", &["send", "<<"], before(ractor_sends)),
    ("Ractor", &["join", "value", "take"], after(ractor_gets)),
    ("Ractor::Port", &["send", "<<", "close"], before(ractor_sends)),
    ("Ractor::Port", &["receive"], after(ractor_gets)),
];

/// The same of singleton methods.
const SINGLETON_ORDER: &[(&str, &[&str], Observer)] = &[
    ("Thread", &["stop"], after(slept)),
    ("Thread", &["kill"], before(send_to_first)),
    ("Process", &["kill"], before(signalled)),
    ("ObjectSpace", &["define_finalizer"], before(finalizer_given)),
    ("Kernel", &["sleep"], after(slept)),
    ("Kernel", &["require", "require_relative", "load"], after(loaded)),
    ("Ractor", &["receive", "recv", "select", "yield"], around(ractor_sends, ractor_gets)),
];

const PRIMITIVE_ORDER: &[(&str, Observer)] = &[
    ("mutex_lock", ENTER),
    ("mutex_unlock", LEAVE),
    ("monitor_enter", ENTER),
    ("monitor_exit", LEAVE),
    ("io_each_gets", after(read)),
];

// -- containers -----------------------------------------------------------------------------

fn whole(ctx: &mut Ctx, container: Value, kind: Kind) {
    ctx.race_whole(container, kind);
}

fn all_read(ctx: &mut Ctx, recv: Value, _: Args) {
    whole(ctx, recv, Kind::AllRead);
}

fn all_write(ctx: &mut Ctx, recv: Value, args: Args) {
    if args.at(0).has_tag(rubellite_vm::Tag::Array) || args.at(0).has_tag(rubellite_vm::Tag::Hash) {
        whole(ctx, args.at(0), Kind::AllRead);
    }
    whole(ctx, recv, Kind::AllWrite);
}

/// `initialize_copy`: the copy is new, and nobody else has it.
fn copied(ctx: &mut Ctx, _: Value, args: Args) {
    if args.at(0).is_heap() {
        whole(ctx, args.at(0), Kind::AllRead);
    }
}

fn size_read(ctx: &mut Ctx, recv: Value, _: Args) {
    whole(ctx, recv, Kind::SizeRead);
}

fn added(ctx: &mut Ctx, recv: Value, _: Args) {
    whole(ctx, recv, Kind::Add);
}

/// Observers that say no more than how the receiver is accessed as a whole.
const fn of_whole(before: fn(&mut Ctx, Value, Args), kind: Kind) -> Observer {
    Observer { before: Some(before), after: None, failed: None, whole: Some(kind) }
}

const ALL_READ: Observer = of_whole(all_read, Kind::AllRead);
const SIZE_READ: Observer = of_whole(size_read, Kind::SizeRead);
const ADDED: Observer = of_whole(added, Kind::Add);

fn array_element_read(ctx: &mut Ctx, recv: Value, args: Args) {
    if args.at(0).is_fixnum() && args.len() == 1 {
        ctx.race_aref_of(recv, args.at(0))
    } else {
        whole(ctx, recv, Kind::AllRead)
    }
}

fn array_element_write(ctx: &mut Ctx, recv: Value, args: Args) {
    if args.at(0).is_fixnum() && args.len() == 2 {
        ctx.race_aset_of(recv, args.at(0))
    } else {
        whole(ctx, recv, Kind::AllWrite)
    }
}

fn key_read(ctx: &mut Ctx, recv: Value, args: Args) {
    if recv.header().is_some_and(|header| !header.frozen()) {
        ctx.race_element(recv, args.at(0), false);
    }
}

fn key_write(ctx: &mut Ctx, recv: Value, args: Args) {
    ctx.race_store(recv, args.at(0));
}

fn key_deleted(ctx: &mut Ctx, recv: Value, args: Args) {
    whole(ctx, recv, Kind::Add);
    ctx.race_element(recv, args.at(0), true);
}

/// What a native method of a container does that is in none of the lists: it reads all.
struct Container {
    class: &'static str,
    lists: &'static [(&'static [&'static str], Observer)],
    /// These look at nothing that others change.
    neutral: &'static [&'static str],
}

const CONTAINERS: &[Container] = &[
    Container {
        class: "Array",
        lists: &[
            (&["[]", "slice", "at", "fetch", "dig"], before(array_element_read)),
            (&["[]="], before(array_element_write)),
            (&["initialize_copy"], before(copied)),
            (&["length", "size", "empty?"], SIZE_READ),
            (&["push", "append", "<<", "pop", "shift", "unshift", "prepend"], ADDED),
            (
                &[
                    "insert",
                    "delete",
                    "delete_at",
                    "delete_if",
                    "reject!",
                    "select!",
                    "keep_if",
                    "filter!",
                    "map!",
                    "collect!",
                    "compact!",
                    "flatten!",
                    "uniq!",
                    "reverse!",
                    "rotate!",
                    "shuffle!",
                    "sort!",
                    "sort_by!",
                    "clear",
                    "replace",
                    "fill",
                    "slice!",
                    "concat",
                ],
                before(all_write),
            ),
        ],
        neutral: &["initialize", "freeze", "frozen?", "object_id"],
    },
    Container {
        class: "Hash",
        lists: &[
            (&["[]", "fetch", "key?", "has_key?", "include?", "member?", "dig"], before(key_read)),
            (&["[]=", "store"], before(key_write)),
            (&["delete"], before(key_deleted)),
            (&["initialize_copy"], before(copied)),
            (&["length", "size", "empty?"], SIZE_READ),
            (&["shift"], ADDED),
            (
                &[
                    "clear",
                    "replace",
                    "merge!",
                    "update",
                    "delete_if",
                    "reject!",
                    "select!",
                    "keep_if",
                    "filter!",
                    "compact!",
                    "transform_values!",
                    "transform_keys!",
                    "rehash",
                    "compare_by_identity",
                ],
                before(all_write),
            ),
        ],
        neutral: &[
            "initialize",
            "freeze",
            "default",
            "default=",
            "default_proc",
            "default_proc=",
            "compare_by_identity?",
        ],
    },
    Container {
        class: "Set",
        lists: &[
            (&["include?", "member?", "contain?", "==="], before(key_read)),
            (&["add", "<<", "add?", "delete", "delete?"], before(key_deleted)),
            (&["initialize_copy"], before(copied)),
            (&["length", "size", "count", "empty?"], SIZE_READ),
            (
                &[
                    "clear",
                    "replace",
                    "merge",
                    "subtract",
                    "delete_if",
                    "reject!",
                    "select!",
                    "keep_if",
                    "filter!",
                    "map!",
                    "collect!",
                    "reset",
                ],
                before(all_write),
            ),
        ],
        neutral: &["initialize", "freeze", "compare_by_identity", "compare_by_identity?"],
    },
];

/// The primitives by which the core classes' own Ruby code works on containers.
const PRIMITIVES: &[(&[&str], Observer)] = &[
    (&["array_at"], before(array_element_read)),
    (&["array_len", "hash_len"], SIZE_READ),
    (
        &[
            "array_count",
            "array_index",
            "array_rindex",
            "array_part",
            "array_pick",
            "array_tally",
            "array_to_h",
            "array_total",
            "array_uniq",
            "array_zip",
            "array_sort_keys",
            "array_product",
            "hash_all_values",
            "hash_count",
            "hash_enter",
            "hash_keys_and_values",
            "hash_next",
            "hash_plain_copy",
            "hash_same_copy",
            "hash_to_h",
            "hash_values",
            "set_common",
            "set_meets_p",
            "set_subset_p",
            "set_table",
        ],
        ALL_READ,
    ),
    (&["array_put"], before(array_element_write)),
    (&["hash_get"], before(key_read)),
    (&["hash_add_new"], ADDED),
    (
        &[
            "array_keep",
            "array_replace",
            "array_shuffle_bang",
            "array_uniq_bang",
            "hash_delete_at",
            "hash_set_value",
            "hash_put_values",
            "set_add_list",
            "set_delete_at",
            "set_remove_list",
            "set_replace",
            "set_toggle",
        ],
        before(all_write),
    ),
];

// -- instance variables by name -------------------------------------------------------------

fn ivar_read(ctx: &mut Ctx, recv: Value, args: Args) {
    if let Some(name) = args.at(0).as_symbol().filter(|_| recv.is_heap()) {
        ctx.race_access(recv, Part::Ivar(name), Kind::Read);
    }
}

fn ivar_write(ctx: &mut Ctx, recv: Value, args: Args) {
    if let Some(name) = args.at(0).as_symbol().filter(|_| recv.is_heap()) {
        ctx.race_access(recv, Part::Ivar(name), Kind::Write);
    }
}

/// Which parts of the tables are in; classes of libraries come when those are loaded.
#[derive(Default)]
struct Installed(RefCell<HashSet<&'static str>>);

impl Extension for Installed {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// Puts the observers in, of those classes that are there and were not before.
pub fn install(ctx: &mut Ctx) {
    for class_name in ORDER
        .iter()
        .map(|row| row.0)
        .chain(SINGLETON_ORDER.iter().map(|row| row.0))
        .chain(CONTAINERS.iter().map(|row| row.class))
    {
        let known = ctx.extension::<Installed>().0.borrow().contains(class_name);
        let Some(class) = (if known { None } else { find(ctx, class_name) }) else { continue };
        ctx.extension::<Installed>().0.borrow_mut().insert(class_name);
        install_class(ctx, class_name, class);
    }
    let listed = PRIMITIVES.iter().flat_map(|(names, observer)| names.iter().map(move |name| (*name, *observer)));
    for (name, observer) in listed.chain(PRIMITIVE_ORDER.iter().copied()) {
        ctx.observe_primitive(name, observer);
    }
}

fn install_class(ctx: &mut Ctx, class_name: &str, class: Class) {
    for (_, names, observer) in ORDER.iter().filter(|row| row.0 == class_name) {
        names.iter().for_each(|name| ctx.observe_method(class, name, *observer));
    }
    for (_, names, observer) in SINGLETON_ORDER.iter().filter(|row| row.0 == class_name) {
        if let Some(singleton) = Class::singleton_class(ctx, class.value()) {
            names.iter().for_each(|name| ctx.observe_method(singleton, name, *observer));
        }
    }
    for container in CONTAINERS.iter().filter(|container| container.class == class_name) {
        for (names, observer) in container.lists {
            names.iter().for_each(|name| ctx.observe_method(class, name, *observer));
        }
        for name in ctx.native_methods_of(class) {
            if !container.neutral.contains(&&*name) {
                // Those that are observed already stay as they are.
                ctx.observe_method(class, &name, ALL_READ);
            }
        }
    }
}

fn find(ctx: &mut Ctx, path: &'static str) -> Option<Class> {
    match ctx.named_class(path) {
        Ok(class) => Some(class),
        Err(_) => {
            ctx.clear_pending();
            None
        }
    }
}
