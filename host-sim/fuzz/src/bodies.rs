//! What each target does with its bytes.

use std::sync::OnceLock;
use std::time::Duration;

use dojo_core::bank::kept::Kept;
use dojo_core::bank::{Bank, ENTRY, HEADER, HEADER_CRC, header_crc};
use dojo_core::belt::Belt;
use dojo_core::game::{Game, GameMove, Rules};
use dojo_core::games::go::GoMove;
use dojo_core::games::go::clauses::{ClauseSet, ClauseView, Weighted};
use dojo_core::games::go::players::CapturePlayer;
use dojo_core::games::thinking::{Question, answer};
use dojo_core::games::{AnyRules, GameId, Go, GoRules, iwoki};
use dojo_core::players::Agent;
use dojo_core::players::belts::Thoughts;
use dojo_core::record;
use dojo_core::rng::Rng;
use dojo_core::with_game;
use dojo_handheld::trainer::Trainer;
use dojo_handheld::{
    Button, Console, Event, Frame, MAX_BYTES, Press, Screen, Session, Slot, save_file, wire,
};
use dojo_lab::bank::manifest as manifests;
use dojo_lab::games::go::gtp::engine::{Engine, Thinker};
use dojo_lab::games::go::gtp::protocol;
use dojo_lab::games::go::patterns::text;
use dojo_lab::games::go::{record as go_record, sgf as sgf_file};
use pico_image::Image;

use crate::seeds;

/// A bank as it is and with a right checksum of its header: then it is used the way the console
/// does.
pub(crate) fn bank(bytes: &[u8]) {
    use_bank(bytes);
    if bytes.len() < HEADER {
        return;
    }
    let mut sealed = bytes.to_vec();
    let entries = usize::from(u16::from_le_bytes([sealed[10], sealed[11]]));
    if let Some(table) = sealed.get(HEADER..HEADER + entries * ENTRY) {
        let crc = header_crc(&sealed[..HEADER], table);
        sealed[HEADER_CRC..HEADER].copy_from_slice(&crc.to_le_bytes());
        use_bank(&sealed);
    }
}

fn use_bank(bytes: &[u8]) {
    let Ok(bank) = Bank::new(bytes) else { return };
    assert!(bank.bytes().len() <= bytes.len());
    for entry in bank.entries() {
        let numbers = entry.meta.numbers();
        if let Ok(payload) = entry.payload() {
            assert!(numbers <= payload.len() && payload.len() <= bytes.len());
        }
        assert!(entry.meta.name().len() <= entry.meta.name.len());
    }
    // One game with each bank: a move of Go costs as much as a hundred banks.
    let id = GameId::ALL[bytes.len() % GameId::ALL.len()];
    let game = AnyRules::new(id).start();
    let belt = Belt::Yellow;
    let question = Question {
        game,
        belt,
        seed: 1,
        may_resign: true,
        ancestor: None,
    };
    let answer = answer(&question, Some(&bank)).expect("the game is on");
    assert!(answer.index().is_some_and(|index| game.is_legal(index)));
}

/// A region of kept brains with some bytes changed: four input bytes are an offset and a value.
pub(crate) fn brains(bytes: &[u8]) {
    static REGION: OnceLock<Vec<u8>> = OnceLock::new();
    let mut region = REGION.get_or_init(seeds::region).clone();
    for change in bytes.chunks_exact(4) {
        let &[low, middle, high, value] = change else {
            continue;
        };
        let at = u32::from_le_bytes([low, middle, high, 0]) as usize % region.len();
        region[at] = value;
    }
    if let Some(kept) = Kept::in_region(&region) {
        for entry in kept.bank.entries() {
            assert!(entry.payload().is_ok(), "a damaged brain");
        }
    }
    let trainer = Trainer::new(&region);
    let mut console = Console::new(1);
    console.handle(Event::Brains(trainer.brains()));
    console.handle(Event::Ready);
}

