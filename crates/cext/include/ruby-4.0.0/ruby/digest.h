/* Functions of extensions for Digest::Base.
 *
 * A class below Digest::Base keeps what `rb_digest_make_metadata` gives in its variable "metadata", which Ruby code
 * cannot name. Its objects are typed data: `ctx_size` bytes, zeroed, on which the functions work. */
#ifndef RUBELLITE_DIGEST_H
#define RUBELLITE_DIGEST_H

#include "ruby.h"

#define RUBY_DIGEST_API_VERSION 3

/* 1: done. Anything else: it failed. */
typedef int (*rb_digest_hash_init_func_t)(void *);
typedef void (*rb_digest_hash_update_func_t)(void *, unsigned char *, size_t);
typedef int (*rb_digest_hash_finish_func_t)(void *, unsigned char *);

typedef struct {
    int api_version;
    /* Bytes of a digest, of a block, and of the data that the functions work on. */
    size_t digest_len;
    size_t block_len;
    size_t ctx_size;
    rb_digest_hash_init_func_t init_func;
    rb_digest_hash_update_func_t update_func;
    rb_digest_hash_finish_func_t finish_func;
} rb_digest_metadata_t;

/* An update function out of one whose length is an unsigned int: `rb_digest_X_update` calls `X_Update`. */
#define DEFINE_UPDATE_FUNC_FOR_UINT(name) \
    void rb_digest_##name##_update(void *ctx, unsigned char *bytes, size_t left) \
    { \
        while (left > 0) { \
            unsigned int piece = left < 0x4000 ? (unsigned int)left : 0x4000; \
            name##_Update(ctx, bytes, piece); \
            bytes += piece; \
            left -= piece; \
        } \
    }

/* A finish function out of one that takes the digest first: `rb_digest_X_finish` calls `X_Final`. */
#define DEFINE_FINISH_FUNC_FROM_FINAL(name) \
    int rb_digest_##name##_finish(void *ctx, unsigned char *digest) \
    { \
        return name##_Final(digest, ctx); \
    }

static inline VALUE rb_digest_namespace(void)
{
    rb_require("digest");
    return rb_path2class("Digest");
}

static inline ID rb_id_metadata(void)
{
    return rb_intern_const("metadata");
}

static inline VALUE rb_digest_make_metadata(const rb_digest_metadata_t *metadata)
{
    return rb_obj_freeze(rb_data_object_wrap(0, (void *)metadata, 0, 0));
}

#endif
