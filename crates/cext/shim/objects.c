/* Objects, classes, calls of methods, conversions. */
#include "rbl.h"

/* -- objects ------------------------------------------------------------------------------------------- */

VALUE rb_obj_init_copy(VALUE object, VALUE original)
{
    if (object == original) return object;
    rb_check_frozen(object);
    if (TYPE(object) != TYPE(original) || rb_obj_class(object) != rb_obj_class(original))
        rb_raise(rb_eTypeError, "initialize_copy should take same class object");
    return object;
}

void rb_check_copyable(VALUE object, VALUE original)
{
    rb_check_frozen(object);
}

void rb_obj_note_written(VALUE parent, VALUE child)
{
    rb_gc_writebarrier(parent, child);
}

/* Of the bits that CRuby's types use for themselves extensions change one: that a hash's default is the proc that makes
 * defaults. */
VALUE rbl_typed_flags(VALUE object)
{
    return RB_TYPE_P(object, T_HASH) && !NIL_P(OWN(object, "default_proc")) ? FL_USER2 : 0;
}

void rbl_change_typed_flags(VALUE object, VALUE on, VALUE off)
{
    if (!RB_TYPE_P(object, T_HASH)) return;
    VALUE now = rbl_typed_flags(object), before = rb_hash_ifnone(object);
    if (now & off & FL_USER2) rb_hash_set_ifnone(object, before);
    if (~now & on & FL_USER2 && RTEST(rb_obj_is_proc(before))) OWN(object, "default_proc=", before);
}

VALUE rb_obj_taint(VALUE object)
{
    return object;
}

VALUE rb_obj_untaint(VALUE object)
{
    return object;
}

VALUE rb_obj_singleton_methods(int argc, const VALUE *argv, VALUE object)
{
    return rbl_own(object, (rb_intern)("singleton_methods"), argc, argv, 0);
}

VALUE rb_obj_setup(VALUE object, VALUE class, VALUE type)
{
    return rb_obj_reveal(object, class);
}

int rb_obj_method_arity(VALUE object, ID id)
{
    return NUM2INT(OWN(OWN(object, "method", ID2SYM(id)), "arity"));
}

int rb_mod_method_arity(VALUE module, ID id)
{
    return NUM2INT(OWN(OWN(module, "instance_method", ID2SYM(id)), "arity"));
}

VALUE rb_class_name(VALUE class)
{
    return rb_class_path(rb_class_real(class));
}

static size_t ivar_pairs(VALUE object, VALUE *pairs, size_t room)
{
    size_t count;
    if (rbl_c_ivar_pairs(object, pairs, room, &count)) rbl_jump();
    return count;
}

/* The pairs are copied first, so that the function may change the object's variables; it may also jump. */
void rb_ivar_foreach(VALUE object, int (*function)(ID, VALUE, st_data_t), st_data_t argument)
{
    VALUE few[2 * 16], *pairs = few, holder = 0;
    size_t count = ivar_pairs(object, few, 16);
    if (count > 16) {
        size_t room = count;
        pairs = rb_alloc_tmp_buffer(&holder, (long)(room * 2 * sizeof(VALUE)));
        count = ivar_pairs(object, pairs, room);
        if (count > room) count = room;
    }
    for (size_t i = 0; i < count; i++)
        if (function((ID)pairs[2 * i], pairs[2 * i + 1], argument) == ST_STOP) break;
    if (holder) rb_free_tmp_buffer(&holder);
}

static VALUE instance_methods(int argc, const VALUE *argv, VALUE class, const char *name)
{
    return rbl_own(class, (rb_intern)(name), argc, argv, 0);
}

VALUE rb_class_instance_methods(int argc, const VALUE *argv, VALUE class)
{
    return instance_methods(argc, argv, class, "instance_methods");
}

VALUE rb_class_public_instance_methods(int argc, const VALUE *argv, VALUE class)
{
    return instance_methods(argc, argv, class, "public_instance_methods");
}

VALUE rb_class_private_instance_methods(int argc, const VALUE *argv, VALUE class)
{
    return instance_methods(argc, argv, class, "private_instance_methods");
}

VALUE rb_class_protected_instance_methods(int argc, const VALUE *argv, VALUE class)
{
    return instance_methods(argc, argv, class, "protected_instance_methods");
}

