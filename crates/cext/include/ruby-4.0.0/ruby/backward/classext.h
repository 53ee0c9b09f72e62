#ifndef RUBELLITE_BACKWARD_CLASSEXT_H
#define RUBELLITE_BACKWARD_CLASSEXT_H
/* Nothing is missing here: all that other systems lack the C library has. */
#endif
