/* Arrays, hashes, ranges, structs, enumerators. */
#include "rbl.h"

/* -- arrays and hashes --------------------------------------------------------------------------------- */

VALUE rb_ary_entry(VALUE ary, long index)
{
    VALUE out;
    if (RB_TYPE_P(ary, T_ARRAY)) {
        long len = RARRAY_LEN(ary);
        if (index < 0) index += len;
        return index >= 0 && index < len ? RARRAY_AREF(ary, index) : Qnil;
    }
    if (rbl_ary_entry(ary, index, &out)) rbl_jump();
    return out;
}

static void each_pair(VALUE table, int (*function)(VALUE, VALUE, VALUE), VALUE argument)
{
    VALUE pair[2];
    size_t position = 0;
    while (rbl_c_hash_next(table, &position, pair)) {
        int next = function(pair[0], pair[1], argument);
        if (next == ST_STOP) break;
        if (next == ST_DELETE && rbl_c_hash_remove(table, pair[0], 0)) rbl_jump();
    }
}

static int enter_pairs(VALUE table, int (*function)(VALUE, VALUE, VALUE), VALUE argument)
{
    ENTER(each_pair(table, function, argument));
}

/* One tag for the whole iteration: between it and the function lies C code only. Mark functions may call it. */
void rb_hash_foreach(VALUE table, int (*function)(VALUE, VALUE, VALUE), VALUE argument)
{
    if (rbl_self.marker) {
        rbl_c_hash_each_marking(table, function, argument);
        return;
    }
    if (rbl_c_hash_iter_enter(table, 0)) rbl_jump();
    int failed = enter_pairs(table, function, argument);
    rbl_c_hash_iter_leave(table);
    if (failed) rbl_jump();
    RB_GC_GUARD(table);
}

VALUE rb_ary_aref(int argc, const VALUE *argv, VALUE ary)
{
    return rbl_own(ary, (rb_intern)("[]"), argc, argv, 0);
}

VALUE rb_ary_delete_at(VALUE ary, long at)
{
    return OWN(ary, "delete_at", LONG2NUM(at));
}

VALUE rb_ary_rotate(VALUE ary, long n)
{
    Check_Type(ary, T_ARRAY);
    long len = RARRAY_LEN(ary);
    VALUE rotated = OWN(ary, "rotate!", LONG2NUM(n));
    return len > 1 && n % len != 0 ? rotated : Qnil;
}

VALUE rb_ary_to_ary(VALUE object)
{
    VALUE list = rb_check_array_type(object);
    return NIL_P(list) ? rb_ary_new_from_args(1, object) : list;
}

VALUE rb_ary_each(VALUE ary)
{
    return rbl_own(ary, (rb_intern)("each"), 0, 0, WITH_BLOCK);
}

VALUE rb_each(VALUE object)
{
    return rb_funcall_passing_block(object, (rb_intern)("each"), 0, 0);
}

VALUE rb_hash_delete_if(VALUE table)
{
    return rbl_own(table, (rb_intern)("delete_if"), 0, 0, WITH_BLOCK);
}

VALUE rb_hash(VALUE object)
{
    VALUE hash = SEND(object, "hash");
    if (FIXNUM_P(hash)) return hash;
    if (!RB_TYPE_P(hash, T_BIGNUM)) hash = rb_to_int(hash);
    if (!RB_TYPE_P(hash, T_BIGNUM)) return hash;
    VALUE bits = OWN(hash, "&", ULONG2NUM(ULONG_MAX));
    return LONG2FIX((long)NUM2ULONG(bits));
}

VALUE rb_set_add(VALUE set, VALUE item)
{
    return NIL_P(OWN(set, "add?", item)) ? Qfalse : Qtrue;
}

VALUE rb_class_inherited_p(VALUE a, VALUE b)
{
    if (a == b) return Qtrue;
    if (!RB_TYPE_P(b, T_CLASS) && !RB_TYPE_P(b, T_MODULE)) rb_raise(rb_eTypeError, "compared with non class/module");
    return OWN(a, "<=", b);
}

