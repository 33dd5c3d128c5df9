//! Progress on standard error, and Ctrl-C: it ends a long run, and what stands is printed.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agon_arena::experiment::Stops;
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

/// How long the second Ctrl-C waits for programs to be ended in order.
const LAST_MOMENT: Duration = Duration::from_secs(2);

/// Has Ctrl-C stop a tournament or a study after the running games, and a second one at once.
pub(crate) fn stops() -> anyhow::Result<Stops> {
    let shared = Stops::default();
    let stops = shared.clone();
    ctrlc::set_handler(move || {
        if !stops.drain.swap(true, Ordering::Relaxed) {
            let _ = writeln!(
                io::stderr(),
                "\nStopping after the running games; press Ctrl-C again to stop at once."
            );
        } else if !stops.abort.swap(true, Ordering::Relaxed) {
            std::thread::spawn(end_soon);
        } else {
            std::process::exit(130);
        }
    })?;
    Ok(shared)
}

/// Ends the process, if what it runs does not stop by itself.
fn end_soon() {
    std::thread::sleep(LAST_MOMENT);
    std::process::exit(130);
}

/// Has the end of standard input stop a tournament at once.
pub(crate) fn stop_on_eof(stops: &Stops) {
    let stops = stops.clone();
    std::thread::spawn(move || {
        // What is said there does not matter, nor does a failure: whoever was there has gone.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        stops.drain.store(true, Ordering::Relaxed);
        stops.abort.store(true, Ordering::Relaxed);
        end_soon();
    });
}
