/* Hash tables of words: entries in the order of their insertion, and an open table of their numbers. */
#include "rbl.h"

struct st_table_entry {
    st_index_t hash;
    st_data_t key, record;
};

/* The hash of an entry that is no more, and marks of the bins. */
#define GONE (~(st_index_t)0)
#define EMPTY ((st_index_t)0)
#define DELETED ((st_index_t)1)
#define OFFSET 2

int rb_st_numcmp(st_data_t a, st_data_t b)
{
    return a != b;
}

st_index_t rb_st_numhash(st_data_t n)
{
    n ^= n >> 32;
    n *= 0x9e3779b97f4a7c15ul;
    return n ^ (n >> 29);
}

st_index_t rb_st_hash(const void *ptr, size_t len, st_index_t h)
{
    const unsigned char *p = ptr;
    h ^= 0xcbf29ce484222325ul;
    for (size_t i = 0; i < len; i++) h = (h ^ p[i]) * 0x100000001b3ul;
    return h ^ (h >> 32);
}

st_index_t rb_st_hash_uint(st_index_t h, st_index_t i)
{
    return rb_st_numhash(h * 31 + i);
}

st_index_t rb_st_hash_uint32(st_index_t h, uint32_t i)
{
    return rb_st_numhash(h * 31 + i);
}

st_index_t rb_st_hash_end(st_index_t h)
{
    return rb_st_numhash(h);
}

st_index_t rb_st_hash_start(st_index_t h)
{
    return h;
}

int rb_st_locale_insensitive_strcasecmp(const char *a, const char *b)
{
    for (;; a++, b++) {
        int c1 = (unsigned char)TOLOWER(*a), c2 = (unsigned char)TOLOWER(*b);
        if (c1 != c2) return c1 < c2 ? -1 : 1;
        if (!c1) return 0;
    }
}

int rb_st_locale_insensitive_strncasecmp(const char *a, const char *b, size_t n)
{
    for (; n > 0; n--, a++, b++) {
        int c1 = (unsigned char)TOLOWER(*a), c2 = (unsigned char)TOLOWER(*b);
        if (c1 != c2) return c1 < c2 ? -1 : 1;
        if (!c1) return 0;
    }
    return 0;
}

static int str_compare(st_data_t a, st_data_t b)
{
    return strcmp((const char *)a, (const char *)b);
}

static st_index_t str_hash(st_data_t s)
{
    return rb_st_hash((const char *)s, strlen((const char *)s), 0);
}

static int case_compare(st_data_t a, st_data_t b)
{
    return rb_st_locale_insensitive_strcasecmp((const char *)a, (const char *)b);
}

static st_index_t case_hash(st_data_t s)
{
    st_index_t h = 0xcbf29ce484222325ul;
    for (const char *p = (const char *)s; *p; p++) h = (h ^ (st_index_t)TOLOWER(*p)) * 0x100000001b3ul;
    return h;
}

static const struct st_hash_type numbers = {rb_st_numcmp, rb_st_numhash};
static const struct st_hash_type strings = {str_compare, str_hash};
static const struct st_hash_type case_strings = {case_compare, case_hash};

static void *memory(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    if (!p) rb_memerror();
    return p;
}

st_table *rb_st_init_table_with_size(const struct st_hash_type *type, st_index_t size)
{
    st_table *t = memory(sizeof *t);
    t->type = type;
    if (size > 0) {
        t->entries_cap = size;
        t->entries = memory(size * sizeof *t->entries);
    }
    return t;
}

st_table *rb_st_init_table(const struct st_hash_type *type)
{
    return rb_st_init_table_with_size(type, 0);
}

st_table *rb_st_init_numtable(void)
{
    return rb_st_init_table(&numbers);
}

st_table *rb_st_init_numtable_with_size(st_index_t size)
{
    return rb_st_init_table_with_size(&numbers, size);
}

st_table *rb_st_init_strtable(void)
{
    return rb_st_init_table(&strings);
}

