#ifndef RUBELLITE_INTERNAL_API_H
#define RUBELLITE_INTERNAL_API_H
/* The functions of the interface that `ruby.h` declares, a line each: the runtime's build reads these lines. Types
 * without names, as the documentation of each function gives them. */

#include "ruby/internal/types.h"
#include "ruby/st.h"

RBL_BEGIN_DECLS

/* double */
VALUE rb_float_new(double);
VALUE rb_float_new_in_heap(double);
double rb_num2dbl(VALUE);

/* intptr t */
VALUE rb_int2big(intptr_t);
VALUE rb_int2inum(intptr_t);
VALUE rb_uint2inum(uintptr_t);

/* long */
unsigned long rb_num2ulong(VALUE);

/* long long */
VALUE rb_ll2inum(long long);
VALUE rb_ull2inum(unsigned long long);
long long rb_num2ll(VALUE);

/* short */
unsigned short rb_num2ushort(VALUE);

/* rbasic */
VALUE rb_obj_hide(VALUE);
VALUE rb_obj_reveal(VALUE, VALUE);

/* rclass */
VALUE rb_class_get_superclass(VALUE);

/* rhash */
VALUE rb_hash_set_ifnone(VALUE, VALUE);
size_t rb_hash_size_num(VALUE);
struct st_table *rb_hash_tbl(VALUE, const char *, int);

/* rstring */
VALUE rb_str_export(VALUE);
VALUE rb_str_export_locale(VALUE);
VALUE rb_str_to_str(VALUE);
char *rb_string_value_cstr(volatile VALUE *);

/* rstruct */
VALUE rb_struct_aref(VALUE, VALUE);
VALUE rb_struct_aset(VALUE, VALUE, VALUE);
VALUE rb_struct_size(VALUE);

/* rtypeddata */
VALUE rb_data_typed_object_wrap(VALUE, void *, const rb_data_type_t *);
VALUE rb_data_typed_object_zalloc(VALUE, size_t, const rb_data_type_t *);
int rb_typeddata_inherited_p(const rb_data_type_t *, const rb_data_type_t *);
int rb_typeddata_is_kind_of(VALUE, const rb_data_type_t *);
void *rb_check_typeddata(VALUE, const rb_data_type_t *);

/* error */
VALUE rb_errinfo(void);
VALUE rb_syserr_new(int, const char *);
VALUE rb_syserr_new_str(int, VALUE);
RBL_NORETURN void rb_bug(const char *, ...);
void rb_category_compile_warn(rb_warning_category_t, const char *, int, const char *, ...);
void rb_category_warn(rb_warning_category_t, const char *, ...);
void rb_category_warning(rb_warning_category_t, const char *, ...);
void rb_compile_warn(const char *, int, const char *, ...);
void rb_compile_warning(const char *, int, const char *, ...);
RBL_NORETURN void rb_fatal(const char *, ...);
RBL_NORETURN void rb_iter_break(void);
RBL_NORETURN void rb_notimplement(void);
RBL_NORETURN void rb_raise(VALUE, const char *, ...);
RBL_NORETURN void rb_readwrite_syserr_fail(enum rb_io_wait_readwrite, int, const char *);
void rb_set_errinfo(VALUE);
RBL_NORETURN void rb_sys_fail(const char *);
RBL_NORETURN void rb_sys_fail_str(VALUE);
RBL_NORETURN void rb_syserr_fail(int, const char *);
RBL_NORETURN void rb_syserr_fail_str(int, VALUE);
void rb_warn(const char *, ...);
void rb_warning(const char *, ...);

/* eval */
VALUE rb_call_super(int, const VALUE *);
VALUE rb_call_super_kw(int, const VALUE *, int);
VALUE rb_eval_string(const char *);
VALUE rb_eval_string_protect(const char *, int *);
VALUE rb_funcall(VALUE, ID, int, ...);
VALUE rb_funcall_passing_block(VALUE, ID, int, const VALUE *);
VALUE rb_funcall_with_block(VALUE, ID, int, const VALUE *, VALUE);
VALUE rb_funcall_with_block_kw(VALUE, ID, int, const VALUE *, VALUE, int);
VALUE rb_funcallv(VALUE, ID, int, const VALUE *);
VALUE rb_funcallv_kw(VALUE, ID, int, const VALUE *, int);
VALUE rb_funcallv_public(VALUE, ID, int, const VALUE *);
int rb_get_kwargs(VALUE, const ID *, int, int, VALUE *);

/* event */
int rb_remove_event_hook(rb_event_hook_func_t);
void rb_add_event_hook(rb_event_hook_func_t, rb_event_flag_t, VALUE);

/* gc */
VALUE rb_define_finalizer(VALUE, VALUE);
VALUE rb_gc_disable(void);
VALUE rb_gc_enable(void);
VALUE rb_gc_latest_gc_info(VALUE);
VALUE rb_gc_location(VALUE);
VALUE rb_undefine_finalizer(VALUE);
int rb_during_gc(void);
size_t rb_gc_count(void);
size_t rb_gc_stat(VALUE);
void rb_gc(void);
void rb_gc_adjust_memory_usage(ssize_t);
void rb_gc_mark(VALUE);
void rb_gc_mark_locations(const VALUE *, const VALUE *);
void rb_gc_mark_maybe(VALUE);
void rb_gc_mark_movable(VALUE);
void rb_gc_register_address(VALUE *);
void rb_gc_register_mark_object(VALUE);
void rb_gc_unregister_address(VALUE *);
void rb_global_variable(VALUE *);
RBL_NORETURN void rb_memerror(void);

/* glob */
void rb_glob(const char *, void (*)(const char *, VALUE, void *), VALUE);

