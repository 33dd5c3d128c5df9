//! The REST interface as an OpenAPI 3.1 document. The schemas, which are JSON Schema 2020-12 there, come from the types themselves.

use std::sync::OnceLock;

use agon_protocol::web::api::{
    AnalysisQuestion, GameInfo, Health, Me, MessageTexts, NewTable, Opened, PlyList, PositionAnswer,
    PositionRequest, Problem, ReviewPart, RulePicture, Statistics, TableList,
};
use agon_protocol::web::arena::{
    ArenaDesk, AuthorKeys, AuthorPage, NewTournament, Tournament, TournamentGames, TournamentList,
    UploadedAgent,
};
use agon_protocol::web::online::{Invitation, LobbyList, LobbyState, NewLobby, QrCode};
use agon_protocol::web::studies::{Study, StudyList};
use agon_protocol::web::tree::{FeatureAnswer, FeatureQuestion, TreeAnswer, TreeQuestion};
use agon_protocol::web::{ClientMessage, ServerMessage, TableState};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

/// The document.
pub(super) async fn document() -> Response {
    static DOCUMENT: OnceLock<String> = OnceLock::new();
    let text = DOCUMENT.get_or_init(|| describe().to_string());
    ([(header::CONTENT_TYPE, "application/json")], text.as_str()).into_response()
}

/// A way to ask something.
struct Operation {
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    /// Parameters of the query and what they are.
    query: &'static [(&'static str, &'static str, &'static str)],
    body: Body,
    /// The status of a successful answer.
    status: StatusCode,
    answer: Body,
    /// What any other status comes with.
    refusal: Body,
}

/// What is sent, one way or the other.
enum Body {
    Nothing,
    Text,
    Bytes,
    /// A file of results, whose name says which of several formats it has.
    File,
    /// JSON of any form.
    Any,
    Json(fn(&mut SchemaGenerator) -> Schema),
}

fn schema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

fn json<T: JsonSchema>() -> Body {
    Body::Json(schema::<T>)
}

