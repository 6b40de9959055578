//! A game as a QR code: the picture of the colour display is read by another program's reader, and
//! what it says is the game.

mod common;

use common::Runner;
use dojo_core::game::Player;
use dojo_core::games::GameId;
use dojo_core::rng::Rng;
use dojo_handheld::{Event, Frame, Screen, Session, Setup, Slot, Theme};

/// A game of random moves: so many, or a whole one.
fn game(id: GameId, moves: usize, seed: u64) -> Session {
    let mut rng = Rng::new(seed);
    let mut session = Session::new(Setup::new(id), Player::First);
    while session.is_on() && session.moves().len() < moves {
        let legal: Vec<u16> = (0..u16::MAX)
            .filter(|&mv| session.game().is_legal(mv))
            .collect();
        let mv = legal[rng.below(legal.len() as u32) as usize];
        session.play(mv).expect("a legal move");
    }
    session
}

/// A handheld that shows the code of this game.
fn showing(session: &Session) -> Runner {
    let mut runner = Runner::new(1);
    runner.thinks = false;
    let mut buffer = [0; dojo_handheld::MAX_BYTES];
    let bytes = session.kept(&mut buffer).expect("it can be kept");
    runner.handle(Event::Ready);
    runner.handle(Event::Show(bytes));
    assert_eq!(runner.console.screen_name(), "review");
    runner.keys("y");
    assert_eq!(runner.console.screen_name(), "share");
    runner
}

/// What the code in a picture says.
fn read(frame: &Frame) -> String {
    let size = Screen::Lcd.size();
    let grey = |x: usize, y: usize| {
        let [red, green, blue] = frame.rgb(x as u32, y as u32).map(u32::from);
        ((3 * red + 6 * green + blue) / 10) as u8
    };
    let (width, height) = (size.width as usize, size.height as usize);
    let mut picture = rqrr::PreparedImage::prepare_from_greyscale(width, height, grey);
    let codes = picture.detect_grids();
    assert_eq!(codes.len(), 1);
    codes[0].decode().expect("a code").1
}

/// The bytes that letters stand for.
fn bytes(letters: &str) -> Vec<u8> {
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => panic!("no letter of a link: {letter}"),
    };
    let mut bits = (0u32, 0);
    let mut bytes = vec![];
    for letter in letters.bytes() {
        bits = (bits.0 << 6 | u32::from(digit(letter)), bits.1 + 6);
        if bits.1 >= 8 {
            bits.1 -= 8;
            bytes.push((bits.0 >> bits.1) as u8);
        }
    }
    bytes
}

#[test]
fn the_code_of_every_game_says_the_game() {
    let mut longest = 0;
    for id in GameId::ALL {
        for (seed, moves) in [(1, 1), (2, 4), (3, 5), (4, 6), (5, 1000), (6, 1000)] {
            let session = game(id, moves, seed);
            let mut runner = showing(&session);
            let text = read(&runner.picture(Screen::Lcd));
            longest = longest.max(text.len());
            let letters = text.strip_prefix("#g=").expect("as in a link");
            let found = Session::from_kept(&bytes(letters)).expect("a game");
            assert_eq!(found.moves(), session.moves(), "{id:?}");
            assert_eq!(found.setup(), session.setup(), "{id:?}");
            let told = runner.told();
            assert!(told.contains("QR code of this game"), "{told}");
            // Any button leads back.
            runner.keys("x");
            assert_eq!(runner.console.screen_name(), "review");
        }
    }
    println!("the longest text has {longest} letters");
    assert!(longest > 200, "{longest}");
}

#[test]
fn it_can_be_read_in_every_theme_and_upside_down() {
    let session = game(GameId::Connect4, 12, 1);
    let text = read(&showing(&session).picture(Screen::Lcd));
    for theme in Theme::ALL {
        for rotated in [false, true] {
            let mut runner = showing(&session);
            let mut settings = runner.kept(Slot::Settings);
            // The last bytes are those of comfort, as `docs/save-format.md` has them.
            let comfort = settings.len() - 8;
            settings[comfort + 1] = theme as u8;
            settings[comfort + 5] = u8::from(rotated);
            runner.handle(Event::Restore(Slot::Settings, &settings));
            let frame = runner.picture(Screen::Lcd);
            assert_eq!(frame.theme(), theme);
            assert_eq!(read(&frame), text, "{theme:?} {rotated}");
        }
    }
}

#[test]
fn a_small_display_says_that_it_is_too_small() {
    let mut runner = showing(&game(GameId::TicTacToe, 3, 1));
    let mut words = String::new();
    let mut frame = Frame::new(Screen::Oled);
    runner.console.draw_and_tell(&mut frame, &mut words);
    let words = words.replace('\n', " ");
    assert!(words.contains("needs the colour display"), "{words}");
}
