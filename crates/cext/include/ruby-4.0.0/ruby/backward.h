#ifndef RUBELLITE_BACKWARD_H
#define RUBELLITE_BACKWARD_H
/* Nothing is missing here: all that other systems lack the C library has. */
#endif
