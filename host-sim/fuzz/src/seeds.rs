//! Seeds of the corpora: small inputs from the shipped files and from the program itself.

use dojo_core::bank::Bank;
use dojo_core::games::GameId;
use dojo_core::games::go::clauses::Reading;
use dojo_core::games::pupil::{Figures, LESSONS};
use dojo_core::players::belts::{Answer, Decision, Source, Thought};
use dojo_handheld::trainer::Trainer;
use dojo_handheld::{
    Battery, Button, Command, Console, Event, MAX_BYTES, Order, Press, Purpose, Slot, save_file,
    wire,
};
use dojo_lab::bank::{self, Model};
use dojo_lab::games::go::patterns::stored;
use dojo_lab::games::go::patterns::text::RuleFile;
use pico_image::uf2;

/// The seeds of a target.
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    match target {
        "bank" => banks(),
        "brains" => vec![vec![], vec![8, 0, 0, 1], vec![0, 0, 1, 0xFF, 8, 0, 1, 2]],
        "clauses" => vec![clauses(), vec![]],
        "gtp" => texts(&[
            "1 boardsize 7\nkomi 6.5\nplay b D4\ngenmove w\nshowboard\nfinal_score\n",
            "fixed_handicap 2\nundo\ntime_settings 60 5 1\ntime_left b 10 2\nreg_genmove b\n",
            "set_free_handicap C3 G7\ngogui-play_sequence w E5 b pass\nfinal_status_list dead\n",
            "list_commands\nknown_command play\nprintsgf\ndojo-territory\ngg-undo 2\nquit\n",
            "= D4\n\n? illegal move\n\n=12 A1\nB2\n\n",
        ]),
        "image" => vec![elf()],
        "manifest" => vec![
            include_bytes!("../../../models/solved.txt").to_vec(),
            include_bytes!("../../../models/go/mlp/bank.txt").to_vec(),
        ],
        "patterns" => texts(&[
            "# reading: as-listed\n1\t25\t0\tver(4) hor(4)\n2\t183\t17\tat(2,2)=foe libs=4\n",
            "3\t599\t17\tadjacent=foe stones=1\t-200\n4\t1\t1\tcaptures stage=mid\n",
            "5\t9\t2\tatari at(1,0)=me libs=1..3 at(-1,0)=the same block\n",
        ]),
        "record" => records(),
        "save" => saves(),
        "sgf" => texts(&[
            "(;GM[1]FF[4]SZ[9]KM[7.5]RU[Chinese]RE[B+R];B[ee];W[cc](;B[gg])(;B[gc]))",
            "(;SZ[5]AB[bb][cc]AW[dd]PL[W]C[a\\]b];W[bc];B[])(;GM[1]SZ[7]HA[2]AB[cc][ee];W[tt])",
        ]),
        "uf2" => vec![uf2::write(0x1000_0000, &[7; 300])],
        "wire" => events(),
        _ => vec![],
    }
}

fn texts(all: &[&str]) -> Vec<Vec<u8>> {
    all.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Banks of the small models among the shipped ones.
fn banks() -> Vec<Vec<u8>> {
    let shipped = Bank::new(bank::SHIPPED).expect("the shipped bank");
    let small: Vec<Model> = shipped
        .entries()
        .filter(|entry| entry.bytes().len() <= 1024)
        .map(|entry| Model {
            meta: entry.meta,
            payload: entry.bytes().to_vec(),
        })
        .collect();
    let mut banks = vec![bank::write(&[]).expect("an empty bank")];
    banks.extend(
        small
            .iter()
            .map(|model| bank::write(std::slice::from_ref(model)).expect("a small bank")),
    );
    banks
}

/// A region with two kept brains, one of each lesson.
pub(crate) fn region() -> Vec<u8> {
    let mut trainer = Trainer::new(&[]);
    let mut console = Console::new(1);
    for (id, game) in (0..).zip(LESSONS) {
        let begin = Order::Begin { id, game, seed: 1 };
        for order in [begin, Order::Keep, Order::End] {
            trainer.obey(&Command::Learn(order), &mut console);
        }
    }
    trainer.region().to_vec()
}

/// The published clauses that are short.
fn clauses() -> Vec<u8> {
    let text = include_str!("../../../data/go-patterns/published.tsv");
    let rules = RuleFile::parse(text).expect("the published rules").rules;
    // Half of them under each reading.
    let [first, second] = [&rules[..4], &rules[4..8]];
    [
        stored(first, Reading::AboutThePoint),
        stored(second, Reading::AsListed),
    ]
    .concat()
}

/// The smallest ELF file for the chip: a header, one segment and its bytes.
fn elf() -> Vec<u8> {
    let mut file = b"\x7FELF\x01\x01\x01".to_vec();
    file.resize(16, 0);
    let half = |file: &mut Vec<u8>, value: u16| file.extend(value.to_le_bytes());
    let word = |file: &mut Vec<u8>, value: u32| file.extend(value.to_le_bytes());
    // An executable for Arm.
    half(&mut file, 2);
    half(&mut file, 40);
    for value in [1, 0x1000_0101, 52, 0, 0] {
        word(&mut file, value);
    }
    for value in [52, 32, 1, 40, 0, 0] {
        half(&mut file, value);
    }
    // One segment of 256 bytes at the start of the flash.
    for value in [1, 84, 0x1000_0000, 0x1000_0000, 256, 256, 5, 4] {
        word(&mut file, value);
    }
    file.extend([0xB5; 256]);
    file
}

/// A game of each kind as a record, after some moves.
fn records() -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = consoles()
        .iter()
        .filter_map(|console| {
            let mut text = String::new();
            console.session()?.write_record(&mut text).ok()?;
            Some(text.into_bytes())
        })
        .collect();
    all.extend(texts(&[
        "size=3x4",
        "E5",
        "h12",
        "komi=6.5",
        "..x/.o./... first",
    ]));
    all
}

