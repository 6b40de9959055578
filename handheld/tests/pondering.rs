//! Thinking on the person's time: the same questions and pictures, sooner.

use dojo_core::belt::Belt;
use dojo_core::games::thinking::{Question, answer};
use dojo_core::games::{AnyRules, GameId};
use dojo_core::players::belts::{Answer, Decision, Source};
use dojo_handheld::{
    Battery, Button, Command, Console, Event, Frame, MAX_BYTES, Press, Screen, Seat, Setup, Slot,
    Starter, Target,
};

/// A console and the questions that it has asked.
struct Match {
    console: Console,
    questions: Vec<(u32, Question)>,
    stops: usize,
    now: u32,
}

impl Match {
    /// A game that the person begins.
    fn new(pondering: bool, id: GameId, seat: Seat) -> Match {
        let mut console = Console::new(5);
        let mut bytes = [0; MAX_BYTES];
        let length = console.kept(Slot::Settings, &mut bytes).unwrap().len();
        // The last of the comfort settings.
        bytes[length - 1] = pondering.into();
        console.handle(Event::Restore(Slot::Settings, &bytes[..length]));
        assert_eq!(console.settings().comfort.pondering, pondering);
        console.handle(Event::Ready);
        let mut game = Match {
            console,
            questions: vec![],
            stops: 0,
            now: 0,
        };
        game.console.start(Setup {
            rules: AnyRules::new(id),
            seats: [Seat::Person, seat],
            starter: Starter::One,
        });
        game.look();
        game
    }

    fn look(&mut self) {
        while let Some(command) = self.console.next_command() {
            match command {
                Command::Think { id, .. } => {
                    let question = self.console.question(id).expect("a question");
                    self.questions.push((id, question));
                }
                Command::StopThinking => self.stops += 1,
                _ => {}
            }
        }
    }

    fn handle(&mut self, event: Event<'_>) {
        self.console.handle(event);
        self.look();
    }

    /// Answers the last question, and returns the index of the move.
    fn answer(&mut self) -> u16 {
        let (id, question) = *self.questions.last().expect("a question");
        let answer = answer(&question, None);
        self.handle(Event::Answer { id, answer });
        answer.and_then(Answer::index).expect("a move")
    }

    fn play(&mut self, mv: u16) {
        self.handle(Event::Tap(Target::Place(mv)));
    }

    fn wait(&mut self) {
        for _ in 0..20 {
            self.now += 50;
            self.handle(Event::Tick(self.now));
        }
    }

    fn pictures(&mut self) -> Vec<String> {
        [Screen::Lcd, Screen::Oled]
            .map(|screen| {
                let (mut frame, mut words) = (Frame::new(screen), String::new());
                self.console.draw_and_tell(&mut frame, &mut words);
                let size = frame.screen().size();
                for y in 0..size.height {
                    for x in 0..size.width {
                        words += &format!("{:?}", frame.pixel(x, y));
                    }
                }
                words
            })
            .to_vec()
    }

    fn moves(&self) -> Vec<u16> {
        self.console.session().unwrap().moves().to_vec()
    }
}

const BLACK: Seat = Seat::Machine(Belt::Black);

#[test]
fn the_reply_to_the_expected_move_is_the_same_and_ready_at_once() {
    for (id, seat) in [
        (GameId::TicTacToe, BLACK),
        (GameId::Connect4, Seat::Machine(Belt::Yellow)),
        (GameId::Dots, Seat::Ancestor(0)),
    ] {
        let (mut plain, mut ahead) = (Match::new(false, id, seat), Match::new(true, id, seat));
        assert_eq!(plain.questions.len(), 0);
        for _ in 0..2 {
            assert_eq!(plain.pictures(), ahead.pictures());
            let expected = ahead.answer();
            let asked = ahead.questions.len();
            ahead.answer();
            ahead.wait();
            plain.wait();
            assert_eq!(plain.pictures(), ahead.pictures(), "nothing is shown of it");
            for game in [&mut plain, &mut ahead] {
                game.play(expected);
            }
            plain.answer();
            assert_eq!(ahead.questions.len(), asked, "nothing else is asked");
            let question = |game: &Match| game.questions.last().unwrap().1;
            assert_eq!(question(&plain), question(&ahead), "{id:?}");
            for game in [&mut plain, &mut ahead] {
                game.wait();
            }
            assert_eq!(plain.moves(), ahead.moves());
            assert_eq!(plain.moves().len() % 2, 0, "{:?}", plain.moves());
            assert_eq!(plain.pictures(), ahead.pictures());
        }
        assert_eq!(ahead.stops, 0);
    }
}

