/* Trace points, events, exits of the VM, storage of threads and ractors. */
#include "rbl.h"

static const struct {
    rb_event_flag_t flag;
    const char *name;
} events[] = {
    {RUBY_EVENT_LINE, "line"},
    {RUBY_EVENT_CLASS, "class"},
    {RUBY_EVENT_END, "end"},
    {RUBY_EVENT_CALL, "call"},
    {RUBY_EVENT_RETURN, "return"},
    {RUBY_EVENT_C_CALL, "c_call"},
    {RUBY_EVENT_C_RETURN, "c_return"},
    {RUBY_EVENT_RAISE, "raise"},
    {RUBY_EVENT_B_CALL, "b_call"},
    {RUBY_EVENT_B_RETURN, "b_return"},
    {RUBY_EVENT_THREAD_BEGIN, "thread_begin"},
    {RUBY_EVENT_THREAD_END, "thread_end"},
    {RUBY_EVENT_FIBER_SWITCH, "fiber_switch"},
    {RUBY_EVENT_SCRIPT_COMPILED, "script_compiled"},
    {RUBY_EVENT_RESCUE, "rescue"},
};
#define EVENTS (sizeof events / sizeof *events)

/* The address of a function, or any other, as a value and back. */
static VALUE address_value(const void *address)
{
    return ULONG2NUM((unsigned long)address);
}

static void *value_address(VALUE value)
{
    return (void *)NUM2ULONG(value);
}

/* An event of the heap that is being told of. */
struct happening {
    VALUE point;
    rb_event_flag_t flag;
    VALUE object;
    struct happening *outer;
};
static __thread struct happening *happening;

static int report_behind_tag(void *function, VALUE point, VALUE data, rb_event_flag_t flag, unsigned int how)
{
    if (!NIL_P(point)) {
        ENTER(((void (*)(VALUE, void *))function)(point, (void *)data));
    }
    if (how & RUBY_EVENT_HOOK_FLAG_RAW_ARG) {
        ENTER(((void (*)(VALUE, const rb_trace_arg_t *))function)(data, (const rb_trace_arg_t *)point));
    }
    ENTER(((rb_event_hook_func_t)function)(flag, data, Qnil, 0, 0));
}

/* Calls the C function of a trace point, or that of a hook where the point is nil. */
int rbl_report(void *function, VALUE point, VALUE data, unsigned int flag, unsigned int how, VALUE object)
{
    struct happening event = {point, flag, object, happening};
    happening = &event;
    int status = report_behind_tag(function, point, data, flag, how);
    happening = event.outer;
    return status;
}

/* The event of the heap that the argument is about; null where it is about another event. */
static const struct happening *heap_event(const rb_trace_arg_t *arg)
{
    return happening && happening->point == (VALUE)arg ? happening : 0;
}

/* Whether a function is being told of an event of the heap. */
bool rbl_tells(void)
{
    return happening != 0;
}

struct place {
    VALUE path;
    int line;
    VALUE method, class;
};

static struct place place(void)
{
    struct place found;
    if (rbl_c_place(&found, 0)) rbl_jump();
    return found;
}

/* A trace point's block: calls the C function with the trace point and its data. */
static VALUE traced(RB_BLOCK_CALL_FUNC_ARGLIST(point, words))
{
    void (*function)(VALUE, void *) = (void (*)(VALUE, void *))value_address(RARRAY_AREF(words, 0));
    function(point, value_address(RARRAY_AREF(words, 1)));
    return Qnil;
}

/* The events of the heap have no trace point, so that both cannot be told to one function. */
static rb_event_flag_t internal_events(rb_event_flag_t flags)
{
    rb_event_flag_t internal = flags & RUBY_INTERNAL_EVENT_OBJSPACE_MASK;
    if (internal && internal != flags)
        rb_raise(rb_eTypeError, "Can not specify normal event and internal event simultaneously.");
    return internal;
}

