//! Core classes: system. Input and output, files and directories, processes and signals, time, the environment,
//! loading of libraries, special globals.

pub mod argf;
pub mod descriptors;
pub mod env;
pub mod errno;
pub mod file;
pub mod globals;
pub mod io;
pub mod kernel;
pub mod last_line;
pub mod library;
pub mod load;
pub mod process;
pub mod program;
pub mod slot;
pub mod time;

pub use load::autoload;

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
    &process::PROCESS,
    &process::privilege::SYS,
    &process::wait::STATUS,
    &process::signal::SIGNAL,
    &time::TIME,
    &argf::ARGF,
    &kernel::KERNEL_IO,
    &env::ENVIRONMENT,
];
