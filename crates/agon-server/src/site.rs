//! The web app as a folder of files for any web host, under any path: pages, modules, weights, and all that pages would ask a server for and
//! that never changes.

use std::borrow::Cow;
use std::io::Write;

use agon_erased::{GameEntry, Games};
use agon_messages::{MESSAGES, Refused};
use agon_protocol::web::api::GameInfo;
use agon_protocol::web::studies::StudyList;
use agon_requests::catalogue::{game_info, rule_pictures, rules};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use crate::http::{CONTENT_POLICY, PAGE, WebApp};
use crate::studies;
use crate::texts::{STUDIES, messages, study_messages};
use crate::weights::weight_files;

/// How a page says where its URLs begin; on a host this is the way up to the folder.
const BASE: &str = "<base href=\"/\" />";
/// What a web host cannot be told in a page.
const HEADER_ONLY: &str = "; frame-ancestors 'none'";
/// The pages of every site besides those of games and studies; the first one is home.
const PAGES: [&str; 6] = ["", "settings", "me", "studies", "game", "watch"];
/// What a host shows where nothing is.
const MISSING: &str = "404.html";

/// A file of a site.
#[derive(Clone, Debug)]
pub struct SiteFile {
    /// Its path in the folder.
    pub path: String,
    /// What is in it.
    pub content: Cow<'static, [u8]>,
}

/// Why there is no site.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The program has no web app.
    #[error("the web app is not part of this build; build it with 'make web' and then Agon")]
    NoApp,
    /// The modules are missing.
    #[error(
        "the web app was built without the modules in which it plays by itself; 'rustup target add wasm32-unknown-unknown', then 'make web' and build Agon again"
    )]
    NoModules,
    /// The app does not say where its URLs begin.
    #[error("the page of the web app has no {BASE}, so it cannot be shown below a path")]
    NoBase,
    /// A file cannot be written as JSON or compressed.
    #[error("{0}: {1}")]
    File(String, String),
    /// A game cannot be shown.
    #[error("{}", .0.message.text)]
    Refused(Refused),
}

