//! The addresses that people paste: of a lobby, of an invitation, or of a game.

use anyhow::{bail, ensure};

/// Where to go on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// Whether the server speaks https.
    pub(super) is_https: bool,
    /// `HOST:PORT`.
    pub(super) host: String,
    /// What is there.
    pub(super) target: Target,
}

/// What an address leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A lobby or a game, by its id.
    Id(String),
    /// An invitation, by its key.
    Key(String),
}

/// What an address looks like.
const EXPECTED: &str =
    "an address looks like http://HOST:8048/lobby/ID, https://HOST/join/KEY or http://HOST:8048/game/ID";

impl Address {
    /// Reads an address as browsers show it.
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        let (is_https, rest) = match text.split_once("://") {
            Some(("http", rest)) => (false, rest),
            Some(("https", rest)) => (true, rest),
            _ => bail!("{text}: {EXPECTED}"),
        };
        let rest = rest.split(['?', '#']).next().unwrap_or_default();
        let mut parts = rest.trim_end_matches('/').split('/');
        let (host, page, name, more) = (parts.next(), parts.next(), parts.next(), parts.next());
        let (Some(host), Some(page), Some(name), None) = (host, page, name, more) else {
            bail!("{text}: {EXPECTED}")
        };
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        ensure!(!host.is_empty() && !name.is_empty() && name.bytes().all(is_plain), "{text}: {EXPECTED}");
        let target = match page {
            "lobby" | "game" => Target::Id(name.to_owned()),
            "join" => Target::Key(name.to_owned()),
            _ => bail!("{text}: {EXPECTED}"),
        };
        // An address in brackets has colons of its own.
        let has_port = host.rsplit(']').next().is_some_and(|end| end.contains(':'));
        let host =
            if has_port { host.to_owned() } else { format!("{host}:{}", if is_https { 443 } else { 80 }) };
        Ok(Self { is_https, host, target })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_browsers_show_them() {
        let id = |host: &str, id: &str| Address {
            is_https: false,
            host: host.to_owned(),
            target: Target::Id(id.to_owned()),
        };
        let read = |text| Address::parse(text).expect(text);
        assert_eq!(read("http://127.0.0.1:8048/lobby/m7b"), id("127.0.0.1:8048", "m7b"));
        assert_eq!(read("http://agon.lan/game/m7b#12"), id("agon.lan:80", "m7b"));
        assert_eq!(read("http://[::1]:99/game/m7b/?lang=he"), id("[::1]:99", "m7b"));
        assert_eq!(read("http://[::1]/game/m7b"), id("[::1]:80", "m7b"));
        assert_eq!(read("http://a:1/join/k_-9").target, Target::Key("k_-9".to_owned()));
        let secure = |host, name| Address { is_https: true, ..id(host, name) };
        assert_eq!(read("https://agon.example.org/lobby/m7b"), secure("agon.example.org:443", "m7b"));
        assert_eq!(read("https://[::1]:99/game/m7b"), secure("[::1]:99", "m7b"));
        for bad in [
            "",
            "m7b",
            "https://",
            "HTTPS//a/lobby/m7b",
            "ftp://a/lobby/m7b",
            "http://a",
            "http://a/lobby",
            "http:///lobby/m7b",
            "http://a/lobby/m7b/more",
            "http://a/lobby/m 7",
            "http://a/settings/m7b",
        ] {
            assert!(Address::parse(bad).is_err(), "{bad:?} was taken");
        }
    }
}
