//! SGF, the file format of Go games (FF\[4\] and what older programs wrote).
//!
//! This is the syntax alone: bytes to properties with their places, and back; [`super::record`] has
//! the meaning. A file is a collection of games, a game is a tree; its main line is kept,
//! variations are skipped. The parser accepts much that real files have: text before and between
//! games, lower-case letters in names, any line ends, byte order marks, and encodings other than
//! UTF-8.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

/// A place in a file: both count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A fault in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SgfError {
    /// The place.
    pub place: Place,
    /// The fault, in words.
    pub fault: String,
}

impl SgfError {
    /// A fault at a place.
    pub fn new(place: Place, fault: impl Into<String>) -> SgfError {
        SgfError {
            place,
            fault: fault.into(),
        }
    }
}

impl fmt::Display for SgfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.fault)
    }
}

impl std::error::Error for SgfError {}

/// A property and its values, without escapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its capital letters: `B`, `AB`, `KM` …
    pub name: String,
    /// At least one.
    pub values: Vec<String>,
    /// Where its name starts.
    pub place: Place,
}

/// A node: a move or a set-up, with its properties.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Its properties, in the order of the file.
    pub properties: Vec<Property>,
}

impl Node {
    /// The property of this name.
    pub fn get(&self, name: &str) -> Option<&Property> {
        self.properties
            .iter()
            .find(|property| property.name == name)
    }
}

/// The main line of a game: in every node the first variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MainLine {
    /// At least one; the first has the facts about the game.
    pub nodes: Vec<Node>,
    /// Where the game starts.
    pub place: Place,
}

/// Reads a collection; it has at least one game.
pub fn parse(bytes: &[u8]) -> Result<Vec<MainLine>, SgfError> {
    let mut reader = Reader {
        text: &decode(bytes),
        place: Place { line: 1, column: 1 },
    };
    let mut games = vec![];
    while reader.skip_to_game() {
        games.push(reader.game()?);
    }
    if games.is_empty() {
        return Err(SgfError::new(reader.place, "no game: expected `(;`"));
    }
    Ok(games)
}

/// Writes a game so that [`parse`] reads it back.
pub fn write(nodes: &[Node]) -> String {
    let mut text = String::from("(");
    for node in nodes {
        text.push(';');
        for property in &node.properties {
            text += &property.name;
            for value in &property.values {
                text.push('[');
                for c in value.chars() {
                    if matches!(c, ']' | '\\') {
                        text.push('\\');
                    }
                    text.push(c);
                }
                text.push(']');
            }
        }
    }
    text + ")"
}

/// Text of any encoding that such files come in. Where the bytes are neither UTF-8 nor marked as
/// UTF-16 every byte is a Latin-1 letter; in the two-byte encodings of East Asia, whose second
/// bytes can look like `]` or `\`, a pair is one unknown letter. Games are made of plain letters,
/// so only names and comments suffer.
fn decode(bytes: &[u8]) -> String {
    let wide = |pair: fn([u8; 2]) -> u16, rest: &[u8]| {
        let units: Vec<_> = rest
            .chunks_exact(2)
            .map(|unit| pair([unit[0], unit[1]]))
            .collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => return wide(u16::from_le_bytes, rest),
        [0xFE, 0xFF, rest @ ..] => return wide(u16::from_be_bytes, rest),
        _ => {}
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.strip_prefix('\u{FEFF}').unwrap_or(text).to_owned();
    }
    let paired = is_paired(bytes);
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes.iter().copied();
    while let Some(byte) = rest.next() {
        let leads = paired && matches!(byte, 0x81..=0x9F | 0xE0..=0xFC);
        text.push(if leads && rest.next().is_some() {
            char::REPLACEMENT_CHARACTER
        } else {
            byte.into()
        });
    }
    text
}

/// Whether a file names one of the encodings whose second bytes can look like plain letters.
fn is_paired(bytes: &[u8]) -> bool {
    let name = bytes
        .windows(3)
        .position(|window| window == b"CA[")
        .map(|at| &bytes[at + 3..]);
    let name: String = name
        .into_iter()
        .flatten()
        .take_while(|&&byte| byte != b']')
        .take(20)
        .map(|&byte| char::from(byte))
        .collect();
    let name = name.to_ascii_lowercase();
    ["shift", "sjis", "big5", "gbk", "gb18030", "cp9"]
        .iter()
        .any(|known| name.contains(known))
}