st_table *rb_st_init_strtable_with_size(st_index_t size)
{
    return rb_st_init_table_with_size(&strings, size);
}

st_table *rb_st_init_strcasetable(void)
{
    return rb_st_init_table(&case_strings);
}

st_table *rb_st_init_strcasetable_with_size(st_index_t size)
{
    return rb_st_init_table_with_size(&case_strings, size);
}

void rb_st_free_table(st_table *t)
{
    free(t->entries);
    free(t->bins);
    free(t);
}

void rb_st_clear(st_table *t)
{
    t->num_entries = t->entries_bound = 0;
    free(t->bins);
    t->bins = 0;
    t->bins_mask = 0;
    t->rebuilds_num++;
}

size_t rb_st_table_size(const st_table *t)
{
    return t->num_entries;
}

size_t rb_st_memsize(const st_table *t)
{
    return sizeof *t + t->entries_cap * sizeof *t->entries + (t->bins ? (t->bins_mask + 1) * sizeof *t->bins : 0);
}

static st_index_t hash_of(st_table *t, st_data_t key)
{
    st_index_t hash = t->type->hash(key);
    return hash == GONE ? GONE - 1 : hash;
}

static void add_bin(st_table *t, st_index_t hash, st_index_t entry)
{
    st_index_t at = hash & t->bins_mask;
    while (t->bins[at] > DELETED) at = (at + 1) & t->bins_mask;
    t->bins[at] = entry + OFFSET;
}

/* Gathers the entries that are left and makes the bins anew, with room for twice as many. */
static void rebuild(st_table *t)
{
    st_index_t cap = t->num_entries < 4 ? 8 : t->num_entries * 2;
    st_table_entry *entries = memory(cap * sizeof *entries);
    st_index_t n = 0;
    for (st_index_t i = 0; i < t->entries_bound; i++)
        if (t->entries[i].hash != GONE) entries[n++] = t->entries[i];
    free(t->entries);
    free(t->bins);
    t->entries = entries;
    t->entries_cap = cap;
    t->entries_bound = n;
    t->bins = 0;
    t->bins_mask = 0;
    if (cap > 8) {
        st_index_t bins = 16;
        while (bins < cap * 2) bins *= 2;
        t->bins = memory(bins * sizeof *t->bins);
        t->bins_mask = bins - 1;
        for (st_index_t i = 0; i < n; i++) add_bin(t, entries[i].hash, i);
    }
    t->rebuilds_num++;
}

/* The number of the entry, or GONE. The comparison may run any code: what it finds is looked at again. */
static st_index_t find(st_table *t, st_data_t key, st_index_t hash)
{
  again:;
    unsigned int rebuilds = t->rebuilds_num;
    if (!t->bins) {
        for (st_index_t i = 0; i < t->entries_bound; i++) {
            if (t->entries[i].hash != hash) continue;
            if (t->entries[i].key == key) return i;
            int differs = t->type->compare(key, t->entries[i].key);
            if (t->rebuilds_num != rebuilds) goto again;
            if (!differs) return i;
        }
        return GONE;
    }
    for (st_index_t at = hash & t->bins_mask; t->bins[at] != EMPTY; at = (at + 1) & t->bins_mask) {
        if (t->bins[at] == DELETED) continue;
        st_index_t i = t->bins[at] - OFFSET;
        if (t->entries[i].hash != hash) continue;
        if (t->entries[i].key == key) return i;
        int differs = t->type->compare(key, t->entries[i].key);
        if (t->rebuilds_num != rebuilds) goto again;
        if (!differs) return i;
    }
    return GONE;
}

static void add(st_table *t, st_data_t key, st_data_t value, st_index_t hash)
{
    if (t->entries_bound == t->entries_cap) rebuild(t);
    st_index_t i = t->entries_bound++;
    t->entries[i] = (st_table_entry){hash, key, value};
    t->num_entries++;
    if (t->bins) add_bin(t, hash, i);
}