fn operations() -> Vec<Operation> {
    let get = |path, summary, query, answer| Operation {
        method: "get",
        path,
        summary,
        query,
        body: Body::Nothing,
        status: StatusCode::OK,
        answer,
        refusal: json::<Problem>(),
    };
    let send = |method, path, summary, body, answer| Operation {
        method,
        path,
        summary,
        query: &[],
        body,
        status: if matches!(answer, Body::Nothing) { StatusCode::NO_CONTENT } else { StatusCode::OK },
        answer,
        refusal: json::<Problem>(),
    };
    let open = |path, summary, body| Operation {
        status: StatusCode::CREATED,
        ..send("post", path, summary, body, json::<Opened>())
    };
    vec![
        get("/api", "This document.", &[], Body::Any),
        get("/api/v1/catalogue", "All games with their default options.", &[], json::<Vec<GameInfo>>()),
        get(
            "/api/v1/catalogue/{game}",
            "A game with some options.",
            &[("options", "string", "key=value pairs separated by commas")],
            json::<GameInfo>(),
        ),
        get(
            "/api/v1/catalogue/{game}/rules",
            "The boards that show a game's rules. The n-th is explained by `lesson.n.title` and `lesson.n.text` of its messages.",
            &[],
            json::<Vec<RulePicture>>(),
        ),
        get(
            "/api/v1/messages/{language}/{game}",
            "All that can be said about a game, or with `studies` in place of a game about studies, in English (en) or Hebrew (he).",
            &[],
            json::<MessageTexts>(),
        ),
        get(
            "/api/v1/games",
            "Games: those that this browser has opened or holds a seat in, or those that anybody may watch.",
            &[
                ("mine", "boolean", "those that this browser has opened or holds a seat in"),
                ("watch", "boolean", "those that only bots play, and those of public lobbies"),
                ("skip", "integer", "how many to leave out, for long lists"),
            ],
            json::<TableList>(),
        ),
        open("/api/v1/games", "Opens a game.", json::<NewTable>()),
        get("/api/v1/games/{id}", "A game as it stands.", &[], json::<TableState>()),
        send(
            "delete",
            "/api/v1/games/{id}",
            "Deletes a game of one's own. One that others have played in too, which must be over, leaves this browser's list and the player's name is removed from it; it is gone when everybody who held a seat has deleted it.",
            Body::Nothing,
            Body::Nothing,
        ),
        get("/api/v1/games/{id}/record", "The record of what has been played.", &[], Body::Text),
        get(
            "/api/v1/games/{id}/plies",
            "Plies of a long game.",
            &[
                ("board", "integer", "the board, from 0"),
                ("from", "integer", "the first ply or move, from 0"),
                ("to", "integer", "the ply or move behind the last one"),
                (
                    "by",
                    "string",
                    "what these count: `plies`, the usual, or `moves` of players, with the draws of chance that follow them",
                ),
            ],
            json::<PlyList>(),
        ),
        get(
            "/api/v1/games/{id}/review",
            "Moves of a finished game that gave something away, a part of the game at a time.",
            &[
                ("board", "integer", "the board, from 0"),
                ("from", "integer", "the first ply to be judged, from 0"),
            ],
            json::<ReviewPart>(),
        ),
        open("/api/v1/records", "Opens the game of a record.", Body::Text),
        send(
            "post",
            "/api/v1/positions",
            "What a position looks like, and its legal moves.",
            json::<PositionRequest>(),
            json::<PositionAnswer>(),
        ),
        send(
            "post",
            "/api/v1/analysis",
            "What a bot thinks of a position; as `agon analyze --json` prints it.",
            json::<AnalysisQuestion>(),
            Body::Any,
        ),
        get("/api/v1/me", "Who sits at this browser.", &[], json::<Me>()),
        get(
            "/api/v1/me/statistics/{game}",
            "What this browser's user has reached in a game for one.",
            &[],
            json::<Statistics>(),
        ),
        send("put", "/api/v1/me", "Says who sits at this browser.", json::<Me>(), json::<Me>()),
        get(
            "/api/v1/lobbies",
            "Open lobbies that are public.",
            &[("game", "string", "only those of this game")],
            json::<LobbyList>(),
        ),
        open("/api/v1/lobbies", "Opens a lobby.", json::<NewLobby>()),
        get("/api/v1/lobbies/{id}", "A lobby as it stands.", &[], json::<LobbyState>()),
        get(
            "/api/v1/invitations/{key}",
            "What the key in a link /join/KEY is good for.",
            &[],
            json::<Invitation>(),
        ),
        send(
            "post",
            "/api/v1/invitations/{key}",
            "Moves the seat that the key is good for to this browser, once.",
            Body::Nothing,
            json::<Opened>(),
        ),
        get("/api/v1/qr", "A link as a QR code.", &[("text", "string", "the link")], json::<QrCode>()),
        get("/api/v1/arena", "The tournaments that the server shows.", &[], json::<TournamentList>()),
        open(
            "/api/v1/arena",
            "Starts a tournament of uploaded agents and bots. Needs the admin token.",
            json::<NewTournament>(),
        ),
        get(
            "/api/v1/arena/desk",
            "What a teacher can work with. Needs the admin token.",
            &[],
            json::<ArenaDesk>(),
        ),
        Operation {
            query: &[
                ("interpreter", "string", "the interpreter that runs it, one of those of /api/v1/arena/desk"),
                (
                    "file",
                    "string",
                    "the file that the interpreter is given; agent.py, agent.jar and so on if left out",
                ),
            ],
            ..send(
                "put",
                "/api/v1/arena/agents/{name}",
                "Uploads an agent: a ZIP, or a single file. Needs the admin token.",
                Body::Bytes,
                json::<UploadedAgent>(),
            )
        },
        send(
            "delete",
            "/api/v1/arena/agents/{name}",
            "Removes an uploaded agent. Needs the admin token.",
            Body::Nothing,
            Body::Nothing,
        ),
        get("/api/v1/arena/{id}", "A tournament as it stands.", &[], json::<Tournament>()),
        get(
            "/api/v1/arena/{id}/games",
            "Games of a tournament, latest first, 100 at a time.",
            &[
                ("round", "integer", "only those of this round, from 1"),
                ("player", "string", "only those of this player"),
                ("opponent", "string", "only those in which this player takes part, too"),
                ("running", "boolean", "only those being played"),
                ("skip", "integer", "how many to leave out, for long lists"),
            ],
            json::<TournamentGames>(),
        ),
        get(
            "/api/v1/arena/{id}/files/{name}",
            "A file of the results: report.html, report.txt, results.json, table.csv, crosstable.csv, games.csv; with the admin token \
             also grades.csv.",
            &[],
            Body::File,
        ),
        get(
            "/api/v1/arena/{id}/files/games/{record}",
            "The record of a game, such as 00012.txt: reports link to it.",
            &[],
            Body::Text,
        ),
        get(
            "/api/v1/arena/{id}/keys",
            "The keys of the authors, to be handed out. Needs the admin token.",
            &[],
            json::<AuthorKeys>(),
        ),
        get(
            "/api/v1/arena/{id}/authors/{key}",
            "What the author with this key may see.",
            &[],
            json::<AuthorPage>(),
        ),
        get(
            "/api/v1/arena/{id}/authors/{key}/logs/{number}",
            "What the author's program wrote in a game.",
            &[],
            Body::Text,
        ),
        send(
            "post",
            "/api/v1/arena/{id}/stop",
            "Stops a tournament that was started here. Needs the admin token.",
            Body::Nothing,
            Body::Nothing,
        ),
        send(
            "post",
            "/api/v1/arena/{id}/resume",
            "Resumes a tournament that was started here. Needs the admin token.",
            Body::Nothing,
            Body::Nothing,
        ),
        get(
            "/api/v1/studies",
            "The studies that the server shows: our own runs, and those that `agon study run` plays or has played.",
            &[],
            json::<StudyList>(),
        ),
        get("/api/v1/studies/{id}", "A study as it stands.", &[], json::<Study>()),
        get(
            "/api/v1/studies/{id}/files/{name}",
            "A file of the results: report.html, summary.txt, effects.csv, comparisons.csv, depths.csv, results.json; study.toml, if the study has a \
             directory.",
            &[],
            Body::File,
        ),
        send(
            "post",
            "/api/v1/tree",
            "The tree in which alpha-beta or Monte-Carlo tree search finds its move, for teaching.",
            json::<TreeQuestion>(),
            json::<TreeAnswer>(),
        ),
        send(
            "post",
            "/api/v1/features",
            "What an evaluation sees in a position, the largest reason first.",
            json::<FeatureQuestion>(),
            json::<FeatureAnswer>(),
        ),
        Operation {
            refusal: json::<Health>(),
            ..get("/healthz", "How the server is; 503 if it cannot store games.", &[], json::<Health>())
        },
    ]
}

