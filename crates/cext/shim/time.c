/* Time and timespecs. */
#include "rbl.h"

/* What the parts of a second, `per` of them in one, add to the seconds must fit, too. */
static void check_seconds(time_t seconds, long parts, long per)
{
    time_t sum;
    if (__builtin_add_overflow(seconds, parts / per - (parts % per < 0), &sum))
        rb_raise(rb_eRangeError, "out of Time range");
}

VALUE rb_time_new(time_t seconds, long microseconds)
{
    check_seconds(seconds, microseconds, 1000000);
    return OWN(rb_cTime, "at", LONG2NUM(seconds), LONG2NUM(microseconds));
}

VALUE rb_time_nano_new(time_t seconds, long nanoseconds)
{
    check_seconds(seconds, nanoseconds, 1000000000);
    return OWN(rb_cTime, "at", LONG2NUM(seconds), LONG2NUM(nanoseconds), ID2SYM((rb_intern)("nsec")));
}

VALUE rb_time_timespec_new(const struct timespec *ts, int offset)
{
    VALUE time = rb_time_nano_new(ts->tv_sec, ts->tv_nsec);
    if (offset == INT_MAX) return time;
    if (offset == INT_MAX - 1) return OWN(time, "utc");
    if (offset < -86399 || offset > 86399) rb_raise(rb_eArgError, "utc_offset out of range");
    return OWN(time, "localtime", INT2NUM(offset));
}

VALUE rb_time_num_new(VALUE value, VALUE offset)
{
    VALUE time = OWN(rb_cTime, "at", value);
    return NIL_P(offset) ? time : OWN(time, "localtime", offset);
}

/* A number of seconds, not negative, for intervals. */
static struct timespec seconds_of(VALUE value, bool interval)
{
    struct timespec ts;
    const char *what = interval ? "time interval" : "time";
    if (FIXNUM_P(value)) {
        ts.tv_sec = FIX2LONG(value);
        ts.tv_nsec = 0;
    } else if (RB_FLOAT_TYPE_P(value)) {
        double d = RFLOAT_VALUE(value), whole = floor(d);
        if (!isfinite(d) || fabs(whole) > 9.2e18) rb_raise(rb_eRangeError, "%f out of Time range", d);
        ts.tv_sec = (time_t)whole;
        ts.tv_nsec = (long)((d - whole) * 1e9);
    } else if (RB_TYPE_P(value, T_BIGNUM)) {
        ts.tv_sec = NUM2LONG(value);
        ts.tv_nsec = 0;
    } else if (rb_respond_to(value, (rb_intern)("divmod"))) {
        VALUE pair = SEND(value, "divmod", INT2FIX(1));
        pair = rb_check_array_type(pair);
        if (NIL_P(pair)) rb_raise(rb_eTypeError, "can't convert %"PRIsVALUE" into %s", rb_obj_class(value), what);
        ts.tv_sec = NUM2LONG(rb_ary_entry(pair, 0));
        ts.tv_nsec = NUM2LONG(SEND(SEND(rb_ary_entry(pair, 1), "*", INT2FIX(1000000000)), "to_i"));
    } else {
        rb_raise(rb_eTypeError, "can't convert %"PRIsVALUE" into %s", rb_obj_class(value), what);
    }
    if (interval && (ts.tv_sec < 0 || (RB_FLOAT_TYPE_P(value) && RFLOAT_VALUE(value) < 0)))
        rb_raise(rb_eArgError, "%s must not be negative", what);
    return ts;
}

static struct timespec time_of(VALUE time)
{
    if (RTEST(rb_obj_is_kind_of(time, rb_cTime))) {
        struct timespec ts = {NUM2LONG(OWN(time, "to_i")), NUM2LONG(OWN(time, "nsec"))};
        return ts;
    }
    return seconds_of(time, false);
}

struct timespec rb_time_timespec(VALUE time)
{
    return time_of(time);
}

struct timeval rb_time_timeval(VALUE time)
{
    struct timespec ts = time_of(time);
    return (struct timeval){ts.tv_sec, ts.tv_nsec / 1000};
}

struct timeval rb_time_interval(VALUE value)
{
    if (RTEST(rb_obj_is_kind_of(value, rb_cTime))) rb_raise(rb_eTypeError, "can't convert Time into time interval");
    struct timespec ts = seconds_of(value, true);
    return (struct timeval){ts.tv_sec, ts.tv_nsec / 1000};
}

struct timespec rb_time_timespec_interval(VALUE value)
{
    return seconds_of(value, true);
}

void rb_timespec_now(struct timespec *ts)
{
    clock_gettime(CLOCK_REALTIME, ts);
}
