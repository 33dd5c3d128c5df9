//! `agon query`: the rules as a service on standard input.

use std::io::{BufRead, Write};

use agon_answers::query;
use agon_protocol::lines::read_line;
use agon_protocol::query::{Failure, MAX_LINE, Request};
use agon_registry::GAMES;

/// Answers every line until the input ends.
pub(crate) fn run(input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
    let mut line = Vec::new();
    while let Some(read) = read_line(input, MAX_LINE, &mut line)? {
        let answer = if read.length > MAX_LINE {
            Err(format!("the line has {} bytes; at most {MAX_LINE} are read", read.length))
        } else {
            Request::parse(&line)
                .map_err(|error| error.to_string())
                .and_then(|request| query(GAMES, &request).map_err(|error| error.to_string()))
        };
        match answer {
            Ok(answer) => serde_json::to_writer(&mut *out, &answer)?,
            Err(fault) => serde_json::to_writer(&mut *out, &Failure::new(fault))?,
        }
        out.write_all(b"\n")?;
        out.flush()?;
    }
    Ok(())
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
