//! The bank reader against every kind of damage to the shipped bank.

use dojo_core::bank::{
    Bank, BankError, CodeField, ENTRY, HEADER, HEADER_CRC, Kind, Meta, header_crc,
};
use dojo_core::belt::Belt;
use dojo_core::game::Game;
use dojo_core::games::thinking::{Question, answer};
use dojo_core::games::{AnyGame, Dots, DotsRules, GameId, Go, GoRules};
use dojo_core::players::belts::{Belted, Source};
use dojo_core::with_game;

const SHIPPED: &[u8] = include_bytes!("../../models/dojo.bank");

fn refusal(bytes: &[u8]) -> BankError {
    Bank::new(bytes)
        .map(|_| ())
        .expect_err("this bank must be refused")
}

/// The shipped bank with some bytes of the table changed and the checksum corrected.
fn with_entry_bytes(entry: usize, offset: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = SHIPPED.to_vec();
    let at = HEADER + entry * ENTRY + offset;
    bytes[at..at + new.len()].copy_from_slice(new);
    seal(&mut bytes);
    bytes
}

fn seal(bytes: &mut [u8]) {
    let table_end = HEADER + usize::from(u16::from_le_bytes([bytes[10], bytes[11]])) * ENTRY;
    let crc = header_crc(&bytes[..HEADER], &bytes[HEADER..table_end]);
    bytes[HEADER_CRC..HEADER].copy_from_slice(&crc.to_le_bytes());
}

#[test]
fn the_shipped_bank_has_all_belts_of_sticks_and_dots() {
    let bank = Bank::new(SHIPPED).unwrap();
    assert_eq!(bank.bytes().len(), SHIPPED.len());
    assert_eq!(bank.entries().count(), 41);
    for belt in Belt::ALL {
        for (game, bytes) in [(GameId::Sticks, 192), (GameId::Dots, 40_960)] {
            let entry = bank.find(game, Kind::ValueTable, belt).unwrap();
            assert_eq!(
                (entry.meta.game, entry.meta.kind, entry.meta.belt),
                (game, Kind::ValueTable, Some(belt))
            );
            assert_eq!(entry.payload().unwrap().len(), bytes);
            assert!(entry.offset.is_multiple_of(16));
        }
    }
    let published = bank
        .entries()
        .find(|entry| entry.meta.kind == Kind::QTable)
        .unwrap();
    assert_eq!(
        (published.meta.belt, published.payload().unwrap().len()),
        (None, 49_152)
    );
    assert!(
        bank.find(GameId::TicTacToe, Kind::ValueTable, Belt::Black)
            .is_none()
    );
}

#[test]
fn the_belts_of_go_play_by_their_policies_on_every_board() {
    let bank = Bank::new(SHIPPED).unwrap();
    for (size, belt) in [(5, Belt::White), (7, Belt::Yellow), (9, Belt::Green)] {
        let question = Question {
            game: AnyGame::Go(Go::new(GoRules::new(size).unwrap())),
            belt,
            seed: 1,
            may_resign: false,
            ancestor: None,
        };
        let source = |bank| answer(&question, bank).unwrap().source;
        assert_eq!(
            [source(Some(&bank)), source(None)],
            [Source::Brain, Source::Rules]
        );
    }
}

#[test]
fn every_belts_model_fits_its_game() {
    let fits = |model: &Meta| match model.game {
        GameId::Dots => [2, 3, 5]
            .iter()
            .any(|&side| Dots::fits(DotsRules::new(side, side).unwrap(), model)),
        id => with_game!(id, G => G::fits(Default::default(), model)),
    };
    for entry in Bank::new(SHIPPED)
        .unwrap()
        .entries()
        .filter(|entry| entry.meta.belt.is_some())
    {
        assert!(fits(&entry.meta), "{}", entry.meta.name());
        let mut larger = entry.meta;
        let last = larger.dims.iter_mut().rfind(|dim| **dim > 0).unwrap();
        *last = last.saturating_mul(20);
        assert!(
            !fits(&larger),
            "{}, twenty times as large",
            entry.meta.name()
        );
    }
}

#[test]
fn truncation_is_noticed_at_every_length() {
    for length in 0..SHIPPED.len() {
        let error = refusal(&SHIPPED[..length]);
        match length {
            0..HEADER => assert_eq!(
                error,
                BankError::Short {
                    found: length,
                    expected: HEADER
                }
            ),
            _ => assert_eq!(
                error,
                BankError::Length {
                    found: length,
                    expected: SHIPPED.len()
                }
            ),
        }
    }
}

