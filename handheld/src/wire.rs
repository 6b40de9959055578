//! The wire form of events and questions (postcard): for the log of the device, between a page and
//! its worker, and for tests that tell recorded events to another console.
//!
//! Both ends are always of the same version, so the bytes may change with any version.

use dojo_core::belt::Belt;
use dojo_core::games::thinking::Question;
use dojo_core::players::belts::{Thought, Thoughts};
use serde::{Deserialize, Serialize};

use crate::event::{Event, Purpose};
use crate::store::MAX_BYTES;
use crate::thinking::ThinkJob;
use crate::{Console, Session};

/// Enough for every event and every question: the longest carry a saved game.
pub const MAX_WIRE: usize = MAX_BYTES + 32;

/// Writes an event; `None` if the buffer is shorter than [`MAX_WIRE`] and too short.
pub fn encode<'b>(event: &Event<'_>, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    // Not inside the event: a list of thoughts cannot be borrowed from bytes.
    let thoughts: &[Thought] = match event {
        Event::Mind { thoughts, .. } | Event::Progress { thoughts, .. } => thoughts,
        _ => &[],
    };
    write(&(event, thoughts), buffer)
}

/// Reads an event; its thoughts, if it has any, are put into the list. `None` if the bytes are no
/// event.
pub fn decode<'a>(bytes: &'a [u8], thoughts: &'a mut Thoughts) -> Option<Event<'a>> {
    let (event, rest) = postcard::take_from_bytes::<Event<'a>>(bytes).ok()?;
    *thoughts = whole(rest)?;
    Some(match event {
        Event::Mind { id, done, .. } => Event::Mind { id, thoughts, done },
        Event::Progress { id, share, .. } => Event::Progress {
            id,
            share,
            thoughts,
        },
        other => other,
    })
}

/// A question for a thinking side that shares no memory with the console. The position goes as a
/// saved game.
#[derive(Serialize, Deserialize)]
struct Request<'a> {
    id: u32,
    purpose: Purpose,
    belt: Belt,
    seed: u64,
    may_resign: bool,
    ancestor: Option<u8>,
    game: &'a [u8],
}

/// Writes the question that a [`crate::Command::Think`] stands for; `None` if nobody waits for its
/// answer any more.
pub fn encode_question<'b>(
    console: &Console,
    id: u32,
    purpose: Purpose,
    buffer: &'b mut [u8],
) -> Option<&'b [u8]> {
    let Question {
        belt,
        seed,
        may_resign,
        ancestor,
        ..
    } = console.question(id)?;
    let mut game = [0; MAX_BYTES];
    let request = Request {
        id,
        purpose,
        belt,
        seed,
        may_resign,
        ancestor,
        game: console.asked_session(id)?.kept(&mut game)?,
    };
    write(&request, buffer)
}

/// Reads a question and how it is to be served; `None` if the bytes are none.
pub fn decode_question(bytes: &[u8]) -> Option<(ThinkJob, Question)> {
    let Request {
        id,
        purpose,
        belt,
        seed,
        may_resign,
        ancestor,
        game,
    } = whole(bytes)?;
    let game = *Session::from_kept(game)?.game();
    let question = Question {
        game,
        belt,
        seed,
        may_resign,
        ancestor,
    };
    Some((ThinkJob::new(id, purpose), question))
}

/// Writes a value; `None` if the buffer is too short.
pub(crate) fn write<'b>(value: &impl Serialize, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    postcard::to_slice(value, buffer).ok().map(|bytes| &*bytes)
}

