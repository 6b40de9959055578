//! The handheld for a browser page: plain exports, called by `page/dojo.mjs`.
//!
//! Numbers go in and out as arguments; bytes through two buffers: the page writes into [`inbox`]
//! and names the length, answers lie in the outbox ([`outbox`]) and the export returns their
//! length. Buttons come as levels, and the same `Keys` as on the device makes presses, repeats and
//! holding of them. The worker that thinks loads the same program and calls [`ask`] and [`serve`].

#![allow(
    unsafe_code,
    reason = "exported names are `unsafe(no_mangle)`; there is no unsafe block"
)]

use std::cell::RefCell;
use std::fmt::Write as _;

use dojo_core::bank::{Bank, BankError};
use dojo_core::belt::Belt;
use dojo_core::games::speed;
use dojo_core::games::speed::Speed;
use dojo_core::games::thinking::{Question, Thinker};
use dojo_core::memory::Heap;
use dojo_core::players::belts::{Resources, Thoughts};
use dojo_handheld::crest::crest;
use dojo_handheld::input::Keys;
use dojo_handheld::thinking::{Live, Reply, ThinkJob};
use dojo_handheld::trainer::Trainer;
use dojo_handheld::wire::{self, MAX_WIRE};
use dojo_handheld::{
    Abilities, BankCard, BrainCard, Button, Command, Console, Event, Frame, MAX_BYTES, Screen,
    Session, Slot, Target, save_file,
};
use qrcodegen_no_heap::{QrCode, QrCodeEcc, Version};

/// Room for the largest QR code.
const QR_BYTES: usize = Version::MAX.buffer_len();

/// The state of the page.
struct Handheld {
    console: Console,
    frame: Frame,
    trainer: Trainer,
    keys: Keys,
    levels: [bool; Button::ALL.len()],
    bank: Vec<u8>,
    /// What is kept in each slot.
    kept: [Option<Vec<u8>>; Slot::ALL.len()],
    inbox: Vec<u8>,
    outbox: Vec<u8>,
    pixels: Vec<u8>,
    /// The question that a worker serves.
    job: Option<(ThinkJob, Question)>,
    words: [u32; 2],
}

thread_local! {
    static PAGE: RefCell<Handheld> = RefCell::new(Handheld {
        console: Console::new(0),
        frame: Frame::new(Screen::Lcd),
        trainer: Trainer::new(&[]),
        keys: Keys::clean(),
        levels: [false; Button::ALL.len()],
        bank: vec![],
        kept: [const { None }; _],
        inbox: vec![],
        outbox: vec![],
        pixels: vec![],
        job: None,
        words: [0; 2],
    });
}

fn with<T>(run: impl FnOnce(&mut Handheld) -> T) -> T {
    PAGE.with_borrow_mut(run)
}

impl Handheld {
    fn input(&self, length: u32) -> &[u8] {
        &self.inbox[..self.inbox.len().min(length as usize)]
    }

    fn answer(&mut self, bytes: &[u8]) -> u32 {
        self.outbox.clear();
        self.outbox.extend(bytes);
        bytes.len() as u32
    }

    /// The next command that needs the page; what is looked up in the bank and what is learned
    /// needs nobody else.
    fn next_command(&mut self) -> Option<Command> {
        loop {
            match self.console.next_command() {
                Some(command) if self.trainer.obey(&command, &mut self.console) => {}
                Some(Command::Load(slot)) => {
                    let bytes = self.kept[slot.index()].as_deref().unwrap_or_default();
                    self.console.handle(Event::Restore(slot, bytes));
                }
                Some(Command::FindCard { rules, belt }) => {
                    let bank = Bank::new(&self.bank).ok();
                    let card = bank.and_then(|bank| BrainCard::find(rules, belt, &bank));
                    self.console.handle(Event::Card(card));
                }
                Some(Command::FindExercise { game, kind, number }) => {
                    let bank = Bank::new(&self.bank).ok();
                    let found = Event::exercise(game, kind, number, bank.as_ref());
                    self.console.handle(found);
                }
                other => return other,
            }
        }
    }

    fn update(&mut self, button: Button, now: u32) {
        if let Some(press) = self.keys.update(button, self.levels[button as usize], now) {
            self.console.handle(Event::Press(press));
        }
    }
}

fn screen(number: u32) -> Screen {
    Screen::ALL[number as usize % Screen::ALL.len()]
}

fn slot(number: u32) -> Option<Slot> {
    u8::try_from(number).ok().and_then(Slot::from_key)
}

