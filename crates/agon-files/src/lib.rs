//! What Agon asks of the file system and the calendar: records on disk, files that are never half-written, the date as text.

mod date;
mod records;
mod replace;

pub use date::date_text;
pub use records::{LoadError, load_record, save_record, save_record_as};
pub use replace::{replace, replace_derived};