static void drop(st_table *t, st_index_t i)
{
    if (t->bins) {
        st_index_t at = t->entries[i].hash & t->bins_mask;
        while (t->bins[at] != i + OFFSET) at = (at + 1) & t->bins_mask;
        t->bins[at] = DELETED;
    }
    t->entries[i].hash = GONE;
    t->num_entries--;
}

int rb_st_lookup(st_table *t, st_data_t key, st_data_t *value)
{
    st_index_t i = find(t, key, hash_of(t, key));
    if (i == GONE) return 0;
    if (value) *value = t->entries[i].record;
    return 1;
}

int rb_st_get_key(st_table *t, st_data_t key, st_data_t *result)
{
    st_index_t i = find(t, key, hash_of(t, key));
    if (i == GONE) return 0;
    if (result) *result = t->entries[i].key;
    return 1;
}

int rb_st_insert(st_table *t, st_data_t key, st_data_t value)
{
    return rb_st_insert2(t, key, value, 0);
}

int rb_st_insert2(st_table *t, st_data_t key, st_data_t value, st_data_t (*make)(st_data_t))
{
    st_index_t hash = hash_of(t, key), i = find(t, key, hash);
    if (i != GONE) {
        t->entries[i].record = value;
        return 1;
    }
    add(t, make ? make(key) : key, value, hash);
    return 0;
}

void rb_st_add_direct(st_table *t, st_data_t key, st_data_t value)
{
    add(t, key, value, hash_of(t, key));
}

int rb_st_delete(st_table *t, st_data_t *key, st_data_t *value)
{
    st_index_t i = find(t, *key, hash_of(t, *key));
    if (i == GONE) {
        if (value) *value = 0;
        return 0;
    }
    *key = t->entries[i].key;
    if (value) *value = t->entries[i].record;
    drop(t, i);
    return 1;
}

int rb_st_delete_safe(st_table *t, st_data_t *key, st_data_t *value, st_data_t never)
{
    return rb_st_delete(t, key, value);
}

int rb_st_shift(st_table *t, st_data_t *key, st_data_t *value)
{
    for (st_index_t i = 0; i < t->entries_bound; i++) {
        if (t->entries[i].hash == GONE) continue;
        *key = t->entries[i].key;
        if (value) *value = t->entries[i].record;
        drop(t, i);
        return 1;
    }
    if (value) *value = 0;
    return 0;
}

int rb_st_update(st_table *t, st_data_t key, st_update_callback_func *function, st_data_t arg)
{
    st_index_t hash = hash_of(t, key), i = find(t, key, hash);
    int existing = i != GONE;
    st_data_t value = existing ? t->entries[i].record : 0, old = existing ? t->entries[i].key : key;
    key = old;
    int what = function(&key, &value, arg, existing);
    i = existing ? find(t, old, hash) : GONE;
    if (what == ST_CONTINUE) {
        if (!existing) {
            add(t, key, value, hash);
        } else if (i != GONE) {
            t->entries[i].key = key;
            t->entries[i].record = value;
        }
    } else if (what == ST_DELETE && existing && i != GONE) {
        drop(t, i);
    }
    return existing;
}

int rb_st_foreach_with_replace(st_table *t, st_foreach_check_callback_func *function, st_update_callback_func *replace,
    st_data_t arg)
{
    for (st_index_t i = 0; i < t->entries_bound; i++) {
        if (t->entries[i].hash == GONE) continue;
        st_data_t key = t->entries[i].key, value = t->entries[i].record;
        switch (function(key, value, arg, 0)) {
          case ST_STOP:
            return 0;
          case ST_REPLACE:
            if (replace(&key, &value, arg, 1) == ST_CONTINUE) {
                t->entries[i].key = key;
                t->entries[i].record = value;
            }
            break;
          case ST_DELETE:
            if (i < t->entries_bound && t->entries[i].hash != GONE) drop(t, i);
            break;
        }
    }
    return 0;
}