/* array */
VALUE rb_ary_aref(int, const VALUE *, VALUE);
VALUE rb_ary_cat(VALUE, const VALUE *, long);
VALUE rb_ary_clear(VALUE);
VALUE rb_ary_concat(VALUE, VALUE);
VALUE rb_ary_delete(VALUE, VALUE);
VALUE rb_ary_delete_at(VALUE, long);
VALUE rb_ary_dup(VALUE);
VALUE rb_ary_each(VALUE);
VALUE rb_ary_entry(VALUE, long);
VALUE rb_ary_freeze(VALUE);
VALUE rb_ary_includes(VALUE, VALUE);
VALUE rb_ary_join(VALUE, VALUE);
VALUE rb_ary_new(void);
VALUE rb_ary_new_capa(long);
VALUE rb_ary_new_from_args(long, ...);
VALUE rb_ary_new_from_values(long, const VALUE *);
VALUE rb_ary_plus(VALUE, VALUE);
VALUE rb_ary_pop(VALUE);
VALUE rb_ary_push(VALUE, VALUE);
VALUE rb_ary_replace(VALUE, VALUE);
VALUE rb_ary_resize(VALUE, long);
VALUE rb_ary_reverse(VALUE);
VALUE rb_ary_rotate(VALUE, long);
VALUE rb_ary_shift(VALUE);
VALUE rb_ary_sort(VALUE);
VALUE rb_ary_sort_bang(VALUE);
VALUE rb_ary_subseq(VALUE, long, long);
VALUE rb_ary_to_ary(VALUE);
VALUE rb_ary_to_s(VALUE);
VALUE rb_ary_unshift(VALUE, VALUE);
VALUE rb_assoc_new(VALUE, VALUE);
VALUE rb_check_array_type(VALUE);
void rb_ary_modify(VALUE);
void rb_ary_store(VALUE, long, VALUE);
void rb_mem_clear(VALUE *, long);

/* bignum */
VALUE rb_big2str(VALUE, int);
VALUE rb_big_cmp(VALUE, VALUE);
VALUE rb_big_minus(VALUE, VALUE);
VALUE rb_big_mul(VALUE, VALUE);
VALUE rb_big_norm(VALUE);
VALUE rb_big_plus(VALUE, VALUE);
VALUE rb_big_unpack(unsigned long *, long);
VALUE rb_cstr2inum(const char *, int);
VALUE rb_cstr_to_inum(const char *, int, int);
VALUE rb_dbl2big(double);
VALUE rb_integer_unpack(const void *, size_t, size_t, size_t, int);
VALUE rb_str2inum(VALUE, int);
VALUE rb_str_to_inum(VALUE, int, int);
double rb_big2dbl(VALUE);
int rb_absint_singlebit_p(VALUE);
int rb_integer_pack(VALUE, void *, size_t, size_t, size_t, int);
int rb_uv_to_utf8(char *, unsigned long);
long long rb_big2ll(VALUE);
long rb_big2long(VALUE);
unsigned long long rb_big2ull(VALUE);
size_t rb_absint_numwords(VALUE, size_t, size_t *);
size_t rb_absint_size(VALUE, int *);
unsigned long rb_big2ulong(VALUE);
void rb_big_pack(VALUE, unsigned long *, long);

/* class */
VALUE rb_class_attached_object(VALUE);
VALUE rb_singleton_class_clone(VALUE);
void rb_singleton_class_attached(VALUE, VALUE);
VALUE rb_class_instance_methods(int, const VALUE *, VALUE);
VALUE rb_class_new(VALUE);
VALUE rb_class_private_instance_methods(int, const VALUE *, VALUE);
VALUE rb_class_protected_instance_methods(int, const VALUE *, VALUE);
VALUE rb_class_public_instance_methods(int, const VALUE *, VALUE);
VALUE rb_define_class_id(ID, VALUE);
VALUE rb_define_class_id_under(VALUE, ID, VALUE);
VALUE rb_define_module_id(ID);
VALUE rb_mod_ancestors(VALUE);
VALUE rb_mod_include_p(VALUE, VALUE);
VALUE rb_module_new(void);
VALUE rb_singleton_class(VALUE);
void rb_define_method_id(VALUE, ID, VALUE (*)(ANYARGS), int);
void rb_define_private_method(VALUE, const char *, VALUE (*)(ANYARGS), int);
void rb_define_protected_method(VALUE, const char *, VALUE (*)(ANYARGS), int);
void rb_define_singleton_method(VALUE, const char *, VALUE (*)(ANYARGS), int);
void rb_undef(VALUE, ID);

/* compar */
int rb_cmpint(VALUE, VALUE, VALUE);

/* complex */
VALUE rb_Complex(VALUE, VALUE);
VALUE rb_complex_imag(VALUE);
VALUE rb_complex_new(VALUE, VALUE);
VALUE rb_complex_raw(VALUE, VALUE);
VALUE rb_complex_real(VALUE);

/* cont */
VALUE rb_fiber_alive_p(VALUE);
VALUE rb_fiber_current(void);
VALUE rb_fiber_new(rb_block_call_func_t, VALUE);
VALUE rb_fiber_raise(VALUE, int, const VALUE *);
VALUE rb_fiber_resume(VALUE, int, const VALUE *);
VALUE rb_fiber_transfer(VALUE, int, const VALUE *);
VALUE rb_fiber_yield(int, const VALUE *);
VALUE rb_obj_is_fiber(VALUE);

/* enum */
VALUE rb_enum_values_pack(int, const VALUE *);

/* enumerator */
VALUE rb_arithmetic_sequence_beg_len_step(VALUE, long *, long *, long *, long, int);
VALUE rb_enumeratorize(VALUE, VALUE, int, const VALUE *);
VALUE rb_enumeratorize_with_size(VALUE, VALUE, int, const VALUE *, rb_enumerator_size_func *);
int rb_arithmetic_sequence_extract(VALUE, rb_arithmetic_sequence_components_t *);

/* error */
VALUE rb_exc_new(VALUE, const char *, long);
VALUE rb_exc_new_cstr(VALUE, const char *);
VALUE rb_exc_new_str(VALUE, VALUE);
void rb_check_frozen(VALUE);
RBL_NORETURN void rb_error_arity(int, int, int);
RBL_NORETURN void rb_error_frozen(const char *);
RBL_NORETURN void rb_error_frozen_object(VALUE);
RBL_NORETURN void rb_name_error(ID, const char *, ...);

/* eval */
ID rb_frame_this_func(void);
VALUE rb_current_receiver(void);
VALUE rb_make_exception(int, const VALUE *);
RBL_NORETURN void rb_exc_raise(VALUE);
RBL_NORETURN void rb_jump_tag(int);
void rb_obj_call_init(VALUE, int, const VALUE *);
void rb_set_end_proc(void (*)(VALUE), VALUE);

/* file */
VALUE rb_file_expand_path(VALUE, VALUE);
VALUE rb_str_encode_ospath(VALUE);