struct Reader<'a> {
    text: &'a str,
    place: Place,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.text = &self.text[c.len_utf8()..];
        // A line ends with LF, CR, or both; the second of two ends nothing.
        let is_end = c == '\n' || c == '\r' && self.peek() != Some('\n');
        match is_end {
            true => {
                self.place = Place {
                    line: self.place.line + 1,
                    column: 1,
                }
            }
            false => self.place.column += 1,
        }
        Some(c)
    }

    fn skip_blanks(&mut self) {
        while self
            .peek()
            .is_some_and(|c| c.is_whitespace() || c == '\0' || c == '\u{FEFF}')
        {
            self.next();
        }
    }

    /// Goes to the next `(` that a `;` follows, whatever stands before it.
    fn skip_to_game(&mut self) -> bool {
        while let Some(c) = self.peek() {
            if c == '(' && self.text[1..].trim_start().starts_with(';') {
                return true;
            }
            self.next();
        }
        false
    }

    /// Reads a tree, with an explicit stack: deep nesting does not overflow the call stack.
    fn game(&mut self) -> Result<MainLine, SgfError> {
        /// An open tree of the file.
        struct Open {
            is_main: bool,
            has_branches: bool,
            place: Place,
        }
        let begin = self.place;
        let mut nodes: Vec<Node> = vec![];
        let mut places = Places::new();
        let mut open: Vec<Open> = vec![];
        loop {
            self.skip_blanks();
            let place = self.place;
            match self.peek() {
                Some('(') => {
                    self.next();
                    let is_main = open
                        .last()
                        .is_none_or(|tree| tree.is_main && !tree.has_branches);
                    if let Some(parent) = open.last_mut() {
                        parent.has_branches = true;
                    }
                    open.push(Open {
                        is_main,
                        has_branches: false,
                        place,
                    });
                }
                Some(')') => {
                    self.next();
                    open.pop();
                    if open.is_empty() {
                        return Ok(MainLine {
                            nodes,
                            place: begin,
                        });
                    }
                }
                Some(';') => {
                    self.next();
                    let tree = open.last().filter(|tree| !tree.has_branches);
                    let tree = tree.ok_or_else(|| {
                        SgfError::new(place, "a node after a variation: expected `(` or `)`")
                    })?;
                    if tree.is_main {
                        nodes.push(Node::default());
                        places.clear();
                    }
                }
                Some(c) if c.is_ascii_alphabetic() => {
                    let property = self.property()?;
                    let is_main = open
                        .last()
                        .is_some_and(|tree| tree.is_main && !tree.has_branches);
                    // A name without a capital is no name.
                    if is_main
                        && !property.name.is_empty()
                        && let Some(node) = nodes.last_mut()
                    {
                        add(node, &mut places, property)?;
                    }
                }
                Some(c) => {
                    let fault = format!(
                        "`{}`: expected a property, `;`, `(` or `)`",
                        c.escape_default()
                    );
                    return Err(SgfError::new(place, fault));
                }
                None => {
                    let from = open.last().map_or(begin, |tree| tree.place);
                    return Err(SgfError::new(
                        place,
                        format!("the file ends inside the game tree from {from}"),
                    ));
                }
            }
        }
    }

    /// Reads a name and its values.
    fn property(&mut self) -> Result<Property, SgfError> {
        let place = self.place;
        let mut name = String::new();
        while let Some(c) = self.peek().filter(char::is_ascii_alphanumeric) {
            // Old programs write `Black` for `B`: only capitals (and digits, which some add) count.
            if !c.is_ascii_lowercase() {
                name.push(c);
            }
            self.next();
        }
        let mut values = vec![];
        loop {
            self.skip_blanks();
            if self.peek() != Some('[') {
                break;
            }
            values.push(self.value()?);
        }
        if values.is_empty() {
            return Err(SgfError::new(
                self.place,
                format!("property {name}: expected `[`"),
            ));
        }
        Ok(Property {
            name,
            values,
            place,
        })
    }

    /// Reads `[text]`. A backslash takes the next letter as it is, and joins lines.
    fn value(&mut self) -> Result<String, SgfError> {
        let place = self.place;
        self.next();
        let mut value = String::new();
        loop {
            let c = self
                .next()
                .ok_or_else(|| SgfError::new(place, "a value without its `]`"))?;
            match c {
                ']' => return Ok(value),
                '\\' => match self.next() {
                    Some('\r') if self.peek() == Some('\n') => {
                        self.next();
                    }
                    Some('\n' | '\r') | None => {}
                    Some(c) => value.push(c),
                },
                '\r' if self.peek() == Some('\n') => {}
                '\r' => value.push('\n'),
                c => value.push(c),
            }
        }
    }
}

/// Index of each property in the node that is being read, by its name. A search through the node
/// instead would need quadratic time for a node with many properties.
type Places = HashMap<String, usize>;

