//! The categories of warnings, and which are on. How one reaches `Warning.warn` is in `interp/warn.rs`.

use std::cell::Cell;

/// What `Warning[category] = on` turns on and off.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Category {
    Deprecated,
    Experimental,
    Performance,
    StrictUnusedBlock,
}

impl Category {
    pub const ALL: [Category; 4] =
        [Category::Deprecated, Category::Experimental, Category::Performance, Category::StrictUnusedBlock];

    pub fn name(self) -> &'static str {
        match self {
            Category::Deprecated => "deprecated",
            Category::Experimental => "experimental",
            Category::Performance => "performance",
            Category::StrictUnusedBlock => "strict_unused_block",
        }
    }

    pub fn named(name: &str) -> Option<Category> {
        Category::ALL.into_iter().find(|category| category.name() == name)
    }
}

/// Which categories are on.
pub(crate) struct Categories([Cell<bool>; Category::ALL.len()]);

impl Categories {
    pub fn get(&self, category: Category) -> bool {
        self.0[category as usize].get()
    }

    pub fn set(&self, category: Category, on: bool) {
        self.0[category as usize].set(on);
    }
}

impl Default for Categories {
    fn default() -> Categories {
        Categories(Category::ALL.map(|category| Cell::new(category == Category::Experimental)))
    }
}