VALUE rb_mod_constants(int argc, const VALUE *argv, VALUE module)
{
    return rbl_own(module, (rb_intern)("constants"), argc, argv, 0);
}

VALUE rb_mod_class_variables(int argc, const VALUE *argv, VALUE module)
{
    return rbl_own(module, (rb_intern)("class_variables"), argc, argv, 0);
}

VALUE rb_mod_remove_const(VALUE module, VALUE name)
{
    return OWN(module, "remove_const", name);
}

VALUE rb_const_remove(VALUE module, ID name)
{
    return OWN(module, "remove_const", ID2SYM(name));
}

void rb_deprecate_constant(VALUE module, const char *name)
{
    OWN(module, "deprecate_constant", ID2SYM((rb_intern)(name)));
}

VALUE rb_public_const_get(VALUE module, ID name)
{
    return rb_const_get(module, name);
}

VALUE rb_public_const_get_at(VALUE module, ID name)
{
    return rb_const_get_at(module, name);
}

VALUE rb_public_const_get_from(VALUE module, ID name)
{
    return rb_const_get_from(module, name);
}

int rb_public_const_defined(VALUE module, ID name)
{
    return rb_const_defined(module, name);
}

int rb_public_const_defined_at(VALUE module, ID name)
{
    return rb_const_defined_at(module, name);
}

int rb_public_const_defined_from(VALUE module, ID name)
{
    return rb_const_defined_from(module, name);
}

VALUE rb_f_global_variables(void)
{
    return OWN(rb_mKernel, "global_variables");
}

void rb_remove_method(VALUE class, const char *name)
{
    OWN(class, "remove_method", ID2SYM((rb_intern)(name)));
}

void rb_remove_method_id(VALUE class, ID name)
{
    OWN(class, "remove_method", ID2SYM(name));
}

VALUE rb_autoload_load(VALUE module, ID name)
{
    return rb_const_get_at(module, name);
}

VALUE rb_autoload_p(VALUE module, ID name)
{
    return OWN(module, "autoload?", ID2SYM(name));
}

VALUE rb_gvar_undef_getter(ID id, VALUE *data)
{
    return Qnil;
}

VALUE rb_gvar_val_getter(ID id, VALUE *data)
{
    return (VALUE)data;
}

VALUE rb_gvar_var_getter(ID id, VALUE *data)
{
    return data ? *data : Qnil;
}

void rb_gvar_undef_setter(VALUE value, ID id, VALUE *data)
{
    rb_raise(rb_eRuntimeError, "rb_gvar_undef_setter is not for use");
}

void rb_gvar_val_setter(VALUE value, ID id, VALUE *data)
{
}

void rb_gvar_var_setter(VALUE value, ID id, VALUE *data)
{
    if (data) *data = value;
}

void rb_gvar_readonly_setter(VALUE value, ID id, VALUE *data)
{
    rb_name_error(id, "%"PRIsVALUE" is a read-only variable", rb_id2str(id));
}

VALUE rb_exc_new(VALUE class, const char *text, long len)
{
    return rb_exc_new_str(class, rb_str_new(text, len));
}

VALUE rb_exc_new_cstr(VALUE class, const char *text)
{
    return rb_exc_new_str(class, rb_str_new_cstr(text));
}

VALUE rb_make_exception(int argc, const VALUE *argv)
{
    if (argc == 0) return Qnil;
    rb_check_arity(argc, 0, 3);
    if (argc == 1 && RB_TYPE_P(argv[0], T_STRING)) return rb_exc_new_str(rb_eRuntimeError, argv[0]);
    if (!rb_respond_to(argv[0], (rb_intern)("exception"))) rb_raise(rb_eTypeError, "exception class/object expected");
    VALUE error = rb_funcallv(argv[0], (rb_intern)("exception"), argc > 1 ? 1 : 0, argv + 1);
    if (!RTEST(rb_obj_is_kind_of(error, rb_eException))) rb_raise(rb_eTypeError, "exception object expected");
    if (argc > 2 && !NIL_P(argv[2])) SEND(error, "set_backtrace", argv[2]);
    return error;
}

VALUE rb_make_backtrace(void)
{
    return OWN(rb_mKernel, "caller", INT2FIX(0));
}

void rb_backtrace(void)
{
    VALUE list = rb_make_backtrace();
    for (long i = 0; i < RARRAY_LEN(list); i++) {
        VALUE line = RARRAY_AREF(list, i);
        fprintf(stderr, "\tfrom %s\n", StringValueCStr(line));
    }
}

