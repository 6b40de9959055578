//! The power fails while a belt, a finished game, stars of a puzzle, or what the apprentice has
//! learned is saved: before, in the middle of and after flash operations.

use super::*;
use dojo::device::saves::{slots_of_game, with_slots};

/// A device that goes on with this game, with more in its flash.
fn playing(session: &Session, more: &[(Slot, Vec<u8>)]) -> Twin {
    let mut slots = slots_of_game(session).expect("a short game");
    slots.extend_from_slice(more);
    let mut image = image(bank::SHIPPED);
    let region = with_slots(&slots).expect("they fit");
    image.patch(SAVES_ADDRESS, &region).expect("the saves fit");
    let twin = Twin::boot(&image, Wiring::Oled);
    assert_eq!(twin.screen(), "board");
    twin
}

/// A game of 15 sticks in which the machine has to take the last stick.
fn lost_for(machine: Seat) -> Session {
    let setup = Setup {
        seats: [Seat::Person, machine],
        ..Setup::new(GameId::Sticks)
    };
    let mut session = Session::new(setup, Player::First);
    for mv in [20, 11, 1] {
        session.play(mv).expect("a legal move");
    }
    session
}

/// Slots that change more than once while something is learned.
fn steps(slot: Slot) -> bool {
    matches!(slot, Slot::Rivalry | Slot::Part(_))
}

/// What the device has in the slots that changed, before and after.
fn changed(device: &Device, act: impl Fn(&mut Device) -> Result<(), Fault>) -> Vec<Slot> {
    let before = kept_after_power_on(device);
    let mut after = device.clone();
    act(&mut after).expect("no fault");
    let after = kept_after_power_on(&after);
    let slots = Slot::ALL.into_iter().enumerate();
    slots
        .filter(|&(at, _)| before[at] != after[at])
        .map(|(_, slot)| slot)
        .collect()
}

#[test]
fn power_cuts_while_a_belt_is_earned_lose_nothing() {
    // One win against white: the next one earns its belt.
    let mut statistics = vec![2, 0, GameId::ALL.len() as u8];
    for game in 0..GameId::ALL.len() as u8 {
        statistics.extend([game, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }
    let device = playing(
        &lost_for(Seat::Machine(Belt::White)),
        &[(Slot::Statistics, statistics)],
    )
    .device;
    let act = |device: &mut Device| device.wait(1500);
    let slots = changed(&device, act);
    assert_eq!(
        slots,
        [Slot::Statistics, Slot::Game(GameId::Sticks), Slot::Finished]
    );
    let operations = cut_everywhere(&device, act);
    println!("a belt: {} flash operations", operations.len());
    assert!(operations.len() >= 6);
}

#[test]
fn power_cuts_while_stars_are_kept_lose_nothing() {
    let mut twin = booted(Wiring::Oled);
    twin.presses("A");
    path::choose(&mut twin, "Puzzles", Button::Down);
    twin.presses("A A X");
    twin.wait(100);
    let act = |device: &mut Device| {
        device.tap(Button::A)?;
        device.wait(200)
    };
    assert_eq!(changed(&twin.device, act), [Slot::Puzzles]);
    assert!(cut_everywhere(&twin.device, act).len() >= 2);
}

#[test]
fn power_cuts_while_the_apprentice_learns_lose_nothing() {
    let device = playing(&lost_for(Seat::Apprentice), &[]).device;
    let act = |device: &mut Device| device.wait(2000);
    let slots = changed(&device, act);
    for slot in [Slot::Rivalry, Slot::Part(0), Slot::Finished] {
        assert!(slots.contains(&slot), "{slot:?}: {slots:?}");
    }
    let operations = cut_everywhere(&device, act);
    println!(
        "the apprentice of sticks: {} flash operations",
        operations.len()
    );
}

#[test]
#[ignore = "takes minutes: `cargo xtask full` runs it"]
fn power_cuts_while_the_apprentice_of_dots_learns_lose_nothing() {
    let setup = Setup {
        seats: [Seat::Person, Seat::Apprentice],
        ..Setup::new(GameId::Dots)
    };
    // All edges but one, which the apprentice draws.
    let session = (0..1000)
        .map(|seed| {
            let mut rng = Rng::new(seed);
            let mut session = Session::new(setup, Player::First);
            while session.moves().len() < 11 {
                let legal: Vec<u16> = (0..12).filter(|&mv| session.game().is_legal(mv)).collect();
                let mv = legal[rng.below(legal.len() as u32) as usize];
                session.play(mv).expect("a legal move");
            }
            session
        })
        .find(|session| session.mover() == Seat::Apprentice)
        .expect("such a game");
    let device = playing(&session, &[]).device;
    let act = |device: &mut Device| device.wait(4000);
    let slots = changed(&device, act);
    let parts = slots.iter().filter(|slot| steps(**slot)).count();
    assert!(parts >= 3, "{slots:?}");
    let operations = cut_everywhere(&device, act);
    println!(
        "the apprentice of dots: {} flash operations",
        operations.len()
    );
}

#[test]
fn power_cuts_while_a_new_apprentice_takes_its_place_leave_the_old_one_or_the_new() {
    let mut twin = playing(&lost_for(Seat::Apprentice), &[]);
    twin.wait(2000);
    // The menu, the set-up of sticks, the opponents, the card, the question.
    twin.press(Button::B);
    path::choose(&mut twin, "All games", Button::Down);
    twin.presses("A");
    path::choose(&mut twin, "Player 2", Button::Down);
    while !path::told(&mut twin).contains("> Apprentice") {
        twin.press(Button::Right);
    }
    twin.presses("X X down");
    assert!(
        path::told(&mut twin).contains("> Yes"),
        "{}",
        path::told(&mut twin)
    );
    let act = |device: &mut Device| {
        device.tap(Button::A)?;
        device.wait(200)
    };
    assert_eq!(changed(&twin.device, act), [Slot::Rivalry]);
    assert!(cut_everywhere(&twin.device, act).len() >= 2);
}