VALUE rb_get_values_at(VALUE object, long len, int argc, const VALUE *argv, VALUE (*function)(VALUE, long))
{
    VALUE out = rb_ary_new_capa(argc);
    for (int i = 0; i < argc; i++) {
        long begin, n;
        if (FIXNUM_P(argv[i])) {
            rb_ary_push(out, function(object, FIX2LONG(argv[i])));
        } else if (RTEST(rb_range_beg_len(argv[i], &begin, &n, len, 1))) {
            for (long j = begin; j < begin + n; j++) rb_ary_push(out, j < len ? function(object, j) : Qnil);
        } else {
            rb_ary_push(out, function(object, NUM2LONG(argv[i])));
        }
    }
    return out;
}

VALUE rb_ary_shared_with_p(VALUE a, VALUE b)
{
    return Qfalse;
}

struct update_by {
    VALUE table;
    VALUE (*function)(VALUE, VALUE, VALUE);
};

static int update_entry(VALUE key, VALUE value, VALUE arg)
{
    struct update_by *by = (struct update_by *)arg;
    if (by->function) {
        VALUE old = rb_hash_lookup2(by->table, key, Qundef);
        if (old != Qundef) value = by->function(key, old, value);
    }
    rb_hash_aset(by->table, key, value);
    return ST_CONTINUE;
}

VALUE rb_hash_update_by(VALUE a, VALUE b, VALUE (*function)(VALUE, VALUE, VALUE))
{
    struct update_by by = {a, function};
    b = rb_convert_type(b, T_HASH, "Hash", "to_hash");
    rb_hash_foreach(b, update_entry, (VALUE)&by);
    return a;
}

VALUE rb_env_clear(void)
{
    return OWN(CONSTANT("ENV"), "clear");
}

VALUE rb_set_new(void)
{
    return rb_class_new_instance(0, 0, rb_cSet);
}

VALUE rb_set_new_capa(size_t capacity)
{
    return rb_set_new();
}

bool rb_set_lookup(VALUE set, VALUE item)
{
    return RTEST(OWN(set, "include?", item));
}

bool rb_set_delete(VALUE set, VALUE item)
{
    return !NIL_P(OWN(set, "delete?", item));
}

size_t rb_set_size(VALUE set)
{
    return NUM2SIZET(OWN(set, "size"));
}

void rb_set_foreach(VALUE set, int (*function)(VALUE, VALUE), VALUE arg)
{
    VALUE items = OWN(set, "to_a");
    for (long i = 0; i < RARRAY_LEN(items); i++) {
        VALUE item = RARRAY_AREF(items, i);
        switch (function(item, arg)) {
          case ST_STOP: return;
          case ST_DELETE: OWN(set, "delete", item);
        }
    }
}

/* -- ranges, structs, enumerators ---------------------------------------------------------------------- */

/* Where a range lies in `len` places: false if it begins outside.
 * An end that is beyond is cut off unless `err` is 1 or 3. */
static bool range_places(VALUE low, VALUE high, int exclusive, long *begp, long *lenp, long len, int err)
{
    long begin = NIL_P(low) ? 0 : NUM2LONG(low), end = NIL_P(high) ? -1 : NUM2LONG(high);
    if (NIL_P(high)) exclusive = 0;
    if (begin < 0 && (begin += len) < 0) return false;
    if (end < 0) end += len;
    if (!exclusive) end++;
    if (err == 0 || err == 2) {
        if (begin > len) return false;
        if (end > len) end = len;
    }
    len = end - begin;
    if (len < 0) len = 0;
    *begp = begin;
    *lenp = len;
    return true;
}

VALUE rb_range_beg_len(VALUE range, long *begp, long *lenp, long len, int err)
{
    VALUE low, high;
    int exclusive;
    if (!rb_range_values(range, &low, &high, &exclusive)) return Qfalse;
    if (range_places(low, high, exclusive, begp, lenp, len, err)) return Qtrue;
    if (err) rb_raise(rb_eRangeError, "%+"PRIsVALUE" out of range", range);
    return Qnil;
}

/* The place of a member that is named; -1 where there is none. */
static long member_place(VALUE object, VALUE name)
{
    VALUE members = SEND(rb_obj_class(object), "members");
    VALUE symbol = rb_to_symbol(name);
    for (long i = 0; i < RARRAY_LEN(members); i++)
        if (RARRAY_AREF(members, i) == symbol) return i;
    return -1;
}