/* hash */
VALUE rb_check_hash_type(VALUE);
VALUE rb_hash(VALUE);
VALUE rb_hash_aref(VALUE, VALUE);
VALUE rb_hash_aset(VALUE, VALUE, VALUE);
VALUE rb_hash_clear(VALUE);
VALUE rb_hash_delete(VALUE, VALUE);
VALUE rb_hash_delete_if(VALUE);
VALUE rb_hash_dup(VALUE);
VALUE rb_hash_fetch(VALUE, VALUE);
VALUE rb_hash_freeze(VALUE);
VALUE rb_hash_lookup(VALUE, VALUE);
VALUE rb_hash_lookup2(VALUE, VALUE, VALUE);
VALUE rb_hash_new(void);
VALUE rb_hash_new_capa(long);
VALUE rb_hash_size(VALUE);
void rb_hash_bulk_insert(long, const VALUE *, VALUE);
void rb_hash_foreach(VALUE, int (*)(VALUE, VALUE, VALUE), VALUE);

/* io */
VALUE rb_file_open(const char *, const char *);
VALUE rb_file_open_str(VALUE, const char *);
VALUE rb_io_addstr(VALUE, VALUE);
VALUE rb_io_ascii8bit_binmode(VALUE);
VALUE rb_io_binmode(VALUE);
VALUE rb_io_close(VALUE);
VALUE rb_io_fdopen(int, int, const char *);
VALUE rb_io_flush(VALUE);
VALUE rb_io_getbyte(VALUE);
VALUE rb_io_gets(VALUE);
VALUE rb_io_print(int, const VALUE *, VALUE);
VALUE rb_io_printf(int, const VALUE *, VALUE);
VALUE rb_io_puts(int, const VALUE *, VALUE);
VALUE rb_io_write(VALUE, VALUE);
int rb_cloexec_dup(int);
int rb_cloexec_fcntl_dupfd(int, int);
int rb_cloexec_open(const char *, int, mode_t);
int rb_reserved_fd_p(int);
void rb_fd_fix_cloexec(int);
void rb_update_max_fd(int);

/* load */
void rb_ext_ractor_safe(bool);
void rb_load_protect(VALUE, int, int *);

/* marshal */
VALUE rb_marshal_dump(VALUE, VALUE);
VALUE rb_marshal_load(VALUE);

/* numeric */
VALUE rb_fix2str(VALUE, int);
VALUE rb_int_positive_pow(long, unsigned long);
VALUE rb_num_coerce_bin(VALUE, VALUE, ID);
VALUE rb_num_coerce_cmp(VALUE, VALUE, ID);
VALUE rb_num_coerce_relop(VALUE, VALUE, ID);
RBL_NORETURN void rb_num_zerodiv(void);

/* object */
VALUE rb_Array(VALUE);
VALUE rb_Float(VALUE);
VALUE rb_Hash(VALUE);
VALUE rb_Integer(VALUE);
VALUE rb_String(VALUE);
VALUE rb_any_to_s(VALUE);
VALUE rb_check_convert_type(VALUE, int, const char *, const char *);
VALUE rb_check_to_integer(VALUE, const char *);
VALUE rb_class_inherited_p(VALUE, VALUE);
VALUE rb_class_new_instance(int, const VALUE *, VALUE);
VALUE rb_class_new_instance_kw(int, const VALUE *, VALUE, int);
VALUE rb_class_real(VALUE);
VALUE rb_class_superclass(VALUE);
VALUE rb_convert_type(VALUE, int, const char *, const char *);
VALUE rb_inspect(VALUE);
VALUE rb_obj_alloc(VALUE);
VALUE rb_obj_clone(VALUE);
VALUE rb_obj_dup(VALUE);
VALUE rb_obj_freeze(VALUE);
VALUE rb_obj_frozen_p(VALUE);
VALUE rb_obj_id(VALUE);
VALUE rb_obj_is_instance_of(VALUE, VALUE);
VALUE rb_obj_is_kind_of(VALUE, VALUE);
VALUE rb_to_float(VALUE);
VALUE rb_to_int(VALUE);
double rb_cstr_to_dbl(const char *, int);
double rb_str_to_dbl(VALUE, int);
int rb_eql(VALUE, VALUE);

/* parse */
ID rb_id_attrset(ID);
VALUE rb_backref_get(void);
VALUE rb_lastline_get(void);
int rb_is_class_id(ID);
int rb_is_const_id(ID);
int rb_is_instance_id(ID);
void rb_backref_set(VALUE);
void rb_lastline_set(VALUE);

/* proc */
VALUE rb_binding_new(void);
VALUE rb_block_lambda(void);
VALUE rb_block_proc(void);
VALUE rb_method_call(int, const VALUE *, VALUE);
VALUE rb_obj_is_proc(VALUE);
VALUE rb_obj_method(VALUE, VALUE);
VALUE rb_proc_call(VALUE, VALUE);
VALUE rb_proc_call_kw(VALUE, VALUE, int);
VALUE rb_proc_call_with_block(VALUE, int, const VALUE *, VALUE);
VALUE rb_proc_call_with_block_kw(VALUE, int, const VALUE *, VALUE, int);
VALUE rb_proc_lambda_p(VALUE);
VALUE rb_proc_new(rb_block_call_func_t, VALUE);
VALUE rb_protect(VALUE (*)(VALUE), VALUE, int *);
int rb_mod_method_arity(VALUE, ID);
int rb_obj_method_arity(VALUE, ID);
int rb_proc_arity(VALUE);

/* process */
VALUE rb_detach_process(pid_t);
VALUE rb_last_status_get(void);
VALUE rb_process_status_wait(pid_t, int);
pid_t rb_waitpid(pid_t, int *, int);

/* range */
VALUE rb_range_beg_len(VALUE, long *, long *, long, int);
VALUE rb_range_new(VALUE, VALUE, int);
int rb_range_values(VALUE, VALUE *, VALUE *, int *);

/* rational */
VALUE rb_Rational(VALUE, VALUE);
VALUE rb_rational_den(VALUE);
VALUE rb_rational_new(VALUE, VALUE);
VALUE rb_rational_num(VALUE);

/* re */
VALUE rb_reg_match(VALUE, VALUE);
VALUE rb_reg_match_post(VALUE);
VALUE rb_reg_match_pre(VALUE);
VALUE rb_reg_new(const char *, long, int);
VALUE rb_reg_nth_match(int, VALUE);
int rb_memcicmp(const void *, const void *, long);
int rb_reg_options(VALUE);
void rb_match_busy(VALUE);

