//! Progress on standard error, and Ctrl-C: it ends a long run, and what stands is printed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over `total` things, drawn only where somebody sees it.
pub(crate) fn bar(total: u64, what: &str) -> ProgressBar {
    let template = format!("{{bar:30}} {{pos}}/{{len}} {what}  {{elapsed}} (left: {{eta}})  {{msg}}");
    let bar = ProgressBar::new(total);
    // The template is ours; if it were wrong the plain style would do.
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// A flag that Ctrl-C sets. Pressed again, it ends the program at once.
pub(crate) fn interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if shared.swap(true, Ordering::Relaxed) {
            // 128 and the number of the signal, as shells have it.
            std::process::exit(130);
        }
    })?;
    Ok(flag)
}
