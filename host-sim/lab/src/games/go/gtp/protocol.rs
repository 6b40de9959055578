//! Lines of the Go Text Protocol, version 2.
//!
//! A request is one line, `[id] command [arguments]`; an answer is `=[id] text` or `?[id] fault`
//! and an empty line.

use std::fmt::Write as _;
use std::io::{self, BufRead, Read};

/// Longest line that is read as a request; longer ones are cut off.
const LONGEST: u64 = 64 * 1024;

/// A request line of a controller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The number that the answer repeats.
    pub id: Option<u32>,
    /// The command; empty if the line has nothing but a number.
    pub command: String,
    /// Its words.
    pub arguments: Vec<String>,
}

impl Request {
    /// Reads a line; `None` if nothing is left of it but blanks and comments.
    pub fn parse(line: &str) -> Option<Request> {
        let line = line.split('#').next().unwrap_or_default();
        let line: String = line
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|c| !c.is_control())
            .collect();
        let mut words = line.split_whitespace().map(str::to_owned).peekable();
        words.peek()?;
        let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
        let id = words
            .peek()
            .filter(|word| is_number(word))
            .and_then(|word| word.parse().ok());
        if id.is_some() {
            words.next();
        }
        Some(Request {
            id,
            command: words.next().unwrap_or_default(),
            arguments: words.collect(),
        })
    }
}

/// An answer: a text, or the fault.
pub type Answer = Result<String, String>;

/// The bytes of an answer. An empty line would end it, so inner ones are left out.
pub fn reply(id: Option<u32>, answer: &Answer) -> String {
    let (mark, text) = match answer {
        Ok(text) => ('=', text),
        Err(fault) => ('?', fault),
    };
    let mut reply = String::from(mark);
    if let Some(id) = id {
        let _ = write!(reply, "{id}");
    }
    // A drawing starts on a line of its own.
    let first = if text.starts_with('\n') { "\n" } else { " " };
    for (number, line) in text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .enumerate()
    {
        reply += if number == 0 { first } else { "\n" };
        reply += line.trim_end();
    }
    reply + "\n\n"
}

/// Reads the next line of any bytes; `None` at the end of the input. The rest of an overlong line
/// is dropped.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = vec![];
    if input.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    while line.len() as u64 == LONGEST && line.last() != Some(&b'\n') {
        let mut more = vec![];
        if input.by_ref().take(LONGEST).read_until(b'\n', &mut more)? == 0
            || more.last() == Some(&b'\n')
        {
            break;
        }
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

/// The longest answer of a program, in bytes; a board takes hundreds.
const LONGEST_ANSWER: usize = 1 << 20;

/// Reads the answer of a program: lines up to an empty one. `None` if the program has gone away. An
/// answer without an end is an error.
pub fn read_answer(input: &mut impl BufRead) -> io::Result<Option<Answer>> {
    let mut lines: Vec<String> = vec![];
    let mut length = 0;
    loop {
        if length > LONGEST_ANSWER {
            return Err(io::Error::other(format!(
                "an answer of more than {LONGEST_ANSWER} bytes"
            )));
        }
        let Some(line) = read_line(input)? else {
            return Ok(None);
        };
        length += line.len();
        let line = line.trim_end().to_owned();
        match (line.is_empty(), lines.is_empty()) {
            (true, true) => continue,
            (true, false) => break,
            _ => lines.push(line),
        }
    }
    let text = lines.join("\n");
    let rest = |text: &str| {
        text.trim_start_matches(|c: char| c.is_ascii_digit())
            .trim()
            .to_owned()
    };
    Ok(Some(match text.as_bytes()[0] {
        b'=' => Ok(rest(&text[1..])),
        b'?' => Err(rest(&text[1..])),
        _ => Err(format!("not an answer: {text}")),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(line: &str) -> (Option<u32>, String, Vec<String>) {
        let request = Request::parse(line).unwrap();
        (request.id, request.command, request.arguments)
    }

    #[test]
    fn lines_are_read_as_the_protocol_says() {
        assert_eq!(
            parse("play black d5"),
            (None, "play".into(), vec!["black".into(), "d5".into()])
        );
        assert_eq!(
            parse(" 7\tgenmove  w # please\r\n"),
            (Some(7), "genmove".into(), vec!["w".into()])
        );
        assert_eq!(
            parse("na\u{7}me"),
            (None, "name".into(), vec![]),
            "control characters are dropped"
        );
        assert_eq!(parse("12"), (Some(12), String::new(), vec![]));
        assert_eq!(
            parse("99999999999 name").1,
            "99999999999",
            "too large for a number of a request"
        );
        for empty in ["", "  \t", "# only a comment", "\r\n"] {
            assert_eq!(Request::parse(empty), None);
        }
    }

    #[test]
    fn answers_end_with_an_empty_line_and_have_none_inside() {
        assert_eq!(reply(None, &Ok(String::new())), "=\n\n");
        assert_eq!(reply(Some(3), &Ok("A1".into())), "=3 A1\n\n");
        assert_eq!(
            reply(Some(3), &Err("illegal move".into())),
            "?3 illegal move\n\n"
        );
        assert_eq!(reply(None, &Ok("\na\n\nb  \n".into())), "=\na\nb\n\n");
    }

    #[test]
    fn answers_are_read_back() {
        let mut input = &b"\n=3 A1\n\n? no\nway\n\nhello\n\n= cut"[..];
        assert_eq!(read_answer(&mut input).unwrap(), Some(Ok("A1".into())));
        assert_eq!(
            read_answer(&mut input).unwrap(),
            Some(Err("no\nway".into()))
        );
        assert_eq!(
            read_answer(&mut input).unwrap(),
            Some(Err("not an answer: hello".into()))
        );
        assert_eq!(read_answer(&mut input).unwrap(), None);
    }

    #[test]
    fn an_answer_without_an_end_is_refused() {
        let mut endless = io::BufReader::new(Endless);
        let refusal = read_answer(&mut endless).unwrap_err().to_string();
        assert!(refusal.contains("more than 1048576 bytes"), "{refusal}");
    }

    /// A program that prints the same line for ever.
    struct Endless;

    impl io::Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let line = b"y\n".iter().cycle();
            buffer.iter_mut().zip(line).for_each(|(byte, &y)| *byte = y);
            Ok(buffer.len() / 2 * 2)
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(text in "[ -~\n]{0,80}") {
            let line = reply(Some(1), &Ok(text.clone()));
            let read = read_answer(&mut line.as_bytes()).unwrap().unwrap().unwrap();
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            prop_assert_eq!(words(&read), words(&text));
        }
    }
}
