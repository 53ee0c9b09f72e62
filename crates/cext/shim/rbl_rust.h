/* Functions in Rust that the shim calls by hand, and helpers of the shim. */
struct rbl_saved {
    VALUE errinfo, own;
};
void rbl_protect_begin(struct rbl_saved *saved);
int rbl_protect_failed(struct rbl_saved *saved);
void rbl_jump_tag(int state);
VALUE rbl_exit_take(struct rbl_saved *saved);
void rbl_exit_restore(struct rbl_saved *saved, VALUE exit);
int rbl_rescue(struct rbl_saved *saved, const VALUE *classes, int count, VALUE *error);
void rbl_rescued(struct rbl_saved *saved);
void rbl_raise_unimplemented(const char *name);
void rbl_raise_frozen(VALUE object);
void rbl_raise_arity(int argc, int min, int max);

VALUE rbl_c_struct_define(VALUE outer, const char *name, VALUE members, VALUE super);
VALUE rbl_c_inspected(VALUE list);
void rbl_c_warn(VALUE message);
VALUE rbl_c_fill(VALUE fatal);
int rbl_type(VALUE value);

/* These give a status, and their result behind the last argument. */
int rbl_verbose_get(int debug, VALUE *out);
int rbl_warn_message(VALUE message, void *out);
int rbl_is_io(VALUE value, int *out);
void rbl_note_memory(ssize_t delta);
int rbl_int_words(VALUE value, uint64_t *words, size_t room, int *negative, size_t *count);
int rbl_int_from_words(const uint64_t *words, size_t count, int negative, VALUE *out);
int rbl_str_new_index(const char *ptr, long len, int index, VALUE *out);
int rbl_str_interned_index(const char *ptr, long len, int index, VALUE *out);
int rbl_str_in_encoding(const char *ptr, long len, int index, VALUE *out);
int rbl_intern_index(const char *ptr, long len, int index, ID *out);
int rbl_find_index(const char *ptr, long len, int index, ID *out);
int rbl_c_mbc_to_codepoint(const char *p, const char *e, rb_encoding *enc, int *out);
int rbl_c_code_to_mbc(int code, unsigned char *buffer, rb_encoding *enc, int *out);
int rbl_c_ctype(int code, int type, rb_encoding *enc, int *out);
int rbl_c_left_char_head(const char *s, const char *p, const char *e, rb_encoding *enc, char **out);
int rbl_has_lock(void);
int rbl_watch_threads(void *out);
void *rbl_specific_get(VALUE thread, unsigned int key);
void rbl_specific_set(VALUE thread, unsigned int key, void *data);
void rbl_job_trigger(unsigned int job);
struct pollfd;
int rbl_c_poll(struct pollfd *polls, size_t count, int64_t milliseconds, int *out);
struct told;
int rbl_io_tell(VALUE io, struct told *told, int *known);
int rbl_io_buffered(VALUE io, int *out);
int rbl_io_must_read(VALUE io, void *out);
int rbl_io_must_write(VALUE io, void *out);
int rbl_io_must_be_open(VALUE io, void *out);
int rbl_c_reg_part(VALUE regexp, VALUE string, long base, long at, int search, struct re_registers *registers, long *out);
int rbl_c_match_groups(VALUE match, struct re_registers *registers, void *out);
int rbl_c_profile_frames(int start, int limit, VALUE *frames, int *lines);
int rbl_c_profile_thread_frames(VALUE thread, int start, int limit, VALUE *frames, int *lines, int *out);
int rbl_c_inspect_levels(VALUE *out);
int rbl_c_binding_at(long depth, VALUE *out);
int rbl_c_objects(VALUE *out);
int rbl_c_tracepoint_disable(VALUE point, void *out);
