//! The log of events: every event that the console is told, in its wire form, so that the same
//! events can be told to a console elsewhere.
//!
//! A name and the bytes of [`wire`] rather than a text for each kind of event: the other end reads
//! all of them with one function.

use dojo_handheld::{Event, wire};

/// Logs how often the console has been told the time.
pub(crate) fn ticks(count: u32) {
    defmt::debug!("ticks {=u32}", count);
}

/// Logs an event before it is told. Ticks come 20 times a second: [`ticks`] counts them before the
/// next line instead.
///
/// Not inlined, so that its buffer is off the stack before the console handles the event.
#[inline(never)]
pub(crate) fn event(event: &Event<'_>) {
    if matches!(event, Event::Tick(_)) {
        return;
    }
    let mut buffer = [0; wire::MAX_WIRE];
    // It is long enough.
    if let Some(bytes) = wire::encode(event, &mut buffer) {
        defmt::debug!("event {=str} {=[u8]}", event.name(), bytes);
    }
}
