//! Files that users name, read no further than they can be of use.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::Context;

/// Reads a whole file of at most `max` bytes. What has no end, such as `/dev/zero`, is refused like any file that is too large.
pub(crate) fn read_bounded(path: &Path, max: u64) -> anyhow::Result<Vec<u8>> {
    let name = path.display();
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
    file.take(max + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {name}"))?;
    anyhow::ensure!(bytes.len() as u64 <= max, "{name} is too large: at most {max} bytes are read");
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let path = std::env::temp_dir().join(format!("agon-bounded-{}", std::process::id()));
        std::fs::write(&path, "four").expect("the folder can be written to");
        assert_eq!(read_bounded(&path, 4).expect("just enough"), b"four");
        assert!(read_bounded(&path, 3).expect_err("too large").to_string().contains("at most 3 bytes"));
        std::fs::remove_file(&path).expect("it is ours");
        assert!(read_bounded(&path, 3).is_err(), "it has gone");
    }

    #[cfg(unix)]
    #[test]
    fn what_never_ends_is_refused() {
        assert!(read_bounded(Path::new("/dev/zero"), 1 << 10).is_err());
    }
}