/// A value that takes up all of the bytes.
pub(crate) fn whole<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<T> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{
        Abilities, BankCard, BankTest, Battery, BrainCard, Brains, Command, FlashTest, Slot,
    };
    use crate::exercise::Games;
    use crate::input::{Button, Press};
    use crate::touch::Target;
    use dojo_core::bank::exercises::MAX_RECORD;
    use dojo_core::bank::{BankError, NAME};
    use dojo_core::games::GameId;
    use dojo_core::games::pupil::{BOARDS, Duel, Figures};
    use dojo_core::games::speed::Speed;
    use dojo_core::players::belts::{Answer, Decision, MAX_THOUGHTS, Source};

    /// Every kind of event, with the longest values.
    fn events(check: &mut dyn FnMut(Event<'_>)) {
        let card = BrainCard {
            name: [b'x'; NAME],
            seed: u64::MAX,
            games: u64::MAX,
            crc: u32::MAX,
            date: u32::MAX,
            strength: u16::MAX,
        };
        let speed = Speed {
            count: u32::MAX,
            micros: u32::MAX,
        };
        let thoughts: heapless::Vec<Thought, MAX_THOUGHTS> = (0..MAX_THOUGHTS as u16)
            .map(|index| Thought {
                index: u16::MAX - index,
                value: 1000 - index,
                visits: u8::MAX - index as u8,
            })
            .collect();
        let answer = |decision| {
            Some(Answer {
                decision,
                source: Source::Brain,
                grounds: Default::default(),
            })
        };
        check(Event::Press(Press::Down(Button::Y)));
        check(Event::Press(Press::Held(Button::B)));
        check(Event::Tick(u32::MAX));
        check(Event::Seed(u64::MAX));
        for answer in [
            None,
            answer(Decision::Resign),
            answer(Decision::Play(u16::MAX)),
        ] {
            check(Event::Answer {
                id: u32::MAX,
                answer,
            });
        }
        for length in [0, 1, MAX_THOUGHTS] {
            check(Event::Mind {
                id: u32::MAX,
                thoughts: &thoughts[..length],
                done: true,
            });
            check(Event::Progress {
                id: u32::MAX,
                share: 1000,
                thoughts: &thoughts[..length],
            });
        }
        check(Event::Press(Press::Up(Button::X)));
        check(Event::Learned {
            id: 1,
            figures: Figures {
                games: 2,
                sure: 3,
                wrong: 4,
                strength: 5,
                against_random: 6,
                boards: [u16::MAX; BOARDS],
                duel: Some(Duel {
                    belt: Belt::Black,
                    won: 7,
                    passed: true,
                }),
            },
            done: false,
        });
        check(Event::Brains(Brains {
            cards: [Some(card); _],
            last: Some(GameId::Dots),
        }));
        check(Event::Measured {
            search: speed,
            playouts: speed,
        });
        check(Event::Restore(Slot::Game(GameId::Go), &[0xA5; MAX_BYTES]));
        check(Event::Card(Some(card)));
        check(Event::Exercise {
            count: u16::MAX,
            record: &[0xA5; MAX_RECORD],
        });
        check(Event::Bank(Ok(BankCard {
            entries: 7,
            crc: u32::MAX,
            puzzles: Games::default(),
            lessons: Games::default(),
        })));
        check(Event::Bank(Err(BankError::Magic { found: [9; 8] })));
        check(Event::Trouble(core::str::from_utf8(&[b'x'; 120]).unwrap()));
        check(Event::Abilities(Abilities {
            sound: true,
            motion: true,
            flash: false,
            boot_loader: true,
        }));
        check(Event::FlashTested(FlashTest {
            bank: BankTest::Damaged(3),
            saves: true,
        }));
        check(Event::Battery(Battery {
            millivolts: 3999,
            charging: true,
        }));
        check(Event::Ready);
        for target in [
            Target::Row(-3),
            Target::Place(u16::MAX),
            Target::Item(1),
            Target::Button(Button::A),
        ] {
            check(Event::Point(target));
            check(Event::Tap(target));
        }
        check(Event::Show(&[0xA5; MAX_BYTES]));
    }

    #[test]
    fn every_event_comes_back() {
        let mut kinds = heapless::Vec::<&str, 32>::new();
        events(&mut |event| {
            let mut buffer = [0; MAX_WIRE];
            let bytes = encode(&event, &mut buffer).unwrap();
            assert_eq!(decode(bytes, &mut Thoughts::new()), Some(event));
            for length in 0..bytes.len() {
                assert_eq!(decode(&bytes[..length], &mut Thoughts::new()), None);
            }
            if !kinds.contains(&event.name()) {
                kinds.push(event.name()).unwrap();
            }
        });
        assert_eq!(kinds.len(), 21, "a kind of event is missing");
    }

    #[test]
    fn a_question_comes_back() {
        let mut console = Console::new(1);
        console.handle(Event::Ready);
        // The menu, a new game, and a move: then it is the machine's turn.
        for _ in 0..16 {
            console.handle(Event::Press(Press::Down(Button::A)));
        }
        let thinks =
            core::iter::from_fn(|| console.next_command()).find_map(|command| match command {
                Command::Think { id, purpose, .. } => Some((id, purpose)),
                _ => None,
            });
        let (id, purpose) = thinks.expect("a question");
        let mut buffer = [0; MAX_WIRE];
        let bytes = encode_question(&console, id, purpose, &mut buffer).unwrap();
        let expected = (ThinkJob::new(id, purpose), console.question(id).unwrap());
        assert!(decode_question(bytes) == Some(expected));
        assert!(decode_question(&bytes[1..]).is_none());
        assert!(encode_question(&console, id + 1, purpose, &mut [0; MAX_WIRE]).is_none());
    }
}