/* A member of a Data object, which has no `[]`; undefined for other objects. */
static VALUE data_member(VALUE object, VALUE index)
{
    VALUE member = Qundef;
    int named = SYMBOL_P(index) || RB_TYPE_P(index, RUBY_T_STRING), found;
    if (rbl_c_data_member(object, 0, &member, &found)) rbl_jump();
    if (!found) return Qundef;
    long at = named ? member_place(object, index) : NUM2LONG(index);
    if (named && at < 0) rb_raise(rb_eNameError, "no member '%"PRIsVALUE"' in struct", index);
    if (rbl_c_data_member(object, at, &member, &found)) rbl_jump();
    long size = RARRAY_LEN(SEND(rb_obj_class(object), "members"));
    if (found == 2)
        rb_raise(rb_eIndexError, "offset %ld too %s for struct(size:%ld)", at, at < 0 ? "small" : "large", size);
    return member;
}

/* A range is a struct of its begin, its end, and whether it excludes that. */
VALUE rb_struct_aref(VALUE object, VALUE index)
{
    VALUE parts[2];
    int exclusive;
    if (!rb_obj_is_kind_of(object, rb_cRange)) {
        VALUE member = data_member(object, index);
        return member == Qundef ? OWN(object, "[]", index) : member;
    }
    long at = NUM2LONG(index), wanted = at < 0 ? at + 3 : at;
    if (wanted < 0) rb_raise(rb_eIndexError, "offset %ld too small for struct(size:3)", at);
    if (wanted > 2) rb_raise(rb_eIndexError, "offset %ld too large for struct(size:3)", at);
    rb_range_values(object, &parts[0], &parts[1], &exclusive);
    return wanted == 2 ? (exclusive ? Qtrue : Qfalse) : parts[wanted];
}

VALUE rb_struct_s_members(VALUE class)
{
    return SEND(class, "members");
}

VALUE rb_struct_getmember(VALUE object, ID name)
{
    long place = member_place(object, ID2SYM(name));
    if (place < 0) rb_raise(rb_eNameError, "'%"PRIsVALUE"' is not a struct member", ID2SYM(name));
    return rb_struct_aref(object, LONG2FIX(place));
}

VALUE rb_struct_alloc_noinit(VALUE class)
{
    return rb_obj_alloc(class);
}

VALUE rb_struct_alloc(VALUE class, VALUE values)
{
    return rb_class_new_instance((int)RARRAY_LEN(values), RARRAY_CONST_PTR(values), class);
}

VALUE rb_struct_initialize(VALUE object, VALUE values)
{
    if (!RTEST(rb_obj_is_kind_of(object, CONSTANT("Data")))) {
        rbl_own(object, (rb_intern)("initialize"), (int)RARRAY_LEN(values), RARRAY_CONST_PTR(values), 0);
        return Qnil;
    }
    VALUE members = rb_struct_s_members(rb_obj_class(object)), options = rb_hash_new();
    if (RARRAY_LEN(values) > RARRAY_LEN(members)) rb_raise(rb_eArgError, "struct size differs");
    for (long i = 0; i < RARRAY_LEN(members); i++)
        rb_hash_aset(options, RARRAY_AREF(members, i), rb_ary_entry(values, i));
    rbl_own(object, (rb_intern)("initialize"), 1, &options, WITH_KEYWORDS);
    return Qnil;
}

/* The size of an enumerator by a C function. */
static VALUE enumerator_size(RB_BLOCK_CALL_FUNC_ARGLIST(yielded, words))
{
    rb_enumerator_size_func *function = (rb_enumerator_size_func *)NUM2ULONG(RARRAY_AREF(words, 0));
    return function(RARRAY_AREF(words, 1), RARRAY_AREF(words, 2), RARRAY_AREF(words, 3));
}

