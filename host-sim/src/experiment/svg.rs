//! Curves as a picture: axes, a few lines, a legend. Nothing that a library would be needed for.

use std::fmt::Write as _;

use super::{Curve, Figure};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 170.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
/// Colours that are told apart by people who see fewer of them, too; lines also differ in their dashes.
const INKS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const DASHES: [&str; 3] = ["none", "6 3", "2 3"];

/// Draws a figure.
pub(super) fn draw(figure: &Figure) -> String {
    let points = || figure.curves.iter().flat_map(|curve| curve.points.iter().copied());
    let (x_low, x_high) = range(points().map(|point| point.0));
    let (y_low, y_high) = range(points().map(|point| point.1).chain([0.0]));
    let x_of = |x: f64| LEFT + (x - x_low) / (x_high - x_low) * (WIDTH - LEFT - RIGHT);
    let y_of = |y: f64| HEIGHT - BOTTOM - (y - y_low) / (y_high - y_low) * (HEIGHT - TOP - BOTTOM);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let mut words = |x: f64, y: f64, anchor: &str, what: &str| {
        let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>", escaped(what));
    };
    words(LEFT, 22.0, "start", &figure.title);
    words((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10.0, "middle", figure.x);
    words(8.0, TOP - 6.0, "start", figure.y);
    for step in 0..=4 {
        let part = f64::from(step) / 4.0;
        let (x, y) = (x_low + part * (x_high - x_low), y_low + part * (y_high - y_low));
        words(x_of(x), HEIGHT - BOTTOM + 16.0, "middle", &number(x));
        words(LEFT - 6.0, y_of(y) + 4.0, "end", &number(y));
    }
    for step in 0..=4 {
        let y = y_of(y_low + f64::from(step) / 4.0 * (y_high - y_low));
        let _ = writeln!(text, "<path d=\"M{LEFT} {y:.1}H{}\" stroke=\"#ddd\"/>", WIDTH - RIGHT);
    }
    for (place, Curve { name, points }) in figure.curves.iter().enumerate() {
        let (ink, dash) = (INKS[place % INKS.len()], DASHES[place / INKS.len() % DASHES.len()]);
        let path: Vec<_> = points.iter().map(|&(x, y)| format!("{:.1} {:.1}", x_of(x), y_of(y))).collect();
        let style = format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"");
        let _ = writeln!(text, "<path d=\"M{}\" {style}/>", path.join("L"));
        let (x, y) = (WIDTH - RIGHT + 12.0, TOP + 18.0 * place as f64);
        let _ = writeln!(text, "<path d=\"M{x} {y}h20\" {style}/>");
        let _ = writeln!(text, "<text x=\"{}\" y=\"{}\">{}</text>", x + 26.0, y + 4.0, escaped(name));
    }
    text + "</svg>\n"
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    if low < high { (low, high) } else { (low.min(0.0), low.max(0.0) + 1.0) }
}

fn number(value: f64) -> String {
    if value.abs() >= 10_000.0 {
        format!("{:.0}k", value / 1000.0)
    } else {
        format!("{:.3}", value).trim_end_matches('0').trim_end_matches('.').into()
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
        let curve = |name: &str| Curve { name: name.into(), points: vec![(0.0, 1.0), (1.0, f64::from(3))] };
        let figure = Figure {
            name: "f",
            title: "a < b".into(),
            x: "x",
            y: "y",
            curves: vec![curve("one"), curve("two & three")],
        };
        let text = draw(&figure);
        assert!(text.contains("a &lt; b") && text.contains("two &amp; three") && !text.contains("NaN"));
        assert_eq!(text.matches("stroke-width").count(), 4);
    }
}
