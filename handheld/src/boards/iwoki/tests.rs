//! Tests of the stages with any buttons, and of the final count.

use super::*;
use crate::boards::Count;
use dojo_core::rng::Rng;

/// Presses a button until a condition holds, at most as often as there are things to choose from.
fn press_until(
    board: &mut IwokiBoard,
    game: &Iwoki,
    button: Button,
    is_so: impl Fn(&IwokiBoard) -> bool,
) {
    for _ in 0..100 {
        if is_so(board) {
            return;
        }
        assert_eq!(board.press(game, button), Reply::Moved);
    }
    panic!("{:?} never comes up at {:?} in {game}", button, board.stage);
}

#[test]
fn every_legal_action_can_be_done_and_nothing_else() {
    let mut rng = Rng::new(7);
    for deal in 0..6 {
        let mut game = Iwoki::new(IwokiRules {
            form: Form::Open,
            deal,
        });
        let mut board = IwokiBoard::new(&game);
        while !game.is_over() {
            let legal: heapless::Vec<Action, 1024> = game.legal_moves().collect();
            // Random actions, each reached in both directions.
            for _ in 0..20 {
                let action = legal[rng.below(legal.len() as u32) as usize];
                board.point_to(&game, None);
                let start = board;
                press_until(&mut board, &game, Button::Right, |board| {
                    board.item == HandItem::of(action)
                });
                let mut back = start;
                press_until(&mut back, &game, Button::Left, |board| {
                    board.item == HandItem::of(action)
                });
                let Some(gap) = Gap::of(action.what()) else {
                    assert_eq!(board.press(&game, Button::A), Reply::Play(action.index()));
                    continue;
                };
                assert_eq!(board.press(&game, Button::A), Reply::Moved);
                press_until(&mut board, &game, Button::Left, |board| {
                    usize::from(board.gap) == gap.number()
                });
                let mut hinted = board;
                let ways = board.ways(&game).count();
                if ways > 1 {
                    assert_eq!(board.press(&game, Button::A), Reply::Moved);
                    press_until(&mut board, &game, Button::Right, |board| {
                        board.action(&game) == Some(action)
                    });
                }
                assert_eq!(board.press(&game, Button::A), Reply::Play(action.index()));
                // After a hint, one button plays the same action.
                hinted.point_to(&game, Some(action.index()));
                assert_eq!(hinted.press(&game, Button::A), Reply::Play(action.index()));
            }
            let action = legal[rng.below(legal.len() as u32) as usize];
            game.play(action).unwrap();
            board.point_to(&game, None);
        }
    }
}

#[test]
fn any_buttons_lead_to_legal_actions_only() {
    let mut rng = Rng::new(3);
    let mut promises = [0; 2];
    for deal in 0..20 {
        let mut game = Iwoki::new(IwokiRules {
            form: Form::Normal,
            deal,
        });
        let mut board = IwokiBoard::new(&game);
        for _ in 0..20_000 {
            let button = Button::ALL[rng.below(Button::ALL.len() as u32) as usize];
            if let Reply::Play(index) = board.press(&game, button) {
                game.play(Action::from_index(index).unwrap()).unwrap();
                board.point_to(&game, None);
            }
            if game.is_over() {
                break;
            }
            let promised = match board.prompt(&game).unwrap().as_str() {
                "Draw a tile" => Action::DRAW,
                "No tile fits: pass" => Action::PASS,
                _ => continue,
            };
            let reply = { board }.press(&game, Button::A);
            assert_eq!(reply, Reply::Play(promised.index()), "{game}");
            promises[usize::from(promised == Action::PASS)] += 1;
        }
        assert!(game.is_over(), "random buttons end a game: {game}");
    }
    assert!(!promises.contains(&0), "drawn and passed: {promises:?}");
}

#[test]
fn the_count_adds_up() {
    let mut game = Iwoki::new(IwokiRules::default());
    let mut rng = Rng::new(1);
    while !game.is_over() {
        let moves: heapless::Vec<Action, 1024> = game.legal_moves().collect();
        game.play(moves[rng.below(moves.len() as u32) as usize])
            .unwrap();
        let lines: heapless::Vec<Count, 16> = (0..)
            .map_while(|line| IwokiBoard::count(&game, line))
            .collect();
        let (total, parts) = lines.split_last().unwrap();
        for player in Player::BOTH.map(Player::index) {
            assert!(total.is_total && parts.iter().all(|part| !part.is_total));
            assert_eq!(
                total.values[player],
                parts.iter().map(|part| part.values[player]).sum()
            );
        }
    }
    assert!(words::why(&game).len() <= 24);
}

#[test]
fn the_board_takes_little_memory() {
    assert!(core::mem::size_of::<IwokiBoard>() <= 24);
}
