//! The log: every event that the console is told, so that the same events can be told to a console elsewhere, and
//! every picture that was sent.

use dojo_core::games::pupil::{Figures, LESSONS};
use dojo_core::players::belts::Source;
use dojo_handheld::{Abilities, BankTest, Battery, BrainCard, Event, FlashTest, Press};

/// Logs how often the console has been told the time.
pub(crate) fn ticks(count: u32) {
    defmt::debug!("ticks {=u32}", count);
}

/// Logs an event before it is told.
pub(crate) fn event(event: &Event<'_>) {
    match *event {
        // 20 a second: `ticks` counts those before the next line instead.
        Event::Tick(_) => {}
        Event::Seed(seed) => defmt::debug!("event seed {=u64}", seed),
        Event::Press(Press::Down(button)) => defmt::debug!("event down {=str}", button.name()),
        Event::Press(Press::Held(button)) => defmt::debug!("event held {=str}", button.name()),
        Event::Answer { id, answer: None } => defmt::debug!("event answer {=u32} none", id),
        Event::Answer {
            id,
            answer: Some(answer),
        } => {
            let source = match answer.source {
                Source::Brain => "brain",
                Source::Rules => "rules",
            };
            match answer.index() {
                Some(index) => {
                    defmt::debug!("event answer {=u32} {=u16} {=str}", id, index, source);
                }
                None => defmt::debug!("event answer {=u32} resign {=str}", id, source),
            }
        }
        Event::Mind { id, thoughts, done } => {
            // A few at a time: a line has to fit the buffer of the log.
            for part in thoughts.chunks(8) {
                let mut words = [0; 16];
                for (word, thought) in words.chunks_exact_mut(2).zip(part) {
                    word.copy_from_slice(&[thought.index, thought.value]);
                }
                defmt::debug!("thoughts {=[?]}", words[..2 * part.len()]);
            }
            defmt::debug!("event mind {=u32} {=bool}", id, done);
        }
        Event::Measured { search, playouts } => defmt::debug!(
            "event measured {=u32} {=u32} {=u32} {=u32}",
            search.count,
            search.micros,
            playouts.count,
            playouts.micros
        ),
        Event::Restore(slot, bytes) => {
            defmt::debug!("event restore {=u8} {=[u8]:02x}", slot as u8, bytes)
        }
        Event::Learned { id, figures, done } => {
            let Figures {
                games,
                sure,
                wrong,
                strength,
                against_random,
            } = figures;
            defmt::debug!(
                "event learned {=u32} {=u32} {=u16} {=u16} {=u16} {=u16} {=bool}",
                id,
                games,
                sure,
                wrong,
                strength,
                against_random,
                done
            );
        }
        Event::Brains(brains) => {
            for (game, card) in LESSONS.iter().zip(brains.cards) {
                if let Some(BrainCard {
                    name: _,
                    seed,
                    games,
                    crc,
                    date,
                    strength,
                }) = card
                {
                    let number = *game as u8;
                    defmt::debug!(
                        "brain {=u8} {=u64} {=u64} {=u32} {=u32} {=u16} {=str}",
                        number,
                        seed,
                        games,
                        crc,
                        date,
                        strength,
                        card.as_ref().map_or("", |card| card.name())
                    );
                }
            }
            defmt::debug!(
                "event brains {=u8}",
                brains.last.map_or(0, |game| game as u8)
            );
        }
        Event::Card(None) => defmt::debug!("event card none"),
        Event::Card(Some(card)) => defmt::debug!(
            "event card {=u64} {=u64} {=u32} {=u32} {=u16} {=str}",
            card.seed,
            card.games,
            card.crc,
            card.date,
            card.strength,
            card.name()
        ),
        Event::Bank(Ok(card)) => {
            defmt::debug!("event bank {=u16} {=u32:08x}", card.entries, card.crc)
        }
        Event::Bank(Err(_)) => defmt::debug!("event bank refused"),
        Event::Trouble(text) => defmt::warn!("event trouble {=str}", text),
        Event::Abilities(Abilities {
            sound,
            flash,
            boot_loader,
        }) => defmt::debug!(
            "event abilities {=bool} {=bool} {=bool}",
            sound,
            flash,
            boot_loader
        ),
        Event::FlashTested(FlashTest { bank, saves }) => {
            let (bank, number) = match bank {
                BankTest::Refused => ("refused", 0),
                BankTest::Whole(models) => ("whole", models),
                BankTest::Damaged(entry) => ("damaged", entry),
            };
            defmt::debug!("event flash {=str} {=u16} {=bool}", bank, number, saves);
        }
        Event::Battery(Battery {
            millivolts,
            charging,
        }) => defmt::debug!("event battery {=u16} {=bool}", millivolts, charging),
        Event::Ready => defmt::debug!("event ready"),
    }
}
