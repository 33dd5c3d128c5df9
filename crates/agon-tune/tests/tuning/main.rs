//! Tuning as programs use it: plans that are refused, runs that are cut short, weight files.

mod directories;
mod plans;
mod running;
mod support;
mod weight_files;
