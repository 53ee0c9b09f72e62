/* Memory views: what an object exports is found by its class, and is kept alive while somebody has a view of it. */
#include "rbl.h"

/* Entries by class. A class that has one is never freed. */
static st_table *entries;
/* Exported objects, by identity, and how many views there are of each. */
static VALUE exported;

bool rb_memory_view_register(VALUE class, const rb_memory_view_entry_t *entry)
{
    Check_Type(class, T_CLASS);
    if (!entries) entries = st_init_numtable();
    if (st_lookup(entries, (st_data_t)class, 0)) {
        rb_warning("Duplicated registration of memory view to %"PRIsVALUE, class);
        return false;
    }
    rb_gc_register_mark_object(class);
    st_insert(entries, (st_data_t)class, (st_data_t)entry);
    return true;
}

static const rb_memory_view_entry_t *entry_of(VALUE object)
{
    st_data_t found;
    if (!entries || SPECIAL_CONST_P(object)) return 0;
    for (VALUE class = rb_obj_class(object); RTEST(class); class = rb_class_superclass(class))
        if (st_lookup(entries, (st_data_t)class, &found)) return (const rb_memory_view_entry_t *)found;
    return 0;
}

/* One view more or less of the object. */
static void count(VALUE object, long by)
{
    if (!exported) {
        exported = OWN(rb_hash_new(), "compare_by_identity");
        rb_gc_register_address(&exported);
    }
    long views = FIX2LONG(rb_hash_lookup2(exported, object, INT2FIX(0))) + by;
    if (views > 0) rb_hash_aset(exported, object, LONG2FIX(views));
    else rb_hash_delete(exported, object);
}

bool rb_memory_view_available_p(VALUE object)
{
    const rb_memory_view_entry_t *entry = entry_of(object);
    return entry && entry->available_p_func(object);
}

bool rb_memory_view_get(VALUE object, rb_memory_view_t *view, int flags)
{
    const rb_memory_view_entry_t *entry = entry_of(object);
    if (!entry || !entry->available_p_func(object) || !entry->get_func(object, view, flags)) return false;
    view->_memory_view_entry = entry;
    count(view->obj, 1);
    return true;
}

bool rb_memory_view_release(rb_memory_view_t *view)
{
    const rb_memory_view_entry_t *entry = view->_memory_view_entry;
    if (!entry || (entry->release_func && !entry->release_func(view->obj, view))) return false;
    count(view->obj, -1);
    xfree((void *)view->item_desc.components);
    view->item_desc.components = 0;
    return true;
}

bool rb_memory_view_init_as_byte_array(rb_memory_view_t *view, VALUE object, void *data, const ssize_t len,
    const bool readonly)
{
    *view = (rb_memory_view_t){
        .obj = object, .data = data, .byte_size = len, .readonly = readonly, .item_size = sizeof(char), .ndim = 1};
    return true;
}

void rb_memory_view_fill_contiguous_strides(const ssize_t dimensions, const ssize_t item_size, const ssize_t *shape,
    const bool row_major, ssize_t *strides)
{
    ssize_t stride = item_size;
    for (ssize_t n = 0; n < dimensions; n++) {
        ssize_t i = row_major ? dimensions - 1 - n : n;
        strides[i] = stride;
        stride *= shape[i];
    }
}

/* -- the format of items ------------------------------------------------------------------------------------ */

/* Bytes of a letter's item; 0 for none. `native`: behind it stands ! or _. */
static size_t size_of_letter(char letter, bool native)
{
    switch (letter) {
      case 'c': case 'C': case 'x': return 1;
      case 's': case 'S': case 'n': case 'v': return 2;
      case 'i': case 'I': return sizeof(int);
      case 'l': case 'L': return native ? sizeof(long) : 4;
      case 'N': case 'V': case 'f': case 'e': case 'g': return 4;
      case 'q': case 'Q': case 'd': case 'E': case 'G': return 8;
      case 'j': case 'J': return sizeof(intptr_t);
      default: return 0;
    }
}

/* Reads one component and goes behind it; false: there is none at `*at`. */
static bool read_component(const char **at, rb_memory_view_item_component_t *component)
{
    const char *p = *at;
    char letter = *p;
    if (!size_of_letter(letter, false)) return false;
    bool native = false, sized = strchr("sSiIlLqQjJ", letter) != 0;
    bool little = !strchr("nNgG", letter);
    for (p++; *p && strchr("!_<>", *p); p++) {
        if (!sized) return false;
        if (*p == '!' || *p == '_') native = true;
        else little = *p == '<';
    }
    size_t repeat = 1;
    if (isdigit((unsigned char)*p)) {
        repeat = 0;
        for (; isdigit((unsigned char)*p); p++)
            repeat = repeat > SIZE_MAX / 100 ? repeat : repeat * 10 + (size_t)(*p - '0');
    }
    *component = (rb_memory_view_item_component_t){.format = letter, .native_size_p = native, .little_endian_p = little,
        .size = size_of_letter(letter, native), .repeat = repeat};
    *at = p;
    return true;
}

