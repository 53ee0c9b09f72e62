//! Layouts of the heap object types.