VALUE rb_tracepoint_new(VALUE thread, rb_event_flag_t flags, void (*function)(VALUE, void *), void *data)
{
    rb_event_flag_t internal = internal_events(flags);
    VALUE args[EVENTS];
    int n = 0;
    for (size_t i = 0; i < EVENTS; i++)
        if (flags & events[i].flag) args[n++] = ID2SYM((rb_intern)(events[i].name));
    /* What has events of the heap alone is a trace point that is never enabled as such. */
    if (n == 0 && internal) args[n++] = ID2SYM((rb_intern)("script_compiled"));
    VALUE words = rb_ary_new_from_args(2, address_value((const void *)function), address_value(data));
    VALUE block = rb_funcall(rb_proc_new(traced, words), (rb_intern)("to_proc"), 0);
    VALUE point = rb_funcall_with_block(rb_path2class("TracePoint"), (rb_intern)("new"), n, args, block);
    if (!RTEST(thread)) thread = Qnil;
    if (!NIL_P(thread)) rb_ivar_set(point, (rb_intern)("__rb_thread"), thread);
    if (internal) {
        if (rbl_c_watch(point, (void *)function, (VALUE)data, internal, 0, thread, 0)) rbl_jump();
        rb_ivar_set(point, (rb_intern)("__rb_heap"), Qtrue);
    }
    return point;
}

/* Turns the events of the heap on or off; whether the trace point has no others. */
static bool watch_alone(VALUE point, int on)
{
    int watched;
    if (rbl_c_watch_set(point, on, &watched)) rbl_jump();
    return watched && RTEST(rb_attr_get(point, (rb_intern)("__rb_heap")));
}

VALUE rb_tracepoint_enabled_p(VALUE point)
{
    int watched;
    VALUE enabled;
    if (rbl_c_watch_enabled(point, &watched)) rbl_jump();
    if (watched) return Qtrue;
    if (rbl_c_tracepoint_enabled(point, &enabled)) rbl_jump();
    return enabled;
}

VALUE rb_tracepoint_enable(VALUE point)
{
    MUST_BE(point, "TracePoint", "tracepoint");
    if (watch_alone(point, 1)) return Qundef;
    VALUE thread = rb_attr_get(point, (rb_intern)("__rb_thread"));
    if (NIL_P(thread)) {
        OWN(point, "enable");
    } else {
        VALUE options = rb_hash_new();
        rb_hash_aset(options, ID2SYM((rb_intern)("target_thread")), thread);
        rb_funcallv_kw(point, (rb_intern)("enable"), 1, &options, RB_PASS_KEYWORDS);
    }
    return Qundef;
}

VALUE rb_tracepoint_disable(VALUE point)
{
    if (watch_alone(point, 0)) return Qundef;
    if (rbl_c_tracepoint_disable(point, 0)) rbl_jump();
    return Qundef;
}

/* What accessors take is the trace point itself. */
#define POINT(arg) ((VALUE)(arg))

rb_trace_arg_t *rb_tracearg_from_tracepoint(VALUE point)
{
    return (rb_trace_arg_t *)point;
}

rb_event_flag_t rb_tracearg_event_flag(rb_trace_arg_t *arg)
{
    const struct happening *heap = heap_event(arg);
    if (heap) return heap->flag;
    VALUE event = OWN(POINT(arg), "event");
    for (size_t i = 0; i < EVENTS; i++)
        if (event == ID2SYM((rb_intern)(events[i].name))) return events[i].flag;
    return RUBY_EVENT_NONE;
}

VALUE rb_tracearg_event(rb_trace_arg_t *arg)
{
    if (heap_event(arg)) return Qnil;
    return OWN(POINT(arg), "event");
}

VALUE rb_tracearg_lineno(rb_trace_arg_t *arg)
{
    if (heap_event(arg)) return INT2FIX(place().line);
    return OWN(POINT(arg), "lineno");
}

VALUE rb_tracearg_path(rb_trace_arg_t *arg)
{
    if (heap_event(arg)) return place().path;
    return OWN(POINT(arg), "path");
}

VALUE rb_tracearg_parameters(rb_trace_arg_t *arg)
{
    return OWN(POINT(arg), "parameters");
}

VALUE rb_tracearg_method_id(rb_trace_arg_t *arg)
{
    if (heap_event(arg)) return place().method;
    return OWN(POINT(arg), "method_id");
}

VALUE rb_tracearg_callee_id(rb_trace_arg_t *arg)
{
    if (heap_event(arg)) return place().method;
    return OWN(POINT(arg), "callee_id");
}

VALUE rb_tracearg_defined_class(rb_trace_arg_t *arg)
{
    if (heap_event(arg)) return place().class;
    return OWN(POINT(arg), "defined_class");
}

VALUE rb_tracearg_binding(rb_trace_arg_t *arg)
{
    return OWN(POINT(arg), "binding");
}