/// Checks every payload, too: a file that a person drops is not trusted.
fn verify(bytes: &[u8]) -> Result<BankCard, BankError> {
    let bank = Bank::new(bytes)?;
    bank.entries()
        .try_for_each(|entry| entry.payload().map(|_| ()))?;
    Ok(BankCard::from(&bank))
}

/// Room for `length` bytes from the page.
#[unsafe(no_mangle)]
pub extern "C" fn inbox(length: u32) -> *mut u8 {
    with(|page| {
        page.inbox.resize(length as usize, 0);
        page.inbox.as_mut_ptr()
    })
}

/// Where the last answer lies.
#[unsafe(no_mangle)]
pub extern "C" fn outbox() -> *const u8 {
    with(|page| page.outbox.as_ptr())
}

/// A new console with this seed.
#[unsafe(no_mangle)]
pub extern "C" fn start(number: u32, seed_low: u32, seed_high: u32) {
    with(|page| {
        page.console = Console::new(u64::from(seed_high) << 32 | u64::from(seed_low));
        // A page has no flash and no boot loader.
        page.console.handle(Event::Abilities(Abilities {
            sound: true,
            motion: true,
            ..Abilities::default()
        }));
        page.frame.set_screen(screen(number));
        page.keys = Keys::clean();
    });
}

/// Another display; the game goes on.
#[unsafe(no_mangle)]
pub extern "C" fn set_screen(number: u32) {
    with(|page| page.frame.set_screen(screen(number)));
}

/// Takes the bank in the inbox, and tells the console if `tell` is not 0. Returns 0, or the length
/// of the reason why it is refused; the old bank stays then.
#[unsafe(no_mangle)]
pub extern "C" fn set_bank(length: u32, tell: u32) -> u32 {
    with(|page| match verify(page.input(length)) {
        Ok(card) => {
            page.bank = page.input(length).to_vec();
            if tell != 0 {
                page.console.handle(Event::Bank(Ok(card)));
            }
            0
        }
        Err(error) => page.answer(error.to_string().as_bytes()),
    })
}

/// The brain card: a line for each model of the bank, its fields separated by tabs: name, game,
/// games trained, seed, day, thousandths won against random, checksum. Returns its length.
#[unsafe(no_mangle)]
pub extern "C" fn bank_card() -> u32 {
    with(|page| {
        let mut text = String::new();
        if let Ok(bank) = Bank::new(&page.bank) {
            for entry in bank.entries() {
                let meta = entry.meta;
                let crest = crest(entry.crc).map(|row| format!("{row:04x}")).concat();
                let _ = writeln!(
                    text,
                    "{}\t{}\t{}\t{}\t{}\t{}\t{:08x}\t{}\t{crest}",
                    meta.name(),
                    meta.game.title(),
                    meta.games,
                    meta.seed,
                    meta.date,
                    meta.strength,
                    entry.crc,
                    meta.belt.map_or("", Belt::name)
                );
            }
        }
        page.answer(text.as_bytes())
    })
}

/// The level of a button.
#[unsafe(no_mangle)]
pub extern "C" fn pin(button: u32, is_down: u32, now: u32) {
    with(|page| {
        if let Some(&button) = Button::ALL.get(button as usize) {
            page.levels[button as usize] = is_down != 0;
            page.update(button, now);
        }
    });
}

/// A finger on a pixel of the picture: 0 looks what is there, 1 points to it, 2 taps it. Returns 0
/// for nothing, 1 a row, 2 a place of the board, 3 another button, 4 a button of the handheld.
#[unsafe(no_mangle)]
pub extern "C" fn touch(kind: u32, x: i32, y: i32) -> u32 {
    with(|page| {
        let Some(target) = page.console.find(x, y, &mut page.frame) else {
            return 0;
        };
        match kind {
            1 => page.console.handle(Event::Point(target)),
            2 => page.console.handle(Event::Tap(target)),
            _ => {}
        }
        match target {
            Target::Row(_) => 1,
            Target::Place(_) => 2,
            Target::Item(_) => 3,
            Target::Button(_) => 4,
        }
    })
}

/// What can be touched: a line for each area with its left, top, width and height, and its name.
/// Returns the length.
#[unsafe(no_mangle)]
pub extern "C" fn touchables() -> u32 {
    with(|page| {
        let mut text = String::new();
        page.console
            .touchables(&mut page.frame, &mut |area, target| {
                let (at, size) = (area.top_left, area.size);
                let (width, height) = (size.width, size.height);
                let _ = writeln!(text, "{} {} {width} {height} {target:?}", at.x, at.y);
            });
        page.answer(text.as_bytes())
    })
}