/// Makes schemas. What the server reads may leave out fields that it always writes, so the two directions have different schemas of
/// the same type.
struct Schemas {
    /// Of what is read. Each is whole, because a type has one name in the document and answers refer to it.
    requests: SchemaGenerator,
    /// Of what is written, with references to `components`.
    answers: SchemaGenerator,
}

impl Schemas {
    fn new() -> Self {
        let settings = || {
            SchemaSettings::draft2020_12().with(|settings| {
                settings.definitions_path = "/components/schemas".into();
                // The version of OpenAPI says which dialect of JSON Schema it is.
                settings.meta_schema = None;
            })
        };
        Self {
            requests: settings()
                .for_deserialize()
                .with(|settings| settings.inline_subschemas = true)
                .into_generator(),
            answers: settings().for_serialize().into_generator(),
        }
    }
}

fn describe() -> Value {
    let mut schemas = Schemas::new();
    let mut paths = Map::new();
    for operation in operations() {
        let described = describe_operation(&operation, &mut schemas);
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method] = described;
    }
    // The messages of the WebSocket have no place of their own in OpenAPI.
    let client = schema::<ClientMessage>(&mut schemas.requests);
    let server = schema::<ServerMessage>(&mut schemas.answers);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Agon",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Board games for people and machines. Requests that change something need the Origin of this server \
                            (browsers send it) or a bearer token of 24 to 128 characters that the program has chosen at random and keeps. \
                            What happens in a game is said over the WebSocket at /ws: x-websocket has the schemas of its messages.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas.answers.take_definitions(true),
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
        },
        "x-websocket": { "path": "/ws", "client": client, "server": server },
    })
}

fn describe_operation(operation: &Operation, schemas: &mut Schemas) -> Value {
    let in_path = operation.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let in_path = in_path
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }));
    let in_query = operation.query.iter().map(|(name, kind, help)| {
        json!({ "name": name, "in": "query", "description": help, "schema": { "type": kind } })
    });
    let parameters: Vec<Value> = in_path.chain(in_query).collect();
    let status = operation.status.as_str();
    let mut described = json!({
        "summary": operation.summary,
        "parameters": parameters,
        "responses": {
            status: { "description": "The answer.", "content": content(&operation.answer, &mut schemas.answers) },
            "default": { "description": "A refusal.", "content": content(&operation.refusal, &mut schemas.answers) },
        },
    });
    if !matches!(operation.body, Body::Nothing) {
        described["requestBody"] =
            json!({ "required": true, "content": content(&operation.body, &mut schemas.requests) });
    }
    described
}

fn content(body: &Body, generator: &mut SchemaGenerator) -> Value {
    let text = json!({ "schema": { "type": "string" } });
    match body {
        Body::Nothing => json!({}),
        Body::Text => json!({ "text/plain": text }),
        Body::Bytes => json!({ "application/octet-stream": {} }),
        Body::File => {
            json!({ "text/plain": text, "text/html": text, "text/csv": text, "application/json": {} })
        }
        Body::Any => json!({ "application/json": {} }),
        Body::Json(schema) => json!({ "application/json": { "schema": schema(generator) } }),
    }
}
