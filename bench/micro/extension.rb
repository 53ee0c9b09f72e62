# Costs of crossings between Ruby and an extension in C in nanoseconds: the minimum of several rounds, less the empty
# loop where Ruby calls. The extension below is compiled with the headers of the Ruby that runs; it needs a C compiler.
require "rbconfig"
require "tmpdir"

SOURCE = <<'C'
#include <ruby.h>
#include <ruby/encoding.h>
#include <ruby/thread.h>

static ID id_plain, id_native, id_ivar;
static VALUE held;

static VALUE nothing(VALUE self) { return Qnil; }
static VALUE two(VALUE self, VALUE a, VALUE b) { return a; }
static VALUE counted(int argc, VALUE *argv, VALUE self) { return argv[0]; }
static VALUE failing(VALUE self) { rb_raise(rb_eArgError, "from C"); }
static VALUE yielding(VALUE self, VALUE times)
{
    for (long i = NUM2LONG(times); i > 0; i--) rb_yield(INT2FIX(i));
    return Qnil;
}
static VALUE one(VALUE self) { return rb_yield(Qtrue); }

#define LOOP(name, work) \
    static VALUE name(VALUE self, VALUE times) { for (long i = NUM2LONG(times); i > 0; i--) { work; } return Qnil; }

static VALUE body(VALUE data) { return data; }
static VALUE saved(VALUE data, VALUE error) { return data; }
static VALUE raising(VALUE data) { rb_exc_raise(data); return Qnil; }
static VALUE block(RB_BLOCK_CALL_FUNC_ARGLIST(item, data)) { return item; }
static void *outside(void *data) { return data; }
static void *inside(void *data) { return data; }
static void *outside_and_back(void *data) { return rb_thread_call_with_gvl(inside, data); }
static const rb_data_type_t type = {"thing", {0, RUBY_DEFAULT_FREE, 0}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY};
static VALUE thing_alloc(VALUE class) { int *data; return TypedData_Make_Struct(class, int, &type, data); }

LOOP(call_plain, rb_funcall(self, id_plain, 0))
LOOP(call_two, rb_funcall(self, rb_intern("plain_two"), 2, Qtrue, Qfalse))
LOOP(call_native, rb_funcall(self, id_native, 0))
LOOP(protect, rb_protect(body, Qnil, 0))
LOOP(ensure, rb_ensure(body, Qnil, body, Qnil))
LOOP(rescue, rb_rescue2(body, Qnil, saved, Qnil, rb_eStandardError, (VALUE)0))
LOOP(raise_protect, int state; rb_protect(raising, held, &state); rb_set_errinfo(Qnil))
LOOP(region, rb_thread_call_without_gvl(outside, 0, RUBY_UBF_IO, 0))
LOOP(region_back, rb_thread_call_without_gvl(outside_and_back, 0, RUBY_UBF_IO, 0))
LOOP(ivar_get, rb_ivar_get(self, id_ivar))
LOOP(ivar_set, rb_ivar_set(self, id_ivar, INT2FIX(i)))
LOOP(string, rb_str_new("twelve bytes", 12))
LOOP(utf8_string, rb_utf8_str_new("twelve bytes", 12))
LOOP(string_cat, VALUE s = rb_str_new("a", 1); for (int j = 0; j < 4; j++) rb_str_cat(s, "0123456789", 10))
LOOP(array, VALUE a = rb_ary_new(); for (int j = 0; j < 4; j++) rb_ary_push(a, Qnil))
LOOP(hash, VALUE h = rb_hash_new(); for (int j = 0; j < 4; j++) rb_hash_aset(h, INT2FIX(j), Qnil))
LOOP(hash_get, rb_hash_aref(held, INT2FIX(1)))
LOOP(symbol, ID2SYM(rb_intern2("a_symbol", 8)))
LOOP(data_make, thing_alloc(CLASS_OF(held)))
LOOP(data_get, rb_check_typeddata(held, &type))
LOOP(new_object, rb_obj_alloc(rb_cObject))
LOOP(float_new, rb_float_new(1e300 + i))
LOOP(respond, rb_respond_to(self, id_native))
LOOP(kind_of, rb_obj_is_kind_of(self, rb_mComparable))
LOOP(each, rb_block_call(held, rb_intern("each"), 0, 0, block, Qnil))
LOOP(enc_get, rb_enc_str_coderange(held))

static VALUE hold(VALUE self, VALUE object) { held = object; return object; }