#[test]
fn a_reply_that_is_still_thought_about_is_waited_for() {
    let mut game = Match::new(true, GameId::TicTacToe, BLACK);
    let expected = game.answer();
    game.play(expected);
    assert_eq!((game.questions.len(), game.stops), (2, 0));
    game.wait();
    assert_eq!(game.moves(), [expected]);
    let reply = game.answer();
    game.wait();
    assert_eq!(game.moves(), [expected, reply]);
}

#[test]
fn another_move_and_a_hint_drop_it_and_change_nothing() {
    let (mut plain, mut ahead) = (
        Match::new(false, GameId::TicTacToe, BLACK),
        Match::new(true, GameId::TicTacToe, BLACK),
    );
    let expected = ahead.answer();
    let other = (0..9).find(|&mv| mv != expected).unwrap();
    for game in [&mut plain, &mut ahead] {
        game.play(other);
    }
    assert_eq!(ahead.stops, 1);
    let question = |game: &Match| game.questions.last().unwrap().1;
    assert_eq!(question(&plain), question(&ahead));
    for game in [&mut plain, &mut ahead] {
        game.answer();
        game.wait();
    }
    // A hint draws a number before the machine's question does.
    let expected = ahead.answer();
    for game in [&mut plain, &mut ahead] {
        for press in [Press::Down(Button::X), Press::Up(Button::X)] {
            game.handle(Event::Press(press));
        }
    }
    assert_eq!(ahead.stops, 2);
    assert_eq!(question(&plain), question(&ahead));
    for game in [&mut plain, &mut ahead] {
        game.answer();
        game.wait();
    }
    assert_eq!(plain.pictures(), ahead.pictures());
    if ahead.questions.last().unwrap().1.may_resign {
        panic!("a move of the person is asked for again");
    }
    assert_eq!(ahead.answer(), expected);
    for game in [&mut plain, &mut ahead] {
        game.play(expected);
    }
    assert_eq!(question(&plain), question(&ahead));
}

#[test]
fn the_pause_menu_undo_and_an_empty_answer_end_it() {
    let mut game = Match::new(true, GameId::TicTacToe, BLACK);
    game.handle(Event::Press(Press::Down(Button::B)));
    assert_eq!(game.console.screen_name(), "pause");
    assert_eq!((game.questions.len(), game.stops), (1, 1));
    // The answer to a question that was dropped.
    let (old, _) = game.questions[0];
    game.handle(Event::Answer {
        id: old,
        answer: Some(Answer {
            decision: Decision::Play(4),
            source: Source::Rules,
            grounds: Default::default(),
        }),
    });
    game.handle(Event::Press(Press::Down(Button::B)));
    assert_eq!(game.questions.len(), 2, "back on the board it thinks again");
    let (id, _) = game.questions[1];
    game.handle(Event::Answer { id, answer: None });
    game.wait();
    assert_eq!(game.questions.len(), 2, "it is not asked for ever");
    assert_eq!(game.moves(), []);
}

#[test]
fn it_thinks_on_nobodys_time_on_battery_against_people_and_with_secrets() {
    let asked = |id, seat, battery: Option<bool>| {
        let mut game = Match::new(true, id, seat);
        game.questions.clear();
        if let Some(charging) = battery {
            game.handle(Event::Battery(Battery {
                millivolts: 3900,
                charging,
            }));
        }
        // A new position.
        game.play(0);
        game.answer_if_asked();
        game.wait();
        game.questions.iter().filter(|(_, q)| !q.may_resign).count()
    };
    assert_eq!(asked(GameId::TicTacToe, BLACK, None), 1);
    assert_eq!(asked(GameId::TicTacToe, BLACK, Some(true)), 1);
    assert_eq!(asked(GameId::TicTacToe, BLACK, Some(false)), 0);
    assert_eq!(asked(GameId::TicTacToe, Seat::Person, None), 0);
    assert_eq!(asked(GameId::Iwoki, BLACK, None), 0);
}

impl Match {
    fn answer_if_asked(&mut self) {
        if self.questions.last().is_some_and(|(_, q)| q.may_resign) {
            self.answer();
        }
    }
}