/* select */
int rb_thread_fd_select(int, rb_fdset_t *, rb_fdset_t *, rb_fdset_t *, struct timeval *);

/* largesize */
int rb_fd_isset(int, const rb_fdset_t *);
void rb_fd_clr(int, rb_fdset_t *);
void rb_fd_copy(rb_fdset_t *, const fd_set *, int);
void rb_fd_init(rb_fdset_t *);
void rb_fd_set(int, rb_fdset_t *);
void rb_fd_term(rb_fdset_t *);
void rb_fd_zero(rb_fdset_t *);

/* sprintf */
VALUE rb_f_sprintf(int, const VALUE *);
VALUE rb_sprintf(const char *, ...);
VALUE rb_str_catf(VALUE, const char *, ...);
VALUE rb_str_format(int, const VALUE *, VALUE);
VALUE rb_str_vcatf(VALUE, const char *, va_list);
VALUE rb_vsprintf(const char *, va_list);

/* string */
VALUE rb_check_string_type(VALUE);
VALUE rb_external_str_new(const char *, long);
VALUE rb_external_str_new_cstr(const char *);
VALUE rb_filesystem_str_new(const char *, long);
VALUE rb_filesystem_str_new_cstr(const char *);
VALUE rb_interned_str(const char *, long);
VALUE rb_interned_str_cstr(const char *);
VALUE rb_locale_str_new(const char *, long);
VALUE rb_locale_str_new_cstr(const char *);
VALUE rb_obj_as_string(VALUE);
VALUE rb_str_append(VALUE, VALUE);
VALUE rb_str_buf_append(VALUE, VALUE);
VALUE rb_str_buf_cat(VALUE, const char *, long);
VALUE rb_str_buf_cat2(VALUE, const char *);
VALUE rb_str_buf_cat_ascii(VALUE, const char *);
VALUE rb_str_buf_new(long);
VALUE rb_str_cat(VALUE, const char *, long);
VALUE rb_str_cat2(VALUE, const char *);
VALUE rb_str_cat_cstr(VALUE, const char *);
VALUE rb_str_concat(VALUE, VALUE);
VALUE rb_str_drop_bytes(VALUE, long);
VALUE rb_str_dump(VALUE);
VALUE rb_str_dup(VALUE);
VALUE rb_str_dup_frozen(VALUE);
VALUE rb_str_equal(VALUE, VALUE);
VALUE rb_str_freeze(VALUE);
VALUE rb_str_inspect(VALUE);
VALUE rb_str_intern(VALUE);
VALUE rb_str_length(VALUE);
VALUE rb_str_locktmp(VALUE);
VALUE rb_str_new(const char *, long);
VALUE rb_str_new_cstr(const char *);
VALUE rb_str_new_frozen(VALUE);
VALUE rb_str_new_shared(VALUE);
VALUE rb_str_new_static(const char *, long);
VALUE rb_str_new_with_class(VALUE, const char *, long);
VALUE rb_str_plus(VALUE, VALUE);
VALUE rb_str_replace(VALUE, VALUE);
VALUE rb_str_resize(VALUE, long);
VALUE rb_str_resurrect(VALUE);
VALUE rb_str_split(VALUE, const char *);
VALUE rb_str_subseq(VALUE, long, long);
VALUE rb_str_substr(VALUE, long, long);
VALUE rb_str_times(VALUE, VALUE);
VALUE rb_str_tmp_new(long);
VALUE rb_str_to_interned_str(VALUE);
VALUE rb_str_unlocktmp(VALUE);
VALUE rb_sym_to_s(VALUE);
VALUE rb_usascii_str_new(const char *, long);
VALUE rb_usascii_str_new_cstr(const char *);
VALUE rb_usascii_str_new_static(const char *, long);
VALUE rb_utf8_str_new(const char *, long);
VALUE rb_utf8_str_new_cstr(const char *);
VALUE rb_utf8_str_new_static(const char *, long);
char *rb_str_subpos(VALUE, long, long *);
int rb_str_cmp(VALUE, VALUE);
long rb_str_strlen(VALUE);
long rb_str_sublen(VALUE, long);
size_t rb_str_capacity(VALUE);
st_index_t rb_hash_start(st_index_t);
st_index_t rb_memhash(const void *, long);
st_index_t rb_str_hash(VALUE);
void rb_str_free(VALUE);
void rb_str_modify(VALUE);
void rb_str_modify_expand(VALUE, long);
void rb_str_set_len(VALUE, long);
void rb_str_update(VALUE, long, long, VALUE);

/* struct */
VALUE rb_data_define(VALUE, ...);
VALUE rb_struct_alloc_noinit(VALUE);
VALUE rb_struct_define(const char *, ...);
VALUE rb_struct_define_under(VALUE, const char *, ...);
VALUE rb_struct_getmember(VALUE, ID);
VALUE rb_struct_initialize(VALUE, VALUE);
VALUE rb_struct_members(VALUE);
VALUE rb_struct_new(VALUE, ...);
VALUE rb_struct_s_members(VALUE);

/* thread */
VALUE rb_exec_recursive(VALUE (*)(VALUE, VALUE, int), VALUE, VALUE);
VALUE rb_exec_recursive_paired(VALUE (*)(VALUE, VALUE, int), VALUE, VALUE, VALUE);
VALUE rb_mutex_lock(VALUE);
VALUE rb_mutex_locked_p(VALUE);
VALUE rb_mutex_new(void);
VALUE rb_mutex_sleep(VALUE, VALUE);
VALUE rb_mutex_synchronize(VALUE, VALUE (*)(VALUE), VALUE);
VALUE rb_mutex_trylock(VALUE);
VALUE rb_mutex_unlock(VALUE);
VALUE rb_thread_create(VALUE (*)(void *), void *);
VALUE rb_thread_current(void);
VALUE rb_thread_local_aref(VALUE, ID);
VALUE rb_thread_local_aset(VALUE, ID, VALUE);
VALUE rb_thread_main(void);
VALUE rb_thread_run(VALUE);
VALUE rb_thread_stop(void);
VALUE rb_thread_wakeup(VALUE);
int rb_thread_alone(void);
int rb_thread_fd_writable(int);
int rb_thread_wait_fd(int);
void rb_thread_check_ints(void);
void rb_thread_schedule(void);
void rb_thread_sleep(int);
void rb_thread_wait_for(struct timeval);