VALUE rb_tracearg_self(rb_trace_arg_t *arg)
{
    return OWN(POINT(arg), "self");
}

VALUE rb_tracearg_return_value(rb_trace_arg_t *arg)
{
    return OWN(POINT(arg), "return_value");
}

VALUE rb_tracearg_raised_exception(rb_trace_arg_t *arg)
{
    return OWN(POINT(arg), "raised_exception");
}

VALUE rb_tracearg_object(rb_trace_arg_t *arg)
{
    const struct happening *heap = heap_event(arg);
    if (!heap || !(heap->flag & (RUBY_INTERNAL_EVENT_NEWOBJ | RUBY_INTERNAL_EVENT_FREEOBJ)))
        rb_raise(rb_eRuntimeError, "not supported by this event");
    return heap->object;
}

VALUE rb_tracearg_eval_script(rb_trace_arg_t *arg)
{
    return OWN(POINT(arg), "eval_script");
}

/* -- event hooks: trace points that call with the event's parts ----------------------------------- */

static VALUE hooks;

static void report(VALUE point, void *data)
{
    VALUE words = (VALUE)data;
    rb_event_hook_func_t function = (rb_event_hook_func_t)value_address(rb_ary_entry(words, 0));
    VALUE name = OWN(point, "method_id"), class = OWN(point, "defined_class");
    function(rb_tracearg_event_flag((rb_trace_arg_t *)point), rb_ary_entry(words, 1), OWN(point, "self"),
        NIL_P(name) ? 0 : SYM2ID(name), NIL_P(class) ? 0 : class);
}

/* A hook that wants the trace point itself. */
static void report_raw(VALUE point, void *data)
{
    VALUE words = (VALUE)data;
    void (*function)(VALUE, const rb_trace_arg_t *) =
        (void (*)(VALUE, const rb_trace_arg_t *))value_address(rb_ary_entry(words, 0));
    function(rb_ary_entry(words, 1), (const rb_trace_arg_t *)point);
}

static void add_hook(VALUE thread, rb_event_hook_func_t function, rb_event_flag_t flags, VALUE data, unsigned int how)
{
    rb_event_flag_t internal = internal_events(flags);
    if (internal) {
        if (rbl_c_watch(Qnil, (void *)function, data, internal, how, thread, 0)) rbl_jump();
        return;
    }
    if (!hooks) {
        hooks = rb_ary_new();
        rb_gc_register_address(&hooks);
    }
    VALUE words = rb_ary_new_from_args(4, address_value((const void *)function), data, Qnil, thread);
    VALUE point = rb_tracepoint_new(thread, flags & RUBY_EVENT_TRACEPOINT_ALL,
        how & RUBY_EVENT_HOOK_FLAG_RAW_ARG ? report_raw : report, (void *)words);
    rb_ary_store(words, 2, point);
    rb_ary_push(hooks, words);
    rb_tracepoint_enable(point);
}

void rb_add_event_hook(rb_event_hook_func_t function, rb_event_flag_t flags, VALUE data)
{
    add_hook(Qnil, function, flags, data, 0);
}

void rb_add_event_hook2(rb_event_hook_func_t function, rb_event_flag_t flags, VALUE data, rb_event_hook_flag_t how)
{
    add_hook(Qnil, function, flags, data, how);
}

static int remove_hooks(VALUE thread, rb_event_hook_func_t function, VALUE data)
{
    int n;
    if (rbl_c_watch_remove((void *)function, data, thread, &n)) rbl_jump();
    for (long i = hooks ? RARRAY_LEN(hooks) - 1 : -1; i >= 0; i--) {
        VALUE words = RARRAY_AREF(hooks, i);
        if (value_address(rb_ary_entry(words, 0)) != (void *)function || rb_ary_entry(words, 3) != thread
            || (data != Qundef && rb_ary_entry(words, 1) != data))
            continue;
        rb_tracepoint_disable(rb_ary_entry(words, 2));
        rb_ary_delete_at(hooks, i);
        n++;
    }
    return n;
}

int rb_remove_event_hook(rb_event_hook_func_t function)
{
    return remove_hooks(Qnil, function, Qundef);
}

int rb_remove_event_hook_with_data(rb_event_hook_func_t function, VALUE data)
{
    return remove_hooks(Qnil, function, data);
}

void rb_thread_add_event_hook(VALUE thread, rb_event_hook_func_t function, rb_event_flag_t flags, VALUE data)
{
    add_hook(thread, function, flags, data, 0);
}

