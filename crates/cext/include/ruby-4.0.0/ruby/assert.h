#ifndef RUBELLITE_ASSERT_H
#define RUBELLITE_ASSERT_H
/* Nothing is missing here: all that other systems lack the C library has. */
#endif