/* time */
VALUE rb_time_nano_new(time_t, long);
VALUE rb_time_new(time_t, long);
VALUE rb_time_num_new(VALUE, VALUE);
VALUE rb_time_timespec_new(const struct timespec *, int);
VALUE rb_time_utc_offset(VALUE);
struct timespec rb_time_timespec(VALUE);
struct timeval rb_time_interval(VALUE);
struct timeval rb_time_timeval(VALUE);
void rb_timespec_now(struct timespec *);

/* variable */
VALUE rb_attr_get(VALUE, ID);
VALUE rb_class_name(VALUE);
VALUE rb_class_path(VALUE);
VALUE rb_class_path_cached(VALUE);
VALUE rb_const_get(VALUE, ID);
VALUE rb_const_get_at(VALUE, ID);
VALUE rb_const_get_from(VALUE, ID);
VALUE rb_const_remove(VALUE, ID);
VALUE rb_cv_get(VALUE, const char *);
VALUE rb_cvar_defined(VALUE, ID);
VALUE rb_cvar_get(VALUE, ID);
VALUE rb_f_global_variables(void);
VALUE rb_ivar_defined(VALUE, ID);
VALUE rb_ivar_get(VALUE, ID);
VALUE rb_ivar_set(VALUE, ID, VALUE);
VALUE rb_mod_name(VALUE);
VALUE rb_mod_remove_const(VALUE, VALUE);
VALUE rb_obj_instance_variables(VALUE);
VALUE rb_path2class(const char *);
VALUE rb_path_to_class(VALUE);
int rb_const_defined(VALUE, ID);
int rb_const_defined_at(VALUE, ID);
st_index_t rb_ivar_count(VALUE);
void rb_const_set(VALUE, ID, VALUE);
void rb_cv_set(VALUE, const char *, VALUE);
void rb_cvar_set(VALUE, ID, VALUE);
void rb_define_class_variable(VALUE, const char *, VALUE);
void rb_free_generic_ivar(VALUE);
void rb_ivar_foreach(VALUE, int (*)(ID, VALUE, st_data_t), st_data_t);

/* vm */
VALUE rb_apply(VALUE, ID, VALUE);
VALUE rb_check_funcall(VALUE, ID, int, const VALUE *);
VALUE rb_eval_cmd_kw(VALUE, VALUE, int);
VALUE rb_f_notimplement(int, const VALUE *, VALUE, VALUE);
VALUE rb_make_backtrace(void);
VALUE rb_mod_module_eval(int, const VALUE *, VALUE);
VALUE rb_obj_instance_eval(int, const VALUE *, VALUE);
const char *rb_sourcefile(void);
int rb_frame_method_id_and_class(ID *, VALUE *);
int rb_method_basic_definition_p(VALUE, ID);
int rb_method_boundp(VALUE, ID, int);
int rb_obj_respond_to(VALUE, ID, int);
int rb_respond_to(VALUE, ID);
int rb_sourceline(void);
rb_alloc_func_t rb_get_alloc_func(VALUE);
void rb_alias(VALUE, ID, ID);
void rb_attr(VALUE, ID, int, int, int);
void rb_define_alloc_func(VALUE, rb_alloc_func_t);
void rb_undef_alloc_func(VALUE);

/* iterator */
VALUE rb_block_call(VALUE, ID, int, const VALUE *, rb_block_call_func_t, VALUE);
VALUE rb_block_call_kw(VALUE, ID, int, const VALUE *, rb_block_call_func_t, VALUE, int);
VALUE rb_catch(const char *, rb_block_call_func_t, VALUE);
VALUE rb_catch_obj(VALUE, rb_block_call_func_t, VALUE);
VALUE rb_ensure(VALUE (*)(VALUE), VALUE, VALUE (*)(VALUE), VALUE);
VALUE rb_iterate(VALUE (*)(VALUE), VALUE, rb_block_call_func_t, VALUE);
VALUE rb_rescue(VALUE (*)(VALUE), VALUE, VALUE (*)(VALUE, VALUE), VALUE);
VALUE rb_rescue2(VALUE (*)(VALUE), VALUE, VALUE (*)(VALUE, VALUE), VALUE, ...);
VALUE rb_yield(VALUE);
VALUE rb_yield_splat(VALUE);
VALUE rb_yield_values(int, ...);
VALUE rb_yield_values2(int, const VALUE *);
int rb_block_given_p(void);
int rb_keyword_given_p(void);
void rb_need_block(void);
RBL_NORETURN void rb_throw(const char *, VALUE);
RBL_NORETURN void rb_throw_obj(VALUE, VALUE);

/* memory */
void *rb_alloc_tmp_buffer(volatile VALUE *, long);
void rb_free_tmp_buffer(volatile VALUE *);
RBL_NORETURN void ruby_malloc_size_overflow(size_t, size_t);

/* method */
void rb_define_alias(VALUE, const char *, const char *);
void rb_define_attr(VALUE, const char *, int, int);
void rb_define_global_function(const char *, VALUE (*)(ANYARGS), int);
void rb_define_method(VALUE, const char *, VALUE (*)(ANYARGS), int);
void rb_define_module_function(VALUE, const char *, VALUE (*)(ANYARGS), int);
void rb_undef_method(VALUE, const char *);

/* module */
VALUE rb_define_class(const char *, VALUE);
VALUE rb_define_class_under(VALUE, const char *, VALUE);
VALUE rb_define_module(const char *);
VALUE rb_define_module_under(VALUE, const char *);
void rb_extend_object(VALUE, VALUE);
void rb_include_module(VALUE, VALUE);
void rb_prepend_module(VALUE, VALUE);

/* newobj */
VALUE rb_obj_class(VALUE);
void rb_copy_generic_ivar(VALUE, VALUE);

/* scan args */
int rb_scan_args(int, const VALUE *, const char *, ...);
int rb_scan_args_kw(int, int, const VALUE *, const char *, ...);

/* symbol */
ID rb_check_id(volatile VALUE *);
ID rb_intern(const char *);
ID rb_intern2(const char *, long);
ID rb_intern_str(VALUE);
ID rb_sym2id(VALUE);
ID rb_to_id(VALUE);
VALUE rb_id2str(ID);
VALUE rb_id2sym(ID);
VALUE rb_sym2str(VALUE);
VALUE rb_to_symbol(VALUE);
const char *rb_id2name(ID);

/* value type */
void rb_check_type(VALUE, int);