void Init_crossings(void)
{
    VALUE class = rb_define_class("Crossings", rb_cObject);
    VALUE thing = rb_define_class_under(class, "Thing", rb_cObject);
    rb_define_alloc_func(thing, thing_alloc);
    rb_gc_register_address(&held);
    id_plain = rb_intern("plain");
    id_native = rb_intern("nothing");
    id_ivar = rb_intern("@ivar");
    rb_define_method(class, "nothing", nothing, 0);
    rb_define_method(class, "two", two, 2);
    rb_define_method(class, "counted", counted, -1);
    rb_define_method(class, "failing", failing, 0);
    rb_define_method(class, "yielding", yielding, 1);
    rb_define_method(class, "one", one, 0);
    rb_define_method(class, "hold", hold, 1);
#define DEFINE(name) rb_define_method(class, #name, name, 1);
    DEFINE(call_plain) DEFINE(call_two) DEFINE(call_native) DEFINE(protect) DEFINE(ensure) DEFINE(rescue)
    DEFINE(raise_protect) DEFINE(region) DEFINE(region_back) DEFINE(ivar_get) DEFINE(ivar_set) DEFINE(string)
    DEFINE(utf8_string) DEFINE(string_cat) DEFINE(array) DEFINE(hash) DEFINE(hash_get) DEFINE(symbol)
    DEFINE(data_make) DEFINE(data_get) DEFINE(new_object) DEFINE(float_new) DEFINE(respond) DEFINE(kind_of)
    DEFINE(each) DEFINE(enc_get)
}
C

Dir.mktmpdir do |dir|
  config = RbConfig::CONFIG
  File.write("#{dir}/crossings.c", SOURCE)
  includes = [config["rubyhdrdir"], config["rubyarchhdrdir"]].compact.uniq.map { |path| "-I#{path}" }
  compiled = system(*config["CC"].split, "-shared", "-fPIC", "-O2", "-w", *includes, "-o", "#{dir}/crossings.so",
                    "#{dir}/crossings.c")
  abort "the extension cannot be compiled" unless compiled
  require "#{dir}/crossings.so"
end

class Crossings
  def plain = nil

  def plain_two(a, b) = a
end

ROUNDS = 5
TIMES = Integer(ENV["CROSSINGS"] || 300_000)

def clock
  Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
end

def least
  Array.new(ROUNDS) do
    start = clock
    yield
    clock - start
  end.min
end

def report(name, empty = 0, times = TIMES)
  only = ENV["ONLY"]
  return if only && !name.include?(only)
  puts format("%.1f %s", [(least { yield } - empty), 0].max / times.to_f, name)
end

c = Crossings.new
c.instance_variable_set(:@ivar, 1)
empty = least { i = 0; while i < TIMES; i += 1; end }
report("call of a C method without arguments", empty) { i = 0; while i < TIMES; c.nothing; i += 1; end }
report("call of a C method with two arguments", empty) { i = 0; while i < TIMES; c.two(i, i); i += 1; end }
report("call of a C method with counted arguments", empty) { i = 0; while i < TIMES; c.counted(i, i); i += 1; end }
report("call of a C method that yields once", empty) { i = 0; while i < TIMES; c.one { }; i += 1; end }
report("raise in C, rescue in Ruby", empty) do
  i = 0
  while i < TIMES; begin; c.failing; rescue ArgumentError; end; i += 1; end
end
report("rb_yield") { c.yielding(TIMES) { } }
report("rb_funcall of a Ruby method") { c.call_plain(TIMES) }
report("rb_funcall with two arguments") { c.call_two(TIMES) }
report("rb_funcall of a C method") { c.call_native(TIMES) }
report("rb_protect") { c.protect(TIMES) }
report("rb_ensure") { c.ensure(TIMES) }
report("rb_rescue2") { c.rescue(TIMES) }
c.hold(ArgumentError.new("held"))
report("rb_exc_raise through rb_protect") { c.raise_protect(TIMES) }
report("rb_thread_call_without_gvl") { c.region(TIMES) }
report("rb_thread_call_with_gvl inside it") { c.region_back(TIMES) }
report("rb_ivar_get") { c.ivar_get(TIMES) }
report("rb_ivar_set") { c.ivar_set(TIMES) }
report("rb_str_new") { c.string(TIMES) }
report("rb_utf8_str_new") { c.utf8_string(TIMES) }
report("rb_str_new and 4 rb_str_cat") { c.string_cat(TIMES) }
report("rb_ary_new and 4 rb_ary_push") { c.array(TIMES) }
report("rb_hash_new and 4 rb_hash_aset") { c.hash(TIMES) }
c.hold({ 0 => 0, 1 => 1 })
report("rb_hash_aref") { c.hash_get(TIMES) }
report("rb_intern2") { c.symbol(TIMES) }
c.hold(Crossings::Thing.new)
report("TypedData_Make_Struct") { c.data_make(TIMES) }
report("rb_check_typeddata") { c.data_get(TIMES) }
report("rb_obj_alloc") { c.new_object(TIMES) }
report("rb_float_new on the heap") { c.float_new(TIMES) }
report("rb_respond_to") { c.respond(TIMES) }
report("rb_obj_is_kind_of") { c.kind_of(TIMES) }
c.hold([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
report("rb_block_call of each over ten") { c.each(TIMES) }
c.hold("some text")
report("rb_enc_str_coderange") { c.enc_get(TIMES) }
