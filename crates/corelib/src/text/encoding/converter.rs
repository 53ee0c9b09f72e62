//! Encoding::Converter.

use rubellite_vm::ClassDef;

pub static CONVERTER: ClassDef = ClassDef { name: "Encoding::Converter", superclass: "Object", ..ClassDef::EMPTY };