#[test]
fn bytes_behind_the_bank_are_ignored() {
    let mut flash = SHIPPED.to_vec();
    flash.resize(SHIPPED.len() + 4096, 0xFF);
    assert_eq!(Bank::new(&flash).unwrap().bytes(), SHIPPED);
}

#[test]
fn every_changed_byte_of_header_and_table_is_noticed() {
    let table = HEADER..HEADER + Bank::new(SHIPPED).unwrap().entries().count() * ENTRY;
    let mut file = SHIPPED.to_vec();
    // Also in flash, where more bytes follow the bank.
    let mut flash = SHIPPED.to_vec();
    flash.resize(2 << 20, 0xFF);
    for bytes in [&mut file, &mut flash] {
        for at in 0..table.end {
            for change in [0x01, 0x80, 0xFF] {
                bytes[at] ^= change;
                let error = refusal(bytes);
                if table.contains(&at) {
                    assert!(
                        matches!(error, BankError::HeaderCrc { .. }),
                        "byte {at}: {error}"
                    );
                }
                bytes[at] ^= change;
            }
        }
        assert!(Bank::new(bytes).is_ok(), "only the changes were refused");
    }
}

#[test]
fn every_changed_byte_of_a_payload_is_noticed_when_it_is_used() {
    let mut bytes = SHIPPED.to_vec();
    for (index, entry) in Bank::new(SHIPPED).unwrap().entries().enumerate() {
        // Every byte of small models, a few hundred of large ones.
        let step = entry.bytes().len().div_ceil(200);
        for at in (entry.offset..entry.offset + entry.bytes().len()).step_by(step) {
            bytes[at] ^= 1;
            let damaged = Bank::new(&bytes).unwrap().entries().nth(index).unwrap();
            let error = damaged.payload().expect_err("a damaged payload");
            assert!(
                matches!(error, BankError::PayloadCrc { entry, .. } if entry == index),
                "byte {at}: {error}"
            );
            bytes[at] ^= 1;
        }
        bytes[entry.offset] ^= 1;
        let damaged = Bank::new(&bytes)
            .unwrap()
            .entries()
            .filter(|entry| entry.payload().is_err())
            .count();
        assert_eq!(damaged, 1, "the other models of entry {index}'s bank");
        bytes[entry.offset] ^= 1;
    }
}

#[test]
fn foreign_files_and_blank_flash_are_told_apart() {
    assert_eq!(refusal(&[0xFF; 64]), BankError::Blank);
    assert_eq!(refusal(&[b'x'; 64]), BankError::Magic { found: [b'x'; 8] });
    let mut newer = SHIPPED.to_vec();
    newer[8] = 2;
    assert_eq!(
        refusal(&newer),
        BankError::Format {
            found: 2,
            expected: 1
        }
    );
}

#[test]
fn codes_without_meaning_are_named() {
    assert_eq!(
        refusal(&with_entry_bytes(1, 0, &[99])),
        BankError::Game {
            entry: 1,
            found: 99
        }
    );
    for (offset, field, name) in [
        (1, CodeField::Kind, "kind"),
        (2, CodeField::Belt, "belt"),
        (3, CodeField::NumberType, "number type"),
    ] {
        let error = refusal(&with_entry_bytes(2, offset, &[77]));
        assert_eq!(
            error,
            BankError::Code {
                entry: 2,
                field,
                found: 77
            }
        );
        assert_eq!(error.to_string(), format!("entry 2: unknown {name} 77"));
    }
    assert!(
        Bank::new(&with_entry_bytes(2, 2, &[0xFF])).is_ok(),
        "no belt is a meaning"
    );
}

#[test]
fn other_rules_are_named_with_both_versions() {
    let error = refusal(&with_entry_bytes(3, 4, &[7, 0]));
    assert_eq!(
        error,
        BankError::RulesVersion {
            entry: 3,
            game: GameId::Sticks,
            found: 7,
            expected: 1
        }
    );
    assert_eq!(
        error.to_string(),
        "entry 3: sticks rules version 7, expected 1"
    );
}