VALUE rb_enumeratorize_with_size_kw(VALUE object, VALUE method, int argc, const VALUE *argv,
    rb_enumerator_size_func *size, int keywords)
{
    VALUE args = rb_ary_new_from_args(1, method);
    rb_ary_cat(args, argv, argc);
    int n = (int)RARRAY_LEN(args);
    if (!size) return rb_funcallv_kw(object, (rb_intern)("enum_for"), n, RARRAY_CONST_PTR(args), keywords);
    VALUE words = rb_ary_new_from_args(4, ULONG2NUM((unsigned long)size), object, rb_ary_new_from_values(argc, argv),
        Qnil);
    VALUE block = rb_proc_new(enumerator_size, words);
    VALUE made = rb_funcall_with_block_kw(object, (rb_intern)("enum_for"), n, RARRAY_CONST_PTR(args), block, keywords);
    rb_ary_store(words, 3, made);
    return made;
}

VALUE rb_enumeratorize_with_size(VALUE object, VALUE method, int argc, const VALUE *argv, rb_enumerator_size_func *size)
{
    return rb_enumeratorize_with_size_kw(object, method, argc, argv, size, rb_keyword_given_p());
}

VALUE rb_enumeratorize(VALUE object, VALUE method, int argc, const VALUE *argv)
{
    return rb_enumeratorize_with_size(object, method, argc, argv, 0);
}

int rb_arithmetic_sequence_extract(VALUE object, rb_arithmetic_sequence_components_t *out)
{
    VALUE class = rb_path2class("Enumerator::ArithmeticSequence");
    if (RTEST(rb_obj_is_kind_of(object, class))) {
        out->begin = OWN(object, "begin");
        out->end = OWN(object, "end");
        out->step = OWN(object, "step");
        out->exclude_end = RTEST(OWN(object, "exclude_end?"));
        return 1;
    }
    if (rb_range_values(object, &out->begin, &out->end, &out->exclude_end)) {
        out->step = INT2FIX(1);
        return 1;
    }
    return 0;
}

VALUE rb_arithmetic_sequence_beg_len_step(VALUE object, long *begp, long *lenp, long *stepp, long len, int err)
{
    rb_arithmetic_sequence_components_t c;
    if (!rb_arithmetic_sequence_extract(object, &c)) return Qfalse;
    long step = NIL_P(c.step) ? 1 : NUM2LONG(c.step);
    *stepp = step;
    if (step < 0) {
        VALUE swap = c.begin;
        c.begin = c.end;
        c.end = swap;
        if (c.exclude_end && !NIL_P(c.begin)) {
            c.begin = SEND(c.begin, "+", INT2FIX(1));
        }
        c.exclude_end = 0;
    }
    if (err == 0 && (step < -1 || step > 1)) {
        VALUE range = rb_range_new(c.begin, c.end, c.exclude_end);
        if (rb_range_beg_len(range, begp, lenp, len, 1) == Qtrue) {
            if (*begp > len) goto out;
            if (*lenp > len) goto out;
            return Qtrue;
        }
      out:
        rb_raise(rb_eRangeError, "%+"PRIsVALUE" out of range", object);
    }
    return range_places(c.begin, c.end, c.exclude_end, begp, lenp, len, err) ? Qtrue : Qnil;
}

/* -- the table behind a hash ------------------------------------------------------------------------------- */

static int words_differ(st_data_t a, st_data_t b)
{
    return !rb_eql((VALUE)a, (VALUE)b);
}

static st_index_t word_hash(st_data_t key)
{
    return (st_index_t)NUM2LONG(rb_hash((VALUE)key));
}

static int copy_entry(VALUE key, VALUE value, VALUE table)
{
    st_insert((st_table *)table, (st_data_t)key, (st_data_t)value);
    return ST_CONTINUE;
}

/* A copy, for reading: what is written to it does not come into the hash.
 * The last ones that were asked for are there. */
struct st_table *rb_hash_tbl(VALUE hash, const char *file, int line)
{
    static const struct st_hash_type type = {words_differ, word_hash};
    static st_table *copies[8];
    static unsigned int next;
    st_table **place = &copies[next++ % (sizeof copies / sizeof *copies)];
    (void)file, (void)line;
    if (*place) st_free_table(*place);
    *place = st_init_table(&type);
    rb_hash_foreach(hash, copy_entry, (VALUE)*place);
    return *place;
}
