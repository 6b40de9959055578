//! The events in the log of a device: a name and the wire form, as `firmware/src/event_log.rs`
//! writes them.

use dojo_core::players::belts::Thoughts;
use dojo_handheld::{Event, wire};

/// Reads the event in a line of the log; `None` if the line holds none.
pub fn event<T>(line: &str, read: impl FnOnce(Event<'_>) -> T) -> Option<T> {
    let (_, list) = line.strip_prefix("event ")?.split_once(" [")?;
    let bytes = list.strip_suffix(']')?.split(", ").map(str::parse);
    let bytes: Vec<u8> = bytes.collect::<Result<_, _>>().ok()?;
    wire::decode(&bytes, &mut Thoughts::new()).map(read)
}

/// A line of the log with its event in words.
pub fn readable(line: &str) -> String {
    event(line, |event| format!("event {event:?}")).unwrap_or_else(|| line.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_events_are_put_into_words() {
        let mut buffer = [0; wire::MAX_WIRE];
        let bytes = wire::encode(&Event::Trouble("No power"), &mut buffer).expect("there is room");
        let line = format!("event Trouble {bytes:?}");
        assert_eq!(readable(&line), r#"event Trouble("No power")"#);
        for line in ["frame menu: 1 + 2 us", "event Ready [200]", "event Ready"] {
            assert_eq!(readable(line), line);
        }
    }
}