static VALUE eval_source(VALUE source)
{
    return rb_eval_string((const char *)source);
}

VALUE rb_eval_string_protect(const char *source, int *state)
{
    return rb_protect(eval_source, (VALUE)source, state);
}

VALUE rb_eval_string_wrap(const char *source, int *state)
{
    return rb_eval_string_protect(source, state);
}

VALUE rb_eval_cmd_kw(VALUE command, VALUE args, int keywords)
{
    if (RB_TYPE_P(command, T_STRING)) {
        return rb_eval_string(StringValueCStr(command));
    }
    return rb_funcallv_kw(command, (rb_intern)("call"), (int)RARRAY_LEN(args), RARRAY_CONST_PTR(args), keywords);
}

VALUE rb_iterate(VALUE (*function)(VALUE), VALUE data, rb_block_call_func_t block, VALUE data2)
{
    VALUE proc = rb_proc_new(block, data2);
    VALUE saved = rbl_self.now.block;
    rbl_self.now.block = proc;
    VALUE out = Qnil;
    int failed = rbl_enter(function, data, &out);
    rbl_self.now.block = saved;
    if (failed) rbl_jump();
    return out;
}

VALUE rb_method_call(int argc, const VALUE *argv, VALUE method)
{
    return rb_funcallv(method, (rb_intern)("call"), argc, argv);
}

VALUE rb_method_call_kw(int argc, const VALUE *argv, VALUE method, int keywords)
{
    return rb_funcallv_kw(method, (rb_intern)("call"), argc, argv, keywords);
}

VALUE rb_method_call_with_block(int argc, const VALUE *argv, VALUE method, VALUE block)
{
    return rb_funcall_with_block(method, (rb_intern)("call"), argc, argv, block);
}

VALUE rb_method_call_with_block_kw(int argc, const VALUE *argv, VALUE method, VALUE block, int keywords)
{
    return rb_funcall_with_block_kw(method, (rb_intern)("call"), argc, argv, block, keywords);
}

VALUE rb_enum_values_pack(int argc, const VALUE *argv)
{
    if (argc == 0) return Qnil;
    if (argc == 1) return argv[0];
    return rb_ary_new_from_values(argc, argv);
}

/* -- conversions --------------------------------------------------------------------------------------- */

/* Converts by a method that must give the type. */
VALUE rb_convert_type(VALUE value, int type, const char *name, const char *method)
{
    if (TYPE(value) == type) return value;
    ID id = (rb_intern)(method);
    VALUE result = rb_check_funcall(value, id, 0, 0);
    const char *what = NIL_P(value) ? "nil"
        : value == Qtrue ? "true"
        : value == Qfalse ? "false"
        : rb_obj_classname(value);
    if (result == Qundef) {
        static const char *const implicit[] = {
            "to_int", "to_ary", "to_str", "to_sym", "to_hash", "to_proc", "to_io", 0};
        const char *verb = "can't convert %s into %s";
        for (int i = 0; implicit[i]; i++)
            if (strcmp(implicit[i], method) == 0) verb = "no implicit conversion of %s into %s";
        rb_raise(rb_eTypeError, verb, what, name);
    }
    if (TYPE(result) != type)
        rb_raise(rb_eTypeError, "can't convert %s to %s (%s#%s gives %s)", what, name, what, method,
            rb_obj_classname(result));
    return result;
}

VALUE rb_check_convert_type(VALUE value, int type, const char *name, const char *method)
{
    if (TYPE(value) == type && type != T_DATA) return value;
    VALUE result = rb_check_funcall(value, (rb_intern)(method), 0, 0);
    if (result == Qundef || NIL_P(result)) return Qnil;
    if (TYPE(result) != type) {
        const char *what = rb_obj_classname(value);
        rb_raise(rb_eTypeError, "can't convert %s to %s (%s#%s gives %s)", what, name, what, method,
            rb_obj_classname(result));
    }
    return result;
}

VALUE rb_check_to_integer(VALUE value, const char *method)
{
    if (RB_INTEGER_TYPE_P(value)) return value;
    VALUE result = rb_check_funcall(value, (rb_intern)(method), 0, 0);
    return result != Qundef && RB_INTEGER_TYPE_P(result) ? result : Qnil;
}

