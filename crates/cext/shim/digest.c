/* Functions of extensions that work on the memory of digest objects. */
#include "rbl.h"
#include <ruby/digest.h>

/* The memory of a digest object, whichever function works on it. */
const rb_data_type_t rbl_digest_type = {
    .wrap_struct_name = "digest",
    .function = {.dfree = RUBY_TYPED_DEFAULT_FREE},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

int rbl_enter_digest_init(rb_digest_hash_init_func_t function, void *data, int *out)
{
    ENTER(*out = function(data));
}

int rbl_enter_digest_update(rb_digest_hash_update_func_t function, void *data, const unsigned char *bytes, size_t len)
{
    ENTER(function(data, (unsigned char *)bytes, len));
}

int rbl_enter_digest_finish(rb_digest_hash_finish_func_t function, void *data, unsigned char *digest)
{
    ENTER(function(data, digest));
}