/// Clauses come back from their bytes, and are matched on two positions.
pub(crate) fn clauses(bytes: &[u8]) {
    let Ok(set) = ClauseSet::new(bytes) else {
        return;
    };
    let all: Vec<Weighted> = set.iter().collect();
    for weighted in &all {
        let written = weighted.to_bytes();
        assert_eq!(Weighted::from_bytes(&written).as_ref(), Ok(weighted));
    }
    let mut game = Go::new(GoRules::default());
    for _ in 0..2 {
        let view = ClauseView::new(&game);
        let _ = set.scores(&view);
        for index in [40, 30, 31, 39, 49, 21] {
            if let Some(mv) = GoMove::from_index(index) {
                let _ = game.play(mv);
            }
        }
    }
}

/// Plays at once and depends on its seed alone.
struct Quick(Rng);

impl Thinker for Quick {
    fn think(&mut self, game: &Go, _: Option<Duration>) -> Option<GoMove> {
        CapturePlayer.choose(game, &mut self.0)
    }

    fn seed(&mut self, seed: u64) {
        self.0 = Rng::new(seed);
    }
}

/// Lines for the GTP engine, and the same bytes as the answer of another program.
pub(crate) fn gtp(bytes: &[u8]) {
    let mut engine = Engine::new(Quick(Rng::new(1)), "fuzz", GoRules::default(), 1);
    let mut input = bytes;
    while let Ok(Some(line)) = protocol::read_line(&mut input) {
        // It reads a file of any name.
        if line.contains("loadsgf") {
            continue;
        }
        if let Some(reply) = engine.answer(&line) {
            assert!(reply.starts_with(['=', '?']) && reply.ends_with("\n\n"));
        }
        if engine.quits() {
            break;
        }
    }
    assert!(engine.game().plies() <= Go::MAX_PLIES);
    let mut input = bytes;
    while let Ok(Some(_)) = protocol::read_answer(&mut input) {}
}

/// Firmware as an ELF file.
pub(crate) fn image(bytes: &[u8]) {
    if let Ok(image) = Image::from_elf(bytes) {
        let _ = (image.check_boot2(), image.symbol("main"));
    }
}

/// The manifest of a bank; a fault has a line.
pub(crate) fn manifest(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Err((line, fault)) = manifests::parse(&text) {
        assert!(line <= text.lines().count().max(1) && !fault.is_empty());
    }
    let _ = (manifests::date(&text), manifests::ModelKind::parse(&text));
}

/// Rules of Go patterns: written and read they stay the same.
pub(crate) fn patterns(bytes: &[u8]) {
    let source = String::from_utf8_lossy(bytes);
    match text::RuleFile::parse(&source) {
        Ok(file) => {
            let written = file.to_string();
            assert_eq!(text::RuleFile::parse(&written), Ok(file), "{written}");
        }
        // What is missing at the end is missed in the line after the last one.
        Err(fault) => assert!((1..=source.lines().count() + 1).contains(&fault.line)),
    }
}

/// A text with every parser of every game.
pub(crate) fn record(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Err(error) = iwoki::record::replay(&text) {
        assert!((1..=text.lines().count().max(1)).contains(&error.line));
        let _ = error.to_string();
    }
    for id in GameId::ALL {
        with_game!(id, G => read_record::<G>(&text));
    }
}

fn read_record<G: Game>(text: &str) {
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
        let again = G::parse_position(rules, &position.to_string());
        assert_eq!(again, Ok(position));
    }
    if let Err(error) = record::replay::<G>(text, |_, _| {}) {
        assert!((1..=text.lines().count().max(1)).contains(&error.line));
        let _ = error.to_string();
    }
}