static size_t round_up(size_t offset, size_t alignment)
{
    return (offset + alignment - 1) / alignment * alignment;
}

/* Bytes of an item; -1 with `*error` where the format is wrong. `members` may be null;
 * else it takes those that are no padding. */
static ssize_t read_format(const char *format, rb_memory_view_item_component_t *members, size_t *n_members,
    const char **error)
{
    size_t total = 0, alignment = 1, n = 0;
    bool aligned = *format == '|';
    const char *at = format + aligned;
    while (*at) {
        rb_memory_view_item_component_t component;
        if (isspace((unsigned char)*at)) {
            at++;
            continue;
        }
        if (!read_component(&at, &component)) {
            if (error) *error = at;
            return -1;
        }
        if (aligned) {
            if (component.size > alignment) alignment = component.size;
            total = round_up(total, component.size);
        }
        component.offset = total;
        if (component.repeat > (size_t)SSIZE_MAX / component.size
            || total > (size_t)SSIZE_MAX - component.repeat * component.size) {
            if (error) *error = at;
            return -1;
        }
        total += component.repeat * component.size;
        if (component.format == 'x') continue;
        if (members) members[n] = component;
        n++;
    }
    if (n_members) *n_members = n;
    return (ssize_t)round_up(total, alignment);
}

ssize_t rb_memory_view_item_size_from_format(const char *format, const char **error)
{
    return format ? read_format(format, 0, 0, error) : 1;
}

ssize_t rb_memory_view_parse_item_format(const char *format, rb_memory_view_item_component_t **members,
    size_t *n_members, const char **error)
{
    size_t n = 0;
    if (!format) return 1;
    ssize_t size = read_format(format, 0, &n, error);
    if (size < 0 || !members || !n_members) return size;
    *members = ALLOC_N(rb_memory_view_item_component_t, n ? n : 1);
    *n_members = n;
    return read_format(format, *members, n_members, error);
}

/* -- items ---------------------------------------------------------------------------------------------------- */

void *rb_memory_view_get_item_pointer(rb_memory_view_t *view, const ssize_t *indices)
{
    char *at = view->data;
    ssize_t stride = view->item_size;
    if (view->strides) {
        for (ssize_t i = 0; i < view->ndim; i++) {
            at += indices[i] * view->strides[i];
            if (view->sub_offsets && view->sub_offsets[i] >= 0) at = *(char **)at + view->sub_offsets[i];
        }
        return at;
    }
    for (ssize_t i = view->ndim - 1; i >= 0; i--) {
        at += indices[i] * stride;
        if (view->shape) stride *= view->shape[i];
    }
    return at;
}

static VALUE item_of(const unsigned char *at, const rb_memory_view_item_component_t *component)
{
    unsigned char bytes[8];
    size_t size = component->size;
    for (size_t i = 0; i < size; i++) bytes[i] = at[component->little_endian_p ? i : size - 1 - i];
    union {
        uint64_t word;
        float f;
        double d;
    } read = {0};
    memcpy(&read, bytes, size);
    switch (component->format) {
      case 'f': case 'e': case 'g': return DBL2NUM(read.f);
      case 'd': case 'E': case 'G': return DBL2NUM(read.d);
      case 'c': case 's': case 'i': case 'l': case 'q': case 'j': {
        unsigned unused = 64 - 8 * (unsigned)size;
        return LL2NUM((int64_t)(read.word << unused) >> unused);
      }
      default: return ULL2NUM(read.word);
    }
}

VALUE rb_memory_view_extract_item_members(const void *item, const rb_memory_view_item_component_t *members,
    const size_t n_members)
{
    if (!item) rb_raise(rb_eArgError, "NULL pointer is given to extract members");
    if (!n_members) return Qnil;
    if (!members) rb_raise(rb_eArgError, "NULL pointer of members is given");
    const unsigned char *bytes = item;
    if (n_members == 1 && members->repeat == 1) return item_of(bytes + members->offset, members);
    VALUE list = rb_ary_new();
    for (size_t i = 0; i < n_members; i++)
        for (size_t n = 0; n < members[i].repeat; n++)
            rb_ary_push(list, item_of(bytes + members[i].offset + n * members[i].size, members + i));
    return list;
}

void rb_memory_view_prepare_item_desc(rb_memory_view_t *view)
{
    if (view->item_desc.components) return;
    rb_memory_view_item_component_t *members = 0;
    const char *error = 0;
    if (rb_memory_view_parse_item_format(view->format, &members, &view->item_desc.length, &error) < 0)
        rb_raise(rb_eArgError, "Unable to parse item format at %"PRIdSIZE" in %s", (ssize_t)(error - view->format),
            view->format);
    view->item_desc.components = members;
}

VALUE rb_memory_view_get_item(rb_memory_view_t *view, const ssize_t *indices)
{
    unsigned char *at = rb_memory_view_get_item_pointer(view, indices);
    if (!view->format) return INT2FIX(*at);
    rb_memory_view_prepare_item_desc(view);
    return rb_memory_view_extract_item_members(at, view->item_desc.components, view->item_desc.length);
}
