//! Studies from their files to their reports.

mod directories;
mod files;
mod programs;
mod reports;
mod running;
mod suites;
mod support;