/// The name of the screen. Returns its length.
#[unsafe(no_mangle)]
pub extern "C" fn screen_name() -> u32 {
    with(|page| {
        let name = page.console.screen_name();
        page.answer(name.as_bytes())
    })
}

/// The running or finished game, in the bytes of a link. Returns their length, 0 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn game() -> u32 {
    with(|page| {
        let mut buffer = [0; MAX_BYTES];
        let session = page.console.session();
        let bytes = session.and_then(|session| session.kept(&mut buffer));
        page.answer(bytes.unwrap_or_default())
    })
}

/// The bytes of a link for the record or SGF file in the inbox. Returns their length; 0 if it is
/// refused, and the reason has the length that [`word`] 0 gives.
#[unsafe(no_mangle)]
pub extern "C" fn read_game(length: u32) -> u32 {
    with(|page| {
        let text = String::from_utf8_lossy(page.input(length)).into_owned();
        match Session::from_text(&text) {
            Ok(session) => {
                let mut buffer = [0; MAX_BYTES];
                let bytes = session.kept(&mut buffer).unwrap_or_default();
                page.answer(bytes)
            }
            Err(fault) => {
                page.words = [page.answer(fault.as_bytes()), 0];
                0
            }
        }
    })
}

/// Opens the game whose bytes are in the inbox in review. Returns 0 if it is none.
#[unsafe(no_mangle)]
pub extern "C" fn show(length: u32) -> u32 {
    with(|page| {
        let bytes = page.input(length).to_vec();
        page.console.handle(Event::Show(&bytes));
        Session::from_kept(&bytes).is_some().into()
    })
}

/// The QR code of the text in the inbox: its width, then a byte for each module, 1 for a dark one.
/// Returns the length, 0 if the text is too long.
#[unsafe(no_mangle)]
pub extern "C" fn qr(length: u32) -> u32 {
    with(|page| {
        let (mut room, mut code) = ([0; QR_BYTES], [0; QR_BYTES]);
        let text = String::from_utf8_lossy(page.input(length)).into_owned();
        let made = QrCode::encode_text(
            &text,
            &mut room,
            &mut code,
            QrCodeEcc::Low,
            Version::MIN,
            Version::MAX,
            None,
            true,
        );
        let Ok(made) = made else { return 0 };
        let size = made.size();
        let mut bytes = vec![size as u8];
        bytes.extend((0..size * size).map(|at| u8::from(made.get_module(at % size, at / size))));
        page.answer(&bytes)
    })
}

/// The text of a QR code in a grey picture: the inbox holds a byte for each pixel, row by row.
/// Returns its length, 0 if there is none that can be read. A worker of its own calls this: a
/// picture that is too much for the reader ends that worker and nothing else.
#[unsafe(no_mangle)]
pub extern "C" fn read_qr(width: u32, length: u32) -> u32 {
    with(|page| {
        let (grey, width) = (page.input(length), width.max(1) as usize);
        let height = grey.len() / width;
        let brightness = |x: usize, y: usize| grey[y * width + x];
        let mut picture = rqrr::PreparedImage::prepare_from_greyscale(width, height, brightness);
        let mut codes = picture.detect_grids().into_iter();
        let found = codes.find_map(|code| code.decode().ok());
        found.map_or(0, |(_, text)| page.answer(text.as_bytes()))
    })
}

/// The time in milliseconds.
#[unsafe(no_mangle)]
pub extern "C" fn tick(now: u32) {
    with(|page| {
        for button in Button::ALL {
            page.update(button, now);
        }
        page.console.handle(Event::Tick(now));
        let bank = Bank::new(&page.bank).ok();
        page.trainer.tick(bank.as_ref(), &mut page.console);
    });
}

/// An event in its wire form, from the worker, lies in the inbox.
#[unsafe(no_mangle)]
pub extern "C" fn event(length: u32) {
    with(|page| {
        let (bytes, mut thoughts) = (page.input(length).to_vec(), Thoughts::new());
        if let Some(event) = wire::decode(&bytes, &mut thoughts) {
            page.console.handle(event);
        }
    });
}

/// The worker's speed: nodes and microseconds of searching, games and microseconds of playing.
#[unsafe(no_mangle)]
pub extern "C" fn measured(nodes: u32, search_micros: u32, games: u32, playout_micros: u32) {
    with(|page| {
        let search = Speed {
            count: nodes,
            micros: search_micros,
        };
        let playouts = Speed {
            count: games,
            micros: playout_micros,
        };
        page.console.handle(Event::Measured { search, playouts });
    });
}

