//! Line charts as SVG: axes, a few curves, a legend; too little for a library.

use std::fmt::Write as _;

use super::{Curve, Figure};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 170.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
/// Colours that colour-blind people can tell apart; curves also differ in their dashes.
const INKS: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
];
const DASHES: [&str; 3] = ["none", "6 3", "2 3"];

/// Draws a figure.
pub(super) fn draw(figure: &Figure) -> String {
    let points = || {
        figure
            .curves
            .iter()
            .flat_map(|curve| curve.points.iter().copied())
    };
    let across = Axis::new(points().map(|point| point.0));
    let up = Axis::new(points().map(|point| point.1).chain([0.0]));
    let x_of = |x: f64| LEFT + across.part(x) * (WIDTH - LEFT - RIGHT);
    let y_of = |y: f64| HEIGHT - BOTTOM - up.part(y) * (HEIGHT - TOP - BOTTOM);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let mut words = |x: f64, y: f64, anchor: &str, what: &str| {
        let _ = writeln!(
            text,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(what)
        );
    };
    words(LEFT, 22.0, "start", &figure.title);
    words(
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 10.0,
        "middle",
        figure.x,
    );
    words(8.0, TOP - 6.0, "start", figure.y);
    across
        .marks()
        .for_each(|x| words(x_of(x), HEIGHT - BOTTOM + 16.0, "middle", &number(x)));
    up.marks()
        .for_each(|y| words(LEFT - 6.0, y_of(y) + 4.0, "end", &number(y)));
    for y in up.marks().map(y_of) {
        let _ = writeln!(
            text,
            "<path d=\"M{LEFT} {y:.1}H{}\" stroke=\"#ddd\"/>",
            WIDTH - RIGHT
        );
    }
    for (place, Curve { name, points, .. }) in figure.curves.iter().enumerate() {
        let (ink, dash) = (
            INKS[place % INKS.len()],
            DASHES[place / INKS.len() % DASHES.len()],
        );
        let path: Vec<_> = points
            .iter()
            .map(|&(x, y)| format!("{:.1} {:.1}", x_of(x), y_of(y)))
            .collect();
        let style = format!(
            "fill=\"none\" stroke=\"{ink}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\""
        );
        let _ = writeln!(text, "<path d=\"M{}\" {style}/>", path.join("L"));
        let (x, y) = (WIDTH - RIGHT + 12.0, TOP + 18.0 * place as f64);
        let _ = writeln!(text, "<path d=\"M{x} {y}h20\" {style}/>");
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\">{}</text>",
            x + 26.0,
            y + 4.0,
            escaped(name)
        );
    }
    text + "</svg>\n"
}

/// An axis from one round number to another, with three to six steps between them.
struct Axis {
    low: f64,
    step: f64,
    steps: u32,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>) -> Axis {
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (low, high) = if low < high {
            (low, high)
        } else {
            (low.min(0.0), low.max(0.0) + 1.0)
        };
        // 1, 2 or 5 times a power of ten.
        let least = (high - low) / 5.0;
        let power = 10f64.powf(least.log10().floor());
        let step = power
            * [1.0, 2.0, 5.0, 10.0]
                .into_iter()
                .find(|times| times * power >= least * 0.999)
                .unwrap_or(10.0);
        let low = (low / step).floor() * step;
        Axis {
            low,
            step,
            steps: ((high - low) / step - 0.001).ceil().max(1.0) as u32,
        }
    }

    fn marks(&self) -> impl Iterator<Item = f64> {
        (0..=self.steps).map(|mark| self.low + f64::from(mark) * self.step)
    }

    /// The position of a value on the axis, from 0 to 1.
    fn part(&self, value: f64) -> f64 {
        (value - self.low) / (f64::from(self.steps) * self.step)
    }
}

fn number(value: f64) -> String {
    if value.abs() >= 10_000.0 {
        format!("{:.0}k", value / 1000.0)
    } else {
        format!("{:.3}", value)
            .trim_end_matches('0')
            .trim_end_matches('.')
            .into()
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_all_curves_and_no_loose_signs() {
        let curve = |name: &str| Curve::new(name, vec![(0.0, 1.0), (1.0, f64::from(3))]);
        let figure = Figure {
            name: "f",
            title: "a < b".into(),
            x: "x",
            y: "y",
            curves: vec![curve("one"), curve("two & three")],
        };
        let text = draw(&figure);
        assert!(
            text.contains("a &lt; b") && text.contains("two &amp; three") && !text.contains("NaN")
        );
        assert_eq!(text.matches("stroke-width").count(), 4);
    }

    #[test]
    fn axes_have_round_numbers_and_hold_all_values() {
        for (low, high, marks) in [
            (0.0, 8000.0, vec!["0", "2000", "4000", "6000", "8000"]),
            (-80.16, 75.54, vec!["-100", "-50", "0", "50", "100"]),
            (0.0, 1.0, vec!["0", "0.2", "0.4", "0.6", "0.8", "1"]),
            (5.0, 5.0, vec!["0", "2", "4", "6"]),
        ] {
            let axis = Axis::new([low, high].into_iter());
            assert_eq!(axis.marks().map(number).collect::<Vec<_>>(), marks);
            assert!(axis.part(low) >= 0.0 && axis.part(high) <= 1.0);
        }
    }
}
