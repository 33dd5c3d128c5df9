//! Where settings come from, and what is said if they do not hold.

use std::net::{Ipv4Addr, TcpListener};

use crate::client::Client;
use crate::process::{Failed, Folder, new_table, serve, start, start_on};

/// A server that has failed, with the reason on one line of standard error and nothing else said.
fn refused(failed: Result<crate::process::Running, Failed>, words: &[&str]) {
    let Err(Failed { status, said, errors }) = failed else { panic!("it should not have started") };
    assert!(!status.success());
    assert_eq!(said, "");
    for word in words {
        assert!(errors.contains(word), "{word}: {errors}");
    }
    assert!(!errors.contains("panicked"), "{errors}");
}

#[test]
fn flags_override_variables_and_variables_override_the_file() {
    let folder = Folder::new();
    let file = folder.0.join("agon.toml");
    std::fs::write(&file, "listen = \"127.0.0.1:0\"\npublic-url = \"http://of-the-file.example\"\n")
        .expect("written");
    // What is printed is the public address, which shows where it came from.
    let said = |flag: Option<&str>, variable: Option<&str>| {
        let mut command = serve(&folder.0);
        command.arg("--config").arg(&file).arg("--data").arg(folder.data());
        if let Some(url) = variable {
            command.env("AGON_PUBLIC_URL", url);
        }
        if let Some(url) = flag {
            command.args(["--public-url", url]);
        }
        // The name is not one that could be connected to, so this counts as not started; the process is killed all the same.
        first_line(command)
    };
    assert_eq!(said(None, None), "Agon is at http://of-the-file.example");
    assert_eq!(
        said(None, Some("http://of-the-variable.example")),
        "Agon is at http://of-the-variable.example"
    );
    assert_eq!(
        said(Some("http://of-the-flag.example"), Some("http://of-the-variable.example")),
        "Agon is at http://of-the-flag.example"
    );
}

/// The first line that a server says, which is killed then.
fn first_line(mut command: std::process::Command) -> String {
    use std::io::{BufRead, BufReader};
    let mut child = command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    let read = BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line);
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    read.expect("it speaks UTF-8");
    line.trim().to_owned()
}

#[test]
fn settings_that_do_not_hold_are_named() {
    let folder = Folder::new();
    let file = folder.0.join("agon.toml");
    let with = |text: &str| {
        std::fs::write(&file, text).expect("written");
        let mut command = serve(&folder.0);
        command.arg("--config").arg(&file).arg("--data").arg(folder.data());
        start(command, &folder.0)
    };
    refused(with("colour = \"red\"\n"), &["agon.toml", "colour"]);
    refused(with("listen = [1, 2]\n"), &["agon.toml", "listen"]);
    refused(with("listen = \"somewhere\"\n"), &["agon.toml", "listen", "somewhere"]);
    refused(with("bot-threads = \"many\"\n"), &["agon.toml", "bot-threads", "many"]);
    refused(with("bot-threads = 0\n"), &["agon.toml", "bot-threads"]);
    refused(with("listen = \n"), &["agon.toml"]);
    refused(with("public-url = \"agon.example.org\"\n"), &["agon.example.org", "https://"]);
    let mut command = serve(&folder.0);
    command.arg("--config").arg(folder.0.join("none.toml"));
    refused(start(command, &folder.0), &["none.toml"]);
    let mut command = serve(&folder.0);
    command.args(["--listen", "127.0.0.1:0"]).env("AGON_BOT_THREADS", "0");
    refused(start(command, &folder.0), &["0"]);
    assert!(!folder.data().exists(), "nothing was begun");
}

#[test]
fn a_port_that_is_taken() {
    let folder = Folder::new();
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let mut command = serve(&folder.0);
    command.args(["--listen", &address, "--data"]).arg(folder.data());
    refused(start(command, &folder.0), &[&address]);
    // Whether this test takes the usual port or somebody else has, it is taken.
    let _usual = TcpListener::bind((Ipv4Addr::LOCALHOST, 8048));
    let mut command = serve(&folder.0);
    command.arg("--data").arg(folder.data());
    let server = start(command, &folder.0).expect("it takes the next port");
    assert!((8049..=8148).contains(&server.address.port()), "{}", server.said);
}

#[test]
fn a_second_server_on_the_same_data() {
    let folder = Folder::new();
    let first = start_on(&folder).expect("it starts");
    let address = format!("http://{}", first.address);
    refused(start_on(&folder), &[&address, "data directory"]);
    let mut command = serve(&folder.0);
    command.args(["--listen", "127.0.0.1:0", "--or-running", "--data"]).arg(folder.data());
    let Err(Failed { status, said, .. }) = start(command, &folder.0) else {
        panic!("one is running already")
    };
    assert!(status.success());
    assert!(said.contains(&address), "{said}");
    first.kill();
    start_on(&folder).expect("a server that was killed holds nothing");
}

#[tokio::test]
async fn a_server_that_is_told_to_end_says_so_and_ends_well() {
    const ANNA: &str = "anna-keeps-this-token-to-herself";
    let folder = Folder::new();
    let server = start_on(&folder).expect("it starts");
    let table = server.open(ANNA, &new_table("othello", "", &["human", "expert"])).await;
    let mut client = Client::connect(server.address, ANNA).await;
    client.open(&table).await.expect("it opens");
    // A bot that thinks does not hold it up.
    let (_, _, tokens) = client.to_move(&table).expect("somebody is to move");
    let seq = client.play(&table, &tokens[0]).await.expect("legal");
    let ended = tokio::task::spawn_blocking(move || server.terminate());
    let told = client.until_heard("the end", |message| message["type"] == "error").await;
    assert_eq!(told["code"], "stopping");
    assert!(ended.await.expect("it ends").success());
    let server = start_on(&folder).expect("it starts again");
    let mut client = Client::connect(server.address, ANNA).await;
    client.open(&table).await.expect("the table is still there");
    assert!(client.seq(&table) >= seq);
}

#[test]
fn without_a_data_directory_the_usual_one_is_used() {
    let folder = Folder::new();
    let mut command = serve(&folder.0);
    command.args(["--listen", "127.0.0.1:0"]);
    let _server = start(command, &folder.0).expect("it starts");
    assert!(folder.0.join("home/agon/server/agon.sqlite").exists());
}
