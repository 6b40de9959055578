//! No input from outside panics: banks, records, positions, moves, options.

use dojo_core::bank::{Bank, ENTRY, HEADER, HEADER_CRC, header_crc};
use dojo_core::belt::Belt;
use dojo_core::game::{Game, GameMove, Player, Rules};
use dojo_core::games::thinking::{Question, answer};
use dojo_core::games::{AnyRules, GameId, Iwoki, IwokiRules, iwoki};
use dojo_core::record::{self, Recorded};
use dojo_core::with_game;
use proptest::prelude::*;

const SHIPPED: &[u8] = include_bytes!("../../models/dojo.bank");

/// Uses a bank the way the console does.
fn use_bank(bytes: &[u8]) {
    let Ok(bank) = Bank::new(bytes) else { return };
    assert!(bank.bytes().len() <= bytes.len());
    for entry in bank.entries() {
        let _ = (
            entry.meta.name().len(),
            entry.meta.numbers(),
            entry.payload().is_ok(),
        );
    }
    for game in GameId::ALL.map(|id| AnyRules::new(id).start()) {
        for belt in [Belt::White, Belt::Yellow] {
            let answer = answer(
                &Question {
                    game,
                    belt,
                    seed: 1,
                    may_resign: true,
                    ancestor: None,
                },
                Some(&bank),
            )
            .expect("the game is on");
            assert!(answer.index().is_some_and(|index| game.is_legal(index)));
        }
    }
}

/// Bytes of the shipped bank's header and table.
fn table_end() -> usize {
    HEADER + Bank::new(SHIPPED).unwrap().entries().count() * ENTRY
}

fn seal(bytes: &mut [u8]) {
    let entries = usize::from(u16::from_le_bytes([bytes[10], bytes[11]]));
    let Some(table) = bytes.get(HEADER..HEADER + entries * ENTRY) else {
        return;
    };
    let crc = header_crc(&bytes[..HEADER], table);
    bytes[HEADER_CRC..HEADER].copy_from_slice(&crc.to_le_bytes());
}

/// Parses a text with every parser of a game.
fn read_all<G: Game>(text: &str) {
    let mut rules = G::Rules::default();
    if let Some((key, value)) = text.split_once('=') {
        let _ = rules.set(key, value);
    }
    let game = G::new(rules);
    if let Ok(mv) = game.parse_move(text) {
        assert_eq!(G::Move::from_index(mv.index()), Some(mv));
        let _ = { game.clone() }.play(mv);
    }
    if let Ok(position) = G::parse_position(rules, text) {
        assert_eq!(
            G::parse_position(rules, &position.to_string()),
            Ok(position)
        );
    }
    if let Err(error) = record::replay::<G>(text, |_, _| {}) {
        assert!(error.line >= 1 && error.line <= text.lines().count().max(1));
        let _ = error.to_string();
    }
}

fn read_iwoki(text: &str) {
    if let Err(error) = iwoki::record::replay(text) {
        assert!(
            error.line >= 1 && error.line <= text.lines().count().max(1),
            "{error} {text}"
        );
        let _ = error.to_string();
    }
}

fn read_in_all_games(text: &str) {
    read_iwoki(text);
    for id in GameId::ALL {
        with_game!(id, G => read_all::<G>(text));
    }
}

/// Words of records, and words that resemble them.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        (0u8..5, 0u8..9).prop_map(|(row, count)| format!("{row}:{count}")),
        "[a-d][0-4]",
        "[xo.]{3}/[xo.]{3}/[xo.]{3}",
        "[0-8]-[0-8]-[0-8] (first|second)",
        "(rows|misere|size)=(yes|no|[0-9],[0-9],[0-9]|[0-9,]{0,8})",
        "[hv][0-6][0-6]",
        "[.-]{1,2}/[.|12]{3,5}/[.-]{1,2} (first|second)",
        "(ties|size)=(draw|starter-loses|[0-6]x[0-6])",
        "(form|deal)=(normal|open|[0-9]{1,21})",
        "(sp|hp)[0-9]{1,2}:[0-6*]{3,6}[+-]?:H[0-9]{1,2}(_H[0-9]{1,2}_H[0-9]{1,2})?",
        "(first|second) (drew|-) [0-3] (-|first) [0-9]{1,2} [0-3] [a-m]{0,9} [A-U]{0,3}",
        "[A-KT][0-9]{1,2}|pass",
        "([.XO]{5}/){4}[.XO]{5} (black|white)( after [A-E][1-5] pass)?",
        "(komi|ko|handicap|size)=(-?[0-9]{0,2}(\\.[05])?|simple|positional)",
        "(game|result|first|second|draw|pass|sticks|tictactoe|dots|iwoki|go|#)",
        "\\PC{0,6}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_a_bank_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        use_bank(&bytes);
    }

    #[test]
    fn any_header_and_table_with_a_right_checksum(
        changes in prop::collection::vec((0..table_end(), any::<u8>()), 1..6),
        length in prop_oneof![0..=table_end(), 0..=SHIPPED.len()],
    ) {
        let mut bytes = SHIPPED.to_vec();
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        seal(&mut bytes);
        use_bank(&bytes);
        use_bank(&bytes[..length]);
    }

    #[test]
    fn any_text(text in "\\PC{0,60}") {
        read_in_all_games(&text);
    }

    #[test]
    fn any_lines_of_almost_right_words(
        header in "(game (sticks|tictactoe|dots|iwoki|go)|)( rows=[0-8],[0-8]| size=[1-5]x[1-5]| size=[579])?",
        words in prop::collection::vec((word(), "[ \\n]"), 0..40),
    ) {
        let body: String = words.iter().map(|(word, blank)| word.clone() + blank).collect();
        read_in_all_games(&format!("{header}\n{body}"));
        for (word, _) in &words {
            read_in_all_games(word);
        }
    }

    #[test]
    fn any_record_of_iwoki_with_changed_words(
        deal in 0u64..50,
        length in 0usize..30,
        changes in prop::collection::vec((0usize..200, "(A|B|place|draw|gain|pass|score|end|first|deal|sp[0-9]{1,2}|hp[0-9]{1,2}|[0-6*]{6}|[1-4]{3}[+-]|H[0-9]{1,2}|H1_H4_H5|#|)"), 0..3),
    ) {
        let mut game = Iwoki::new(IwokiRules { deal, ..Default::default() });
        let mut moves = vec![];
        for _ in 0..length {
            let Some(mv) = game.legal_moves().nth(changes.len()).or(game.legal_moves().next()) else { break };
            game.play(mv).unwrap();
            moves.push(mv.index());
        }
        let mut text = String::new();
        Iwoki::write_record(&mut text, game.rules(), Player::First, moves).unwrap();
        iwoki::record::replay(&text).unwrap();
        let mut words: Vec<String> = text.split_inclusive([' ', '\n']).map(str::to_owned).collect();
        for (at, word) in changes {
            let at = at % words.len();
            let blank = words[at].pop().unwrap();
            words[at] = format!("{word}{blank}");
        }
        read_iwoki(&words.concat());
    }
}