/// A save as a file, and its parts as slots without a checksum: a console takes them up, is drawn
/// and played, and keeps what it would take up again.
pub(crate) fn save(bytes: &[u8]) {
    let slots = save_file::parse(bytes).unwrap_or_else(|_| {
        let mut parts = bytes.chunks(bytes.len().div_ceil(Slot::ALL.len()).max(1));
        Slot::ALL.map(|_| parts.next().map(|part| &part[..part.len().min(MAX_BYTES)]))
    });
    let mut console = Console::new(1);
    for (slot, bytes) in Slot::ALL.into_iter().zip(slots) {
        if let Some(bytes) = bytes {
            console.handle(Event::Restore(slot, bytes));
        }
    }
    console.handle(Event::Ready);
    let mut buffers = [[0; MAX_BYTES]; Slot::ALL.len()];
    let kept = kept(&console, &mut buffers);
    let mut again = Console::new(1);
    for ((slot, kept), stored) in Slot::ALL.into_iter().zip(kept).zip(slots) {
        // Of games that are not on the board storage has the bytes, not the console.
        if let Some(bytes) = kept.or(stored) {
            again.handle(Event::Restore(slot, bytes));
        }
    }
    again.handle(Event::Ready);
    assert_ne!(again.screen_name(), "trouble", "its own save is refused");
    let mut buffers = [[0; MAX_BYTES]; Slot::ALL.len()];
    assert_eq!(kept, self::kept(&again, &mut buffers));
    if let Some(session) = console.session() {
        let mut record = String::new();
        session
            .write_record(&mut record)
            .expect("a string has room");
    }
    console.handle(Event::Press(Press::Down(Button::A)));
    console.handle(Event::Press(Press::Down(Button::A)));
    let screen = Screen::ALL[bytes.len() % 2];
    console.draw(&mut Frame::new(screen));
}

fn kept<'a>(
    console: &Console,
    buffers: &'a mut [[u8; MAX_BYTES]; Slot::ALL.len()],
) -> save_file::Slots<'a> {
    let mut kept = save_file::Slots::default();
    for ((slot, buffer), kept) in Slot::ALL.into_iter().zip(buffers).zip(&mut kept) {
        *kept = console.kept(slot, buffer);
    }
    kept
}

/// A collection of games: replayed, written, and replayed again.
pub(crate) fn sgf(bytes: &[u8]) {
    for line in sgf_file::parse(bytes).unwrap_or_default() {
        let Ok(replayed) = go_record::replay(&line, usize::MAX, |_, _| {}) else {
            continue;
        };
        let written = go_record::write(&replayed.end, &[("PB", "a]\\b")]);
        let again = sgf_file::parse(written.as_bytes()).expect("own SGF is read");
        assert_eq!(again.len(), 1);
        let again = go_record::replay(&again[0], usize::MAX, |_, _| {}).expect("and replayed");
        assert_eq!(again.end.stones(), replayed.end.stones(), "{written}");
    }
}

/// A UF2 file onto a chip.
pub(crate) fn uf2(bytes: &[u8]) {
    // A chip has megabytes: a new one for every input would be most of the work.
    thread_local! {
        static CHIP: std::cell::RefCell<Option<Image>> = const { std::cell::RefCell::new(None) };
    }
    CHIP.with_borrow_mut(|chip| {
        let _ = chip.get_or_insert_with(Image::blank).apply_uf2(bytes);
    });
}

/// An event or a question: read, written, read again, and told to a console with a game.
pub(crate) fn wire(bytes: &[u8]) {
    if let Some((job, question)) = wire::decode_question(bytes) {
        let _ = (job, question.game.outcome());
    }
    let mut thoughts = Thoughts::new();
    let Some(event) = wire::decode(bytes, &mut thoughts) else {
        return;
    };
    let mut buffer = [0; wire::MAX_WIRE];
    if let Some(written) = wire::encode(&event, &mut buffer) {
        let mut again = Thoughts::new();
        assert_eq!(wire::decode(written, &mut again), Some(event));
    }
    let mut console = Console::new(1);
    console.handle(Event::Ready);
    // The menu, a game, the mind view, and a hint.
    for button in [
        Button::A,
        Button::A,
        Button::B,
        Button::Up,
        Button::Up,
        Button::A,
        Button::X,
    ] {
        let press = Press::Down(button);
        console.handle(Event::Press(press));
        if let Some(end) = press.end() {
            console.handle(Event::Press(end));
        }
    }
    console.handle(event);
    console.handle(Event::Tick(5000));
    console.draw(&mut Frame::new(Screen::ALL[bytes.len() % 2]));
    let moves = console.session().map_or(&[][..], Session::moves);
    assert!(moves.len() <= dojo_core::games::MAX_PLIES);
}
