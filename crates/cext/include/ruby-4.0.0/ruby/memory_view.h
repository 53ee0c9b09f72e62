#ifndef RUBELLITE_RUBY_MEMORY_VIEW_H
#define RUBELLITE_RUBY_MEMORY_VIEW_H
/* Views of memory that libraries hand to each other. */
#include "ruby/ruby.h"

enum ruby_memory_view_flags {
    RUBY_MEMORY_VIEW_SIMPLE = 0,
    RUBY_MEMORY_VIEW_WRITABLE = 1,
    RUBY_MEMORY_VIEW_FORMAT = 2,
    RUBY_MEMORY_VIEW_MULTI_DIMENSIONAL = 4,
    RUBY_MEMORY_VIEW_STRIDES = 8 + 4,
    RUBY_MEMORY_VIEW_ROW_MAJOR = 16 + 12,
    RUBY_MEMORY_VIEW_COLUMN_MAJOR = 32 + 12,
    RUBY_MEMORY_VIEW_ANY_CONTIGUOUS = 48 + 12,
    RUBY_MEMORY_VIEW_INDIRECT = 64 + 12
};
typedef struct {
    char format;
    bool native_size_p;
    bool little_endian_p;
    size_t offset;
    size_t size;
    size_t repeat;
} rb_memory_view_item_component_t;
typedef struct {
    VALUE obj;
    void *data;
    ssize_t byte_size;
    bool readonly;
    const char *format;
    ssize_t item_size;
    struct {
        const rb_memory_view_item_component_t *components;
        size_t length;
    } item_desc;
    ssize_t ndim;
    const ssize_t *shape;
    const ssize_t *strides;
    const ssize_t *sub_offsets;
    void *private_data;
    const struct rb_memory_view_entry *_memory_view_entry;
} rb_memory_view_t;
typedef bool (*rb_memory_view_get_func_t)(VALUE, rb_memory_view_t *, int);
typedef bool (*rb_memory_view_release_func_t)(VALUE, rb_memory_view_t *);
typedef bool (*rb_memory_view_available_p_func_t)(VALUE);
typedef struct rb_memory_view_entry {
    rb_memory_view_get_func_t get_func;
    rb_memory_view_release_func_t release_func;
    rb_memory_view_available_p_func_t available_p_func;
} rb_memory_view_entry_t;

RBL_BEGIN_DECLS

/* memory view */
VALUE rb_memory_view_extract_item_members(const void *, const rb_memory_view_item_component_t *, const size_t);
bool rb_memory_view_get(VALUE, rb_memory_view_t *, int);
bool rb_memory_view_init_as_byte_array(rb_memory_view_t *, VALUE, void *, const ssize_t, const bool);
bool rb_memory_view_register(VALUE, const rb_memory_view_entry_t *);
bool rb_memory_view_release(rb_memory_view_t *);
ssize_t rb_memory_view_parse_item_format(const char *, rb_memory_view_item_component_t **, size_t *, const char **);
void *rb_memory_view_get_item_pointer(rb_memory_view_t *, const ssize_t *);
bool rb_memory_view_available_p(VALUE);
void rb_memory_view_fill_contiguous_strides(const ssize_t, const ssize_t, const ssize_t *, const bool, ssize_t *);
ssize_t rb_memory_view_item_size_from_format(const char *, const char **);
void rb_memory_view_prepare_item_desc(rb_memory_view_t *);
VALUE rb_memory_view_get_item(rb_memory_view_t *, const ssize_t *);
static inline bool rb_memory_view_is_row_major_contiguous(const rb_memory_view_t *view)
{
    ssize_t size = view->item_size;
    for (ssize_t i = view->ndim - 1; i >= 0; i--) {
        if (view->strides[i] != size) return false;
        size *= view->shape[i];
    }
    return true;
}
static inline bool rb_memory_view_is_column_major_contiguous(const rb_memory_view_t *view)
{
    ssize_t size = view->item_size;
    for (ssize_t i = 0; i < view->ndim; i++) {
        if (view->strides[i] != size) return false;
        size *= view->shape[i];
    }
    return true;
}
RBL_END_DECLS
#endif
