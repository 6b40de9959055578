//! Writes the weights of shapes in playouts, from the weights of a policy, one a line:
//! `cargo run -p dojo-core --example playout_shapes models/go/policy-black/checkpoints/policy.txt`.

use std::path::Path;

use dojo_core::games::go::policy::{NAT, SHAPES};

fn main() {
    let file = std::env::args()
        .nth(1)
        .expect("a file with the weights of a policy");
    let text = std::fs::read_to_string(&file).expect("a file that can be read");
    let weights: Vec<u8> = text
        .lines()
        .take(SHAPES)
        .map(|line| line.trim().parse().expect("a number in each line"))
        .map(|weight: f64| (weight * f64::from(NAT)).round() as i8 as u8)
        .collect();
    assert_eq!(weights.len(), SHAPES, "{file} is too short");
    let out = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games/go/playout_shapes.bin");
    std::fs::write(out, weights).expect("a file that can be written");
}
