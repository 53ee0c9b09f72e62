//! Core classes: input and output, files and directories, `ARGF`, and the global variables that belong to them.

pub mod argf;
pub mod descriptors;
pub mod file;
pub mod globals;
pub mod io;
pub mod kernel;
pub mod last_line;

use rubellite_vm::ClassDef;

/// Every class of this part, superclasses first.
pub static DEFS: &[&ClassDef] = &[
    &io::IO,
    &io::buffer::BUFFER,
    &file::FILE,
    &file::constants::CONSTANTS,
    &file::stat::STAT,
    &file::dir::DIR,
    &file::test::FILE_TEST,
    &argf::ARGF,
    &kernel::KERNEL_IO,
];