VALUE rb_Array(VALUE value)
{
    return OWN(rb_mKernel, "Array", value);
}

VALUE rb_Float(VALUE value)
{
    return OWN(rb_mKernel, "Float", value);
}

VALUE rb_Hash(VALUE value)
{
    return OWN(rb_mKernel, "Hash", value);
}

VALUE rb_Integer(VALUE value)
{
    return OWN(rb_mKernel, "Integer", value);
}

VALUE rb_String(VALUE value)
{
    return OWN(rb_mKernel, "String", value);
}

VALUE rb_Rational(VALUE a, VALUE b)
{
    return OWN(rb_mKernel, "Rational", a, b);
}

VALUE rb_Complex(VALUE a, VALUE b)
{
    return OWN(rb_mKernel, "Complex", a, b);
}

VALUE rb_to_float(VALUE value)
{
    if (RB_FLOAT_TYPE_P(value)) return value;
    if (!RTEST(rb_obj_is_kind_of(value, rb_cNumeric))) {
        const char *what = NIL_P(value) ? "nil"
            : value == Qtrue ? "true"
            : value == Qfalse ? "false"
            : rb_obj_classname(value);
        rb_raise(rb_eTypeError, "can't convert %s into Float", what);
    }
    return rb_float_new(rb_num2dbl(value));
}

VALUE rb_rational_new(VALUE a, VALUE b)
{
    return rb_Rational(a, b);
}

VALUE rb_rational_raw(VALUE a, VALUE b)
{
    return rb_Rational(a, b);
}

VALUE rb_flt_rationalize(VALUE f)
{
    return OWN(f, "rationalize");
}

VALUE rb_flt_rationalize_with_prec(VALUE f, VALUE precision)
{
    return OWN(f, "rationalize", precision);
}

VALUE rb_complex_new(VALUE a, VALUE b)
{
    return OWN(rb_cComplex, "rect", a, b);
}

VALUE rb_complex_raw(VALUE a, VALUE b)
{
    return OWN(rb_cComplex, "rect", a, b);
}

VALUE rb_complex_new_polar(VALUE a, VALUE b)
{
    return OWN(rb_cComplex, "polar", a, b);
}

VALUE rb_dbl_complex_new(double a, double b)
{
    return rb_complex_raw(DBL2NUM(a), DBL2NUM(b));
}

/* -- lists of constants: a table of names, which `rb_const_list` takes away -------------------------------- */

void *rb_mod_const_at(VALUE module, void *list)
{
    st_table *names = list ? list : st_init_numtable();
    VALUE own = OWN(module, "constants", Qfalse);
    for (long i = 0; i < RARRAY_LEN(own); i++) st_insert(names, SYM2ID(RARRAY_AREF(own, i)), 0);
    return names;
}

void *rb_mod_const_of(VALUE module, void *list)
{
    VALUE modules = rb_mod_ancestors(module);
    for (long i = 0; i < RARRAY_LEN(modules); i++) {
        VALUE ancestor = RARRAY_AREF(modules, i);
        if (ancestor == rb_cObject && module != rb_cObject) break;
        list = rb_mod_const_at(ancestor, list);
    }
    return list;
}

static int push_name(st_data_t name, st_data_t value, st_data_t names)
{
    rb_ary_push((VALUE)names, ID2SYM((ID)name));
    return ST_CONTINUE;
}

VALUE rb_const_list(void *list)
{
    VALUE names = rb_ary_new();
    if (!list) return names;
    st_foreach(list, push_name, (st_data_t)names);
    st_free_table(list);
    return names;
}

VALUE rb_mod_init_copy(VALUE copy, VALUE module)
{
    return OWN(copy, "initialize_copy", module);
}

void rb_freeze_singleton_class(VALUE object)
{
    if (RTEST(OWN(object, "singleton_methods", Qfalse)) || RB_TYPE_P(object, T_CLASS) || RB_TYPE_P(object, T_MODULE))
        rb_obj_freeze(rb_singleton_class(object));
}

/* The class itself or the one above it that has the module; 0, if there is none. */
VALUE rb_class_search_ancestor(VALUE class, VALUE ancestor)
{
    for (VALUE at = class; RTEST(at) && RTEST(rb_class_inherited_p(at, ancestor)); at = rb_class_superclass(at))
        if (at == ancestor) return at;
    return RTEST(rb_class_inherited_p(class, ancestor)) ? ancestor : 0;
}