/// Adds a property; old programs split lists over several of the same name.
fn add(node: &mut Node, places: &mut Places, property: Property) -> Result<(), SgfError> {
    const LISTS: [&str; 3] = ["AB", "AW", "AE"];
    match places.entry(property.name.clone()) {
        Entry::Vacant(place) => {
            place.insert(node.properties.len());
            node.properties.push(property);
        }
        Entry::Occupied(place) if LISTS.contains(&property.name.as_str()) => {
            node.properties[*place.get()].values.extend(property.values);
        }
        // The first one counts; of two moves none may be lost silently.
        Entry::Occupied(_) if matches!(property.name.as_str(), "B" | "W") => {
            return Err(SgfError::new(
                property.place,
                format!("a second {} in one node", property.name),
            ));
        }
        Entry::Occupied(_) => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn main_line(text: &[u8]) -> Vec<String> {
        let games = parse(text).unwrap();
        games.iter().map(|game| write(&game.nodes)).collect()
    }

    fn fault(text: &str) -> (usize, usize, String) {
        let error = parse(text.as_bytes()).unwrap_err();
        (error.place.line, error.place.column, error.fault)
    }

    #[test]
    fn the_main_line_is_the_first_of_all_variations() {
        let text =
            b"(;GM[1](;B[aa](;W[bb];B[cc])(;W[dd]))(;B[ee](;W[ff]))) junk (\n;B[gg]) (no game)";
        assert_eq!(main_line(text), ["(;GM[1];B[aa];W[bb];B[cc])", "(;B[gg])"]);
    }

    #[test]
    fn what_real_files_contain_survives() {
        assert_eq!(
            main_line(b"From: x\n\n( ;GaMe[1]\r\nSiZe [9]\t;Black[dd]\r\n;White[]\r\n)"),
            ["(;GM[1]SZ[9];B[dd];W[])"]
        );
        assert_eq!(
            main_line(b"\xEF\xBB\xBF(;C[\xC3\xA9])"),
            ["(;C[é])"],
            "UTF-8 with a mark"
        );
        assert_eq!(main_line(b"(;C[\xE9])"), ["(;C[é])"], "Latin-1");
        assert_eq!(
            main_line(b"(;CA[Shift_JIS]C[\x95\x5C\x83\x5D]B[aa])"),
            ["(;CA[Shift_JIS]C[\u{FFFD}\u{FFFD}]B[aa])"]
        );
        let wide: Vec<u8> = "\u{FEFF}(;C[ä])"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(main_line(&wide), ["(;C[ä])"]);
        assert_eq!(main_line(b"(;AB[aa]AB[bb]C[x]C[y])"), ["(;AB[aa][bb]C[x])"]);
        assert_eq!(main_line(b"(;junk[1]B[aa])"), ["(;B[aa])"]);
    }

    #[test]
    fn escapes_are_undone_and_made() {
        let games = parse(b"(;C[a\\]b\\\\c\\:d\\\ne\r\nf\\\r\ng])").unwrap();
        assert_eq!(games[0].nodes[0].properties[0].values, ["a]b\\c:de\nfg"]);
        assert_eq!(
            parse(write(&games[0].nodes).as_bytes()).unwrap()[0].nodes,
            games[0].nodes
        );
    }

    #[test]
    fn faults_are_named_with_their_place() {
        assert_eq!(fault(""), (1, 1, "no game: expected `(;`".into()));
        assert_eq!(
            fault("(;B[aa]"),
            (
                1,
                8,
                "the file ends inside the game tree from line 1, column 1".into()
            )
        );
        assert_eq!(
            fault("(;B[aa]\n(;W[bb\\]"),
            (2, 4, "a value without its `]`".into())
        );
        assert_eq!(
            fault("(;B\n;W[aa])"),
            (2, 1, "property B: expected `[`".into())
        );
        assert_eq!(
            fault("(;B[aa]\r\n  ?)"),
            (2, 3, "`?`: expected a property, `;`, `(` or `)`".into())
        );
        assert_eq!(fault("(;B[aa](;W[bb]);B[cc])").0, 1);
        assert_eq!(
            fault("(;B[aa]B[bb])"),
            (1, 8, "a second B in one node".into())
        );
    }

    #[test]
    fn nesting_has_no_limit() {
        let deep = "(;B[aa]".repeat(100_000) + &")".repeat(100_000);
        assert_eq!(parse(deep.as_bytes()).unwrap()[0].nodes.len(), 100_000);
    }

    #[test]
    fn a_node_has_any_number_of_properties() {
        const MANY: usize = 100_000;
        let many: String = (0..MANY).map(|number| format!("X{number}[]")).collect();
        let games = parse(format!("(;AB[aa]{many}AB[bb]X7[y];B[cc]{many}W[dd])").as_bytes());
        let nodes = &games.unwrap()[0].nodes;
        let lengths: Vec<usize> = nodes.iter().map(|node| node.properties.len()).collect();
        assert_eq!(lengths, [MANY + 1, MANY + 2]);
        assert_eq!(nodes[0].properties[0].values, ["aa", "bb"]);
        assert_eq!(nodes[0].get("X7").unwrap().values, [""], "the first counts");
        assert_eq!(
            fault(&format!("(;B[aa]{many}B[bb])")).2,
            "a second B in one node"
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes);
        }

        #[test]
        fn anything_that_looks_like_a_game_is_read_or_refused(text in r"\(;([();BW\[\]\\: a-dA-C\n\r]|B\[[a-j]{0,3}\]|AB\[aa:cc\]){0,60}\)?") {
            if let Ok(games) = parse(text.as_bytes()) {
                for game in games {
                    let again = parse(write(&game.nodes).as_bytes()).unwrap();
                    prop_assert_eq!(again.len(), 1);
                    prop_assert_eq!(write(&again[0].nodes), write(&game.nodes));
                }
            }
        }
    }
}