void rb_thread_add_event_hook2(VALUE thread, rb_event_hook_func_t function, rb_event_flag_t flags, VALUE data,
    rb_event_hook_flag_t how)
{
    add_hook(thread, function, flags, data, how);
}

int rb_thread_remove_event_hook(VALUE thread, rb_event_hook_func_t function)
{
    return remove_hooks(thread, function, Qundef);
}

int rb_thread_remove_event_hook_with_data(VALUE thread, rb_event_hook_func_t function, VALUE data)
{
    return remove_hooks(thread, function, data);
}

/* -- frames ----------------------------------------------------------------------------------------- */

int rb_profile_frames(int start, int limit, VALUE *frames, int *lines)
{
    return rbl_c_profile_frames(start, limit, frames, lines);
}

int rb_profile_thread_frames(VALUE thread, int start, int limit, VALUE *frames, int *lines)
{
    int count;
    /* In the handler of a signal only the thread itself can be asked. */
    if (!rbl_self.now.ctx) return rbl_c_profile_frames(start, limit, frames, lines);
    if (rbl_c_profile_thread_frames(thread, start, limit, frames, lines, &count)) rbl_jump();
    return count;
}

struct rb_debug_inspector_struct {
    /* The locations, then self, class and depth of each level. */
    VALUE levels;
};

VALUE rb_debug_inspector_open(rb_debug_inspector_func_t function, void *data)
{
    struct rb_debug_inspector_struct inspector;
    if (rbl_c_inspect_levels(&inspector.levels)) rbl_jump();
    VALUE result = function(&inspector, data);
    RB_GC_GUARD(inspector.levels);
    return result;
}

VALUE rb_debug_inspector_backtrace_locations(const rb_debug_inspector_t *inspector)
{
    return RARRAY_AREF(inspector->levels, 0);
}

/* A part of a level: self, class, depth. */
static VALUE level_part(const rb_debug_inspector_t *inspector, long level, long part)
{
    if (level < 0 || level >= (RARRAY_LEN(inspector->levels) - 1) / 3) rb_raise(rb_eArgError, "no such frame");
    return RARRAY_AREF(inspector->levels, 1 + 3 * level + part);
}

VALUE rb_debug_inspector_frame_self_get(const rb_debug_inspector_t *inspector, long level)
{
    return level_part(inspector, level, 0);
}

VALUE rb_debug_inspector_frame_class_get(const rb_debug_inspector_t *inspector, long level)
{
    return level_part(inspector, level, 1);
}

VALUE rb_debug_inspector_frame_depth(const rb_debug_inspector_t *inspector, long level)
{
    return level_part(inspector, level, 2);
}

VALUE rb_debug_inspector_frame_binding_get(const rb_debug_inspector_t *inspector, long level)
{
    VALUE binding;
    if (rbl_c_binding_at(NUM2LONG(level_part(inspector, level, 2)), &binding)) rbl_jump();
    return binding;
}

VALUE rb_debug_inspector_frame_iseq_get(const rb_debug_inspector_t *inspector, long level)
{
    VALUE iseq;
    if (rbl_c_iseq_at(NUM2LONG(level_part(inspector, level, 2)), &iseq)) rbl_jump();
    return iseq;
}

void rb_iseq_code_location(const struct rb_iseq_struct *iseq, int *first_line, int *first_column, int *last_line,
    int *last_column)
{
    int lines[2];
    if (rbl_c_iseq_lines((VALUE)iseq, lines, 0)) rbl_jump();
    if (first_line) *first_line = lines[0];
    if (last_line) *last_line = lines[1];
    if (first_column) *first_column = -1;
    if (last_column) *last_column = -1;
}

/* -- the end of the VM ------------------------------------------------------------------------------ */

static void at_exit(VALUE function)
{
    ((void (*)(ruby_vm_t *))value_address(function))(0);
}

void ruby_vm_at_exit(void (*function)(ruby_vm_t *))
{
    rb_set_end_proc(at_exit, address_value((const void *)function));
}

/* -- storage of threads and ractors -------------------------------------------------------------------- */

static rb_internal_thread_specific_key_t specific_keys;