/* variable */
VALUE rb_gv_get(const char *);
VALUE rb_gv_set(const char *, VALUE);
VALUE rb_iv_get(VALUE, const char *);
VALUE rb_iv_set(VALUE, const char *, VALUE);
void rb_define_const(VALUE, const char *, VALUE);
void rb_define_global_const(const char *, VALUE);
void rb_define_hooked_variable(const char *, VALUE *, rb_gvar_getter_t *, rb_gvar_setter_t *);
void rb_define_readonly_variable(const char *, const VALUE *);
void rb_define_variable(const char *, VALUE *);
void rb_define_virtual_variable(const char *, rb_gvar_getter_t *, rb_gvar_setter_t *);

/* xmalloc */
void *ruby_xcalloc(size_t, size_t);
void *ruby_xmalloc(size_t);
void *ruby_xrealloc(void *, size_t);
void *ruby_xrealloc2(void *, size_t, size_t);
void ruby_xfree(void *);
void ruby_xfree_sized(void *, size_t);
void *ruby_xrealloc_sized(void *, size_t, size_t);
void *ruby_xrealloc2_sized(void *, size_t, size_t, size_t);

/* ruby */
VALUE rb_equal(VALUE, VALUE);
VALUE rb_get_path(VALUE);
VALUE rb_require(const char *);
const char *rb_class2name(VALUE);
const char *rb_obj_classname(VALUE);
int ruby_native_thread_p(void);

