#ifndef RUBELLITE_RUBY_ST_H
#define RUBELLITE_RUBY_ST_H
/* Hash tables of words for C code. */
#include "ruby/defines.h"

RBL_BEGIN_DECLS
typedef uintptr_t st_data_t;
typedef st_data_t st_index_t;
typedef st_index_t st_hash_t;
#define ST_INDEX_BITS (SIZEOF_VOIDP * CHAR_BIT)
#define SIZEOF_ST_INDEX_T SIZEOF_VOIDP
#define ST_DATA_COMPATIBLE_P(type) 0
/* SWIG asks whether it must include the header itself. */
#define ST_DATA_T_DEFINED
#define MAX_ST_INDEX_VAL (~(st_index_t)0)

typedef struct st_table st_table;
typedef int st_compare_func(st_data_t, st_data_t);
typedef st_index_t st_hash_func(st_data_t);

struct st_hash_type {
    int (*compare)(st_data_t, st_data_t);
    st_index_t (*hash)(st_data_t);
};

typedef struct st_table_entry st_table_entry;

/* Entries lie in the order of their insertion; `bins` finds them. */
struct st_table {
    const struct st_hash_type *type;
    st_index_t num_entries;
    st_table_entry *entries;
    st_index_t *bins;
    st_index_t entries_bound;
    st_index_t entries_cap;
    st_index_t bins_mask;
    unsigned int rebuilds_num;
    unsigned int iterating;
};

#define st_is_member(table, key) rb_st_lookup((table), (key), (st_data_t *)0)

enum st_retval { ST_CONTINUE, ST_STOP, ST_DELETE, ST_CHECK, ST_REPLACE };
#define ST_CONTINUE ST_CONTINUE

typedef int st_update_callback_func(st_data_t *key, st_data_t *value, st_data_t arg, int existing);
typedef int st_foreach_callback_func(st_data_t, st_data_t, st_data_t);
typedef int st_foreach_check_callback_func(st_data_t, st_data_t, st_data_t, int);

#define st_table_size rb_st_table_size
size_t rb_st_table_size(const st_table *);
st_table *rb_st_init_table(const struct st_hash_type *);
st_table *rb_st_init_table_with_size(const struct st_hash_type *, st_index_t);
st_table *rb_st_init_numtable(void);
st_table *rb_st_init_numtable_with_size(st_index_t);
st_table *rb_st_init_strtable(void);
st_table *rb_st_init_strtable_with_size(st_index_t);
st_table *rb_st_init_strcasetable(void);
st_table *rb_st_init_strcasetable_with_size(st_index_t);
int rb_st_delete(st_table *, st_data_t *, st_data_t *);
int rb_st_delete_safe(st_table *, st_data_t *, st_data_t *, st_data_t);
int rb_st_shift(st_table *, st_data_t *, st_data_t *);
int rb_st_insert(st_table *, st_data_t, st_data_t);
int rb_st_insert2(st_table *, st_data_t, st_data_t, st_data_t (*)(st_data_t));
int rb_st_lookup(st_table *, st_data_t, st_data_t *);
int rb_st_get_key(st_table *, st_data_t, st_data_t *);
int rb_st_update(st_table *, st_data_t, st_update_callback_func *, st_data_t);
int rb_st_foreach(st_table *, st_foreach_callback_func *, st_data_t);
int rb_st_foreach_safe(st_table *, st_foreach_callback_func *, st_data_t);
int rb_st_foreach_check(st_table *, st_foreach_check_callback_func *, st_data_t, st_data_t);
int rb_st_foreach_with_replace(st_table *, st_foreach_check_callback_func *, st_update_callback_func *, st_data_t);
st_index_t rb_st_keys(st_table *, st_data_t *, st_index_t);
st_index_t rb_st_values(st_table *, st_data_t *, st_index_t);
st_index_t rb_st_keys_check(st_table *, st_data_t *, st_index_t, st_data_t);
st_index_t rb_st_values_check(st_table *, st_data_t *, st_index_t, st_data_t);
void rb_st_cleanup_safe(st_table *, st_data_t);
void rb_hash_bulk_insert_into_st_table(long, const VALUE *, VALUE);
void rb_st_add_direct(st_table *, st_data_t, st_data_t);
void rb_st_free_table(st_table *);
void rb_st_clear(st_table *);
st_table *rb_st_copy(st_table *);
size_t rb_st_memsize(const st_table *);
st_index_t rb_st_numhash(st_data_t);
int rb_st_numcmp(st_data_t, st_data_t);
st_index_t rb_st_hash(const void *, size_t, st_index_t);
st_index_t rb_st_hash_uint(st_index_t, st_index_t);
st_index_t rb_st_hash_uint32(st_index_t, uint32_t);
st_index_t rb_st_hash_end(st_index_t);
st_index_t rb_st_hash_start(st_index_t);
int rb_st_locale_insensitive_strcasecmp(const char *, const char *);
int rb_st_locale_insensitive_strncasecmp(const char *, const char *, size_t);
RBL_END_DECLS

#define st_init_table rb_st_init_table
#define st_init_table_with_size rb_st_init_table_with_size
#define st_init_numtable rb_st_init_numtable
#define st_init_numtable_with_size rb_st_init_numtable_with_size
#define st_init_strtable rb_st_init_strtable
#define st_init_strtable_with_size rb_st_init_strtable_with_size
#define st_init_strcasetable rb_st_init_strcasetable
#define st_init_strcasetable_with_size rb_st_init_strcasetable_with_size
#define st_delete rb_st_delete
#define st_delete_safe rb_st_delete_safe
#define st_shift rb_st_shift
#define st_insert rb_st_insert
#define st_insert2 rb_st_insert2
#define st_lookup rb_st_lookup
#define st_get_key rb_st_get_key
#define st_update rb_st_update
#define st_foreach rb_st_foreach
#define st_foreach_safe rb_st_foreach_safe
#define st_foreach_check rb_st_foreach_check
#define st_foreach_with_replace rb_st_foreach_with_replace
#define st_keys rb_st_keys
#define st_values rb_st_values
#define st_keys_check rb_st_keys_check
#define st_values_check rb_st_values_check
#define st_cleanup_safe rb_st_cleanup_safe
#define st_add_direct rb_st_add_direct
#define st_free_table rb_st_free_table
#define st_clear rb_st_clear
#define st_copy rb_st_copy
#define st_memsize rb_st_memsize
#define st_numhash rb_st_numhash
#define st_numcmp rb_st_numcmp
#define st_hash rb_st_hash
#define st_hash_uint rb_st_hash_uint
#define st_hash_uint32 rb_st_hash_uint32
#define st_hash_end rb_st_hash_end
#define st_hash_start(h) ((st_index_t)(h))
#define st_locale_insensitive_strcasecmp rb_st_locale_insensitive_strcasecmp
#define st_locale_insensitive_strncasecmp rb_st_locale_insensitive_strncasecmp
#define st_strcasecmp rb_st_locale_insensitive_strcasecmp
#define st_strncasecmp rb_st_locale_insensitive_strncasecmp
#define STRCASECMP(a, b) rb_st_locale_insensitive_strcasecmp((a), (b))
#define STRNCASECMP(a, b, n) rb_st_locale_insensitive_strncasecmp((a), (b), (n))

#endif