/// A console in the middle of each game: both players press what the cursor offers.
fn consoles() -> Vec<Console> {
    (0..GameId::ALL.len())
        .map(|game| {
            let mut console = Console::new(game as u64);
            let press =
                |console: &mut Console, button| console.handle(Event::Press(Press::Down(button)));
            console.handle(Event::Ready);
            for button in [Button::A, Button::Down, Button::A] {
                press(&mut console, button);
            }
            (0..game).for_each(|_| press(&mut console, Button::Down));
            press(&mut console, Button::A);
            // The second seat: from the yellow belt back to a person.
            for button in [Button::Down, Button::Down, Button::Left, Button::Left] {
                press(&mut console, button);
            }
            for button in [Button::Up, Button::Up, Button::A] {
                press(&mut console, button);
            }
            for number in 0..24 {
                press(&mut console, Button::A);
                press(&mut console, [Button::Right, Button::Up][number % 2]);
            }
            console
        })
        .collect()
}

fn saves() -> Vec<Vec<u8>> {
    let save = |console: &Console| {
        let mut buffers = [[0; MAX_BYTES]; Slot::ALL.len()];
        let mut slots = save_file::Slots::default();
        for ((slot, kept), buffer) in Slot::ALL.iter().zip(&mut slots).zip(&mut buffers) {
            *kept = console.kept(*slot, buffer);
        }
        let mut file = [0; save_file::MAX_FILE];
        save_file::write(slots, &mut file).map(<[u8]>::to_vec)
    };
    consoles().iter().filter_map(save).collect()
}

fn events() -> Vec<Vec<u8>> {
    let thoughts = [10, 20].map(|index| Thought {
        index,
        value: 700,
        visits: 40,
    });
    let answer = Some(Answer {
        decision: Decision::Play(3),
        source: Source::Brain,
        grounds: Default::default(),
    });
    let all = [
        Event::Press(Press::Down(Button::A)),
        Event::Tick(70_000),
        Event::Answer { id: 2, answer },
        Event::Progress {
            id: 1,
            share: 300,
            thoughts: &thoughts,
        },
        Event::Mind {
            id: 1,
            thoughts: &thoughts,
            done: true,
        },
        Event::Learned {
            id: 1,
            figures: Figures::default(),
            done: false,
        },
        Event::Battery(Battery {
            millivolts: 3900,
            charging: false,
        }),
        Event::Trouble("no room"),
        Event::Ready,
    ];
    let mut buffer = [0; wire::MAX_WIRE];
    let mut bytes: Vec<Vec<u8>> = all
        .iter()
        .filter_map(|event| wire::encode(event, &mut buffer).map(<[u8]>::to_vec))
        .collect();
    // A question for a thinking side elsewhere.
    let mut console = Console::new(1);
    console.handle(Event::Ready);
    for _ in 0..3 {
        console.handle(Event::Press(Press::Down(Button::A)));
    }
    let question = wire::encode_question(&console, 1, Purpose::Both, &mut buffer);
    bytes.extend(question.map(<[u8]>::to_vec));
    bytes
}