/// For the worker, which takes the time: searches (0) or plays games (1), and returns how many
/// nodes or games.
#[unsafe(no_mangle)]
pub extern "C" fn work(kind: u32) -> u32 {
    match kind {
        0 => speed::search(&mut vec![Default::default(); speed::SLOTS], || 0).count,
        _ => speed::playouts(|| 0).count,
    }
}

/// The numbers of all slots, a byte each, in the order in which they are restored. Returns how many
/// there are.
#[unsafe(no_mangle)]
pub extern "C" fn slots() -> u32 {
    with(|page| page.answer(&Slot::ALL.map(Slot::key)))
}

/// What was kept in a slot.
#[unsafe(no_mangle)]
pub extern "C" fn restore(number: u32, length: u32) {
    with(|page| {
        if let Some(slot) = slot(number) {
            let bytes = page.input(length).to_vec();
            if Slot::at_start().any(|told| told == slot) {
                page.console.handle(Event::Restore(slot, &bytes));
            }
            page.kept[slot.index()] = Some(bytes);
        }
    });
}

/// The brains that were kept, in the inbox, as [`brains`] gave them.
#[unsafe(no_mangle)]
pub extern "C" fn restore_brains(length: u32) {
    with(|page| {
        page.trainer = Trainer::new(page.input(length));
        page.console.handle(Event::Brains(page.trainer.brains()));
    });
}

/// The brains to keep, if they have changed since this was last asked. Returns their length, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn brains() -> u32 {
    with(|page| {
        if !page.trainer.has_changed() {
            return 0;
        }
        let region = page.trainer.region().to_vec();
        page.answer(&region)
    })
}

/// The start is complete, all slots are restored.
#[unsafe(no_mangle)]
pub extern "C" fn ready() {
    with(|page| page.console.handle(Event::Ready));
}

/// The next command that the page carries out: 0 none, 1 think (the question in its wire form lies
/// in the outbox; word: its length), 2 stop thinking, 3 save (slot; its
/// bytes lie in the outbox, and the other word is their length), 4 play (notes in the outbox, hertz and milliseconds of 16 bits each; words: their length, volume),
/// 5 light (percent), 7 measure the speed; 6 needs nothing.
#[unsafe(no_mangle)]
pub extern "C" fn command() -> u32 {
    with(|page| {
        let (kind, words) = match page.next_command() {
            None => (0, [0; 2]),
            Some(Command::Think { id, purpose, .. }) => {
                let mut buffer = [0; MAX_WIRE];
                let question = wire::encode_question(&page.console, id, purpose, &mut buffer);
                match question {
                    Some(question) => (1, [page.answer(question), 0]),
                    None => (6, [0; 2]),
                }
            }
            Some(Command::Measure) => (7, [0; 2]),
            Some(Command::StopThinking) => (2, [0; 2]),
            Some(Command::Save(slot)) => {
                let mut buffer = [0; MAX_BYTES];
                match page.console.kept(slot, &mut buffer) {
                    Some(bytes) => {
                        page.kept[slot.index()] = Some(bytes.to_vec());
                        (3, [slot.key().into(), page.answer(bytes)])
                    }
                    None => (6, [0; 2]),
                }
            }
            Some(Command::Play { notes, volume }) => {
                let words = notes.iter().flat_map(|note| [note.hertz, note.millis]);
                let bytes: Vec<u8> = words.flat_map(u16::to_le_bytes).collect();
                (4, [page.answer(&bytes), volume.into()])
            }
            Some(Command::Light(percent)) => (5, [percent.into(), 0]),
            // A browser's picture is never shifted, and a page stays on; the others have been
            // carried out.
            Some(
                Command::Shift(_)
                | Command::PowerOff
                | Command::FindCard { .. }
                | Command::Load(_)
                | Command::FindExercise { .. }
                | Command::Learn(_),
            ) => (6, [0; 2]),
            // The console was told of no such ability.
            Some(Command::TestFlash | Command::BootLoader | Command::FactoryReset) => (6, [0; 2]),
        };
        page.words = words;
        kind
    })
}

/// A word of the last command.
#[unsafe(no_mangle)]
pub extern "C" fn word(number: u32) -> u32 {
    with(|page| page.words.get(number as usize).copied().unwrap_or(0))
}

