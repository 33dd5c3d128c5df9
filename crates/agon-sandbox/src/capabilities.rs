//! What a machine can enforce.

use serde::{Deserialize, Serialize};

/// A part of the system that limits programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Mechanism {
    /// Namespaces: a file tree, process numbers and a network of its own.
    Namespaces,
    /// Landlock: rules about files, and about signals to other processes.
    Landlock,
    /// A filter of system calls.
    Seccomp,
    /// System calls that are decided by the helper, which therefore knows what a program tries.
    Notification,
    /// A control group that accounts for memory, and for processes and processor time where it can.
    MemoryGroup,
    /// A user other than root.
    OtherUser,
}

impl Mechanism {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Namespaces,
        Self::Landlock,
        Self::Seccomp,
        Self::Notification,
        Self::MemoryGroup,
        Self::OtherUser,
    ];
}

/// What this machine can enforce on behalf of the user who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capabilities {
    mechanisms: Vec<Mechanism>,
}

/// A limit, how it is enforced if that is possible, and what it means that it is not.
type Limit = (Option<&'static str>, &'static str);

impl Capabilities {
    /// Tries everything out, which takes some milliseconds.
    pub fn detect() -> Self {
        Self::of(crate::Sandbox::default().mechanisms().unwrap_or_default())
    }

    /// What these mechanisms can enforce.
    pub fn of(mechanisms: Vec<Mechanism>) -> Self {
        Self { mechanisms }
    }

    /// The mechanisms that work here.
    pub fn mechanisms(&self) -> &[Mechanism] {
        &self.mechanisms
    }

    fn has(&self, mechanism: Mechanism) -> bool {
        self.mechanisms.contains(&mechanism)
    }

    /// The limits that can be enforced, a sentence each that says how.
    pub fn enforced(&self) -> Vec<&'static str> {
        self.limits().into_iter().filter_map(|(how, _)| how).collect()
    }

    /// The limits that cannot be enforced, a sentence each that says what an agent could do.
    pub fn missing(&self) -> Vec<&'static str> {
        self.limits().into_iter().filter(|(how, _)| how.is_none()).map(|(_, missing)| missing).collect()
    }

    /// The limits that are kept only by looking many times a second, a sentence each that says what an agent could do.
    pub fn sampled(&self) -> Vec<&'static str> {
        let is_sampled = self.watches() && !self.has(Mechanism::MemoryGroup);
        let sentence = "Memory is sampled, because there is no control group for it: an agent could use more for some milliseconds.";
        is_sampled.then_some(sentence).into_iter().collect()
    }

    /// Why a strict referee starts nothing here: what is missing, and what is only sampled.
    pub fn doubts(&self) -> Vec<&'static str> {
        [self.missing(), self.sampled()].concat()
    }

    /// Whether the helper lives as long as the agent, and can measure what it uses.
    fn watches(&self) -> bool {
        self.has(Mechanism::Notification) || self.has(Mechanism::Namespaces)
    }

    fn limits(&self) -> [Limit; 8] {
        use Mechanism::{Landlock, MemoryGroup, Namespaces, Notification, OtherUser, Seccomp};
        // The first way that works here.
        let way = |ways: &[(bool, &'static str)]| ways.iter().find(|(works, _)| *works).map(|(_, how)| *how);
        [
            (
                way(&[
                    (self.has(MemoryGroup), "Memory is limited by a control group."),
                    (
                        self.watches(),
                        "Memory is sampled many times a second; an agent that uses too much is ended.",
                    ),
                ]),
                "Memory cannot be limited: an agent could use all of it.",
            ),
            (
                way(&[(
                    self.has(Notification),
                    "Threads and processes are counted by a system call filter.",
                )]),
                "Threads cannot be limited: an agent could use every core and start processes without end.",
            ),
            (
                way(&[
                    (self.has(Seccomp), "The network is closed by a system call filter."),
                    (self.has(Namespaces), "The network is closed by a network namespace."),
                ]),
                "The network cannot be closed: an agent could ask another machine for moves.",
            ),
            (
                way(&[
                    (self.has(Namespaces), "Files other than its own are not visible to an agent."),
                    (self.has(Landlock), "Files other than its own are closed to an agent by Landlock."),
                ]),
                "Files cannot be closed: an agent could read those of its opponents and of the system.",
            ),
            (
                way(&[
                    (self.has(Namespaces), "The scratch folder is a file system of limited size."),
                    (self.has(Landlock), "The scratch folder is measured many times a second."),
                ]),
                "The scratch folder cannot be limited: an agent could fill the disk.",
            ),
            (
                way(&[
                    (self.has(Namespaces), "Other processes are out of reach in a process namespace."),
                    (self.has(Seccomp), "Other processes are out of reach by a system call filter."),
                ]),
                "Other processes are within reach: an agent could end or inspect them.",
            ),
            (
                way(&[
                    (
                        self.has(Namespaces),
                        "Everything that an agent starts ends with its process namespace.",
                    ),
                    (self.has(Notification), "Everything that an agent starts is found and ended."),
                ]),
                "What an agent starts may outlive it.",
            ),
            (
                way(&[(self.has(OtherUser), "Agents do not run as root.")]),
                "Agents cannot be run as another user than root.",
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_is_either_enforced_or_missing() {
        let all = Capabilities::of(Mechanism::ALL.to_vec());
        assert_eq!((all.enforced().len(), all.missing().len()), (8, 0));
        let none = Capabilities::of(Vec::new());
        assert_eq!((none.enforced().len(), none.missing().len()), (0, 8));
    }

    #[test]
    fn a_user_without_control_groups_or_namespaces_can_enforce_everything_but_strictly() {
        use Mechanism::{Landlock, Notification, OtherUser, Seccomp};
        let plain = Capabilities::of(vec![Landlock, Seccomp, Notification, OtherUser]);
        assert_eq!(plain.missing(), [""; 0]);
        assert!(plain.doubts()[0].starts_with("Memory is sampled"), "{:?}", plain.doubts());
        let all = Capabilities::of(Mechanism::ALL.to_vec());
        assert_eq!(all.doubts(), [""; 0]);
        let no_landlock = Capabilities::of(vec![Seccomp, Notification, OtherUser]);
        let missing = no_landlock.missing();
        assert_eq!(missing.len(), 2, "{missing:?}");
        assert!(missing[0].starts_with("Files cannot be closed"), "{missing:?}");
    }
}
