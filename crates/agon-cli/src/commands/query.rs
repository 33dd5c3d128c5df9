//! `agon query`: the rules as a service on standard input.

use std::io::{BufRead, Write};

use agon_core::{Outcome, Verdict};
use agon_protocol::lines::read_line;
use agon_protocol::query::{Answer, Failure, MAX_LINE, MAX_PERFT_NODES, Request, Status};
use agon_registry::find;

/// Answers every line until the input ends.
pub(crate) fn run(input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
    let mut line = Vec::new();
    while let Some(read) = read_line(input, MAX_LINE, &mut line)? {
        let answer = if read.length > MAX_LINE {
            let length = read.length;
            Err(anyhow::anyhow!("the line has {length} bytes; at most {MAX_LINE} are read"))
        } else {
            Request::parse(&line).map_err(anyhow::Error::from).and_then(|request| answer(&request))
        };
        match answer {
            Ok(answer) => serde_json::to_writer(&mut *out, &answer)?,
            Err(error) => serde_json::to_writer(&mut *out, &Failure::new(format!("{error:#}")))?,
        }
        out.write_all(b"\n")?;
        out.flush()?;
    }
    Ok(())
}

fn answer(request: &Request) -> anyhow::Result<Answer> {
    let entry = find(&request.game).map_err(|error| anyhow::anyhow!("game: {error}"))?;
    let rules = entry.rules(&request.options)?;
    let mut session = match &request.position {
        Some(position) => rules.start_from(position)?,
        None => rules.start(),
    };
    for (index, token) in request.moves.iter().enumerate() {
        session.play(token).map_err(|error| anyhow::anyhow!("moves[{index}]: {error}"))?;
    }
    let nodes = match request.perft {
        Some(depth) => {
            let count = session.perft_shared(depth, MAX_PERFT_NODES);
            Some(count.map_err(|error| anyhow::anyhow!("perft: {error}; ask for a smaller depth"))?)
        }
        None => None,
    };
    let outcome = session.outcome();
    let (status, winner) = match outcome.map(|outcome| outcome.verdict) {
        None => (Status::Ongoing, None),
        Some(Verdict::Won(player)) => (Status::Won, rules.seats().into_iter().nth(player.index())),
        Some(Verdict::Drawn) => (Status::Drawn, None),
        Some(Verdict::Lost) => (Status::Lost, None),
    };
    Ok(Answer {
        ok: true,
        game: entry.spec.id,
        options: rules.options(),
        position: session.position(),
        ply: session.ply(),
        to_move: session.turn_name(),
        status,
        winner,
        reason: outcome.map(|Outcome { reason, .. }| reason),
        legal: session.legal(),
        nodes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(input: &[u8]) -> Vec<String> {
        let mut out = Vec::new();
        run(&mut &*input, &mut out).expect("a buffer takes everything");
        String::from_utf8(out).expect("JSON is UTF-8").lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_long_line_is_an_error_and_its_rest_is_skipped() {
        let mut input = vec![b' '; MAX_LINE + 1];
        input.extend(b"\n{\"game\": \"2048\"}\n");
        let answers = answers(&input);
        assert_eq!(answers.len(), 2);
        assert!(
            answers[0].contains("the line has 4194305 bytes; at most 4194304 are read"),
            "{}",
            answers[0]
        );
        assert!(answers[1].contains("\"ok\":true"), "{}", answers[1]);
    }

    #[test]
    fn the_longest_line_is_read_and_a_last_line_needs_no_end() {
        let mut input = b"{\"game\": \"2048\"".to_vec();
        input.resize(MAX_LINE - 1, b' ');
        input.extend(b"}");
        let answers = answers(&input);
        assert_eq!(answers.len(), 1);
        assert!(answers[0].contains("\"ok\":true"), "{}", answers[0]);
    }

    #[test]
    fn every_line_has_one_answer_also_an_empty_one() {
        let answers = answers(b"\nnonsense\n\xff\n{\"game\": \"2048\"}\n");
        assert_eq!(answers.len(), 4);
        assert!(answers[..3].iter().all(|answer| answer.starts_with("{\"ok\":false,\"error\":\"")));
    }
}