int rb_st_foreach_check(st_table *t, st_foreach_check_callback_func *function, st_data_t arg, st_data_t never)
{
    for (st_index_t i = 0; i < t->entries_bound; i++) {
        if (t->entries[i].hash == GONE) continue;
        st_data_t key = t->entries[i].key;
        st_index_t hash = t->entries[i].hash;
        unsigned int rebuilds = t->rebuilds_num;
        int what = function(key, t->entries[i].record, arg, 0);
        if (what == ST_STOP) return 0;
        if (t->rebuilds_num != rebuilds) {
            /* The table was made anew: go on behind the same entry, if it is still there. */
            i = find(t, key, hash);
            if (i == GONE) {
                function(0, 0, arg, 1);
                return 1;
            }
        }
        if (what == ST_DELETE && t->entries[i].hash != GONE) drop(t, i);
    }
    return 0;
}

struct plain {
    st_foreach_callback_func *function;
    st_data_t arg;
};

/* For functions that are not told of an entry that is gone: the walk ends there. */
static int without_error(st_data_t key, st_data_t value, st_data_t words, int gone)
{
    const struct plain *plain = (const struct plain *)words;
    return gone ? ST_STOP : plain->function(key, value, plain->arg);
}

int rb_st_foreach(st_table *t, st_foreach_callback_func *function, st_data_t arg)
{
    struct plain plain = {function, arg};
    return rb_st_foreach_check(t, without_error, (st_data_t)&plain, 0);
}

int rb_st_foreach_safe(st_table *t, st_foreach_callback_func *function, st_data_t arg)
{
    return rb_st_foreach(t, function, arg);
}

st_index_t rb_st_keys(st_table *t, st_data_t *keys, st_index_t size)
{
    st_index_t n = 0;
    for (st_index_t i = 0; i < t->entries_bound && n < size; i++)
        if (t->entries[i].hash != GONE) keys[n++] = t->entries[i].key;
    return n;
}

st_index_t rb_st_values(st_table *t, st_data_t *values, st_index_t size)
{
    st_index_t n = 0;
    for (st_index_t i = 0; i < t->entries_bound && n < size; i++)
        if (t->entries[i].hash != GONE) values[n++] = t->entries[i].record;
    return n;
}

/* Entries that are gone leave no mark in a table: there is nothing to look for. */
st_index_t rb_st_keys_check(st_table *t, st_data_t *keys, st_index_t size, st_data_t never)
{
    return rb_st_keys(t, keys, size);
}

st_index_t rb_st_values_check(st_table *t, st_data_t *values, st_index_t size, st_data_t never)
{
    return rb_st_values(t, values, size);
}

void rb_st_cleanup_safe(st_table *t, st_data_t never)
{
}

st_table *rb_st_copy(st_table *t)
{
    st_table *copy = rb_st_init_table_with_size(t->type, t->num_entries);
    for (st_index_t i = 0; i < t->entries_bound; i++)
        if (t->entries[i].hash != GONE) add(copy, t->entries[i].key, t->entries[i].record, t->entries[i].hash);
    return copy;
}

/* -- tables of values in mark functions ---------------------------------------------------------- */

static int mark_value(st_data_t key, st_data_t value, st_data_t arg)
{
    rb_gc_mark((VALUE)value);
    return ST_CONTINUE;
}

static int mark_key(st_data_t key, st_data_t value, st_data_t arg)
{
    rb_gc_mark((VALUE)key);
    return ST_CONTINUE;
}

static int mark_both(st_data_t key, st_data_t value, st_data_t arg)
{
    rb_gc_mark((VALUE)key);
    rb_gc_mark((VALUE)value);
    return ST_CONTINUE;
}

void rb_mark_tbl(st_table *t)
{
    if (t) rb_st_foreach(t, mark_value, 0);
}

void rb_mark_tbl_no_pin(st_table *t)
{
    rb_mark_tbl(t);
}

void rb_mark_set(st_table *t)
{
    if (t) rb_st_foreach(t, mark_key, 0);
}

void rb_mark_hash(st_table *t)
{
    if (t) rb_st_foreach(t, mark_both, 0);
}

void rb_gc_update_tbl_refs(st_table *t)
{
}