rb_internal_thread_specific_key_t rb_internal_thread_specific_key_create(void)
{
    if (specific_keys == RB_INTERNAL_THREAD_SPECIFIC_KEY_MAX)
        rb_raise(rb_eThreadError, "rb_internal_thread_specific_key_create: no more keys");
    if (rbl_watch_threads(0)) rbl_jump();
    return specific_keys++;
}

void *rb_internal_thread_specific_get(VALUE thread, rb_internal_thread_specific_key_t key)
{
    return rbl_specific_get(thread, key);
}

void rb_internal_thread_specific_set(VALUE thread, rb_internal_thread_specific_key_t key, void *data)
{
    rbl_specific_set(thread, key, data);
}

/* -- postponed jobs ------------------------------------------------------------------------------------- */

void rb_postponed_job_trigger(rb_postponed_job_handle_t job)
{
    rbl_job_trigger(job);
}

int rb_postponed_job_register(unsigned int flags, rb_postponed_job_func_t function, void *data)
{
    rb_postponed_job_handle_t job = rb_postponed_job_preregister(flags, function, data);
    if (job == POSTPONED_JOB_HANDLE_INVALID) return 0;
    rbl_job_trigger(job);
    return 1;
}

int rb_postponed_job_register_one(unsigned int flags, rb_postponed_job_func_t function, void *data)
{
    return rb_postponed_job_register(flags, function, data);
}

/* Extensions run in the main ractor unless they say otherwise: a value for each ractor that has set one. */
struct rb_ractor_local_key_struct {
    ID name;
    bool pointer;
};

static rb_ractor_local_key_t new_key(bool pointer)
{
    static int count;
    rb_ractor_local_key_t key = ruby_xmalloc(sizeof *key);
    key->name = rb_to_id(rb_sprintf("__rb_local_%d", count++));
    key->pointer = pointer;
    return key;
}

static VALUE current_ractor(void)
{
    return OWN(rb_cRactor, "current");
}

rb_ractor_local_key_t rb_ractor_local_storage_value_newkey(void)
{
    return new_key(false);
}

rb_ractor_local_key_t rb_ractor_local_storage_ptr_newkey(const struct rb_ractor_local_storage_type *type)
{
    return new_key(true);
}

bool rb_ractor_local_storage_value_lookup(rb_ractor_local_key_t key, VALUE *value)
{
    VALUE ractor = current_ractor();
    if (!RTEST(rb_ivar_defined(ractor, key->name))) return false;
    *value = rb_ivar_get(ractor, key->name);
    return true;
}

VALUE rb_ractor_local_storage_value(rb_ractor_local_key_t key)
{
    VALUE value;
    return rb_ractor_local_storage_value_lookup(key, &value) ? value : Qnil;
}

void rb_ractor_local_storage_value_set(rb_ractor_local_key_t key, VALUE value)
{
    rb_ivar_set(current_ractor(), key->name, value);
}

void *rb_ractor_local_storage_ptr(rb_ractor_local_key_t key)
{
    VALUE value;
    return rb_ractor_local_storage_value_lookup(key, &value) ? value_address(value) : 0;
}

void rb_ractor_local_storage_ptr_set(rb_ractor_local_key_t key, void *data)
{
    rb_ractor_local_storage_value_set(key, address_value(data));
}

VALUE rb_ractor_make_shareable(VALUE object)
{
    return OWN(rb_cRactor, "make_shareable", object);
}

VALUE rb_ractor_make_shareable_copy(VALUE object)
{
    VALUE options = rb_hash_new();
    rb_hash_aset(options, ID2SYM((rb_intern)("copy")), Qtrue);
    VALUE args[2] = {object, options};
    return rb_funcallv_kw(rb_cRactor, (rb_intern)("make_shareable"), 2, args, RB_PASS_KEYWORDS);
}

VALUE rb_ractor_stdin(void)
{
    return rb_gv_get("$stdin");
}

VALUE rb_ractor_stdout(void)
{
    return rb_gv_get("$stdout");
}

VALUE rb_ractor_stderr(void)
{
    return rb_gv_get("$stderr");
}

void rb_ractor_stdin_set(VALUE io)
{
    rb_gv_set("$stdin", io);
}

void rb_ractor_stdout_set(VALUE io)
{
    rb_gv_set("$stdout", io);
}

void rb_ractor_stderr_set(VALUE io)
{
    rb_gv_set("$stderr", io);
}

bool rb_ractor_shareable_p_continue(VALUE object)
{
    return RTEST(OWN(rb_cRactor, "shareable?", object));
}