#[test]
fn names_are_plain_text_up_to_their_filling() {
    for name in [[b'a', 0, b'b', 0], [0xC3, 0xA4, 0, 0], [b'\n', 0, 0, 0]] {
        assert_eq!(
            refusal(&with_entry_bytes(0, 56, &name)),
            BankError::Name { entry: 0 }
        );
    }
    // A name may fill all 24 bytes.
    let full = with_entry_bytes(0, 56, &[b'n'; 24]);
    assert_eq!(
        Bank::new(&full)
            .unwrap()
            .entries()
            .next()
            .unwrap()
            .meta
            .name(),
        "n".repeat(24)
    );
}

#[test]
fn payloads_lie_inside_and_have_the_size_of_their_dimensions() {
    let total = SHIPPED.len() as u32;
    let table_end = (HEADER + Bank::new(SHIPPED).unwrap().entries().count() * ENTRY) as u32;
    for offset in [
        0,
        16,
        table_end - 16,
        table_end + 8,
        total - 16,
        total,
        u32::MAX - 15,
    ] {
        let error = refusal(&with_entry_bytes(0, 20, &offset.to_le_bytes()));
        assert!(
            matches!(error, BankError::Range { entry: 0, .. }),
            "{offset}: {error:?}"
        );
    }
    let error = refusal(&with_entry_bytes(0, 24, &191u32.to_le_bytes()));
    assert_eq!(
        error,
        BankError::Dimensions {
            entry: 0,
            found: 191,
            expected: 192
        }
    );
    let huge = [0xFF; 8]; // four dimensions of 65,535
    assert!(matches!(
        refusal(&with_entry_bytes(0, 8, &huge)),
        BankError::Dimensions { found: 192, .. }
    ));
    let error = refusal(&with_entry_bytes(0, 3, &[3]));
    assert_eq!(
        error,
        BankError::Dimensions {
            entry: 0,
            found: 192,
            expected: 384
        }
    );
    let error = refusal(&with_entry_bytes(0, 8, &[0; 8]));
    assert!(matches!(error, BankError::Dimensions { entry: 0, .. }));
}

#[test]
fn every_refusal_is_one_line() {
    let mut magic = SHIPPED.to_vec();
    magic[..8].copy_from_slice(b"\n\r\x1b[31m\"");
    let errors = [
        refusal(&[]),
        refusal(&magic),
        refusal(&with_entry_bytes(0, 0, &[9])),
        refusal(&[0xFF; 32]),
    ];
    for error in errors {
        let text = error.to_string();
        assert!(
            !text.is_empty() && !text.chars().any(char::is_control),
            "{text:?}"
        );
    }
}

/// Every offset and length up to beyond the end of a small bank, and the largest numbers: a model is
/// accepted if and only if its bytes lie behind the table, aligned, and inside the bank.
#[test]
fn every_extent_is_judged_by_its_bytes() {
    // One table of 192 bytes for sticks, the first model of the shipped bank.
    let (payload, behind) = (192u32, 64u32);
    let table_end = (HEADER + ENTRY) as u32;
    let total = table_end + payload + behind;
    let mut small = SHIPPED[..total as usize].to_vec();
    small[10..12].copy_from_slice(&1u16.to_le_bytes());
    small[12..16].copy_from_slice(&total.to_le_bytes());
    seal(&mut small);
    let first = Bank::new(SHIPPED).unwrap().entries().next().unwrap();
    assert_eq!(first.bytes().len(), payload as usize);
    let edges = [
        u32::MAX - 16,
        u32::MAX - 15,
        u32::MAX - 1,
        u32::MAX,
        1 << 31,
    ];
    let near = || {
        (0..total + 40)
            .chain(edges)
            .chain((9..31).map(|bit| 1 << bit))
    };
    let mut accepted = 0;
    for offset in near() {
        for length in [
            0,
            1,
            payload - 1,
            payload,
            payload + 1,
            u32::MAX - offset,
            u32::MAX,
        ] {
            let entry = &mut small[HEADER..HEADER + ENTRY];
            entry[20..24].copy_from_slice(&offset.to_le_bytes());
            entry[24..28].copy_from_slice(&length.to_le_bytes());
            seal(&mut small);
            let fits = length == payload
                && offset % 16 == 0
                && offset >= table_end
                && u64::from(offset) + u64::from(length) <= u64::from(total);
            let bank = Bank::new(&small);
            assert_eq!(bank.is_ok(), fits, "{length} bytes at {offset}");
            accepted += u32::from(fits);
        }
    }
    assert_eq!(accepted, behind / 16 + 1);
}