/* and others */
VALUE rb_native_alloc(VALUE);
VALUE *rb_current_global_ptr(int);
VALUE rb_ary_tmp_new(long);
VALUE rb_ary_hidden_new(long);
VALUE rb_ary_assoc(VALUE, VALUE);
VALUE rb_ary_cmp(VALUE, VALUE);
void rb_ary_free(VALUE);
VALUE rb_ary_rassoc(VALUE, VALUE);
VALUE rb_ary_shared_with_p(VALUE, VALUE);
VALUE rb_get_values_at(VALUE, long, int, const VALUE *, VALUE (*)(VALUE, long));
VALUE rb_ident_hash_new(void);
VALUE rb_hash_ifnone(VALUE);
VALUE rb_hash_keys(VALUE);
VALUE rb_hash_values(VALUE);
VALUE rb_hash_has_key(VALUE, VALUE);
VALUE rb_hash_update_by(VALUE, VALUE, VALUE (*)(VALUE, VALUE, VALUE));
VALUE rb_env_clear(void);
VALUE rb_int_parse_cstr(const char *, ssize_t, char **, size_t *, int, int);
VALUE rb_obj_taint(VALUE);
VALUE rb_obj_untaint(VALUE);
VALUE rb_obj_init_copy(VALUE, VALUE);
VALUE rb_obj_singleton_methods(int, const VALUE *, VALUE);
VALUE rb_obj_setup(VALUE, VALUE, VALUE);
VALUE rb_obj_instance_exec(int, const VALUE *, VALUE);
VALUE rb_mod_module_exec(int, const VALUE *, VALUE);
VALUE rb_mod_included_modules(VALUE);
VALUE rb_mod_constants(int, const VALUE *, VALUE);
VALUE rb_mod_class_variables(int, const VALUE *, VALUE);
VALUE rb_class_descendants(VALUE);
VALUE rb_class_subclasses(VALUE);
VALUE rb_newobj(void);
VALUE rb_set_new(void);
VALUE rb_set_new_capa(size_t);
VALUE rb_set_add(VALUE, VALUE);
VALUE rb_set_clear(VALUE);
bool rb_set_lookup(VALUE, VALUE);
bool rb_set_delete(VALUE, VALUE);
size_t rb_set_size(VALUE);
void rb_set_foreach(VALUE, int (*)(VALUE, VALUE), VALUE);
VALUE rb_process_status_for(pid_t, int, int);
void rb_last_status_set(int, pid_t);
int rb_proc_exec(const char *);
VALUE rb_f_kill(int, const VALUE *);
VALUE rb_f_abort(int, const VALUE *);
VALUE rb_f_exit(int, const VALUE *);
RBL_NORETURN void rb_exit(int);
RBL_NORETURN void rb_interrupt(void);
void rb_p(VALUE);
VALUE rb_load(VALUE, int);
int rb_provided(const char *);
void rb_provide(const char *);
VALUE rb_f_require(VALUE, VALUE);
VALUE rb_require_string(VALUE);
VALUE rb_proc_times(VALUE);
VALUE rb_rational_raw(VALUE, VALUE);
VALUE rb_flt_rationalize(VALUE);
VALUE rb_flt_rationalize_with_prec(VALUE, VALUE);
VALUE rb_dbl_complex_new(double, double);
VALUE rb_complex_abs(VALUE);
VALUE rb_complex_arg(VALUE);
VALUE rb_complex_plus(VALUE, VALUE);
VALUE rb_complex_minus(VALUE, VALUE);
VALUE rb_complex_mul(VALUE, VALUE);
VALUE rb_complex_div(VALUE, VALUE);
VALUE rb_complex_uminus(VALUE);
VALUE rb_complex_conjugate(VALUE);
VALUE rb_complex_pow(VALUE, VALUE);
VALUE rb_complex_new_polar(VALUE, VALUE);
VALUE rb_big_eq(VALUE, VALUE);
VALUE rb_big_eql(VALUE, VALUE);
VALUE rb_big_div(VALUE, VALUE);
VALUE rb_big_idiv(VALUE, VALUE);
VALUE rb_big_modulo(VALUE, VALUE);
VALUE rb_big_divmod(VALUE, VALUE);
VALUE rb_big_pow(VALUE, VALUE);
VALUE rb_big_and(VALUE, VALUE);
VALUE rb_big_or(VALUE, VALUE);
VALUE rb_big_xor(VALUE, VALUE);
VALUE rb_big_lshift(VALUE, VALUE);
VALUE rb_big_rshift(VALUE, VALUE);
VALUE rb_big_hash(VALUE);
VALUE rb_big_new(size_t, int);
int rb_big_sign(VALUE);
int rb_bigzero_p(VALUE);
RBL_NORETURN void rb_cmperr(VALUE, VALUE);
VALUE rb_num_coerce_bit(VALUE, VALUE, ID);
double rb_int_pair_to_real(uint32_t, uint32_t, int);
double rb_float_value(VALUE);
int rb_float_cmp(VALUE, VALUE);
double rb_random_real(VALUE);
unsigned int rb_random_int32(VALUE);
VALUE rb_random_bytes(VALUE, long);
unsigned long rb_random_ulong_limited(VALUE, unsigned long);
double rb_genrand_real(void);
unsigned int rb_genrand_int32(void);
unsigned long rb_genrand_ulong_limited(unsigned long);
void rb_reset_random_seed(void);
VALUE rb_str_buf_new_cstr(const char *);
VALUE rb_str_succ(VALUE);
VALUE rb_str_ellipsize(VALUE, long);
VALUE rb_str_scrub(VALUE, VALUE);
void rb_str_shared_replace(VALUE, VALUE);
VALUE rb_str_setbyte(VALUE, VALUE, VALUE);
VALUE rb_sym_all_symbols(void);
VALUE rb_sym_proc(VALUE);
VALUE rb_sym_interned_p(VALUE);
VALUE rb_check_symbol(volatile VALUE *);
long rb_str_offset(VALUE, long);
int rb_str_comparable(VALUE, VALUE);
int rb_str_hash_cmp(VALUE, VALUE);
int rb_str_symname_p(VALUE);
void rb_must_asciicompat(VALUE);
int rb_is_local_id(ID);
int rb_is_global_id(ID);
int rb_is_attrset_id(ID);
int rb_is_junk_id(ID);
int rb_symname_p(const char *);
VALUE rb_reg_new_str(VALUE, int);
VALUE rb_reg_alloc(void);
VALUE rb_reg_init_str(VALUE, VALUE, int);
VALUE rb_reg_quote(VALUE);
VALUE rb_reg_last_match(VALUE);
VALUE rb_reg_match_last(VALUE);
VALUE rb_reg_nth_defined(int, VALUE);
VALUE rb_reg_match2(VALUE);
int rb_reg_backref_number(VALUE, VALUE);
VALUE rb_time_succ(VALUE);
struct timespec rb_time_timespec_interval(VALUE);
VALUE rb_struct_alloc(VALUE, VALUE);
VALUE rb_struct_define_without_accessor(const char *, VALUE, rb_alloc_func_t, ...);
VALUE rb_struct_define_without_accessor_under(VALUE, const char *, VALUE, rb_alloc_func_t, ...);
VALUE rb_enumeratorize_with_size_kw(VALUE, VALUE, int, const VALUE *, rb_enumerator_size_func *, int);
VALUE rb_enum_values_pack_kw(int, const VALUE *, int);
VALUE rb_funcallv_public_kw(VALUE, ID, int, const VALUE *, int);
VALUE rb_funcall_passing_block_kw(VALUE, ID, int, const VALUE *, int);
VALUE rb_check_funcall_kw(VALUE, ID, int, const VALUE *, int);
VALUE rb_class_new_instance_pass_kw(int, const VALUE *, VALUE);
void rb_obj_call_init_kw(VALUE, int, const VALUE *, int);
VALUE rb_yield_splat_kw(VALUE, int);
VALUE rb_yield_values_kw(int, const VALUE *, int);
VALUE rb_yield_block(VALUE, VALUE, int, const VALUE *, VALUE);
VALUE rb_method_call_kw(int, const VALUE *, VALUE, int);
VALUE rb_method_call_with_block(int, const VALUE *, VALUE, VALUE);
VALUE rb_method_call_with_block_kw(int, const VALUE *, VALUE, VALUE, int);
VALUE rb_fiber_new_storage(rb_block_call_func_t, VALUE, VALUE);
VALUE rb_fiber_resume_kw(VALUE, int, const VALUE *, int);
VALUE rb_fiber_transfer_kw(VALUE, int, const VALUE *, int);
VALUE rb_fiber_yield_kw(int, const VALUE *, int);
VALUE rb_each(VALUE);
VALUE rb_eval_string_wrap(const char *, int *);
VALUE rb_vrescue2(VALUE (*)(VALUE), VALUE, VALUE (*)(VALUE, VALUE), VALUE, va_list);
RBL_NORETURN void rb_iter_break_value(VALUE);
RBL_NORETURN void rb_mod_sys_fail(VALUE, const char *);
RBL_NORETURN void rb_mod_sys_fail_str(VALUE, VALUE);
RBL_NORETURN void rb_mod_syserr_fail(VALUE, int, const char *);
RBL_NORETURN void rb_mod_syserr_fail_str(VALUE, int, VALUE);
RBL_NORETURN void rb_loaderror(const char *, ...);
RBL_NORETURN void rb_loaderror_with_path(VALUE, const char *, ...);
RBL_NORETURN void rb_name_error_str(VALUE, const char *, ...);
RBL_NORETURN void rb_frozen_error_raise(VALUE, const char *, ...);
RBL_NORETURN void rb_exc_fatal(VALUE);
RBL_NORETURN void rb_key_err_raise(VALUE, VALUE, VALUE);
RBL_NORETURN void rb_invalid_str(const char *, const char *);
VALUE rb_exc_set_backtrace(VALUE, VALUE);
void rb_check_copyable(VALUE, VALUE);
void rb_sys_warning(const char *, ...);
void rb_sys_warn(const char *, ...);
bool rb_warning_category_enabled_p(rb_warning_category_t);
VALUE *rb_ruby_verbose_ptr(void);
VALUE *rb_ruby_debug_ptr(void);
void rb_backtrace(void);
VALUE rb_const_list(void *);
VALUE rb_public_const_get(VALUE, ID);
VALUE rb_public_const_get_at(VALUE, ID);
VALUE rb_public_const_get_from(VALUE, ID);
int rb_public_const_defined(VALUE, ID);
int rb_public_const_defined_at(VALUE, ID);
int rb_public_const_defined_from(VALUE, ID);
int rb_const_defined_from(VALUE, ID);
VALUE rb_search_class_path(VALUE);
void rb_set_class_path(VALUE, VALUE, const char *);
void rb_set_class_path_string(VALUE, VALUE, VALUE);
VALUE rb_autoload_load(VALUE, ID);
VALUE rb_autoload_p(VALUE, ID);
VALUE rb_define_module_id_under(VALUE, ID);
VALUE rb_cvar_find(VALUE, ID, VALUE *);
VALUE rb_obj_remove_instance_variable(VALUE, VALUE);
VALUE rb_mod_remove_cvar(VALUE, VALUE);
void rb_alias_variable(ID, ID);
void rb_gvar_readonly_setter(VALUE, ID, VALUE *);
VALUE rb_gvar_undef_getter(ID, VALUE *);
VALUE rb_gvar_val_getter(ID, VALUE *);
VALUE rb_gvar_var_getter(ID, VALUE *);
void rb_gvar_undef_setter(VALUE, ID, VALUE *);
void rb_gvar_val_setter(VALUE, ID, VALUE *);
void rb_gvar_var_setter(VALUE, ID, VALUE *);
void rb_remove_method(VALUE, const char *);
void rb_remove_method_id(VALUE, ID);
ID rb_frame_callee(void);
VALUE rb_gc_start(void);
void rb_gc_copy_finalizer(VALUE, VALUE);
void rb_gc_update_tbl_refs(st_table *);
void rb_mark_tbl(st_table *);
void rb_mark_tbl_no_pin(st_table *);
void rb_mark_hash(st_table *);
void rb_mark_set(st_table *);
VALUE rb_memory_id(VALUE);
void rb_gc_force_recycle(VALUE);
void rb_copy_wb_protected_attribute(VALUE, VALUE);
VALUE rb_thread_wakeup_alive(VALUE);
VALUE rb_thread_kill(VALUE);
void rb_thread_sleep_forever(void);
void rb_thread_sleep_deadly(void);
void rb_thread_atfork(void);
int rb_thread_interrupted(VALUE);
int rb_thread_fd_close(int);
int rb_pipe(int *);
int rb_cloexec_pipe(int *);
int rb_cloexec_dup2(int, int);
void rb_maygvl_fd_fix_cloexec(int);
VALUE rb_io_eof(VALUE);
VALUE rb_io_ungetc(VALUE, VALUE);
VALUE rb_io_ungetbyte(VALUE, VALUE);
VALUE rb_io_timeout(VALUE);
VALUE rb_io_set_timeout(VALUE, VALUE);
VALUE rb_file_directory_p(VALUE, VALUE);
VALUE rb_file_dirname(VALUE);
VALUE rb_file_s_expand_path(int, const VALUE *);
VALUE rb_file_absolute_path(VALUE, VALUE);
VALUE rb_file_s_absolute_path(int, const VALUE *);
VALUE rb_find_file(VALUE);
off_t rb_file_size(VALUE);
VALUE rb_dir_getwd(void);
VALUE rb_gets(void);
void rb_write_error2(const char *, long);
VALUE rb_get_argv(void);
void ruby_script(const char *);
void ruby_set_argv(int, char **);
void ruby_setproctitle(const char *, ...);
int ruby_stack_check(void);
size_t ruby_stack_length(VALUE **);
void ruby_sig_finalize(void);
void rb_marshal_define_compat(VALUE, VALUE, VALUE (*)(VALUE), VALUE (*)(VALUE, VALUE));
void rb_fd_dup(rb_fdset_t *, const rb_fdset_t *);
int rb_fd_select(int, rb_fdset_t *, rb_fdset_t *, rb_fdset_t *, struct timeval *);
void *rb_ext_resolve_symbol(const char *, const char *);
VALUE rb_class_search_ancestor(VALUE, VALUE);
void rb_big_2comp(VALUE);
VALUE rb_obj_is_method(VALUE);
VALUE rb_check_to_int(VALUE);
VALUE rb_check_to_float(VALUE);
void rb_check_inheritable(VALUE);
VALUE rb_dbl_cmp(double, double);
VALUE rb_num2fix(VALUE);
int rb_errno(void);
int *rb_errno_ptr(void);
void rb_errno_set(int);
rb_pid_t rb_spawn(int, const VALUE *);
rb_pid_t rb_spawn_err(int, const VALUE *, char *, size_t);
void rb_syswait(rb_pid_t);
const char *ruby_signal_name(int);
VALUE rb_exec_recursive_outer(VALUE (*)(VALUE, VALUE, int), VALUE, VALUE);
VALUE rb_exec_recursive_paired_outer(VALUE (*)(VALUE, VALUE, int), VALUE, VALUE, VALUE);

