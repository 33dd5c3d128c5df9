//! The web app's types are made from the schema that is checked in; this keeps the schema true.
//!
//! After a change of the wire types run `UPDATE_SCHEMA=1 cargo test -p agon-protocol --test web_schema`, then
//! `npm run types` in `web/`.

use std::path::PathBuf;

use agon_protocol::web::{ClientMessage, PROTOCOL, ServerMessage, api, arena, online, studies, tree};
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

fn schema() -> Value {
    let mut generator = SchemaSettings::draft07().for_serialize().into_generator();
    macro_rules! roots {
        ($($root:ty),* $(,)?) => {
            [$((stringify!($root).rsplit("::").next().unwrap_or_default().trim(), generator.subschema_for::<$root>())),*]
        };
    }
    let roots = roots![
        ClientMessage,
        ServerMessage,
        api::Problem,
        api::GameInfo,
        api::RulePicture,
        api::NewTable,
        api::Opened,
        api::TableList,
        api::PlyList,
        api::ReviewPart,
        api::Statistics,
        api::Me,
        api::PositionRequest,
        api::PositionAnswer,
        api::AnalysisQuestion,
        api::Health,
        arena::TournamentList,
        arena::Tournament,
        arena::TournamentGames,
        arena::AuthorPage,
        arena::AuthorKeys,
        arena::ArenaDesk,
        arena::UploadedAgent,
        arena::NewTournament,
        online::NewLobby,
        online::LobbyList,
        online::LobbyState,
        online::Invitation,
        online::QrCode,
        studies::StudyList,
        studies::Study,
        tree::TreeQuestion,
        tree::TreeAnswer,
        tree::FeatureQuestion,
        tree::FeatureAnswer,
    ];
    let mut properties: serde_json::Map<String, Value> =
        roots.into_iter().map(|(name, schema)| (name.to_owned(), schema.to_value())).collect();
    // As a type of its own, so that an app that speaks another version does not pass its type check.
    properties.insert("version".to_owned(), json!({ "const": PROTOCOL }));
    let definitions = generator.take_definitions(true);
    json!({
        "title": "Protocol",
        "description": "What server and browsers say to one another.",
        "type": "object",
        "properties": properties,
        "definitions": definitions,
    })
}

#[test]
fn the_schema_of_the_web_app_is_true() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../web/src/protocol/schema.json");
    let made = serde_json::to_string_pretty(&schema()).expect("it can be written") + "\n";
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &made).expect("it can be written");
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(known == made, "the wire types have changed; see the head of this file for what to run");
}
