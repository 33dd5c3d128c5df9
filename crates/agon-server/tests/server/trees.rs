//! Search trees and features over HTTP.

use serde_json::{Value, json};

use crate::support::{ANNA, Answer, Server};

async fn ask(server: &Server, path: &str, body: &Value) -> Answer {
    server.send("POST", path, ANNA, body).send().await
}

#[tokio::test]
async fn trees_are_answered_within_their_bounds() {
    let server = Server::start().await;
    let asked = json!({"game": "othello", "options": "size=4", "depth": 3});
    let answer = ask(&server, "/api/v1/tree", &asked).await.expect(200).json();
    assert_eq!(answer["tree"]["kind"], "window");
    let nodes = answer["tree"]["nodes"].as_array().expect("nodes");
    assert!(nodes.len() > 10 && nodes.iter().any(|node| node["fate"] == "pruned-by-cut"), "{answer}");
    assert!(nodes.iter().all(|node| node["fate"] != "pruned-by-cut" || node["by"].is_string()));
    // A tree that is larger than what is sent.
    let asked = json!({"game": "tablut", "depth": 3});
    let answer = ask(&server, "/api/v1/tree", &asked).await.expect(200);
    let tree = &answer.json()["tree"];
    let shown = tree["nodes"].as_array().expect("nodes").len() as u64;
    let all = tree["visited"].as_u64().expect("a number") + tree["pruned"].as_u64().expect("a number");
    let hidden: u64 =
        tree["nodes"].as_array().expect("nodes").iter().filter_map(|node| node["hidden"].as_u64()).sum();
    assert!(shown <= 5000 && all > 5000, "{shown} of {all}");
    assert_eq!(shown + hidden, all);
    assert!(answer.text().len() < 1 << 20, "{} bytes", answer.text().len());
    let asked = json!({"game": "2048", "playouts": 40});
    let answer = ask(&server, "/api/v1/tree", &asked).await.expect(200).json();
    assert_eq!(answer["tree"]["kind"], "playouts");
    assert_eq!(answer["tree"]["steps"].as_array().map(Vec::len), Some(40));
}

#[tokio::test]
async fn hostile_questions_about_trees_are_refused_with_a_reason() {
    let server = Server::start().await;
    for (change, status, code, field) in [
        (json!({"depth": 5}), 422, "invalid", "depth"),
        (json!({"depth": 0}), 422, "invalid", "depth"),
        (json!({"playouts": 0}), 422, "invalid", "playouts"),
        (json!({"playouts": 2001}), 422, "invalid", "playouts"),
        (json!({"bot": "alphabeta:tt=65536"}), 429, "limit", "bot"),
        (json!({"bot": "mcts:memory=4096"}), 429, "limit", "bot"),
        (json!({"bot": "jsonl:sh"}), 403, "forbidden", "bot"),
        (json!({"bot": "human"}), 422, "invalid", "bot"),
        (json!({"bot": "greedy"}), 422, "invalid", "bot"),
        (json!({"bot": "alphabeta:dept=3"}), 422, "invalid", "bot"),
        (json!({"options": "size=3"}), 422, "invalid", "options"),
        (json!({"game": "chess"}), 422, "invalid", "game"),
    ] {
        let mut asked = json!({"game": "othello"});
        asked.as_object_mut().expect("an object").extend(change.as_object().expect("an object").clone());
        let answer = ask(&server, "/api/v1/tree", &asked).await;
        if asked["game"] == "othello" {
            answer.refusal(status, code);
        }
        assert_eq!(answer.json()["field"], field, "{}", answer.text());
    }
    for change in [json!({"position": "8/8"}), json!({"moves": ["a1"]})] {
        let mut asked = json!({"game": "othello"});
        asked.as_object_mut().expect("an object").extend(change.as_object().expect("an object").clone());
        ask(&server, "/api/v1/tree", &asked).await.refusal(422, "invalid");
    }
    let unknown = json!({"game": "othello", "deep": 3});
    ask(&server, "/api/v1/tree", &unknown).await.refusal(422, "malformed");
    // A tree is an analysis: a browser has one at a time, and the next one may begin when it is done.
    let asked = json!({"game": "othello", "depth": 1});
    ask(&server, "/api/v1/tree", &asked).await.expect(200);
    ask(&server, "/api/v1/tree", &asked).await.expect(200);
}

#[tokio::test]
async fn features_are_those_of_the_bot_that_plays() {
    let server = Server::start().await;
    let of = |bot: &str| json!({"game": "othello", "moves": ["d3"], "bot": bot});
    let answer = ask(&server, "/api/v1/features", &of("s5-advanced")).await.expect(200).json();
    assert_eq!(
        (&answer["evaluation"], &answer["worth"]["unit"]),
        (&json!("s5-advanced"), &json!("S5 points"))
    );
    let expert = ask(&server, "/api/v1/features", &of("expert")).await.expect(200).json();
    assert_eq!((&expert["evaluation"], &expert["standsFor"]), (&json!("features"), &json!("patterns")));
    ask(&server, "/api/v1/features", &of("human")).await.refusal(422, "invalid");
    ask(&server, "/api/v1/features", &of("jsonl:sh")).await.refusal(403, "forbidden");
}

#[tokio::test]
async fn features_follow_the_position() {
    let server = Server::start().await;
    let asked = json!({"game": "othello", "evaluation": "features", "moves": ["d3"]});
    let answer = ask(&server, "/api/v1/features", &asked).await.expect(200).json();
    assert_eq!((&answer["seat"], &answer["evaluation"]), (&json!(1), &json!("features")));
    let discs = |answer: &Value| {
        let features = answer["features"].as_array().expect("features").clone();
        features.into_iter().find(|feature| feature["name"]["key"] == "feature.discs").expect("discs")
    };
    assert_eq!(discs(&answer)["value"], -3.0, "one against four");
    let usual = ask(&server, "/api/v1/features", &json!({"game": "2048"})).await.expect(200).json();
    assert_eq!(usual["features"], json!([]), "chance acts first");
    let bad = json!({"game": "othello", "evaluation": "pattern"});
    let refused = ask(&server, "/api/v1/features", &bad).await;
    assert!(refused.refusal(422, "invalid").contains("patterns"));
    assert_eq!(refused.json()["field"], "evaluation");
}