/// All files of the site of these games, in the order of their paths.
///
/// # Errors
/// If the app or its modules are missing.
pub fn files(app: WebApp, games: Games) -> Result<Vec<SiteFile>, SiteError> {
    let page = app.find(PAGE).ok_or(SiteError::NoApp)?;
    let page = String::from_utf8_lossy(&page.data).into_owned();
    let paths = app.paths();
    if !paths.iter().any(|path| path.starts_with("modules/") && path.ends_with(".wasm")) {
        return Err(SiteError::NoModules);
    }
    if !page.contains(BASE) {
        return Err(SiteError::NoBase);
    }
    let mut files = Vec::new();
    for path in paths.iter().filter(|path| path.split('.').next() != Some("index") && !path.starts_with('.'))
    {
        let content = app.find(path).ok_or(SiteError::NoApp)?.data;
        files.push(SiteFile { path: path.clone(), content });
    }
    for weights in weight_files(games) {
        files.push(SiteFile {
            path: format!("weights/{}", weights.name),
            content: Cow::Borrowed(weights.content),
        });
    }
    let mut add = |path: String, content: Vec<u8>| -> Result<(), SiteError> {
        let packed = packed(&content).map_err(|error| SiteError::File(path.clone(), error.to_string()))?;
        files.push(SiteFile { path: format!("{path}.gz"), content: Cow::Owned(packed) });
        files.push(SiteFile { path, content: Cow::Owned(content) });
        Ok(())
    };
    for path in pages(games) {
        let name = if path.is_empty() { PAGE.to_owned() } else { format!("{path}/{PAGE}") };
        let depth = path.split('/').filter(|part| !part.is_empty()).count();
        add(name, shown(&page, depth).into_bytes())?;
    }
    add(MISSING.to_owned(), shown(&page, 0).into_bytes())?;
    for (path, content) in catalogue(games)? {
        add(path, content)?;
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// The paths of all pages.
fn pages(games: Games) -> Vec<String> {
    let own = PAGES.iter().map(|path| (*path).to_owned());
    let of_game = |game: &'static str| {
        [game.to_owned(), format!("{game}/new"), format!("rules/{game}"), format!("tree/{game}")]
    };
    let of_studies = studies::own().iter().map(|study| format!("studies/{}", study.id));
    own.chain(games.ids().flat_map(of_game)).chain(of_studies).collect()
}

/// The page at a path of so many parts.
fn shown(page: &str, depth: usize) -> String {
    let up = if depth == 0 { "./".to_owned() } else { "../".repeat(depth) };
    let policy = CONTENT_POLICY.replace(HEADER_ONLY, "");
    let head = format!(
        "<base href=\"{up}\" />\n    <meta http-equiv=\"content-security-policy\" content=\"{policy}\" />\n    \
         <meta name=\"agon-host\" content=\"static\" />"
    );
    page.replacen(BASE, &head, 1)
}

/// What pages would ask a server for.
fn catalogue(games: Games) -> Result<Vec<(String, Vec<u8>)>, SiteError> {
    let mut files = vec![
        json("games", &infos(games)?)?,
        json("studies", &StudyList { studies: studies::own().to_vec(), more: false })?,
    ];
    for entry in games {
        files.push(json(&format!("{}/rules", entry.spec.id), &rule_pictures(entry))?);
    }
    for language in MESSAGES.languages() {
        files.push(json(&format!("messages/{language}/{STUDIES}"), &study_messages(language))?);
        for entry in games {
            files.push(json(&format!("messages/{language}/{}", entry.spec.id), &messages(entry, language))?);
        }
    }
    for (study, results) in studies::own_in_full(games) {
        let folder = format!("studies/{}", study.summary.id);
        files.push(json(&folder, &study)?);
        let result = |(name, content)| (format!("catalogue/{folder}/files/{name}"), content);
        files.extend(results.into_iter().map(result));
    }
    Ok(files)
}

fn infos(games: Games) -> Result<Vec<GameInfo>, SiteError> {
    let info = |entry: &'static GameEntry| Ok(game_info(entry, &rules(games, entry.spec.id, "")?));
    games.iter().map(info).collect::<Result<_, _>>().map_err(SiteError::Refused)
}

fn json(name: &str, value: &impl Serialize) -> Result<(String, Vec<u8>), SiteError> {
    let path = format!("catalogue/{name}.json");
    let content = serde_json::to_vec(value);
    let content = content.map_err(|error| SiteError::File(path.clone(), error.to_string()))?;
    Ok((path, content))
}

fn packed(content: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use agon_registry::GAMES;

    use super::*;
    use crate::http::WebFile;

    fn app() -> WebApp {
        let find = |path: &str| {
            let data: &[u8] = match path {
                PAGE => b"<head><base href=\"/\" /><script src=\"./assets/x.js\"></script></head>",
                "assets/x.js" | "modules/othello.1.wasm" => b"x",
                _ => return None,
            };
            Some(WebFile { data: Cow::Borrowed(data), sha256: [0; 32] })
        };
        WebApp::new(find, || ["assets/x.js", PAGE, "modules/othello.1.wasm"].map(str::to_owned).to_vec())
    }

    #[test]
    fn a_site_has_a_page_for_every_path_and_all_that_pages_ask_for() {
        let files = files(app(), GAMES).expect("an app with modules");
        let text = |path: &str| {
            let file = files.iter().find(|file| file.path == path);
            String::from_utf8_lossy(&file.unwrap_or_else(|| panic!("{path}")).content).into_owned()
        };
        for (path, base) in [
            ("index.html", "./"),
            ("game/index.html", "../"),
            ("othello/index.html", "../"),
            ("rules/chinese-checkers/index.html", "../../"),
            ("2048/new/index.html", "../../"),
            ("404.html", "./"),
        ] {
            let page = text(path);
            assert!(page.contains(&format!("<base href=\"{base}\" />")), "{path}: {page}");
            assert!(
                page.contains("'wasm-unsafe-eval'") && !page.contains("frame-ancestors"),
                "{path}: {page}"
            );
            assert!(files.iter().any(|file| file.path == format!("{path}.gz")), "{path}");
        }
        assert_eq!(text("modules/othello.1.wasm"), "x");
        assert!(text("catalogue/games.json").starts_with("[{\"game\":\"othello\""));
        assert!(text("catalogue/messages/he/tablut.json").contains("refused.not-your-turn"));
        assert!(text("catalogue/studies.json").contains("\"more\":false"));
        assert!(text("catalogue/loa/rules.json").starts_with('['));
        let weights = files.iter().filter(|file| file.path.starts_with("weights/"));
        assert_eq!(weights.filter(|file| file.content.len() > 100_000).count(), 2);
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        assert!(paths.is_sorted_by(|one, other| one < other), "no path twice");
    }

    #[test]
    fn what_is_missing_is_said() {
        let fault = |app| files(app, GAMES).expect_err("no site").to_string();
        assert!(fault(WebApp::NONE).contains("make web"));
        let page = |_: &str| Some(WebFile { data: Cow::Borrowed(b"<head></head>"), sha256: [0; 32] });
        assert!(fault(WebApp::new(page, || vec![PAGE.to_owned()])).contains("rustup target add"));
        assert!(fault(WebApp::new(page, || vec!["modules/a.wasm".to_owned()])).contains("<base"));
    }
}
