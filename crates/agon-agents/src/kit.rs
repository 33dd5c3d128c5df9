//! The Python kit, as it is part of this program: a copy goes beside every agent that is written with it, so that agents run where
//! nothing is installed, and in a sandbox that shows them no folder but their own.

use std::io;
use std::path::Path;

use crate::folder;

macro_rules! kit {
    ($($name:literal),* $(,)?) => {
        &[
            ("agon_agent/README.md", include_str!("../../../python/README.md")),
            $((concat!("agon_agent/", $name), include_str!(concat!("../../../python/agon_agent/", $name)))),*
        ]
    };
}

/// The files of the package: paths beside the agent, and their texts.
pub const FILES: &[(&str, &str)] = kit![
    "__init__.py",
    "__main__.py",
    "actions.py",
    "agent.py",
    "examples/__init__.py",
    "examples/alphabeta_agent.py",
    "examples/interactive_agent.py",
    "examples/random_agent.py",
    "parameters.py",
    "runner.py",
    "state.py",
];

/// Puts the package into a folder, unless there is one already.
///
/// # Errors
/// If it cannot be written.
pub fn add_to(agent_folder: &Path) -> io::Result<()> {
    if agent_folder.join("agon_agent").exists() {
        return Ok(());
    }
    folder::write(agent_folder, FILES)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;

    fn sources(folder: &Path, prefix: &str, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).expect("the kit is there") {
            let entry = entry.expect("an entry");
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if name.ends_with("__pycache__") {
                continue;
            }
            if entry.path().is_dir() {
                sources(&entry.path(), &format!("{name}/"), found);
            } else {
                found.insert(name);
            }
        }
    }

    #[test]
    fn the_whole_package_is_embedded() {
        let mut on_disk = BTreeSet::from(["agon_agent/README.md".to_owned()]);
        let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/agon_agent");
        sources(&package, "agon_agent/", &mut on_disk);
        let embedded: BTreeSet<String> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(embedded, on_disk);
    }
}