/// Whether the picture may have changed.
#[unsafe(no_mangle)]
pub extern "C" fn needs_draw() -> u32 {
    with(|page| page.console.needs_draw().into())
}

/// Draws; returns where the pixels lie, four bytes each. The outbox has what the picture shows, in
/// words.
#[unsafe(no_mangle)]
pub extern "C" fn draw() -> *const u8 {
    with(|page| {
        let mut words = String::new();
        page.console.draw_and_tell(&mut page.frame, &mut words);
        page.outbox = words.into_bytes();
        let size = page.frame.screen().size();
        page.pixels.clear();
        for y in 0..size.height {
            for x in 0..size.width {
                let [r, g, b] = page.frame.rgb(x, y);
                page.pixels.extend([r, g, b, 255]);
            }
        }
        page.pixels.as_ptr()
    })
}

/// Milliseconds from the last tick to the next one.
#[unsafe(no_mangle)]
pub extern "C" fn step() -> u32 {
    with(|page| page.console.step())
}

/// The length of the words that [`draw`] left in the outbox.
#[unsafe(no_mangle)]
pub extern "C" fn told() -> u32 {
    with(|page| page.outbox.len() as u32)
}

/// The record of the game. Returns its length, 0 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn record() -> u32 {
    with(|page| {
        let mut text = String::new();
        if let Some(session) = page.console.session() {
            let _ = session.write_record(&mut text);
        }
        page.answer(text.as_bytes())
    })
}

/// All that is kept, as a save file. Returns its length.
#[unsafe(no_mangle)]
pub extern "C" fn export_save() -> u32 {
    with(|page| {
        let mut buffer = [0; save_file::MAX_FILE];
        let bytes = save_file::write(page.kept.each_ref().map(Option::as_deref), &mut buffer)
            .unwrap_or_default();
        page.answer(bytes)
    })
}

/// Looks at the save file in the inbox. Returns 0, or the length of the reason why it is refused.
#[unsafe(no_mangle)]
pub extern "C" fn check_save(length: u32) -> u32 {
    with(|page| match save_file::parse(page.input(length)) {
        Ok(_) => 0,
        Err(error) => page.answer(error.to_string().as_bytes()),
    })
}

/// The bytes of a slot in the save file in the inbox. Returns their length.
#[unsafe(no_mangle)]
pub extern "C" fn slot_of_save(number: u32, length: u32) -> u32 {
    with(|page| {
        let slots = save_file::parse(page.input(length)).unwrap_or_default();
        let bytes = slot(number).and_then(|slot| slots[slot.index()]);
        let bytes = bytes.unwrap_or_default().to_vec();
        page.answer(&bytes)
    })
}

/// For the worker: a question in its wire form, as [`command`] gave it, lies in the inbox.
#[unsafe(no_mangle)]
pub extern "C" fn ask(length: u32) {
    with(|page| page.job = wire::decode_question(page.input(length)));
}

// What the worker gives the program; the page itself never calls it.
#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "worker")]
unsafe extern "C" {
    /// A clock in milliseconds.
    safe fn now() -> u32;
    /// Sends the bytes of an event to the page while the program goes on.
    safe fn tell(place: *const u8, length: u32);
}

#[cfg(not(target_family = "wasm"))]
fn now() -> u32 {
    0
}

#[cfg(not(target_family = "wasm"))]
fn tell(_: *const u8, _: u32) {}

/// The same as a function of this language, which a generic one takes.
fn clock() -> u32 {
    now()
}

/// For the worker: serves the next part of the question, and tells its progress meanwhile. Returns the length of the [`event`] to
/// send back, which lies in the outbox, or 0 when all was served.
#[unsafe(no_mangle)]
pub extern "C" fn serve() -> u32 {
    with(|page| {
        let Some((job, question)) = &mut page.job else {
            return 0;
        };
        let mut buffer = [0; MAX_WIRE];
        let send = |reply: Reply| {
            if let Some(bytes) = wire::encode(&reply.event(), &mut buffer) {
                tell(bytes.as_ptr(), bytes.len() as u32);
            }
        };
        let mut resources = Resources {
            memory: &mut Heap::default(),
            control: &mut Live::new(job.id, (), clock, send),
            helper: None,
        };
        let mut thinker = Thinker::new(Bank::new(&page.bank).ok());
        let reply = job.step(Some(question), &mut thinker, &mut resources);
        let bytes = reply.and_then(|reply| wire::encode(&reply.event(), &mut buffer));
        page.answer(bytes.unwrap_or_default())
    })
}