/* sundry */
typedef int ruby_glob_func(const char *, VALUE);
VALUE rb_mod_init_copy(VALUE, VALUE);
VALUE rb_refinement_new(void);
void rb_clear_constant_cache_for_id(ID);
void rb_deprecate_constant(VALUE, const char *);
RBL_NORETURN void rb_bug_errno(const char *, int);
RBL_NORETURN void rb_assert_failure(const char *, int, const char *, const char *);
RBL_NORETURN void rb_assert_failure_detail(const char *, int, const char *, const char *, const char *, ...);
void rb_freeze_singleton_class(VALUE);
void rb_check_safe_str(VALUE);
void rb_debug_rstring_null_ptr(const char *);
unsigned short rb_fix2ushort(VALUE);
int ruby_glob(const char *, int, ruby_glob_func *, VALUE);
int ruby_brace_glob(const char *, int, ruby_glob_func *, VALUE);
RBL_NORETURN void ruby_malloc_add_size_overflow(size_t, size_t);
VALUE rb_ary_resurrect(VALUE);
VALUE rb_big_clone(VALUE);
void rb_big_resize(VALUE, size_t);
int rb_find_file_ext(VALUE *, const char *const *);
int rb_is_absolute_path(const char *);
void rb_write_error(const char *);
void rb_close_before_exec(int, int, VALUE);
int rb_feature_provided(const char *, const char **);
VALUE rb_f_exec(int, const VALUE *);
void ruby_default_signal(int);
void rb_thread_atfork_before_exec(void);
VALUE rb_f_trace_var(int, const VALUE *);
VALUE rb_f_untrace_var(int, const VALUE *);
void *rb_mod_const_at(VALUE, void *);
void *rb_mod_const_of(VALUE, void *);

/* embedding: the interpreter runs already */
void ruby_sysinit(int *, char ***);
void ruby_init(void);
void *ruby_options(int, char **);
int ruby_executable_node(void *, int *);
int ruby_run_node(void *);
int ruby_exec_node(void *);
void ruby_show_version(void);
void ruby_show_copyright(void);
void ruby_init_stack(void *);
int ruby_setup(void);
int ruby_cleanup(int);
void ruby_finalize(void);
RBL_NORETURN void ruby_stop(int);
void ruby_set_script_name(VALUE);
void ruby_prog_init(void);
void *ruby_process_options(int, char **);
void ruby_init_loadpath(void);
void ruby_incpush(const char *);
void *rb_load_file(const char *);
void *rb_load_file_str(VALUE);

RBL_END_DECLS
#endif
