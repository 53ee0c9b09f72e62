#ifndef RUBELLITE_MISSING_H
#define RUBELLITE_MISSING_H
/* Nothing is missing here: all that other systems lack the C library has. */
#endif
