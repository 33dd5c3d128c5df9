//! Studies from their files to their reports.

mod files;
mod reports;
mod running;
mod suites;
mod support;
